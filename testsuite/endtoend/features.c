/* features.c: one program that uses every feature of the OP2 API and of kernel bodies that cleave
 * compiles; valid as C11 and as C++17. It prints the result of each loop; features.sh compares what
 * the backends, schedules and race resolutions print with the sequential reference, bit for bit
 * (all sums are of whole numbers). */
#include "op_seq.h"

#include "feature_kernels.h"

#ifdef __cplusplus
extern "C"
#endif
    void
    declare_constants(void);

enum { SIDE = 23, NODES = SIDE * SIDE, CELLS = (SIDE - 1) * (SIDE - 1) };

static int edge_nodes[2 * 2 * NODES + 20];
static int cell_nodes[4 * CELLS];
static double node_x[2 * NODES];
static int edges_made;

static void make_mesh(void)
{
    int n = 0;
    for (int j = 0; j < SIDE; j++) {
        for (int i = 0; i < SIDE; i++) {
            int a = i + j * SIDE;
            node_x[2 * a] = (a * 37) % 11;
            node_x[2 * a + 1] = (a * 17) % 5 - 2;
            if (i + 1 < SIDE) {
                edge_nodes[2 * n] = a;
                edge_nodes[2 * n++ + 1] = a + 1;
            }
            if (j + 1 < SIDE) {
                edge_nodes[2 * n] = a + SIDE;
                edge_nodes[2 * n++ + 1] = a;
            }
        }
    }
    for (int k = 0; k < 10; k++) { /* boundary elements that name one point twice */
        edge_nodes[2 * n] = edge_nodes[2 * n + 1] = 13 * k;
        n++;
    }
    edges_made = n;
    for (int j = 0; j + 1 < SIDE; j++) {
        for (int i = 0; i + 1 < SIDE; i++) {
            int *c = &cell_nodes[4 * (i + j * (SIDE - 1))];
            c[0] = i + j * SIDE;
            c[1] = c[0] + 1;
            c[2] = c[1] + SIDE;
            c[3] = c[0] + SIDE;
        }
    }
}

static void show(const char *name, op_dat dat)
{
    double *values = (double *)op_malloc((size_t)dat->set->size * (size_t)dat->size + 8);
    op_fetch_data(dat, values);
    double first = 0.0, second = 0.0;
    for (int i = 0; i < dat->set->size * dat->dim; i++) {
        first += values[i];
        second += values[i] * (i % 101 + 1);
    }
    printf("= %s %.17g %.17g\n", name, first, second);
    op_free(values);
}

static void show_int(const char *name, op_dat dat)
{
    int *values = (int *)op_malloc((size_t)dat->set->size * (size_t)dat->size + 8);
    op_fetch_data(dat, values);
    long first = 0, second = 0;
    for (int i = 0; i < dat->set->size * dat->dim; i++) {
        first += values[i];
        second += (long)values[i] * (i % 101 + 1);
    }
    printf("= %s %ld %ld\n", name, first, second);
    op_free(values);
}

#define LOOP_NAMES(x, y)                                                                           \
    op_par_loop(names, "names", edges, op_arg_dat(x, 0, pedge, 2, "double", OP_READ),              \
                op_arg_dat(x, 1, pedge, 2, "double", OP_READ),                                     \
                op_arg_dat(y, 1, pedge, 2, "double", OP_INC),                                      \
                op_arg_dat(x, 0, pedge, 2, "double", OP_READ))

int main(int argc, char **argv)
{
    op_init(argc, argv, 0);
    make_mesh();
    declare_constants();

    op_set nodes = op_decl_set(NODES, "nodes");
    op_set edges = op_decl_set(edges_made, "edges");
    op_set cells = op_decl_set(CELLS, "cells");
    op_set nothing = op_decl_set(0, "nothing");
    op_map pedge = op_decl_map(edges, nodes, 2, edge_nodes, "pedge");
    op_map pcell = op_decl_map(cells, nodes, 4, cell_nodes, "pcell");
    op_map pnothing = op_decl_map(nothing, nodes, 2, edge_nodes, "pnothing");
    memset(edge_nodes, 0x7f, sizeof edge_nodes); /* declarations copy */

    op_dat p_x = op_decl_dat(nodes, 2, "double", node_x, "x");
    op_dat p_y = op_decl_dat(nodes, 2, "double", (double *)NULL, "y");
    op_dat p_z = op_decl_dat(nodes, 2, "double", (double *)NULL, "z");
    op_dat p_count = op_decl_dat(nodes, 1, "int", (int *)NULL, "count");
    double *weights = (double *)malloc(sizeof(double) * (size_t)edges_made);
    for (int e = 0; e < edges_made; e++) {
        weights[e] = e % 4;
    }
    op_dat p_w = op_decl_dat(edges, 1, "double", weights, "w");
    free(weights);
    op_dat p_none = op_decl_dat(nothing, 1, "double", (double *)NULL, "none");
    op_dat p_centre = op_decl_dat(cells, 1, "double", (double *)NULL, "centre");

    op_partition("PTSCOTCH", "KWAY", edges, pedge, p_x);

    op_par_loop(start, "start", nodes, op_arg_dat(p_x, -1, OP_ID, 2, "double", OP_READ),
                op_arg_dat(p_y, -1, OP_ID, 2, "double", OP_WRITE),
                op_arg_dat(p_count, -1, OP_ID, 1, "int", OP_WRITE));
    show("start", p_y);
    show_int("start-count", p_count);

    op_par_loop(scatter, "scatter", edges, op_arg_dat(p_x, 0, pedge, 2, "double", OP_READ),
                op_arg_dat(p_x, 1, pedge, 2, "double", OP_READ),
                op_arg_dat(p_w, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(p_z, 0, pedge, 2, "double", OP_INC),
                op_arg_dat(p_z, 1, pedge, 2, "double", OP_INC));
    show("scatter", p_z);

    double sum = 3.0, largest = -1.0, smallest = 4.0;
    op_par_loop(
        scatter_pairs, "scatter_pairs", edges, op_arg_dat(p_x, 0, pedge, 2, "double", OP_READ),
        op_arg_dat(p_x, 1, pedge, 2, "double", OP_READ),
        op_arg_dat(p_z, 0, pedge, 2, "double", OP_INC),
        op_arg_dat(p_y, 1, pedge, 2, "double", OP_INC), op_arg_gbl(&sum, 1, "double", OP_INC),
        op_arg_gbl(&largest, 1, "double", OP_MAX), op_arg_gbl(&smallest, 1, "double", OP_MIN));
    show("pairs-z", p_z);
    show("pairs-y", p_y);
    printf("= pairs-global %.17g %.17g %.17g\n", sum, largest, smallest);

    op_par_loop(gather_corners, "gather_corners", cells,
                op_arg_dat(p_x, -4, pcell, 2, "double", OP_READ),
                op_arg_dat(p_centre, -1, OP_ID, 1, "double", OP_WRITE),
                op_arg_dat(p_z, -4, pcell, 2, "double", OP_INC));
    show("corners", p_z);
    show("centres", p_centre);

    op_dat p_number = op_decl_dat(edges, 2, "int", (int *)NULL, "number");
    int numbers = 0;
    op_par_loop(number, "number", edges, op_arg_idx(-1, OP_ID), op_arg_idx(1, pedge),
                op_arg_dat(p_number, -1, OP_ID, 2, "int", OP_WRITE),
                op_arg_gbl(&numbers, 1, "int", OP_INC));
    show_int("number", p_number);
    printf("= numbers %d\n", numbers);

    op_par_loop(touch, "touch", edges, op_arg_dat(p_y, 0, pedge, 2, "double", OP_RW),
                op_arg_dat(p_count, 1, pedge, 1, "int", OP_WRITE));
    show("touch", p_y);
    show_int("touch-count", p_count);

    op_par_loop(extremes, "extremes", edges, op_arg_dat(p_w, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(p_y, 0, pedge, 2, "double", OP_MAX),
                op_arg_dat(p_z, 1, pedge, 2, "double", OP_MIN));
    show("extremes-high", p_y);
    show("extremes-low", p_z);

    op_dat p_temp = op_decl_dat_temp(nodes, 1, "double", (double *)NULL, "temp");
    for (int on = 0; on < 2; on++) {
        op_par_loop(maybe, "maybe", edges, op_arg_gbl(&on, 1, "int", OP_READ),
                    op_opt_arg_dat(on, p_w, -1, OP_ID, 1, "double", OP_READ),
                    op_arg_dat(p_temp, 0, pedge, 1, "double", OP_INC));
        show(on ? "maybe-on" : "maybe-off", p_temp);
    }
    op_free_dat_temp(p_temp);

    float float_value[CELLS];
    int int_value[CELLS];
    unsigned int uint_value[CELLS];
    long long_value[CELLS];
    ll ll_value[CELLS];
    ull ull_value[CELLS];
    bool bool_value[CELLS];
    for (int c = 0; c < CELLS; c++) {
        float_value[c] = (float)(c % 9);
        int_value[c] = c - 100;
        uint_value[c] = (unsigned int)c;
        long_value[c] = c * 1000L;
        ll_value[c] = c * 1000000007LL;
        ull_value[c] = (ull)c << 40;
        bool_value[c] = c % 3 != 0;
    }
    op_dat p_float = op_decl_dat(cells, 1, "float", float_value, "float");
    op_dat p_int = op_decl_dat(cells, 1, "int", int_value, "int");
    op_dat p_uint = op_decl_dat(cells, 1, "uint", uint_value, "uint");
    op_dat p_long = op_decl_dat(cells, 1, "long", long_value, "long");
    op_dat p_ll = op_decl_dat(cells, 1, "ll", ll_value, "ll");
    op_dat p_ull = op_decl_dat(cells, 1, "ull", ull_value, "ull");
    op_dat p_bool = op_decl_dat(cells, 1, "bool", bool_value, "bool");
    float float_sum = 0.0f;
    int int_sum = 0;
    unsigned int uint_sum = 0;
    long long_sum = 0;
    ll ll_sum = 0;
    ull ull_sum = 0;
    op_par_loop(types, "types", cells, op_arg_dat(p_float, -1, OP_ID, 1, "float", OP_READ),
                op_arg_dat(p_int, -1, OP_ID, 1, "int", OP_READ),
                op_arg_dat(p_uint, -1, OP_ID, 1, "uint", OP_READ),
                op_arg_dat(p_long, -1, OP_ID, 1, "long", OP_READ),
                op_arg_dat(p_ll, -1, OP_ID, 1, "ll", OP_READ),
                op_arg_dat(p_ull, -1, OP_ID, 1, "ull", OP_READ),
                op_arg_dat(p_bool, -1, OP_ID, 1, "bool", OP_READ),
                op_arg_gbl(&float_sum, 1, "float", OP_INC), op_arg_gbl(&int_sum, 1, "int", OP_INC),
                op_arg_gbl(&uint_sum, 1, "uint", OP_INC), op_arg_gbl(&long_sum, 1, "long", OP_INC),
                op_arg_gbl(&ll_sum, 1, "ll", OP_INC), op_arg_gbl(&ull_sum, 1, "ull", OP_INC));
    printf("= types %.9g %d %u %ld %lld %llu\n", (double)float_sum, int_sum, uint_sum, long_sum,
           ll_sum, ull_sum);

    op_dat p_kind = op_decl_dat(edges, 1, "int", (int *)NULL, "kind");
    op_par_loop(number, "kinds", edges, op_arg_idx(-1, OP_ID), op_arg_idx(0, pedge),
                op_arg_dat(p_number, -1, OP_ID, 2, "int", OP_WRITE),
                op_arg_gbl(&numbers, 1, "int", OP_INC));
    op_par_loop(choose, "choose", edges, op_arg_dat(p_kind, -1, OP_ID, 1, "int", OP_READ),
                op_arg_dat(p_x, 0, pedge, 2, "double", OP_READ),
                op_arg_dat(p_z, 1, pedge, 2, "double", OP_INC));
    show("choose", p_z);

    LOOP_NAMES(p_x, p_z);
    show("names", p_z);

    op_par_loop(scaled, "scaled", cells, op_arg_dat(p_centre, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(p_centre, -1, OP_ID, 1, "double", OP_WRITE));
    show("scaled", p_centre);

    /* A loop over an empty set leaves everything as it is. */
    op_par_loop(maybe, "empty", nothing, op_arg_gbl(&int_sum, 1, "int", OP_READ),
                op_arg_dat(p_none, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(p_z, 0, pnothing, 2, "double", OP_INC));
    show("empty", p_z);

    op_timing_output();
    op_exit();
    return 0;
}
