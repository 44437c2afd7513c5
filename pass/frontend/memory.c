/* memory.c: memcpy, memmove and memset of a known size, and std::swap, as the assignments that they
 * stand for.
 *
 * In: a call as a statement. Out: a loop that assigns element by element, nested for arrays of
 * arrays, so that what is read and written is seen. Both sides have one element type, and the bytes
 * are whole elements; memmove is taken where its sides cannot overlap, memset where it clears.
 */
#include "pass/frontend/util.h"

#include <string.h>

/* Whether the subscript reads no memory: then it keeps its value while elements are assigned. */
static bool is_plain_number(const struct expr *expr)
{
    switch (expr->kind) {
    case EXPR_INT:
        return true;
    case EXPR_VAR:
        return type_is_integer(expr->type);
    case EXPR_UNARY:
        return expr->unary <= UNARY_BITNOT && is_plain_number(expr->kid[0]);
    case EXPR_CAST:
        return type_is_integer(expr->kid[0]->type) && is_plain_number(expr->kid[0]);
    case EXPR_BINARY:
        return expr->binary != BINARY_COMMA && is_plain_number(expr->kid[0]) &&
               is_plain_number(expr->kid[1]);
    default:
        return false;
    }
}

bool expr_is_plain(const struct expr *expr)
{
    switch (expr->kind) {
    case EXPR_VAR:
        return true;
    case EXPR_MEMBER:
        return expr_is_plain(expr->kid[0]);
    case EXPR_INDEX:
        return is_plain_number(expr->kid[1]) && expr_is_plain(expr->kid[0]);
    case EXPR_UNARY:
        return (expr->unary == UNARY_DEREF || expr->unary == UNARY_ADDRESS) &&
               expr_is_plain(expr->kid[0]);
    case EXPR_CAST:
        return expr->implicit && expr_is_plain(expr->kid[0]);
    case EXPR_BINARY:
        return expr->type->kind == TYPE_POINTER && expr_is_plain(expr->kid[0]) &&
               is_plain_number(expr->kid[1]);
    default:
        return false;
    }
}

static struct stmt *assign_elements(struct body *body, CXCursor where, struct expr *to,
                                    struct expr *from, long count);

static struct stmt *clear_fields(struct body *body, CXCursor where, struct expr *record);

/* One object of any type: to becomes from, or zero when from is NULL. */
static struct stmt *assign_one(struct body *body, CXCursor where, struct expr *to,
                               struct expr *from)
{
    if (to->type->kind == TYPE_ARRAY) {
        return assign_elements(body, where, to, from, to->type->count);
    }
    if (to->type->kind == TYPE_RECORD && from == NULL) {
        return clear_fields(body, where, to);
    }
    from = from != NULL ? from : body_zero(body, where, to->type);
    return body_expr_stmt(body, where, body_set(body, where, to, from));
}

static struct stmt *clear_fields(struct body *body, CXCursor where, struct expr *record)
{
    struct stmt_list list = {0};

    for (int f = 0; f < record->type->record->fields; f++) {
        body_append(body, &list, assign_one(body, where, body_field(body, where, record, f), NULL));
    }
    return body_block_of(body, where, &list);
}

static struct stmt *assign_elements(struct body *body, CXCursor where, struct expr *to,
                                    struct expr *from, long count)
{
    struct var *index;
    struct stmt *loop = body_counting_loop(body, where, count, &index);
    struct expr *left = body_element(body, where, to, body_named(body, where, index));
    struct expr *right =
        from != NULL ? body_element(body, where, from, body_named(body, where, index)) : NULL;

    loop->kid[1] = assign_one(body, where, left, right);
    return loop;
}

static const struct type *scalar_of(const struct type *type)
{
    while (type->kind == TYPE_ARRAY) {
        type = type->elem;
    }
    return type;
}

/* The address that is passed, without the conversion to void *; NULL when it is not a plain
 * place. */
static struct expr *address(struct body *body, CXCursor given, bool is_written)
{
    CXCursor inner = front_strip_casts(body->front, given);
    struct refusal refusal = body->refusal;
    struct expr *expr;

    expr = body_expr(body, inner);
    if (expr == NULL) {
        body->refusal = refusal;
        return NULL;
    }
    if ((expr->type->kind != TYPE_POINTER && expr->type->kind != TYPE_ARRAY) ||
        !expr_is_plain(expr) || scalar_of(expr->type->elem)->kind == TYPE_VOID ||
        scalar_of(expr->type->elem)->kind == TYPE_POINTER ||
        (is_written && scalar_of(expr->type->elem)->is_const)) {
        return NULL;
    }
    return expr;
}

static const struct var *root(const struct expr *expr)
{
    while (expr->kids > 0) {
        expr = expr->kid[0];
    }
    return expr->kind == EXPR_VAR ? expr->var : NULL;
}

/* Whether the addresses lie in different objects: a local array, and another variable or memory
 * that a parameter points to. */
static bool lie_apart(const struct expr *a, const struct expr *b)
{
    const struct var *x = root(a);
    const struct var *y = root(b);

    return x != NULL && y != NULL && x != y &&
           (x->type->kind == TYPE_ARRAY || y->type->kind == TYPE_ARRAY) &&
           (x->type->kind != TYPE_POINTER || x->storage == STORAGE_PARAM) &&
           (y->type->kind != TYPE_POINTER || y->storage == STORAGE_PARAM);
}

/* Whether zero bytes are the value zero of the type. */
static bool clears(const struct type *type)
{
    type = scalar_of(type);
    for (int f = 0; type->kind == TYPE_RECORD && f < type->record->fields; f++) {
        if (type->record->is_union || !clears(type->record->field[f].type)) {
            return false;
        }
    }
    return type->kind != TYPE_POINTER;
}

/* Gives both sides one element type: an address of rows becomes the address of the first row's
 * elements if no more than that row is copied. */
static bool match(struct body *body, CXCursor where, struct expr **a, struct expr **b,
                  unsigned long long bytes)
{
    const struct type *int_type = front_basic(body->front, TYPE_INT, false);

    while (!type_same((*a)->type->elem, (*b)->type->elem)) {
        struct expr **rows = (*a)->type->elem->size > (*b)->type->elem->size ? a : b;

        if ((*rows)->type->elem->kind != TYPE_ARRAY || bytes > (*rows)->type->elem->size) {
            return false;
        }
        *rows = body_element(body, where, *rows, body_zero(body, where, int_type));
    }
    return true;
}

enum memory_call { MEMORY_NONE, MEMORY_COPY, MEMORY_MOVE, MEMORY_SET };

static const char *const memory_name[] = {
    [MEMORY_COPY] = "memcpy", [MEMORY_MOVE] = "memmove", [MEMORY_SET] = "memset"};

static enum memory_call kind_of(struct front *front, CXCursor referenced)
{
    const char *name = front_spelling(front, referenced);

    if (front_is_builtin(front, referenced)) {
        name += strlen("__builtin_");
    } else if (!front_in_system(referenced)) {
        return MEMORY_NONE;
    }
    for (int kind = MEMORY_COPY; kind <= MEMORY_SET; kind++) {
        if (strcmp(name, memory_name[kind]) == 0) {
            return kind;
        }
    }
    return MEMORY_NONE;
}

const char *front_memory_name(struct front *front, CXCursor referenced)
{
    enum memory_call kind = kind_of(front, referenced);

    return kind != MEMORY_MOVE ? memory_name[kind] : NULL;
}

static bool is_swap(struct body *body, CXCursor cursor)
{
    CXCursor referenced = clang_getCursorReferenced(cursor);

    return clang_getCursorKind(cursor) == CXCursor_CallExpr && front_is_function(referenced) &&
           clang_Cursor_getNumArguments(cursor) == 2 && front_in_system(referenced) &&
           strcmp(front_spelling(body->front, referenced), "swap") == 0;
}

static bool mentions(const struct expr *expr, const struct var *var)
{
    for (int k = 0; k < expr->kids; k++) {
        if (mentions(expr->kid[k], var)) {
            return true;
        }
    }
    return expr->kind == EXPR_VAR && expr->var == var;
}

/* { T value = a; a = b; b = value; }, where b is no place that a is part of the name of. */
static struct stmt *exchange(struct body *body, CXCursor cursor)
{
    struct expr *a = body_expr(body, clang_Cursor_getArgument(cursor, 0));
    struct expr *b = body_expr(body, clang_Cursor_getArgument(cursor, 1));
    struct stmt *first = body_new_stmt(body, STMT_DECL, cursor, 0);
    struct stmt_list list = {0};

    if (a == NULL || b == NULL || a->type->kind == TYPE_ARRAY || !expr_is_plain(a) ||
        !expr_is_plain(b) || (a->kind == EXPR_VAR && mentions(b, a->var) && b->kind != EXPR_VAR)) {
        return NULL;
    }
    first->var = body_new_var(body, cursor, "value", a->type);
    first->var->init = a;
    body_append(body, &list, first);
    body_append(body, &list, body_expr_stmt(body, cursor, body_set(body, cursor, a, b)));
    body_append(body, &list,
                body_expr_stmt(body, cursor,
                               body_set(body, cursor, b, body_named(body, cursor, first->var))));
    return body_block_of(body, cursor, &list);
}

struct stmt *body_memory_call(struct body *body, CXCursor cursor)
{
    CXCursor referenced = clang_getCursorReferenced(cursor);
    enum memory_call kind = MEMORY_NONE;
    unsigned long long bytes = 0;
    unsigned long long value = 0;
    struct expr *to;
    struct expr *from = NULL;
    size_t size;

    if (is_swap(body, cursor)) {
        return exchange(body, cursor);
    }
    if (clang_getCursorKind(cursor) == CXCursor_CallExpr && front_is_function(referenced) &&
        clang_Cursor_getNumArguments(cursor) == 3) {
        kind = kind_of(body->front, referenced);
    }
    if (kind == MEMORY_NONE || body->entry == NULL ||
        !front_integer(clang_Cursor_getArgument(cursor, 2), &bytes)) {
        return NULL;
    }
    to = address(body, clang_Cursor_getArgument(cursor, 0), true);
    if (to == NULL) {
        return NULL;
    }
    if (kind == MEMORY_SET) {
        if (!front_integer(clang_Cursor_getArgument(cursor, 1), &value) || value != 0 ||
            !clears(to->type->elem)) {
            return NULL;
        }
    } else {
        from = address(body, clang_Cursor_getArgument(cursor, 1), false);
        if (from == NULL || !match(body, cursor, &to, &from, bytes) ||
            (kind == MEMORY_MOVE && !lie_apart(to, from))) {
            return NULL;
        }
    }
    size = to->type->elem->size;
    if (bytes == 0 || size == 0 || bytes % size != 0 || bytes / size > 1000000) {
        return NULL;
    }
    return assign_elements(body, cursor, to, from, (long)(bytes / size));
}
