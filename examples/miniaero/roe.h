/* roe.h: the inviscid flux through a face: Roe's approximate Riemann solver.
 *
 * P. L. Roe: Approximate Riemann solvers, parameter vectors, and difference schemes, Journal of
 * Computational Physics 43, 1981. Wave strengths as in E. F. Toro: Riemann Solvers and Numerical
 * Methods for Fluid Dynamics, section 11.2, turned into the face's own directions.
 */
#ifndef MINIAERO_ROE_H
#define MINIAERO_ROE_H

#include "gas.h"

/* Flux of the state V through a face with area vector S. */
inline void euler_flux(const double *V, const double *S, double *flux)
{
    const double mass = V[0] * gas::dot(V + 1, S);
    const double p = gas::pressure(V);
    flux[0] = mass;
    for (int d = 0; d < 3; d++) {
        flux[d + 1] = mass * V[d + 1] + p * S[d];
    }
    flux[4] = mass * (gas::enthalpy(V) + 0.5 * gas::dot(V + 1, V + 1));
}

/* |lambda|, rounded off below a tenth of the fastest wave, so that no expansion becomes a shock. */
inline double wave_speed(double lambda, double fastest)
{
    const double eps = 0.1 * fastest;
    const double speed = std::fabs(lambda);
    return speed < eps ? 0.5 * (lambda * lambda + eps * eps) / eps : speed;
}

/* The average state of two sides, and the speeds of its waves through a face. */
struct roe_average {
    double u[3];
    double h; /* static enthalpy */
    double c; /* speed of sound */
};

inline roe_average average(const double *left, const double *right)
{
    const double root_left = std::sqrt(left[0]);
    const double root_right = std::sqrt(right[0]);
    const double a = root_left / (root_left + root_right);
    const double b = 1.0 - a;
    roe_average mean;
    double jump = 0.0;
    for (int d = 0; d < 3; d++) {
        mean.u[d] = a * left[d + 1] + b * right[d + 1];
        jump += (right[d + 1] - left[d + 1]) * (right[d + 1] - left[d + 1]);
    }
    mean.h = a * gas::enthalpy(left) + b * gas::enthalpy(right) + 0.5 * a * b * jump;
    mean.c = std::sqrt(gas::gamma_1 * mean.h);
    return mean;
}

/* The conserved state, with the energy that the enthalpy gives. cp is not exactly 1.4 R / 0.4: this
 * energy is a thousandth smaller than the one that the temperature of a cell was computed from. */
inline void conserved_by_enthalpy(const double *V, double *U)
{
    gas::conserved(V, U);
    U[4] = V[0] * (gas::enthalpy(V) + 0.5 * gas::dot(V + 1, V + 1)) - gas::pressure(V);
}

/* |A| (U(right) - U(left)) for the average state. A has the eigenvectors of two acoustic waves, of
 * the entropy wave and of two shear waves, along the tangent T and the binormal B. T has length 1,
 * S and B have the length of the face's area. */
inline void dissipation(const double *left, const double *right, const double *S, const double *T,
                        const double *B, double *D)
{
    double U_left[gas::variables], U_right[gas::variables], jump[gas::variables];
    conserved_by_enthalpy(left, U_left);
    conserved_by_enthalpy(right, U_right);
    for (int k = 0; k < gas::variables; k++) {
        jump[k] = U_right[k] - U_left[k];
    }

    const roe_average mean = average(left, right);
    const double area = std::sqrt(gas::dot(S, S));
    double n[3], b[3];
    for (int d = 0; d < 3; d++) {
        n[d] = S[d] / area;
        b[d] = B[d] / area;
    }
    const double c = mean.c;
    const double un = gas::dot(mean.u, n);
    const double ut = gas::dot(mean.u, T);
    const double ub = gas::dot(mean.u, b);
    const double kinetic = 0.5 * gas::dot(mean.u, mean.u);
    const double H = mean.h + kinetic;

    /* Strengths of the waves. */
    const double shear_t = gas::dot(jump + 1, T) - ut * jump[0];
    const double shear_b = gas::dot(jump + 1, b) - ub * jump[0];
    const double momentum = gas::dot(jump + 1, n);
    const double energy = jump[4] - shear_t * ut - shear_b * ub;
    const double entropy =
        gas::gamma_1 / (c * c) * (jump[0] * (H - un * un) + un * momentum - energy);
    const double slow = 0.5 / c * (jump[0] * (un + c) - momentum - c * entropy);
    const double fast = jump[0] - slow - entropy;

    const double fastest = area * (std::fabs(un) + c);
    const double at_flow = wave_speed(area * un, fastest);
    const double w_slow = wave_speed(area * (un - c), fastest) * slow;
    const double w_fast = wave_speed(area * (un + c), fastest) * fast;
    const double w_entropy = at_flow * entropy;
    const double w_t = at_flow * shear_t;
    const double w_b = at_flow * shear_b;

    const double sum = w_slow + w_entropy + w_fast;
    const double acoustic = c * (w_fast - w_slow);
    D[0] = sum;
    for (int d = 0; d < 3; d++) {
        D[d + 1] = sum * mean.u[d] + acoustic * n[d] + w_t * T[d] + w_b * b[d];
    }
    D[4] = (w_slow + w_fast) * H + acoustic * un + w_entropy * kinetic + w_t * ut + w_b * ub;
}

/* Flux from the left state to the right one through a face with area vector S, tangent T and
 * binormal B. */
inline void roe_flux(const double *left, const double *right, const double *S, const double *T,
                     const double *B, double *flux)
{
    double from_left[gas::variables], from_right[gas::variables], D[gas::variables];
    euler_flux(left, S, from_left);
    euler_flux(right, S, from_right);
    dissipation(left, right, S, T, B, D);
    for (int k = 0; k < gas::variables; k++) {
        flux[k] = 0.5 * (from_left[k] + from_right[k]) - 0.5 * D[k];
    }
}

#endif
