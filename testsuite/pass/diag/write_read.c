#include "op_seq.h"

static void sum(const double *x, double *q, double *r, double *s, double *t)
{
    q[0] += x[0];
    r[0] = 0;
    for (int k = 0; k < 3; k++)
        r[0] += x[k];
    for (int k = 0; k < 3; k++)
        s[k] = k > 0 ? s[k - 1] * x[k] : x[0];
    t[0] = x[0];
    if (x[0] > 0)
        t[1] *= x[1];
}

void run(op_set cells, op_dat x, op_dat q, op_dat r, op_dat s, op_dat t)
{
    op_par_loop(sum, "sum", cells, op_arg_dat(x, -1, OP_ID, 3, "double", OP_READ),
                op_arg_dat(q, -1, OP_ID, 1, "double", OP_WRITE),
                op_arg_dat(r, -1, OP_ID, 1, "double", OP_WRITE),
                op_arg_dat(s, -1, OP_ID, 3, "double", OP_WRITE),
                op_arg_dat(t, -1, OP_ID, 2, "double", OP_WRITE));
}
