/* update.h: a stage of the pseudo-time iteration, a Runge-Kutta scheme whose step at each vertex is
 * a matrix: the block B (and t, for turbulence) that the edges have added up there.
 */
#ifndef HYDRA_UPDATE_H
#define HYDRA_UPDATE_H

#include "state.h"

static inline void save(const double *q, double *qold)
{
    for (int k = 0; k < NVAR; k++) {
        qold[k] = q[k];
    }
}

/* Solves B d = d by elimination without pivots: B is a sum of |A| and of positive multiples of the
 * unit matrix, and its diagonal stays well above 0. */
static inline void solve(const double *B, double *d)
{
    double a[25];
    for (int i = 0; i < 25; i++) {
        a[i] = B[i];
    }
    for (int k = 0; k < 5; k++) {
        const double pivot = 1.0 / a[6 * k];
        for (int i = k + 1; i < 5; i++) {
            const double factor = a[5 * i + k] * pivot;
            for (int j = k + 1; j < 5; j++) {
                a[5 * i + j] -= factor * a[5 * k + j];
            }
            d[i] -= factor * d[k];
        }
    }
    for (int i = 4; i >= 0; i--) {
        for (int j = i + 1; j < 5; j++) {
            d[i] -= a[5 * i + j] * d[j];
        }
        d[i] /= a[6 * i];
    }
}

/* q = qold - alpha (res + rvis) / B. A viscous wall has no velocity and no turbulence: what the
 * start has there is halved in each step. The sums are cleared for the next stage. */
static inline void update(const double *qold, double *q, double *res, double *rvis, double *B,
                          double *t, const int *flag, const double *alpha)
{
    double d[NVAR];
    for (int k = 0; k < NVAR; k++) {
        d[k] = res[k] + rvis[k];
        res[k] = 0.0;
        rvis[k] = 0.0;
    }
    solve(B, d);
    d[5] /= *t;
    if (*flag == VISCOUS_WALL) {
        for (int k = 1; k < 4; k++) {
            d[k] = 0.5 * qold[k];
        }
        d[5] = 0.5 * qold[5];
    }
    for (int k = 0; k < NVAR; k++) {
        q[k] = qold[k] - *alpha * d[k];
    }
    for (int k = 0; k < 25; k++) {
        B[k] = 0.0;
    }
    *t = 0.0;
}

#endif
