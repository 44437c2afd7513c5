/* mesh.h: the small meshes of the kernel programs, and their output.
 *
 * A box of n*n*n cubes, each cut into six tetrahedra along its diagonal (Kuhn): its edges go from
 * each vertex in seven directions. Squares of n*n quadrilaterals with the edges between them.
 * Values are smooth functions of the numbers, so that every program prints the same everywhere.
 */
#ifndef CLEAVE_KERNELS_MESH_H
#define CLEAVE_KERNELS_MESH_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "op_seq.h"

static inline int box_vertices(int n)
{
    return (n + 1) * (n + 1) * (n + 1);
}

/* Fills e2v[2*edges] when it is not NULL; returns the number of edges. */
static inline int box_edges(int n, int *e2v)
{
    static const int way[7][3] = {{1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0, 0, 1},
                                  {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
    int edges = 0;
    for (int v = 0; v < box_vertices(n); v++) {
        int at[3] = {v % (n + 1), v / (n + 1) % (n + 1), v / (n + 1) / (n + 1)};
        for (int w = 0; w < 7; w++) {
            int to[3] = {at[0] + way[w][0], at[1] + way[w][1], at[2] + way[w][2]};
            if (to[0] > n || to[1] > n || to[2] > n) {
                continue;
            }
            if (e2v != NULL) {
                e2v[2 * edges] = v;
                e2v[2 * edges + 1] = to[0] + (n + 1) * (to[1] + (n + 1) * to[2]);
            }
            edges++;
        }
    }
    return edges;
}

/* A smooth value in [base - swing, base + swing]. */
static inline double field(int number, int component, double base, double swing)
{
    return base + swing * sin(0.7 * number + 1.3 * component + 0.2 * number * component);
}

static inline double *field_array(int size, int dim, double base, double swing)
{
    double *value = (double *)malloc(sizeof(double) * (size_t)(size * dim + 1));
    for (int i = 0; i < size; i++) {
        for (int d = 0; d < dim; d++) {
            value[i * dim + d] = field(i, d, base, swing);
        }
    }
    return value;
}

static inline op_dat field_dat(op_set set, int dim, double base, double swing, const char *name)
{
    double *value = field_array(set->size, dim, base, swing);
    op_dat dat = op_decl_dat(set, dim, "double", value, name);
    free(value);
    return dat;
}

static inline op_dat zero_dat(op_set set, int dim, const char *name)
{
    return op_decl_dat(set, dim, "double", (double *)NULL, name);
}

/* The dat's sum, its sum weighted with position and component, so that a value in a wrong place
 * shows, and the sum of magnitudes, against which a difference of the others is measured. */
static inline void print_sums(const char *name, const double *value, int size, int dim)
{
    double sum = 0.0;
    double weighted = 0.0;
    double magnitude = 0.0;
    for (int i = 0; i < size * dim; i++) {
        sum += value[i];
        weighted += value[i] * (1.0 + 0.01 * (i % 97));
        magnitude += fabs(value[i]);
    }
    printf("%s %.15e %.15e %.15e\n", name, sum, weighted, magnitude);
}

static inline void print_dat(op_dat dat)
{
    double *value = (double *)malloc(sizeof(double) * (size_t)(dat->set->size * dat->dim + 1));
    op_fetch_data(dat, value);
    print_sums(dat->name, value, dat->set->size, dat->dim);
    free(value);
}

#endif
