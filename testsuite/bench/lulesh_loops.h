/* lulesh_loops.h: the kernels of lulesh_loops.c: steps of the equation of state, each of which
 * leaves its results in memory. Formulas and order as in equation_of_state
 * (examples/lulesh/elements.h). */
#ifndef LULESH_LOOPS_H
#define LULESH_LOOPS_H

#include "../../examples/lulesh/elements.h"

static inline void keep(const double *value, double *kept)
{
    *kept = *value;
}

static inline void bound_volume(double *volume)
{
    *volume = fmin(fmax(*volume, eosvmin), eosvmax);
}

static inline void compressions(const double *volume, const double *delv, double *end, double *half)
{
    *end = 1.0 / *volume - 1.0;
    *half = 1.0 / (*volume - 0.5 * *delv) - 1.0;
}

static inline void compress_fully(const double *volume, const double *end, double *half)
{
    if (*volume <= eosvmin) {
        *half = *end;
    }
}

static inline void leave_empty(const double *volume, double *p_old, double *end, double *half)
{
    if (*volume >= eosvmax) {
        *p_old = 0.0;
        *end = 0.0;
        *half = 0.0;
    }
}

static inline void no_work(double *work)
{
    *work = 0.0;
}

static inline void predict_energy(const double *e_old, const double *delv, const double *p_old,
                                  const double *q_old, const double *work, double *e)
{
    *e = fmax(*e_old - 0.5 * *delv * (*p_old + *q_old) + 0.5 * *work, emin);
}

/* The derivative of the pressure by the energy. */
static inline void stiffness(const double *compression, double *bulk)
{
    *bulk = 2.0 / 3.0 * (*compression + 1.0);
}

static inline void take_pressure(const double *bulk, const double *e, const double *volume,
                                 double *p)
{
    *p = *bulk * *e;
    *p = fmax(fabs(*p) < p_cut || *volume >= eosvmax ? 0.0 : *p, pmin);
}

static inline double speed_of_sound(double e, double p, double volume, double bulk)
{
    const double square = (2.0 / 3.0 * e + volume * volume * bulk * p) / refdens;
    return square <= 0.1111111e-36 ? 0.3333333e-18 : sqrt(square);
}

static inline double viscosity(double delv, double speed, double ql, double qq)
{
    return delv > 0.0 ? 0.0 : speed * ql + qq;
}

static inline void predict_viscosity(const double *delv, const double *e, const double *p,
                                     const double *half, const double *bulk, const double *ql,
                                     const double *qq, double *q)
{
    *q = viscosity(*delv, speed_of_sound(*e, *p, 1.0 / (1.0 + *half), *bulk), *ql, *qq);
}

static inline void half_energy(const double *delv, const double *p_old, const double *q_old,
                               const double *p, const double *q, double *e)
{
    *e = *e + 0.5 * *delv * (3.0 * (*p_old + *q_old) - 4.0 * (*p + *q));
}

static inline void add_work(const double *work, double *e)
{
    *e = energy_cut(*e + 0.5 * *work);
}

/* p, q: of the predictor; p_end: of the energy e. */
static inline void correct_energy(const double *delv, const double *p_old, const double *q_old,
                                  const double *p, const double *q, const double *p_end,
                                  const double *volume, const double *bulk, const double *ql,
                                  const double *qq, double *e)
{
    const double q_end = viscosity(*delv, speed_of_sound(*e, *p_end, *volume, *bulk), *ql, *qq);
    *e =
        energy_cut(*e - *delv / 6.0 * (7.0 * (*p_old + *q_old) - 8.0 * (*p + *q) + *p_end + q_end));
}

static inline void correct_viscosity(const double *delv, const double *e, const double *p,
                                     const double *volume, const double *bulk, const double *ql,
                                     const double *qq, double *q)
{
    const double end = viscosity(*delv, speed_of_sound(*e, *p, *volume, *bulk), *ql, *qq);
    *q = fabs(end) < q_cut ? 0.0 : end;
}

static inline void store_state(const double *e_new, const double *p_new, const double *q_new,
                               double *e, double *p, double *q)
{
    *e = *e_new;
    *p = *p_new;
    *q = *q_new;
}

static inline void sound_speeds(const double *e, const double *p, const double *volume,
                                const double *bulk, double *ss)
{
    *ss = speed_of_sound(*e, *p, *volume, *bulk);
}

#endif
