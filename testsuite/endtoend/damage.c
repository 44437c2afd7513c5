/* damage.c MESH: loops over meshes that no colouring, no blocks and no lists like: a hub in all
 * elements, elements that name one point twice, points that nothing names, one point per element,
 * one element, nothing. Prints the sums of all points; damage.sh compares them with the sequential
 * reference. MESH "outside" names a point that does not exist. */
#include "op_seq.h"

#include "damage.h"

#define HUB_ELEMENTS 100000

static int elements;
static int points;
static int *ends;
static int *self;

static void new_mesh(int with_elements, int with_points)
{
    elements = with_elements;
    points = with_points;
    ends = (int *)calloc(2 * (size_t)elements + 1, sizeof(int));
    self = (int *)calloc((size_t)elements + 1, sizeof(int));
    for (int e = 0; e < elements; e++) {
        self[e] = (int)((long long)e * 7919 % elements); /* any order but the natural one */
    }
}

static void make_mesh(const char *mesh)
{
    if (strcmp(mesh, "hub") == 0) { /* point 0 in all elements, and 5,000 points in none */
        new_mesh(HUB_ELEMENTS, HUB_ELEMENTS + 5001);
        for (int e = 0; e < elements; e++) {
            ends[2 * e + e % 2] = 0;
            ends[2 * e + 1 - e % 2] = 1 + self[e];
        }
    } else if (strcmp(mesh, "hubs") == 0) { /* three points for everybody, often one twice */
        new_mesh(3000, 3);
        for (int e = 0; e < 2 * elements; e++) {
            ends[e] = e * (e % 3 + 1) % 3;
        }
    } else if (strcmp(mesh, "apart") == 0) { /* no two elements share a point */
        new_mesh(10000, 60000);
        for (int e = 0; e < elements; e++) {
            ends[2 * e] = ends[2 * e + 1] = 5 * self[e] + 3;
        }
    } else if (strcmp(mesh, "one") == 0) {
        new_mesh(1, 1);
    } else if (strcmp(mesh, "empty") == 0) {
        new_mesh(0, 9);
    } else if (strcmp(mesh, "nothing") == 0) {
        new_mesh(0, 0);
    } else {
        new_mesh(50, 50);
        ends[77] = 50;
    }
}

static void run_loops(op_set edges, op_set nodes, op_map both, op_map first, op_dat x, op_dat sum)
{
    for (int step = 0; step < 2; step++) {
        op_par_loop(pull, "pull", edges, op_arg_idx(-1, OP_ID),
                    op_arg_dat(x, 0, both, 2, "double", OP_READ),
                    op_arg_dat(x, 1, both, 2, "double", OP_READ),
                    op_arg_dat(sum, 0, both, 2, "double", OP_INC),
                    op_arg_dat(sum, 1, both, 2, "double", OP_INC));
        op_par_loop(touch, "touch", edges, op_arg_dat(x, 0, first, 2, "double", OP_READ),
                    op_arg_dat(sum, 0, first, 2, "double", OP_INC));
        op_par_loop(last, "last", nodes, op_arg_idx(-1, OP_ID),
                    op_arg_dat(sum, -1, OP_ID, 2, "double", OP_RW));
    }
}

int main(int argc, char **argv)
{
    make_mesh(argc > 1 ? argv[1] : "hub");
    op_init(argc, argv, 0);
    double *at = (double *)calloc(2 * (size_t)points + 1, sizeof(double));
    int *one = (int *)calloc((size_t)elements + 1, sizeof(int));
    for (int p = 0; p < 2 * points; p++) {
        at[p] = p % 11;
    }
    for (int e = 0; e < elements; e++) {
        one[e] = ends[2 * e];
    }
    op_set edges = op_decl_set(elements, "edges");
    op_set nodes = op_decl_set(points, "nodes");
    op_map both = op_decl_map(edges, nodes, 2, ends, "both");
    op_map first = op_decl_map(edges, nodes, 1, one, "first");
    op_dat x = op_decl_dat(nodes, 2, "double", at, "x");
    op_dat sum = op_decl_dat(nodes, 2, "double", (double *)NULL, "sum");
    run_loops(edges, nodes, both, first, x, sum);
    op_print_dat_to_txtfile(sum, "sum.txt");
    if (getenv("DAMAGE_DIAGNOSTICS") != NULL) {
        op_diagnostic_output();
    }
    op_exit();
    free(at);
    free(one);
    free(ends);
    free(self);
    return 0;
}
