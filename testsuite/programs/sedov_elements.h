/* sedov_elements.h: kernels of sedov.c on elements: artificial viscosity, equation of state, time step.
 * Formulas as in LULESH 2.0 (LLNL-TR-641973), a loop per statement group as OP2 programs have them.
 */
static inline void strain_rate(const double *dxx, const double *dyy, const double *dzz, double *vdov)
{
    *vdov = *dxx + *dyy + *dzz;
}

/* The other side of a face: an element, a plane of symmetry, nothing. */
enum { INSIDE, SYMMETRY, FREE };

static inline double beyond(int kind, double own, double other)
{
    return kind == INSIDE ? other : kind == SYMMETRY ? own : 0.0;
}

/* The limiter of one direction, 0 to 1. */
static inline double limiter(double own, double minus, double plus)
{
    const double norm = 1.0 / (own + 1e-36);
    const double m = minus * norm, p = plus * norm;
    double phi = 0.5 * (m + p);
    phi = fmin(phi, 2.0 * m);
    phi = fmin(phi, 2.0 * p);
    return fmin(fmax(phi, 0.0), 1.0);
}

static inline void q_region(const int *bc, const double *xi, const double *xi_m, const double *xi_p,
                            const double *eta, const double *eta_m, const double *eta_p,
                            const double *zeta, const double *zeta_m, const double *zeta_p,
                            const double *delx_xi, const double *delx_eta, const double *delx_zeta,
                            const double *vdov, const double *elem_mass, const double *volo,
                            const double *vnew, double *qq, double *ql)
{
    const double phi_xi = limiter(*xi, beyond(bc[0], *xi, *xi_m), beyond(bc[1], *xi, *xi_p));
    const double phi_eta = limiter(*eta, beyond(bc[2], *eta, *eta_m), beyond(bc[3], *eta, *eta_p));
    const double phi_zeta =
        limiter(*zeta, beyond(bc[4], *zeta, *zeta_m), beyond(bc[5], *zeta, *zeta_p));
    if (*vdov > 0.0) {
        *ql = 0.0;
        *qq = 0.0;
    } else {
        const double dx = fmin(*xi * *delx_xi, 0.0);
        const double dy = fmin(*eta * *delx_eta, 0.0);
        const double dz = fmin(*zeta * *delx_zeta, 0.0);
        const double rho = *elem_mass / (*volo * *vnew);
        *ql = -0.5 * rho *
              (dx * (1.0 - phi_xi) + dy * (1.0 - phi_eta) + dz * (1.0 - phi_zeta));
        *qq = 2.0 / 3.0 * rho *
              (dx * dx * (1.0 - phi_xi * phi_xi) + dy * dy * (1.0 - phi_eta * phi_eta) +
               dz * dz * (1.0 - phi_zeta * phi_zeta));
    }
}

/* ---- equation of state ------------------------------------------------------------------- */

static inline void copy_volume(const double *vnew, double *vnewc)
{
    *vnewc = *vnew;
}

static inline void limit_below(double *vnewc)
{
    if (*vnewc < eosvmin) {
        *vnewc = eosvmin;
    }
}

static inline void limit_above(double *vnewc)
{
    if (*vnewc > eosvmax) {
        *vnewc = eosvmax;
    }
}

static inline void copy_one(const double *from, double *to)
{
    *to = *from;
}

static inline void compression(const double *vnewc, const double *delvc, double *comp,
                               double *comp_half)
{
    *comp = 1.0 / *vnewc - 1.0;
    *comp_half = 1.0 / (*vnewc - 0.5 * *delvc) - 1.0;
}

static inline void compression_below(const double *vnewc, const double *comp, double *comp_half)
{
    if (*vnewc <= eosvmin) {
        *comp_half = *comp;
    }
}

static inline void compression_above(const double *vnewc, double *p_old, double *comp,
                                     double *comp_half)
{
    if (*vnewc >= eosvmax) {
        *p_old = 0.0;
        *comp = 0.0;
        *comp_half = 0.0;
    }
}

static inline void energy_first(const double *e_old, const double *delvc, const double *p_old,
                                const double *q_old, double *e_new)
{
    *e_new = fmax(*e_old - 0.5 * *delvc * (*p_old + *q_old), emin);
}

static inline void bulk(const double *comp, double *bvc, double *pbvc)
{
    *bvc = 2.0 / 3.0 * (*comp + 1.0);
    *pbvc = 2.0 / 3.0;
}

static inline void pressure(const double *bvc, const double *e, const double *vnewc, double *p)
{
    double value = *bvc * *e;
    if (fabs(value) < p_cut || *vnewc >= eosvmax) {
        value = 0.0;
    }
    *p = fmax(value, pmin);
}

static inline double viscosity(double e, double p, double v, double bvc, double pbvc, double ql,
                               double qq)
{
    const double square = pbvc * e + v * v * bvc * p;
    return (square <= 0.1111111e-36 ? 0.3333333e-18 : sqrt(square)) * ql + qq;
}

static inline void q_half(const double *comp_half, const double *delvc, const double *bvc,
                          const double *pbvc, const double *e_new, const double *p_half,
                          const double *ql, const double *qq, double *q_new)
{
    const double v = 1.0 / (1.0 + *comp_half);
    *q_new = *delvc > 0.0 ? 0.0 : viscosity(*e_new, *p_half, v, *bvc, *pbvc, *ql, *qq);
}

static inline void energy_second(const double *delvc, const double *p_old, const double *q_old,
                                 const double *p_half, const double *q_new, double *e_new)
{
    *e_new += 0.5 * *delvc * (3.0 * (*p_old + *q_old) - 4.0 * (*p_half + *q_new));
}

static inline void energy_cut(double *e_new)
{
    const double e = fabs(*e_new) < e_cut ? 0.0 : *e_new;
    *e_new = fmax(e, emin);
}

static inline void energy_third(const double *delvc, const double *vnewc, const double *bvc,
                                const double *pbvc, const double *p_old, const double *q_old,
                                const double *p_half, const double *q_new, const double *p_new,
                                const double *ql, const double *qq, double *e_new)
{
    const double q =
        *delvc > 0.0 ? 0.0 : viscosity(*e_new, *p_new, *vnewc, *bvc, *pbvc, *ql, *qq);
    *e_new -= *delvc / 6.0 * (7.0 * (*p_old + *q_old) - 8.0 * (*p_half + *q_new) + *p_new + q);
}

static inline void q_final(const double *delvc, const double *vnewc, const double *bvc,
                           const double *pbvc, const double *e_new, const double *p_new,
                           const double *ql, const double *qq, double *q_new)
{
    if (*delvc <= 0.0) {
        const double q = viscosity(*e_new, *p_new, *vnewc, *bvc, *pbvc, *ql, *qq);
        *q_new = fabs(q) < q_cut ? 0.0 : q;
    }
}

static inline void copy_state(const double *p_new, const double *e_new, const double *q_new, double *p,
                              double *e, double *q)
{
    *p = *p_new;
    *e = *e_new;
    *q = *q_new;
}

static inline void sound_speed(const double *pbvc, const double *e_new, const double *vnewc,
                               const double *bvc, const double *p_new, double *ss)
{
    const double square = *pbvc * *e_new + *vnewc * *vnewc * *bvc * *p_new;
    *ss = square <= 0.1111111e-36 ? 0.3333333e-18 : sqrt(square);
}

static inline void update_volume(const double *vnew, double *v)
{
    *v = fabs(*vnew - 1.0) < v_cut ? 1.0 : *vnew;
}

/* ---- time step --------------------------------------------------------------------------- */

static inline void courant(const double *ss, const double *vdov, const double *arealg, double *dt)
{
    const double compressed = *vdov < 0.0 ? 256.0 * *arealg * *arealg * *vdov * *vdov : 0.0;
    const double limit = *arealg / sqrt(*ss * *ss + compressed);
    if (*vdov != 0.0 && limit < *dt) {
        *dt = limit;
    }
}

static inline void hydro(const double *vdov, double *dt)
{
    const double limit = 0.1 / (fabs(*vdov) + 1e-20);
    if (*vdov != 0.0 && limit < *dt) {
        *dt = limit;
    }
}
