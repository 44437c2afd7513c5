#include "op_seq.h"

static void corners(const int *count, const double **x, double *sum)
{
    *sum = x[0][0] + x[1][0] + x[2][0];
    if (*count == 4)
        *sum += x[3][0];
}

void run(op_set cells, op_map pcell, op_dat x, op_dat q, int *count)
{
    op_par_loop(corners, "corners", cells, op_arg_gbl(count, 1, "int", OP_READ),
                op_arg_dat(x, -3, pcell, 1, "double", OP_READ),
                op_arg_dat(q, -1, OP_ID, 1, "double", OP_WRITE));
}
