/* gpu_bench_airfoil.h: the kernels of OP2's airfoil program, in double or (with GPU_BENCH_FLOAT) in
 * single precision: inviscid flow round an aerofoil, a finite-volume scheme with the values in the
 * cells.
 */
#ifndef CLEAVE_GPU_BENCH_AIRFOIL_H
#define CLEAVE_GPU_BENCH_AIRFOIL_H

#include <math.h>

#ifdef GPU_BENCH_FLOAT
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

/* Constants of the kernels, declared to OP2 by the program. */
extern real gam, gm1, cfl, eps, qinf[4];

static inline void save_soln(const real *q, real *qold)
{
    for (int k = 0; k < 4; k++) {
        qold[k] = q[k];
    }
}

static inline void clear_res(real *res)
{
    for (int k = 0; k < 4; k++) {
        res[k] = R(0.0);
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
    const real r = R(1.0) / q[0];
    const real u = r * q[1];
    const real v = r * q[2];
    const real c = real_sqrt(gam * gm1 * (r * q[3] - R(0.5) * (u * u + v * v)));
    real speed = face_speed(x2[0] - x1[0], x2[1] - x1[1], u, v, c);
    speed += face_speed(x3[0] - x2[0], x3[1] - x2[1], u, v, c);
    speed += face_speed(x4[0] - x3[0], x4[1] - x3[1], u, v, c);
    speed += face_speed(x1[0] - x4[0], x1[1] - x4[1], u, v, c);
    *adt = speed / cfl;
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

static inline void update(const real *qold, real *q, real *res, const real *adt, real *rms,
                          real *most)
{
    const real inverse = R(1.0) / *adt;
    for (int k = 0; k < 4; k++) {
        const real change = inverse * res[k];
        q[k] = qold[k] - change;
        res[k] = R(0.0);
        *rms += change * change;
        *most = MAX(*most, change * change);
    }
}

#endif
