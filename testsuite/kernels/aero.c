/* aero.c: two loops of OP2's aero (finite elements on quads): the residual with its element matrix,
 * which is written directly beside the increments, and the sparse matrix-vector product of the CG
 * solver.
 */
#include "mesh.h"

enum { N = 6 };
static const double gm1 = 0.4, gm1i = 2.5, m2 = 0.01;
static const double wtg[2] = {0.5, 0.5};
static const double xi1[2] = {0.211324865405187, 0.788675134594813};

static inline void res_calc(const double **x, const double **phim, double *K, double **res)
{
    for (int j = 0; j < 4; j++) {
        for (int k = 0; k < 4; k++) {
            K[4 * j + k] = 0.0;
        }
    }
    for (int i = 0; i < 4; i++) {
        const double a = xi1[i % 2], b = xi1[i / 2];
        const double dNa[4] = {b - 1.0, 1.0 - b, -b, b};
        const double dNb[4] = {a - 1.0, -a, 1.0 - a, a};
        double J[2][2] = {{0.0, 0.0}, {0.0, 0.0}};
        for (int j = 0; j < 4; j++) {
            for (int d = 0; d < 2; d++) {
                J[0][d] += dNa[j] * x[j][d];
                J[1][d] += dNb[j] * x[j][d];
            }
        }
        const double det = J[0][0] * J[1][1] - J[0][1] * J[1][0];
        double Nx[4], Ny[4];
        double u[2] = {0.0, 0.0};
        for (int j = 0; j < 4; j++) {
            Nx[j] = (J[1][1] * dNa[j] - J[0][1] * dNb[j]) / det;
            Ny[j] = (J[0][0] * dNb[j] - J[1][0] * dNa[j]) / det;
            u[0] += Nx[j] * phim[j][0];
            u[1] += Ny[j] * phim[j][0];
        }
        const double w = wtg[i % 2] * wtg[i / 2] * det;
        const double D = 1.0 + 0.5 * gm1 * (m2 - (u[0] * u[0] + u[1] * u[1]));
        const double rho = pow(D, gm1i);
        const double rc = rho / D;
        for (int j = 0; j < 4; j++) {
            const double along = u[0] * Nx[j] + u[1] * Ny[j];
            res[j][0] += w * rho * along;
            for (int k = 0; k < 4; k++) {
                K[4 * j + k] += w * rho * (Nx[j] * Nx[k] + Ny[j] * Ny[k]) -
                                w * rc * along * (u[0] * Nx[k] + u[1] * Ny[k]);
            }
        }
    }
}

/* V += K P, from the upper triangle of the symmetric K. */
static inline void spmv(double **v, const double *K, const double **p)
{
    for (int j = 0; j < 4; j++) {
        v[j][0] += K[5 * j] * p[j][0];
        for (int k = j + 1; k < 4; k++) {
            const double entry = K[4 * j + k];
            v[j][0] += entry * p[k][0];
            v[k][0] += entry * p[j][0];
        }
    }
}

int main(int argc, char **argv)
{
    int row[4 * N * N];
    double xm[2 * (N + 1) * (N + 1)];
    op_init(argc, argv, 1);
    for (int c = 0; c < N * N; c++) {
        int corner = c % N + (N + 1) * (c / N);
        row[4 * c] = corner;
        row[4 * c + 1] = corner + 1;
        row[4 * c + 2] = corner + N + 1;
        row[4 * c + 3] = corner + N + 2;
    }
    for (int v = 0; v < (N + 1) * (N + 1); v++) {
        xm[2 * v] = v % (N + 1) + field(v, 0, 0.0, 0.1);
        xm[2 * v + 1] = v / (N + 1) + field(v, 1, 0.0, 0.1);
    }
    op_set nodes = op_decl_set((N + 1) * (N + 1), "nodes");
    op_set cells = op_decl_set(N * N, "cells");
    op_map pcell = op_decl_map(cells, nodes, 4, row, "pcell");
    op_dat x = op_decl_dat(nodes, 2, "double", xm, "x");
    op_dat phim = field_dat(nodes, 1, 0.5, 0.3, "phim");
    op_dat resm = zero_dat(nodes, 1, "resm");
    op_dat K = zero_dat(cells, 16, "K");
    op_dat V = zero_dat(nodes, 1, "V");

    op_par_loop(res_calc, "res_calc", cells, op_arg_dat(x, -4, pcell, 2, "double", OP_READ),
                op_arg_dat(phim, -4, pcell, 1, "double", OP_READ),
                op_arg_dat(K, -1, OP_ID, 16, "double", OP_WRITE),
                op_arg_dat(resm, -4, pcell, 1, "double", OP_INC));
    op_par_loop(spmv, "spmv", cells, op_arg_dat(V, -4, pcell, 1, "double", OP_INC),
                op_arg_dat(K, -1, OP_ID, 16, "double", OP_READ),
                op_arg_dat(phim, -4, pcell, 1, "double", OP_READ));
    print_dat(K);
    print_dat(resm);
    print_dat(V);
    op_exit();
    return 0;
}
