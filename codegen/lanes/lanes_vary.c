/* lanes_vary.c: which variables differ between the lanes of a vector, and which of those are masks.
 *
 * A variable differs where it is set to a value that does, or under a condition that does and that
 * its declaration does not stand under. All others stay scalars.
 */
#include "codegen/lanes/lanes_impl.h"

struct walk {
    struct lanes *lanes;
    int depth; /* conditions around the statement that differ between lanes */
    bool changed;
    bool first; /* pass over the body */
};

/* ---- values --------------------------------------------------------------------------------- */

bool lanes_varies(const struct lanes *lanes, const struct expr *expr)
{
    if (expr == NULL) {
        return false;
    }
    if (expr->kind == EXPR_VAR) {
        const struct lane_var *var = lanes_var(lanes, expr->var);
        bool param = expr->var->storage == STORAGE_PARAM;
        return param ? lanes->loop->arg[expr->var->index].kind == ARG_DAT
                     : var != NULL && var->varies;
    }
    if (expr->kind == EXPR_PLACE) {
        return lanes_place_varies(lanes, &expr->place);
    }
    for (int k = 0; k < expr->kids; k++) {
        if (lanes_varies(lanes, expr->kid[k])) {
            return true;
        }
    }
    return false;
}

static bool is_logical(const struct expr *expr)
{
    return (expr->kind == EXPR_UNARY && expr->unary == UNARY_NOT) ||
           (expr->kind == EXPR_BINARY &&
            ((expr->binary >= BINARY_LT && expr->binary <= BINARY_NE) ||
             expr->binary == BINARY_LAND || expr->binary == BINARY_LOR));
}

bool lanes_is_mask(const struct lanes *lanes, const struct expr *expr)
{
    if (is_logical(expr) || expr->type->kind == TYPE_BOOL) {
        return true;
    }
    switch (expr->kind) {
    case EXPR_INT:
        return expr->bits <= 1;
    case EXPR_VAR: {
        const struct lane_var *var = lanes_var(lanes, expr->var);
        return var != NULL && var->mask;
    }
    case EXPR_COND:
        return lanes_is_mask(lanes, expr->kid[1]) && lanes_is_mask(lanes, expr->kid[2]);
    case EXPR_CAST:
        return type_is_integer(expr->type) && lanes_is_mask(lanes, expr->kid[0]);
    default:
        return false;
    }
}

/* ---- definitions ---------------------------------------------------------------------------- */

static void set(struct walk *walk, struct lane_var *var, const struct expr *value)
{
    bool varies = lanes_varies(walk->lanes, value) || walk->depth > var->depth;
    bool mask = var->mask && (value == NULL || lanes_is_mask(walk->lanes, value));
    mask = mask || var->var->type->kind == TYPE_BOOL;
    walk->changed = walk->changed || (varies && !var->varies) || mask != var->mask;
    var->varies = var->varies || varies;
    var->mask = mask;
}

static const struct expr *initial_value(const struct walk *walk, const struct stmt *stmt)
{
    return walk->lanes->body != NULL ? stmt->expr : stmt->var->init;
}

static struct lane_var *declare(struct walk *walk, const struct var *var)
{
    int before = walk->lanes->vars;
    struct lane_var *made = lanes_add_var(walk->lanes, var);
    made->depth = walk->depth;
    made->mask = made->mask || (walk->lanes->vars > before && type_is_integer(var->type));
    return made;
}

/* A loop under a condition that differs between lanes runs for some of them only. */
static void find_trips(struct walk *walk, struct lane_var *looping)
{
    if (looping != NULL && walk->depth > 0 && !looping->varies) {
        looping->varies = true;
        walk->changed = true;
    }
}

static void visit(struct walk *walk, const struct stmt *stmt)
{
    const struct expr *expr = stmt->expr;
    bool masked = false;
    if (stmt->kind == STMT_DECL) {
        set(walk, declare(walk, stmt->var), initial_value(walk, stmt));
    } else if (stmt->kind == STMT_EXPR && expr->kind == EXPR_ASSIGN &&
               expr->kid[0]->kind == EXPR_VAR) {
        struct lane_var *var = lanes_var(walk->lanes, expr->kid[0]->var);
        var->assigns += walk->first;
        set(walk, var, expr->kid[1]);
    } else if (stmt->kind == STMT_IF) {
        masked = lanes_varies(walk->lanes, expr);
    } else if (stmt->kind == STMT_WHILE && expr->kind == EXPR_VAR) {
        find_trips(walk, lanes_var(walk->lanes, expr->var));
    }
    walk->depth += masked;
    for (int k = 0; k < stmt->kids; k++) {
        visit(walk, stmt->kid[k]);
    }
    walk->depth -= masked;
}

void lanes_find_varying(struct lanes *lanes, struct stmt *body)
{
    struct walk walk = {.lanes = lanes, .first = true};
    lanes->vars = 0;
    lanes->capacity = 0;
    for (int v = 0; v < lanes->stage->makes; v++) {
        declare(&walk, lanes->stage->make[v]);
    }
    do {
        walk.changed = false;
        visit(&walk, body);
        walk.first = false;
    } while (walk.changed);
}
