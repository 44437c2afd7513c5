/* jac_float.c: Jacobi's iteration in float. */
#include "op_seq.h"

#include "jac.h"

float alpha_float = 1.0f; /* constant of the kernels */

#include "jac_float.h"

static float *floats(const double *value, int count)
{
    float *array = malloc((size_t)count * sizeof *array);
    if (array == NULL) {
        run_failed("jac", "not enough memory for %d numbers", count);
    }
    for (int i = 0; i < count; i++) {
        array[i] = (float)value[i];
    }
    return array;
}

void jacobi_float(const struct grid *grid, struct run *run, int steps, double *u)
{
    op_set nodes = op_decl_set(grid->nnode, "nodes");
    op_set edges = op_decl_set(grid->nedge, "edges");
    op_map ppedge = op_decl_map(edges, nodes, 2, grid->ends, "ppedge");
    float *A = floats(grid->A, grid->nedge);
    float *r = floats(grid->r, grid->nnode);
    op_dat p_A = op_decl_dat(edges, 1, "float", A, "p_A");
    op_dat p_r = op_decl_dat(nodes, 1, "float", r, "p_r");
    op_dat p_u = op_decl_dat(nodes, 1, "float", (float *)NULL, "p_u");
    op_dat p_du = op_decl_dat(nodes, 1, "float", (float *)NULL, "p_du");
    op_decl_const(1, "float", &alpha_float);

    float beta = 1.0f;
    run_progress(run, 0, steps);
    for (int step = 1; step <= steps; step++) {
        float u_sum = 0.0f;
        float u_max = 0.0f;
        op_par_loop(res_float, "res_float", edges, op_arg_dat(p_A, -1, OP_ID, 1, "float", OP_READ),
                    op_arg_dat(p_u, 1, ppedge, 1, "float", OP_READ),
                    op_arg_dat(p_du, 0, ppedge, 1, "float", OP_INC),
                    op_arg_gbl(&beta, 1, "float", OP_READ));
        op_par_loop(update_float, "update_float", nodes,
                    op_arg_dat(p_r, -1, OP_ID, 1, "float", OP_READ),
                    op_arg_dat(p_du, -1, OP_ID, 1, "float", OP_RW),
                    op_arg_dat(p_u, -1, OP_ID, 1, "float", OP_RW),
                    op_arg_gbl(&u_sum, 1, "float", OP_INC), op_arg_gbl(&u_max, 1, "float", OP_MAX));
        run_progress(run, step, steps);
        jacobi_report(grid, run, step, u_max, u_sum);
    }
    op_fetch_data(p_u, r);
    for (int n = 0; n < grid->nnode; n++) {
        u[n] = r[n];
    }
    free(A);
    free(r);
}
