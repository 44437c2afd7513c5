#include <stdio.h>

#include "op_seq.h"

static void add_both(double *a, double *b, double by)
{
    *a += by;
    b[0] = b[0] + by;
    b[1]--;
}

/* Added to in every way; f comes as a vector. */
static void add(const double *q, double *a, double *b, double **f)
{
    add_both(a, b, q[0]);
    if (q[0] > 0)
        a[1] -= q[0];
    for (int k = 0; k < 4; k++)
        for (int d = 0; d < 2; d++)
            f[k][d] += q[0] * d;
}

/* None of them is only added to: read in another term, scaled, set, printed, of another type, and
 * handed to a pointer that is put together from a number. */
static void not_add(const double *q, double *a, double *b, double *c, double *d, double *e, double *f)
{
    a[0] += q[0] + a[1];
    b[0] += q[0];
    b[0] *= 2;
    if (q[0] > 1)
        c[0] = 0;
    c[0] += q[0];
    d[0] += q[0];
    if (d[0] > 10)
        printf("large\n");
    ((float *)e)[0] += 1;
    f[0] += q[0];
    unsigned long number = (unsigned long)f;
    double *again = (double *)number;
    *again *= 2;
}

void run(op_set cells, op_map pcell, op_dat q, op_dat a, op_dat b, op_dat c, op_dat d, op_dat e,
         op_dat f)
{
    op_par_loop(add, "add", cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(a, 0, pcell, 2, "double", OP_RW),
                op_arg_dat(b, 1, pcell, 2, "double", OP_RW),
                op_arg_dat(f, -4, pcell, 2, "double", OP_RW));
    op_par_loop(not_add, "not_add", cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(a, 0, pcell, 2, "double", OP_RW),
                op_arg_dat(b, 1, pcell, 2, "double", OP_RW),
                op_arg_dat(c, 1, pcell, 2, "double", OP_RW),
                op_arg_dat(d, 1, pcell, 2, "double", OP_RW),
                op_arg_dat(e, 1, pcell, 2, "double", OP_RW),
                op_arg_dat(f, 1, pcell, 2, "double", OP_RW));
}
