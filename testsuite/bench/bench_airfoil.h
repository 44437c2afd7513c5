/* bench_airfoil.h: the parts of OP2's airfoil program that cpu_bench and gpu_bench share: precision
 * (double, or single with CPU_BENCH_FLOAT or GPU_BENCH_FLOAT), constants, and the kernels without
 * fluxes, expression by expression those of examples/airfoil. Each benchmark has fluxes of its own.
 */
#ifndef CLEAVE_BENCH_AIRFOIL_H
#define CLEAVE_BENCH_AIRFOIL_H

#include <math.h>

#if defined(CPU_BENCH_FLOAT) || defined(GPU_BENCH_FLOAT)
typedef float real;
#define REAL "float"
#define R(number) number##f
#define real_sqrt sqrtf
#define real_abs fabsf
#else
typedef double real;
#define REAL "double"
#define R(number) number
#define real_sqrt sqrt
#define real_abs fabs
#endif

#ifndef MAX /* op_seq.h has it */
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif

/* Constants of the kernels, declared to OP2 by the program. */
extern real gam, gm1, cfl, eps, qinf[4];

static inline void save_soln(const real *q, real *qold)
{
    for (int n = 0; n < 4; n++) {
        qold[n] = q[n];
    }
}

/* Speed of waves through a face (dx, dy) for the velocity (u, v) and the speed of sound c. */
static inline real face_speed(real dx, real dy, real u, real v, real c)
{
    return real_abs(u * dy - v * dx) + c * real_sqrt(dx * dx + dy * dy);
}

/* Area over time step of a cell with corners x1..x4. */
static inline void adt_calc(const real *x1, const real *x2, const real *x3, const real *x4,
                            const real *q, real *adt)
{
    const real ri = R(1.0) / q[0];
    const real u = ri * q[1];
    const real v = ri * q[2];
    const real c = real_sqrt(gam * gm1 * (ri * q[3] - R(0.5) * (u * u + v * v)));

    real speed = face_speed(x2[0] - x1[0], x2[1] - x1[1], u, v, c);
    speed += face_speed(x3[0] - x2[0], x3[1] - x2[1], u, v, c);
    speed += face_speed(x4[0] - x3[0], x4[1] - x3[1], u, v, c);
    speed += face_speed(x1[0] - x4[0], x1[1] - x4[1], u, v, c);
    *adt = speed / cfl;
}

static inline void update(const real *qold, real *q, real *res, const real *adt, real *rms,
                          real *maxerr)
{
    const real adti = R(1.0) / *adt;
    for (int n = 0; n < 4; n++) {
        const real delta = adti * res[n];
        q[n] = qold[n] - delta;
        res[n] = R(0.0);
        *rms += delta * delta;
        *maxerr = MAX(*maxerr, delta * delta);
    }
}

#endif
