/* gpu_bench_lulesh.h: what the parts of gpu_bench_lulesh share: the kernels, which are those of the
 * example, and the mesh with its fields and the expected results.
 *
 * A cube of s*s*s hexahedra with edge 1.125, deformed smoothly inside. Node (i, j, k) has number
 * i + (s+1)(j + (s+1)k); corners of an element in LULESH's order, round the lower face, then round
 * the upper one.
 */
#ifndef CLEAVE_GPU_BENCH_LULESH_H
#define CLEAVE_GPU_BENCH_LULESH_H

#include "examples/lulesh/grouped_forces.h"

/* The largest s: 24 numbers per element still have indices that fit an int. */
#define LULESH_MOST 440

struct lulesh_case {
    int s;
    int nodes;
    int elements;
    int *corner;    /* [8*elements], owned as all arrays here */
    double *x;      /* [3*nodes] */
    double *xd;     /* [3*nodes] velocities */
    double *sig;    /* [3*elements] normal stresses */
    double *x8;     /* [24*elements] positions of the corners, [8][3] for each element */
    double *dvd;    /* [24*elements] derivatives of the volume by them */
    double *volume; /* [elements] */
    double *ss;     /* [elements] speed of sound */
    double *mass;   /* [elements] */
    /* Expected: */
    double *determ;    /* [elements] */
    double *stress;    /* [3*nodes] forces of integrate_stress */
    double *hourglass; /* [3*nodes] forces of hourglass */
    double linear; /* largest hourglass force of linear velocities, relative to that of these: 0 but
                      for rounding */
};

/* Makes the mesh and its fields, and computes what the loops give. With `fault` 1 one node is
 * misplaced. */
void lulesh_make(struct lulesh_case *lulesh, int s, int fault);
/* Numbers nodes and elements at random. */
void lulesh_shuffle(struct lulesh_case *lulesh, unsigned long long seed);
void lulesh_free(struct lulesh_case *lulesh);

#endif
