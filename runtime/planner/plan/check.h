/* check.h: what the files of planner_check share; nobody else includes it. They share no code with
 * those that build plans, so that one mistake does not hide another. Every function returns 0, or
 * -1 with the first broken promise in check->error.
 */
#ifndef CLEAVE_PLAN_CHECK_H
#define CLEAVE_PLAN_CHECK_H

#include "runtime/planner/base/base.h"

/* The arguments of planner_check, borrowed. */
struct check {
    const struct cleave_plan *plan;
    int elements;
    int maps;
    const struct plan_map *map;
    char *error; /* [PLANNER_ERROR] */
};

/* Writes the message; returns -1. */
int planner_check_broken(const struct check *check, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Zeroed memory; NULL with a message. */
void *planner_check_scratch(const struct check *check, size_t count, size_t bytes);

/* The plan is for as many elements and maps as it is checked with. */
int planner_check_sizes(const struct check *check);

/* start[0..rows] runs from 0 to end and never descends. what: "blocks". */
int planner_check_offsets(const struct check *check, const int *start, int rows, int end,
                          const char *what);

/* list holds each of 0..count-1 once. what, places: "element", "position". */
int planner_check_permutation(const struct check *check, const int *list, int count,
                              const char *what, const char *places);

/* check_arrays.c: the plan (not its lists), or list m, has all arrays or none of each part in
 * `may`, all of each part in `must`, and none of all others. Sets of parts: 1u << enum plan_part.
 */
int planner_check_plan_arrays(const struct check *check, unsigned may, unsigned must);
int planner_check_list_arrays(const struct check *check, int m, unsigned may, unsigned must);

/* Blocks, threads and, if there are any, global colours. Requires blocks and order to be right. */
int planner_check_colours(const struct check *check);

/* Checks the colours of blocks. Requires blocks and order, or segments, to be right. */
int planner_check_block_colours(const struct check *check);

/* All of list m. Requires blocks and order to be right. */
int planner_check_list(const struct check *check, int m);

/* check_gather.c: gather lists and runs of list m, if there are any. Requires the rest of the list.
 */
int planner_check_gather(const struct check *check, int m);
int planner_check_runs(const struct check *check, int m);
/* check_sums.c: sums of blocks of list m, if there are any. Requires its gather lists. */
int planner_check_sums(const struct check *check, int m);

/* check_entries.c: all of list m, whose map starts at another set. */
int planner_check_entries(const struct check *check, int m);

/* plan->distinct, if it is there. */
int planner_check_distinct(const struct check *check);

/* Data is modified through used column k. */
static inline int plan_check_modifies(const struct plan_map *map, int k)
{
    return (map->conflicts & 1u << k) != 0;
}

/* How many of the used columns data is modified through. */
static inline int plan_check_modified(const struct plan_map *map)
{
    int modified = 0;
    for (int k = 0; k < map->columns; k++) {
        modified += plan_check_modifies(map, k);
    }
    return modified;
}

#endif
