/* vflux.h: viscous flux through the dual face of an edge, from averaged gradients that are
 * corrected along the edge, and smoothing.
 */
#ifndef HYDRA_VFLUX_H
#define HYDRA_VFLUX_H

#include "state.h"

static inline void vflux(const double *x1, const double *x2, const double *q1, const double *q2,
                         const double *w1, const double *w2, const double *grad1,
                         const double *grad2, const double *lap1, const double *lap2,
                         const double *mu1, const double *mu2, const int *flag1, const int *flag2,
                         double *rvis1, double *rvis2, const double *S)
{
    double t[3], g[NVAR][3], tau[3][3], f[NVAR], u[3], beta_p = 0.0;
    for (int d = 0; d < 3; d++) {
        t[d] = x2[d] - x1[d];
    }
    const double length = norm3(t), rl = 1.0 / length;
    for (int d = 0; d < 3; d++) {
        t[d] *= rl;
    }
    for (int k = 0; k < NVAR; k++) {
        double along = 0.0;
        for (int d = 0; d < 3; d++) {
            g[k][d] = 0.5 * (grad1[3 * k + d] + grad2[3 * k + d]);
            along += g[k][d] * t[d];
        }
        const double bracket = (w2[k] - w1[k]) * rl - along;
        if (k == 0) {
            beta_p = bracket;
        }
        for (int d = 0; d < 3; d++) {
            g[k][d] += bracket * t[d];
        }
    }
    const double mu = 0.5 * (mu1[0] + mu1[1] + mu2[0] + mu2[1]);
    const double kappa = 0.5 * (mu1[2] + mu2[2]);
    const double div = (2.0 / 3.0) * (g[1][0] + g[2][1] + g[3][2]);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            tau[i][j] = mu * (g[i + 1][j] + g[j + 1][i] - (i == j ? div : 0.0));
        }
        u[i] = 0.5 * (w1[i + 1] + w2[i + 1]);
    }
    f[0] = 0.0;
    f[4] = kappa * (g[4][0] * S[0] + g[4][1] * S[1] + g[4][2] * S[2]);
    for (int i = 0; i < 3; i++) {
        f[i + 1] = tau[i][0] * S[0] + tau[i][1] * S[1] + tau[i][2] * S[2];
        f[4] += u[i] * f[i + 1];
    }
    f[5] = (1.0 / sigma) * 0.5 * (mu1[0] + mu2[0] + q1[5] + q2[5]) *
           (g[5][0] * S[0] + g[5][1] * S[1] + g[5][2] * S[2]);
    const double area = norm3(S);
    const double lambda =
        fabs(u[0] * S[0] + u[1] * S[1] + u[2] * S[2]) + 0.5 * (mu1[4] + mu2[4]) * area;
    double fd = fmin(1.0, 100.0 * mu1[3] * mu2[3]);
    if (*flag1 == 2 || *flag2 == 2) {
        fd = 0.0;
    }
    const double psi = fmin(1.0, eps2 * fabs(beta_p) * length / (w1[0] + w2[0]));
    for (int k = 0; k < NVAR; k++) {
        f[k] += 0.05 * lambda * fd * psi * (q2[k] - q1[k]) -
                eps4 * lambda * fd * (1.0 - psi) * (lap2[k] - lap1[k]);
        rvis1[k] -= f[k];
        rvis2[k] += f[k];
    }
}

#endif
