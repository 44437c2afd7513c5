/* elements.h: kernels on the data of elements: artificial viscosity, equation of state, limits of
 * the time step. Formulas as in LULESH 2.0 (LLNL-TR-641973).
 */
#ifndef LULESH_ELEMENTS_H
#define LULESH_ELEMENTS_H

#include <math.h>

#include "constants.h"
#include "mesh.h"

/* ---- artificial viscosity ------------------------------------------------------------------ */

static inline double beyond(int side, double own, double other)
{
    return side == INSIDE ? other : side == SYMMETRY ? own : 0.0;
}

/* The monotonic limiter of one direction, from 0 to monoq_max_slope, from gradients of velocity. */
static inline double limiter(double own, double minus, double plus)
{
    const double norm = 1.0 / (own + 1e-36);
    const double m = minus * norm, p = plus * norm;
    double phi = 0.5 * (m + p);
    phi = fmin(phi, monoq_limiter_mult * m);
    phi = fmin(phi, monoq_limiter_mult * p);
    return fmin(fmax(phi, 0.0), monoq_max_slope);
}

/* side: of the six faces (-xi, +xi, -eta, +eta, -zeta, +zeta); xi, eta, zeta: gradients of velocity
 * of the element and of its neighbours (_m before, _p after); qq, ql: the viscosity's quadratic and
 * linear terms, without the speed of sound. */
static inline void viscosity_terms(const int *side, const double *xi, const double *xi_m,
                                   const double *xi_p, const double *eta, const double *eta_m,
                                   const double *eta_p, const double *zeta, const double *zeta_m,
                                   const double *zeta_p, const double *delx_xi,
                                   const double *delx_eta, const double *delx_zeta,
                                   const double *vdov, const double *mass, const double *volo,
                                   const double *vnew, double *qq, double *ql)
{
    const double phi_xi = limiter(*xi, beyond(side[0], *xi, *xi_m), beyond(side[1], *xi, *xi_p));
    const double phi_eta =
        limiter(*eta, beyond(side[2], *eta, *eta_m), beyond(side[3], *eta, *eta_p));
    const double phi_zeta =
        limiter(*zeta, beyond(side[4], *zeta, *zeta_m), beyond(side[5], *zeta, *zeta_p));
    if (*vdov > 0.0) {
        *ql = 0.0;
        *qq = 0.0;
    } else {
        const double dx = fmin(*xi * *delx_xi, 0.0);
        const double dy = fmin(*eta * *delx_eta, 0.0);
        const double dz = fmin(*zeta * *delx_zeta, 0.0);
        const double rho = *mass / (*volo * *vnew);
        *ql =
            -qlc_monoq * rho * (dx * (1.0 - phi_xi) + dy * (1.0 - phi_eta) + dz * (1.0 - phi_zeta));
        *qq = qqc_monoq * rho *
              (dx * dx * (1.0 - phi_xi * phi_xi) + dy * dy * (1.0 - phi_eta * phi_eta) +
               dz * dz * (1.0 - phi_zeta * phi_zeta));
    }
}

/* ---- equation of state: a gas with p = 2/3 e / volume -------------------------------------- */

static inline double pressure(double e, double compression, double volume)
{
    const double p = 2.0 / 3.0 * (compression + 1.0) * e;
    return fmax(fabs(p) < p_cut || volume >= eosvmax ? 0.0 : p, pmin);
}

static inline double energy_cut(double e)
{
    return fmax(fabs(e) < e_cut ? 0.0 : e, emin);
}

/* Speed of sound; a tiny one where the gas is cold. */
static inline double sound_speed(double e, double p, double volume, double compression)
{
    const double square =
        (2.0 / 3.0 * e + volume * volume * (2.0 / 3.0 * (compression + 1.0)) * p) / refdens;
    return square <= 0.1111111e-36 ? 0.3333333e-18 : sqrt(square);
}

/* Brings energy, pressure and viscosity of an element from its old volume to the new one, by a
 * predictor at half of the step and two corrections. delv: change of the relative volume, vnew: the
 * new one; ss: speed of sound. */
static inline void equation_of_state(const double *delv, const double *vnew, const double *qq,
                                     const double *ql, double *e, double *p, double *q, double *ss)
{
    const double volume = fmin(fmax(*vnew, eosvmin), eosvmax);
    const int empty = volume >= eosvmax, expands = *delv > 0.0;
    const double end = empty ? 0.0 : 1.0 / volume - 1.0;
    const double half = empty ? 0.0 : volume <= eosvmin ? end : 1.0 / (volume - 0.5 * *delv) - 1.0;
    const double old = (empty ? 0.0 : *p) + *q;

    const double e1 = fmax(*e - 0.5 * *delv * old, emin);
    const double p1 = pressure(e1, half, volume);
    const double q1 = expands ? 0.0 : sound_speed(e1, p1, 1.0 / (1.0 + half), half) * *ql + *qq;
    const double e2 = energy_cut(e1 + 0.5 * *delv * (3.0 * old - 4.0 * (p1 + q1)));
    const double p2 = pressure(e2, end, volume);
    const double q2 = expands ? 0.0 : sound_speed(e2, p2, volume, end) * *ql + *qq;
    const double e3 = energy_cut(e2 - *delv / 6.0 * (7.0 * old - 8.0 * (p1 + q1) + p2 + q2));
    const double p3 = pressure(e3, end, volume);
    const double c3 = sound_speed(e3, p3, volume, end);
    const double q3 = expands ? 0.0 : c3 * *ql + *qq;
    *e = e3;
    *p = p3;
    *q = fabs(q3) < q_cut ? 0.0 : q3;
    *ss = c3;
}

static inline void update_volume(const double *vnew, double *v)
{
    *v = fabs(*vnew - 1.0) < v_cut ? 1.0 : *vnew;
}

/* ---- time step ----------------------------------------------------------------------------- */

/* courant: the time in which sound, or the flow, crosses the element; hydro: the time in which its
 * volume changes by dvovmax; least: the relative volume, which becomes negative when an element
 * turns inside out. */
static inline void time_limits(const double *ss, const double *vdov, const double *arealg,
                               const double *v, double *courant, double *hydro, double *least)
{
    if (*vdov != 0.0) {
        const double flow = 8.0 * qqc * *arealg * *vdov;
        const double speed = sqrt(*ss * *ss + (*vdov < 0.0 ? flow * flow : 0.0));
        *courant = MIN(*courant, *arealg / speed);
        *hydro = MIN(*hydro, dvovmax / (fabs(*vdov) + 1e-20));
    }
    *least = MIN(*least, *v);
}

#endif
