#include "op_seq.h"

static void copy(double *x, double *y, double *q)
{
    q[0] = x[0] + x[1];
    if (q[0] < 0)
        y[0] = 0;
}

/* The dat of y is written: its elements see each other's values, one after the other. */
static void average(double *y, double *z)
{
    z[0] = 0.5 * (y[0] + z[0]);
}

void run(op_set edges, op_map pedge, op_dat x, op_dat y, op_dat q)
{
    op_par_loop(copy, "copy", edges, op_arg_dat(x, 0, pedge, 2, "double", OP_RW),
                op_arg_dat(y, 1, pedge, 1, "double", OP_RW),
                op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW));
    op_par_loop(average, "average", edges, op_arg_dat(y, 0, pedge, 1, "double", OP_RW),
                op_arg_dat(y, 1, pedge, 1, "double", OP_RW));
}
