/* References and literals that have no form in the trees: their functions are taken whole, and the
 * reason is said where it lies. */
#include "op_seq.h"

struct pair {
    double x, y;
};
struct fixed {
    const double x;
};

static double sum(const pair &p)
{
    return p.x + p.y;
}

static const double &larger(const double &x, const double &y)
{
    return x < y ? y : x;
}

static void moved(double &&x, double *y)
{
    y[0] += x;
}

static void pointed(const double *&p, double *y)
{
    y[0] += p[0];
}

/* Functions that can be analysed, beside functions that cannot. */
static void tree(const double *x, double *y)
{
    y[0] = sum({x[0], 1}) + larger(x[0], 1);
}

static void temporary(const double *x, double *y)
{
    moved(x[0] + 1, y);
}

static void pointer(const double *x, double *y)
{
    const double *p = x;
    pointed(p, y);
    const double *&q = p;
    y[0] += *q;
}

static void returned(const double *x, double *y)
{
    const double &z = larger(x[0], y[0]);
    y[0] = 3 * z;
}

static void cast(const double *x, double *y)
{
    double &z = const_cast<double &>(x[0]);
    y[0] = z;
}

static void assigned(const double *x, double *y)
{
    double &z = (y[0] = x[0]);
    z += 1;
}

static void repeated(const double *x, double *y)
{
    while (fixed{x[0]}.x > y[0])
        y[0] += 1;
}

static void begun(const double *x, double *y)
{
    if (y[0] = x[0]; x[0] > 1)
        y[0] = 2;
}

static void switched(const double *x, double *y)
{
    switch (int k = x[0]; k) {
    case 1:
        y[0] = 2;
    }
}

static void inside(const double *x, double *y)
{
    switch (static_cast<int>(x[0])) {
        if (x[0] > 0) {
        case 1:
            y[0] = 2;
        }
    }
}

#define LOOP(kernel)                                                                               \
    op_par_loop(kernel, #kernel, set, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),              \
                op_arg_dat(y, -1, OP_ID, 1, "double", OP_RW))

void run(op_set set, op_dat x, op_dat y)
{
    LOOP(tree);
    LOOP(temporary);
    LOOP(pointer);
    LOOP(returned);
    LOOP(cast);
    LOOP(assigned);
    LOOP(repeated);
    LOOP(begun);
    LOOP(switched);
    LOOP(inside);
}
