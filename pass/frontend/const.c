/* const.c: type strings, op_decl_const, and pointers against type strings.
 *
 * In: calls that scan.c found. Out: which globals are declared in this unit, and errors where
 * a pointer's own type is another than the type string says.
 */
#include "pass/frontend/util.h"

#include <string.h>

static const struct {
    const char *name;
    enum type_kind kind;
} type_name[] = {
#define CLEAVE_TYPE(word, kind) {#word, TYPE_##kind},
#include "runtime/api/cleave_words.def"
};

const struct type *front_type_string(struct front *front, const char **name)
{
    const char *colon = strchr(*name, ':');

    if (colon != NULL && strcmp(colon, ":soa") == 0) {
        *name = arena_text_part(front->arena, *name, (size_t)(colon - *name));
    }
    for (size_t t = 0; t < sizeof(type_name) / sizeof(type_name[0]); t++) {
        if (strcmp(type_name[t].name, *name) == 0) {
            return front_basic(front, type_name[t].kind, false);
        }
    }
    return NULL;
}

static bool is_known(enum type_kind kind)
{
    for (size_t t = 0; t < sizeof(type_name) / sizeof(type_name[0]); t++) {
        if (type_name[t].kind == kind) {
            return true;
        }
    }
    return false;
}

/* The type that the pointer points to, or of the array's elements, before any conversion; NULL when
 * the IR has no such type. */
static const struct type *pointee(struct front *front, CXCursor data, CXType *shown)
{
    CXType type = clang_getCanonicalType(clang_getCursorType(data));
    struct refusal refusal = {0};

    if (type.kind == CXType_Pointer) {
        type = clang_getCanonicalType(clang_getPointeeType(type));
    } else if (type.kind != CXType_ConstantArray && type.kind != CXType_IncompleteArray &&
               type.kind != CXType_VariableArray) {
        return NULL;
    }
    while (type.kind == CXType_ConstantArray || type.kind == CXType_IncompleteArray ||
           type.kind == CXType_VariableArray) {
        type = clang_getCanonicalType(clang_getArrayElementType(type));
    }
    *shown = clang_getUnqualifiedType(type);
    return front_type(front, type, &refusal);
}

void front_check_pointer(struct front *front, CXCursor data, const char *text,
                         const char *type_text)
{
    CXCursor inner = front_strip(front, data);
    const char *name = type_text;
    const struct type *wanted = front_type_string(front, &name);
    CXType shown;
    const struct type *held = pointee(front, inner, &shown);
    struct loc loc = front_loc(front, inner);

    if (wanted == NULL || held == NULL || !is_known(held->kind) || held->kind == wanted->kind) {
        return;
    }
    diag_report(front->diag, DIAG_pointer_type, loc, front_length(inner), loc, text,
                front_type_text(front, shown), name);
}

static void unknown_type(struct front *front, CXCursor where, const char *name)
{
    struct loc loc = front_loc(front, where);

    diag_report(front->diag, DIAG_unknown_type, loc, front_length(where), loc, name);
}

/* Returns the variable whose address, or whose elements, `data` passes. */
static CXCursor variable_of(struct front *front, CXCursor data)
{
    for (;;) {
        CXCursor inner = front_strip_casts(front, data);
        struct children children = front_children(front, inner);
        enum CXCursorKind kind = clang_getCursorKind(inner);

        if (children.count > 0 &&
            (kind == CXCursor_ArraySubscriptExpr ||
             clang_getCursorUnaryOperatorKind(inner) == CXUnaryOperator_AddrOf)) {
            data = children.child[0];
            continue;
        }
        return clang_getCursorReferenced(inner);
    }
}

/* cleave_parse_const(text, dim, type, data) */
static void const_call(struct front *front, CXCursor call)
{
    CXCursor data = clang_Cursor_getArgument(call, 3);
    CXCursor variable = variable_of(front, data);
    const char *text = front_literal(front, clang_Cursor_getArgument(call, 0));
    const char *type = front_literal(front, clang_Cursor_getArgument(call, 2));
    const char *name = type;

    if (clang_getCursorKind(variable) == CXCursor_VarDecl) {
        front_global(front, variable)->is_declared = true;
    }
    if (type == NULL) {
        return;
    }
    if (front_type_string(front, &name) == NULL) {
        unknown_type(front, call, name);
    } else {
        front_check_pointer(front, data, text != NULL ? text : front_source_text(front, data),
                            type);
    }
}

/* op_decl_dat(set, dim, type, data, name) and op_decl_dat_temp */
static void dat_call(struct front *front, CXCursor call)
{
    CXCursor data = clang_Cursor_getArgument(call, 3);
    const char *type = front_literal(front, clang_Cursor_getArgument(call, 2));
    const char *name = type;

    if (type == NULL) {
        return;
    }
    if (front_type_string(front, &name) == NULL) {
        unknown_type(front, clang_Cursor_getArgument(call, 2), name);
    } else {
        front_check_pointer(front, data, front_source_text(front, front_strip(front, data)), type);
    }
}

void front_declaration(struct front *front, CXCursor call)
{
    const char *name = front_spelling(front, clang_getCursorReferenced(call));

    if (strcmp(name, "cleave_parse_const") == 0) {
        const_call(front, call);
    } else {
        dat_call(front, call);
    }
}
