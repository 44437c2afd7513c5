/* hydra.h: four edge loops of a Reynolds-averaged Navier-Stokes solver on tetrahedra,
 * vertex-centred, with five flow variables and one of turbulence (Spalart-Allmaras): synthetic
 * counterparts of those that Tohid et al. split in HYDRA, with the same bytes per edge.
 */
#ifndef CLEAVE_KERNELS_HYDRA_H
#define CLEAVE_KERNELS_HYDRA_H

#include <math.h>

#define NVAR 6
static const double gam = 1.4, gm1 = 0.4, prl = 0.72, prt = 0.9, sigma = 2.0 / 3.0;
static const double eps2 = 8.0, eps4 = 1.0 / 64.0;

/* (p, u, v, w, T, nu) of the conserved variables. */
static inline void primitives(const double *q, double *w)
{
    const double r = 1.0 / q[0];
    w[1] = q[1] * r;
    w[2] = q[2] * r;
    w[3] = q[3] * r;
    w[0] = gm1 * (q[4] - 0.5 * q[0] * (w[1] * w[1] + w[2] * w[2] + w[3] * w[3]));
    w[4] = w[0] * r;
    w[5] = q[5] * r;
}

static inline double norm3(const double *a)
{
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

/* Gradients by the faces' mean values, and a pseudo-Laplacian. */
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

/* The parts of an edge's average state that Roe's |A| needs; rc: 1/c. */
struct roe {
    double u[3], h, c, rc, un, l1, a1, a2;
};

/* (l^2 + delta^2) / (2 delta) where |l| < delta = c / 10. */
static inline double entropy_fix(double l, double c, double rc)
{
    const double delta = 0.1 * c;
    l = fabs(l);
    return l < delta ? (l * l + delta * delta) * (5.0 * rc) : l;
}

static inline void roe_set(struct roe *a, const double *n)
{
    a->rc = 1.0 / a->c;
    a->un = a->u[0] * n[0] + a->u[1] * n[1] + a->u[2] * n[2];
    a->l1 = entropy_fix(a->un, a->c, a->rc);
    const double lp = entropy_fix(a->un + a->c, a->c, a->rc);
    const double lm = entropy_fix(a->un - a->c, a->c, a->rc);
    a->a1 = 0.5 * (lp + lm) - a->l1;
    a->a2 = 0.5 * (lp - lm);
}

/* Row and column vectors of |A| = l1 I + P alpha' + N beta'. */
static inline void roe_vectors(const struct roe *a, const double *n, double *P, double *N,
                               double *alpha, double *beta)
{
    const double uu = a->u[0] * a->u[0] + a->u[1] * a->u[1] + a->u[2] * a->u[2];
    double chi[5], dm[5];
    P[0] = 1.0;
    N[0] = 0.0;
    chi[0] = gm1 * 0.5 * uu;
    dm[0] = -a->un;
    for (int d = 0; d < 3; d++) {
        P[d + 1] = a->u[d];
        N[d + 1] = n[d];
        chi[d + 1] = -gm1 * a->u[d];
        dm[d + 1] = n[d];
    }
    P[4] = a->h;
    N[4] = a->un;
    chi[4] = gm1;
    dm[4] = 0.0;
    const double a1 = a->a1 * a->rc * a->rc, a2 = a->a2 * a->rc;
    for (int k = 0; k < 5; k++) {
        alpha[k] = a1 * chi[k] + a2 * dm[k];
        beta[k] = a->a1 * dm[k] + a2 * chi[k];
    }
}

/* Inviscid flux: central, with Roe dissipation of second and fourth differences. */
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

/* Viscous flux from averaged gradients, corrected along the edge, and smoothing. */
static inline void vflux(const double *x1, const double *x2, const double *q1, const double *q2,
                         const double *w1, const double *w2, const double *grad1,
                         const double *grad2, const double *lap1, const double *lap2,
                         const double *mu1, const double *mu2, const int *flag1, const int *flag2,
                         double *rvis1, double *rvis2, const double *S)
{
    double t[3], g[NVAR][3], tau[3][3], f[NVAR], u[3];
    double beta_p = 0.0;
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

/* Internal energy of a unit of mass; r: the density's reciprocal. */
static inline double energy(const double *q, double r)
{
    return r * (q[4] - 0.5 * r * (q[1] * q[1] + q[2] * q[2] + q[3] * q[3]));
}

/* Blocks of an implicit operator: |A| and the viscous part, the same for both ends. */
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
