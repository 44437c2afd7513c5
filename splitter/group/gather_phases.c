/* gather_phases.c: loops that increment the points of a GROUP_GATHER from other sets than the first
 * member, such as the edges of a boundary.
 *
 * A point adds what the elements of a phase give it behind its sums of the first member, in the
 * order of the calls. Few points have any, so that a phase takes next to no time; each that does
 * computes the whole kernel, whose increments through other columns it drops.
 */
#include "pass/ir/arena.h"
#include "splitter/group/group_impl.h"

bool run_has_phases(const struct run *run)
{
    bool has = false;

    for (int m = 0; m < run->members; m++) {
        has = has || run->adds[m];
    }
    return has;
}

int run_phase_set(const struct run *run, int member)
{
    int sets = 0;

    for (int m = 0; m <= member && run->adds[member]; m++) {
        int same = 0;

        while (same < m && !(run->adds[same] && run_same_set(run, same, m))) {
            same++;
        }
        if (m == member && same < m) {
            return run_phase_set(run, same);
        }
        sets += run->adds[m] && same == m;
    }
    return sets;
}

/* ---- the loop by itself -----------------------------------------------------------------------
 */

static const char *why_no_phase(struct arena *arena, const struct loop *loop)
{
    const char *why = loop_why_not_first(arena, loop);

    for (int a = 0; a < loop->args && why == NULL; a++) {
        const struct arg *arg = &loop->arg[a];

        if (arg->kind == ARG_INDEX) {
            why = arena_format(arena, "'%s' has the numbers of elements", loop->name);
        } else if (arg->access != ACCESS_READ && arg->access != ACCESS_INC) {
            why = arena_format(arena,
                               "'%s' %s '%s': behind the first loop's sums, a point can only "
                               "add to them",
                               loop->name, arg->access == ACCESS_MIN ? "lowers" : "raises",
                               arg->dat_text);
        }
    }
    return why;
}

/* Columns of the map that the loop increments through. */
static int columns_of(const struct loop *loop)
{
    unsigned columns = 0;

    for (int a = 0; a < loop->args; a++) {
        const struct arg *arg = &loop->arg[a];

        if (arg->kind == ARG_DAT && arg->is_indirect && arg->access != ACCESS_READ) {
            columns |= arg->is_vector ? (1u << arg->columns) - 1 : 1u << arg->map_index;
        }
    }
    return __builtin_popcount(columns);
}

/* ---- beside the others ------------------------------------------------------------------------
 */

/* Whether both add to one dat: then their maps lead to one set. */
static bool adds_to_points(const struct run *run)
{
    int last = run->members - 1;
    const struct loop *first = run_loop(run, 0);
    const struct loop *second = run_loop(run, last);

    for (int a = 0; a < first->args; a++) {
        for (int b = 0; b < second->args; b++) {
            if (first->arg[a].kind == ARG_DAT && second->arg[b].kind == ARG_DAT &&
                first->arg[a].is_indirect && second->arg[b].is_indirect &&
                first->arg[a].access == ACCESS_INC && second->arg[b].access == ACCESS_INC &&
                run_same_data(run, 0, a, last, b)) {
                return true;
            }
        }
    }
    return false;
}

/* The first loop's elements are read from staged records, those of a phase one by one: it must be
 * the one that points visit more often. */
static const char *why_beside(const struct run *run)
{
    struct arena *arena = run->flow->program->arena;
    int last = run->members - 1;
    const struct loop *first = run_loop(run, 0);
    const struct loop *loop = run_loop(run, last);
    const char *why = NULL;
    int phases = 0;

    if (run_same_set(run, 0, last)) {
        return arena_format(arena,
                            "'%s' and '%s' both run over '%s': their increments are not "
                            "gathered together",
                            first->name, loop->name, loop->set_text);
    }
    if (columns_of(loop) > columns_of(first)) {
        return arena_format(arena,
                            "'%s' increments %d points, and '%s', before it, %d: only a "
                            "smaller loop is gathered behind another one",
                            loop->name, columns_of(loop), first->name, columns_of(first));
    }
    for (int m = 0; m < last && why == NULL; m++) {
        phases += run->adds[m];
        why = run->before[m] ? NULL : run_why_dats(run, m);
    }
    return why == NULL && phases == GROUP_MOST_PHASES
               ? arena_format(arena, "before '%s', %d loops are gathered together already",
                              loop->name, 1 + phases)
               : why;
}

bool run_may_add(const struct run *run, const char **why)
{
    struct arena *arena = run->flow->program->arena;
    const struct loop *loop = run_loop(run, run->members - 1);
    struct run longer = *run;

    *why = NULL;
    for (int m = 1; m < run->members - 1; m++) {
        if (!run->before[m] && !run->adds[m]) {
            return false;
        }
    }
    if (run->gathers || loop_why_not_first(arena, run_loop(run, 0)) != NULL ||
        !adds_to_points(run)) {
        return false;
    }
    *why = why_no_phase(arena, loop);
    *why = *why != NULL ? *why : why_beside(run);
    longer.adds[run->members - 1] = true;
    *why = *why != NULL ? *why : run_why_large(&longer);
    return *why == NULL;
}
