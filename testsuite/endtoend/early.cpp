/* early.cpp: constants that C++ initialises before main: values that are certain when it is compiled, one that
 * op_decl_const gives, and those that only the program knows, in several scopes. */
#include <cmath>

#include "op_seq.h"

static double measured(double x)
{
    return x / 3.0;
}

const double gam = 1.4;
const double gm1 = gam - 1.0;
const double root = std::sqrt(2.0);
const double pi = 4.0 * std::atan(1.0);
const double entropy = std::pow(gam, 2.5) - std::exp(-gm1);
const double half_root = sqrt(2.0) / 2, whole = std::pow(gam, 2) * std::sqrt(2);
const float third = std::sqrt(1.0f / 3) + sqrtf(5);
const int corners = static_cast<int>(std::floor(std::fmax(4.5, gam))) / 2;
const double chosen = corners > 1 ? std::max(root, half_root) : -1.0;
const double table[2] = {-std::sqrt(3.0), std::cos(pi / 7.0)};
static const double given = measured(gam);
static const double known_late = measured(root);
const int steps = static_cast<int>(measured(10.0));
extern const float single;
const float single = static_cast<float>(measured(0.7));

namespace
{
const double hidden[2] = {measured(1.1), 2.0};
}

namespace physics
{
static const double known_late = measured(5.0);
inline namespace gas
{
extern const double shared;
const double shared = measured(3.7);
} // namespace gas
} // namespace physics

struct limits {
    static const double most;
};
const double limits::most = measured(0.11);

static void certain(const double *x, double *y)
{
    y[0] = x[0] * gm1 + root - entropy * table[1] + half_root * whole - third * corners + chosen;
    y[1] = std::sin(pi * x[0]) * given + table[0];
}

static void uncertain(const double *x, double *y)
{
    y[0] += x[0] * known_late + physics::known_late;
    for (int s = 0; s < steps; s++) {
        y[1] += hidden[s % 2] * physics::shared + single;
    }
    y[1] *= limits::most;
}

int main(int argc, char **argv)
{
    double x[16], y[32];
    for (int c = 0; c < 16; c++) {
        x[c] = 0.3 * c;
    }
    op_init(argc, argv, 0);
    op_set cells = op_decl_set(16, "cells");
    op_dat p_x = op_decl_dat(cells, 1, "double", x, "x");
    op_dat p_y = op_decl_dat(cells, 2, "double", (double *)NULL, "y");
    op_decl_const(1, "double", &given);
    op_par_loop(certain, "certain", cells, op_arg_dat(p_x, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(p_y, -1, OP_ID, 2, "double", OP_WRITE));
    op_par_loop(uncertain, "uncertain", cells, op_arg_dat(p_x, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(p_y, -1, OP_ID, 2, "double", OP_RW));
    op_fetch_data(p_y, y);
    for (int c = 0; c < 32; c++) {
        printf("%a\n", y[c]);
    }
    op_timing_output();
    op_exit();
    return 0;
}
