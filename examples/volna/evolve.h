/* evolve.h: a step in time by Runge and Kutta's method of second order, and friction at the bottom.
 * Values of a cell are depth H, momentum HU and HV, and level H + z above the lowest bottom.
 */
#ifndef VOLNA_EVOLVE_H
#define VOLNA_EVOLVE_H

#include "constants.h"

#include <math.h>

/* Sets the depth, at least that of a dry cell, and the level above the bottom of `in`. */
static inline void set_depth(float *out, float depth, const float *in)
{
    const float z = in[3] - in[0];
    out[0] = depth > EPS ? depth : EPS;
    out[3] = z + out[0];
}

static inline void rk2_first(const float *dt, const float *change, const float *in, float *out)
{
    set_depth(out, in[0] + dt[0] * change[0], in);
    out[1] = in[1] + dt[0] * change[1];
    out[2] = in[2] + dt[0] * change[2];
}

static inline void rk2_second(const float *dt, const float *change, const float *first,
                              const float *in, float *out)
{
    set_depth(out, 0.5f * (change[0] * dt[0] + first[0] + in[0]), in);
    out[1] = 0.5f * (change[1] * dt[0] + first[1] + in[1]);
    out[2] = 0.5f * (change[2] * dt[0] + first[2] + in[2]);
}

/* Manning's friction, implicit in time; water that is too thin stands still. */
static inline void friction(const float *dt, float *values)
{
    const float depth = values[0];
    if (depth <= THIN) {
        values[1] = 0.0f;
        values[2] = 0.0f;
    } else {
        const float u = values[1] / depth;
        const float v = values[2] / depth;
        const float speed = sqrtf(u * u + v * v);
        const float drag = g * manning * manning * speed / powf(depth, 4.0f / 3.0f);
        values[1] /= 1.0f + drag * dt[0];
        values[2] /= 1.0f + drag * dt[0];
    }
}

static inline void copy_values(const float *from, float *to)
{
    for (int v = 0; v < 4; v++) {
        to[v] = from[v];
    }
}

#endif
