/* rcb.h: recursive coordinate bisection of places, for starts that want more than
 * planner_blocks_rcb. */
#ifndef CLEAVE_BLOCKS_RCB_H
#define CLEAVE_BLOCKS_RCB_H

#include "../mesh.h"
#include "blocks.h"

/* Leaves of a bisection: leaf k holds the elements place[start[k]..start[k+1]-1].element. */
struct leaves {
    int count;
    int *start; /* [count+1], owned: free(start) */
};

/* Sorts place[count] into leaves of about `wanted` and at most `limit` places each (1 <= wanted <=
 * limit), never empty, such that leaves of near numbers are near. *place is replaced. Ties are
 * broken by element; equal for any number of threads. On failure -1, place is as it was or sorted
 * partly, and start is NULL. */
int planner_rcb_sort(struct leaves *leaves, struct place **place, int count, double wanted,
                     int limit, char error[PLANNER_ERROR]);

/* Turns all places such that a typical part of the mesh is well cut across the new directions:
 * boxes of hexahedra are then cut along their faces. Directions are not stretched. */
int planner_rcb_turn(struct place *place, int count, int dim, const struct plan_mesh *mesh,
                     char error[PLANNER_ERROR]);

/* Splits every leaf of `chunks` into leaves of about `wanted` and at most `limit` places, in
 * directions that suit the mesh there (axes.h): place[] is sorted further and its coordinates
 * become each chunk's own. dim 2 or 3. */
int planner_rcb_split(struct leaves *leaves, struct place *place, const struct leaves *chunks,
                      double wanted, int limit, int dim, const struct plan_mesh *mesh,
                      char error[PLANNER_ERROR]);

#endif
