/* gather.c: runs of a loop that increments points and of direct loops over these points.
 *
 * A first loop adds to (lowers, raises) dats through one map. Direct loops over the set that the
 * map leads to follow, and each of their elements needs of the first loop the sums of its own point
 * alone. What they write and the first loop reads through the map goes to second buffers.
 */
#include "pass/ir/arena.h"
#include "splitter/group/group_impl.h"

static bool is_reduction(const struct arg *arg)
{
    return arg->kind == ARG_INFO || (arg->kind == ARG_GLOBAL && arg->access != ACCESS_READ);
}

/* Whether the argument adds to, lowers or raises a dat through a map. */
static bool is_update(const struct arg *arg)
{
    return arg->kind == ARG_DAT && arg->is_indirect &&
           (arg->access == ACCESS_INC || arg->access == ACCESS_MIN || arg->access == ACCESS_MAX);
}

/* Whether the last member of a run uses, at its own element, a dat that the first one updates: then
 * it runs over the points of the first one's map. */
static bool uses_sums(const struct run *run)
{
    int last = run->members - 1;
    const struct loop *first = run_loop(run, 0);
    const struct loop *second = run_loop(run, last);

    for (int a = 0; a < first->args; a++) {
        for (int b = 0; b < second->args; b++) {
            if (is_update(&first->arg[a]) && second->arg[b].kind == ARG_DAT &&
                !second->arg[b].is_indirect && run_same_data(run, 0, a, last, b)) {
                return true;
            }
        }
    }
    return false;
}

/* ---- the first loop ---------------------------------------------------------------------------
 */

static const char *why_not_first(struct arena *arena, const struct loop *loop)
{
    int map = -1;

    for (int a = 0; a < loop->args; a++) {
        const struct arg *arg = &loop->arg[a];

        if (is_reduction(arg) || (arg->access != ACCESS_READ && !is_update(arg))) {
            return arena_format(arena, "'%s' modifies '%s' besides what it adds through a map",
                                loop->name, arg->dat_text);
        }
        if (is_update(arg) && map >= 0 && map != arg->map) {
            return arena_format(arena, "'%s' increments through several maps", loop->name);
        }
        map = is_update(arg) ? arg->map : map;
    }
    return map >= 0 ? NULL : arena_format(arena, "'%s' increments nothing", loop->name);
}

/* ---- loops over the points --------------------------------------------------------------------
 */

/* Members before use the dats of the last one as records of the same shape. */
static const char *why_other_shape(const struct run *run)
{
    int last = run->members - 1;
    const struct loop *loop = run_loop(run, last);

    for (int m = 0; m < last; m++) {
        const struct loop *other = run_loop(run, m);

        for (int a = 0; a < other->args; a++) {
            for (int b = 0; b < loop->args; b++) {
                const struct arg *x = &other->arg[a];
                const struct arg *y = &loop->arg[b];

                if (x->kind == ARG_DAT && y->kind == ARG_DAT && run_same_data(run, m, a, last, b) &&
                    (x->dim != y->dim || !type_same(x->type, y->type))) {
                    return arena_format(run->flow->program->arena,
                                        "'%s' and '%s' use '%s' with another type or dim",
                                        other->name, loop->name, y->dat_text);
                }
            }
        }
    }
    return NULL;
}

/* Why the last member cannot run behind the sums of each point. */
static const char *why_not_behind(const struct run *run)
{
    struct arena *arena = run->flow->program->arena;
    const struct loop *loop = run_loop(run, run->members - 1);

    for (int a = 0; a < loop->args; a++) {
        const struct arg *arg = &loop->arg[a];

        if (arg->is_indirect) {
            return arena_format(arena,
                                "'%s' uses '%s' through '%s': behind the sums of a point, only "
                                "the point's own data are there",
                                loop->name, arg->dat_text, arg->map_text);
        }
        if (arg->kind == ARG_INDEX || arg->kind == ARG_INFO) {
            return arena_format(arena, "'%s' has the numbers of elements", loop->name);
        }
    }
    return why_other_shape(run);
}

/* Whether the last member changes what the first one reads at its own element: both sets are then
 * one under two names, and the elements around a point would find it changed. */
static bool changes_elements(const struct run *run)
{
    int last = run->members - 1;
    const struct loop *first = run_loop(run, 0);
    const struct loop *second = run_loop(run, last);

    for (int a = 0; a < first->args; a++) {
        for (int b = 0; b < second->args; b++) {
            if (first->arg[a].kind == ARG_DAT && !first->arg[a].is_indirect &&
                second->arg[b].kind == ARG_DAT && second->arg[b].access != ACCESS_READ &&
                run_same_data(run, 0, a, last, b)) {
                return true;
            }
        }
    }
    return false;
}

/* ---- a loop behind a run ------------------------------------------------------------------------
 */

/* A run of one loop and passengers, or one that gathers already. */
static bool may_gather(const struct run *run)
{
    for (int m = 1; m < run->members - 1 && !run->gathers; m++) {
        if (!run->before[m]) {
            return false;
        }
    }
    return true;
}

bool run_may_gather(const struct run *run, const char **why)
{
    struct arena *arena = run->flow->program->arena;
    int last = run->members - 1;

    *why = NULL;
    if (!may_gather(run) || run_same_set(run, 0, last) || changes_elements(run) ||
        why_not_first(arena, run_loop(run, 0)) != NULL || (!run->gathers && !uses_sums(run))) {
        return false;
    }
    *why = run->gathers ? run_why_apart_points(run) : NULL;
    *why = *why != NULL ? *why : why_not_behind(run);
    return *why == NULL;
}

/* ---- bytes ------------------------------------------------------------------------------------
 */

/* Members over points find what the first loop has in registers, or has just read. */
double run_bytes_gathered(const struct run *run)
{
    const struct loop *first = run_loop(run, 0);
    double bytes = 0;

    for (int m = 1; m < run->members; m++) {
        const struct loop *loop = run_loop(run, m);

        for (int b = 0; !run->before[m] && b < loop->args; b++) {
            int moves = 0;

            for (int a = 0; loop->arg[b].kind == ARG_DAT && a < first->args; a++) {
                if (first->arg[a].kind == ARG_DAT && run_same_data(run, 0, a, m, b)) {
                    moves = is_update(&first->arg[a]) ? 2 : 1;
                }
            }
            bytes += moves > 0 ? moves * (double)loop->arg[b].dim * (double)loop->arg[b].type->size
                               : 0.0;
        }
    }
    return bytes;
}
