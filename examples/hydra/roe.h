/* roe.h: |A|, the absolute Jacobian of the inviscid flux at an average state (Roe), in closed form:
 * |A| = l1 I + P alpha' + N beta'.
 */
#ifndef HYDRA_ROE_H
#define HYDRA_ROE_H

#include "state.h"

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

#endif
