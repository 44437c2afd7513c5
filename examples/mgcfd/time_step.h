// time_step.h: a Runge-Kutta step of three stages with the smallest time step of all nodes.
#ifndef MGCFD_TIME_STEP_H
#define MGCFD_TIME_STEP_H

#include "flux.h"

inline void copy_state(const double *variables, double *old)
{
    for (int k = 0; k < NVAR; k++) {
        old[k] = variables[k];
    }
}

inline void calculate_dt(const double *variables, const double *volume, double *min_dt)
{
    Flow flow;
    flow_of(variables, &flow);
    const double dt = 0.5 * std::cbrt(*volume) / (flow.speed + flow.c);
    if (dt < *min_dt) {
        *min_dt = dt;
    }
}

inline void compute_step_factor(const double *volume, const double *min_dt, double *step_factor)
{
    *step_factor = *min_dt / *volume;
}

// divisor: 4, 3 and 2 in the three stages, so that the last one makes half of the step, as in
// MG-CFD.
inline void time_step(const double *old, const double *step_factor, const double *divisor,
                      double *fluxes, double *variables)
{
    const double factor = *step_factor / *divisor;
    for (int k = 0; k < NVAR; k++) {
        variables[k] = old[k] + factor * fluxes[k];
        fluxes[k] = 0.0;
    }
}

inline void calculate_residual(const double *old, const double *variables, double *residual)
{
    for (int k = 0; k < NVAR; k++) {
        residual[k] = variables[k] - old[k];
    }
}

// bad: values that are no numbers, or infinite.
inline void sum_residual(const double *residual, double *squares, int *bad)
{
    for (int k = 0; k < NVAR; k++) {
        *squares += residual[k] * residual[k];
        *bad += !(std::fabs(residual[k]) <= 1e300);
    }
}

inline void sum_state(const double *variables, const double *volume, double *sums)
{
    sums[0] += variables[0];
    sums[1] += variables[4];
    sums[2] += *volume;
}

#endif
