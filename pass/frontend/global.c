/* global.c: the variables that bodies name.
 *
 * Locals and parameters belong to their body. Outside of it there are constant objects whose value
 * is known (STORAGE_TABLE), and globals that have their value at run time: from op_decl_const, or,
 * if they are constants of this file that its own functions initialise, from the program's
 * variable.
 */
#include "pass/frontend/util.h"

#include <string.h>

struct var *body_local(struct body *body, CXCursor declaration, const struct type *type)
{
    struct var *var = arena_alloc(body->front->arena, sizeof(*var));

    var->name = front_spelling(body->front, declaration);
    var->type = type;
    var->storage = STORAGE_LOCAL;
    var->loc = front_loc(body->front, declaration);
    var->index = -1;
    body->local = arena_grow(body->front->arena, body->local, body->locals, &body->local_room,
                             sizeof(*body->local));
    body->local[body->locals].cursor = declaration;
    body->local[body->locals++].var = var;
    return var;
}

static const struct type *scalar_of(const struct type *type)
{
    while (type->kind == TYPE_ARRAY) {
        type = type->elem;
    }
    return type;
}

/* A variable that points to numbers: op_decl_const gives what it points to, of any size. */
static bool is_number_pointer(const struct type *type)
{
    return type->kind == TYPE_POINTER && type->elem->kind > TYPE_VOID &&
           type->elem->kind < TYPE_POINTER;
}

static bool global_taken(struct front *front, const char *name)
{
    for (int g = 0; g < front->globals; g++) {
        if (front->global[g]->var->name != NULL && strcmp(front->global[g]->var->name, name) == 0) {
            return true;
        }
    }
    return false;
}

/* The value of a constant object; NULL when it is not known, *what then says why. */
static struct expr *table_value(struct front *front, CXCursor initialiser, const struct type *type,
                                const char **what)
{
    struct body body = {.front = front};
    struct expr *value;

    if (scalar_of(type)->kind == TYPE_POINTER) {
        *what = "a constant pointer";
        return NULL;
    }
    value = body_initialiser(&body, initialiser, type);
    if (body.refusal.reason != NULL) {
        *what = arena_format(front->arena, "a constant with %s in its value", body.refusal.reason);
    } else if (value == NULL) {
        *what = "a constant whose value is not known here";
    }
    return *what == NULL ? value : NULL;
}

/* A name that assemblers and objcopy take as it is, and that passes between cleavecc's processes.
 */
static bool is_plain_symbol(const char *symbol)
{
    enum { LONGEST = 1000 };
    size_t length =
        strspn(symbol, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");

    return length > 0 && symbol[length] == '\0' && length <= LONGEST;
}

/* gcc puts an L before the name of a constant in an unnamed namespace, which clang does not:
 * _ZN12_GLOBAL__N_1L3gamE. */
static const char *gcc_symbol(struct front *front, CXCursor variable, const char *symbol)
{
    const char *name = front_spelling(front, variable);
    const char *end = arena_format(front->arena, "%zu%sE", strlen(name), name);
    int before = (int)strlen(symbol) - (int)strlen(end);

    if (clang_getCursorLinkage(variable) == CXLinkage_External || before <= 0 ||
        strcmp(symbol + before, end) != 0 || symbol[before - 1] == 'L') {
        return symbol;
    }
    return arena_format(front->arena, "%.*sL%s", before, symbol, end);
}

/* The symbol of a constant that is initialised before main: its value is in the host compiler's
 * object when a loop is called. NULL for one of a function, which gets its value when that function
 * runs, of a thread, or of a template. */
static const char *object_symbol(struct front *front, CXCursor definition)
{
    enum CXCursorKind parent = clang_getCursorKind(clang_getCursorSemanticParent(definition));
    bool is_static = parent == CXCursor_TranslationUnit || parent == CXCursor_Namespace ||
                     parent == CXCursor_LinkageSpec || parent == CXCursor_ClassDecl ||
                     parent == CXCursor_StructDecl;
    const char *symbol;

    if (!is_static || clang_getCursorTLSKind(definition) != CXTLS_None ||
        clang_isVolatileQualifiedType(clang_getCanonicalType(clang_getCursorType(definition)))) {
        return NULL;
    }
    symbol = front_string(front, clang_Cursor_getMangling(definition));
    return is_plain_symbol(symbol) ? gcc_symbol(front, definition, symbol) : NULL;
}

static void read_global(struct front *front, struct global_entry *entry, CXCursor cursor)
{
    CXCursor definition = clang_getCursorDefinition(cursor);
    CXCursor initialiser =
        clang_Cursor_getVarDeclInitializer(clang_Cursor_isNull(definition) ? cursor : definition);
    struct var *var = entry->var;
    struct refusal refusal = {0};
    const char *name = front_spelling(front, cursor);
    const char *what = NULL;

    var->type = front_type(front, clang_getCursorType(cursor), &refusal);
    if (var->type == NULL) {
        what = refusal.reason;
        var->type = front_basic(front, TYPE_INT, false);
    } else if (front_in_system(cursor)) {
        what = "the library's";
    } else if (scalar_of(var->type)->is_const && !clang_Cursor_isNull(initialiser)) {
        var->init = table_value(front, initialiser, var->type, &what);
        var->storage = var->init != NULL ? STORAGE_TABLE : STORAGE_GLOBAL;
        entry->unknown = what;
        what = scalar_of(var->type)->kind < TYPE_POINTER ? NULL : what;
        if (var->init == NULL && what == NULL && !clang_Cursor_isNull(definition)) {
            var->symbol = object_symbol(front, definition);
        }
    } else if ((scalar_of(var->type)->kind == TYPE_POINTER && !is_number_pointer(var->type)) ||
               scalar_of(var->type)->kind == TYPE_RECORD) {
        what = "of a type that op_decl_const does not know";
    }
    if (what != NULL) {
        entry->no_device = arena_format(front->arena, "the variable '%s', which is %s", name, what);
    }
    var->name = var->storage == STORAGE_TABLE ? front_identifier(front, name, global_taken) : name;
}

struct global_entry *front_global(struct front *front, CXCursor cursor)
{
    CXCursor canonical = clang_getCanonicalCursor(cursor);
    enum CXLinkageKind linkage = clang_getCursorLinkage(cursor);
    struct global_entry *entry;

    for (int g = 0; g < front->globals; g++) {
        if (front_same(front->global[g]->cursor, canonical)) {
            return front->global[g];
        }
    }
    entry = arena_alloc(front->arena, sizeof(*entry));
    entry->cursor = canonical;
    entry->is_internal = linkage == CXLinkage_Internal || linkage == CXLinkage_NoLinkage ||
                         linkage == CXLinkage_UniqueExternal;
    entry->var = arena_alloc(front->arena, sizeof(*entry->var));
    entry->var->storage = STORAGE_GLOBAL;
    entry->var->index = -1;
    entry->var->is_external = !entry->is_internal;
    entry->var->loc = front_loc(front, cursor);
    read_global(front, entry, cursor);
    front->global = arena_grow(front->arena, front->global, front->globals, &front->global_room,
                               sizeof(*front->global));
    front->global[front->globals++] = entry;
    return entry;
}

static void use_global(struct body *body, CXCursor reference, struct global_entry *entry)
{
    struct front *front = body->front;
    struct function *function = body->entry->function;
    struct program *program = front->program;

    for (int g = 0; g < function->globals; g++) {
        if (function->global[g] == entry->var) {
            return;
        }
    }
    function->global = arena_grow(front->arena, function->global, function->globals,
                                  &body->global_room, sizeof(*function->global));
    function->global[function->globals++] = entry->var;
    if (entry->user != NULL) {
        return;
    }
    entry->user = function;
    entry->used = front_loc(front, reference);
    program->global = arena_grow(front->arena, program->global, program->globals,
                                 &front->global_list_room, sizeof(*program->global));
    program->global[program->globals++] = entry->var;
}

/* Variables of the function itself, static constants apart, are never global. */
static bool is_automatic(CXCursor cursor)
{
    enum CXCursorKind parent = clang_getCursorKind(clang_getCursorSemanticParent(cursor));
    enum CX_StorageClass storage = clang_Cursor_getStorageClass(cursor);

    return (parent == CXCursor_FunctionDecl || parent == CXCursor_CXXMethod) &&
           storage != CX_SC_Static && storage != CX_SC_Extern;
}

struct var *body_variable(struct body *body, CXCursor reference, CXCursor referenced)
{
    struct global_entry *entry;

    for (int v = 0; v < body->locals; v++) {
        if (front_same(body->local[v].cursor, referenced)) {
            return body->local[v].var;
        }
    }
    if (clang_getCursorKind(referenced) != CXCursor_VarDecl || is_automatic(referenced)) {
        return body_refuse(body, reference, "a variable of a kind that is not known");
    }
    if (body->entry == NULL) {
        return body_refuse(body, reference, "another variable");
    }
    entry = front_global(body->front, referenced);
    if (entry->is_declared) {
        entry->var->symbol = NULL;
    }
    if (entry->no_device == NULL && entry->unknown != NULL && entry->var->symbol == NULL &&
        !entry->is_declared) {
        entry->no_device =
            arena_format(body->front->arena,
                         "the variable '%s', which is %s, and which no op_decl_const of this file "
                         "declares",
                         entry->var->name, entry->unknown);
    }
    if (entry->no_device == NULL && is_number_pointer(entry->var->type) && entry->is_internal &&
        !entry->is_declared) {
        entry->no_device = arena_format(
            body->front->arena, "the pointer '%s', which no op_decl_const of this file declares",
            entry->var->name);
    }
    if (entry->no_device != NULL) {
        return body_refuse_everywhere(body, reference, entry->no_device);
    }
    use_global(body, reference, entry);
    return entry->var;
}

/* ---- texts that write globals ----------------------------------------------------------------
 */

/* Returns what an operator changes; a null cursor if it changes nothing. */
static CXCursor changed_by(struct front *front, CXCursor cursor)
{
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    enum CXUnaryOperatorKind unary = clang_getCursorUnaryOperatorKind(cursor);
    bool changes = kind == CXCursor_CompoundAssignOperator ||
                   (kind == CXCursor_BinaryOperator &&
                    clang_getCursorBinaryOperatorKind(cursor) == CXBinaryOperator_Assign) ||
                   (kind == CXCursor_UnaryOperator && unary >= CXUnaryOperator_PostInc &&
                    unary <= CXUnaryOperator_PreDec);
    struct children children = front_children(front, cursor);

    return changes && children.count > 0 ? children.child[0] : clang_getNullCursor();
}

/* The object that `place` is a part of, or the pointer that it dereferences. */
static CXCursor outer_place(struct front *front, CXCursor place, const struct children *children)
{
    enum CXCursorKind kind = clang_getCursorKind(place);
    CXCursor outer = children->count > 0 ? front_strip(front, children->child[0]) : place;
    bool is_part = kind == CXCursor_ArraySubscriptExpr || kind == CXCursor_MemberRefExpr;
    bool is_pointed = clang_getCanonicalType(clang_getCursorType(outer)).kind == CXType_Pointer;

    if (children->count == 0 ||
        !(is_part || clang_getCursorUnaryOperatorKind(place) == CXUnaryOperator_Deref) ||
        (is_pointed && clang_getCursorKind(outer) != CXCursor_DeclRefExpr)) {
        return clang_getNullCursor();
    }
    return outer;
}

/* The variable that contains the place, or the pointer variable that leads to it. */
static CXCursor variable_of(struct front *front, CXCursor place)
{
    for (;;) {
        struct children children;
        enum CXCursorKind kind;

        place = front_strip(front, place);
        children = front_children(front, place);
        kind = clang_getCursorKind(place);
        if (kind == CXCursor_DeclRefExpr) {
            return clang_getCursorReferenced(place);
        }
        place = outer_place(front, place, &children);
        if (clang_Cursor_isNull(place)) {
            return place;
        }
    }
}

static enum CXChildVisitResult find_write(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct body *body = data;
    struct front *front = body->front;
    CXCursor place = changed_by(front, cursor);
    CXCursor variable = clang_Cursor_isNull(place) ? place : variable_of(front, place);
    struct function_entry *entry = body->entry;
    const char *name;

    (void)parent;
    if (clang_Cursor_isNull(variable) || clang_getCursorKind(variable) != CXCursor_VarDecl ||
        is_automatic(variable)) {
        return CXChildVisit_Recurse;
    }
    name = front_spelling(front, variable);
    if (clang_getCursorKind(clang_getCursorSemanticParent(variable)) == CXCursor_FunctionDecl) {
        return CXChildVisit_Recurse; /* a static variable, which is refused with its reason */
    }
    diag_report(front->diag, DIAG_global_written, front_loc(front, place), front_length(place),
                front_loc(front, variable), entry->function->user_name, name);
    entry->no_device =
        arena_format(front->arena, "it writes '%s', which is not one of its arguments", name);
    entry->has_error = diag_severity_of(front->diag, DIAG_global_written) == DIAG_ERROR;
    return CXChildVisit_Recurse;
}

void body_report_writes(struct body *body, CXCursor function)
{
    clang_visitChildren(function, find_write, body);
}

/* ---- checks behind all loops -----------------------------------------------------------------
 */

/* Functions that are reached by calls, each once. */
struct reached {
    int functions;
    int room;
    const struct function **function;
};

static void reach(struct front *front, struct reached *reached, const struct function *function)
{
    for (int f = 0; f < reached->functions; f++) {
        if (reached->function[f] == function) {
            return;
        }
    }
    reached->function = arena_grow(front->arena, reached->function, reached->functions,
                                   &reached->room, sizeof(*reached->function));
    reached->function[reached->functions++] = function;
}

/* In its own body, or in those of its helpers. */
static bool uses(struct front *front, const struct function *function, const struct var *var)
{
    struct reached reached = {0};

    reach(front, &reached, function);
    for (int f = 0; f < reached.functions; f++) { /* the list grows while it is walked */
        function = reached.function[f];
        for (int g = 0; g < function->globals; g++) {
            if (function->global[g] == var) {
                return true;
            }
        }
        for (int c = 0; c < function->callees; c++) {
            reach(front, &reached, function->callee[c]);
        }
    }
    return false;
}

bool front_uses_global(struct front *front, const struct function *function, CXCursor declaration)
{
    for (int g = 0; g < front->globals; g++) {
        if (front_same(front->global[g]->cursor, declaration)) {
            return uses(front, function, front->global[g]->var);
        }
    }
    return false;
}

void front_check_globals(struct front *front)
{
    for (int g = 0; g < front->globals; g++) {
        const struct global_entry *entry = front->global[g];

        if (entry->user != NULL && entry->var->storage == STORAGE_GLOBAL && entry->is_internal &&
            !entry->is_declared && entry->var->symbol == NULL) {
            diag_report(front->diag, DIAG_undeclared_global, entry->used,
                        (int)strlen(entry->var->name), entry->used, entry->user->user_name,
                        entry->var->name);
        }
    }
}
