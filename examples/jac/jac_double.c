/* jac_double.c: Jacobi's iteration in double. */
#include "op_seq.h"

#include "jac.h"

double alpha_double = 1.0; /* constant of the kernels */

#include "jac_double.h"

void jacobi_double(const struct grid *grid, struct run *run, int steps, double *u)
{
    op_set nodes = op_decl_set(grid->nnode, "nodes");
    op_set edges = op_decl_set(grid->nedge, "edges");
    op_map ppedge = op_decl_map(edges, nodes, 2, grid->ends, "ppedge");
    op_dat p_A = op_decl_dat(edges, 1, "double", grid->A, "p_A");
    op_dat p_r = op_decl_dat(nodes, 1, "double", grid->r, "p_r");
    op_dat p_u = op_decl_dat(nodes, 1, "double", (double *)NULL, "p_u");
    op_dat p_du = op_decl_dat(nodes, 1, "double", (double *)NULL, "p_du");
    op_decl_const(1, "double", &alpha_double);

    double beta = 1.0;
    run_progress(run, 0, steps);
    for (int step = 1; step <= steps; step++) {
        double u_sum = 0.0;
        double u_max = 0.0;
        op_par_loop(res_double, "res_double", edges,
                    op_arg_dat(p_A, -1, OP_ID, 1, "double", OP_READ),
                    op_arg_dat(p_u, 1, ppedge, 1, "double", OP_READ),
                    op_arg_dat(p_du, 0, ppedge, 1, "double", OP_INC),
                    op_arg_gbl(&beta, 1, "double", OP_READ));
        op_par_loop(
            update_double, "update_double", nodes, op_arg_dat(p_r, -1, OP_ID, 1, "double", OP_READ),
            op_arg_dat(p_du, -1, OP_ID, 1, "double", OP_RW),
            op_arg_dat(p_u, -1, OP_ID, 1, "double", OP_RW), op_arg_gbl(&u_sum, 1, "double", OP_INC),
            op_arg_gbl(&u_max, 1, "double", OP_MAX));
        run_progress(run, step, steps);
        jacobi_report(grid, run, step, u_max, u_sum);
    }
    op_fetch_data(p_u, u);
}
