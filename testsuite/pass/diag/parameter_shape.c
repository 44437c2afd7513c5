#include "op_seq.h"

static void copy(double x, double *q)
{
    q[0] = x;
}

void run(op_set cells, op_dat x, op_dat q)
{
    op_par_loop(copy, "copy", cells, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(q, -1, OP_ID, 1, "double", OP_WRITE));
}
