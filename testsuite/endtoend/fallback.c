/* fallback.c: calls of one loop that its compiled variants do not fit: two arguments share a dat
 * that the compiler had to take for two. Beside it a loop with optional arguments whose dats do not
 * exist while they are switched off, which the variants do fit, and one whose pointer op_decl_const
 * declares only later. */
#include "op_seq.h"

enum { CELLS = 300 };

static void mix(const double *a, const double *b, double *to)
{
    *to += *a + 2.0 * *b;
}

static void extra(const int *has, const double *a, const double *b, double *to)
{
    *to += *has ? *a * *b : 1.0;
}

double *scale;

static void stretch(double *to)
{
    *to = *to * scale[1] + scale[0];
}

static void call_mix(op_set cells, op_map next, op_dat a, op_dat b, op_dat to)
{
    op_par_loop(mix, "mix", cells, op_arg_dat(a, 0, next, 1, "double", OP_READ),
                op_arg_dat(b, 0, next, 1, "double", OP_READ),
                op_arg_dat(to, 1, next, 1, "double", OP_INC));
}

static void call_extra(op_set cells, op_map next, int has, op_dat a, op_dat to)
{
    op_par_loop(extra, "extra", cells, op_arg_gbl(&has, 1, "int", OP_READ),
                op_opt_arg_dat(has, a, 0, next, 1, "double", OP_READ),
                op_opt_arg_dat(has, a, 1, next, 1, "double", OP_READ),
                op_arg_dat(to, 1, next, 1, "double", OP_INC));
}

static void show(const char *name, op_dat dat)
{
    static double value[CELLS];
    double sum = 0.0;
    op_fetch_data(dat, value);
    for (int c = 0; c < CELLS; c++) {
        sum += value[c] * (c % 5 + 1);
    }
    printf("= %s %.17g\n", name, sum);
}

int main(int argc, char **argv)
{
    static int entry[2 * CELLS];
    static double value[CELLS];
    for (int c = 0; c < CELLS; c++) {
        entry[2 * c] = c;
        entry[2 * c + 1] = (c * 7 + 3) % CELLS;
        value[c] = c % 13;
    }
    op_init(argc, argv, 0);
    op_set cells = op_decl_set(CELLS, "cells");
    op_map next = op_decl_map(cells, cells, 2, entry, "next");
    op_dat a = op_decl_dat(cells, 1, "double", value, "a");
    op_dat b = op_decl_dat(cells, 1, "double", value, "b");
    op_dat to = op_decl_dat(cells, 1, "double", (double *)NULL, "to");
    double factors[3] = {1.5, 0.25, 7.0};
    scale = factors;
    for (int round = 0; round < 3; round++) {
        op_par_loop(stretch, "stretch", cells, op_arg_dat(to, -1, OP_ID, 1, "double", OP_RW));
        show("stretched", to);
        factors[1] += round;
        op_decl_const(round == 0 ? 2 : 3, "double", scale);
        call_mix(cells, next, a, b, to);
        show("two dats", to);
        call_mix(cells, next, a, a, to);
        show("one dat", to);
        call_extra(cells, next, 0, NULL, to);
        show("switched off", to);
        call_extra(cells, next, 1, b, to);
        show("switched on", to);
    }
    op_timing_output();
    op_exit();
    return 0;
}
