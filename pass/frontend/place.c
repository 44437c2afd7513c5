/* place.c: which arguments of a loop name one dat, one map or one global.
 *
 * In: the expression that an argument passes. Out: a key; equal keys name one object.
 * Expressions with equal text have equal keys if evaluating them changes nothing: variables,
 * members, elements at any subscript, operators and calls. A call may return another object each
 * time: the runtime compares
 * the pattern of the arguments with the one that is compiled, and runs the loop sequentially, with
 * a warning, where they differ.
 */
#include "pass/frontend/util.h"

#include <string.h>

/* ---- any expression as text ------------------------------------------------------------------ */

static const char *key_text(struct front *front, CXCursor cursor);

static const char *joined(struct front *front, const char *a, const char *between, const char *b)
{
    return a != NULL && b != NULL ? arena_format(front->arena, "%s%s%s", a, between, b) : NULL;
}

/* Variables and functions by what they are, not by their names, which may be those of others too.
 */
static const char *name_text(struct front *front, CXCursor cursor)
{
    CXCursor referenced = clang_getCanonicalCursor(clang_getCursorReferenced(cursor));
    const char *usr = front_string(front, clang_getCursorUSR(referenced));

    return *usr != '\0' ? usr : NULL;
}

static const char *member_text(struct front *front, CXCursor cursor,
                               const struct children *children)
{
    bool has_base =
        children->count > 0 && clang_isExpression(clang_getCursorKind(children->child[0]));

    return joined(front, has_base ? key_text(front, children->child[0]) : "this", ".",
                  name_text(front, cursor));
}

static const char *operator_text(struct front *front, CXCursor cursor,
                                 const struct children *children)
{
    enum CXUnaryOperatorKind unary = clang_getCursorUnaryOperatorKind(cursor);
    enum CXBinaryOperatorKind binary = clang_getCursorBinaryOperatorKind(cursor);

    if (children->count == 1 && unary >= CXUnaryOperator_AddrOf && unary <= CXUnaryOperator_LNot) {
        return joined(front, front_string(front, clang_getUnaryOperatorKindSpelling(unary)), "",
                      key_text(front, children->child[0]));
    }
    if (children->count == 2 && binary >= CXBinaryOperator_Mul && binary <= CXBinaryOperator_LOr) {
        const char *symbol = front_string(front, clang_getBinaryOperatorKindSpelling(binary));

        return joined(front, key_text(front, children->child[0]),
                      arena_format(front->arena, " %s ", symbol),
                      key_text(front, children->child[1]));
    }
    return NULL;
}

/* Text of the parts in brackets, behind `head`, which tells the expression from others of its
 * kind. */
static const char *parts_text(struct front *front, const char *head,
                              const struct children *children)
{
    const char *text = joined(front, head, "(", "");

    for (int c = 0; c < children->count; c++) {
        if (!clang_isReference(clang_getCursorKind(children->child[c]))) { /* a type's name */
            text = joined(front, text, ", ", key_text(front, children->child[c]));
        }
    }
    return joined(front, text, ")", "");
}

/* A text that is equal for expressions that do the same; NULL: the expression may change
 * something. */
static const char *key_text(struct front *front, CXCursor cursor)
{
    CXCursor inner = front_strip(front, cursor);
    struct children children = front_children(front, inner);
    unsigned long long bits;
    double value;

    if (front_integer(inner, &bits)) {
        return arena_format(front->arena, "%llu", bits);
    }
    switch (clang_getCursorKind(inner)) {
    case CXCursor_DeclRefExpr:
        return name_text(front, inner);
    case CXCursor_MemberRefExpr:
        return member_text(front, inner, &children);
    case CXCursor_CXXThisExpr:
        return "this";
    case CXCursor_FloatingLiteral:
        return front_number(inner, &value) ? arena_format(front->arena, "%a", value) : NULL;
    case CXCursor_StringLiteral:
        return front_spelling(front, inner);
    case CXCursor_UnaryOperator:
    case CXCursor_BinaryOperator:
        return operator_text(front, inner, &children);
    case CXCursor_ArraySubscriptExpr:
        return parts_text(front, "[]", &children);
    case CXCursor_ConditionalOperator:
        return parts_text(front, "?:", &children);
    case CXCursor_CallExpr:
        return parts_text(front, name_text(front, inner), &children);
    case CXCursor_CStyleCastExpr:
    case CXCursor_CXXStaticCastExpr:
    case CXCursor_CXXFunctionalCastExpr:
        return parts_text(front, front_type_text(front, clang_getCursorType(inner)), &children);
    default:
        return NULL;
    }
}

/* ---- places ---------------------------------------------------------------------------------- */

static struct place_key unnamed(struct front *front, CXCursor cursor)
{
    const char *text = key_text(front, cursor);

    return (struct place_key){text != NULL, clang_getNullCursor(), text != NULL ? text : ""};
}

/* The key of an expression; for elements and members of variables it names the variable too. */
struct place_key front_place_key(struct front *front, CXCursor cursor)
{
    CXCursor inner = front_strip_casts(front, cursor);
    CXCursor referenced = clang_getCursorReferenced(inner);
    struct children children = front_children(front, inner);
    struct place_key key;
    const char *index;

    switch (clang_getCursorKind(inner)) {
    case CXCursor_DeclRefExpr:
        return (struct place_key){true, clang_getCanonicalCursor(referenced), ""};
    case CXCursor_MemberRefExpr:
        if (children.count == 0 || !clang_isExpression(clang_getCursorKind(children.child[0]))) {
            return (struct place_key){true, clang_getCanonicalCursor(referenced), ""};
        }
        key = front_place_key(front, children.child[0]);
        key.path = arena_format(front->arena, "%s.%s", key.path, front_spelling(front, inner));
        return key;
    case CXCursor_ArraySubscriptExpr:
        if (children.count != 2) {
            return unnamed(front, inner);
        }
        key = front_place_key(front, children.child[0]);
        index = key_text(front, children.child[1]);
        key.path = arena_format(front->arena, "%s[%s]", key.path, index != NULL ? index : "");
        key.known = key.known && index != NULL;
        return key;
    case CXCursor_UnaryOperator:
        if (children.count != 1 ||
            (clang_getCursorUnaryOperatorKind(inner) != CXUnaryOperator_AddrOf &&
             clang_getCursorUnaryOperatorKind(inner) != CXUnaryOperator_Deref)) {
            return unnamed(front, inner);
        }
        key = front_place_key(front, children.child[0]);
        key.path = arena_format(front->arena, "*%s", key.path);
        return key;
    default:
        return unnamed(front, inner);
    }
}
