/* lower_loop.c: loops. One whose condition is a constant each time it is tested is unrolled, where
 * that takes subscripts apart or is small; any other is kept whole (lower_region.c).
 */
#include "splitter/lower/lower_impl.h"

enum {
    UNROLL_NODES = 4096, /* that one loop may come to */
    UNROLL_TRIPS = 1024,
    SMALL_TRIPS = 8 /* worth it even without subscripts */
};

/* ---- is it worth it?
 * ------------------------------------------------------------------------------ */

/* Subscripts and pointers that are not constant as they stand: unrolling may make them so. */
static void find_subscripts(struct expr *expr, void *user)
{
    bool *found = user;
    bool is_subscript = expr->kind == EXPR_INDEX && expr->kid[1]->kind != EXPR_INT;
    bool is_pointer = expr->type->kind == TYPE_POINTER &&
                      (expr->kind == EXPR_BINARY || expr->kind == EXPR_ASSIGN ||
                       (expr->kind == EXPR_UNARY && expr->unary >= UNARY_PRE_INC));
    bool passes = false;

    for (int k = 0;
         expr->kind == EXPR_CALL && expr->callee->kind == FUNCTION_USER && k < expr->kids; k++) {
        passes = passes || expr->kid[k]->type->kind == TYPE_POINTER ||
                 expr->kid[k]->type->kind == TYPE_ARRAY;
    }
    *found = *found || is_subscript || is_pointer || passes;
}

static bool has_subscripts(struct stmt *stmt)
{
    bool found = false;

    stmt_visit(stmt, NULL, find_subscripts, &found);
    return found;
}

/* ---- unrolling
 * ------------------------------------------------------------------------------------ */

struct unrolled {
    struct stmt *stmt;
    struct stmt *body;
    int trips;
    int most_trips;
    int first_node;
    struct frame *frame;
};

static void keep_whole(struct lower *lower, const struct unrolled *loop)
{
    lower_restart(lower, loop->stmt);
}

/* The condition's value; a condition that is not constant ends the attempt. */
static bool test(struct lower *lower, const struct unrolled *loop)
{
    struct expr *condition;
    bool truth;

    if (loop->stmt->expr == NULL) {
        return true;
    }
    condition = lower_value(lower, loop->stmt->expr);
    if (!expr_truth(condition, &truth)) {
        keep_whole(lower, loop);
    }
    return truth;
}

static void reset(struct lower *lower, int leaf)
{
    leaf_set(lower, leaf, (struct value){.atom = make_bool(lower, false)});
}

static void run_trips(struct lower *lower, void *user);

static void run_next(struct lower *lower, void *user)
{
    struct unrolled *loop = user;

    if (loop->stmt->step != NULL) {
        lower_discard(lower, loop->stmt->step);
    }
    run_trips(lower, user);
}

/* Once the loop may have been left, the next trips run where it was not. */
static void run_trips(struct lower *lower, void *user)
{
    struct unrolled *loop = user;
    bool is_do = loop->stmt->kind == STMT_DO;
    bool always = false;

    while ((is_do && loop->trips == 0) || test(lower, loop)) {
        if (++loop->trips > loop->most_trips ||
            lower->graph->nodes - loop->first_node > UNROLL_NODES) {
            keep_whole(lower, loop);
        }
        lower_stmt(lower, loop->body);
        reset(lower, loop->frame->skipped);
        if (lower_stop_flag(lower, &always) >= 0 || always) {
            lower_run_rest(lower, run_next, loop);
            return;
        }
        if (loop->stmt->step != NULL) {
            lower_discard(lower, loop->stmt->step);
        }
    }
}

static void unroll(struct lower *lower, struct stmt *stmt)
{
    struct frame frame = {.outer = lower->frame, .is_loop = true};
    struct unrolled loop = {.stmt = stmt, .first_node = lower->graph->nodes, .frame = &frame};

    loop.body = stmt->kid[stmt->kind == STMT_FOR ? 1 : 0];
    loop.most_trips = has_subscripts(stmt) ? UNROLL_TRIPS : SMALL_TRIPS;
    frame.stopped = leaf_new(lower, "left", &lower_bool, ROLE_LOCAL);
    frame.skipped = leaf_new(lower, "skipped", &lower_bool, ROLE_LOCAL);
    reset(lower, frame.stopped);
    reset(lower, frame.skipped);
    lower->frame = &frame;
    run_trips(lower, &loop);
    lower->frame = frame.outer;
}

void lower_loop_stmt(struct lower *lower, struct stmt *stmt)
{
    bool endless = stmt->expr == NULL || stmt->expr->kind == EXPR_INT;

    if (endless || lower_is_marked(lower, stmt)) {
        lower_region(lower, stmt);
        return;
    }
    if (stmt->kind == STMT_FOR) {
        lower_stmt(lower, stmt->kid[0]);
    }
    unroll(lower, stmt);
}
