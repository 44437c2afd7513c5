#include "op_seq.h"

static void add(const double *x, double *q)
{
    q[0] += x[0];
}

void run(op_set edges, op_map pedge, op_dat x, op_dat q)
{
    op_par_loop(add, "add", edges, op_arg_dat(x, 0, pedge, 1, "double", OP_READ),
                op_arg_dat(q, 0, pedge, 1, "double", OP_READ));
}

/* A parameter written as an array is a pointer, also where the kernel adds to it. */
static void shifted(double x[2], double q[2])
{
    double *second = q + 1;
    *(x + 1) *= 2.0;
    *second = 1.0;
}

void run_shifted(op_set edges, op_dat x, op_dat q)
{
    op_par_loop(shifted, "shifted", edges, op_arg_dat(x, -1, OP_ID, 2, "double", OP_READ),
                op_arg_dat(q, -1, OP_ID, 2, "double", OP_READ));
}
