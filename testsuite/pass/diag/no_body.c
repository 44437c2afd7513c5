#include "op_seq.h"

void elsewhere(double *x);

void run(op_set cells, op_dat x)
{
    op_par_loop(elsewhere, "elsewhere", cells, op_arg_dat(x, -1, OP_ID, 1, "double", OP_WRITE));
}
