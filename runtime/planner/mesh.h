/* mesh.h: what planner_number does to a mesh besides planner_impl.h's functions. */
#ifndef CLEAVE_PLANNER_MESH_H
#define CLEAVE_PLANNER_MESH_H

#include "planner_impl.h"

/* Renumbers the points by their first element, so that near points are near in memory, and forgets
 * points that nothing touches. The sets are then mixed. Drops touch. -1 with a message when there
 * is no memory. */
int planner_mesh_renumber_points(struct plan_mesh *mesh, char error[PLANNER_ERROR]);

/* Where an element is, in whole numbers: boundary layers need more than the 24 bits of a float.
 * Equal places are told apart by the element. */
#define PLACE_UNIT ((double)(1 << 30))
struct place {
    int at[3];   /* unused directions 0; differences may pass 2^31 */
    int element; /* in the mesh's order */
};

/* place[elements]: the centres of planner_mesh_centres times PLACE_UNIT. Owned by the caller; NULL
 * when no map leads to the coordinates' set, or they are none. */
int planner_mesh_places(struct place **place, const struct plan_mesh *mesh, int maps,
                        const struct plan_map *map, const struct plan_coordinates *coordinates,
                        char error[PLANNER_ERROR]);
/* The same of centre[elements*dim], of any size; what is not finite becomes 0. */
int planner_mesh_places_of_centres(struct place **place, int elements, const float *centre, int dim,
                                   char error[PLANNER_ERROR]);

#endif
