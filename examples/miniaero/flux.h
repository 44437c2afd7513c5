/* flux.h: the kernels of the fluxes through faces between two cells, one for each scheme: of first
 * order, where a face sees the states of its cells, or of second order, where these are
 * extrapolated to the face; without friction or with it.
 */
#ifndef MINIAERO_FLUX_H
#define MINIAERO_FLUX_H

#include "gas.h"
#include "roe.h"
#include "viscous.h"

/* The state that a face sees of a cell: that at its centre, plus the limited change on the way. */
inline void extrapolate(const double *U, const double *grad, const double *limit,
                        const double *centre, const double *face, double *V)
{
    double way[3];
    for (int d = 0; d < 3; d++) {
        way[d] = face[d] - centre[d];
    }
    gas::primitive(U, V);
    for (int k = 0; k < gas::variables; k++) {
        V[k] += limit[k] * gas::dot(grad + 3 * k, way);
    }
}

/* Subtracts the viscous flux for the mean of two states and of two gradients. */
inline void subtract_mean_viscous(const double *V0, const double *V1, const double *grad0,
                                  const double *grad1, const double *S, double *flux)
{
    double V[gas::variables], grad[3 * gas::variables];
    for (int k = 0; k < gas::variables; k++) {
        V[k] = 0.5 * (V0[k] + V1[k]);
    }
    for (int i = 0; i < 3 * gas::variables; i++) {
        grad[i] = 0.5 * (grad0[i] + grad1[i]);
    }
    subtract_viscous(V, grad, S, flux);
}

/* Adds to cell 1 what leaves cell 0. */
inline void pass(const double *flux, double *flux0, double *flux1)
{
    for (int k = 0; k < gas::variables; k++) {
        flux0[k] -= flux[k];
        flux1[k] += flux[k];
    }
}

inline void flux_first(const double *U0, const double *U1, double *flux0, double *flux1,
                       const double *S, const double *T, const double *B)
{
    double V0[gas::variables], V1[gas::variables], flux[gas::variables];
    gas::primitive(U0, V0);
    gas::primitive(U1, V1);
    roe_flux(V0, V1, S, T, B, flux);
    pass(flux, flux0, flux1);
}

inline void flux_first_viscous(const double *U0, const double *U1, const double *grad0,
                               const double *grad1, double *flux0, double *flux1, const double *S,
                               const double *T, const double *B)
{
    double V0[gas::variables], V1[gas::variables], flux[gas::variables];
    gas::primitive(U0, V0);
    gas::primitive(U1, V1);
    roe_flux(V0, V1, S, T, B, flux);
    subtract_mean_viscous(V0, V1, grad0, grad1, S, flux);
    pass(flux, flux0, flux1);
}

inline void flux_second(const double *U0, const double *U1, const double *grad0,
                        const double *grad1, const double *limit0, const double *limit1,
                        const double *centre0, const double *centre1, double *flux0, double *flux1,
                        const double *face, const double *S, const double *T, const double *B)
{
    double V0[gas::variables], V1[gas::variables], flux[gas::variables];
    extrapolate(U0, grad0, limit0, centre0, face, V0);
    extrapolate(U1, grad1, limit1, centre1, face, V1);
    roe_flux(V0, V1, S, T, B, flux);
    pass(flux, flux0, flux1);
}

inline void flux_second_viscous(const double *U0, const double *U1, const double *grad0,
                                const double *grad1, const double *limit0, const double *limit1,
                                const double *centre0, const double *centre1, double *flux0,
                                double *flux1, const double *face, const double *S, const double *T,
                                const double *B)
{
    double V0[gas::variables], V1[gas::variables], flux[gas::variables];
    extrapolate(U0, grad0, limit0, centre0, face, V0);
    extrapolate(U1, grad1, limit1, centre1, face, V1);
    roe_flux(V0, V1, S, T, B, flux);
    subtract_mean_viscous(V0, V1, grad0, grad1, S, flux);
    pass(flux, flux0, flux1);
}

#endif
