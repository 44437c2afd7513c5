#include "op_seq.h"

static void assigned(const double *x, double *top)
{
    top[0] = x[0];
    top[1] += x[1];
    top[2] = fmin(top[2], x[0]);
    top[3] = 2 * top[3];
}

/* Lowered where it should be raised. */
static void wrong_way(const double *x, double *top)
{
    if (x[0] < top[0])
        top[0] = x[0];
    top[1] = top[1] > x[0] ? top[1] + 1.0 : x[0];
    double copy = top[2];
    if (copy > x[0])
        copy = x[0];
    top[2] = copy;
    top[3] = top[2];
}

/* Whether the other condition holds depends on the place. */
static void also_positive(const double *x, double *top)
{
    if (top[0] > 0.0 && x[0] > top[0])
        top[0] = x[0];
}

/* Not compared with the place. */
static void uncompared(const double *x, double *top)
{
    if (x[1] > 0.0 && x[0] > 1.0)
        top[0] = x[0];
}

static void raise(double *place, double value)
{
    if (value <= *place)
        return;
    *place = value + 1 - 1; /* not what was compared: a warning */
    *place = 0;
}

static void through_helper(const double *x, double *top)
{
    raise(top, x[0]);
    raise(&top[1], x[1]);
    modf(x[0], &top[2]);
    ++top[3];
}

void run(op_set edges, op_map pedge, op_dat x, op_dat q, double *most)
{
    op_par_loop(assigned, "assigned", edges, op_arg_dat(x, 0, pedge, 2, "double", OP_READ),
                op_arg_dat(q, 0, pedge, 4, "double", OP_MAX));
    op_par_loop(wrong_way, "wrong_way", edges, op_arg_dat(x, 0, pedge, 2, "double", OP_READ),
                op_arg_gbl(most, 4, "double", OP_MAX));
    op_par_loop(also_positive, "also_positive", edges,
                op_arg_dat(x, 0, pedge, 2, "double", OP_READ),
                op_arg_dat(q, 0, pedge, 4, "double", OP_MAX));
    op_par_loop(uncompared, "uncompared", edges, op_arg_dat(x, 0, pedge, 2, "double", OP_READ),
                op_arg_dat(q, 0, pedge, 4, "double", OP_MAX));
    op_par_loop(through_helper, "through_helper", edges,
                op_arg_dat(x, 0, pedge, 2, "double", OP_READ),
                op_arg_dat(q, 0, pedge, 4, "double", OP_MAX));
}
