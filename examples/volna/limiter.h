/* limiter.h: the limiter of Barth and Jespersen: the largest part of a cell's gradients that keeps
 * the values at the middles of its edges between the extremes of the cell and its neighbours.
 */
#ifndef VOLNA_LIMITER_H
#define VOLNA_LIMITER_H

#include "constants.h"

#include <math.h>

/* The part that one variable allows at the point x. range: its minimum and maximum. */
static inline float allowed(float value, const float *gradient, const float *range,
                            const float *center, const float *x)
{
    const float there =
        value + (gradient[0] * (x[0] - center[0]) + gradient[1] * (x[1] - center[1]));
    if (there > range[1]) {
        return (range[1] - value) / (there - value);
    }
    if (there < range[0]) {
        return (range[0] - value) / (there - value);
    }
    return 1.0f;
}

/* lim[0]: the part that all variables allow; the rest of lim is spare. Empties `out`, to which
 * space_discretization adds. */
static inline void limiter(const float *q, float *lim, const float *in, const float *gradient,
                           const float *edge1, const float *edge2, const float *edge3, float *out,
                           const float *center)
{
    for (int v = 0; v < 4; v++) {
        const float a1 = allowed(in[v], gradient + 2 * v, q + 2 * v, center, edge1);
        const float a2 = allowed(in[v], gradient + 2 * v, q + 2 * v, center, edge2);
        const float a3 = allowed(in[v], gradient + 2 * v, q + 2 * v, center, edge3);
        lim[v] = fminf(a1, fminf(a2, a3));
    }
    lim[0] = fminf(fminf(lim[0], lim[1]), fminf(lim[2], lim[3]));
    if (q[0] <= EPS) {
        lim[0] = 0.0f;
    }
    for (int v = 0; v < 4; v++) {
        out[v] = 0.0f;
    }
}

#endif
