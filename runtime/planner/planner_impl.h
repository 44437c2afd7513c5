/* planner_impl.h: what the planner's rooms share; nobody outside runtime/planner includes it. */
#ifndef CLEAVE_PLANNER_IMPL_H
#define CLEAVE_PLANNER_IMPL_H

#include "planner.h"

/* ---- memory.c ------------------------------------------------------------------------------ */

/* count * bytes of memory, not zeroed, aligned to 64 bytes, never NULL for a count of 0. NULL with
 * a message that names the size and what it is for ("the blocks of a plan") when there is not
 * enough. `error` may be NULL. Freed by free(). */
void *planner_memory(size_t count, size_t bytes, const char *what, char *error);
/* The same, zeroed in parallel. */
void *planner_zeroed(size_t count, size_t bytes, const char *what, char *error);

/* Times a phase: begin, then end with its name. phases NULL: nothing. */
double planner_clock(void);
void planner_phase(struct plan_phases *phases, const char *name, double begin, int serial);

/* 0, or -1 when sizes or entries of maps are out of range; runs in parallel, names the first. */
int planner_check_input(int elements, int maps, const struct plan_map *map, int block_size,
                        char error[PLANNER_ERROR]);

/* ---- mesh.c -------------------------------------------------------------------------------- */

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

/* ---- sort.c -------------------------------------------------------------------------------- */

/* order[count] becomes the permutation that sorts key[0..count-1], stable: parallel radix sort of
 * 64-bit keys of which only the low `bits` count. */
int planner_sort(int *order, const uint64_t *key, int count, int bits, char error[PLANNER_ERROR]);
/* start[count+1] = exclusive prefix sums of start[0..count-1]; start[count] the total. In parallel.
 */
void planner_prefix(int64_t *start, int64_t count);

#endif
