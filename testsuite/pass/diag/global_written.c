#include "op_seq.h"

double total;
double table[4] = {1, 2, 3, 4};
int visits;
double *matrix;
static double *undeclared;

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

/* Through pointers, and the pointers themselves. */
static void fill(const double *x, double *y)
{
    double *row = matrix + 3;
    row[1] = x[0];
    *matrix -= 1;
    y[0] = row[2];
    matrix = row;
}

static void fill_whole(const double *x, double *y)
{
    goto on;
on:
    matrix[2] = x[0];
    *matrix = 1;
    y[0] = matrix[1];
}

/* Not known to op_decl_const: sequentially. */
static void own(const double *x, double *y)
{
    y[0] = undeclared[1] * x[0];
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
    op_decl_const(9, "double", matrix);
    op_par_loop(fill, "fill", cells, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(y, -1, OP_ID, 2, "double", OP_RW));
    op_par_loop(fill_whole, "fill_whole", cells, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(y, -1, OP_ID, 2, "double", OP_RW));
    op_par_loop(own, "own", cells, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(y, -1, OP_ID, 2, "double", OP_RW));
    op_par_loop(jump, "jump", cells, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(y, -1, OP_ID, 2, "double", OP_RW));
}
