/* time_step.h: what limits the time step: waves that cross an element, and its change of volume. */
#ifndef BOOKLEAF_TIME_STEP_H
#define BOOKLEAF_TIME_STEP_H

#include "constants.h"
#include "geometry.h"

#include <math.h>

/* Squared distance from the middle of side i to the line through the opposite side; to that side's
 * first corner where it has collapsed. */
static inline double width2(const double *x, const double *y, int i)
{
    const int i2 = (i + 1) % 4;
    const int i3 = (i + 2) % 4;
    const int i4 = (i + 3) % 4;
    const double middle_x = 0.5 * (x[i] + x[i2]);
    const double middle_y = 0.5 * (y[i] + y[i2]);
    const double side_x = x[i3] - x[i4];
    const double side_y = y[i3] - y[i4];
    const double length2 = side_x * side_x + side_y * side_y;
    const double area = middle_x * side_y - middle_y * side_x + y[i4] * x[i3] - y[i3] * x[i4];
    const double to_x = x[i3] - middle_x;
    const double to_y = y[i3] - middle_y;
    return length2 < LENGTH_CUT ? to_x * to_x + to_y * to_y : area * area / length2;
}

/* crossing: smallest square of the time in which a wave crosses an element. growth: largest
 * relative change of volume in a unit of time. */
static inline void time_step(const double *cnx, const double *cny, const double *cnu,
                             const double *cnv, const double *shape, const double *volume,
                             const double *cs2, const double *visc, double *crossing,
                             double *growth)
{
    const double w2 = fmin(fmin(width2(cnx, cny, 0), width2(cnx, cny, 1)),
                           fmin(width2(cnx, cny, 2), width2(cnx, cny, 3)));
    double change = 0.0;
    for (int c = 0; c < 4; c++) {
        change += push_x(shape, c) * cnu[c] + push_y(shape, c) * cnv[c];
    }
    *crossing = fmin(*crossing, w2 / (cs2[0] + visc[0]));
    *growth = fmax(*growth, fabs(change) / volume[0]);
}

#endif
