/* chain_hand_mesh.h: meshes for the fused kernels of chain_hand.cu, in the order in which the
 * kernels visit them.
 *
 * Functions end the program with 1 and a message if memory is missing or the planner fails.
 */
#ifndef CLEAVE_CHAIN_HAND_MESH_H
#define CLEAVE_CHAIN_HAND_MESH_H

#include "examples/airfoil/mesh.h"
#include "runtime/api/cleave_gen.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Renumbers elements and points: `order` is "natural" (nothing), "shuffled" (at random) or a method
 * of the planner, such as "rcm" or "rcb+refine", that numbers the edges, and the points by them. */
void chain_order_airfoil(struct mesh *mesh, const char *order);
/* ends: [nedge][2] points below nnode; a: [nedge] of the edges; number: [nnode] a new number of
 * each point, out. at: [nnode][2] coordinates of the points. */
void chain_order_graph(int nnode, int nedge, int *ends, double *a, double *at, int *number,
                       const char *order);

/* The elements that name each point, one row of 32 lanes after the other: slice s is that of the
 * points 32*s .. 32*s+31, with the rows start[s] .. start[s+1]-1. Entry row*32 + lane. */
struct chain_slices {
    int slices;
    int *start; /* [slices+1] */
    int *item;  /* [start[slices]*32][2]: element*columns + column, other; other < 0: no element */
};

/* Items of points below `points` through the columns of `modified` of a map with two columns, in
 * ascending order. other: the point in the element's other column. */
struct chain_slices chain_slices_of(int points, int elements, const int *map, unsigned modified);
/* As chain_slices_of(mesh->ncell, ...) for cells, and boundary edges behind the edges of a cell:
 * {boundary edge, -1 - its kind}, with -1 for no element. */
struct chain_slices chain_slices_of_cells(const struct mesh *mesh);
/* The boundary edges of cells alone. */
struct chain_slices chain_slices_of_boundary(const struct mesh *mesh);
void chain_slices_free(struct chain_slices *slices);

/* Returns a plan of the runtime for points (block_size 0) or for blocks of points; map: two
 * columns, those of `modified` modify. */
struct cleave_plan *chain_plan(int elements, int points, const int *map, unsigned modified,
                               int block_size);
void chain_plan_free(struct cleave_plan *plan);

#ifdef __cplusplus
}
#endif
#endif
