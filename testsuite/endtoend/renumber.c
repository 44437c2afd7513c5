/* renumber.c MODE SIDE: the runtime's own numbering of a mesh must not show. A shuffled mesh with
 * all that is unusual: points that nothing names, elements that name one twice, maps in a cycle, a
 * set that only a boundary reaches, empty sets, dats without data, sets that are declared after
 * loops have run, temporary dats, data changed by the program between loops. Valid as C11 and as
 * C++17.
 *
 * MODE says when op_partition is called: never, early, late (between loops), often, null (of
 * nothing). With RENUMBER_PAUSE in the environment, each time step ends with a pause, in which the
 * runtime finishes what it does in the background. What the program can see is written to files in the current folder, in its own
 * numbering; renumber.sh compares them with those of the sequential reference, bit for bit. */
#include "op_seq.h"

#include <time.h>

#include "renumber_kernels.h"

static int side;
static int nodes_made;
static int cells_made;
static int edges_made;
static int bounds_made;

static int *edge_nodes;
static int *cell_nodes;
static int *node_cell;
static int *bound_node;
static int *bound_group;
static double *node_x;

static op_set nodes, edges, cells, bounds, group_set, empty, probes;
static op_map ends, corner, home, foot, member, of_empty, to_empty, probed;
static op_dat x, sum, high, low, weight, kept, node_kept, centre, group, nothing_there, reading;
static op_dat of_cell, wide;

/* ---- mesh ---------------------------------------------------------------------------------- */

static unsigned long long state = 12345;

static int below(int limit)
{
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (int)((state >> 33) % (unsigned long long)limit);
}

static int *ints(int count)
{
    return (int *)op_calloc((size_t)count + 1, sizeof(int));
}

static int *shuffled(int count)
{
    int *number = ints(count);
    for (int i = 0; i < count; i++) {
        int other = below(i + 1);
        number[i] = number[other];
        number[other] = i;
    }
    return number;
}

static void make_edges(const int *number)
{
    int *place = shuffled(2 * side * (side - 1) + side);
    int e = 0;
    edge_nodes = ints(2 * (2 * side * (side - 1) + side));
    for (int j = 0; j < side; j++) {
        for (int i = 0; i < side; i++) {
            int a = i + j * side;
            for (int way = 0; way < 2; way++) {
                if ((way == 0 ? i : j) + 1 < side) {
                    int at = place[e++];
                    edge_nodes[2 * at] = number[a];
                    edge_nodes[2 * at + 1] = number[a + (way == 0 ? 1 : side)];
                }
            }
        }
    }
    for (int k = 0; k < side; k++) { /* these name one point twice */
        int at = place[e++];
        edge_nodes[2 * at] = edge_nodes[2 * at + 1] = number[k * side];
    }
    edges_made = e;
    op_free(place);
}

static void make_cells(const int *number)
{
    int *place;
    cells_made = (side - 1) * (side - 1);
    place = shuffled(cells_made);
    cell_nodes = ints(4 * cells_made);
    node_cell = ints(nodes_made);
    for (int j = 0; j + 1 < side; j++) {
        for (int i = 0; i + 1 < side; i++) {
            int at = place[i + j * (side - 1)];
            int a = i + j * side;
            int *c = &cell_nodes[4 * at];
            c[0] = number[a];
            c[1] = number[a + 1];
            c[2] = number[a + 1 + side];
            c[3] = number[a + side];
            node_cell[c[0]] = at;
        }
    }
    op_free(place);
}

static void make_bounds(const int *number)
{
    int *place = shuffled(side);
    bounds_made = side;
    bound_node = ints(side);
    bound_group = ints(side);
    for (int k = 0; k < side; k++) {
        bound_node[place[k]] = number[k];
        bound_group[place[k]] = k * 7 % 11;
    }
    op_free(place);
}

/* 17 nodes are not on any edge or cell. */
static void make_mesh(void)
{
    nodes_made = side * side + 17;
    int *number = shuffled(nodes_made);
    node_x = (double *)op_calloc(2 * (size_t)nodes_made, sizeof(double));
    for (int a = 0; a < side * side; a++) {
        node_x[2 * number[a]] = a % side;
        node_x[2 * number[a] + 1] = (a - a % side) / side;
    }
    make_edges(number);
    make_cells(number);
    make_bounds(number);
    op_free(number);
}

static void declare(void)
{
    float *w = (float *)op_calloc((size_t)edges_made + 1, sizeof(float));
    for (int e = 0; e < edges_made; e++) {
        w[e] = (float)(e % 9);
    }
    nodes = op_decl_set(nodes_made, "nodes");
    empty = op_decl_set(0, "empty");
    edges = op_decl_set(edges_made, "edges");
    cells = op_decl_set(cells_made, "cells");
    bounds = op_decl_set(bounds_made, "bounds");
    group_set = op_decl_set(11, "groups");
    ends = op_decl_map(edges, nodes, 2, edge_nodes, "ends");
    corner = op_decl_map(cells, nodes, 4, cell_nodes, "corner");
    home = op_decl_map(nodes, cells, 1, node_cell, "home");
    foot = op_decl_map(bounds, nodes, 1, bound_node, "foot");
    member = op_decl_map(bounds, group_set, 1, bound_group, "member");
    of_empty = op_decl_map(empty, nodes, 3, (int *)NULL, "of_empty");
    to_empty = op_decl_map(empty, empty, 1, (int *)NULL, "to_empty");
    x = op_decl_dat(nodes, 2, "double", node_x, "x");
    sum = op_decl_dat(nodes, 3, "double", (double *)NULL, "sum");
    high = op_decl_dat(nodes, 2, "double", (double *)NULL, "high");
    low = op_decl_dat(nodes, 1, "double", (double *)NULL, "low");
    weight = op_decl_dat(edges, 1, "float", w, "weight");
    kept = op_decl_dat(edges, 2, "int", (int *)NULL, "kept");
    node_kept = op_decl_dat(nodes, 1, "int", (int *)NULL, "node_kept");
    centre = op_decl_dat(cells, 1, "double", (double *)NULL, "centre");
    of_cell = op_decl_dat(cells, 1, "double", (double *)NULL, "of_cell");
    wide = op_decl_dat(bounds, WIDE, "double", (double *)NULL, "wide");
    group = op_decl_dat(group_set, 2, "double", (double *)NULL, "group");
    nothing_there = op_decl_dat(empty, 1, "double", (double *)NULL, "nothing_there");
    op_free(w);
}

/* ---- loops --------------------------------------------------------------------------------- */

static void number_all(int turn)
{
    int total = 0;
    int least = 1 << 30;
    int most = 0;
    op_par_loop(number_edges, "number_edges", edges, op_arg_idx(-1, OP_ID), op_arg_idx(1, ends),
                op_arg_dat(kept, -1, OP_ID, 2, "int", OP_WRITE),
                op_arg_gbl(&total, 1, "int", OP_INC),
                op_arg_gbl(&least, 1, "int", OP_MIN));
    op_par_loop(number_nodes, "number_nodes", nodes, op_arg_idx(-1, OP_ID),
                op_arg_dat(node_kept, -1, OP_ID, 1, "int", OP_WRITE),
                op_arg_gbl(&most, 1, "int", OP_MAX));
    printf("= numbers %d: %d %d %d\n", turn, total, least, most);
}

static void loops_over_edges(void)
{
    op_par_loop(flux, "flux", edges, op_arg_dat(x, 0, ends, 2, "double", OP_READ),
                op_arg_dat(x, 1, ends, 2, "double", OP_READ),
                op_arg_dat(weight, -1, OP_ID, 1, "float", OP_READ),
                op_arg_dat(sum, 0, ends, 3, "double", OP_INC),
                op_arg_dat(sum, 1, ends, 3, "double", OP_INC));
    op_par_loop(flux_of_numbers, "flux_of_numbers", edges, op_arg_idx(0, ends), op_arg_idx(1, ends),
                op_arg_dat(sum, 0, ends, 3, "double", OP_INC),
                op_arg_dat(sum, 1, ends, 3, "double", OP_INC));
    op_par_loop(peak, "peak", edges, op_arg_idx(-1, OP_ID),
                op_arg_dat(high, 0, ends, 2, "double", OP_MAX),
                op_arg_dat(low, 1, ends, 1, "double", OP_MIN));
}

static void loop_over_nodes(void)
{
    op_par_loop(in_place, "in_place", nodes, op_arg_dat(of_cell, 0, home, 1, "double", OP_RW));
}

static void other_loops(void)
{
    double total = 0.0;
    double none = 0.0;
    op_par_loop(corners, "corners", cells, op_arg_dat(x, -4, corner, 2, "double", OP_READ),
                op_arg_dat(centre, -1, OP_ID, 1, "double", OP_WRITE),
                op_arg_dat(sum, -4, corner, 3, "double", OP_INC));
    op_par_loop(boundary, "boundary", bounds, op_arg_dat(x, 0, foot, 2, "double", OP_READ),
                op_arg_idx(0, member), op_arg_dat(group, 0, member, 2, "double", OP_INC),
                op_arg_gbl(&total, 1, "double", OP_INC));
    op_par_loop(widen, "widen", bounds, op_arg_idx(-1, OP_ID),
                op_arg_dat(x, 0, foot, 2, "double", OP_READ),
                op_arg_dat(wide, -1, OP_ID, WIDE, "double", OP_RW));
    op_par_loop(groups, "groups", group_set, op_arg_idx(-1, OP_ID),
                op_arg_dat(group, -1, OP_ID, 2, "double", OP_RW));
    op_par_loop(nothing, "nothing", empty, op_arg_dat(x, 0, of_empty, 2, "double", OP_READ),
                op_arg_gbl(&none, 1, "double", OP_INC));
    printf("= totals %.17g %.17g\n", total, none);
}

static void loops_with_scratch(void)
{
    op_dat scratch = op_decl_dat_temp(edges, 2, "double", (double *)NULL, "scratch");
    op_par_loop(to_scratch, "to_scratch", edges, op_arg_dat(x, 0, ends, 2, "double", OP_READ),
                op_arg_dat(x, 1, ends, 2, "double", OP_READ),
                op_arg_dat(scratch, -1, OP_ID, 2, "double", OP_WRITE));
    op_par_loop(from_scratch, "from_scratch", edges,
                op_arg_dat(scratch, -1, OP_ID, 2, "double", OP_READ),
                op_arg_dat(sum, 0, ends, 3, "double", OP_INC),
                op_arg_dat(sum, 1, ends, 3, "double", OP_INC));
    op_free_dat_temp(scratch);
}

/* A set and its map come after loops have run. */
static void declare_probes(void)
{
    int *at = ints(side + 5);
    for (int p = 0; p < side + 5; p++) {
        at[p] = below(nodes_made);
    }
    probes = op_decl_set(side + 5, "probes");
    probed = op_decl_map(probes, nodes, 1, at, "probed");
    reading = op_decl_dat(probes, 2, "double", (double *)NULL, "reading");
    op_free(at);
}

static void loop_over_probes(void)
{
    op_par_loop(probe, "probe", probes, op_arg_idx(-1, OP_ID),
                op_arg_dat(x, 0, probed, 2, "double", OP_READ),
                op_arg_dat(reading, -1, OP_ID, 2, "double", OP_WRITE),
                op_arg_dat(sum, 0, probed, 3, "double", OP_INC));
}

/* The program reads and changes its arrays, in its own order. */
static void change_data(void)
{
    double some[3 * 4];
    op_get_data(sum);
    op_fetch_data_idx(sum, some, 5, 8);
    for (int i = 0; i < 12; i++) {
        if (((double *)(void *)sum->data)[15 + i] != some[i]) {
            printf("= op_get_data and op_fetch_data_idx differ at %d\n", i);
        }
    }
    for (int n = 0; n < nodes_made; n += 3) {
        ((double *)(void *)sum->data)[3 * n] += n % 100;
    }
    op_put_data(sum);
}

static void show(op_dat dat)
{
    char name[64];
    snprintf(name, sizeof name, "%s.dat", dat->name);
    op_print_dat_to_binfile(dat, name);
    if (dat != wide) {
        snprintf(name, sizeof name, "%s.txt", dat->name);
        op_print_dat_to_txtfile(dat, name);
    }
}

static void partition_now(const char *mode)
{
    if (strcmp(mode, "null") == 0) {
        op_partition(NULL, NULL, NULL, NULL, NULL);
    } else {
        op_partition("PTSCOTCH", "KWAY", nodes, ends, x);
    }
}

static int is_one_of(const char *mode, const char *a, const char *b, const char *c)
{
    return strcmp(mode, a) == 0 || strcmp(mode, b) == 0 || strcmp(mode, c) == 0;
}

static void pause_now(void)
{
    struct timespec pause = {0, 300000000};
    if (getenv("RENUMBER_PAUSE") != NULL) {
        nanosleep(&pause, NULL);
    }
}

static void time_steps(const char *mode)
{
    for (int turn = 0; turn < 3; turn++) {
        number_all(turn);
        loops_over_edges();
        loop_over_nodes();
        other_loops();
        if (turn == 0) {
            declare_probes();
        }
        if (turn == 1 && is_one_of(mode, "late", "often", "null")) {
            partition_now(mode);
            op_renumber(ends);
        }
        loop_over_probes();
        loops_with_scratch();
        change_data();
        if (strcmp(mode, "often") == 0) {
            op_partition("METIS", "GEOM", cells, turn == 1 ? corner : NULL, turn == 2 ? x : NULL);
        }
        pause_now();
    }
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "never";
    side = argc > 2 ? atoi(argv[2]) : 30;
    make_mesh();
    op_init(argc, argv, 0);
    declare();
    if (is_one_of(mode, "early", "often", "")) {
        partition_now(mode);
    }
    time_steps(mode);
    op_dat shown[] = {x,      sum,   high,          low,     weight,  kept, node_kept,
                      centre, group, nothing_there, reading, of_cell, wide};
    for (size_t d = 0; d < sizeof shown / sizeof shown[0]; d++) {
        show(shown[d]);
    }
    if (getenv("RENUMBER_DIAGNOSTICS") != NULL) {
        op_diagnostic_output();
    }
    op_exit();
    return 0;
}
