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

#include "../planner_impl.h"

/* A partition of a mesh's elements. */
struct blocks {
    int *of;        /* [elements] block of each element, 0..count-1, in the mesh's order */
    int count;      /* blocks; some may be empty until blocks_close */
    int block_size; /* no block holds more */
};

/* The fill that starts aim at, so that improvements have room to move elements: blocks of 97 %.
 * METIS's parts may exceed the average by 3 % (paper 000). */
#define BLOCKS_FILL 0.97

/* ---- starts that need centres: rcb.c, hilbert.c -------------------------------------------- */
/* centre as planner_mesh_centres gives it. Fill blocks->of and count. */
int planner_blocks_rcb(struct blocks *blocks, const struct plan_mesh *mesh, const float *centre,
                       int dim, char error[PLANNER_ERROR]);
int planner_blocks_hilbert(struct blocks *blocks, const struct plan_mesh *mesh, const float *centre,
                           int dim, char error[PLANNER_ERROR]);

/* ---- starts from the graph: grow.c, levels.c, metis.c -------------------------------------- */
/* All need planner_mesh_touch. */

/* Graph-only coordinates (Harel and Koren's high-dimensional embedding: breadth-first distances
 * from a few pivots, principal components, smoothing): centre[elements*3]. */
int planner_blocks_pseudo_centres(float **centre, const struct plan_mesh *mesh,
                                  struct plan_phases *phases, char error[PLANNER_ERROR]);
/* Growth inside the chunks chunk_start[chunks+1] of consecutive elements; at most max_points unique
 * points per block (0: any number). */
int planner_blocks_grow(struct blocks *blocks, const struct plan_mesh *mesh, int chunks,
                        const int *chunk_start, int max_points, char error[PLANNER_ERROR]);
/* Runs of elements in RCM or GPS order. -1 with error when Scotch is missing: see
 * planner_blocks_gps_available. */
int planner_blocks_rcm(struct blocks *blocks, const struct plan_mesh *mesh,
                       char error[PLANNER_ERROR]);
int planner_blocks_gps(struct blocks *blocks, const struct plan_mesh *mesh,
                       char error[PLANNER_ERROR]);
int planner_blocks_gps_available(void);
/* On the element graph: two elements are joined when they share a point; the tolerance is paper
 * 000's: parts = ceil(elements / (BLOCKS_FILL * block_size)), none above block_size (larger ones
 * are cut). */
int planner_blocks_metis(struct blocks *blocks, const struct plan_mesh *mesh, enum plan_start which,
                         char error[PLANNER_ERROR]);
int planner_blocks_metis_available(void);

/* ---- improvements: refine.c ---------------------------------------------------------------- */

struct blocks_improvement {
    int sweeps;         /* at most; stops earlier when a sweep gains almost nothing */
    double temperature; /* 0: only moves that do not lose; else of the first sweep, decaying to 0 */
    int max_points;     /* unique points per block, at most; blocks above it only shrink. 0: none */
};

/* Lessens the sum over points of the number of blocks that touch it; ties by the number of
 * neighbours in the block. Blocks consecutive in number should be near in space. The objective never
 * gets worse: a result that is worse than the start is dropped. */
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
