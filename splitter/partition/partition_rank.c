/* partition_rank.c: the quality of an assignment of items to stages.
 *
 * It computes the sums of cost_graph.c on bit sets: the units that a stage stages, and the stages
 * in which a variable is live. For an incomplete assignment the sums are lower bounds: items that
 * are not assigned stage nothing and keep nothing alive, but units that no stage has yet will be in
 * one.
 */
#include <math.h>
#include <string.h>

#include "splitter/partition/partition_impl.h"

bool rank_better(const struct rank *a, const struct rank *b)
{
    if (a->gained != b->gained) {
        return a->gained;
    }
    if (!a->gained && fabs(a->excess - b->excess) > 1e-9) {
        return a->excess < b->excess;
    }
    if (fabs(a->time - b->time) > 1e-9 * b->time) {
        return a->time < b->time;
    }
    return a->footprint < b->footprint - 0.5;
}

/* Sums over the units of a set; returns their bytes per point. */
static size_t add_units(const struct problem *problem, const uint64_t *set, double *shared,
                        struct cost_sums *sums)
{
    size_t bytes = 0;
    for (int w = 0; w < problem->words; w++) {
        for (uint64_t left = set[w]; left != 0; left &= left - 1) {
            const struct cost_unit *unit = &problem->base->unit[w * 64 + __builtin_ctzll(left)];
            *shared += unit->shared;
            sums->loaded += unit->loaded;
            sums->fast += unit->fast;
            bytes += unit->bytes;
        }
    }
    return bytes;
}

static bool is_complete(const struct problem *problem, const int *stage)
{
    for (int i = 0; i < problem->items; i++) {
        if (stage[i] < 0) {
            return false;
        }
    }
    return true;
}

/* Violation of the limits on staged bytes per point: 1 or more is a violation. */
static double find_excess(const struct problem *problem, const int *stage, const size_t *bytes)
{
    size_t largest = 0;
    int idle = 0;
    for (int s = 0; s < problem->cuts; s++) {
        largest = bytes[s] > largest ? bytes[s] : largest;
        idle += bytes[s] == 0;
    }
    double excess = problem->bytes_below > 0 ? (double)largest / (double)problem->bytes_below : 0;
    return idle > 0 && is_complete(problem, stage) ? fmax(excess, 1) + idle : excess;
}

/* live[s]: bytes of the variables that live across a boundary of stage s; s = cuts: at the updates.
 */
static void add_lives(const struct problem *problem, const int *stage, int *live)
{
    for (int k = 0; k < problem->vars; k++) {
        int v = problem->var[k];
        int first = problem->cuts;
        int last = -1;
        for (int i = problem->makers.first[v]; i < problem->makers.first[v + 1]; i++) {
            int s = stage[problem->makers.of[i]];
            first = s >= 0 && s < first ? s : first;
        }
        for (int i = problem->readers.first[v]; i < problem->readers.first[v + 1]; i++) {
            int s = stage[problem->readers.of[i]];
            last = s > last ? s : last;
        }
        last = problem->var_kept[v] ? problem->cuts : last;
        for (int s = first; first < last && s <= last; s++) {
            live[s] += problem->var_bytes[v];
        }
    }
}

/* The units of each stage, and in staged[cuts] those that no stage has yet. */
static void find_staged(const struct problem *problem, const int *stage, uint64_t *staged)
{
    size_t words = (size_t)problem->words;
    uint64_t *rest = staged + (size_t)problem->cuts * words;
    memset(staged, 0, ((size_t)problem->cuts + 1) * words * sizeof(*staged));
    for (int i = 0; i < problem->items; i++) {
        uint64_t *set = stage[i] >= 0 ? staged + (size_t)stage[i] * words : rest;
        for (size_t w = 0; w < words; w++) {
            set[w] |= problem->units[(size_t)i * words + w];
        }
    }
    for (size_t w = 0; w < words; w++) {
        for (int s = 0; s < problem->cuts; s++) {
            rest[w] &= ~staged[(size_t)s * words + w];
        }
    }
}

struct rank problem_rank(struct problem *problem, const int *stage)
{
    uint64_t staged[(size_t)(MAX_CUTS + 1) * (size_t)problem->words];
    int live[MAX_CUTS + 1] = {0};
    double shared[MAX_CUTS + 1] = {0};
    double all = 0;
    double largest = 0;
    size_t bytes[MAX_CUTS + 1] = {0};
    struct cost_sums sums = cost_start(problem->base, problem->cuts);
    struct rank rank = {.gained = false};
    find_staged(problem, stage, staged);
    add_lives(problem, stage, live);
    for (int s = 0; s <= problem->cuts; s++) {
        uint64_t *set = staged + (size_t)s * (size_t)problem->words;
        bytes[s] = add_units(problem, set, &shared[s], &sums);
        all += shared[s];
    }
    for (int s = 0; s < problem->cuts; s++) {
        largest = fmax(largest, shared[s]);
        rank.footprint = fmax(rank.footprint, shared[s] + (double)live[s] * COST_BLOCK);
    }
    for (int s = 0; s <= problem->cuts; s++) {
        sums.live_bytes = live[s] > sums.live_bytes ? live[s] : sums.live_bytes;
    }
    sums.shared = fmax(sums.shared, fmax(largest, all / problem->cuts));
    rank.time = cost_time(&sums, NULL);
    rank.excess = fmax(rank.footprint / problem->whole_footprint, largest / problem->whole_shared);
    rank.excess = fmax(rank.excess, find_excess(problem, stage, bytes));
    rank.gained = rank.excess < 1 - 1e-9;
    problem->steps += problem->items + problem->vars + problem->cuts * problem->base->units;
    return rank;
}
