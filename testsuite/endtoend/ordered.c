/* ordered.c SIDE STEPS [table]: loops whose sums blocks make and points add up in the order of the
 * blocks, over elements of two, four and eight points among SIDE * SIDE numbered at random; then
 * the bits of what they give. REAL and REAL_NAME are the type of all dats. */
#include "op_seq.h"

#include "ordered.h"
#include "random_bits.h"

static int side;
static op_set nodes, edges, cells, patches;
static op_map ends, beside, corner, around;
static op_dat x, of_edge, of_patch, sum2, sum4, sum8, low, high, pair, count, flux, maybe,
    whole_sum;
static REAL total;

/* ---- mesh ---------------------------------------------------------------------------------- */

/* A map to the nodes of a patch of `wide` by `tall` nodes at every place where one fits. */
static op_map declare_patches(op_set *set, const char *name, int wide, int tall, const int *node)
{
    int columns = wide * tall;
    int across = side - wide + 1;
    int size = across * (side - tall + 1);
    int *at = shuffled(size);
    int *map = (int *)calloc((size_t)size * (size_t)columns, sizeof *map);
    for (int e = 0; e < size; e++) {
        for (int k = 0; k < columns; k++) {
            int row = e / across + k / wide;
            map[columns * at[e] + k] = node[row * side + e % across + k % wide];
        }
    }
    *set = op_decl_set(size, name);
    op_map declared = op_decl_map(*set, nodes, columns, map, name);
    free(map);
    free(at);
    return declared;
}

/* Two cells for each edge, any. */
static void declare_beside(void)
{
    int size = op_get_size(edges);
    int *map = (int *)calloc(2 * (size_t)size, sizeof *map);
    for (int e = 0; e < 2 * size; e++) {
        map[e] = (e / 3 + below(5)) % op_get_size(cells);
    }
    beside = op_decl_map(edges, cells, 2, map, "beside");
    free(map);
}

static op_dat numbers(op_set set, int dim, const char *name)
{
    int size = dim * op_get_size(set);
    REAL *value = (REAL *)calloc((size_t)size, sizeof *value);
    for (int i = 0; i < size; i++) {
        value[i] = (REAL)1 / (REAL)(3 + below(977)) - (REAL)0.01;
    }
    op_dat dat = op_decl_dat(set, dim, REAL_NAME, value, name);
    free(value);
    return dat;
}

static op_dat zeros(op_set set, int dim, const char *name)
{
    return op_decl_dat(set, dim, REAL_NAME, (REAL *)NULL, name);
}

static void declare(void)
{
    int *node = shuffled(side * side);
    nodes = op_decl_set(side * side, "nodes");
    ends = declare_patches(&edges, "edges", 2, 1, node);
    corner = declare_patches(&cells, "cells", 2, 2, node);
    around = declare_patches(&patches, "patches", 4, 2, node);
    declare_beside();
    x = numbers(nodes, 3, "x");
    of_edge = numbers(edges, 1, "of_edge");
    of_patch = numbers(patches, 1, "of_patch");
    sum2 = zeros(nodes, 5, "sum2");
    sum4 = zeros(nodes, 2, "sum4");
    sum8 = zeros(nodes, 3, "sum8");
    low = zeros(nodes, 1, "low");
    high = zeros(nodes, 1, "high");
    pair = zeros(nodes, 2, "pair");
    count = op_decl_dat(nodes, 1, "int", (int *)NULL, "count");
    flux = zeros(cells, 1, "flux");
    maybe = zeros(cells, 1, "maybe");
    whole_sum = zeros(nodes, 1, "whole_sum");
    free(node);
}

/* ---- loops --------------------------------------------------------------------------------- */

static void run(int on)
{
    op_par_loop(edge, "edge", edges, op_arg_dat(x, 0, ends, 3, REAL_NAME, OP_READ),
                op_arg_dat(x, 1, ends, 3, REAL_NAME, OP_READ),
                op_arg_dat(of_edge, -1, OP_ID, 1, REAL_NAME, OP_READ),
                op_arg_dat(sum2, 0, ends, 5, REAL_NAME, OP_INC),
                op_arg_dat(sum2, 1, ends, 5, REAL_NAME, OP_INC));
    op_par_loop(cell, "cell", cells, op_arg_dat(x, 0, corner, 3, REAL_NAME, OP_READ),
                op_arg_dat(x, 1, corner, 3, REAL_NAME, OP_READ),
                op_arg_dat(x, 2, corner, 3, REAL_NAME, OP_READ),
                op_arg_dat(x, 3, corner, 3, REAL_NAME, OP_READ),
                op_arg_dat(sum4, 0, corner, 2, REAL_NAME, OP_INC),
                op_arg_dat(sum4, 1, corner, 2, REAL_NAME, OP_INC),
                op_arg_dat(sum4, 2, corner, 2, REAL_NAME, OP_INC),
                op_arg_dat(sum4, 3, corner, 2, REAL_NAME, OP_INC),
                op_arg_dat(low, 2, corner, 1, REAL_NAME, OP_MIN),
                op_arg_dat(high, 1, corner, 1, REAL_NAME, OP_MAX));
    op_par_loop(patch, "patch", patches, op_arg_dat(x, -8, around, 3, REAL_NAME, OP_READ),
                op_arg_dat(of_patch, -1, OP_ID, 1, REAL_NAME, OP_READ),
                op_arg_dat(sum8, -8, around, 3, REAL_NAME, OP_INC),
                op_arg_gbl(&total, 1, REAL_NAME, OP_INC));
    op_par_loop(both, "both", edges, op_arg_gbl(&on, 1, "int", OP_READ),
                op_arg_dat(x, 0, ends, 3, REAL_NAME, OP_READ),
                op_arg_dat(x, 1, ends, 3, REAL_NAME, OP_READ),
                op_arg_dat(pair, 0, ends, 2, REAL_NAME, OP_INC),
                op_arg_dat(pair, 1, ends, 2, REAL_NAME, OP_INC),
                op_arg_dat(count, 1, ends, 1, "int", OP_INC),
                op_arg_dat(flux, 0, beside, 1, REAL_NAME, OP_INC),
                op_arg_dat(flux, 1, beside, 1, REAL_NAME, OP_INC),
                op_opt_arg_dat(on, maybe, 1, beside, 1, REAL_NAME, OP_INC));
    op_par_loop(whole, "whole", edges, op_arg_dat(x, 0, ends, 3, REAL_NAME, OP_READ),
                op_arg_dat(x, 1, ends, 3, REAL_NAME, OP_READ),
                op_arg_dat(whole_sum, 0, ends, 1, REAL_NAME, OP_INC),
                op_arg_dat(whole_sum, 1, ends, 1, REAL_NAME, OP_INC));
}

/* ---- the program ------------------------------------------------------------------------------
 */

/* FNV-1a. */
int main(int argc, char **argv)
{
    int steps = argc > 2 ? atoi(argv[2]) : 1;
    side = argc > 1 ? atoi(argv[1]) : 20;
    random_state = 4711;
    op_init(argc, argv, 0);
    declare();
    for (int step = 0; step < steps; step++) {
        run(step % 2 == 0);
    }
    const op_dat dats[] = {sum2, sum4, sum8, low, high, pair, count, flux, maybe, whole_sum};
    for (size_t d = 0; d < sizeof dats / sizeof dats[0]; d++) {
        print_dat(dats[d]);
    }
    printf("total %a\n", (double)total);
    if (argc > 3) {
        op_timing_output();
    }
    op_exit();
    return 0;
}
