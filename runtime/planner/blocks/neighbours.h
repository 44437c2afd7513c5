/* neighbours.h: the points beside each point, in one array, for searches that visit points often.
 */
#ifndef CLEAVE_NEIGHBOURS_H
#define CLEAVE_NEIGHBOURS_H

#include "runtime/planner/mesh/mesh.h"

/* The points that share an element with p are point[start[p]]..point[end[p]-1], each once, without
 * p itself, in rising order of rank. */
struct neighbours {
    int64_t *start; /* [points], owned */
    int64_t *end;   /* [points], owned */
    int *point;     /* owned; there may be gaps between lists */
};

/* Points of fewer elements have the lower rank; of two with equally many, the one with the lower
 * number. */
static inline uint64_t planner_neighbours_rank(const struct plan_mesh *mesh, int point)
{
    uint64_t elements = (uint64_t)(mesh->touch_start[point + 1] - mesh->touch_start[point]);
    return elements << 32 | (uint32_t)point;
}

/* Fills *near from a mesh with touch. Both functions run in parallel; their results do not depend
 * on the threads. -1 with a message without memory; planner_neighbours_free() in any case. */
int planner_neighbours_make(struct neighbours *near, const struct plan_mesh *mesh, char *error);
/* Fills *near with the graph of *from under other numbers: point order[i] of `from` becomes i.
 * number[order[i]] == i. */
int planner_neighbours_renumber(struct neighbours *near, const struct neighbours *from, int points,
                                const int *order, const int *number, char *error);
void planner_neighbours_free(struct neighbours *near);

#endif
