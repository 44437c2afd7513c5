#include "op_seq.h"

double elsewhere(double x);

static double outside(double x)
{
    return x + elsewhere(x);
}

static void shake(double *x)
{
    x[0] = outside(x[0]);
    x[1] = elsewhere(x[1]);
    printf("%g %g\n", sqrt(x[0]), fabs(x[1]));
}

static double noisy(double x)
{
    return x + rand();
}

static void shiver(double *x)
{
    x[0] = noisy(x[0]);
    if (x[0] < 0)
        exit(1);
}

void run(op_set cells, op_dat x)
{
    op_par_loop(shake, "shake", cells, op_arg_dat(x, -1, OP_ID, 2, "double", OP_RW));
    op_par_loop(shiver, "shiver", cells, op_arg_dat(x, -1, OP_ID, 2, "double", OP_RW));
}
