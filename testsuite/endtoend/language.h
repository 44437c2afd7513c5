/* language.h: edges, a loop over them and its printed results, for the programs of language.sh. */
#ifndef CLEAVE_LANGUAGE_H
#define CLEAVE_LANGUAGE_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "op_seq.h"

enum { EDGES = 400, NODES = 150 };

static op_set edges, nodes;
static op_map ends;
static op_dat p_x, p_y, p_kind;

static void make_mesh(void)
{
    int *row = (int *)malloc(sizeof(int) * 2 * EDGES);
    int *kind = (int *)malloc(sizeof(int) * EDGES);
    double *x = (double *)malloc(sizeof(double) * 4 * NODES);

    for (int e = 0; e < EDGES; e++) {
        row[2 * e] = e * 7 % NODES;
        row[2 * e + 1] = (e * 7 + 1 + e % 5) % NODES;
        kind[e] = e * 5 % 11;
    }
    for (int i = 0; i < 4 * NODES; i++) {
        x[i] = (i * 37 % 64 - 31) / 8.0;
    }
    edges = op_decl_set(EDGES, "edges");
    nodes = op_decl_set(NODES, "nodes");
    ends = op_decl_map(edges, nodes, 2, row, "ends");
    p_x = op_decl_dat(nodes, 4, "double", x, "x");
    p_y = op_decl_dat(nodes, 4, "double", (double *)NULL, "y");
    p_kind = op_decl_dat(edges, 1, "int", kind, "kind");
    free(row);
    free(kind);
    free(x);
}

static void show(const char *name)
{
    double value[4 * NODES];
    double sum = 0.0;

    op_fetch_data(p_y, value);
    for (int i = 0; i < 4 * NODES; i++) {
        sum += value[i] * (1 + i % 13);
    }
    printf("= %s %.10e\n", name, sum);
}

#define LOOP(kernel)                                                                               \
    op_par_loop(kernel, #kernel, edges, op_arg_dat(p_kind, -1, OP_ID, 1, "int", OP_READ),          \
                op_arg_dat(p_x, 0, ends, 4, "double", OP_READ),                                    \
                op_arg_dat(p_x, 1, ends, 4, "double", OP_READ),                                    \
                op_arg_dat(p_y, 0, ends, 4, "double", OP_INC),                                     \
                op_arg_dat(p_y, 1, ends, 4, "double", OP_INC));                                    \
    show(#kernel)

#define KERNEL(name)                                                                               \
    static void name(const int *k, const double *a, const double *b, double *p, double *q)

#endif
