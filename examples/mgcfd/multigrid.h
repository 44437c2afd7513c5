// multigrid.h: from a level to the next coarser one, whose nodes are means of those above, and
// back.
#ifndef MGCFD_MULTIGRID_H
#define MGCFD_MULTIGRID_H

#include "flux.h"

// All nodes above a coarse node write the same.
inline void restrict_clear(double *coarse, int *children)
{
    for (int k = 0; k < NVAR; k++) {
        coarse[k] = 0.0;
    }
    *children = 0;
}

inline void restrict_add(const double *fine, double *coarse, int *children)
{
    for (int k = 0; k < NVAR; k++) {
        coarse[k] += fine[k];
    }
    *children += 1;
}

inline void restrict_divide(const int *children, double *coarse)
{
    const double share = 1.0 / *children;
    for (int k = 0; k < NVAR; k++) {
        coarse[k] *= share;
    }
}

// Corrects a fine node by the difference of the residuals, weighted by the distance to its coarse
// node: the whole of it for density and energy, along each axis for momentum.
inline void prolong(const double *residual, const double *x, const double *coarse_residual,
                    const double *coarse_x, double *variables)
{
    double dx[3], change[NVAR];
    for (int d = 0; d < 3; d++) {
        dx[d] = std::fabs(x[d] - coarse_x[d]);
    }
    const double distance = std::sqrt(dx[0] * dx[0] + dx[1] * dx[1] + dx[2] * dx[2]);
    for (int k = 0; k < NVAR; k++) {
        change[k] = coarse_residual[k] - residual[k];
    }
    variables[0] -= distance * change[0];
    for (int d = 0; d < 3; d++) {
        variables[d + 1] -= dx[d] * change[d + 1];
    }
    variables[4] -= distance * change[4];
}

#endif
