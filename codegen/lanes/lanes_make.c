/* lanes_make.c: new statements and expressions of a body.
 */
#include "codegen/lanes/lanes_impl.h"

/* ---- statements ----------------------------------------------------------------------------- */

struct stmt *lanes_add(struct lane_list *list, enum stmt_kind kind, struct loc loc)
{
    struct stmt *stmt = arena_alloc(list->lanes->arena, sizeof(*stmt));
    stmt->kind = kind;
    stmt->loc = loc;
    list->kid =
        arena_grow(list->lanes->arena, list->kid, list->kids, &list->capacity, sizeof(*list->kid));
    list->kid[list->kids++] = stmt;
    return stmt;
}

struct stmt *lanes_block_of(struct lane_list *list)
{
    struct stmt *block = arena_alloc(list->lanes->arena, sizeof(*block));
    block->kind = STMT_BLOCK;
    block->kids = list->kids;
    block->kid = list->kid;
    return block;
}

struct expr *lanes_new_expr(struct lanes *lanes, enum expr_kind kind, const struct type *type,
                            int kids)
{
    struct expr *expr = arena_alloc(lanes->arena, sizeof(*expr));
    expr->kind = kind;
    expr->type = type;
    expr->kids = kids;
    expr->kid = arena_alloc(lanes->arena, (size_t)kids * sizeof(struct expr *));
    return expr;
}

struct expr *lanes_read_of(struct lanes *lanes, struct var *var)
{
    struct expr *expr = lanes_new_expr(lanes, EXPR_VAR, var->type, 0);
    expr->var = var;
    return expr;
}

static const struct type *without_const(struct lanes *lanes, const struct type *type)
{
    struct type *copy = arena_alloc(lanes->arena, sizeof(*copy));
    *copy = *type;
    copy->is_const = false;
    return copy;
}

struct var *lanes_declare(struct lane_list *list, const char *name, const struct type *type,
                          struct expr *value, struct loc loc)
{
    struct lanes *lanes = list->lanes;
    struct var *var = arena_alloc(lanes->arena, sizeof(*var));
    var->name = lanes_free_name(lanes, name);
    var->type = without_const(lanes, type);
    var->storage = STORAGE_LOCAL;
    var->loc = loc;
    var->index = -1;
    var->init = value;
    struct stmt *stmt = lanes_add(list, STMT_DECL, loc);
    stmt->var = var;
    stmt->expr = value;
    lanes_add_var(lanes, var); /* its name is taken */
    return var;
}

void lanes_assign(struct lane_list *list, struct var *var, struct expr *value)
{
    struct stmt *stmt = lanes_add(list, STMT_EXPR, var->loc);
    stmt->expr = lanes_new_expr(list->lanes, EXPR_ASSIGN, var->type, 2);
    stmt->expr->kid[0] = lanes_read_of(list->lanes, var);
    stmt->expr->kid[1] = value;
}

/* ---- conversions --------------------------------------------------------------------------- */

struct expr *lanes_cast_to(struct lanes *lanes, const struct type *type, struct expr *expr)
{
    if (type_same(type, expr->type)) {
        return expr;
    }
    struct expr *cast = lanes_new_expr(lanes, EXPR_CAST, type, 1);
    cast->kid[0] = expr;
    return cast;
}

struct expr *lanes_not_of(struct lanes *lanes, struct expr *expr)
{
    static const struct type type_int = {.kind = TYPE_INT, .size = sizeof(int)};
    struct expr *negation = lanes_new_expr(lanes, EXPR_UNARY, &type_int, 1);
    negation->unary = UNARY_NOT;
    negation->kid[0] = expr;
    return negation;
}
