/* A kernel for several dimensions: what a constant condition leaves out is no error; the rest is. */
#include "op_seq.h"
#define DIM 2
static const int order = 1;

static void legal(const double *x, double *r)
{
    if (DIM == 3)
        r[2] = x[2];
    else
        r[1] = x[1];
    if (!(DIM > 2) || x[2] > 0)
        r[0] = DIM > 2 ? x[2] : x[0];
    DIM > 2 && order ? (r[3] = 1) : (r[0] += order);
}

static void wrong(const double *x, double *r)
{
    if (DIM == 2)
        r[2] = x[0];
    if (DIM == 2 && x[0] > 0)
        r[0] = order < 2 ? x[2] : x[0];
}

void run(op_set set, op_dat x, op_dat r)
{
    op_par_loop(legal, "legal", set, op_arg_dat(x, -1, OP_ID, DIM, "double", OP_READ),
                op_arg_dat(r, -1, OP_ID, DIM, "double", OP_RW));
    op_par_loop(wrong, "wrong", set, op_arg_dat(x, -1, OP_ID, DIM, "double", OP_READ),
                op_arg_dat(r, -1, OP_ID, DIM, "double", OP_RW));
}
