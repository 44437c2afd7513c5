/* tree.c: comparisons of types, and walks over statements and expressions. */
#include "pass/ir/tree.h"

static bool same(const struct type *a, const struct type *b, bool outermost)
{
    if (a == b) {
        return true;
    }
    if (a == NULL || b == NULL || a->kind != b->kind) {
        return false;
    }
    if (!outermost && a->is_const != b->is_const) {
        return false;
    }
    switch (a->kind) {
    case TYPE_POINTER:
        return same(a->elem, b->elem, false);
    case TYPE_ARRAY:
        /* A const array is an array of const: the elements' qualifier is the outermost one. */
        return a->count == b->count && same(a->elem, b->elem, outermost);
    case TYPE_RECORD:
        return a->record == b->record;
    default:
        return true;
    }
}

bool type_same(const struct type *a, const struct type *b)
{
    return same(a, b, true);
}

bool type_is_floating(const struct type *type)
{
    return type->kind == TYPE_FLOAT || type->kind == TYPE_DOUBLE;
}

bool type_is_signed(const struct type *type)
{
    switch (type->kind) {
    case TYPE_CHAR:
    case TYPE_SCHAR:
    case TYPE_SHORT:
    case TYPE_INT:
    case TYPE_LONG:
    case TYPE_LLONG:
        return true;
    default:
        return false;
    }
}

bool type_is_integer(const struct type *type)
{
    return type->kind >= TYPE_BOOL && type->kind <= TYPE_ULLONG;
}

unsigned long long type_cut_bits(const struct type *type, unsigned long long bits)
{
    int width = 8 * (int)type->size;

    if (type->kind == TYPE_BOOL) {
        return bits != 0;
    }
    if (width <= 0 || width >= 64) {
        return bits;
    }
    bits &= (1ULL << width) - 1;
    if (type_is_signed(type) && (bits >> (width - 1)) != 0) {
        bits |= ~0ULL << width;
    }
    return bits;
}

void expr_visit(struct expr *expr, void (*on_expr)(struct expr *, void *), void *user)
{
    if (expr == NULL || on_expr == NULL) {
        return;
    }
    on_expr(expr, user);
    for (int k = 0; k < expr->kids; k++) {
        expr_visit(expr->kid[k], on_expr, user);
    }
}

void stmt_visit(struct stmt *stmt, void (*on_stmt)(struct stmt *, void *),
                void (*on_expr)(struct expr *, void *), void *user)
{
    if (stmt == NULL) {
        return;
    }
    if (on_stmt != NULL) {
        on_stmt(stmt, user);
    }
    if (stmt->kind == STMT_DECL) {
        expr_visit(stmt->var->init, on_expr, user);
    }
    expr_visit(stmt->expr, on_expr, user);
    expr_visit(stmt->step, on_expr, user);
    for (int k = 0; k < stmt->kids; k++) {
        stmt_visit(stmt->kid[k], on_stmt, on_expr, user);
    }
}

bool binary_compares(enum binary_op op, bool less, bool equal, bool *holds)
{
    switch (op) {
    case BINARY_LT:
        *holds = less;
        return true;
    case BINARY_GT:
        *holds = !less && !equal;
        return true;
    case BINARY_LE:
        *holds = less || equal;
        return true;
    case BINARY_GE:
        *holds = !less;
        return true;
    case BINARY_EQ:
        *holds = equal;
        return true;
    case BINARY_NE:
        *holds = !equal;
        return true;
    default:
        return false;
    }
}
