/* fused.c: loops that one kernel may run: members that read what earlier ones wrote, increment one
 * point together, return early, and share helpers, constants, vectors and numbers of elements. What
 * is added through a map are small integers, whose sums have no rounding.
 *
 * fused.c: prints all values, and the sums that the host sees between the loops. */
#include <stdio.h>
#include <stdlib.h>

#include "op_seq.h"

enum { CELLS = 700, TURNS = 5 };

double gam = 0.75;

static double half(double x)
{
    return x * 0.5;
}

static void copy(const double *q, double *old, double *res)
{
    for (int n = 0; n < 4; n++) {
        old[n] = q[n];
    }
    res[0] = 0.0;
    res[1] = 0.0;
}

/* A locally named t stands in every kernel, and `return` ends one member alone. */
static void relax(const double *q, const double *old, double *adt, const double **x,
                  const int *self)
{
    double t = q[0] * old[1] + gam * x[0][0] + x[1][1] / 3.0;
    adt[0] = half(t) * old[2] + *self % 3;
    if (t > 3.0) {
        return;
    }
    adt[1] = t * t * gam;
}

static void limit(const double *adt, double *flag, double *sum)
{
    double t = adt[0] + adt[1] * 3.0;
    if (t < 2.0) {
        flag[0] = -t;
        return;
    }
    flag[0] += half(t) * gam;
    *sum += (int)flag[0];
}

static void left(const double *a, const double *b, double *ra, double *rb)
{
    double f = a[0] * b[1] - 2.0;
    ra[0] += f;
    rb[0] -= f;
}

static void right(const double *a, const double *b, double *ra, double *rb)
{
    double f = a[0] * b[1];
    ra[0] += f - b[2];
    rb[1] -= f;
}

static void single(float *f, float *g, const int *n)
{
    f[0] = f[1] * f[0] / 7.0f + 1.0f;
    g[0] = f[0] * f[0] + n[0];
}

static void mixed(const float *g, double *d, float *f, int *n)
{
    double t = g[0] + f[0] / 3.0;
    d[0] = t;
    f[1] = (float)t / 9.0f;
    if (n[0] > 3) {
        n[n[0] % 2] = n[0] / 2;
        return;
    }
    n[0] += 3;
}

/* q changes between turns, so that no two are alike. */
static void change(double *q, const double *res)
{
    q[3] = (int)(q[3] + res[0] + res[1]) % 5;
    q[0] = (int)(q[0] + q[3]) % 4;
}

static void print_dat(op_dat dat, int dim)
{
    double *value = malloc(CELLS * (size_t)dim * sizeof(*value));
    op_fetch_data(dat, value);
    for (int i = 0; i < CELLS * dim; i++) {
        printf("%s[%d] %a\n", dat->name, i, value[i]);
    }
    free(value);
}

int main(int argc, char **argv)
{
    static double q_data[4 * CELLS], x_data[2 * CELLS];
    static float f_data[2 * CELLS];
    static int n_data[2 * CELLS], ring[2 * CELLS];
    double sum = 0.0;
    for (int c = 0; c < CELLS; c++) {
        for (int k = 0; k < 4; k++) {
            q_data[4 * c + k] = (c * 7 + k * 3) % 5;
        }
        for (int k = 0; k < 2; k++) {
            x_data[2 * c + k] = 1.0 / (1 + (c + k) % 11);
            f_data[2 * c + k] = (float)((c * 3 + k) % 7) / 3.0f;
            n_data[2 * c + k] = (c + k) % 6;
            ring[2 * c + k] = (c * 17 + k * 3) % CELLS;
        }
    }
    op_init(argc, argv, 0);
    op_set cells = op_decl_set(CELLS, "cells"), edges = op_decl_set(CELLS, "edges");
    op_map ends = op_decl_map(edges, cells, 2, ring, "ends");
    op_map around = op_decl_map(cells, cells, 2, ring, "around");
    op_dat q = op_decl_dat(cells, 4, "double", q_data, "q");
    op_dat x = op_decl_dat(cells, 2, "double", x_data, "x");
    op_dat f = op_decl_dat(cells, 2, "float", f_data, "f");
    op_dat n = op_decl_dat(cells, 2, "int", n_data, "n");
    op_dat old = op_decl_dat_temp(cells, 4, "double", NULL, "old");
    op_dat res = op_decl_dat_temp(cells, 2, "double", NULL, "res");
    op_dat adt = op_decl_dat_temp(cells, 2, "double", NULL, "adt");
    op_dat flag = op_decl_dat_temp(cells, 1, "double", NULL, "flag");
    op_dat d = op_decl_dat_temp(cells, 1, "double", NULL, "d");
    op_dat g = op_decl_dat_temp(cells, 1, "float", NULL, "g");
    op_decl_const(1, "double", &gam);
    for (int turn = 0; turn < TURNS; turn++) {
        op_par_loop(copy, "copy", cells, op_arg_dat(q, -1, OP_ID, 4, "double", OP_READ),
                    op_arg_dat(old, -1, OP_ID, 4, "double", OP_WRITE),
                    op_arg_dat(res, -1, OP_ID, 2, "double", OP_WRITE));
        op_par_loop(relax, "relax", cells, op_arg_dat(q, -1, OP_ID, 4, "double", OP_READ),
                    op_arg_dat(old, -1, OP_ID, 4, "double", OP_READ),
                    op_arg_dat(adt, -1, OP_ID, 2, "double", OP_RW),
                    op_arg_dat(x, -2, around, 2, "double", OP_READ), op_arg_idx(-1, OP_ID));
        op_par_loop(limit, "limit", cells, op_arg_dat(adt, -1, OP_ID, 2, "double", OP_READ),
                    op_arg_dat(flag, -1, OP_ID, 1, "double", OP_RW),
                    op_arg_gbl(&sum, 1, "double", OP_INC));
        printf("turn %d: %a\n", turn, sum);
        op_par_loop(left, "left", edges, op_arg_dat(q, 0, ends, 4, "double", OP_READ),
                    op_arg_dat(q, 1, ends, 4, "double", OP_READ),
                    op_arg_dat(res, 0, ends, 2, "double", OP_INC),
                    op_arg_dat(res, 1, ends, 2, "double", OP_INC));
        op_par_loop(right, "right", edges, op_arg_dat(q, 0, ends, 4, "double", OP_READ),
                    op_arg_dat(q, 1, ends, 4, "double", OP_READ),
                    op_arg_dat(res, 0, ends, 2, "double", OP_INC),
                    op_arg_dat(res, 1, ends, 2, "double", OP_INC));
        op_par_loop(single, "single", cells, op_arg_dat(f, -1, OP_ID, 2, "float", OP_RW),
                    op_arg_dat(g, -1, OP_ID, 1, "float", OP_WRITE),
                    op_arg_dat(n, -1, OP_ID, 2, "int", OP_READ));
        op_par_loop(mixed, "mixed", cells, op_arg_dat(g, -1, OP_ID, 1, "float", OP_READ),
                    op_arg_dat(d, -1, OP_ID, 1, "double", OP_WRITE),
                    op_arg_dat(f, -1, OP_ID, 2, "float", OP_RW),
                    op_arg_dat(n, -1, OP_ID, 2, "int", OP_RW));
        op_par_loop(change, "change", cells, op_arg_dat(q, -1, OP_ID, 4, "double", OP_RW),
                    op_arg_dat(res, -1, OP_ID, 2, "double", OP_READ));
    }
    print_dat(old, 4);
    op_par_loop(copy, "copy", cells, op_arg_dat(q, -1, OP_ID, 4, "double", OP_READ),
                op_arg_dat(old, -1, OP_ID, 4, "double", OP_WRITE),
                op_arg_dat(res, -1, OP_ID, 2, "double", OP_WRITE));
    op_par_loop(change, "change", cells, op_arg_dat(q, -1, OP_ID, 4, "double", OP_RW),
                op_arg_dat(res, -1, OP_ID, 2, "double", OP_READ));
    print_dat(q, 4);
    print_dat(res, 2);
    print_dat(adt, 2);
    print_dat(flag, 1);
    print_dat(d, 1);
    op_fetch_data(f, f_data);
    op_fetch_data(n, n_data);
    for (int i = 0; i < 2 * CELLS; i++) {
        printf("f[%d] %a, n[%d] %d\n", i, f_data[i], i, n_data[i]);
    }
    op_timing_output();
    op_exit();
    return 0;
}
