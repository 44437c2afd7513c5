#include "op_seq.h"

static void add(const int *on, const double *x, const double *extra, double *res)
{
    res[0] += on[0] ? x[0] + extra[0] : x[0];
}

void run(int on, op_set edges, op_map pedge, op_dat x, op_dat res)
{
    op_par_loop(add, "add", edges, op_arg_gbl(&on, 1, "int", OP_READ),
                op_arg_dat(x, 0, pedge, 3, "double", OP_READ),
                op_opt_arg_dat(on, x, 1, pedge, 3, "double", OP_READ),
                op_arg_dat(res, 1, pedge, 1, "double", OP_INC));
}
