/* lower_extrema_guards.c: the conditions under which an OP_MIN or OP_MAX place is lowered or
 * raised.
 *
 * In: the condition of if (c && x < a) a = x. Out: c is a guard of the nodes that follow, and the
 * comparison with the place is left to the caller.
 */
#include "splitter/lower/lower_extrema.h"

static void find_danger(struct expr *expr, void *user)
{
    bool *found = user;
    long long subscript;

    *found = *found || (expr->kind == EXPR_UNARY && expr->unary == UNARY_DEREF) ||
             (expr->kind == EXPR_INDEX && !expr_int(expr->kid[1], &subscript)) ||
             (expr->kind == EXPR_BINARY && !type_is_floating(expr->type) &&
              (expr->binary == BINARY_DIV || expr->binary == BINARY_REM));
}

/* A condition behind the comparison is asked for without it now, so it must be harmless: a
 * subscript or a divisor may be right only where the comparison holds. `nodes`: how many there were
 * before the condition was lowered. */
static void check_harmless(struct lower *lower, const struct extremum_guards *guards,
                           struct expr *condition, int nodes)
{
    bool found = false;

    expr_visit(condition, find_danger, &found);
    for (int n = nodes; n < lower->graph->nodes && !found; n++) {
        found = lower->graph->node[n].kind != NODE_VALUE;
        if (!found) {
            expr_visit(lower->graph->node[n].expr, find_danger, &found);
        }
    }
    if (found) {
        extremum_unknown(lower, guards->location);
    }
}

static void enter_guard(struct lower *lower, struct extremum_guards *guards, struct expr *condition)
{
    struct guard_at *guard;
    bool truth;

    condition = branch_condition(lower, condition, "cond");
    if (expr_truth(condition, &truth)) {
        guards->never = guards->never || !truth;
        return;
    }
    guards->guard = arena_grow(lower->arena, guards->guard, guards->count, &guards->room,
                               sizeof(*guards->guard));
    guard = &guards->guard[guards->count++];
    guard->condition = condition;
    guard->branch = branch_begin(lower, condition, true);
}

/* A lowered condition. One that was kept in a local may have the comparison among others. */
static void enter_tree(struct lower *lower, struct extremum_guards *guards, struct expr *condition,
                       int nodes)
{
    const struct expr *inner = extremum_bare(condition);

    if (!extremum_read(lower, condition)) {
        if (guards->comparison != NULL) {
            check_harmless(lower, guards, condition, nodes);
        }
        enter_guard(lower, guards, condition);
    } else if (inner->kind == EXPR_BINARY && inner->binary == BINARY_LAND) {
        enter_tree(lower, guards, inner->kid[0], nodes);
        enter_tree(lower, guards, inner->kid[1], nodes);
    } else if (guards->comparison != NULL) {
        extremum_unknown(lower, guards->location);
    } else {
        guards->comparison = inner;
    }
}

void extremum_guards_enter(struct lower *lower, struct extremum_guards *guards, struct expr *source)
{
    const struct expr *inner = extremum_bare(source);
    int nodes = lower->graph->nodes;

    if (inner->kind != EXPR_BINARY || inner->binary != BINARY_LAND) {
        enter_tree(lower, guards, lower_value(lower, source), nodes);
        return;
    }
    extremum_guards_enter(lower, guards, inner->kid[0]);
    if (!guards->never) {
        extremum_guards_enter(lower, guards, inner->kid[1]);
    }
}

void extremum_guards_leave(struct lower *lower, struct extremum_guards *guards)
{
    while (guards->count > 0) {
        struct guard_at *guard = &guards->guard[--guards->count];
        struct join join = branch_end(lower, &guard->branch);

        branch_join(lower, guard->condition, &join, NULL);
    }
}
