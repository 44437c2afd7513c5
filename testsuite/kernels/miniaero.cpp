/* miniaero.cpp: two loops of miniAero (compressible flow on hexahedra) in C++: the stencil's
 * minimum and maximum, taken through the map, and a first-order Roe flux over interior faces.
 */
#include <algorithm>
#include <cmath>

#include "mesh.h"

namespace
{

constexpr int CELLS = 90, FACES = 200, NV = 5;

struct state {
    double rho, u[3], T;
};

inline state primitive(const double *U)
{
    constexpr double R = 287.05, gm1 = 0.4;
    state V;
    V.rho = U[0];
    double kinetic = 0.0;
    for (int d = 0; d < 3; d++) {
        V.u[d] = U[d + 1] / U[0];
        kinetic += 0.5 * V.u[d] * V.u[d];
    }
    V.T = gm1 / R * (U[4] / U[0] - kinetic);
    return V;
}

inline void as_array(const state &V, double *to)
{
    to[0] = V.rho;
    for (int d = 0; d < 3; d++) {
        to[d + 1] = V.u[d];
    }
    to[4] = V.T;
}

inline void min_max(const double *U0, const double *U1, double *smin0, double *smin1, double *smax0,
                    double *smax1)
{
    double left[NV], right[NV];
    as_array(primitive(U0), left);
    as_array(primitive(U1), right);
    for (int k = 0; k < NV; k++) {
        const double low = std::min(left[k], right[k]);
        const double high = std::max(left[k], right[k]);
        smin0[k] = std::min(smin0[k], low);
        smin1[k] = std::min(smin1[k], low);
        if (high > smax0[k]) {
            smax0[k] = high;
        }
        smax1[k] = smax1[k] < high ? high : smax1[k];
    }
}

inline double enthalpy(const state &V)
{
    return 1004.0 * V.T + 0.5 * (V.u[0] * V.u[0] + V.u[1] * V.u[1] + V.u[2] * V.u[2]);
}

inline void physical(const state &V, const double *S, double *f)
{
    const double mass = V.rho * (V.u[0] * S[0] + V.u[1] * S[1] + V.u[2] * S[2]);
    const double p = V.rho * 287.05 * V.T;
    f[0] = mass;
    for (int d = 0; d < 3; d++) {
        f[d + 1] = mass * V.u[d] + p * S[d];
    }
    f[4] = mass * enthalpy(V);
}

inline void face_flux(const double *U0, const double *U1, double *flux0, double *flux1,
                      const double *S)
{
    const state l = primitive(U0), r = primitive(U1);
    double fl[NV], fr[NV];
    physical(l, S, fl);
    physical(r, S, fr);
    const double a = std::sqrt(l.rho) / (std::sqrt(l.rho) + std::sqrt(r.rho));
    double un = 0.0, uu = 0.0;
    for (int d = 0; d < 3; d++) {
        const double u = a * l.u[d] + (1.0 - a) * r.u[d];
        un += u * S[d];
        uu += u * u;
    }
    const double h = a * enthalpy(l) + (1.0 - a) * enthalpy(r);
    const double area = std::sqrt(S[0] * S[0] + S[1] * S[1] + S[2] * S[2]);
    const double c = std::sqrt(0.4 * std::max(h - 0.5 * uu, 1.0));
    double lambda = std::abs(un) + c * area;
    if (const double eps = 0.1 * lambda; std::abs(un) < eps) {
        lambda += 0.5 * (un * un + eps * eps) / eps;
    }
    for (int k = 0; k < NV; k++) {
        const double f = 0.5 * (fl[k] + fr[k]) - 0.5 * lambda * (U1[k] - U0[k]);
        flux0[k] -= f;
        flux1[k] += f;
    }
}

op_dat flow_dat(op_set cells)
{
    static const double base[NV] = {0.6, 300.0, 20.0, -10.0, 3e5};
    static const double swing[NV] = {0.1, 40.0, 20.0, 20.0, 2e4};
    double value[NV * CELLS];
    for (int i = 0; i < NV * CELLS; i++) {
        value[i] = field(i / NV, i % NV, base[i % NV], swing[i % NV]);
    }
    return op_decl_dat(cells, NV, "double", value, "U");
}

} // namespace

int main(int argc, char **argv)
{
    int row[2 * FACES];
    op_init(argc, argv, 1);
    for (int f = 0; f < FACES; f++) {
        row[2 * f] = f * 13 % CELLS;
        row[2 * f + 1] = (f * 13 + 1 + f % 5) % CELLS;
    }
    op_set cells = op_decl_set(CELLS, "cells");
    op_set faces = op_decl_set(FACES, "faces");
    op_map f2c = op_decl_map(faces, cells, 2, row, "f2c");
    op_dat U = flow_dat(cells);
    op_dat smin = field_dat(cells, NV, 500.0, 100.0, "smin");
    op_dat smax = field_dat(cells, NV, -500.0, 100.0, "smax");
    op_dat flux = zero_dat(cells, NV, "flux");
    op_dat S = field_dat(faces, 3, 0.1, 0.3, "S");

    op_par_loop(min_max, "min_max", faces, op_arg_dat(U, 0, f2c, 5, "double", OP_READ),
                op_arg_dat(U, 1, f2c, 5, "double", OP_READ),
                op_arg_dat(smin, 0, f2c, 5, "double", OP_MIN),
                op_arg_dat(smin, 1, f2c, 5, "double", OP_MIN),
                op_arg_dat(smax, 0, f2c, 5, "double", OP_MAX),
                op_arg_dat(smax, 1, f2c, 5, "double", OP_MAX));
    op_par_loop(face_flux, "face_flux", faces, op_arg_dat(U, 0, f2c, 5, "double", OP_READ),
                op_arg_dat(U, 1, f2c, 5, "double", OP_READ),
                op_arg_dat(flux, 0, f2c, 5, "double", OP_INC),
                op_arg_dat(flux, 1, f2c, 5, "double", OP_INC),
                op_arg_dat(S, -1, OP_ID, 3, "double", OP_READ));
    print_dat(smin);
    print_dat(smax);
    print_dat(flux);
    op_exit();
    return 0;
}
