/* cpu_bench_airfoil.h: airfoil for cpu_bench, in double or, with CPU_BENCH_FLOAT, in single
 * precision: the kernels, expression by expression those of examples/airfoil, and what the program
 * (cpu_bench_airfoil.c) wants of the two files with its loops, one of which is linked to it:
 * cpu_bench_airfoil_op2.c and cpu_bench_airfoil_plain.c.
 */
#ifndef CLEAVE_CPU_BENCH_AIRFOIL_H
#define CLEAVE_CPU_BENCH_AIRFOIL_H

#include "bench_airfoil.h"
#include "examples/airfoil/mesh.h"

/* The numbers of the loops in an iteration. */
enum { SAVE_SOLN, ADT_CALC, RES_CALC, BRES_CALC, UPDATE, AIRFOIL_LOOPS };

/* Makes the program's data of the mesh, every cell with the state qinf; x: the nodes' coordinates.
 * The caller may free what it passes. */
void airfoil_declare(const struct mesh *mesh, const real *x);
/* One call of each loop, in the order of the numbers above. */
extern void (*const airfoil_run[AIRFOIL_LOOPS])(void);
/* The sum of the squared changes in the last `update`. */
double airfoil_sum(void);
void airfoil_end(void);

static inline void res_calc(const real *x1, const real *x2, const real *q1, const real *q2,
                            const real *adt1, const real *adt2, real *res1, real *res2)
{
    const real dx = x1[0] - x2[0];
    const real dy = x1[1] - x2[1];

    real ri = R(1.0) / q1[0];
    const real p1 = gm1 * (q1[3] - R(0.5) * ri * (q1[1] * q1[1] + q1[2] * q1[2]));
    const real vol1 = ri * (q1[1] * dy - q1[2] * dx);

    ri = R(1.0) / q2[0];
    const real p2 = gm1 * (q2[3] - R(0.5) * ri * (q2[1] * q2[1] + q2[2] * q2[2]));
    const real vol2 = ri * (q2[1] * dy - q2[2] * dx);

    const real mu = R(0.5) * (*adt1 + *adt2) * eps;

    real f = R(0.5) * (vol1 * q1[0] + vol2 * q2[0]) + mu * (q1[0] - q2[0]);
    res1[0] += f;
    res2[0] -= f;

    f = R(0.5) * (vol1 * q1[1] + p1 * dy + vol2 * q2[1] + p2 * dy) + mu * (q1[1] - q2[1]);
    res1[1] += f;
    res2[1] -= f;

    f = R(0.5) * (vol1 * q1[2] - p1 * dx + vol2 * q2[2] - p2 * dx) + mu * (q1[2] - q2[2]);
    res1[2] += f;
    res2[2] -= f;

    f = R(0.5) * (vol1 * (q1[3] + p1) + vol2 * (q2[3] + p2)) + mu * (q1[3] - q2[3]);
    res1[3] += f;
    res2[3] -= f;
}

static inline void bres_calc(const real *x1, const real *x2, const real *q1, const real *adt1,
                             real *res1, const int *bound)
{
    const real dx = x1[0] - x2[0];
    const real dy = x1[1] - x2[1];

    real ri = R(1.0) / q1[0];
    const real p1 = gm1 * (q1[3] - R(0.5) * ri * (q1[1] * q1[1] + q1[2] * q1[2]));

    if (*bound == BOUND_WALL) {
        res1[1] += p1 * dy;
        res1[2] -= p1 * dx;
    } else {
        const real vol1 = ri * (q1[1] * dy - q1[2] * dx);

        ri = R(1.0) / qinf[0];
        const real p2 = gm1 * (qinf[3] - R(0.5) * ri * (qinf[1] * qinf[1] + qinf[2] * qinf[2]));
        const real vol2 = ri * (qinf[1] * dy - qinf[2] * dx);

        const real mu = *adt1 * eps;

        res1[0] += R(0.5) * (vol1 * q1[0] + vol2 * qinf[0]) + mu * (q1[0] - qinf[0]);
        res1[1] +=
            R(0.5) * (vol1 * q1[1] + p1 * dy + vol2 * qinf[1] + p2 * dy) + mu * (q1[1] - qinf[1]);
        res1[2] +=
            R(0.5) * (vol1 * q1[2] - p1 * dx + vol2 * qinf[2] - p2 * dx) + mu * (q1[2] - qinf[2]);
        res1[3] += R(0.5) * (vol1 * (q1[3] + p1) + vol2 * (qinf[3] + p2)) + mu * (q1[3] - qinf[3]);
    }
}

#endif
