#include "op_seq.h"

double rms = 1;
double norm[2];

static double scaled(double x)
{
    return rms * x;
}

static void both(const double *x, const double *g, double *h)
{
    h[0] += x[0] * g[0];
}

static void constant(const double *x, double *h)
{
    h[0] += scaled(x[0]);
}

/* Two sums of one global are one sum, and the halves of an array are not the same. */
static void apart(const double *x, double *g, double *h, double *i)
{
    g[0] += x[0];
    h[0] += x[0];
    i[0] = fmax(i[0], x[0]);
}

void run(op_set cells, op_dat x)
{
    double g[2] = {0, 0};
    op_decl_const(1, "double", &rms);
    op_par_loop(both, "both", cells, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
                op_arg_gbl(g, 1, "double", OP_READ), op_arg_gbl(&g[0], 1, "double", OP_INC));
    op_par_loop(constant, "constant", cells, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
                op_arg_gbl(&rms, 1, "double", OP_INC));
    op_par_loop(apart, "apart", cells, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
                op_arg_gbl(&norm[0], 1, "double", OP_INC),
                op_arg_gbl(norm, 1, "double", OP_INC), op_arg_gbl(&norm[1], 1, "double", OP_MAX));
}
