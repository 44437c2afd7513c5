/* nodes.h: motion of the nodes. */
#ifndef BOOKLEAF_NODES_H
#define BOOKLEAF_NODES_H

#include "constants.h"

#include <math.h>

/* Half a time step along the velocity. */
static inline void move_nodes(const double *dt, const double *u, double *x)
{
    x[0] += 0.5 * dt[0] * u[0];
    x[1] += 0.5 * dt[0] * u[1];
}

static inline double acceleration(double force, double mass, double area, int at_rest)
{
    const double a = !at_rest && mass > DENSITY_CUT * area ? force / mass : 0.0;
    return fabs(a) < ACCELERATION_CUT ? 0.0 : a;
}

/* Accelerates a node by the forces that getacc_scatter has left in ndubar and ndvbar, and empties
 * what it adds to. u becomes the velocity at the end of the step, mean that at its middle. */
static inline void accelerate(const double *dt, const int *type, double *ndarea, double *ndmass,
                              double *ndubar, double *ndvbar, double *u, double *mean)
{
    const int rest_x = type[0] == NODE_SLIP_X || type[0] == NODE_FIXED;
    const int rest_y = type[0] == NODE_SLIP_Y || type[0] == NODE_FIXED;
    const double ax = acceleration(ndubar[0], ndmass[0], ndarea[0], rest_x);
    const double ay = acceleration(ndvbar[0], ndmass[0], ndarea[0], rest_y);
    mean[0] = u[0] + 0.5 * dt[0] * ax;
    mean[1] = u[1] + 0.5 * dt[0] * ay;
    u[0] += dt[0] * ax;
    u[1] += dt[0] * ay;
    ndarea[0] = 0.0;
    ndmass[0] = 0.0;
    ndubar[0] = 0.0;
    ndvbar[0] = 0.0;
}

#endif
