/* accu.h: blocks of the point-implicit operator: each edge adds half of |A| and of the viscous
 * coefficient, times an area that is estimated from volumes and degrees, to B (5 by 5, by rows) and
 * t (turbulence) of both its ends.
 */
#ifndef HYDRA_ACCU_H
#define HYDRA_ACCU_H

#include "roe.h"

static inline void clear_blocks(double *B, double *t)
{
    for (int k = 0; k < 25; k++) {
        B[k] = 0.0;
    }
    *t = 0.0;
}

/* Internal energy of a unit of mass; r: the density's reciprocal. */
static inline double energy(const double *q, double r)
{
    return r * (q[4] - 0.5 * r * (q[1] * q[1] + q[2] * q[2] + q[3] * q[3]));
}

static inline void accu(const double *x1, const double *x2, const double *vol1, const double *vol2,
                        const double *q1, const double *q2, const double *th1, const double *th2,
                        const int *deg1, const int *deg2, double *B1, double *B2, double *t1,
                        double *t2)
{
    double n[3], P[5], N[5], alpha[5], beta[5];
    struct roe a;
    for (int d = 0; d < 3; d++) {
        n[d] = x2[d] - x1[d];
    }
    const double rl = 1.0 / norm3(n);
    for (int d = 0; d < 3; d++) {
        n[d] *= rl;
    }
    const double area = 3.0 * (*vol1 / *deg1 + *vol2 / *deg2) * rl;
    const double s1 = sqrt(q1[0]), s2 = sqrt(q2[0]);
    const double w = s1 / (s1 + s2);
    const double rs1 = 1.0 / s1, rs2 = 1.0 / s2;
    const double r1 = rs1 * rs1, r2 = rs2 * rs2;
    const double w1 = w * r1, w2 = (1.0 - w) * r2;
    for (int i = 0; i < 3; i++) {
        a.u[i] = w1 * q1[i + 1] + w2 * q2[i + 1];
    }
    a.h = w * th1[3] + (1.0 - w) * th2[3];
    const double uu = a.u[0] * a.u[0] + a.u[1] * a.u[1] + a.u[2] * a.u[2];
    const double e1 = energy(q1, r1), e2 = energy(q2, r2);
    const double sound = fmin(th1[2] * th1[2], th2[2] * th2[2]);
    const double least = fmin(sound, gam * gm1 * fmin(e1, e2));
    a.c = sqrt(fmax(gm1 * (a.h - 0.5 * uu), 0.01 * least));
    roe_set(&a, n);
    roe_vectors(&a, n, P, N, alpha, beta);

    const double nul = 0.5 * (th1[4] + th2[4]) * (rs1 * rs2);
    const double nut = 0.5 * (th1[5] + th2[5]) * (th1[1] + th2[1]) / (th1[0] + th2[0]);
    const double D = (nul * (gam / prl) + nut * (gam / prt)) * rl;
    for (int i = 0; i < 5; i++) {
        for (int j = 0; j < 5; j++) {
            double c = P[i] * alpha[j] + N[i] * beta[j];
            if (i == j) {
                c += a.l1 + 2.0 * D;
            }
            c *= 0.5 * area;
            B1[5 * i + j] += c;
            B2[5 * i + j] += c;
        }
    }
    const double nu = 0.5 * (q1[5] * r1 + q2[5] * r2);
    const double tau = area * (0.5 * a.l1 + (nul + nu) * ((1.0 / sigma) * rl));
    *t1 += tau;
    *t2 += tau;
}

#endif
