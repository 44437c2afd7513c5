/* inplace.c: loops over hexahedra that read and write their corners in place (OP_RW through a map), which only
 * colours can run in parallel: a light body, and one that computes much before it writes.
 *
 *   inplace [S [CALLS]]   (default: 5 3; S*S*S hexahedra)
 *
 * Prints a checksum, and with CALLS of 10 and more op_timing_output's table. Results do not depend on the order
 * of the elements, since both keep the largest of the values that they see.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "op_seq.h"

static inline void raise_to(const double *value, const double **x, double **top)
{
    for (int n = 0; n < 8; n++) {
        for (int k = 0; k < 3; k++) {
            if (top[n][k] < value[0] * x[n][k]) {
                top[n][k] = value[0] * x[n][k];
            }
        }
    }
}

static inline void raise_far(const double *value, const double **x, double **top)
{
    double mean[3] = {0.0, 0.0, 0.0}, spread = 0.0;
    for (int n = 0; n < 8; n++) {
        for (int k = 0; k < 3; k++) {
            mean[k] += 0.125 * x[n][k];
        }
    }
    for (int n = 0; n < 8; n++) {
        double square = 0.0;
        for (int k = 0; k < 3; k++) {
            square += (x[n][k] - mean[k]) * (x[n][k] - mean[k]);
        }
        spread += cbrt(square + value[0]) / sqrt(1.0 + square);
    }
    for (int n = 0; n < 8; n++) {
        for (int k = 0; k < 3; k++) {
            const double limit = spread * mean[k] + x[n][k];
            if (top[n][k] < limit) {
                top[n][k] = limit;
            }
        }
    }
}

/* Over edges: two points, no more. */
static inline void raise_ends(const double *value, const double **x, double **top)
{
    for (int n = 0; n < 2; n++) {
        for (int k = 0; k < 3; k++) {
            const double limit = value[0] * (x[0][k] + x[1][k]);
            if (top[n][k] < limit) {
                top[n][k] = limit;
            }
        }
    }
}

static double random_value(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) / 16777216.0;
}

static op_dat random_dat(op_set set, int dim, const char *name)
{
    unsigned state = 12345u + (unsigned)dim;
    const size_t count = (size_t)op_get_size(set) * (size_t)dim;
    double *value = malloc((count + 1) * sizeof *value);
    for (size_t i = 0; value != NULL && i < count; i++) {
        value[i] = random_value(&state);
    }
    op_dat dat = op_decl_dat(set, dim, "double", value, name);
    free(value);
    return dat;
}

static op_map hexahedra(op_set elems, op_set nodes, int side)
{
    int *row = malloc((8 * (size_t)op_get_size(elems) + 1) * sizeof *row);
    for (int e = 0; row != NULL && e < op_get_size(elems); e++) {
        const int i = e % side, j = e / side % side, k = e / side / side;
        for (int n = 0; n < 8; n++) {
            row[8 * e + n] = i + (n & 1) + (side + 1) * (j + (n >> 1 & 1) + (side + 1) * (k + (n >> 2)));
        }
    }
    op_map map = op_decl_map(elems, nodes, 8, row, "corners");
    free(row);
    return map;
}

/* The edges of the hexahedra: from every node to the next one in each direction that has one. */
static int edges_of(int side, int *row)
{
    int edges = 0;
    for (int n = 0; n < (side + 1) * (side + 1) * (side + 1); n++) {
        const int at[3] = {n % (side + 1), n / (side + 1) % (side + 1), n / (side + 1) / (side + 1)};
        const int step[3] = {1, side + 1, (side + 1) * (side + 1)};
        for (int d = 0; d < 3; d++) {
            if (at[d] < side) {
                row[2 * edges] = n;
                row[2 * edges + 1] = n + step[d];
                edges++;
            }
        }
    }
    return edges;
}

int main(int argc, char **argv)
{
    const int side = argc > 1 ? atoi(argv[1]) : 5;
    const int calls = argc > 2 ? atoi(argv[2]) : 3;
    double sum = 0.0;
    if (side < 1 || side > 500 || calls < 1) {
        fprintf(stderr, "usage: inplace [S [CALLS]]; S from 1 to 500\n");
        return 2;
    }
    op_init(argc, argv, 1);
    op_set nodes = op_decl_set((side + 1) * (side + 1) * (side + 1), "nodes");
    op_set elems = op_decl_set(side * side * side, "elems");
    op_map corners = hexahedra(elems, nodes, side);
    int *row = malloc(6 * (size_t)op_get_size(nodes) * sizeof *row);
    if (row == NULL) {
        return 1;
    }
    op_set edges = op_decl_set(edges_of(side, row), "edges");
    op_map ends = op_decl_map(edges, nodes, 2, row, "ends");
    free(row);
    op_dat weight = random_dat(edges, 1, "weight");
    op_dat value = random_dat(elems, 1, "value");
    op_dat x = random_dat(nodes, 3, "x");
    op_dat top = op_decl_dat(nodes, 3, "double", (double *)NULL, "top");
    for (int call = 0; call < calls; call++) {
        op_par_loop(raise_to, "raise_to", elems, op_arg_dat(value, -1, OP_ID, 1, "double", OP_READ),
                    op_arg_dat(x, -8, corners, 3, "double", OP_READ),
                    op_arg_dat(top, -8, corners, 3, "double", OP_RW));
        op_par_loop(raise_far, "raise_far", elems, op_arg_dat(value, -1, OP_ID, 1, "double", OP_READ),
                    op_arg_dat(x, -8, corners, 3, "double", OP_READ),
                    op_arg_dat(top, -8, corners, 3, "double", OP_RW));
        op_par_loop(raise_ends, "raise_ends", edges,
                    op_arg_dat(weight, -1, OP_ID, 1, "double", OP_READ),
                    op_arg_dat(x, -2, ends, 3, "double", OP_READ),
                    op_arg_dat(top, -2, ends, 3, "double", OP_RW));
    }
    double *end = malloc((3 * (size_t)op_get_size(nodes) + 1) * sizeof *end);
    op_fetch_data(top, end);
    for (int i = 0; end != NULL && i < 3 * op_get_size(nodes); i++) {
        sum += end[i] * (1 + i % 7);
    }
    free(end);
    op_printf("top %.16e\n", sum);
    if (calls >= 10) {
        op_timing_output();
    }
    op_exit();
    return 0;
}
