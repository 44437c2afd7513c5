/* deterministic.c SIDE STEPS [table]: loops of all kinds on SIDE * SIDE points that are numbered at
 * random; then the bits of every dat and of every reduction, to be compared with those of other
 * runs. */
#include "op_seq.h"

#include "deterministic.h"
#include "random_bits.h"

static int side;
static op_set nodes, edges, cells;
static op_map ends, corner;
static op_dat x, sum, heavy_sum, float_sum, place, whole_sum, high, low, count, weight, trace;

static double total, most, square, least;
static float simple;

/* ---- mesh ---------------------------------------------------------------------------------- */

static void declare_edges(const int *node)
{
    int size = 2 * side * (side - 1);
    int *at = shuffled(size);
    int *map = (int *)calloc(2 * (size_t)size, sizeof *map);
    float *value = (float *)calloc((size_t)size, sizeof *value);
    for (int e = 0; e < size; e++) {
        int along = e / (size / 2);
        int i = e % (size / 2);
        int a = along ? i : i / (side - 1) * side + i % (side - 1);
        map[2 * at[e]] = node[a];
        map[2 * at[e] + 1] = node[a + (along ? side : 1)];
        value[at[e]] = 1.0f / (float)(3 + e % 101);
    }
    edges = op_decl_set(size, "edges");
    ends = op_decl_map(edges, nodes, 2, map, "ends");
    weight = op_decl_dat(edges, 1, "float", value, "weight");
    free(value);
    free(map);
    free(at);
}

static void declare_cells(const int *node)
{
    int size = (side - 1) * (side - 1);
    int *at = shuffled(size);
    int *map = (int *)calloc(4 * (size_t)size, sizeof *map);
    for (int c = 0; c < size; c++) {
        int a = c / (side - 1) * side + c % (side - 1);
        int *of = &map[4 * at[c]];
        of[0] = node[a];
        of[1] = node[a + 1];
        of[2] = node[a + side + 1];
        of[3] = node[a + side];
    }
    cells = op_decl_set(size, "cells");
    corner = op_decl_map(cells, nodes, 4, map, "corner");
    free(map);
    free(at);
}

static op_dat zeros(int dim, const char *type, const char *name)
{
    return op_decl_dat(nodes, dim, type, (char *)NULL, name);
}

static void declare(void)
{
    int size = side * side;
    int *node = shuffled(size);
    double *value = (double *)calloc(4 * (size_t)size, sizeof *value);
    for (int i = 0; i < 4 * size; i++) {
        value[i] = 1.0 / (1 + i % 977) - 0.01;
    }
    nodes = op_decl_set(size, "nodes");
    declare_edges(node);
    declare_cells(node);
    x = op_decl_dat(nodes, 4, "double", value, "x");
    sum = zeros(4, "double", "sum");
    heavy_sum = zeros(1, "double", "heavy_sum");
    float_sum = zeros(1, "float", "float_sum");
    place = zeros(1, "double", "place");
    whole_sum = zeros(1, "double", "whole_sum");
    high = zeros(1, "double", "high");
    low = zeros(1, "double", "low");
    count = zeros(1, "int", "count");
    trace = op_decl_dat(nodes, 1, "double", value, "trace");
    free(value);
    free(node);
}

/* ---- loops --------------------------------------------------------------------------------- */

static void sums(void)
{
    op_par_loop(flux, "flux", edges, op_arg_dat(x, 0, ends, 4, "double", OP_READ),
                op_arg_dat(x, 1, ends, 4, "double", OP_READ),
                op_arg_dat(weight, -1, OP_ID, 1, "float", OP_READ),
                op_arg_dat(sum, 0, ends, 4, "double", OP_INC),
                op_arg_dat(sum, 1, ends, 4, "double", OP_INC),
                op_arg_gbl(&total, 1, "double", OP_INC), op_arg_gbl(&most, 1, "double", OP_MAX));
    op_par_loop(heavy, "heavy", cells, op_arg_dat(x, 0, corner, 4, "double", OP_READ),
                op_arg_dat(x, 1, corner, 4, "double", OP_READ),
                op_arg_dat(x, 2, corner, 4, "double", OP_READ),
                op_arg_dat(x, 3, corner, 4, "double", OP_READ),
                op_arg_dat(heavy_sum, 0, corner, 1, "double", OP_INC),
                op_arg_dat(heavy_sum, 1, corner, 1, "double", OP_INC),
                op_arg_dat(heavy_sum, 2, corner, 1, "double", OP_INC),
                op_arg_dat(heavy_sum, 3, corner, 1, "double", OP_INC));
    op_par_loop(single, "single", edges, op_arg_dat(weight, -1, OP_ID, 1, "float", OP_READ),
                op_arg_dat(float_sum, 0, ends, 1, "float", OP_INC),
                op_arg_dat(float_sum, 1, ends, 1, "float", OP_INC));
    op_par_loop(whole, "whole", edges, op_arg_dat(weight, -1, OP_ID, 1, "float", OP_READ),
                op_arg_dat(whole_sum, 0, ends, 1, "double", OP_INC),
                op_arg_dat(whole_sum, 1, ends, 1, "double", OP_INC));
}

static void others(void)
{
    op_par_loop(in_place, "in_place", edges, op_arg_dat(weight, -1, OP_ID, 1, "float", OP_READ),
                op_arg_dat(place, 0, ends, 1, "double", OP_RW),
                op_arg_dat(place, 1, ends, 1, "double", OP_RW));
    op_par_loop(extremes, "extremes", edges, op_arg_dat(x, 0, ends, 4, "double", OP_READ),
                op_arg_dat(high, 1, ends, 1, "double", OP_MAX),
                op_arg_dat(low, 1, ends, 1, "double", OP_MIN));
    op_par_loop(counted, "counted", edges, op_arg_dat(count, 0, ends, 1, "int", OP_INC),
                op_arg_dat(count, 1, ends, 1, "int", OP_INC));
    op_par_loop(norms, "norms", nodes, op_arg_dat(sum, -1, OP_ID, 4, "double", OP_READ),
                op_arg_dat(x, -1, OP_ID, 4, "double", OP_RW),
                op_arg_gbl(&square, 1, "double", OP_INC), op_arg_gbl(&simple, 1, "float", OP_INC),
                op_arg_gbl(&least, 1, "double", OP_MIN));
    op_par_loop(seen, "seen", edges, op_arg_dat(trace, 0, ends, 1, "double", OP_READ),
                op_arg_dat(trace, 1, ends, 1, "double", OP_INC));
}

/* Ten elements among a million points, and of five points each. */
static void few(void)
{
    enum { ELEMENTS = 10, POINTS = 1 << 20, FAN = 5 };
    int map[ELEMENTS];
    int rows[ELEMENTS * FAN];
    double value[ELEMENTS];
    for (int e = 0; e < ELEMENTS; e++) {
        map[e] = POINTS / 2;
        value[e] = 1.0 / (3 + e);
    }
    for (int i = 0; i < ELEMENTS * FAN; i++) {
        rows[i] = i % FAN;
    }
    op_set bounds = op_decl_set(ELEMENTS, "bounds");
    op_set all = op_decl_set(POINTS + 1, "all");
    op_map to = op_decl_map(bounds, all, 1, map, "to");
    op_dat of = op_decl_dat(bounds, 1, "double", value, "of");
    op_dat far = op_decl_dat(all, 1, "double", (double *)NULL, "far");
    op_par_loop(boundary, "boundary", bounds, op_arg_dat(of, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(far, 0, to, 1, "double", OP_INC));
    op_map fan = op_decl_map(bounds, nodes, FAN, rows, "fan");
    op_par_loop(spread, "spread", bounds, op_arg_dat(of, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(heavy_sum, 0, fan, 1, "double", OP_INC),
                op_arg_dat(heavy_sum, 4, fan, 1, "double", OP_INC));
}

/* ---- the program ------------------------------------------------------------------------------
 */

/* FNV-1a. */
int main(int argc, char **argv)
{
    int steps = argc > 2 ? atoi(argv[2]) : 1;
    side = argc > 1 ? atoi(argv[1]) : 20;
    random_state = 12345;
    op_init(argc, argv, 0);
    declare();
    for (int step = 0; step < steps; step++) {
        sums();
        others();
    }
    const op_dat dats[] = {x, sum, heavy_sum, float_sum, place, whole_sum, high, low, count, trace};
    for (size_t d = 0; d < sizeof dats / sizeof dats[0]; d++) {
        print_dat(dats[d]);
    }
    printf("total %a most %a square %a simple %a least %a\n", total, most, square, (double)simple,
           least);
    if (argc > 3) {
        few();
        op_timing_output();
    }
    op_exit();
    return 0;
}
