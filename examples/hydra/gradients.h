/* gradients.h: gradients of w by the faces' mean values (Green-Gauss), and a pseudo-Laplacian of q.
 * Edges and boundary triangles add to grad (18: 3k + d, variable k along d) and lap; `normalise`
 * divides the sums.
 */
#ifndef HYDRA_GRADIENTS_H
#define HYDRA_GRADIENTS_H

#include "state.h"

static inline void clear_gradients(double *grad, double *lap)
{
    for (int k = 0; k < 3 * NVAR; k++) {
        grad[k] = 0.0;
    }
    for (int k = 0; k < NVAR; k++) {
        lap[k] = 0.0;
    }
}

/* One edge; S: area vector of the dual face between its ends. */
static inline void edgecon(const double *x1, const double *x2, const double *q1, const double *q2,
                           double *grad1, double *grad2, double *lap1, double *lap2,
                           const double *S)
{
    double w1[NVAR], w2[NVAR], dx[3];
    primitives(q1, w1);
    primitives(q2, w2);
    for (int k = 0; k < NVAR; k++) {
        for (int d = 0; d < 3; d++) {
            double c = 0.5 * (w1[k] + w2[k]) * S[d];
            grad1[3 * k + d] += c;
            grad2[3 * k + d] -= c;
        }
    }
    for (int d = 0; d < 3; d++) {
        dx[d] = x2[d] - x1[d];
    }
    const double rl = 1.0 / norm3(dx);
    for (int k = 0; k < NVAR; k++) {
        double l = (q2[k] - q1[k]) * rl;
        lap1[k] += l;
        lap2[k] -= l;
    }
}

/* One boundary triangle: the mean value over a corner's third of it, times A/3, which makes
 * gradients of linear fields exact. A: area vector, outwards. */
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

/* iw: sum of 1/length over the edges of the vertex. */
static inline void normalise(double *grad, double *lap, const double *vol, const double *iw)
{
    for (int k = 0; k < 3 * NVAR; k++) {
        grad[k] /= *vol;
    }
    for (int k = 0; k < NVAR; k++) {
        lap[k] /= *iw;
    }
}

#endif
