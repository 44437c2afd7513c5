#include "op_seq.h"

double gam;

static void add(const double *x, float *sum)
{
    *sum += (float)(x[0] * gam);
}

void run(op_set cells, const double *start)
{
    float sum[1] = {0};
    void *any = sum;
    op_dat x = op_decl_dat(cells, 1, "float", start, "x");

    op_decl_const(1, "int", &gam);
    op_par_loop(add, "add", cells, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
                op_arg_gbl(sum, 1, "double", OP_INC));
    op_par_loop(add, "any", cells, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
                op_arg_gbl(any, 1, "float", OP_INC));
}
