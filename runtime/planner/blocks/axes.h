/* axes.h: directions in which a mesh is best cut, found from a sample of it. */
#ifndef CLEAVE_BLOCKS_AXES_H
#define CLEAVE_BLOCKS_AXES_H

#include "runtime/planner/mesh/mesh.h"

/* New directions, each divided by the average extent that a point's elements have in it. */
struct axes {
    double to[3][3]; /* row i: the i-th new coordinate of a place is to[i] . (place - origin) */
};

/* Finds directions such that cuts across them meet few points, and that a box of equal sides has
 * the fewest points on its sides. sample[count]: elements near each other, some hundred; dim 2
 * or 3. 1 when directions were found, 0 when the sample says nothing, -1 when there is no memory.
 */
int planner_axes_find(struct axes *axes, const struct place *sample, int count, int dim,
                      const struct plan_mesh *mesh, char *error);
/* Makes all directions of one length. */
void planner_axes_unstretch(struct axes *axes);
/* Turns place[count] into the new directions, scaled to the range of places. */
void planner_axes_turn(struct place *place, int count, const struct axes *axes);

#endif
