/* gradient.h: the kernels of the gradients of V in the cells, by Green's theorem. */
#ifndef MINIAERO_GRADIENT_H
#define MINIAERO_GRADIENT_H

#include "gas.h"

inline void clear_gradient(double *grad)
{
    for (int i = 0; i < 3 * gas::variables; i++) {
        grad[i] = 0.0;
    }
}

/* For a face between two cells. */
inline void green_gauss(const double *U0, const double *U1, const double *vol0, const double *vol1,
                        double *grad0, double *grad1, const double *S)
{
    double V0[gas::variables], V1[gas::variables];
    gas::primitive(U0, V0);
    gas::primitive(U1, V1);
    for (int k = 0; k < gas::variables; k++) {
        const double mean = 0.5 * (V0[k] + V1[k]);
        for (int d = 0; d < 3; d++) {
            grad0[3 * k + d] += mean * S[d] / vol0[0];
            grad1[3 * k + d] -= mean * S[d] / vol1[0];
        }
    }
}

/* For a face of the boundary, which has the state of its cell. */
inline void green_gauss_side(const double *U, const double *vol, double *grad, const double *S)
{
    double V[gas::variables];
    gas::primitive(U, V);
    for (int k = 0; k < gas::variables; k++) {
        for (int d = 0; d < 3; d++) {
            grad[3 * k + d] += V[k] * S[d] / vol[0];
        }
    }
}

#endif
