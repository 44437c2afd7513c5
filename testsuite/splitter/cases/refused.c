/* refused.c: bodies that are not taken apart, with the reason that the user is told. */
#include "op_seq.h"

static op_set cells, edges;
static op_map map;
static op_dat p_q, p_r, p_d, p_n, p_i;

/* EXPECT: a pointer that may point into 'a' or 'b' */
static void pointer(const double *a, const double *b, double *r)
{
    for (int i = 0; i < (int)a[2]; i++) {
        const double *p = a[0] < b[i] ? a : b;
        r[0] += p[1];
    }
}

/* EXPECT: the argument 'b' is optional, and may be missing */
static void optional(const double *a, const double *b, double *r)
{
    r[0] += a[0] + b[0];
}

/* EXPECT: a comparison of pointers */
static void compares(const double *a, const double *b, double *r)
{
    r[0] += a == b ? 1.0 : 2.0;
}

/* EXPECT: a pointer that is set in a loop whose trip count is not known */
static void moves(const double *a, const int *n, double *r)
{
    const double *p = a;
    for (int i = 0; i < n[0]; i++)
        p = i > 1 ? p + 1 : a;
    r[0] += *p;
}

/* The place's old value is kept: not only lowered. */
/* EXPECT: 'low' is OP_MIN, and its minimum or maximum is taken in a form that is not known */
static void stale(const double *a, double *low)
{
    double old = low[0];
    low[0] = fmin(low[0], a[0]);
    low[0] = fmin(old, a[1]);
}

/* The subscript is right only where the comparison holds. */
/* EXPECT: 'count' is OP_MAX, and its minimum or maximum is taken in a form that is not known */
static void behind(const double *a, const int *n, int *count)
{
    if (n[0] > count[0] && a[n[0]] > 0.0)
        count[0] = n[0];
}

int main(void)
{
    op_par_loop(pointer, "pointer", edges, op_arg_dat(p_q, 0, map, 4, "double", OP_READ),
                op_arg_dat(p_q, 1, map, 4, "double", OP_READ),
                op_arg_dat(p_r, 1, map, 3, "double", OP_INC));
    op_par_loop(optional, "optional", edges, op_arg_dat(p_q, 0, map, 4, "double", OP_READ),
                op_opt_arg_dat(1, p_q, 1, map, 4, "double", OP_READ),
                op_arg_dat(p_r, 1, map, 3, "double", OP_INC));
    op_par_loop(compares, "compares", edges, op_arg_dat(p_q, 0, map, 4, "double", OP_READ),
                op_arg_dat(p_q, 1, map, 4, "double", OP_READ),
                op_arg_dat(p_r, 1, map, 3, "double", OP_INC));
    op_par_loop(moves, "moves", edges, op_arg_dat(p_q, 0, map, 4, "double", OP_READ),
                op_arg_dat(p_n, -1, OP_ID, 4, "int", OP_READ),
                op_arg_dat(p_r, 1, map, 3, "double", OP_INC));
    op_par_loop(stale, "stale", edges, op_arg_dat(p_q, 0, map, 4, "double", OP_READ),
                op_arg_dat(p_r, 1, map, 3, "double", OP_MIN));
    op_par_loop(behind, "behind", edges, op_arg_dat(p_q, 0, map, 4, "double", OP_READ),
                op_arg_dat(p_n, -1, OP_ID, 4, "int", OP_READ),
                op_arg_dat(p_i, 1, map, 4, "int", OP_MAX));
    return 0;
}
