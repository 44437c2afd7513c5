/* refine.c: planner_blocks_improve: better blocks by moves of single elements.
 *
 * In: blocks of which near ones have near numbers. Out: the same number of blocks with fewer
 * points. Groups of 256 consecutive blocks are improved by one thread each (refine_state.c,
 * refine_sweep.c); elements stay in their group. In the next round the groups are shifted, so that
 * elements at the limits of one round's groups move in the next. Groups do not depend on the
 * threads.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/planner/blocks/blocks.h"
#include "runtime/planner/blocks/refine_state.h"

/* Sweeps of one round, in each group. */
#define REFINE_ROUND 3
#define ANNEAL_ROUND 4
/* A sweep that gains less than this part of all (point, block) pairs is the last of its group. */
#define LEAST_GAIN 0.0005

struct lists {
    int blocks;
    int largest;  /* elements of any GROUP_BLOCKS blocks, at most */
    int *start;   /* [blocks+1] */
    int *element; /* [elements] block after block */
};

struct round {
    int number;
    int shift; /* the first group's blocks; the others have GROUP_BLOCKS */
    int sweeps;
    int first_sweep; /* of all rounds' */
    const struct blocks_improvement *how;
};

/* ---- elements by block ---------------------------------------------------------------------- */

static int make_lists(struct lists *lists, const struct blocks *blocks, int elements, char *error)
{
    int64_t largest = (int64_t)GROUP_BLOCKS * blocks->block_size;
    *lists = (struct lists){.blocks = blocks->count,
                            .largest = largest < elements ? (int)largest : elements};
    return planner_blocks_lists(&lists->start, &lists->element, blocks, elements, error);
}

static void free_lists(struct lists *lists)
{
    free(lists->start);
    free(lists->element);
}

/* Writes a group's blocks back into the places that they came from. */
static void store_group(const struct group *group, int *start, int *element, int *scratch)
{
    int next[GROUP_BLOCKS];
    int at = 0;
    for (int b = 0; b < group->blocks; b++) {
        next[b] = at;
        at += group->size[b];
        if (b + 1 < group->blocks) {
            start[b + 1] = start[0] + at;
        }
    }
    for (int i = 0; i < group->elements; i++) {
        scratch[next[group->of[i]]++] = group->element[i];
    }
    memcpy(element + start[0], scratch, (size_t)group->elements * sizeof *scratch);
}

/* ---- rounds --------------------------------------------------------------------------------- */

static double temperature_of(const struct round *round, int sweep)
{
    double part = (double)(round->first_sweep + sweep) / round->how->sweeps;
    return round->how->temperature * (1 - part);
}

static long pairs_of(const struct group *group)
{
    long pairs = 0;
    for (int b = 0; b < group->blocks; b++) {
        pairs += group->uniques[b];
    }
    return pairs;
}

static long improve_group(struct group *group, const struct round *round)
{
    long all = 0;
    for (int s = 0; s < round->sweeps; s++) {
        struct sweep sweep = {.number = s + 1,
                              .all = s == 0 || round->how->temperature > 0,
                              .temperature = temperature_of(round, s),
                              .seed = (uint64_t)(round->first_sweep + s + 1)};
        long gain = planner_group_sweep(group, &sweep);
        all += gain;
        if (round->how->temperature <= 0 && (double)gain < LEAST_GAIN * (double)pairs_of(group)) {
            break;
        }
    }
    return all;
}

/* The first block of group g. */
static int group_start(const struct round *round, int g, int blocks)
{
    int64_t first = g == 0 ? 0 : (int64_t)(g - 1) * GROUP_BLOCKS + round->shift;
    return first < blocks ? (int)first : blocks;
}

static int run_group(struct group *group, struct lists *lists, const struct round *round, int g,
                     int *scratch, long *gain, char *error)
{
    int first = group_start(round, g, lists->blocks);
    int blocks = group_start(round, g + 1, lists->blocks) - first;
    if (blocks < 2) {
        return 0;
    }
    if (planner_group_load(group, blocks, lists->start + first, lists->element, error) != 0) {
        return -1;
    }
    *gain += improve_group(group, round);
    store_group(group, lists->start + first, lists->element, scratch);
    return 0;
}

/* One round over all groups; *gain becomes how many (point, block) pairs there are less. */
static int run_round(struct lists *lists, const struct plan_mesh *mesh, int block_size,
                     const struct round *round, long *gain, char *error)
{
    int groups = (lists->blocks - round->shift + GROUP_BLOCKS - 1) / GROUP_BLOCKS + 1;
    int failed = 0;
    long sum = 0;
#pragma omp parallel reduction(+ : sum)
    {
        char message[PLANNER_ERROR] = "";
        struct group group;
        int *scratch =
            planner_memory((size_t)lists->largest, sizeof *scratch, "a group of blocks", message);
        int ready =
            scratch != NULL && planner_group_reserve(&group, mesh, lists->largest, message) == 0;
        if (ready) {
            group.block_size = block_size;
            group.max_points = round->how->max_points;
        }
#pragma omp for schedule(dynamic, 1)
        for (int g = 0; g < groups; g++) {
            if (!ready || run_group(&group, lists, round, g, scratch, &sum, message) != 0) {
#pragma omp critical(cleave_refine_failed)
                {
                    failed = 1;
                    memcpy(error, message, PLANNER_ERROR);
                }
            }
        }
        if (ready) {
            planner_group_release(&group);
        }
        free(scratch);
    }
    *gain = sum;
    return failed ? -1 : 0;
}

/* Shifts of the groups' limits, round after round: halves, then quarters. */
static int shift_of(int round, int blocks)
{
    static const int PART[] = {4, 2, 1, 3};
    return blocks <= GROUP_BLOCKS ? GROUP_BLOCKS : PART[round % 4] * (GROUP_BLOCKS / 4);
}

static int improve(struct lists *lists, const struct plan_mesh *mesh, int block_size,
                   const struct blocks_improvement *how, long *all, char *error)
{
    int sweeps = how->temperature > 0 ? ANNEAL_ROUND : REFINE_ROUND;
    *all = 0;
    for (int first = 0, number = 0; first < how->sweeps; first += sweeps, number++) {
        long gain;
        int left = how->sweeps - first;
        struct round round = {number, shift_of(number, lists->blocks),
                              left < sweeps ? left : sweeps, first, how};
        if (run_round(lists, mesh, block_size, &round, &gain, error) != 0) {
            return -1;
        }
        *all += gain;
        if (how->temperature <= 0 && (double)gain < LEAST_GAIN * mesh->points) {
            break;
        }
    }
    return 0;
}

int planner_blocks_improve(struct blocks *blocks, const struct plan_mesh *mesh,
                           const struct blocks_improvement *how, char error[PLANNER_ERROR])
{
    struct lists lists;
    long gain = 0;
    if (mesh->elements == 0 || mesh->arity == 0 || blocks->count < 2 || how->sweeps < 1) {
        return 0;
    }
    int status = make_lists(&lists, blocks, mesh->elements, error);
    if (status == 0) {
        status = improve(&lists, mesh, blocks->block_size, how, &gain, error);
    }
    if (status == 0 && gain >= 0) {
#pragma omp parallel for schedule(static)
        for (int b = 0; b < lists.blocks; b++) {
            for (int i = lists.start[b]; i < lists.start[b + 1]; i++) {
                blocks->of[lists.element[i]] = b;
            }
        }
    }
    free_lists(&lists);
    return status;
}
