#include "op_seq.h"

/* A maximum, but not in a form that shows it. */
static void by_arithmetic(const double *x, double *top)
{
    top[0] = (x[0] > top[0]) * x[0] + !(x[0] > top[0]) * top[0];
}

/* Either condition suffices: the place may be lowered. */
static void either(const double *x, double *top)
{
    if (x[1] > 0.0 || x[0] > top[0])
        top[0] = x[0];
}

/* Set where the condition fails. */
static void mirrored(const double *x, double *top)
{
    top[0] = x[1] > 0.0 && x[0] < top[0] ? top[0] : x[0];
}

/* The first may be raised again before the copy is compared. */
static void old_copies(const double *x, double *top)
{
    const double old = top[0];
    for (int i = 0; i < 2; i++)
        if (x[i] > old)
            top[0] = x[i];
}

/* The stored value is not the compared one. */
static void changed_since(const double *x, double *top)
{
    double value = x[0];
    if (value > top[0]) {
        value = x[1];
        top[0] = value;
    }
}

static void get(const double *from, double *to)
{
    *to = from[0];
}

/* The analysis does not follow a value into arrays and through pointers. */
static void out_of_sight(const double *x, double *top)
{
    double copy[2] = {top[0], x[0]};
    double other;
    double *either = top[1] > 3 ? top + 2 : top + 3;
    int k = 0;
    get(top + 1, &other);
    top[0] = fmax(copy[0], x[1]);
    *either = fmax(*either, x[0]);
    double last = top[k];
    k = 1;
    top[k] = fmax(last, x[0]);
    top[3] = fmin(fmax(top[3], x[0]), 10);
}

/* 2.5 is kept, and 2.7 raises it, since 2 is lower. */
static void narrowed(const double *x, double *low)
{
    if ((int)x[0] < low[0])
        low[0] = x[0];
}

/* Converted as it is stored: a minimum all the same. */
static void converted(const double *x, float *low)
{
    if (x[0] < low[0])
        low[0] = (float)x[0];
    if ((float)x[1] < low[1])
        low[1] = x[1];
}

void run(op_set edges, op_map pedge, op_dat x, op_dat q, op_dat f, double *most)
{
    op_par_loop(by_arithmetic, "by_arithmetic", edges,
                op_arg_dat(x, 0, pedge, 2, "double", OP_READ),
                op_arg_gbl(most, 1, "double", OP_MAX));
    op_par_loop(either, "either", edges, op_arg_dat(x, 0, pedge, 2, "double", OP_READ),
                op_arg_dat(q, 0, pedge, 1, "double", OP_MAX));
    op_par_loop(mirrored, "mirrored", edges, op_arg_dat(x, 0, pedge, 2, "double", OP_READ),
                op_arg_dat(q, 0, pedge, 1, "double", OP_MAX));
    op_par_loop(old_copies, "old_copies", edges, op_arg_dat(x, 0, pedge, 2, "double", OP_READ),
                op_arg_dat(q, 0, pedge, 1, "double", OP_MAX));
    op_par_loop(changed_since, "changed_since", edges,
                op_arg_dat(x, 0, pedge, 2, "double", OP_READ),
                op_arg_dat(q, 0, pedge, 1, "double", OP_MAX));
    op_par_loop(out_of_sight, "out_of_sight", edges,
                op_arg_dat(x, 0, pedge, 2, "double", OP_READ),
                op_arg_dat(q, 0, pedge, 4, "double", OP_MAX));
    op_par_loop(narrowed, "narrowed", edges, op_arg_dat(x, 0, pedge, 2, "double", OP_READ),
                op_arg_dat(q, 0, pedge, 1, "double", OP_MIN));
    op_par_loop(converted, "converted", edges, op_arg_dat(x, 0, pedge, 2, "double", OP_READ),
                op_arg_dat(f, 0, pedge, 2, "float", OP_MIN));
}
