/* init.c: initialisers to trees.
 *
 * clang lists what the user wrote, so braces may be missing around inner arrays: the values are
 * dealt out again by the type. Designators become plain positions, with zeros for what they leave
 * out.
 */
#include "pass/clang/util.h"

#include <string.h>

/* The values of one written list, dealt out in order. */
struct supply {
    struct children values;
    int next;
};

static struct expr *take(struct body *body, struct supply *supply, CXCursor where,
                         const struct type *type);

struct expr *body_zero(struct body *body, CXCursor where, const struct type *type)
{
    if (type->kind == TYPE_ARRAY || type->kind == TYPE_RECORD) {
        return body_new_expr(body, EXPR_INIT, where, type, 0);
    }
    return body_convert(
        body, body_new_expr(body, EXPR_INT, where, front_basic(body->front, TYPE_INT, false), 0),
        type);
}

static int elements(const struct type *type)
{
    if (type->kind == TYPE_ARRAY) {
        return (int)type->count;
    }
    return type->record->is_union ? 1 : type->record->fields;
}

static const struct type *element_type(const struct type *type, int k)
{
    return type->kind == TYPE_ARRAY ? type->elem : type->record->field[k].type;
}

/* Gives the list `kids` kids, the new ones zero. */
static void widen(struct body *body, CXCursor where, struct expr *list, int kids)
{
    struct expr **kid;

    if (kids <= list->kids) {
        return;
    }
    kid = arena_alloc(body->front->arena, (size_t)kids * sizeof(*kid));
    for (int k = 0; k < kids; k++) {
        kid[k] =
            k < list->kids ? list->kid[k] : body_zero(body, where, element_type(list->type, k));
    }
    list->kid = kid;
    list->kids = kids;
}

/* A designated value shows as a nameless expression of type void: what stands in the brackets or
 * the member, then the value. Only one level is taken apart. Returns the element, or -1. */
static int designated(struct body *body, CXCursor cursor, const struct type *type, CXCursor *value)
{
    struct children children = front_children(body->front, cursor);
    unsigned long long index;
    const char *name;

    if (children.count != 2) {
        return -1;
    }
    *value = children.child[1];
    if (type->kind == TYPE_ARRAY) {
        return front_integer(children.child[0], &index) && index < (unsigned long long)type->count
                   ? (int)index
                   : -1;
    }
    if (clang_getCursorKind(children.child[0]) != CXCursor_MemberRef || type->record->is_union) {
        return -1;
    }
    name = front_spelling(body->front, children.child[0]);
    for (int f = 0; f < type->record->fields; f++) {
        if (strcmp(type->record->field[f].name, name) == 0) {
            return f;
        }
    }
    return -1;
}

static bool is_designated(CXCursor cursor)
{
    return clang_getCursorKind(cursor) == CXCursor_UnexposedExpr &&
           clang_getCursorType(cursor).kind == CXType_Void;
}

/* Fills an array or a record from the supply; `all`: the supply is this list's own. */
static struct expr *take_list(struct body *body, struct supply *supply, CXCursor where,
                              const struct type *type, bool all)
{
    struct expr *list = body_new_expr(body, EXPR_INIT, where, type, 0);
    int k = 0;

    while (supply->next < supply->values.count && (all || k < elements(type))) {
        CXCursor value = supply->values.child[supply->next];

        if (is_designated(value)) {
            struct supply one = {{1, &value}, 0};

            k = all ? designated(body, value, type, &value) : -1;
            if (k < 0) {
                return body_refuse(body, where, "a designated initialiser of several levels");
            }
            widen(body, where, list, k + 1);
            list->kid[k] = take(body, &one, where, element_type(type, k));
            supply->next++;
        } else if (k >= elements(type)) {
            return body_refuse(body, where, "an initialiser with too many values");
        } else {
            widen(body, where, list, k + 1);
            list->kid[k] = take(body, supply, where, element_type(type, k));
        }
        if (list->kid[k++] == NULL) {
            return NULL;
        }
    }
    return list;
}

CXCursor front_literal_braces(struct front *front, CXCursor cursor)
{
    CXCursor inner = front_strip(front, cursor);
    enum CXCursorKind kind = clang_getCursorKind(inner);
    struct children children = front_children(front, inner);

    if ((kind != CXCursor_CompoundLiteralExpr && kind != CXCursor_CXXFunctionalCastExpr) ||
        children.count == 0 ||
        clang_getCursorKind(children.child[children.count - 1]) != CXCursor_InitListExpr) {
        return clang_getNullCursor();
    }
    return children.child[children.count - 1];
}

static bool is_record_value(struct body *body, CXCursor value, const struct type *type)
{
    struct refusal refusal = {0};
    const struct type *own = front_type(body->front, clang_getCursorType(value), &refusal);

    return own != NULL && own->kind == TYPE_RECORD && type_same(own, type);
}

static struct expr *take(struct body *body, struct supply *supply, CXCursor where,
                         const struct type *type)
{
    CXCursor value = supply->values.child[supply->next];
    CXCursor braces = front_literal_braces(body->front, value);
    bool is_list = type->kind == TYPE_ARRAY || type->kind == TYPE_RECORD;

    if (is_list && !clang_Cursor_isNull(braces) && is_record_value(body, value, type)) {
        value = braces;
    }
    if (clang_getCursorKind(value) == CXCursor_InitListExpr) {
        supply->next++;
        return body_initialiser(body, value, type);
    }
    if (is_list && !is_record_value(body, value, type)) {
        return take_list(body, supply, where, type, false);
    }
    supply->next++;
    if (type->kind != TYPE_RECORD && body->entry == NULL) {
        struct expr *constant = body_constant(body, value);

        if (constant != NULL) {
            return body_convert(body, constant, type);
        }
    }
    return body_convert(body, body_expr(body, value), type);
}

struct expr *body_initialiser(struct body *body, CXCursor cursor, const struct type *type)
{
    bool is_braced = clang_getCursorKind(cursor) == CXCursor_InitListExpr;
    bool is_list = type->kind == TYPE_ARRAY || type->kind == TYPE_RECORD;
    struct supply supply = {{1, &cursor}, 0};

    if (is_braced) {
        supply.values = front_children(body->front, cursor);
    }
    if (is_braced && is_list) {
        return take_list(body, &supply, cursor, type, true);
    }
    if (is_braced && supply.values.count == 0) {
        return body_zero(body, cursor, type);
    }
    if (is_braced && supply.values.count > 1) {
        return body_refuse(body, cursor, "an initialiser with too many values");
    }
    if (type->kind == TYPE_ARRAY) {
        return body_refuse(body, cursor, "an array initialised by a string");
    }
    return take(body, &supply, cursor, type);
}
