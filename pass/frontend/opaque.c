/* opaque.c: takes a function whole, as text, when its body cannot be taken apart.
 *
 * In: a function that some construct made unreadable. Out: its definition as clang prints it,
 * macros expanded, in a form that stands alone: typedefs inside, enumerators by value, records and
 * functions by the names that generated code gives them (opaque_text.c puts those into the body).
 * Its callees, globals and records are collected from its references.
 */
#include "pass/frontend/util.h"

#include <stdlib.h>
#include <string.h>

struct whole {
    struct body *body;
    CXCursor function; /* canonical */
    struct rename *rename;
    int renames;
    int rename_room;
    const char **local; /* names of the function's own variables */
    int locals;
    int local_room;
    const char *typedefs; /* lines to begin the body with */
    bool after_goto;      /* a goto was visited */
};

static void refuse_name(struct whole *whole, CXCursor where, const char *name)
{
    body_refuse_everywhere(
        whole->body, where,
        arena_format(whole->body->front->arena, "the name '%s' for several things", name));
}

static const struct rename *find_rename(const struct whole *whole, const char *from)
{
    for (int r = 0; r < whole->renames; r++) {
        if (strcmp(whole->rename[r].from, from) == 0) {
            return &whole->rename[r];
        }
    }
    return NULL;
}

static void add_rename(struct whole *whole, CXCursor where, enum rename_kind kind, const char *from,
                       const char *to)
{
    const struct rename *known = find_rename(whole, from);

    if (known != NULL) {
        if (strcmp(known->to, to) != 0 || known->kind != kind) {
            refuse_name(whole, where, from);
        }
        return;
    }
    whole->rename = arena_grow(whole->body->front->arena, whole->rename, whole->renames,
                               &whole->rename_room, sizeof(*whole->rename));
    whole->rename[whole->renames++] = (struct rename){kind, from, to};
}

static bool is_own(const struct whole *whole, CXCursor declaration)
{
    CXCursor parent = clang_getCursorSemanticParent(declaration);

    while (!clang_Cursor_isNull(parent) && !clang_isInvalid(clang_getCursorKind(parent)) &&
           clang_getCursorKind(parent) != CXCursor_TranslationUnit) {
        if (front_same(clang_getCanonicalCursor(parent), whole->function)) {
            return true;
        }
        parent = clang_getCursorSemanticParent(parent);
    }
    return false;
}

static const char *type_text(struct front *front, const struct type *type, const char *declarator)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    const char *copy;

    if (out == NULL) {
        fputs("cleavecc: out of memory\n", stderr);
        exit(1);
    }
    print_c_type(out, type, declarator);
    fclose(out);
    copy = arena_text(front->arena, text);
    free(text);
    return copy;
}

/* A record's name where a type stands: C needs the keyword, C++ knows the name as a type. */
static const char *record_text(struct front *front, const struct type *type)
{
    struct type plain = {.kind = TYPE_RECORD, .record = type->record};

    return front->options->language == LANGUAGE_CXX ? type->record->name
                                                    : type_text(front, &plain, "");
}

/* ---- what the text refers to --------------------------------------------------------------------
 */

/* Declares the name of a typedef or of an enumeration at the body's beginning. It stays one word,
 * for name(x): `unsigned int(x)` is no expression. The renaming takes `ns::` and `enum` away; both
 * kinds of names are one here, as a typedef may repeat the enumeration's. */
static void define_type(struct whole *whole, CXCursor where, const char *name,
                        const struct type *type)
{
    struct front *front = whole->body->front;
    const char *line =
        arena_format(front->arena, "    typedef %s;\n", type_text(front, type, name));

    if (strstr(whole->typedefs, line) != NULL) {
        return;
    }
    if (find_rename(whole, name) != NULL) {
        refuse_name(whole, where, name);
    }
    add_rename(whole, where, RENAME_ENUM, name, name);
    whole->typedefs = arena_format(front->arena, "%s%s", whole->typedefs, line);
}

static void use_typedef(struct whole *whole, CXCursor where, CXCursor declaration)
{
    struct front *front = whole->body->front;
    const char *name = front_spelling(front, declaration);
    const struct type *type =
        body_type_of(whole->body, where, clang_getTypedefDeclUnderlyingType(declaration));

    if (type != NULL && type->kind == TYPE_RECORD) {
        add_rename(whole, where, RENAME_RECORD, name, record_text(front, type));
    } else if (type != NULL) {
        define_type(whole, where, name, type);
    }
}

static void use_type(struct whole *whole, CXCursor where, CXCursor declaration)
{
    struct front *front = whole->body->front;
    const struct type *type;

    if (is_own(whole, declaration)) {
        return;
    }
    switch (clang_getCursorKind(declaration)) {
    case CXCursor_TypedefDecl:
    case CXCursor_TypeAliasDecl:
        use_typedef(whole, where, declaration);
        break;
    case CXCursor_EnumDecl:
    case CXCursor_StructDecl:
    case CXCursor_ClassDecl:
    case CXCursor_UnionDecl:
        type = body_type_of(whole->body, where, clang_getCursorType(declaration));
        if (type != NULL && type->kind == TYPE_RECORD) {
            add_rename(whole, where, RENAME_RECORD, front_spelling(front, declaration),
                       record_text(front, type));
        } else if (type != NULL) {
            define_type(whole, where, front_spelling(front, declaration), type);
        }
        break;
    default:
        break;
    }
}

static void use_enumerator(struct whole *whole, CXCursor where, CXCursor declaration)
{
    struct front *front = whole->body->front;
    const struct type *type = body_type(whole->body, where);
    long long value = clang_getEnumConstantDeclValue(declaration);

    if (type != NULL && !is_own(whole, declaration)) {
        add_rename(whole, where, RENAME_PLAIN, front_spelling(front, declaration),
                   arena_format(front->arena, "((%s)%lld)", type_text(front, type, ""), value));
    }
}

static void use_variable(struct whole *whole, CXCursor where, CXCursor declaration)
{
    enum CX_StorageClass storage = clang_Cursor_getStorageClass(declaration);
    struct global_entry *entry;

    if (is_own(whole, declaration) && storage != CX_SC_Extern) {
        return;
    }
    entry = front_global(whole->body->front, declaration);
    if (body_variable(whole->body, where, declaration) != NULL) {
        add_rename(whole, where, RENAME_PLAIN, front_spelling(whole->body->front, declaration),
                   entry->var->name);
    }
}

static void use_function(struct whole *whole, CXCursor call, CXCursor referenced)
{
    struct front *front = whole->body->front;
    const char *name = front_spelling(front, referenced);
    struct function *callee = body_callee(whole->body, call, referenced);
    struct function_entry *entry;

    if (strncmp(name, "operator", 8) == 0 && strpbrk(name + 8, "+-*/%^&|~!=<>,[(") != NULL) {
        body_refuse_everywhere(whole->body, call, "an operator of the program's own");
    }

    if (callee == NULL) {
        return;
    }
    entry = front_function_entry(front, callee);
    if (entry != NULL && callee != whole->body->entry->function) {
        CXCursor template = clang_getSpecializedCursorTemplate(referenced);

        add_rename(whole, call, clang_Cursor_isNull(template) ? RENAME_PLAIN : RENAME_INSTANCE,
                   front_spelling(front, referenced), callee->name);
    }
}

static void use_call(struct whole *whole, CXCursor call)
{
    CXCursor referenced = clang_getCursorReferenced(call);
    CXCursor owner = clang_getCursorSemanticParent(referenced);

    if (front_is_function(referenced)) {
        if (!front_is_hint(whole->body->front, referenced)) {
            use_function(whole, call, referenced);
        }
        return;
    }
    switch (clang_getCursorKind(referenced)) {
    case CXCursor_CXXMethod:
    case CXCursor_Constructor:
    case CXCursor_ConversionFunction:
        if (!is_own(whole, owner)) {
            body_type_of(whole->body, call, clang_getCursorType(owner));
        }
        break;
    default:
        break;
    }
}

static void use_reference(struct whole *whole, CXCursor cursor)
{
    CXCursor referenced = clang_getCursorReferenced(cursor);

    if (clang_getCursorKind(referenced) == CXCursor_EnumConstantDecl) {
        use_enumerator(whole, cursor, referenced);
    } else if (clang_getCursorKind(referenced) == CXCursor_VarDecl) {
        use_variable(whole, cursor, referenced);
    }
}

/* Whether the variable is a reference bound to the result of std::max or a similar function: the
 * device forms return values. */
static bool is_bound_to_library(struct front *front, CXCursor variable)
{
    CXCursor value = clang_Cursor_getVarDeclInitializer(variable);
    CXCursor referenced;

    if (!front_is_reference(clang_getCursorType(variable)) || clang_Cursor_isNull(value)) {
        return false;
    }
    referenced = clang_getCursorReferenced(front_strip(front, value));
    return front_is_function(referenced) && front_in_system(referenced) &&
           front_is_reference(clang_getCursorResultType(referenced));
}

static void declare_own(struct whole *whole, CXCursor cursor)
{
    struct front *front = whole->body->front;
    CXType type = clang_getCanonicalType(clang_getCursorType(cursor));

    type = clang_getCanonicalType(front_without_reference(type));
    if (clang_getCursorKind(cursor) == CXCursor_VarDecl && *front_spelling(front, cursor) == '\0') {
        body_refuse_everywhere(whole->body, cursor, "a structured binding");
    }
    if (is_bound_to_library(front, cursor)) {
        body_refuse_everywhere(whole->body, cursor,
                               "a reference to what a call returns by reference");
    }
    if (clang_Cursor_getStorageClass(cursor) == CX_SC_Static && !clang_isConstQualifiedType(type)) {
        body_refuse_everywhere(whole->body, cursor, "a static variable, which keeps its value");
    }
    if (type.kind != CXType_Record || !is_own(whole, clang_getTypeDeclaration(type))) {
        body_type_of(whole->body, cursor, type);
    }
    whole->local = arena_grow(front->arena, whole->local, whole->locals, &whole->local_room,
                              sizeof(*whole->local));
    whole->local[whole->locals++] = front_spelling(front, cursor);
}

static bool is_hopeless(enum CXTypeKind kind)
{
    return kind == CXType_LongDouble || kind == CXType_Complex || kind == CXType_Vector ||
           kind == CXType_ExtVector || kind == CXType_VariableArray;
}

/* Values of types that the text does not name may be out of reach too. */
static void check_type(struct whole *whole, CXCursor cursor)
{
    CXType type = clang_getCanonicalType(clang_getCursorType(cursor));
    bool is_record = type.kind == CXType_Record &&
                     clang_isExpression(clang_getCursorKind(cursor)) &&
                     !is_own(whole, clang_getTypeDeclaration(type));

    if (is_record || is_hopeless(type.kind)) {
        body_type(whole->body, cursor);
    }
}

/* Refuses C constructs that are not C++, because the GPU file compiles the text as C++. */
static void check_portable(struct whole *whole, CXCursor cursor, CXCursor parent)
{
    struct front *front = whole->body->front;
    const char *reason = front->options->language == LANGUAGE_C
                             ? portable_reason(front, cursor, parent, whole->after_goto)
                             : NULL;

    if (front_counts_bool(cursor)) {
        reason = "an increment or decrement of a bool, which C++17 does not have";
    }

    whole->after_goto |= clang_getCursorKind(cursor) == CXCursor_GotoStmt;
    if (reason != NULL) {
        body_refuse_everywhere(whole->body, cursor, reason);
    }
}

/* Refuses default arguments: the text lacks them, and the called function is declared without
 * them. */
static void check_arguments(struct whole *whole, CXCursor call)
{
    for (int k = 0; k < clang_Cursor_getNumArguments(call); k++) {
        if (front_is_default(clang_Cursor_getArgument(call, (unsigned)k))) {
            body_refuse_everywhere(whole->body, call, "a default argument");
        }
    }
}

static enum CXChildVisitResult visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct whole *whole = data;

    check_portable(whole, cursor, parent);
    switch (clang_getCursorKind(cursor)) {
    case CXCursor_DeclRefExpr:
    case CXCursor_MemberRefExpr:
        use_reference(whole, cursor);
        break;
    case CXCursor_CallExpr:
        check_arguments(whole, cursor);
        use_call(whole, cursor);
        break;
    case CXCursor_TypeRef:
        use_type(whole, cursor, clang_getCursorReferenced(cursor));
        break;
    case CXCursor_VarDecl:
    case CXCursor_ParmDecl:
        declare_own(whole, cursor);
        break;
    case CXCursor_UnexposedDecl:
        body_refuse_everywhere(whole->body, cursor, "a declaration of a kind that is not known");
        break;
    case CXCursor_GCCAsmStmt:
    case CXCursor_IndirectGotoStmt:
    case CXCursor_AddrLabelExpr:
        body_refuse_everywhere(whole->body, cursor, "assembly or the address of a label");
        break;
    case CXCursor_CXXTryStmt:
    case CXCursor_CXXThrowExpr:
        body_refuse_everywhere(whole->body, cursor, "an exception");
        break;
    case CXCursor_CXXNewExpr:
    case CXCursor_CXXDeleteExpr:
        body_refuse_everywhere(whole->body, cursor, "new or delete");
        break;
    default:
        break;
    }
    check_type(whole, cursor);
    return CXChildVisit_Recurse;
}

/* ---- the definition -----------------------------------------------------------------------------
 */

static const char *header_text(struct whole *whole, CXCursor function)
{
    struct front *front = whole->body->front;
    const struct function *own = whole->body->entry->function;
    const char *params = "";

    for (int k = 0; k < own->params; k++) {
        CXCursor param = clang_Cursor_getArgument(function, (unsigned)k);
        CXType type = clang_getCanonicalType(clang_getCursorType(param));
        const char *name = own->param[k]->name;
        bool is_reference = front_is_reference(type);
        const struct type *shown = is_reference && own->param[k]->type->kind == TYPE_POINTER
                                       ? own->param[k]->type->elem
                                       : own->param[k]->type;

        if (is_reference) {
            name = arena_format(front->arena, shown->kind == TYPE_ARRAY ? "(%s%s)" : "%s%s",
                                type.kind == CXType_LValueReference ? "&" : "&&", name);
        }
        params = arena_format(front->arena, "%s%s%s", params, k > 0 ? ", " : "",
                              type_text(front, shown, name));
    }
    return type_text(
        front, own->result,
        arena_format(front->arena, "%s(%s)", own->user_name, own->params > 0 ? params : "void"));
}

static void check_hidden(struct whole *whole, CXCursor function)
{
    for (int l = 0; l < whole->locals; l++) {
        if (find_rename(whole, whole->local[l]) != NULL) {
            refuse_name(whole, function, whole->local[l]);
        }
    }
}

void body_opaque(struct body *body, CXCursor function)
{
    struct whole whole = {.body = body, .typedefs = ""};
    CXType result = clang_getCanonicalType(clang_getCursorResultType(function));
    const char *printed = front_string(body->front, clang_getCursorPrettyPrinted(function, NULL));
    const char *text;

    whole.function = clang_getCanonicalCursor(function);
    clang_visitChildren(function, visit, &whole);
    check_hidden(&whole, function);
    text = opaque_text(body, whole.function, printed, whole.rename, whole.renames);
    if (front_is_reference(result)) {
        body_refuse_everywhere(body, function, "a reference as its result");
    } else if (strstr(text, "std::") != NULL) {
        body_refuse_everywhere(body, function, "the C++ library");
    }
    body->entry->function->opaque_text = arena_format(
        body->front->arena, "%s\n{\n%s%s", header_text(&whole, function), whole.typedefs, text);
}
