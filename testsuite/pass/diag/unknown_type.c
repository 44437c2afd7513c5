#include "op_seq.h"

static void zero(double *x)
{
    x[0] = 0;
}

void run(op_set cells, op_dat x)
{
    op_par_loop(zero, "zero", cells, op_arg_dat(x, -1, OP_ID, 1, "real", OP_WRITE));
    op_par_loop(zero, "zero", cells, op_arg_dat(x, -1, OP_ID, 1, "double:soax", OP_WRITE));
    op_par_loop(zero, "zero", cells, op_arg_dat(x, -1, OP_ID, 1, "double:", OP_WRITE));
    op_par_loop(zero, "zero", cells, op_arg_dat(x, -1, OP_ID, 1, ":soa", OP_WRITE));
}
