/* hydra.c: the edge loops of examples/hydra over a small box; --table: also which variant ran each.
 */
#include <string.h>

#include "../../examples/hydra/accu.h"
#include "../../examples/hydra/gradients.h"
#include "../../examples/hydra/iflux.h"
#include "../../examples/hydra/vflux.h"
#include "mesh.h"

enum { N = 4 };

static op_dat flag_dat(op_set set, int low, int high, const char *name)
{
    int *value = malloc(sizeof(int) * (size_t)set->size);
    for (int i = 0; i < set->size; i++) {
        value[i] = low + i * 7 % (high - low + 1);
    }
    op_dat dat = op_decl_dat(set, 1, "int", value, name);
    free(value);
    return dat;
}

static double coordinate(int v, int d)
{
    static const int step[3] = {1, N + 1, (N + 1) * (N + 1)};
    return 0.25 * (v / step[d] % (N + 1)) + 0.03 * sin(1.7 * v + d);
}

/* Conserved variables that make sense: density near 1, small velocities, pressure near 1/1.4. */
static double state(int v, int k)
{
    static const double base[NVAR] = {1.0, 0.5, 0.1, -0.2, 2.0, 1e-3};
    static const double swing[NVAR] = {0.1, 0.1, 0.1, 0.1, 0.1, 5e-4};
    return field(v, k, base[k], swing[k]);
}

static op_dat made_dat(op_set set, int dim, double (*make)(int, int), const char *name)
{
    double *value = malloc(sizeof(double) * (size_t)(set->size * dim));
    for (int i = 0; i < set->size * dim; i++) {
        value[i] = make(i / dim, i % dim);
    }
    op_dat dat = op_decl_dat(set, dim, "double", value, name);
    free(value);
    return dat;
}

int main(int argc, char **argv)
{
    op_init(argc, argv, 1);
    int *row = malloc(sizeof(int) * 2 * (size_t)box_edges(N, NULL));
    op_set vertices = op_decl_set(box_vertices(N), "vertices");
    op_set edges = op_decl_set(box_edges(N, row), "edges");
    op_map e2v = op_decl_map(edges, vertices, 2, row, "e2v");
    free(row);
    op_dat x = made_dat(vertices, 3, coordinate, "x");
    op_dat q = made_dat(vertices, NVAR, state, "q");
    op_dat w = field_dat(vertices, 6, 0.7, 0.1, "w");
    op_dat vol = field_dat(vertices, 1, 0.015, 0.003, "vol");
    op_dat pc = field_dat(vertices, 2, 0.8, 0.1, "pc");
    op_dat th = field_dat(vertices, 6, 2.5, 0.2, "th");
    op_dat mu = field_dat(vertices, 5, 0.4, 0.3, "mu");
    op_dat S = field_dat(edges, 3, 0.02, 0.01, "S");
    op_dat flag = flag_dat(vertices, 0, 3, "flag");
    op_dat deg = flag_dat(vertices, 7, 14, "deg");
    op_dat grad = zero_dat(vertices, 18, "grad");
    op_dat lap = zero_dat(vertices, 6, "lap");
    op_dat res = zero_dat(vertices, 6, "res");
    op_dat rvis = zero_dat(vertices, 6, "rvis");
    op_dat B = zero_dat(vertices, 25, "B");
    op_dat t = zero_dat(vertices, 1, "t");

    op_par_loop(
        edgecon, "edgecon", edges, op_arg_dat(x, 0, e2v, 3, "double", OP_READ),
        op_arg_dat(x, 1, e2v, 3, "double", OP_READ), op_arg_dat(q, 0, e2v, 6, "double", OP_READ),
        op_arg_dat(q, 1, e2v, 6, "double", OP_READ), op_arg_dat(grad, 0, e2v, 18, "double", OP_INC),
        op_arg_dat(grad, 1, e2v, 18, "double", OP_INC),
        op_arg_dat(lap, 0, e2v, 6, "double", OP_INC), op_arg_dat(lap, 1, e2v, 6, "double", OP_INC),
        op_arg_dat(S, -1, OP_ID, 3, "double", OP_READ));

    op_par_loop(
        iflux, "iflux", edges, op_arg_dat(q, 0, e2v, 6, "double", OP_READ),
        op_arg_dat(q, 1, e2v, 6, "double", OP_READ), op_arg_dat(lap, 0, e2v, 6, "double", OP_READ),
        op_arg_dat(lap, 1, e2v, 6, "double", OP_READ), op_arg_dat(pc, 0, e2v, 2, "double", OP_READ),
        op_arg_dat(pc, 1, e2v, 2, "double", OP_READ), op_arg_dat(flag, 0, e2v, 1, "int", OP_READ),
        op_arg_dat(flag, 1, e2v, 1, "int", OP_READ), op_arg_dat(res, 0, e2v, 6, "double", OP_INC),
        op_arg_dat(res, 1, e2v, 6, "double", OP_INC),
        op_arg_dat(S, -1, OP_ID, 3, "double", OP_READ));

    op_par_loop(
        vflux, "vflux", edges, op_arg_dat(x, 0, e2v, 3, "double", OP_READ),
        op_arg_dat(x, 1, e2v, 3, "double", OP_READ), op_arg_dat(q, 0, e2v, 6, "double", OP_READ),
        op_arg_dat(q, 1, e2v, 6, "double", OP_READ), op_arg_dat(w, 0, e2v, 6, "double", OP_READ),
        op_arg_dat(w, 1, e2v, 6, "double", OP_READ),
        op_arg_dat(grad, 0, e2v, 18, "double", OP_READ),
        op_arg_dat(grad, 1, e2v, 18, "double", OP_READ),
        op_arg_dat(lap, 0, e2v, 6, "double", OP_READ),
        op_arg_dat(lap, 1, e2v, 6, "double", OP_READ), op_arg_dat(mu, 0, e2v, 5, "double", OP_READ),
        op_arg_dat(mu, 1, e2v, 5, "double", OP_READ), op_arg_dat(flag, 0, e2v, 1, "int", OP_READ),
        op_arg_dat(flag, 1, e2v, 1, "int", OP_READ), op_arg_dat(rvis, 0, e2v, 6, "double", OP_INC),
        op_arg_dat(rvis, 1, e2v, 6, "double", OP_INC),
        op_arg_dat(S, -1, OP_ID, 3, "double", OP_READ));

    op_par_loop(
        accu, "accu", edges, op_arg_dat(x, 0, e2v, 3, "double", OP_READ),
        op_arg_dat(x, 1, e2v, 3, "double", OP_READ), op_arg_dat(vol, 0, e2v, 1, "double", OP_READ),
        op_arg_dat(vol, 1, e2v, 1, "double", OP_READ), op_arg_dat(q, 0, e2v, 6, "double", OP_READ),
        op_arg_dat(q, 1, e2v, 6, "double", OP_READ), op_arg_dat(th, 0, e2v, 6, "double", OP_READ),
        op_arg_dat(th, 1, e2v, 6, "double", OP_READ), op_arg_dat(deg, 0, e2v, 1, "int", OP_READ),
        op_arg_dat(deg, 1, e2v, 1, "int", OP_READ), op_arg_dat(B, 0, e2v, 25, "double", OP_INC),
        op_arg_dat(B, 1, e2v, 25, "double", OP_INC), op_arg_dat(t, 0, e2v, 1, "double", OP_INC),
        op_arg_dat(t, 1, e2v, 1, "double", OP_INC));

    print_dat(grad);
    print_dat(lap);
    print_dat(res);
    print_dat(rvis);
    print_dat(B);
    print_dat(t);
    if (argc > 1 && strcmp(argv[1], "--table") == 0) {
        op_timing_output();
    }
    op_exit();
    return 0;
}
