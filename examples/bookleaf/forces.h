/* forces.h: forces on the corners of an element, from its pressure, its viscosity, and against
 * hourglass modes, in which the corners move to and fro without a change of volume.
 */
#ifndef BOOKLEAF_FORCES_H
#define BOOKLEAF_FORCES_H

#include "geometry.h"

/* stiffness: coefficient of the hourglass control over the time step; 0: none. */
static inline void forces(const double *pressure, const double *shape, const double *cnviscx,
                          const double *cnviscy, const double *cnu, const double *cnv,
                          const double *density, const double *volume, const double *stiffness,
                          double *cnfx, double *cnfy)
{
    const double strength = stiffness[0] * density[0] * volume[0];
    const double hourglass_x = strength * (cnu[0] - cnu[1] + cnu[2] - cnu[3]);
    const double hourglass_y = strength * (cnv[0] - cnv[1] + cnv[2] - cnv[3]);
    for (int c = 0; c < 4; c++) {
        const double sign = c % 2 == 0 ? -1.0 : 1.0;
        cnfx[c] = pressure[0] * push_x(shape, c) + cnviscx[c] + sign * hourglass_x;
        cnfy[c] = pressure[0] * push_y(shape, c) + cnviscy[c] + sign * hourglass_y;
    }
}

#endif
