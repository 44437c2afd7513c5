/* measure.h: sums over the mesh that the example prints. */
#ifndef HYDRA_MEASURE_H
#define HYDRA_MEASURE_H

#include "accu.h"

static inline double square(const double *value, int components)
{
    double sum = 0.0;
    for (int k = 0; k < components; k++) {
        sum += value[k] * value[k];
    }
    return sum;
}

/* squares: sums of squares of grad, lap, res, rvis, B and t; sums: of the components of res, of
 * those of rvis, and of all of B; interior: the largest |res| off the boundary. */
static inline void measure(const double *grad, const double *lap, const double *res,
                           const double *rvis, const double *B, const double *t, const int *flag,
                           double *squares, double *sums, double *interior)
{
    squares[0] += square(grad, 3 * NVAR);
    squares[1] += square(lap, NVAR);
    squares[2] += square(res, NVAR);
    squares[3] += square(rvis, NVAR);
    squares[4] += square(B, 25);
    squares[5] += *t * *t;
    for (int k = 0; k < NVAR; k++) {
        sums[k] += res[k];
        sums[NVAR + k] += rvis[k];
        if (*flag == INTERIOR) {
            *interior = fmax(*interior, fabs(res[k]));
        }
    }
    for (int k = 0; k < 25; k++) {
        sums[2 * NVAR] += B[k];
    }
}

/* error: the largest difference of a gradient from the exact one, which is uniform. */
static inline void gradient_error(const double *grad, const double *exact, double *error)
{
    for (int k = 0; k < 3 * NVAR; k++) {
        *error = fmax(*error, fabs(grad[k] - exact[k]));
    }
}

/* sum: of all that the edges add to B, from the edges: Accu adds a block to both its ends. */
static inline void block_sum(const double *x1, const double *x2, const double *vol1,
                             const double *vol2, const double *q1, const double *q2,
                             const double *th1, const double *th2, const int *deg1, const int *deg2,
                             double *sum)
{
    double B1[25], B2[25], t1 = 0.0, t2 = 0.0;
    for (int k = 0; k < 25; k++) {
        B1[k] = 0.0;
        B2[k] = 0.0;
    }
    accu(x1, x2, vol1, vol2, q1, q2, th1, th2, deg1, deg2, B1, B2, &t1, &t2);
    for (int k = 0; k < 25; k++) {
        *sum += 2.0 * B1[k];
    }
}

/* change: sum of squares of q - qold. */
static inline void difference(const double *qold, const double *q, double *change)
{
    for (int k = 0; k < NVAR; k++) {
        *change += (q[k] - qold[k]) * (q[k] - qold[k]);
    }
}

#endif
