/* gas.h: air as miniAero models it: an ideal gas with Sutherland's viscosity.
 *
 * U is the conserved state of a cell, (rho, rho u, rho v, rho w, rho E), V the primitive one, (rho,
 * u, v, w, T). SI units. The two specific heats at constant pressure are miniAero's.
 */
#ifndef MINIAERO_GAS_H
#define MINIAERO_GAS_H

#include <cmath>

namespace gas
{

constexpr int variables = 5;
constexpr double R = 287.05;             /* gas constant, J/(kg K) */
constexpr double gamma_1 = 0.4;          /* ratio of specific heats, minus 1 */
constexpr double cp = 1004.0;            /* of the enthalpy, J/(kg K) */
constexpr double cp_conducting = 1006.0; /* of the conductivity, J/(kg K) */
constexpr double prandtl = 0.71;

inline double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

inline void primitive(const double *U, double *V)
{
    V[0] = U[0];
    for (int d = 1; d < 4; d++) {
        V[d] = U[d] / U[0];
    }
    V[4] = gamma_1 / R * (U[4] / U[0] - 0.5 * dot(V + 1, V + 1));
}

inline void conserved(const double *V, double *U)
{
    U[0] = V[0];
    for (int d = 1; d < 4; d++) {
        U[d] = V[0] * V[d];
    }
    U[4] = V[0] * (R / gamma_1 * V[4] + 0.5 * dot(V + 1, V + 1));
}

inline double pressure(const double *V)
{
    return V[0] * R * V[4];
}

/* Static enthalpy per mass. */
inline double enthalpy(const double *V)
{
    return cp * V[4];
}

/* Sutherland's law, kg/(m s). */
inline double viscosity(double T)
{
    return 1.458e-6 * T * std::sqrt(T) / (T + 110.4);
}

} // namespace gas
#endif
