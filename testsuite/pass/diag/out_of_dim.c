#include "op_seq.h"

static void sum(const double *q, double *total)
{
    for (int n = 0; n <= 4; n++)
        total[0] += q[n];
}

void run(op_set cells, op_dat q, double *total)
{
    op_par_loop(sum, "sum", cells, op_arg_dat(q, -1, OP_ID, 4, "double", OP_READ),
                op_arg_gbl(total, 1, "double", OP_INC));
}
