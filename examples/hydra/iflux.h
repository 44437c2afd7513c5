/* iflux.h: inviscid flux through the dual face of an edge: central, with Roe dissipation of second
 * differences at shocks and of fourth differences elsewhere. It leaves the first end.
 */
#ifndef HYDRA_IFLUX_H
#define HYDRA_IFLUX_H

#include "roe.h"

static inline void iflux(const double *q1, const double *q2, const double *lap1, const double *lap2,
                         const double *pc1, const double *pc2, const int *flag1, const int *flag2,
                         double *res1, double *res2, const double *S)
{
    double f[NVAR], n[3], d[NVAR];
    double P[5], N[5], alpha[5], beta[5];
    struct roe a;
    const double area = norm3(S), ra = 1.0 / area;
    const double r1 = 1.0 / q1[0], r2 = 1.0 / q2[0];
    const double v1 = (q1[1] * S[0] + q1[2] * S[1] + q1[3] * S[2]) * r1;
    const double v2 = (q2[1] * S[0] + q2[2] * S[1] + q2[3] * S[2]) * r2;
    for (int k = 0; k < NVAR; k++) {
        f[k] = 0.5 * (v1 * q1[k] + v2 * q2[k]);
    }
    for (int i = 0; i < 3; i++) {
        f[i + 1] += 0.5 * (pc1[0] + pc2[0]) * S[i];
        n[i] = S[i] * ra;
    }
    f[4] += 0.5 * (v1 * pc1[0] + v2 * pc2[0]);

    const double s1 = sqrt(q1[0]), s2 = sqrt(q2[0]);
    const double w = s1 / (s1 + s2);
    const double w1 = w * r1, w2 = (1.0 - w) * r2;
    for (int i = 0; i < 3; i++) {
        a.u[i] = w1 * q1[i + 1] + w2 * q2[i + 1];
    }
    a.h = w1 * (q1[4] + pc1[0]) + w2 * (q2[4] + pc2[0]);
    const double uu = a.u[0] * a.u[0] + a.u[1] * a.u[1] + a.u[2] * a.u[2];
    a.c = fmax(sqrt(fmax(gm1 * (a.h - 0.5 * uu), 0.0)), 0.1 * fmin(pc1[1], pc2[1]));
    roe_set(&a, n);
    roe_vectors(&a, n, P, N, alpha, beta);

    const double jump = (pc2[0] - pc1[0]) / (pc1[0] + pc2[0]);
    const double psi = fmin(1.0, eps2 * jump * jump);
    const double on = *flag1 == 2 && *flag2 == 2 ? 0.0 : 1.0;
    for (int k = 0; k < NVAR; k++) {
        d[k] = on * (psi * (q2[k] - q1[k]) - (1.0 / 3.0) * (1.0 - psi) * (lap2[k] - lap1[k]));
    }
    double ad = 0.0, bd = 0.0;
    for (int k = 0; k < 5; k++) {
        ad += alpha[k] * d[k];
        bd += beta[k] * d[k];
    }
    for (int k = 0; k < 5; k++) {
        f[k] -= 0.5 * area * (a.l1 * d[k] + P[k] * ad + N[k] * bd);
    }
    f[5] -= 0.5 * area * a.l1 * d[5];
    for (int k = 0; k < NVAR; k++) {
        res1[k] += f[k];
        res2[k] -= f[k];
    }
}

#endif
