/* sides.c: loops over edges whose sides are alike, or not quite (splitter/graph/sides.h). All
 * values and sums are exact, so that it shows in no bit which sides a point took for which. Edges
 * name one cell twice, and their ends in any order. Prints what the cells hold.
 */
#include "op_seq.h"

#include <stdio.h>

enum { NODES = 90, CELLS = 150, EDGES = 400 };

/* What one side loses the other gets; the terms stand in another order from there. */
static inline void flux(const double *x1, const double *x2, const double *q1, const double *q2,
                        double *res1, double *res2)
{
    const double d = x1[0] - x2[0];
    const double v1 = d / q1[0];
    const double v2 = d / q2[0];
    for (int n = 0; n < 2; n++) {
        const double f = 0.5 * (v1 * q1[1 + n] + q1[0] * d + v2 * q2[1 + n] + q2[0] * d) +
                         0.25 * (x1[1] + x2[1]) * (q1[n] - q2[n]);
        res1[n] += f;
        res2[n] -= f;
    }
}

/* Each side gets a value of its own, from ends that stand the other way round in the call, by
 * pointers of a vector. */
static inline void pull(const double **q, const double *x2, const double *x1, const int *weight,
                        double **res)
{
    res[1][0] += *weight * (q[0][1] * x1[1] - q[1][2] * x2[0]);
    res[0][0] += *weight * (q[1][1] * x2[1] - q[0][2] * x1[0]);
    res[0][1] += x1[0] + x2[0];
    res[1][1] += x1[0] + x2[0];
}

/* One component knows its side. */
static inline void push(const double *q1, const double *q2, double *res1, double *res2)
{
    res1[0] += q1[1] * q2[1];
    res2[0] += q1[1] * q2[1];
    res1[1] += q1[0] - q2[2];
    res2[1] += q2[0] - q1[1];
}

/* Only the second side gets something. */
static inline void give(const double *q1, const double *q2, double *res2)
{
    res2[0] += q1[2] * q2[0];
}

static int number(int below)
{
    static unsigned state = 1;
    state = state * 1664525u + 1013904223u;
    return (int)((state >> 8) % (unsigned)below);
}

int main(int argc, char **argv)
{
    static int end[2 * EDGES], side[2 * EDGES], weight[EDGES];
    static double x[2 * NODES], q[3 * CELLS], res[2 * CELLS];
    for (int e = 0; e < EDGES; e++) {
        weight[e] = number(5);
        for (int k = 0; k < 2; k++) {
            end[2 * e + k] = number(NODES);
            side[2 * e + k] = number(CELLS - 8);
        }
    }
    for (int i = 0; i < 2 * NODES; i++) {
        x[i] = number(16) - 8;
    }
    for (int i = 0; i < 3 * CELLS; i++) {
        q[i] = i % 3 == 0 ? 1 << number(3) : number(32) - 16;
    }
    op_init(argc, argv, 0);
    op_set nodes = op_decl_set(NODES, "nodes"), cells = op_decl_set(CELLS, "cells"),
           edges = op_decl_set(EDGES, "edges");
    op_map ends = op_decl_map(edges, nodes, 2, end, "ends"),
           sides = op_decl_map(edges, cells, 2, side, "sides");
    op_dat p_x = op_decl_dat(nodes, 2, "double", x, "x"),
           p_q = op_decl_dat(cells, 3, "double", q, "q"),
           p_res = op_decl_dat(cells, 2, "double", res, "res"),
           p_weight = op_decl_dat(edges, 1, "int", weight, "weight");
    op_par_loop(flux, "flux", edges, op_arg_dat(p_x, 0, ends, 2, "double", OP_READ),
                op_arg_dat(p_x, 1, ends, 2, "double", OP_READ),
                op_arg_dat(p_q, 0, sides, 3, "double", OP_READ),
                op_arg_dat(p_q, 1, sides, 3, "double", OP_READ),
                op_arg_dat(p_res, 0, sides, 2, "double", OP_INC),
                op_arg_dat(p_res, 1, sides, 2, "double", OP_INC));
    op_par_loop(pull, "pull", edges, op_arg_dat(p_q, -2, sides, 3, "double", OP_READ),
                op_arg_dat(p_x, 1, ends, 2, "double", OP_READ),
                op_arg_dat(p_x, 0, ends, 2, "double", OP_READ),
                op_arg_dat(p_weight, -1, OP_ID, 1, "int", OP_READ),
                op_arg_dat(p_res, -2, sides, 2, "double", OP_INC));
    op_par_loop(push, "push", edges, op_arg_dat(p_q, 0, sides, 3, "double", OP_READ),
                op_arg_dat(p_q, 1, sides, 3, "double", OP_READ),
                op_arg_dat(p_res, 0, sides, 2, "double", OP_INC),
                op_arg_dat(p_res, 1, sides, 2, "double", OP_INC));
    op_par_loop(give, "give", edges, op_arg_dat(p_q, 0, sides, 3, "double", OP_READ),
                op_arg_dat(p_q, 1, sides, 3, "double", OP_READ),
                op_arg_dat(p_res, 1, sides, 2, "double", OP_INC));
    op_fetch_data(p_res, res);
    for (int c = 0; c < CELLS; c++) {
        printf("%a %a\n", res[2 * c], res[2 * c + 1]);
    }
    op_exit();
}
