/* gpu_launch.c: what one op_par_loop costs the host when it starts kernels on a GPU, on a mesh so
 * small that they take no time to speak of.
 *
 *   gpu_launch [--calls=N]
 *
 * N: calls in a row, 1 to 100000, default 500: fewer than a device's queue takes (1024), so that
 * none waits for it. Medians of 15 rows, in nanoseconds per call:
 *
 *   host     until the last call of a row returns: what the caller pays
 *   device   until the device has finished them, too: what a program pays that does nothing else
 *
 * A call with reductions returns when its result is there, so that both are the same. launch_cost
 * measures the part of it that is the runtime's own, without a device. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "op_seq.h"

enum { CELLS = 600, EDGES = 1200, ROWS = 15, MOST_CALLS = 100000 };

static op_set cells;
static op_set edges;
static op_map edge_cells;
static op_dat q;
static op_dat old;
static op_dat flux;
static double result[2];

/* ---- kernels --------------------------------------------------------------------------------- */

static void save(const double *from, double *to)
{
    for (int k = 0; k < 4; k++) {
        to[k] = from[k];
    }
}

static void residual(const double *q1, const double *q2, double *f1, double *f2)
{
    for (int k = 0; k < 4; k++) {
        const double f = 0.5 * (q1[k] - q2[k]);
        f1[k] += f;
        f2[k] -= f;
    }
}

static void advance(const double *from, double *to, double *sum, double *most)
{
    for (int k = 0; k < 4; k++) {
        to[k] = 0.5 * from[k];
        *sum += to[k];
        *most = fmax(*most, to[k]);
    }
}

static void call_save(void)
{
    op_par_loop(save, "save", cells, op_arg_dat(q, -1, OP_ID, 4, "double", OP_READ),
                op_arg_dat(old, -1, OP_ID, 4, "double", OP_WRITE));
}

static void call_residual(void)
{
    op_par_loop(residual, "residual", edges, op_arg_dat(q, 0, edge_cells, 4, "double", OP_READ),
                op_arg_dat(q, 1, edge_cells, 4, "double", OP_READ),
                op_arg_dat(flux, 0, edge_cells, 4, "double", OP_INC),
                op_arg_dat(flux, 1, edge_cells, 4, "double", OP_INC));
}

static void call_advance(void)
{
    result[0] = 0;
    result[1] = 0;
    op_par_loop(advance, "advance", cells, op_arg_dat(q, -1, OP_ID, 4, "double", OP_READ),
                op_arg_dat(old, -1, OP_ID, 4, "double", OP_WRITE),
                op_arg_gbl(&result[0], 1, "double", OP_INC),
                op_arg_gbl(&result[1], 1, "double", OP_MAX));
}

static void declare(void)
{
    static int map[2 * EDGES];
    static double values[4 * CELLS];
    for (int e = 0; e < EDGES; e++) {
        map[2 * e] = e / 2;
        map[2 * e + 1] = (e / 2 + 1 + e % 2 * 24) % CELLS;
    }
    for (int i = 0; i < 4 * CELLS; i++) {
        values[i] = i % 7;
    }
    cells = op_decl_set(CELLS, "cells");
    edges = op_decl_set(EDGES, "edges");
    edge_cells = op_decl_map(edges, cells, 2, map, "edge_cells");
    q = op_decl_dat(cells, 4, "double", values, "q");
    old = op_decl_dat(cells, 4, "double", (double *)NULL, "old");
    flux = op_decl_dat(cells, 4, "double", (double *)NULL, "flux");
}

/* ---- measuring ------------------------------------------------------------------------------- */

static double nanoseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Waits for the device: a reduction's result depends on what was started before. */
static void finish(void)
{
    call_advance();
}

static void measure(const char *what, void (*call)(void), int calls)
{
    double host[ROWS], device[ROWS];
    for (int row = -2; row < ROWS; row++) { /* the first make plans and move data */
        finish();
        const double begin = nanoseconds();
        for (int c = 0; c < calls; c++) {
            call();
        }
        const double returned = nanoseconds();
        finish();
        if (row >= 0) {
            host[row] = (returned - begin) / calls;
            device[row] = (nanoseconds() - begin) / calls;
        }
    }
    qsort(host, ROWS, sizeof host[0], by_value);
    qsort(device, ROWS, sizeof device[0], by_value);
    printf("%-36s %8.0f %8.0f\n", what, host[ROWS / 2], device[ROWS / 2]);
}

/* Exactly: all values are small multiples of powers of two. */
static int is_right(void)
{
    double sum = 0, most = 0;
    for (int i = 0; i < 4 * CELLS; i++) {
        sum += 0.5 * (i % 7);
        most = fmax(most, 0.5 * (i % 7));
    }
    call_advance();
    return result[0] == sum && result[1] == most;
}

static int number_of(int argc, char **argv)
{
    if (argc == 1) {
        return 500;
    }
    char *end = argv[1];
    long calls =
        argc == 2 && strncmp(argv[1], "--calls=", 8) == 0 ? strtol(argv[1] + 8, &end, 10) : 0;
    return end != argv[1] && *end == '\0' && calls <= MOST_CALLS ? (int)calls : 0;
}

int main(int argc, char **argv)
{
    const int calls = number_of(argc, argv);
    if (calls < 1) {
        fprintf(stderr, "usage: gpu_launch [--calls=N], N from 1 to %d\n", MOST_CALLS);
        return 2;
    }
    op_init(0, NULL, 0);
    declare();
    printf("%-36s %8s %8s\n", "ns per call", "host", "device");
    measure("direct, 2 dats", call_save, calls);
    measure("through a map, 4 arguments of 2 dats", call_residual, calls);
    measure("direct, 2 dats, 2 reductions", call_advance, calls);
    const int right = is_right();
    printf("%s\n", right ? "right" : "WRONG: the reductions' results");
    op_exit();
    return right ? 0 : 1;
}
