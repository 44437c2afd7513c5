/* gpu_bench_hydra.h: what the parts of gpu_bench_hydra share: the kernels of its small loops, and
 * the mesh with its fields and the expected results.
 *
 * Fields are those of a vertex-centred solver (five variables of the flow and one of turbulence):
 * q = (rho, rho u, rho v, rho w, rho E, rho nu), w = (p, u, v, w, T, nu), pc = (p, c),
 * th = (p, T, c, H, mu_l, mu_t), mu = (mu_l, mu_t, kappa, distance to the wall, c).
 */
#ifndef CLEAVE_GPU_BENCH_HYDRA_H
#define CLEAVE_GPU_BENCH_HYDRA_H

#include "gpu_bench_tetbox.h"
#include "kernels/hydra.h"

/* Everything that the edge loops read, from the conserved variables. */
static inline void prims(const double *q, double *w, double *pc, double *th, double *mu)
{
    primitives(q, w);
    const double c = sqrt(gam * w[0] / q[0]);
    const double laminar = 1e-3 * pow(1.4 * w[4], 0.75);
    const double chi = q[5] / laminar;
    const double cubed = chi * chi * chi;
    const double turbulent = q[5] * cubed / (cubed + 357.911);
    pc[0] = w[0];
    pc[1] = c;
    th[0] = w[0];
    th[1] = w[4];
    th[2] = c;
    th[3] = (q[4] + w[0]) / q[0];
    th[4] = laminar;
    th[5] = turbulent;
    mu[0] = laminar;
    mu[1] = turbulent;
    mu[2] = gam / gm1 * (laminar / prl + turbulent / prt);
    mu[4] = c;
}

/* The boundary's part of the gradients, exact for linear fields: the values at a corner's third of
 * the triangle, whose area vector points outwards. */
static inline void btris(const double *w1, const double *w2, const double *w3, double *grad1,
                         double *grad2, double *grad3, const double *A)
{
    for (int k = 0; k < NVAR; k++) {
        const double sum = w1[k] + w2[k] + w3[k];
        for (int d = 0; d < 3; d++) {
            const double share = A[d] / 24.0;
            grad1[3 * k + d] += (5.0 * w1[k] + sum) * share;
            grad2[3 * k + d] += (5.0 * w2[k] + sum) * share;
            grad3[3 * k + d] += (5.0 * w3[k] + sum) * share;
        }
    }
}

static inline void normalise(double *grad, double *lap, const double *vol, const double *iw)
{
    for (int k = 0; k < 3 * NVAR; k++) {
        grad[k] /= *vol;
    }
    for (int k = 0; k < NVAR; k++) {
        lap[k] /= *iw;
    }
}

static inline void clear_gradients(double *grad, double *lap)
{
    for (int k = 0; k < 3 * NVAR; k++) {
        grad[k] = 0.0;
    }
    for (int k = 0; k < NVAR; k++) {
        lap[k] = 0.0;
    }
}

static inline void clear_residual(double *res)
{
    for (int k = 0; k < NVAR; k++) {
        res[k] = 0.0;
    }
}

static inline void clear_blocks(double *B, double *t)
{
    for (int k = 0; k < 25; k++) {
        B[k] = 0.0;
    }
    *t = 0.0;
}

/* ---- mesh, fields and expected results (gpu_bench_hydra_host.c) -------------------------------
 */

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
    struct tetbox box;
    double *q;    /* [6*vertices], owned */
    double *wall; /* [vertices] distance to the wall, owned */
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
