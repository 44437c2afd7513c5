#include "op_seq.h"

double total;
double table[4] = {1, 2, 3, 4};
int visits;

static void bump(double *t)
{
    t[1] += 1;
}

static void count(void)
{
    visits++;
}

static void add(const double *x, double *y)
{
    total += x[0];
    bump(table);
    bump(y);
    count();
    double *second = &table[2];
    *second = modf(x[0], &total);
    y[0] = total + table[3];
}

/* Taken whole. */
static void jump(const double *x, double *y)
{
    if (x[0] > 0)
        goto out;
    table[1] += x[0];
    ++visits;
out:
    y[0] = table[0];
}

void run(op_set cells, op_dat x, op_dat y)
{
    op_decl_const(1, "double", &total);
    op_decl_const(4, "double", table);
    op_par_loop(add, "add", cells, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(y, -1, OP_ID, 2, "double", OP_RW));
    op_par_loop(jump, "jump", cells, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(y, -1, OP_ID, 2, "double", OP_RW));
}
