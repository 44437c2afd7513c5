#include "op_seq.h"

static double gam, eps;
static const double half = 0.5;
extern double elsewhere;

static void scale(double *x)
{
    x[0] *= gam * half + eps + elsewhere;
}

void run(op_set cells, op_dat x)
{
    op_decl_const(1, "double", &eps);
    op_par_loop(scale, "scale", cells, op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW));
}
