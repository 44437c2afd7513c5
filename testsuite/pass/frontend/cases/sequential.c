/* Loops that run sequentially, and why. */
#include "op_seq.h"

static void one(double *x)
{
    x[0] = 1;
}

static void two(const double *x, double *y)
{
    y[0] = x[0];
}

static void rows(double (*x)[2])
{
    x[0][1] = 1;
}

static void counting(double *x)
{
    static int calls;
    x[0] = ++calls;
}

static void variable(double *x)
{
    int n = (int)x[0] + 1;
    double y[n];
    y[0] = 1;
    x[0] = y[0];
}

static void precise(double *x)
{
    long double y = x[0];
    x[0] = (double)(y / 3);
}

static void lowest(const double *x, double *least, int *where, const int *e)
{
    if (x[0] < *least) {
        *least = x[0];
        *where = *e;
    }
}

static void single(float *x)
{
    x[0] = 1.0f;
}

void run(op_set set, op_dat x, op_dat y, op_map map, int n, op_arg given, const char *type,
         void (*pointer)(double *))
{
    double total = 0;
    int where = 0;

    op_par_loop(one, "dim", set, op_arg_dat(x, -1, OP_ID, n, "double", OP_WRITE));
    op_par_loop(one, "index", set, op_arg_dat(x, n, map, 1, "double", OP_WRITE));
    op_par_loop(one, "access", set, op_arg_dat(x, 0, map, 1, "double", n));
    op_par_loop(one, "type", set, op_arg_dat(x, 0, map, 1, type, OP_WRITE));
    op_par_loop(single, "other type", set, op_arg_dat(x, 0, map, 1, type, OP_WRITE));
    op_par_loop(one, "given", set, given);
    op_par_loop(pointer, "pointer", set, op_arg_dat(x, 0, map, 1, "double", OP_WRITE));
    op_par_loop(one, "global", set, op_arg_gbl(&total, 1, "double", OP_WRITE));
    op_par_loop(rows, "rows", set, op_arg_dat(x, 0, map, 4, "double", OP_RW));
    op_par_loop(counting, "counting", set, op_arg_dat(x, 0, map, 1, "double", OP_WRITE));
    op_par_loop(variable, "variable", set, op_arg_dat(x, 0, map, 1, "double", OP_RW));
    op_par_loop(precise, "precise", set, op_arg_dat(x, 0, map, 1, "double", OP_RW));
    op_par_loop(lowest, "lowest", set, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
                op_arg_gbl(&total, 1, "double", OP_MIN), op_arg_info(&where, 1, "int", 1),
                op_arg_idx(-1, OP_ID));
    op_par_loop(two, "two", set, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(y, -1, OP_ID, 1, "double", OP_WRITE));
}
