#include "op_seq.h"

static void flux(const double *x, double *res)
{
    double old = res[0];
    res[0] += x[0] * old;
}

void run(op_set edges, op_map pedge, op_dat x, op_dat q)
{
    op_par_loop(flux, "flux", edges, op_arg_dat(x, 0, pedge, 1, "double", OP_READ),
                op_arg_dat(q, 0, pedge, 1, "double", OP_INC));
}
