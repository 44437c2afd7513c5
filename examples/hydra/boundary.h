/* boundary.h: inviscid flux through the boundary at a vertex. The loop has the form of MG-CFD's:
 * through a wall the pressure alone; through the far field the mean of the fluxes of the free
 * stream and of the vertex, here with Roe's dissipation, whose block is added to B and t as Accu
 * adds those of edges. Nothing flows at a vertex on the wall, whichever side of the box the area
 * belongs to.
 */
#ifndef HYDRA_BOUNDARY_H
#define HYDRA_BOUNDARY_H

#include "roe.h"

extern double qinf[NVAR]; /* conserved variables of the free stream */

/* Half of the flux of the state q, whose pressure is p, through A. */
static inline void half_flux(const double *q, double p, const double *A, double *f)
{
    const double v = 0.5 * (q[1] * A[0] + q[2] * A[1] + q[3] * A[2]) / q[0];
    for (int k = 0; k < NVAR; k++) {
        f[k] = v * q[k];
    }
    for (int d = 0; d < 3; d++) {
        f[d + 1] += 0.5 * p * A[d];
    }
    f[4] += v * p;
}

/* w1, w2: two states; n: unit normal. The mean of velocities and temperatures. */
static inline void roe_mean(struct roe *a, const double *w1, const double *w2, const double *n)
{
    double uu = 0.0;
    for (int d = 0; d < 3; d++) {
        a->u[d] = 0.5 * (w1[d + 1] + w2[d + 1]);
        uu += a->u[d] * a->u[d];
    }
    a->c = sqrt(0.5 * gam * (w1[4] + w2[4]));
    a->h = a->c * a->c / gm1 + 0.5 * uu;
    roe_set(a, n);
}

/* Adds |A| times half of the area to the block B and to t, and takes |A| (qinf - q), times half of
 * the area, from the flux f. */
static inline void upwind(const double *q, const double *w, const double *winf, const double *A,
                          double *f, double *B, double *t)
{
    double n[3], P[5], N[5], alpha[5], beta[5];
    struct roe a;
    const double area = norm3(A), half = 0.5 * area;
    for (int d = 0; d < 3; d++) {
        n[d] = A[d] / area;
    }
    roe_mean(&a, w, winf, n);
    roe_vectors(&a, n, P, N, alpha, beta);
    for (int i = 0; i < 5; i++) {
        for (int j = 0; j < 5; j++) {
            const double c = half * (P[i] * alpha[j] + N[i] * beta[j] + (i == j ? a.l1 : 0.0));
            f[i] -= c * (qinf[j] - q[j]);
            B[5 * i + j] += c;
        }
    }
    f[5] -= half * a.l1 * (qinf[5] - q[5]);
    *t += half * a.l1;
}

/* A: area vector, outwards; kind: VISCOUS_WALL or FAR_FIELD. */
static inline void bflux(const double *q, double *res, double *B, double *t, const double *A,
                         const int *kind)
{
    double w[NVAR], winf[NVAR], f[NVAR], finf[NVAR];
    primitives(q, w);
    if (*kind == VISCOUS_WALL) {
        for (int d = 0; d < 3; d++) {
            res[d + 1] += w[0] * A[d];
        }
    } else {
        primitives(qinf, winf);
        half_flux(q, w[0], A, f);
        half_flux(qinf, winf[0], A, finf);
        upwind(q, w, winf, A, f, B, t);
        for (int k = 0; k < NVAR; k++) {
            res[k] += f[k] + finf[k];
        }
    }
}

#endif
