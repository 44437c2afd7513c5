/* blocks.h: which elements go together: the starts and the improvements of planner_number.
 *
 * A start orders or partitions the elements of a plan_mesh; an improvement moves single elements
 * between blocks. Both see the mesh in an order in which near elements are near in memory, and both
 * work on chunks of blocks that no two threads touch, so that the result does not depend on the
 * threads. Literature: RCB M. Berger, S. Bokhari (1987); Hilbert curve; METIS G. Karypis, V. Kumar
 * (1998); greedy growth as in hypergraph neighbourhood expansion (C. Mayer et al., "HYPE", 2018);
 * moves in the manner of Fiduccia-Mattheyses on the connectivity objective (lambda - 1); S.
 * Kirkpatrick et al. (1983) for annealing.
 */
#ifndef CLEAVE_BLOCKS_H
#define CLEAVE_BLOCKS_H

#include "runtime/planner/mesh/mesh.h"

/* A partition of a mesh's elements. */
struct blocks {
    int *of;        /* [elements] block of each element, 0..count-1, in the mesh's order */
    int count;      /* blocks; some may be empty until blocks_close */
    int block_size; /* no block holds more */
};

/* The fill that starts aim at, so that improvements have room to move elements: blocks of 97 %.
 * METIS's parts may exceed the average by 3 % (paper 000). */
#define BLOCKS_FILL 0.97

/* The elements of block b become (*element)[(*start)[b]..(*start)[b+1]-1], ascending. Both arrays
 * are the caller's to free; -1 and NULL when there is no memory. */
int planner_blocks_lists(int **start, int **element, const struct blocks *blocks, int elements,
                         char error[PLANNER_ERROR]);

/* ---- a start that needs centres: hilbert.c -------------------------------------------------- */
/* centre as planner_mesh_centres gives it. Fills blocks->of and count. */
int planner_blocks_hilbert(struct blocks *blocks, const struct plan_mesh *mesh, const float *centre,
                           int dim, char error[PLANNER_ERROR]);

/* order[count] becomes the places along the curve, in boxes of 2^-bits of the whole: equal ones
 * keep their order. bits: of each coordinate; INT_MAX: as many as there are. */
int planner_blocks_curve(int *order, const struct place *place, int count, int dim, int bits,
                         char error[PLANNER_ERROR]);

/* ---- bisection of places: rcb.c, rcb_split.c
 * ------------------------------------------------------------- */

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

/* ---- starts from the graph: grow.c, levels.c, bands.c, metis.c
 * -------------------------------------- */
/* All need planner_mesh_touch. */

/* Graph-only coordinates (Harel and Koren's high-dimensional embedding: breadth-first distances
 * from a few pivots, principal components, smoothing): centre[elements*3]. */
int planner_blocks_pseudo_centres(float **centre, const struct plan_mesh *mesh,
                                  struct plan_phases *phases, char error[PLANNER_ERROR]);
/* Growth inside the chunks chunk_start[chunks+1] of consecutive elements; at most max_points unique
 * points per block (0: any number). */
int planner_blocks_grow(struct blocks *blocks, const struct plan_mesh *mesh, int chunks,
                        const int *chunk_start, int max_points, char error[PLANNER_ERROR]);
/* Runs of elements in reverse Cuthill-McKee order. */
int planner_blocks_rcm(struct blocks *blocks, const struct plan_mesh *mesh,
                       char error[PLANNER_ERROR]);
/* order[elements]: the elements in bands of a breadth-first search (bands.c), for CPUs; it depends
 * neither on the threads nor on blocks. */
int planner_blocks_bands(int *order, const struct plan_mesh *mesh, char error[PLANNER_ERROR]);
/* Runs of elements in Scotch's Gibbs-Poole-Stockmeyer order; -1 with a message, too, where
 * planner_blocks_gps_available is 0. */
int planner_blocks_gps(struct blocks *blocks, const struct plan_mesh *mesh,
                       const struct planner *planner, char error[PLANNER_ERROR]);
/* On the element graph: two elements are joined when they share a point. The tolerance is paper
 * 000's: parts = ceil(elements / (BLOCKS_FILL * block_size)), none above block_size (larger ones
 * are cut). k-way; k-way with edges weighted by the number of shared points; recursive bisection.
 * -1 with a message, too, where planner_blocks_metis_available is 0. */
int planner_blocks_metis(struct blocks *blocks, const struct plan_mesh *mesh,
                         const struct planner *planner, char error[PLANNER_ERROR]);
int planner_blocks_metis_weighted(struct blocks *blocks, const struct plan_mesh *mesh,
                                  const struct planner *planner, char error[PLANNER_ERROR]);
int planner_blocks_metis_recursive(struct blocks *blocks, const struct plan_mesh *mesh,
                                   const struct planner *planner, char error[PLANNER_ERROR]);
/* 1, or 0 when the library cannot be used, which is noted unless the caller wants it so ("none").
 */
int planner_blocks_gps_available(const struct planner *planner);
int planner_blocks_metis_available(const struct planner *planner);

/* ---- improvements: refine.c ---------------------------------------------------------------- */

struct blocks_improvement {
    int sweeps;         /* at most; stops earlier when a sweep gains almost nothing */
    double temperature; /* 0: only moves that do not lose; else of the first sweep, decaying to 0 */
    int max_points;     /* unique points per block, at most; blocks above it only shrink. 0: none */
};

/* Lessens the sum over points of the number of blocks that touch it; ties by the number of
 * neighbours in the block. Blocks consecutive in number should be near in space. The objective
 * never gets worse: a result that is worse than the start is dropped. */
int planner_blocks_improve(struct blocks *blocks, const struct plan_mesh *mesh,
                           const struct blocks_improvement *how, char error[PLANNER_ERROR]);

/* The sum over points of the blocks that touch it, and the largest number of unique points of a
 * block. */
struct blocks_quality {
    double touches;
    int max_points;
};
int planner_blocks_measure(struct blocks_quality *quality, const struct blocks *blocks,
                           const struct plan_mesh *mesh, char error[PLANNER_ERROR]);

#endif
