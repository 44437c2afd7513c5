#include "op_seq.h"

/* A value that goes with the largest one depends on the order. */
static void with_place(const double *x, double *top, double *other)
{
    if (x[0] > top[0]) {
        top[0] = x[0];
        top[1] = x[1];
    }
    other[0] += top[2];
}

/* Whether one is raised depends on another. */
static void while_small(const double *x, double *top, double *other)
{
    if (top[0] < 10)
        top[1] = fmax(top[1], x[1]);
    other[fmax(top[2], 1) > 2 ? 1 : 0] += 1;
}

static double bounded(double value, double bound)
{
    if (value > bound)
        return bound;
    return value;
}

/* A statement behind a return that depends on it, and a printed value. */
static void left_early(const double *x, double *low, double *other)
{
    double now = low[0];
    if (x[0] >= now)
        return;
    low[0] = x[0];
    other[0] += 1;
    printf("%g\n", bounded(low[1], 3));
}

/* Each round depends on whether the round before has left the loop. */
static void first_above(const double *x, double *top, double *other)
{
    for (int i = 0; i < 2; i++) {
        other[i] += x[i];
        if (x[i] > top[0])
            break;
    }
    switch ((int)top[1]) {
    case 1:
        other[0] += 1;
        break;
    default:
        break;
    }
    other[1] += 1;
}

void run(op_set edges, op_map pedge, op_dat x, op_dat q, op_dat r, double *least)
{
    op_par_loop(with_place, "with_place", edges, op_arg_dat(x, 0, pedge, 2, "double", OP_READ),
                op_arg_dat(q, 0, pedge, 3, "double", OP_MAX),
                op_arg_dat(r, 0, pedge, 2, "double", OP_INC));
    op_par_loop(while_small, "while_small", edges, op_arg_dat(x, 0, pedge, 2, "double", OP_READ),
                op_arg_dat(q, 0, pedge, 3, "double", OP_MAX),
                op_arg_dat(r, 0, pedge, 2, "double", OP_INC));
    op_par_loop(left_early, "left_early", edges, op_arg_dat(x, 0, pedge, 2, "double", OP_READ),
                op_arg_gbl(least, 2, "double", OP_MIN),
                op_arg_dat(r, 0, pedge, 2, "double", OP_INC));
    op_par_loop(first_above, "first_above", edges, op_arg_dat(x, 0, pedge, 2, "double", OP_READ),
                op_arg_dat(q, 0, pedge, 3, "double", OP_MAX),
                op_arg_dat(r, 0, pedge, 2, "double", OP_INC));
}
