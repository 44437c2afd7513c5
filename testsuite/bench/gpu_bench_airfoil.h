/* gpu_bench_airfoil.h: the kernels of OP2's airfoil program, in double or (with GPU_BENCH_FLOAT) in
 * single precision: inviscid flow round an aerofoil, a finite-volume scheme with the values in the
 * cells.
 */
#ifndef CLEAVE_GPU_BENCH_AIRFOIL_H
#define CLEAVE_GPU_BENCH_AIRFOIL_H

#include "bench_airfoil.h"

static inline void clear_res(real *res)
{
    for (int k = 0; k < 4; k++) {
        res[k] = R(0.0);
    }
}

static inline real pressure(const real *q)
{
    return gm1 * (q[3] - R(0.5) * (q[1] * q[1] + q[2] * q[2]) / q[0]);
}

/* Flux through the edge from x2 to x1 between states q1 and q2, smoothed by mu. */
static inline void edge_flux(const real *x1, const real *x2, const real *q1, const real *q2,
                             real mu, real *f)
{
    const real dx = x1[0] - x2[0];
    const real dy = x1[1] - x2[1];
    const real p1 = pressure(q1);
    const real p2 = pressure(q2);
    const real v1 = (q1[1] * dy - q1[2] * dx) / q1[0];
    const real v2 = (q2[1] * dy - q2[2] * dx) / q2[0];
    f[0] = R(0.5) * (v1 * q1[0] + v2 * q2[0]) + mu * (q1[0] - q2[0]);
    f[1] = R(0.5) * (v1 * q1[1] + p1 * dy + v2 * q2[1] + p2 * dy) + mu * (q1[1] - q2[1]);
    f[2] = R(0.5) * (v1 * q1[2] - p1 * dx + v2 * q2[2] - p2 * dx) + mu * (q1[2] - q2[2]);
    f[3] = R(0.5) * (v1 * (q1[3] + p1) + v2 * (q2[3] + p2)) + mu * (q1[3] - q2[3]);
}

static inline void res_calc(const real *x1, const real *x2, const real *q1, const real *q2,
                            const real *adt1, const real *adt2, real *res1, real *res2)
{
    real f[4];
    edge_flux(x1, x2, q1, q2, R(0.5) * (*adt1 + *adt2) * eps, f);
    for (int k = 0; k < 4; k++) {
        res1[k] += f[k];
        res2[k] -= f[k];
    }
}

/* bound: 1 a wall, else the free stream. */
static inline void bres_calc(const real *x1, const real *x2, const real *q1, const real *adt1,
                             real *res1, const int *bound)
{
    real f[4];
    if (*bound == 1) {
        const real p = pressure(q1);
        res1[1] += p * (x1[1] - x2[1]);
        res1[2] -= p * (x1[0] - x2[0]);
    } else {
        edge_flux(x1, x2, q1, qinf, *adt1 * eps, f);
        for (int k = 0; k < 4; k++) {
            res1[k] += f[k];
        }
    }
}

#endif
