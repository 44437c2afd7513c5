/* libraries.c: the program of libraries.sh: runs the loops of two libraries in turn, once with a
 * constant of 1 and once with one of 2. */
#include "op_seq.h"

void run_one(op_set cells, op_dat out, double scale);
void run_two(op_set cells, op_dat out, double scale);

static void show(const char *name, op_dat out)
{
    double value[100];
    op_fetch_data(out, value);
    printf("= %s %g\n", name, value[0] + value[99]);
}

int main(int argc, char **argv)
{
    op_init(argc, argv, 0);
    op_set cells = op_decl_set(100, "cells");
    op_dat out = op_decl_dat(cells, 1, "double", (double *)NULL, "out");
    for (int scale = 1; scale <= 2; scale++) {
        run_one(cells, out, scale);
        show("one", out);
        run_two(cells, out, scale + 10);
        show("two", out);
        run_one(cells, out, scale);
        show("one", out);
    }
    op_timing_output();
    op_exit();
    return 0;
}
