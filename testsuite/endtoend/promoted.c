/* promoted.c: forces of hexahedra on their corners, as codes write them that declare OP_RW: ACCESS
 * is OP_RW or OP_INC, and READS OP_RW or OP_READ. One loop takes the corners one by one, one as a
 * vector, and one overwrites what it declares OP_WRITE and reads it first. promoted SIDE STEPS:
 * cells a side, and steps; prints seconds, too, when STEPS is larger than 10. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "op_seq.h"

static void stress(double *x, const double *p, double *f0, double *f1, double *f2, double *f3,
                   double *f4, double *f5, double *f6, double *f7)
{
    double *f[8] = {f0, f1, f2, f3, f4, f5, f6, f7};
    for (int n = 0; n < 8; n++) {
        double area = x[0] * (n + 1) + 0.3 * x[1] + 0.1;
        f[n][0] += p[0] * area;
        f[n][1] -= p[0] * area * area;
        f[n][2] = f[n][2] + sqrt(fabs(area));
    }
}

static void hourglass(const double *p, double **x, double **f)
{
    double middle = 0.0;
    for (int n = 0; n < 8; n++) {
        middle += 0.125 * x[n][0];
    }
    for (int n = 0; n < 8; n++) {
        for (int d = 0; d < 3; d++) {
            f[n][d] += (middle - x[n][0]) * p[0] * (d + 1);
        }
    }
}

/* OP_WRITE, but added to: what was there before counts. */
static void accumulate(const double *f, double *x)
{
    x[0] += 1e-5 * f[0];
    x[1] += 1e-5 * (f[1] + f[2]);
}

static void cells_of(int side, int *corner)
{
    for (int e = 0; e < side * side * side; e++) {
        int i = e % side, j = e / side % side, k = e / side / side;
        for (int n = 0; n < 8; n++) {
            corner[8 * e + n] =
                i + (n & 1) + (side + 1) * (j + (n >> 1 & 1) + (side + 1) * (k + (n >> 2)));
        }
    }
}

int main(int argc, char **argv)
{
    int side = argc > 1 ? atoi(argv[1]) : 6;
    int steps = argc > 2 ? atoi(argv[2]) : 3;
    int cells_size = side * side * side;
    int nodes_size = (side + 1) * (side + 1) * (side + 1);
    int *corner = (int *)malloc(sizeof(int) * 8 * (size_t)cells_size);
    double *x = (double *)malloc(sizeof(double) * 2 * (size_t)nodes_size);
    double *p = (double *)malloc(sizeof(double) * (size_t)cells_size);
    double cpu, before, after, sum = 0.0;
    cells_of(side, corner);
    for (int n = 0; n < nodes_size; n++) {
        x[2 * n] = 0.1 + n % 13 / 13.0;
        x[2 * n + 1] = n % 7 / 7.0;
    }
    for (int e = 0; e < cells_size; e++) {
        p[e] = 1.0 / (1 + e % 11);
    }
    op_init(argc, argv, 0);
    op_set cells = op_decl_set(cells_size, "cells");
    op_set nodes = op_decl_set(nodes_size, "nodes");
    op_map map = op_decl_map(cells, nodes, 8, corner, "corners");
    op_dat p_x = op_decl_dat(nodes, 2, "double", x, "x");
    op_dat p_p = op_decl_dat(cells, 1, "double", p, "p");
    op_dat p_f = op_decl_dat(nodes, 3, "double", (double *)NULL, "f");
    op_timers(&cpu, &before);
    for (int s = 0; s < steps; s++) {
        op_par_loop(stress, "stress", cells, op_arg_dat(p_x, 0, map, 2, "double", READS),
                    op_arg_dat(p_p, -1, OP_ID, 1, "double", READS),
                    op_arg_dat(p_f, 0, map, 3, "double", ACCESS),
                    op_arg_dat(p_f, 1, map, 3, "double", ACCESS),
                    op_arg_dat(p_f, 2, map, 3, "double", ACCESS),
                    op_arg_dat(p_f, 3, map, 3, "double", ACCESS),
                    op_arg_dat(p_f, 4, map, 3, "double", ACCESS),
                    op_arg_dat(p_f, 5, map, 3, "double", ACCESS),
                    op_arg_dat(p_f, 6, map, 3, "double", ACCESS),
                    op_arg_dat(p_f, 7, map, 3, "double", ACCESS));
        op_par_loop(hourglass, "hourglass", cells, op_arg_dat(p_p, -1, OP_ID, 1, "double", READS),
                    op_arg_dat(p_x, -8, map, 2, "double", READS),
                    op_arg_dat(p_f, -8, map, 3, "double", ACCESS));
        op_par_loop(accumulate, "accumulate", nodes,
                    op_arg_dat(p_f, -1, OP_ID, 3, "double", OP_READ),
                    op_arg_dat(p_x, -1, OP_ID, 2, "double", OP_WRITE));
    }
    op_get_data(p_f);
    op_timers(&cpu, &after);
    op_fetch_data(p_x, x);
    for (int n = 0; n < 2 * nodes_size; n++) {
        sum += x[n] * (1 + n % 5);
    }
    printf("%.17g\n", sum);
    if (steps > 10) {
        printf("seconds %.3f\n", after - before);
    }
    op_timing_output();
    op_exit();
    free(corner);
    free(x);
    free(p);
    return 0;
}
