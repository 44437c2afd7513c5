/* units.c: calls the loops of two units in turn; every result is a whole number. */
#include "units.h"

enum { POINTS = 500 };

static void show(const char *name, op_dat dat)
{
    double sum = 0.0;
    op_get_data(dat);
    for (int p = 0; p < POINTS; p++) {
        sum += ((double *)(void *)dat->data)[p] * (p % 7 + 1);
    }
    printf("= %s %.17g\n", name, sum);
}

int main(int argc, char **argv)
{
    static int entry[2 * POINTS];
    static double value[POINTS];
    for (int p = 0; p < POINTS; p++) {
        entry[2 * p] = p;
        entry[2 * p + 1] = (p * 13 + 1) % POINTS;
        value[p] = p % 11;
    }
    op_init(argc, argv, 0);
    op_set points = op_decl_set(POINTS, "points");
    op_set links = op_decl_set(POINTS, "links");
    op_map ends = op_decl_map(links, points, 2, entry, "ends");
    op_dat in = op_decl_dat(points, 1, "double", value, "in");
    op_dat left = op_decl_dat(points, 1, "double", (double *)NULL, "left");
    op_dat right = op_decl_dat(points, 1, "double", (double *)NULL, "right");
    for (int round = 0; round < 2; round++) {
        run_left(links, ends, in, left);
        run_right(links, ends, in, right);
    }
    show("left", left);
    show("right", right);
    op_timing_output();
    op_exit();
    return 0;
}
