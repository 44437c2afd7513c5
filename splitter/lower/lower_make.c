/* lower_make.c: new trees for the graph that need no computing: variables, places, statements; and
 * comparisons of trees.
 */
#include <string.h>

#include "splitter/lower/lower_impl.h"

/* ---- names and places ---------------------------------------------------------------------- */

struct expr *make_var(struct lower *lower, const struct var *var)
{
    struct expr *expr = make_expr(lower, EXPR_VAR, var->type, 0);

    expr->var = (struct var *)var;
    return expr;
}

struct expr *make_place(struct lower *lower, const struct location *location)
{
    struct expr *expr = make_expr(lower, EXPR_PLACE, location->type, 0);

    expr->var = lower->loop->kernel->param[location->arg];
    expr->place.arg = location->arg;
    expr->place.column = (int)location->column;
    expr->place.component = (int)location->offset;
    return expr;
}

struct expr *make_index(struct lower *lower, const struct type *type, struct expr *base,
                        struct expr *index)
{
    struct expr *expr = make_expr(lower, EXPR_INDEX, type, 2);

    expr->kid[0] = base;
    expr->kid[1] = index;
    return expr;
}

struct expr *make_member(struct lower *lower, const struct type *type, struct expr *base,
                         const char *field)
{
    struct expr *expr = make_expr(lower, EXPR_MEMBER, type, 1);

    expr->kid[0] = base;
    expr->text = field;
    return expr;
}

struct expr *make_assign(struct lower *lower, struct expr *left, struct expr *right)
{
    struct expr *expr = make_expr(lower, EXPR_ASSIGN, left->type, 2);

    expr->kid[0] = left;
    expr->kid[1] = make_cast(lower, lower_bare_type(lower, left->type), right, true);
    return expr;
}

/* ---- statements ---------------------------------------------------------------------------- */

struct stmt *make_stmt(struct lower *lower, enum stmt_kind kind, int kids)
{
    struct stmt *stmt = arena_alloc(lower->arena, sizeof(*stmt));

    stmt->kind = kind;
    stmt->loc = lower->loc;
    stmt->kids = kids;
    if (kids > 0) {
        stmt->kid = arena_alloc(lower->arena, (size_t)kids * sizeof(struct stmt *));
    }
    return stmt;
}

struct stmt *make_expr_stmt(struct lower *lower, struct expr *expr)
{
    struct stmt *stmt = make_stmt(lower, STMT_EXPR, 0);

    stmt->expr = expr;
    return stmt;
}

/* ---- comparisons --------------------------------------------------------------------------- */

bool expr_is_atom(const struct expr *expr)
{
    return expr->kind == EXPR_INT || expr->kind == EXPR_FLOAT ||
           (expr->kind == EXPR_VAR && expr->var->storage == STORAGE_LOCAL &&
            expr->type->kind != TYPE_ARRAY && expr->type->kind != TYPE_RECORD);
}

static bool same_payload(const struct expr *a, const struct expr *b)
{
    switch (a->kind) {
    case EXPR_INT:
        return type_cut_bits(a->type, a->bits) == type_cut_bits(b->type, b->bits);
    case EXPR_FLOAT:
        return memcmp(&a->value, &b->value, sizeof(a->value)) == 0;
    case EXPR_VAR:
        return a->var == b->var;
    case EXPR_UNARY:
        return a->unary == b->unary && a->unary < UNARY_PRE_INC;
    case EXPR_BINARY:
        return a->binary == b->binary;
    case EXPR_MEMBER:
        return strcmp(a->text, b->text) == 0;
    case EXPR_CALL:
        return a->callee == b->callee;
    case EXPR_PLACE:
        return a->place.arg == b->place.arg && a->place.column == b->place.column &&
               a->place.component == b->place.component;
    case EXPR_ASSIGN:
    case EXPR_STRING:
        return false;
    default:
        return true;
    }
}

bool expr_same(const struct expr *a, const struct expr *b)
{
    if (a == b) {
        return true;
    }
    if (a->kind != b->kind || a->kids != b->kids || !type_same(a->type, b->type) ||
        !same_payload(a, b)) {
        return false;
    }
    for (int k = 0; k < a->kids; k++) {
        if (!expr_same(a->kid[k], b->kid[k])) {
            return false;
        }
    }
    return true;
}
