/* passengers.c: loops that come between the joined ones and are launched by themselves, before the
 * joined loop. They pass the joined loops that are called before them, so that both must not touch
 * the same data, unless both only read it or both add to it: a GPU adds terms of a sum in any order
 * but in the deterministic mode, in which the runtime joins nothing around such loops.
 *
 * Dats that are one object under two names are found out when the loops run.
 */
#include "splitter/group/group_impl.h"

/* Whether it is of no matter which of two loops comes first, by two arguments of one dat. */
static bool commute(const struct arg *a, const struct arg *b)
{
    return a->access == b->access &&
           (a->access == ACCESS_READ ||
            (a->is_indirect && b->is_indirect &&
             (a->access == ACCESS_INC || a->access == ACCESS_MIN || a->access == ACCESS_MAX)));
}

/* Whether the last member cannot pass another one. */
static bool keep_order(const struct run *run, int member)
{
    int last = run->members - 1;
    const struct loop *first = run_loop(run, member);
    const struct loop *second = run_loop(run, last);

    for (int a = 0; a < first->args; a++) {
        for (int b = 0; b < second->args; b++) {
            if (first->arg[a].kind == ARG_DAT && second->arg[b].kind == ARG_DAT &&
                run_same_data(run, member, a, last, b) &&
                !commute(&first->arg[a], &second->arg[b])) {
                return true;
            }
        }
    }
    return false;
}

static bool reduces(const struct loop *loop)
{
    for (int a = 0; a < loop->args; a++) {
        if (loop->arg[a].kind == ARG_INFO ||
            (loop->arg[a].kind == ARG_GLOBAL && loop->arg[a].access != ACCESS_READ)) {
            return true;
        }
    }
    return false;
}

bool run_may_go_before(const struct traits *traits, const struct run *run)
{
    int last = run->members - 1;
    const struct loop *loop = run_loop(run, last);
    int passengers = 0;

    if (loop->sequential_reason != NULL || loop->kernel == NULL || reduces(loop) ||
        (traits_of(traits, loop->kernel) & TRAIT_PRINTS)) {
        return false;
    }
    for (int m = 0; m < last; m++) {
        passengers += run->before[m];
        if (!run->before[m] && keep_order(run, m)) {
            return false;
        }
    }
    return passengers < GROUP_MOST_PASSENGERS;
}
