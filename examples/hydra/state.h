/* state.h: constants of the flow, and the values per vertex that the other loops read.
 *
 * q = (rho, rho u, rho v, rho w, rho E, rho nu): five variables of the mean flow and one of
 * turbulence (Spalart-Allmaras), without dimensions, gas constant 1: p = rho T.
 * w = (p, u, v, w, T, nu), pc = (p, c), th = (p, T, c, H, mu_l, mu_t),
 * mu = (mu_l, mu_t, kappa, distance to the wall, c).
 */
#ifndef HYDRA_STATE_H
#define HYDRA_STATE_H

#include <math.h>

#define NVAR 6
static const double gam = 1.4, gm1 = 0.4, prl = 0.72, prt = 0.9, sigma = 2.0 / 3.0;
static const double eps2 = 8.0, eps4 = 1.0 / 64.0;

/* Kinds of vertices and of boundary areas. */
enum { INTERIOR = 0, VISCOUS_WALL = 2, FAR_FIELD = 3 };

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

/* Everything that the edge loops read, from the conserved variables. */
static inline void prims(const double *q, double *w, double *pc, double *th, double *mu)
{
    primitives(q, w);
    const double c = sqrt(gam * w[0] / q[0]);
    const double laminar = 1e-3 * pow(1.4 * w[4], 0.75);
    const double chi = q[5] / laminar;
    const double cubed = chi * chi * chi;
    const double turbulent = q[5] * cubed / (cubed + 357.911);
    pc[0] = w[0];
    pc[1] = c;
    th[0] = w[0];
    th[1] = w[4];
    th[2] = c;
    th[3] = (q[4] + w[0]) / q[0];
    th[4] = laminar;
    th[5] = turbulent;
    mu[0] = laminar;
    mu[1] = turbulent;
    mu[2] = gam / gm1 * (laminar / prl + turbulent / prt);
    mu[4] = c;
}

#endif
