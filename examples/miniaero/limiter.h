/* limiter.h: the kernels of the limiter, which keeps the states that are extrapolated to the faces
 * of a cell between the extrema of the cell and its neighbours.
 *
 * V. Venkatakrishnan: Convergence to steady state solutions of the Euler equations on unstructured
 * grids with limiters, Journal of Computational Physics 118, 1995.
 */
#ifndef MINIAERO_LIMITER_H
#define MINIAERO_LIMITER_H

#include <algorithm>

#include "gas.h"

/* For a cell: its own values are the first extrema, and nothing is limited yet. */
inline void begin_limiter(const double *U, double *smallest, double *largest, double *limit)
{
    double V[gas::variables];
    gas::primitive(U, V);
    for (int k = 0; k < gas::variables; k++) {
        smallest[k] = V[k];
        largest[k] = V[k];
        limit[k] = 1.0;
    }
}

/* For a face between two cells. */
inline void extrema(const double *U0, const double *U1, double *smallest0, double *smallest1,
                    double *largest0, double *largest1)
{
    double V0[gas::variables], V1[gas::variables];
    gas::primitive(U0, V0);
    gas::primitive(U1, V1);
    for (int k = 0; k < gas::variables; k++) {
        smallest0[k] = std::min(smallest0[k], V1[k]);
        smallest1[k] = std::min(smallest1[k], V0[k]);
        largest0[k] = std::max(largest0[k], V1[k]);
        largest1[k] = std::max(largest1[k], V0[k]);
    }
}

/* How much of the extrapolation to a face is kept; from 1 on, all of it. value: in the cell;
 * change: by extrapolation; way2: squared distance from the cell's centre to the face's. */
inline double venkatakrishnan(double value, double smallest, double largest, double change,
                              double way2)
{
    const double room = (change > 0.0 ? largest : smallest) - value;
    const double change2 = change * change;
    const double above = (room * room + way2) * change + 2.0 * change2 * room;
    const double below = change * (room * room + 2.0 * change2 + room * change + way2);
    return std::fabs(change) > 1e-40 ? above / below : 1.0;
}

/* For a face of the boundary, or one side of a face between two cells. */
inline void limit_side(const double *U, const double *grad, const double *smallest,
                       const double *largest, const double *centre, double *limit,
                       const double *face)
{
    double V[gas::variables], way[3];
    gas::primitive(U, V);
    for (int d = 0; d < 3; d++) {
        way[d] = face[d] - centre[d];
    }
    const double way2 = gas::dot(way, way);
    for (int k = 0; k < gas::variables; k++) {
        const double change = gas::dot(grad + 3 * k, way);
        limit[k] = std::min(limit[k], venkatakrishnan(V[k], smallest[k], largest[k], change, way2));
    }
}

/* For a face between two cells. */
inline void limit(const double *U0, const double *U1, const double *grad0, const double *grad1,
                  const double *smallest0, const double *smallest1, const double *largest0,
                  const double *largest1, const double *centre0, const double *centre1,
                  double *limit0, double *limit1, const double *face)
{
    limit_side(U0, grad0, smallest0, largest0, centre0, limit0, face);
    limit_side(U1, grad1, smallest1, largest1, centre1, limit1, face);
}

#endif
