/* lower_expr.c: the value of an expression: a new tree of versions, constants and places, free of
 * side effects. Side effects of the user's expression become nodes.
 */
#include "splitter/lower/lower_impl.h"

/* ---- what may not be computed -------------------------------------------------------------- */

struct guarded {
    struct expr *source;    /* the condition */
    struct expr *condition; /* as a variable */
    struct branch branch;
    int nodes; /* behind the condition's */
};

/* The right side of &&, || or ?: runs only under a condition; if it needs nodes, they get it as
 * their guard. The condition becomes a variable for that, in case. */
static struct guarded guarded_begin(struct lower *lower, struct expr *condition, bool when)
{
    struct guarded guarded;

    lower->is_trial = true;
    guarded.condition = branch_condition(lower, condition, "cond");
    lower->is_trial = false;
    guarded.source = condition;
    guarded.branch = branch_begin(lower, guarded.condition, when);
    guarded.nodes = lower->graph->nodes;
    return guarded;
}

static bool needed_nodes(struct lower *lower, const struct guarded *guarded)
{
    bool needed = lower->graph->nodes > guarded->nodes || lower->changes > guarded->branch.mark;

    if (needed && extremum_read(lower, guarded->source)) {
        lower_refuse(lower,
                     "an OP_MIN or OP_MAX argument is compared before something is computed");
    }
    return needed;
}

/* The value as an atom, so that it can be selected. */
static struct expr *as_atom(struct lower *lower, struct expr *expr, const char *name)
{
    return expr_is_atom(expr) ? expr : node_version(lower, name, expr);
}

/* Forgets the condition's node, if it was made for nothing. */
static void drop_condition(struct lower *lower, int before)
{
    if (lower->graph->nodes == before + 1) {
        lower->graph->nodes = before;
    }
}

/* ---- operators ----------------------------------------------------------------------------- */

static struct expr *logic_guarded(struct lower *lower, struct expr *expr, struct expr *left)
{
    bool when = expr->binary == BINARY_LAND;
    int before = lower->graph->nodes;
    struct guarded guarded = guarded_begin(lower, left, when);
    struct expr *right = lower_value(lower, expr->kid[1]);
    struct join join;
    struct expr *decided;

    if (!needed_nodes(lower, &guarded)) {
        branch_end(lower, &guarded.branch);
        drop_condition(lower, before);
        return make_binary(lower, expr->binary, expr->type, left, right);
    }
    right = as_atom(lower, make_cast(lower, &lower_bool, right, false), "cond");
    join = branch_end(lower, &guarded.branch);
    branch_join(lower, guarded.condition, when ? &join : NULL, when ? NULL : &join);
    decided = make_bool(lower, !when);
    return make_cast(lower, expr->type,
                     make_cond(lower, &lower_bool, guarded.condition, when ? right : decided,
                               when ? decided : right),
                     true);
}

static struct expr *logic(struct lower *lower, struct expr *expr)
{
    struct expr *left = lower_value(lower, expr->kid[0]);
    bool truth;

    if (expr_truth(left, &truth)) {
        if (truth == (expr->binary == BINARY_LOR)) {
            return make_int(lower, expr->type, truth);
        }
        left = make_bool(lower, truth);
        return make_binary(lower, expr->binary, expr->type, left, lower_value(lower, expr->kid[1]));
    }
    if (lower->region != NULL) {
        return make_binary(lower, expr->binary, expr->type, left, lower_value(lower, expr->kid[1]));
    }
    return logic_guarded(lower, expr, left);
}

static struct expr *cond_guarded(struct lower *lower, struct expr *expr, struct expr *condition)
{
    int before = lower->graph->nodes;
    struct guarded guarded = guarded_begin(lower, condition, true);
    struct expr *yes = lower_value(lower, expr->kid[1]);
    bool needed = needed_nodes(lower, &guarded);
    struct join join_yes;
    struct join join_no;
    struct expr *no;

    if (needed) {
        yes = as_atom(lower, yes, "value");
    }
    join_yes = branch_end(lower, &guarded.branch);
    guarded.branch = branch_begin(lower, guarded.condition, false);
    guarded.nodes = lower->graph->nodes;
    no = lower_value(lower, expr->kid[2]);
    if (!needed && !needed_nodes(lower, &guarded)) {
        branch_end(lower, &guarded.branch);
        drop_condition(lower, before);
        return make_cond(lower, expr->type, condition, yes, no);
    }
    no = as_atom(lower, no, "value");
    join_no = branch_end(lower, &guarded.branch);
    branch_join(lower, guarded.condition, &join_yes, &join_no);
    return make_cond(lower, expr->type, guarded.condition, yes, no);
}

static void discard_cond(struct lower *lower, struct expr *expr)
{
    struct expr *condition = branch_condition(lower, lower_value(lower, expr->kid[0]), "cond");
    struct branch branch;
    struct join yes;
    struct join no;
    bool truth;

    if (expr_truth(condition, &truth)) {
        lower_discard(lower, expr->kid[truth ? 1 : 2]);
        return;
    }
    branch = branch_begin(lower, condition, true);
    lower_discard(lower, expr->kid[1]);
    yes = branch_end(lower, &branch);
    branch = branch_begin(lower, condition, false);
    lower_discard(lower, expr->kid[2]);
    no = branch_end(lower, &branch);
    branch_join(lower, condition, &yes, &no);
}

static struct expr *conditional(struct lower *lower, struct expr *expr)
{
    struct expr *condition = lower_value(lower, expr->kid[0]);
    bool truth;

    if (expr_truth(condition, &truth)) {
        return lower_value(lower, expr->kid[truth ? 1 : 2]);
    }
    if (lower->region != NULL) {
        struct expr *yes = lower_value(lower, expr->kid[1]);

        return make_cond(lower, expr->type, condition, yes, lower_value(lower, expr->kid[2]));
    }
    return cond_guarded(lower, expr, condition);
}

static struct expr *binary(struct lower *lower, struct expr *expr)
{
    struct expr *left;

    switch (expr->binary) {
    case BINARY_LAND:
    case BINARY_LOR:
        return logic(lower, expr);
    case BINARY_COMMA:
        if (lower->region != NULL) {
            return region_expr(lower, expr);
        }
        lower_discard(lower, expr->kid[0]);
        return lower_value(lower, expr->kid[1]);
    default:
        break;
    }
    if (expr->kid[0]->type->kind == TYPE_POINTER || expr->kid[0]->type->kind == TYPE_ARRAY) {
        lower_refuse(lower, expr->binary == BINARY_SUB ? "the difference of two pointers"
                                                       : "a comparison of pointers");
    }
    left = lower_value(lower, expr->kid[0]);
    return make_binary(lower, expr->binary, expr->type, left, lower_value(lower, expr->kid[1]));
}

static struct expr *unary(struct lower *lower, struct expr *expr)
{
    switch (expr->unary) {
    case UNARY_DEREF:
        return memory_load(lower, location_of(lower, expr));
    case UNARY_ADDRESS:
        lower_refuse(lower, "an address is used as a number");
    case UNARY_PRE_INC:
    case UNARY_PRE_DEC:
    case UNARY_POST_INC:
    case UNARY_POST_DEC:
        return lower_step(lower, expr);
    default:
        if (expr->kid[0]->type->kind == TYPE_POINTER) {
            lower_refuse(lower, "a comparison of pointers");
        }
        return make_unary(lower, expr->unary, expr->type, lower_value(lower, expr->kid[0]));
    }
}

static struct expr *call(struct lower *lower, struct expr *expr)
{
    struct expr *direct = NULL;
    struct object *result = lower_call(lower, expr, &direct);

    if (result == NULL && direct == NULL) {
        lower_refuse(lower, arena_format(lower->arena, "the result of '%s' is used",
                                         expr->callee->user_name));
    }
    if (result == NULL) {
        return direct;
    }
    return memory_load(lower, location_object(lower, result));
}

static struct expr *cast(struct lower *lower, struct expr *expr)
{
    if (expr->type->kind == TYPE_VOID && lower->region != NULL) {
        return region_expr(lower, expr->kid[0]);
    }
    if (expr->type->kind == TYPE_VOID) {
        lower_discard(lower, expr->kid[0]);
        return NULL;
    }
    if (expr->kid[0]->type->kind == TYPE_POINTER) {
        lower_refuse(lower, "a pointer is used as a number");
    }
    return make_cast(lower, expr->type, lower_value(lower, expr->kid[0]), expr->implicit);
}

struct expr *lower_value(struct lower *lower, struct expr *expr)
{
    switch (expr->kind) {
    case EXPR_INT:
    case EXPR_FLOAT:
    case EXPR_STRING:
        return expr;
    case EXPR_VAR:
    case EXPR_INDEX:
    case EXPR_MEMBER:
        return expr->type->kind == TYPE_RECORD ? region_expr(lower, expr)
                                               : memory_load(lower, location_of(lower, expr));
    case EXPR_UNARY:
        return unary(lower, expr);
    case EXPR_BINARY:
        return binary(lower, expr);
    case EXPR_ASSIGN:
        return lower_assign(lower, expr);
    case EXPR_COND:
        return conditional(lower, expr);
    case EXPR_CALL:
        return call(lower, expr);
    case EXPR_CAST:
        return cast(lower, expr);
    case EXPR_INIT: /* of a scalar */
        return expr->kids > 0 ? lower_value(lower, expr->kid[0]) : make_zero(lower, expr->type);
    case EXPR_PLACE:
        break;
    }
    lower_refuse(lower, "an expression of a kind that is not known");
}

/* Lowers the expression for its side effects and discards its value. */
void lower_discard(struct lower *lower, struct expr *expr)
{
    const struct type *type = expr->type;

    if (lower->region != NULL) {
        lower_refuse(lower, "a side effect inside an expression, in a loop whose trip count is not "
                            "known");
    }
    if (expr->kind == EXPR_COND) {
        discard_cond(lower, expr);
    } else if (expr->kind == EXPR_BINARY && expr->binary == BINARY_COMMA) {
        lower_discard(lower, expr->kid[0]);
        lower_discard(lower, expr->kid[1]);
    } else if (expr->kind == EXPR_CALL) {
        struct expr *direct;

        lower_call(lower, expr, &direct);
    } else if (type->kind == TYPE_POINTER || type->kind == TYPE_ARRAY) {
        pointer_value(lower, expr);
    } else if (type->kind == TYPE_RECORD) {
        record_value(lower, expr);
    } else {
        lower_value(lower, expr);
    }
}
