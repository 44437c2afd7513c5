/* loop_ir.c: comparisons, names and walks of the loop IR that every station needs.
 *
 * Printing is in loop_ir_print.c, checking in loop_ir_check.c, trees as C in print_c.c.
 */
#include "pass/loop_ir.h"

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

bool type_is_integer(const struct type *type)
{
    return type->kind >= TYPE_BOOL && type->kind <= TYPE_ULLONG;
}

const char *access_name(enum access access)
{
    static const char *const name[] = {"OP_READ", "OP_WRITE", "OP_RW",
                                       "OP_INC",  "OP_MIN",   "OP_MAX"};

    return name[access];
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
