/* step.h: the kernels of the four stages of a time step (classical Runge-Kutta), and the sums over
 * all cells.
 */
#ifndef MINIAERO_STEP_H
#define MINIAERO_STEP_H

#include "gas.h"

/* Time step, s: a constant of the program. */
extern double dt;

/* The state in which a stage computes fluxes: the last step's plus a part of the last stage's
 * change. */
inline void begin_stage(const double *U_old, const double *change, const double *part, double *U,
                        double *flux)
{
    for (int k = 0; k < gas::variables; k++) {
        U[k] = U_old[k] + *part * change[k];
        flux[k] = 0.0;
    }
}

/* The change that the fluxes of a stage make, of which a share goes into the next step's state. */
inline void end_stage(const double *flux, const double *vol, const double *share, double *change,
                      double *U_new)
{
    for (int k = 0; k < gas::variables; k++) {
        change[k] = dt / vol[0] * flux[k];
        U_new[k] += *share * change[k];
    }
}

inline void end_step(const double *U_new, double *U_old)
{
    for (int k = 0; k < gas::variables; k++) {
        U_old[k] = U_new[k];
    }
}

/* Adds rho, |rho u|, |rho v| and rho E. */
inline void sum_state(const double *U, double *sums)
{
    sums[0] += U[0];
    sums[1] += std::fabs(U[1]);
    sums[2] += std::fabs(U[2]);
    sums[3] += U[4];
}

#endif
