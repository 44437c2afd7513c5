/* jac_mixed.c: Jacobi's iteration where types and dimensions differ. */
#include "op_seq.h"

#include "jac.h"

float alpha_mixed = 1.0f; /* constant of the kernels */

#include "jac_mixed.h"

/* Components that no kernel uses hold this before and after: a large value would show in the
 * results. */
static const double UNUSED = 1e20;

static double *rows_double(const double *value, int count, int dim)
{
    double *array = malloc((size_t)count * (size_t)dim * sizeof *array);
    for (size_t i = 0; array != NULL && i < (size_t)count * (size_t)dim; i++) {
        array[i] = i % (size_t)dim == 0 ? value[i / (size_t)dim] : UNUSED;
    }
    return array;
}

/* value NULL: zeros. */
static float *rows_float(const double *value, int count, int dim)
{
    float *array = malloc((size_t)count * (size_t)dim * sizeof *array);
    for (size_t i = 0; array != NULL && i < (size_t)count * (size_t)dim; i++) {
        const double first = value != NULL ? value[i / (size_t)dim] : 0.0;
        array[i] = (float)(i % (size_t)dim == 0 ? first : UNUSED);
    }
    return array;
}

/* Takes the first components of u as the result; the second are as they were. */
static void result(const float *row, int count, double *u)
{
    for (int n = 0; n < count; n++) {
        u[n] = row[2 * n];
        if (row[2 * n + 1] != (float)UNUSED) {
            run_failed("jac", "component 1 of u at node %d was not to be changed", n);
        }
    }
}

void jacobi_mixed(const struct grid *grid, struct run *run, int steps, double *u)
{
    double *A = rows_double(grid->A, grid->nedge, 3);
    float *r = rows_float(grid->r, grid->nnode, 2);
    float *u_rows = rows_float(NULL, grid->nnode, 2);
    float *du_rows = rows_float(NULL, grid->nnode, 3);
    if (A == NULL || r == NULL || u_rows == NULL || du_rows == NULL) {
        run_failed("jac", "not enough memory for %d nodes", grid->nnode);
    }
    op_set nodes = op_decl_set(grid->nnode, "nodes");
    op_set edges = op_decl_set(grid->nedge, "edges");
    op_map ppedge = op_decl_map(edges, nodes, 2, grid->ends, "ppedge");
    op_dat p_A = op_decl_dat(edges, 3, "double", A, "p_A");
    op_dat p_r = op_decl_dat(nodes, 2, "float", r, "p_r");
    op_dat p_u = op_decl_dat(nodes, 2, "float", u_rows, "p_u");
    op_dat p_du = op_decl_dat(nodes, 3, "float", du_rows, "p_du");
    op_decl_const(1, "float", &alpha_mixed);

    float beta = 1.0f;
    run_progress(run, 0, steps);
    for (int step = 1; step <= steps; step++) {
        double u_sum = 0.0;
        float u_max = 0.0f;
        op_par_loop(res_mixed, "res_mixed", edges, op_arg_dat(p_A, -1, OP_ID, 3, "double", OP_READ),
                    op_arg_dat(p_u, 1, ppedge, 2, "float", OP_READ),
                    op_arg_dat(p_du, 0, ppedge, 3, "float", OP_INC),
                    op_arg_gbl(&beta, 1, "float", OP_READ));
        op_par_loop(
            update_mixed, "update_mixed", nodes, op_arg_dat(p_r, -1, OP_ID, 2, "float", OP_READ),
            op_arg_dat(p_du, -1, OP_ID, 3, "float", OP_RW),
            op_arg_dat(p_u, -1, OP_ID, 2, "float", OP_RW), op_arg_gbl(&u_sum, 1, "double", OP_INC),
            op_arg_gbl(&u_max, 1, "float", OP_MAX));
        run_progress(run, step, steps);
        jacobi_report(grid, run, step, u_max, u_sum);
    }
    op_fetch_data(p_u, u_rows);
    result(u_rows, grid->nnode, u);
    free(A);
    free(r);
    free(u_rows);
    free(du_rows);
}
