/* riemann.cpp: the exact solution of the Riemann problem of an ideal gas, as in E. F. Toro: Riemann
 * Solvers and Numerical Methods for Fluid Dynamics, chapter 4.
 */
#include "riemann.h"

#include <cmath>

namespace
{

constexpr double g = gas::gamma_1 + 1.0;

double sound(const tube_state &state)
{
    return std::sqrt(g * state.p / state.rho);
}

/* The change of velocity across the wave between an outer state and the pressure p: a shock where
 * the pressure rises, else an expansion. */
double velocity_jump(const tube_state &outer, double p)
{
    if (p > outer.p) {
        return (p - outer.p) *
               std::sqrt(2.0 / outer.rho / ((g + 1.0) * p + gas::gamma_1 * outer.p));
    }
    const double power = gas::gamma_1 / (2.0 * g);
    return 2.0 * sound(outer) / gas::gamma_1 * (std::pow(p / outer.p, power) - 1.0);
}

/* The state on one side of the contact discontinuity, where x / t = speed. outer: the state of this
 * side that no wave has reached; p, u: pressure and velocity at the discontinuity. All velocities
 * count outwards, from the discontinuity towards the outer state. */
tube_state one_side(const tube_state &outer, double p, double u, double speed)
{
    const double c = sound(outer);
    const double ratio = p / outer.p;
    if (ratio > 1.0) {
        const double a = gas::gamma_1 / (g + 1.0);
        const double mach = std::sqrt(((g + 1.0) * ratio + gas::gamma_1) / (2.0 * g));
        const double rho = outer.rho * (ratio + a) / (a * ratio + 1.0);
        return speed > outer.u + mach * c ? outer : tube_state{rho, u, p};
    }
    const double c_inner = c * std::pow(ratio, gas::gamma_1 / (2.0 * g));
    if (speed > outer.u + c) {
        return outer;
    }
    if (speed < u + c_inner) {
        return {outer.rho * std::pow(ratio, 1.0 / g), u, p};
    }
    const double local =
        (2.0 * c + gas::gamma_1 * (speed - outer.u)) / (g + 1.0); /* speed of sound */
    const double cooled = std::pow(local / c, 2.0 / gas::gamma_1);
    return {outer.rho * cooled, speed - local, outer.p * std::pow(cooled, g)};
}

} // namespace

/* Bisection: the jumps' sum grows with the pressure. */
shock_tube::shock_tube(const tube_state &left, const tube_state &right) : left(left), right(right)
{
    double low = 0.0;
    double high = 100.0 * (left.p + right.p);
    for (int i = 0; i < 200; i++) {
        p_middle = 0.5 * (low + high);
        const double sum =
            velocity_jump(left, p_middle) + velocity_jump(right, p_middle) + right.u - left.u;
        (sum > 0.0 ? high : low) = p_middle;
    }
    u_middle = right.u + velocity_jump(right, p_middle);
}

tube_state shock_tube::at(double speed) const
{
    if (speed > u_middle) {
        return one_side(right, p_middle, u_middle, speed);
    }
    const tube_state mirrored = {left.rho, -left.u, left.p};
    tube_state state = one_side(mirrored, p_middle, -u_middle, -speed);
    state.u = -state.u;
    return state;
}
