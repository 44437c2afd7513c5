/* mesh.h: the elements and points of a numbering as one array, and where the elements are in space.
 */
#ifndef CLEAVE_PLANNER_MESH_H
#define CLEAVE_PLANNER_MESH_H

#include "runtime/planner/base/base.h"

/* A loop's elements and points in one piece: the points of all target sets are numbered one set
 * after the other, all used columns of all maps stand side by side. Elements may be in another
 * order than the user's (planner_mesh_permute), so that near elements are near in memory. */
struct plan_mesh {
    int elements;
    int arity;  /* points of an element, repeats kept; 0 without maps */
    int points; /* of all target sets together */
    int *point; /* [elements*arity] row-major, values in 0..points-1 */
    /* The elements of each point, ascending, each once: from touch_start[p] to touch_start[p+1]-1.
     * 64-bit, because arity * elements may pass 2^31. NULL until planner_mesh_touch. */
    int64_t *touch_start; /* [points+1] */
    int *touch;           /* [touch_start[points]] */
    int *user;            /* [elements] the user's number of each element; NULL: the same */
};

int planner_mesh_make(struct plan_mesh *mesh, int elements, int maps, const struct plan_map *map,
                      char error[PLANNER_ERROR]);
/* Fills touch_start and touch. */
int planner_mesh_touch(struct plan_mesh *mesh, char error[PLANNER_ERROR]);
/* Element at position i becomes element order[i] of now; touch is dropped. */
int planner_mesh_permute(struct plan_mesh *mesh, const int *order, char error[PLANNER_ERROR]);
void planner_mesh_free(struct plan_mesh *mesh);

/* Centres of the elements, the mean of those of their points that have coordinates, in the mesh's
 * order: centre[elements*dim] float, turned by fixed angles so that no axis of the user's is an
 * axis of bisection (boxes are cut badly along their own axes). NULL when no map leads to the
 * coordinates' set. */
int planner_mesh_centres(float **centre, const struct plan_mesh *mesh, int maps,
                         const struct plan_map *map, const struct plan_coordinates *coordinates,
                         char error[PLANNER_ERROR]);

/* Renumbers the points by their first element, so that near points are near in memory, and forgets
 * points that nothing touches. The sets are then mixed. Drops touch. -1 with a message when there
 * is no memory. */
int planner_mesh_renumber_points(struct plan_mesh *mesh, char error[PLANNER_ERROR]);

/* The place of an element, in whole numbers: boundary layers need more than the 24 bits of a float.
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
/* Likewise of points themselves: place[points], with the point in the place of the element. */
int planner_mesh_places_of_points(struct place **place, const struct plan_coordinates *coordinates,
                                  int points, char error[PLANNER_ERROR]);
/* Like planner_mesh_places, for centre[elements*dim] of any size; values that are not finite become
 * 0. */
int planner_mesh_places_of_centres(struct place **place, int elements, const float *centre, int dim,
                                   char error[PLANNER_ERROR]);

#endif
