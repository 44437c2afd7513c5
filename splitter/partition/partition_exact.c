/* partition_exact.c: every assignment of few items to stages, by branch and bound.
 *
 * Items are assigned in their order, each to a stage not before those of the items that it needs.
 * The rank of a part of an assignment bounds that of all that continue it.
 */
#include "pass/ir/arena.h"
#include "splitter/partition/partition_impl.h"

struct search {
    struct problem *problem;
    int *stage;
    int used[MAX_CUTS]; /* items in each stage */
    int *best;
    struct rank *rank;
};

static int earliest(const struct search *search, int item)
{
    const struct rows *before = &search->problem->before;
    int stage = 0;
    for (int e = before->first[item]; e < before->first[item + 1]; e++) {
        int s = search->stage[before->of[e]];
        stage = s > stage ? s : stage;
    }
    return stage;
}

static int empty_stages(const struct search *search)
{
    int empty = 0;
    for (int s = 0; s < search->problem->cuts; s++) {
        empty += search->used[s] == 0;
    }
    return empty;
}

static void assign(struct search *search, int item)
{
    struct problem *problem = search->problem;
    if (problem->steps > problem->most_steps || problem->items - item < empty_stages(search)) {
        return;
    }
    struct rank rank = problem_rank(problem, search->stage);
    if (!rank_better(&rank, search->rank)) {
        return;
    }
    if (item == problem->items) {
        *search->rank = rank;
        for (int i = 0; i < problem->items; i++) {
            search->best[i] = search->stage[i];
        }
        return;
    }
    for (int s = earliest(search, item); s < problem->cuts; s++) {
        search->stage[item] = s;
        search->used[s]++;
        assign(search, item + 1);
        search->used[s]--;
    }
    search->stage[item] = -1;
}

bool search_exact(struct problem *problem, int *best, struct rank *rank)
{
    struct search search = {.problem = problem,
                            .stage =
                                arena_alloc(problem->scratch, (size_t)problem->items * sizeof(int)),
                            .best = best,
                            .rank = rank};
    for (int i = 0; i < problem->items; i++) {
        search.stage[i] = -1;
    }
    assign(&search, 0);
    return problem->steps <= problem->most_steps;
}
