/* boundary.h: the kernels of the fluxes through faces of the boundary, one for each condition. All
 * take the state of the cell as it is, without extrapolation.
 */
#ifndef MINIAERO_BOUNDARY_H
#define MINIAERO_BOUNDARY_H

#include "gas.h"
#include "roe.h"
#include "viscous.h"

/* Conserved state of the gas that flows in: a constant of the program. */
extern double inflow[gas::variables];

inline void subtract(const double *flux, double *flux0)
{
    for (int k = 0; k < gas::variables; k++) {
        flux0[k] -= flux[k];
    }
}

/* The gas outside is that of the cell: Roe's flux of two equal states is Euler's. */
inline void outflow_flux(const double *U, double *flux0, const double *S)
{
    double V[gas::variables], flux[gas::variables];
    gas::primitive(U, V);
    euler_flux(V, S, flux);
    subtract(flux, flux0);
}

/* The gas outside has the constant state `inflow`. */
inline void inflow_flux(const double *U, double *flux0, const double *S, const double *T,
                        const double *B)
{
    double V[gas::variables], outside[gas::variables], flux[gas::variables];
    gas::primitive(U, V);
    gas::primitive(inflow, outside);
    roe_flux(V, outside, S, T, B, flux);
    subtract(flux, flux0);
}

/* The gas outside mirrors that of the cell: nothing passes, and nothing rubs. */
inline void mirror_flux(const double *V, const double *S, const double *T, const double *B,
                        double *flux)
{
    double outside[gas::variables];
    const double twice = 2.0 * gas::dot(V + 1, S) / gas::dot(S, S);
    outside[0] = V[0];
    for (int d = 0; d < 3; d++) {
        outside[d + 1] = V[d + 1] - twice * S[d];
    }
    outside[4] = V[4];
    roe_flux(V, outside, S, T, B, flux);
}

/* A wall along which the gas slips. */
inline void slip_flux(const double *U, double *flux0, const double *S, const double *T,
                      const double *B)
{
    double V[gas::variables], flux[gas::variables];
    gas::primitive(U, V);
    mirror_flux(V, S, T, B, flux);
    subtract(flux, flux0);
}

/* A wall at which the gas rests; no heat passes it. The gradient at the wall is that of a straight
 * line from the cell's centre to the face's. */
inline void no_slip_flux(const double *U, const double *centre, double *flux0, const double *face,
                         const double *S, const double *T, const double *B)
{
    double V[gas::variables], flux[gas::variables];
    gas::primitive(U, V);
    mirror_flux(V, S, T, B, flux);

    double way[3], wall[gas::variables], grad[3 * gas::variables];
    for (int d = 0; d < 3; d++) {
        way[d] = face[d] - centre[d];
    }
    const double area_times_way = std::sqrt(gas::dot(S, S) * gas::dot(way, way));
    for (int k = 0; k < gas::variables; k++) {
        wall[k] = k == 0 || k == 4 ? V[k] : 0.0;
        for (int d = 0; d < 3; d++) {
            grad[3 * k + d] = (wall[k] - V[k]) * S[d] / area_times_way;
        }
    }
    subtract_viscous(wall, grad, S, flux);
    subtract(flux, flux0);
}

#endif
