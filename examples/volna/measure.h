/* measure.h: what the program prints of the flow, summed in double. */
#ifndef VOLNA_MEASURE_H
#define VOLNA_MEASURE_H

#include "constants.h"

#include <math.h>

/* Components of `sum` and of `most` below. */
enum { SUM_VOLUME, SUM_HU2, SUM_HV2, SUMS };
enum { MOST_DEPTH, MOST_LEVEL, MOST_SURFACE, MOST_MOMENTUM, MOSTS };

/* sum: volume, integrals of HU^2 and HV^2. most: largest depth, level above the sea at rest (of
 * cells that are wet, and its magnitude), and component of momentum. wet: number of wet cells. */
static inline void measure(const float *values, const float *area, const float *zmin, double *sum,
                           double *most, int *wet)
{
    const double a = area[0];
    const double u = values[1];
    const double v = values[2];
    sum[SUM_VOLUME] += a * values[0];
    sum[SUM_HU2] += a * u * u;
    sum[SUM_HV2] += a * v * v;
    most[MOST_DEPTH] = fmax(most[MOST_DEPTH], (double)values[0]);
    most[MOST_MOMENTUM] = fmax(most[MOST_MOMENTUM], fmax(fabs(u), fabs(v)));
    if (values[0] > THIN) {
        const double level = (double)values[3] + (double)zmin[0];
        most[MOST_LEVEL] = fmax(most[MOST_LEVEL], level);
        most[MOST_SURFACE] = fmax(most[MOST_SURFACE], fabs(level));
        wet[0] += 1;
    }
}

/* Components of Stoker's solution: time, depths on the left, in the middle and on the right, speed
 * of the middle and of the shock, place of the dam. */
enum { DAM_TIME, DAM_LEFT, DAM_MIDDLE, DAM_RIGHT, DAM_SPEED, DAM_SHOCK, DAM_PLACE, DAM_SIZE };

/* Adds |H - exact H| times the area. */
static inline void dam_error(const float *values, const float *center, const float *area,
                             const double *dam, double *error)
{
    const double gravity = (double)g;
    const double x = ((double)center[0] - dam[DAM_PLACE]) / dam[DAM_TIME];
    double exact = dam[DAM_MIDDLE];
    if (x < -sqrt(gravity * dam[DAM_LEFT])) {
        exact = dam[DAM_LEFT];
    } else if (x < dam[DAM_SPEED] - sqrt(gravity * dam[DAM_MIDDLE])) {
        const double c = (2.0 * sqrt(gravity * dam[DAM_LEFT]) - x) / 3.0;
        exact = c * c / gravity;
    } else if (x > dam[DAM_SHOCK]) {
        exact = dam[DAM_RIGHT];
    }
    error[0] += (double)area[0] * fabs((double)values[0] - exact);
}

#endif
