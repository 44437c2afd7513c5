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
