/* gpu_bench_hydra.h: what the parts of gpu_bench_hydra share: the kernels and the mesh of
 * examples/hydra, and the expected results.
 */
#ifndef CLEAVE_GPU_BENCH_HYDRA_H
#define CLEAVE_GPU_BENCH_HYDRA_H

#include "examples/hydra/accu.h"
#include "examples/hydra/fields.h"
#include "examples/hydra/gradients.h"
#include "examples/hydra/iflux.h"
#include "examples/hydra/vflux.h"

static inline void clear_residual(double *res)
{
    for (int k = 0; k < NVAR; k++) {
        res[k] = 0.0;
    }
}

/* The largest n: 7 edges per vertex, three numbers per edge still have indices that fit an int. */
#define HYDRA_MOST 400

/* ---- mesh and expected results (gpu_bench_hydra_host.c) -------------------------------------- */

/* Results of the loops, all [components*vertices] and owned: edge sums of Edgecon, gradients after
 * btris and normalise, and what the other three loops add. */
struct hydra_expected {
    double *edge_grad; /* 18 */
    double *edge_lap;  /* 6 */
    double *grad;      /* 18 */
    double *lap;       /* 6 */
    double *res;       /* 6 */
    double *rvis;      /* 6 */
    double *B;         /* 25 */
    double *t;         /* 1 */
};

struct hydra_case {
    struct hydra_mesh mesh;
    struct hydra_expected expected;
};

/* A known norm; loops with their formulas leave nothing open, so every implementation has it. */
struct hydra_norm {
    const char *name;
    const double *value; /* borrowed */
    int components;
    double expected; /* Euclidean norm of all values; 0: not known for this mesh */
};
enum { HYDRA_NORMS = 6 };

/* Makes the box with n cubes a side and the fields of `mode` (1 linear, 2 smooth), and computes
 * what the loops give, one edge after the other. With `fault` 1 one density is wrong. */
void hydra_make(struct hydra_case *hydra, int n, int mode, int fault);
/* Numbers vertices, edges and triangles at random. */
void hydra_shuffle(struct hydra_case *hydra, unsigned long long seed);
void hydra_norms(const struct hydra_case *hydra, int mode, struct hydra_norm norm[HYDRA_NORMS]);
void hydra_free(struct hydra_case *hydra);

#endif
