/* joins.c: a group whose kernel has so many blocks, of 32 points each, that several blocks join
 * what they reduce. All values are whole numbers, so every order of a sum gives the same. The nodes
 * form a ring; node n adds to its sum where it is, and what it gets from its edge.
 */
#include "op_seq.h"

#include <stdio.h>
#include <stdlib.h>

enum { NODES = 270011, STEPS = 3, MANY = 9 };

static void flux(const double *weight, const double *u, double *du)
{
    *du += *weight * *u;
}

/* The first steps and the last elements give the extrema. */
static void update(double *du, double *u, double *sum, double *most, int *least, double *many)
{
    const double change = *du;
    *u = (double)((long)(*u + change) % 1009);
    *du = 0.0;
    sum[0] += *u;
    sum[1] += 1.0;
    *most = *most > change ? *most : change;
    *least = *least < (int)*u - 500 ? *least : (int)*u - 500;
    for (int n = 0; n < MANY; n++) {
        many[n] += *u + n;
    }
}

int main(int argc, char **argv)
{
    int *next = malloc(NODES * sizeof *next);
    double *weight = malloc(NODES * sizeof *weight), *value = malloc(NODES * sizeof *value);
    for (int n = 0; n < NODES; n++) {
        next[n] = (n + 1) % NODES;
        weight[n] = 1 + n % 13;
        value[n] = n % 1009;
    }
    op_init(argc, argv, 0);
    op_set nodes = op_decl_set(NODES, "nodes"), edges = op_decl_set(NODES, "edges");
    op_map to = op_decl_map(edges, nodes, 1, next, "to");
    op_dat w = op_decl_dat(edges, 1, "double", weight, "w");
    op_dat u = op_decl_dat(nodes, 1, "double", value, "u");
    op_dat du = op_decl_dat_temp(nodes, 1, "double", NULL, "du");
    for (int step = 0; step < STEPS; step++) {
        double sum[2] = {0.0, 0.0}, most = 0.0, many[MANY] = {0.0};
        int least = 0;
        op_par_loop(flux, "flux", edges, op_arg_dat(w, -1, OP_ID, 1, "double", OP_READ),
                    op_arg_dat(u, 0, to, 1, "double", OP_READ),
                    op_arg_dat(du, 0, to, 1, "double", OP_INC));
        op_par_loop(update, "update", nodes, op_arg_dat(du, -1, OP_ID, 1, "double", OP_RW),
                    op_arg_dat(u, -1, OP_ID, 1, "double", OP_RW),
                    op_arg_gbl(sum, 2, "double", OP_INC), op_arg_gbl(&most, 1, "double", OP_MAX),
                    op_arg_gbl(&least, 1, "int", OP_MIN), op_arg_gbl(many, MANY, "double", OP_INC));
        op_printf("%.17g %.17g %.17g %d %.17g %.17g\n", sum[0], sum[1], most, least, many[0],
                  many[MANY - 1]);
    }
    op_exit();
    free(next);
    free(weight);
    free(value);
    return 0;
}
