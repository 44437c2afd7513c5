/* state.h: density, energy, pressure and speed of sound of an element: an ideal gas. */
#ifndef BOOKLEAF_STATE_H
#define BOOKLEAF_STATE_H

#include "constants.h"

#include <math.h>

static inline void ideal_gas(double density, double energy, double *pressure, double *cs2)
{
    const double p = (gam - 1.0) * density * energy;
    pressure[0] = fabs(p) < PRESSURE_CUT ? 0.0 : p;
    cs2[0] = fmax(gam * (gam - 1.0) * energy, SOUND_CUT);
}

/* Energy after the forces have moved the corners with these velocities for a time. */
static inline double worked(double time, double energy, double mass, const double *cnfx,
                            const double *cnfy, const double *cnu, const double *cnv)
{
    double power = 0.0;
    for (int c = 0; c < 4; c++) {
        power += cnfx[c] * cnu[c] + cnfy[c] * cnv[c];
    }
    return energy - time * power / fmax(mass, ZERO_CUT);
}

/* Masses of an element and its corners at the start. */
static inline void start_state(const double *volume, const double *cnwt, const double *density,
                               const double *energy, double *mass, double *cnmass, double *pressure,
                               double *cs2)
{
    mass[0] = density[0] * volume[0];
    for (int c = 0; c < 4; c++) {
        cnmass[c] = density[0] * cnwt[c];
    }
    ideal_gas(density[0], energy[0], pressure, cs2);
}

/* Half a step forward; the energy stays that of the start of the step. */
static inline void predict_state(const double *dt, const double *mass, const double *volume,
                                 const double *cnfx, const double *cnfy, const double *cnu,
                                 const double *cnv, const double *energy, double *density,
                                 double *pressure, double *cs2)
{
    const double half = worked(0.5 * dt[0], energy[0], mass[0], cnfx, cnfy, cnu, cnv);
    density[0] = mass[0] / volume[0];
    ideal_gas(density[0], half, pressure, cs2);
}

/* The whole step. cnu, cnv: mean velocities of the corners. */
static inline void correct_state(const double *dt, const double *mass, const double *volume,
                                 const double *cnfx, const double *cnfy, const double *cnu,
                                 const double *cnv, double *energy, double *density,
                                 double *pressure, double *cs2)
{
    energy[0] = worked(dt[0], energy[0], mass[0], cnfx, cnfy, cnu, cnv);
    density[0] = mass[0] / volume[0];
    ideal_gas(density[0], energy[0], pressure, cs2);
}

#endif
