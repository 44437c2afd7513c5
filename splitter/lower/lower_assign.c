/* lower_assign.c: assignments of scalars, ++ and --, in a line of nodes and inside regions. */
#include "splitter/lower/lower_impl.h"

/* The type that place `op`= value is computed in, and its result there, in the place's type. */
static struct expr *computed(struct lower *lower, const struct expr *assign, struct expr *old,
                             struct expr *value)
{
    const struct type *compute = lower_bare_type(lower, assign->compute);
    bool is_shift = assign->binary == BINARY_SHL || assign->binary == BINARY_SHR;

    old = make_cast(lower, compute, old, true);
    value = is_shift ? value : make_cast(lower, compute, value, true);
    return make_cast(lower, lower_bare_type(lower, assign->type),
                     make_binary(lower, assign->binary, compute, old, value), true);
}

static bool is_summed(const struct lower *lower, const struct location *location)
{
    if (location->base == BASE_EITHER) {
        return is_summed(lower, location->yes) || is_summed(lower, location->no);
    }
    return location->base == BASE_ARG && lower->sum[location->arg] != NULL;
}

static void check_sum(struct lower *lower, const struct location *location,
                      const struct type *compute)
{
    if (is_summed(lower, location) && type_is_integer(location->type) &&
        type_is_floating(compute)) {
        lower_refuse(lower, arena_format(lower->arena,
                                         "%s has an integer type, and what is added is rounded "
                                         "with it",
                                         location_name(lower, location)));
    }
}

static struct expr *assign_in_region(struct lower *lower, struct expr *expr)
{
    struct location *location = location_of(lower, expr->kid[0]);
    struct expr *value = lower_value(lower, expr->kid[1]);
    struct expr *assign = expr->compound ? NULL : extremum_region_assign(lower, location, value);

    if (assign != NULL) {
        return assign;
    }
    if (expr->compound) {
        check_sum(lower, location, expr->compute);
    }
    assign = make_expr(lower, EXPR_ASSIGN, expr->type, 2);
    assign->compound = expr->compound;
    assign->binary = expr->binary;
    assign->compute = expr->compute;
    assign->kid[1] = value;
    assign->kid[0] = region_lvalue(lower, location);
    return assign;
}

static void add_to(struct lower *lower, struct expr *expr, struct location *location,
                   struct expr *value);

/* *(c ? p : q) += x: either the one or the other. */
static void add_to_either(struct lower *lower, struct expr *expr, struct location *location,
                          struct expr *value)
{
    struct expr *condition = location->condition;
    struct branch branch;
    struct join yes;
    struct join no;

    if (!expr_is_atom(value)) {
        value = node_version(lower, "value", value);
    }
    branch = branch_begin(lower, condition, true);
    add_to(lower, expr, location->yes, value);
    yes = branch_end(lower, &branch);
    branch = branch_begin(lower, condition, false);
    add_to(lower, expr, location->no, value);
    no = branch_end(lower, &branch);
    branch_join(lower, condition, &yes, &no);
}

/* A compound assignment. */
static void add_to(struct lower *lower, struct expr *expr, struct location *location,
                   struct expr *value)
{
    if (location->base == BASE_EITHER) {
        add_to_either(lower, expr, location, value);
        return;
    }
    check_sum(lower, location, expr->compute);
    memory_store(lower, location, computed(lower, expr, memory_load(lower, location), value));
}

/* p[c] = cleave_stored(p[c]), as a joined loop has it between its members. */
static bool passes(const struct expr *expr)
{
    return !expr->compound && expr->kid[1]->kind == EXPR_CALL &&
           graph_is_stored(expr->kid[1]->callee);
}

struct expr *lower_assign(struct lower *lower, struct expr *expr)
{
    struct location *location;
    struct expr *value;

    if (expr->type->kind == TYPE_RECORD || expr->type->kind == TYPE_POINTER) {
        lower_discard(lower, expr);
        return NULL;
    }
    if (lower->region != NULL) {
        return assign_in_region(lower, expr);
    }
    if (lower->has_extrema && !expr->compound && extremum_conditional(lower, expr)) {
        return lower_value(lower, expr->kid[0]);
    }
    location = location_of(lower, expr->kid[0]);
    if (passes(expr)) {
        memory_pass(lower, location, expr->kid[1]);
        return NULL;
    }
    value = lower_value(lower, expr->kid[1]);
    if (expr->compound) {
        add_to(lower, expr, location, value);
    } else {
        memory_store(lower, location, value);
    }
    return is_summed(lower, location) ? value : memory_load(lower, location);
}

/* x plus or minus one, in x's type. */
static struct expr *stepped(struct lower *lower, const struct expr *expr, struct expr *old)
{
    const struct type *type = lower_bare_type(lower, expr->type);
    const struct type *compute = type_is_integer(type) && type->size < 4 ? &lower_int : type;
    bool down = expr->unary == UNARY_PRE_DEC || expr->unary == UNARY_POST_DEC;
    struct expr *one = make_cast(lower, compute, make_int(lower, &lower_int, 1), true);

    return make_cast(lower, type,
                     make_binary(lower, down ? BINARY_SUB : BINARY_ADD, compute,
                                 make_cast(lower, compute, old, true), one),
                     true);
}

struct expr *lower_step(struct lower *lower, struct expr *expr)
{
    bool is_post = expr->unary == UNARY_POST_INC || expr->unary == UNARY_POST_DEC;
    struct location *location;
    struct expr *old;
    struct expr *value;

    if (expr->type->kind == TYPE_POINTER) {
        lower_discard(lower, expr);
        return NULL;
    }
    location = location_of(lower, expr->kid[0]);
    if (lower->region != NULL) {
        struct expr *step = make_expr(lower, EXPR_UNARY, expr->type, 1);

        step->unary = expr->unary;
        step->kid[0] = region_lvalue(lower, location);
        return step;
    }
    old = memory_load(lower, location);
    value = stepped(lower, expr, old);
    memory_store(lower, location, value);
    if (is_summed(lower, location)) {
        return value;
    }
    return is_post ? old : memory_load(lower, location);
}
