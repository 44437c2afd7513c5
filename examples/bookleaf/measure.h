/* measure.h: what the program prints of the flow. */
#ifndef BOOKLEAF_MEASURE_H
#define BOOKLEAF_MEASURE_H

#include "constants.h"

#include <math.h>

static inline double square(const double *u)
{
    return u[0] * u[0] + u[1] * u[1];
}

/* Adds the energies of an element: internal, kinetic as BookLeaf prints it, with the density times
 * the share of the volume as the mass of a corner, and the one that the scheme conserves, with the
 * corner's own mass. Keeps the largest density of region 1. */
static inline void measure(const double *mass, const double *energy, const double *cnmass,
                           const double *cnwt, const double *density, const int *region,
                           const double *u0, const double *u1, const double *u2, const double *u3,
                           double *internal, double *kinetic, double *conserved, double *densest)
{
    *internal += mass[0] * energy[0];
    *kinetic +=
        0.5 * density[0] *
        (cnwt[0] * square(u0) + cnwt[1] * square(u1) + cnwt[2] * square(u2) + cnwt[3] * square(u3));
    *conserved += mass[0] * energy[0] + 0.5 * (cnmass[0] * square(u0) + cnmass[1] * square(u1) +
                                               cnmass[2] * square(u2) + cnmass[3] * square(u3));
    if (region[0] == 1) {
        *densest = fmax(*densest, density[0]);
    }
}

/* The exact solution of Sod's problem, which is a function of speed = distance / time: speeds of
 * the ends of the rarefaction, of the contact and of the shock, and densities. */
enum {
    SOD_HEAD,
    SOD_TAIL,
    SOD_CONTACT,
    SOD_SHOCK,
    SOD_LEFT,
    SOD_MIDDLE_LEFT,
    SOD_MIDDLE_RIGHT,
    SOD_RIGHT,
    SOD_PLACE,
    SOD_TIME,
    SOD_SIZE
};

static inline double sod_density(const double *sod, double gamma, double speed)
{
    if (speed < sod[SOD_HEAD]) {
        return sod[SOD_LEFT];
    }
    if (speed < sod[SOD_TAIL]) { /* the rarefaction begins with the speed of sound of the left */
        const double sound = -sod[SOD_HEAD];
        const double u = 2.0 / (gamma + 1.0) * (sound + speed);
        const double slower = 1.0 - 0.5 * (gamma - 1.0) * u / sound;
        return sod[SOD_LEFT] * pow(slower, 2.0 / (gamma - 1.0));
    }
    if (speed < sod[SOD_SHOCK]) {
        return speed < sod[SOD_CONTACT] ? sod[SOD_MIDDLE_LEFT] : sod[SOD_MIDDLE_RIGHT];
    }
    return sod[SOD_RIGHT];
}

/* Adds the volume, and the difference from the exact density at the centre times the volume. */
static inline void sod_error(const double *cnx, const double *density, const double *volume,
                             const double *sod, double *total, double *error)
{
    const double x = 0.25 * (cnx[0] + cnx[1] + cnx[2] + cnx[3]);
    const double exact = sod_density(sod, gam, (x - sod[SOD_PLACE]) / sod[SOD_TIME]);
    *total += volume[0];
    *error += volume[0] * fabs(density[0] - exact);
}

#endif
