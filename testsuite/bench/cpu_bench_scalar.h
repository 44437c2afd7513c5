/* cpu_bench_scalar.h: loops in which each element iterates until it has found its result, so that
 * lanes of one vector want different numbers of trips; and what cpu_bench_scalar.c wants of the two
 * files with these loops, one of which is linked to it: cpu_bench_scalar_op2.c and
 * cpu_bench_scalar_plain.c.
 */
#ifndef CLEAVE_CPU_BENCH_SCALAR_H
#define CLEAVE_CPU_BENCH_SCALAR_H

#include <math.h>

#include "examples/airfoil/mesh.h"

/* The pressure between two states by Newton's method: p with f(p, left) + f(p, right) = 0, for
 * f(p, q) = sqrt(p) - sqrt(q). Both cells get what flows. */
static inline void star(const double *left, const double *right, double *to_left, double *to_right)
{
    double p = 0.5 * (left[0] + right[0]), change = p;
    while (fabs(change) > 1e-9 * p) {
        const double f = 2.0 * sqrt(p) - sqrt(left[0]) - sqrt(right[0]);
        change = f * sqrt(p);
        p -= change;
    }
    to_left[0] += p - left[0];
    to_right[0] += p - right[0];
}

/* Kepler's equation for a cell: e with e - 0.3 sin(e) = m, of which sin() is a polynomial. */
static inline void anomaly(const double *m, double *e)
{
    double x = m[0], change = 1.0;
    while (fabs(change) > 1e-9) {
        const double square = x * x;
        const double sine = x * (1.0 - square * (1.0 / 6.0 - square / 120.0));
        change = x - 0.3 * sine - m[0];
        x -= change;
    }
    e[0] = x;
}

enum { STAR, ANOMALY, SCALAR_LOOPS };

/* Makes the program's data from one value per cell; sums are 0. The caller may free what it passes.
 */
void scalar_declare(const struct mesh *mesh, const double *value);
/* One call of each loop: STAR adds to sums of the cells. */
extern void (*const scalar_run[SCALAR_LOOPS])(void);
/* [ncell] in the order of the mesh, the program's own: the sums, and what ANOMALY finds. */
const double *scalar_result(int loop);
void scalar_end(void);

#endif
