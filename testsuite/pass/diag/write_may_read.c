#include "op_seq.h"

static double first(const double *v)
{
    return v[0];
}

static void set(double *v, double value)
{
    v[0] = value;
}

/* q may keep its old value; s, t, u, v and w are set on every path. */
static void choose(const double *x, double *q, double *r, double *s, double *t, double *u, double *v,
                   double *w)
{
    if (x[0] > 0)
        set(q, x[0]);
    for (int k = 0; k < 3; k++)
        if (x[k] > 0)
            r[0] = x[k];
    if (x[0] > 0) {
        s[0] = x[0];
    } else {
        for (int k = 0; k < 2; k++)
            s[k] = x[k];
    }
    switch ((int)x[1]) {
    case 0:
        t[0] = 1;
        break;
    default:
        t[0] = 2;
    }
    do {
        u[0] = x[2];
    } while (u[0] > 1e30);
    set(v, x[0]);
    if (x[1] > 0) {
        set(w, x[1]);
        w[0] = first(w) * first(v);
    }
    v[0] = first(q) + first(s) + t[0] + first(u) + first(v);
    if (x[0] > 1)
        v[0] += r[0];
}

void run(op_set cells, op_dat x, op_dat q, op_dat r, op_dat s, op_dat t, op_dat u, op_dat v, op_dat w)
{
    op_par_loop(choose, "choose", cells, op_arg_dat(x, -1, OP_ID, 3, "double", OP_READ),
                op_arg_dat(q, -1, OP_ID, 1, "double", OP_WRITE),
                op_arg_dat(r, -1, OP_ID, 1, "double", OP_WRITE),
                op_arg_dat(s, -1, OP_ID, 2, "double", OP_WRITE),
                op_arg_dat(t, -1, OP_ID, 1, "double", OP_WRITE),
                op_arg_dat(u, -1, OP_ID, 1, "double", OP_WRITE),
                op_arg_dat(v, -1, OP_ID, 1, "double", OP_WRITE),
                op_arg_dat(w, -1, OP_ID, 1, "double", OP_WRITE));
}
