/* Loops in included files, in functions' macros and behind wrappers; classes of dats and maps. */
#include "op_seq.h"

#include "found.h"

#define DIM 3
enum { COLUMN = 1 };
#define LOOP(kernel, set, ...) op_par_loop(kernel, #kernel, set, __VA_ARGS__)
#define POINT(dat) op_arg_dat(dat, COLUMN, mesh.edge, DIM, "double:soa", OP_READ)

static void add(const double *x, const double *y, double *z, double *total)
{
    z[0] += x[2] + y[0];
    *total += x[0];
}

static void vector(const double *x[2], int *e, const int *count, double **z)
{
    z[1][2] += x[0][0] + *e + *count;
}

void run(struct mesh mesh, op_set edges, op_dat q[2], double *sum)
{
    int opt = 1, count = 2;

    LOOP(add, edges, POINT(mesh.q), op_arg_dat(q[0], -1, OP_ID, 1, "double", OP_READ),
         op_arg_dat(mesh.r, 0, mesh.edge, DIM, "double", OP_INC), /* a comment, with a comma */
         op_arg_gbl(sum, 1, "double", OP_INC));
    LOOP((&add), edges, op_opt_arg_dat(opt, mesh.q, 0, mesh.edge, 3, "double", OP_READ),
         op_arg_dat(q[1], -1, OP_ID, 1, "double", OP_READ),
         op_arg_dat(mesh.r, 1, mesh.edge, DIM, "double", OP_INC),
         op_opt_arg_gbl(opt, sum, 1, "double", OP_INC));
    op_par_loop(vector, "vector of points", edges,
                op_arg_dat(mesh.q, -2, mesh.edge, 3, "double", OP_READ),
                op_arg_idx(1, mesh.edge), op_arg_gbl(&count, 1, "int", OP_READ),
                op_arg_dat(mesh.r, -2, mesh.edge, 3, "double", OP_INC));
    in_header(edges, q[0]);
}
