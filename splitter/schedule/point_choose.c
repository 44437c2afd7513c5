/* point_choose.c: which values are worth computing for each point instead of for each element.
 *
 * In: the operations that work on one point, and which of them elements need. Out: a set of them. A
 * chosen value saves its work for each element, and the loads of operands that only it reads. But
 * it is loaded itself, and takes shared memory, unless it replaces a component that nothing else
 * needs. A greedy search starts with no value and adds the one that saves most until none saves
 * anything.
 */
#include <string.h>

#include "pass/ir/arena.h"
#include "pass/ir/machine.h"
#include "splitter/schedule/point_values.h"

/* Costs, in double-precision multiplications. A GPU starts one as often as it loads 8 bytes per
 * lane from shared memory with scattered lanes. A sum costs half: every other one is part of a
 * fused multiply-add. */
static const double SUM = 0.5;
static const double CONVERSION = 2;
static const double DIVISION = 12;
static const double ROOT = 12;
static const double FUNCTION = 25;
/* Minimum of saved work that pays for a loop over the points and a barrier, or for registers. */
static const double LEAST_WORK = 10;

/* What it costs to compute values apart, by enum point_way. */
static const struct way {
    double load;  /* of a component, or of a value, for each use */
    double apart; /* how much rarer a value is computed than it is used */
    bool takes;   /* one more component per point takes shared memory */
} ways[] = {
    [POINT_STAGED] = {2, 0.15, true},
    /* One of two uses is that of the point which the thread has for its own. Two instructions for
     * each use choose between both points' values. */
    [POINT_OWN] = {2.5, 0.5, false},
};

static double call_work(const char *name)
{
    static const char *const light[] = {"fabs", "fmin", "fmax", "fabsf", "fminf", "fmaxf"};
    for (size_t i = 0; i < sizeof light / sizeof light[0]; i++) {
        if (strcmp(name, light[i]) == 0) {
            return SUM;
        }
    }
    return strncmp(name, "sqrt", 4) == 0 ? ROOT : FUNCTION;
}

static double work_of(const struct point_ops *values, const struct point_op *op)
{
    const struct expr *expr = op->expr;
    if (!op->reads || op->group >= 0) {
        return 0;
    }
    switch (expr->kind) {
    case EXPR_BINARY:
        return expr->binary == BINARY_DIV ? DIVISION : expr->binary == BINARY_MUL ? 1 : SUM;
    case EXPR_CAST: {
        const struct type *from = values->op[op->kid[0]].expr->type;
        return type_same(from, expr->type) ? 0 : CONVERSION;
    }
    case EXPR_CALL:
        return call_work(expr->callee->name);
    case EXPR_UNARY:
        return 0;
    default:
        return SUM;
    }
}

/* ---- what a choice costs --------------------------------------------------------------------- */

static void mark(const struct point_ops *values, const bool *chosen, int i, bool *live)
{
    const struct point_op *op = &values->op[i];
    bool is_stop = chosen != NULL && chosen[i];
    if (live[i] || !op->reads) {
        return;
    }
    live[i] = true;
    for (int k = 0; k < 3 && !is_stop; k++) {
        if (op->kid[k] >= 0) {
            mark(values, chosen, op->kid[k], live);
        }
    }
}

void point_ops_mark_cone(const struct point_ops *values, int i, bool *cone)
{
    mark(values, NULL, i, cone);
}

void point_ops_live(const struct point_ops *values, const bool *chosen, bool *live)
{
    memset(live, 0, (size_t)values->ops * sizeof(*live));
    for (int i = 0; i < values->ops; i++) {
        if (values->needed[i]) {
            mark(values, chosen, i, live);
        }
    }
}

bool point_ops_can_replace(const struct point_ops *values, int place, int value)
{
    return values->op[place].group >= 0 &&
           type_same(values->op[place].expr->type, values->op[value].expr->type);
}

/* Scratch of the search. */
struct search {
    const struct point_ops *values;
    const struct way *way;
    bool *chosen;
    bool *live;   /* operations that elements need */
    bool *points; /* operations that the chosen ones need */
    double *work;
};

static double cost(struct search *search)
{
    const struct point_ops *values = search->values;
    double sum = 0;
    int extras = 0;
    point_ops_live(values, search->chosen, search->live);
    memset(search->points, 0, (size_t)values->ops * sizeof(*search->points));
    for (int i = 0; i < values->ops; i++) {
        if (search->chosen[i]) {
            point_ops_mark_cone(values, i, search->points);
            extras += search->live[i];
        }
    }
    for (int i = 0; i < values->ops; i++) {
        bool place = values->op[i].group >= 0;
        sum += search->live[i] && (place || search->chosen[i]) ? search->way->load : 0;
        sum += search->live[i] && !search->chosen[i] ? search->work[i] : 0;
        sum += search->points[i] ? search->way->apart * search->work[i] : 0;
        extras -= place && search->points[i] && !search->live[i] &&
                  type_is_floating(values->op[i].expr->type);
    }
    return sum +
           (extras > 0 && search->way->takes ? machines[MACHINE_GPU].extra_component * extras : 0);
}

/* All chosen values have one type, so that one extra record per point holds them. A value that
 * elements need at only one end is needed about as often as there are points, so that nothing is
 * gained. */
static bool can_choose(const struct search *search, int first, int i)
{
    const struct point_op *op = &search->values->op[i];
    bool both_ends = (op->columns & (op->columns - 1)) != 0;
    return search->live[i] && both_ends && op->reads && !op->fuses && op->group < 0 &&
           !search->chosen[i] && type_is_floating(op->expr->type) &&
           (first < 0 || type_same(op->expr->type, search->values->op[first].expr->type));
}

/* The operation whose choice lowers the cost most, -1: none does; *least: the cost with it. */
static int best_of(struct search *search, int first, double *least)
{
    const struct point_ops *values = search->values;
    bool *candidate = arena_alloc(values->arena, (size_t)values->ops * sizeof(*candidate));
    int best = -1;
    point_ops_live(values, search->chosen, search->live);
    for (int i = 0; i < values->ops; i++) {
        candidate[i] = can_choose(search, first, i);
    }
    for (int i = 0; i < values->ops; i++) {
        if (candidate[i]) {
            search->chosen[i] = true;
            double left = cost(search);
            search->chosen[i] = false;
            if (left < *least) {
                *least = left;
                best = i;
            }
        }
    }
    return best;
}

/* Returns the work per element that depends on one point alone and remains if these values are
 * chosen. */
static double work_left(struct search *search)
{
    double work = 0;
    point_ops_live(search->values, search->chosen, search->live);
    for (int i = 0; i < search->values->ops; i++) {
        work += search->live[i] && !search->chosen[i] ? search->work[i] : 0;
    }
    return work;
}

int point_ops_choose(const struct point_ops *values, enum point_way way, bool *chosen)
{
    size_t ops = (size_t)values->ops;
    struct search search = {.values = values,
                            .way = &ways[way],
                            .chosen = chosen,
                            .live = arena_alloc(values->arena, ops * sizeof(bool)),
                            .points = arena_alloc(values->arena, ops * sizeof(bool)),
                            .work = arena_alloc(values->arena, ops * sizeof(double))};
    int count = 0;
    int first = -1;
    int best;
    for (size_t i = 0; i < ops; i++) {
        search.work[i] = work_of(values, &values->op[i]);
    }
    double least = cost(&search);
    double all = work_left(&search);
    while ((best = best_of(&search, first, &least)) >= 0) {
        chosen[best] = true;
        first = first < 0 ? best : first;
        count++;
    }
    if (all - work_left(&search) < LEAST_WORK) {
        return 0;
    }
    for (size_t i = 0; i < ops; i++) {
        count -= chosen[i] && !search.live[i];
        chosen[i] = chosen[i] && search.live[i];
    }
    return count;
}
