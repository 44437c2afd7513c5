/* function.c: kernels, helpers and library functions.
 *
 * In: a reference to a function. Out: its entry, with the body read as a tree or, when it cannot be
 * taken apart, as text. A function joins program->function when its body is done, so callees come
 * before callers; access_check() refuses the cycles and the functions without a body.
 */
#include "pass/frontend/util.h"

#include <string.h>

struct function_entry *front_function_entry(struct front *front, const struct function *function)
{
    for (int f = 0; f < front->functions; f++) {
        if (front->function[f]->function == function) {
            return front->function[f];
        }
    }
    return NULL;
}

bool front_is_function(CXCursor cursor)
{
    enum CXCursorKind kind = clang_getCursorKind(cursor);

    return kind == CXCursor_FunctionDecl ||
           (kind == CXCursor_CXXMethod && clang_CXXMethod_isStatic(cursor));
}

bool front_is_builtin(struct front *front, CXCursor referenced)
{
    return strncmp(front_spelling(front, referenced), "__builtin_", 10) == 0;
}

bool front_is_hint(struct front *front, CXCursor referenced)
{
    const char *name = front_spelling(front, referenced);

    return strcmp(name, "__builtin_expect") == 0 || strcmp(name, "__builtin_assume_aligned") == 0;
}

static struct function_entry *new_entry(struct front *front, CXCursor cursor)
{
    struct function_entry *entry = arena_alloc(front->arena, sizeof(*entry));

    entry->cursor = cursor;
    entry->function = arena_alloc(front->arena, sizeof(*entry->function));
    front->function = arena_grow(front->arena, front->function, front->functions,
                                 &front->function_room, sizeof(*front->function));
    front->function[front->functions++] = entry;
    return entry;
}

/* ---- library functions --------------------------------------------------------------------------
 */

/* A type of a library function, without references and qualifiers; NULL when the IR has none. */
static const struct type *plain_type(struct front *front, CXType type)
{
    struct refusal refusal = {0};
    const struct type *result = front_type(front, front_without_reference(type), &refusal);

    if (result == NULL || result->kind > TYPE_DOUBLE) {
        return result;
    }
    return front_basic(front, result->kind, false);
}

/* The type that the function computes in. */
static const struct type *math_type(struct front *front, CXCursor call, CXCursor referenced)
{
    const struct type *result = plain_type(front, clang_getCursorType(call));
    CXCursor declared = clang_Cursor_getArgument(referenced, 0);
    CXCursor given = clang_Cursor_getArgument(call, 0);
    const struct type *first =
        plain_type(front, clang_getCursorType(clang_Cursor_isNull(declared) ? given : declared));

    if (result == NULL || first == NULL) {
        return NULL;
    }
    return type_is_floating(result) || !type_is_floating(first) ? result : first;
}

/* The type of parameter k of a math function that computes in `type`. */
static const struct type *math_param(struct front *front, CXCursor call, CXCursor referenced, int k,
                                     const struct type *type)
{
    CXCursor declared = clang_Cursor_getArgument(referenced, (unsigned)k);
    bool is_template = !clang_Cursor_isNull(clang_getSpecializedCursorTemplate(referenced));
    CXCursor source =
        clang_Cursor_isNull(declared) ? clang_Cursor_getArgument(call, (unsigned)k) : declared;
    const struct type *own = plain_type(front, clang_getCursorType(source));

    if (own == NULL) {
        return NULL;
    }
    if (type_is_floating(own) || (is_template && type_is_integer(own))) {
        return type_is_floating(type) || type_is_integer(own) ? type : own;
    }
    return own;
}

static bool same_library(const struct function *a, const struct function *b)
{
    if (a->kind != b->kind || a->params != b->params || strcmp(a->name, b->name) != 0 ||
        !type_same(a->result, b->result)) {
        return false;
    }
    for (int k = 0; k < a->params; k++) {
        if (!type_same(a->param[k]->type, b->param[k]->type)) {
            return false;
        }
    }
    return true;
}

static struct function *keep_library(struct front *front, const struct function *wanted)
{
    for (int f = 0; f < front->functions; f++) {
        if (front->function[f]->function->kind != FUNCTION_USER &&
            same_library(front->function[f]->function, wanted)) {
            return front->function[f]->function;
        }
    }
    *new_entry(front, clang_getNullCursor())->function = *wanted;
    return front->function[front->functions - 1]->function;
}

static void library_params(struct front *front, struct function *function, int params)
{
    function->params = params;
    function->param = arena_alloc(front->arena, (size_t)params * sizeof(*function->param));
    for (int k = 0; k < params; k++) {
        function->param[k] = arena_alloc(front->arena, sizeof(*function->param[k]));
        function->param[k]->name = arena_format(front->arena, "x%d", k + 1);
        function->param[k]->storage = STORAGE_PARAM;
        function->param[k]->index = k;
    }
}

static struct function *math_function(struct front *front, CXCursor call, CXCursor referenced)
{
    struct function function = {.kind = FUNCTION_MATH};
    const struct type *type = math_type(front, call, referenced);
    int args = clang_Cursor_getNumArguments(call);

    function.user_name = front_spelling(front, referenced);
    if (type == NULL || args < 1) {
        return NULL;
    }
    function.name = math_name(front, function.user_name, type, args);
    function.result = plain_type(front, clang_getCursorType(call));
    if (function.name == NULL) {
        return NULL;
    }
    library_params(front, &function, args);
    for (int k = 0; k < args; k++) {
        function.param[k]->type = math_param(front, call, referenced, k, type);
        if (function.param[k]->type == NULL) {
            return NULL;
        }
    }
    return keep_library(front, &function);
}

static struct function *print_function(struct front *front)
{
    struct function function = {.kind = FUNCTION_PRINT, .name = "printf", .user_name = "printf"};

    function.result = front_basic(front, TYPE_INT, false);
    library_params(front, &function, 1);
    function.param[0]->type = front_pointer(front, front_basic(front, TYPE_CHAR, true));
    return keep_library(front, &function);
}

static struct function *library_function(struct front *front, CXCursor call, CXCursor referenced)
{
    if (math_is_print(front_spelling(front, referenced))) {
        return print_function(front);
    }
    return math_function(front, call, referenced);
}

/* ---- the user's functions -----------------------------------------------------------------------
 */

/* A parameter written as an array is a pointer to its elements, whatever length it names. */
static const struct type *param_type(struct body *body, CXCursor definition, CXCursor cursor, int k)
{
    CXType type = clang_getCanonicalType(clang_getCursorType(cursor));
    const struct type *elem;

    if (type.kind != CXType_ConstantArray && type.kind != CXType_IncompleteArray) {
        return body_param_type(body, definition, cursor, k);
    }
    elem = body_type_of(body, cursor, clang_getArrayElementType(type));
    if (elem != NULL &&
        clang_isConstQualifiedType(type)) { /* of the elements, not of the pointer */
        elem = front_const(body->front, elem);
    }
    return elem != NULL ? front_pointer(body->front, elem) : NULL;
}

/* The parameters of a pack all have its name. */
static const char *param_name(struct body *body, const struct var *var, int k)
{
    struct front *front = body->front;

    if (*var->name == '\0') {
        return arena_format(front->arena, "unnamed_%d", k + 1);
    }
    for (int p = 0; p < k; p++) {
        if (strcmp(body->entry->function->param[p]->name, var->name) == 0) {
            body->has_pack = true;
            return arena_format(front->arena, "%s_%d", var->name, k + 1);
        }
    }
    return var->name;
}

static void read_param(struct body *body, CXCursor definition, int k)
{
    struct front *front = body->front;
    CXCursor cursor = clang_Cursor_getArgument(definition, (unsigned)k);
    const struct type *type = param_type(body, definition, cursor, k);
    struct var *var;

    if (type == NULL) {
        type = front_basic(front, TYPE_INT, false); /* never printed: the function is refused */
    }
    var = body_local(body, cursor, type);
    body->local[body->locals - 1].is_reference = body->entry->by_address[k];
    var->storage = STORAGE_PARAM;
    var->index = k;
    var->name = param_name(body, var, k);
    body->entry->function->param[k] = var;
}

static void read_signature(struct body *body, CXCursor definition)
{
    struct function *function = body->entry->function;

    function->result = body_result_type(body, definition);
    if (function->result == NULL) {
        function->result = front_basic(body->front, TYPE_VOID, false);
    }
    if (clang_Cursor_isVariadic(definition)) {
        body_refuse_everywhere(body, definition, "any number of arguments");
    }
    function->params = clang_Cursor_getNumArguments(definition);
    function->param =
        arena_alloc(body->front->arena, (size_t)function->params * sizeof(*function->param));
    body->entry->by_address =
        arena_alloc(body->front->arena, (size_t)function->params * sizeof(bool));
    for (int k = 0; k < function->params; k++) {
        read_param(body, definition, k);
    }
}

static void read_tree(struct body *body, CXCursor definition)
{
    struct children children = front_children(body->front, definition);
    CXCursor last = children.count > 0 ? children.child[children.count - 1] : definition;
    struct stmt *tree;

    if (clang_getCursorKind(last) != CXCursor_CompoundStmt) {
        body_refuse_everywhere(body, definition, "a body of an unknown kind");
        return;
    }
    body_headers(body, definition);
    tree = body_stmt(body, last);
    if (tree != NULL && body->top.count > 0) {
        for (int k = 0; k < tree->kids; k++) {
            body_append(body, &body->top, tree->kid[k]);
        }
        tree = body_block_of(body, last, &body->top);
    }
    body->entry->function->body = tree;
    if (body->if_starts != 0) {
        body_refuse(body, definition, "an if that begins with an expression");
    }
}

static void read_body(struct front *front, struct function_entry *entry, CXCursor definition)
{
    struct body body = {.front = front, .entry = entry};
    struct function *function = entry->function;
    struct program *program = front->program;
    struct loc nowhere = {NULL, 0, 0};

    read_signature(&body, definition);
    if (entry->is_text) {
        body_refuse(&body, definition, "a reference");
    } else {
        read_tree(&body, definition);
    }
    if (body.refusal.reason != NULL && body.has_pack) {
        body_refuse_everywhere(&body, definition, "a parameter pack");
    }
    if (body.refusal.reason != NULL) {
        function->body = NULL;
        function->callees = 0; /* the text may call others */
        body.is_opaque = true;
        body_opaque(&body, definition);
        function->opaque_reason = body.refusal.reason;
        function->opaque_loc = body.refusal.loc;
    }
    if (function->body == NULL) {
        body_report_writes(&body, definition);
    }
    if (body.refusal.everywhere) {
        entry->no_device =
            arena_format(front->arena, "'%s' uses %s", function->user_name, body.refusal.reason);
    } else if (body.refusal.reason != NULL && entry->no_device == NULL) {
        diag_report(front->diag, DIAG_opaque, body.refusal.loc, 1, nowhere, function->user_name,
                    body.refusal.reason);
    }
    program->function = arena_grow(front->arena, program->function, program->functions,
                                   &front->list_room, sizeof(*program->function));
    program->function[program->functions++] = function;
}

/* A function without a body in this unit: only sequential loops may call it. If it is one of the
 * user's, it is elsewhere in the program, which access_check() reports. */
static void read_declaration(struct front *front, struct function_entry *entry, CXCursor referenced)
{
    struct function *function = entry->function;
    const struct type *result = plain_type(front, clang_getCursorResultType(referenced));
    int params = clang_Cursor_getNumArguments(referenced);

    function->result = result != NULL ? result : function->result;
    library_params(front, function, params > 0 ? params : 0);
    for (int k = 0; k < params; k++) {
        CXCursor param = clang_Cursor_getArgument(referenced, (unsigned)k);
        const struct type *type = plain_type(front, clang_getCursorType(param));

        function->param[k]->type = type != NULL ? type : front_basic(front, TYPE_INT, false);
    }
    if (front_in_system(referenced) || front_is_builtin(front, referenced)) {
        entry->no_device =
            arena_format(front->arena, "it calls '%s', which only sequential loops may call",
                         function->user_name);
    }
}

/* The entry that a function already has in the wanted form. */
static struct function_entry *known_entry(struct front *front, CXCursor cursor, bool as_text)
{
    for (int f = 0; f < front->functions; f++) {
        struct function_entry *entry = front->function[f];

        if (front_same(entry->cursor, cursor) &&
            (entry->is_text == as_text || (as_text && entry->function->opaque_text != NULL))) {
            return entry;
        }
    }
    return NULL;
}

static struct function_entry *find_function(struct front *front, CXCursor referenced, bool as_text)
{
    CXCursor definition = clang_getCursorDefinition(referenced);
    CXCursor cursor;
    struct function_entry *entry;
    bool has_body;

    if (!front_is_function(referenced)) {
        return NULL;
    }
    has_body = !clang_Cursor_isNull(definition) && !front_in_system(definition);
    cursor = clang_getCanonicalCursor(has_body ? definition : referenced);
    as_text &= has_body && front_has_references(definition);
    entry = known_entry(front, cursor, as_text);
    if (entry != NULL) {
        return entry;
    }
    entry = new_entry(front, cursor);
    entry->is_text = as_text;
    entry->function->kind = FUNCTION_USER;
    entry->function->user_name = front_spelling(front, referenced);
    entry->function->name = front_identifier(front, entry->function->user_name, front_name_taken);
    entry->function->loc = front_loc(front, has_body ? definition : referenced);
    entry->function->result = front_basic(front, TYPE_VOID, false);
    if (has_body) {
        read_body(front, entry, definition);
    } else {
        read_declaration(front, entry, referenced);
    }
    return entry;
}

struct function_entry *front_function(struct front *front, CXCursor referenced)
{
    return find_function(front, referenced, false);
}

struct function_entry *front_function_text(struct front *front, CXCursor referenced)
{
    return find_function(front, referenced, true);
}

/* ---- calls --------------------------------------------------------------------------------------
 */

static void record_callee(struct body *body, CXCursor call, struct function *callee)
{
    struct function *function = body->entry->function;

    for (int c = 0; c < function->callees; c++) {
        if (function->callee[c] == callee) {
            return;
        }
    }
    function->callee = arena_grow(body->front->arena, function->callee, function->callees,
                                  &body->callee_room, sizeof(*function->callee));
    function->called = arena_grow(body->front->arena, function->called, function->callees,
                                  &body->called_room, sizeof(*function->called));
    function->called[function->callees] = front_loc(body->front, call);
    function->callee[function->callees++] = callee;
}

struct function *body_extremum(struct body *body, CXCursor call, const char *name,
                               const struct type *type)
{
    struct function function = {.kind = FUNCTION_MATH, .user_name = name, .result = type};
    struct function *kept;

    function.name = math_name(body->front, name, type, 2);
    if (function.name == NULL || body->entry == NULL) {
        return NULL;
    }
    library_params(body->front, &function, 2);
    for (int k = 0; k < 2; k++) {
        function.param[k]->type = type;
    }
    kept = keep_library(body->front, &function);
    record_callee(body, call, kept);
    return kept;
}

/* memcpy or memset as a library function: every target has them, and bodies taken as text call
 * them. */
static struct function *memory_function(struct body *body, CXCursor call, const char *name)
{
    struct function function = {.kind = FUNCTION_MATH, .name = name, .user_name = name};
    const struct type *type = front_basic(body->front, TYPE_VOID, false);

    if (!body->is_opaque) {
        return body_refuse(body, call, arena_format(body->front->arena, "a call of %s", name));
    }
    function.result = front_pointer(body->front, type);
    library_params(body->front, &function, 1);
    function.param[0]->type = function.result;
    return keep_library(body->front, &function);
}

struct function *body_callee(struct body *body, CXCursor call, CXCursor referenced)
{
    CXCursor definition = clang_getCursorDefinition(referenced);
    bool is_users = !clang_Cursor_isNull(definition) && !front_in_system(definition);
    struct function *library;
    struct function_entry *entry;

    if (body->entry == NULL) {
        return body_refuse(body, call, "a call in a constant's value");
    }
    library = is_users ? NULL : library_function(body->front, call, referenced);
    if (!is_users && front_memory_name(body->front, referenced) != NULL) {
        library = memory_function(body, call, front_memory_name(body->front, referenced));
        if (library == NULL) {
            return NULL;
        }
    }
    if (library != NULL) {
        record_callee(body, call, library);
        return library;
    }
    entry = body->is_opaque ? front_function_text(body->front, referenced)
                            : front_function(body->front, referenced);
    record_callee(body, call, entry->function);
    if (entry->no_device != NULL && body->entry->no_device == NULL) {
        body->entry->no_device = entry->no_device;
        body->entry->has_error = entry->has_error;
    }
    if (entry->passes_addresses && entry->function->body == NULL && !body->is_opaque) {
        return body_refuse(body, call, "a reference");
    }
    return entry->function;
}
