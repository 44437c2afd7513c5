/* volna.c: the loop of the example volna that increments cells, on a map of random cells: each side
 * of an edge has its own source term and area; a boundary edge names one cell twice and adds to it
 * once.
 */
#include "mesh.h"

#include "../../examples/volna/space_discretization.h"

enum { CELLS = 60, EDGES = 95 };

static op_dat float_dat(op_set set, int dim, double base, double swing, const char *name)
{
    float *value = malloc(sizeof(float) * (size_t)(set->size * dim));
    for (int i = 0; i < set->size * dim; i++) {
        value[i] = (float)field(i / dim, i % dim, base, swing);
    }
    op_dat dat = op_decl_dat(set, dim, "float", value, name);
    free(value);
    return dat;
}

int main(int argc, char **argv)
{
    int row[2 * EDGES];
    int boundary[EDGES];
    float got[4 * CELLS];
    double value[4 * CELLS];
    op_init(argc, argv, 1);
    for (int e = 0; e < EDGES; e++) {
        boundary[e] = e % 9 == 4;
        row[2 * e] = e * 7 % CELLS;
        row[2 * e + 1] = boundary[e] ? row[2 * e] : (e * 7 + 1 + e % 3) % CELLS;
    }
    op_set cells = op_decl_set(CELLS, "cells");
    op_set edges = op_decl_set(EDGES, "edges");
    op_map edgesToCells = op_decl_map(edges, cells, 2, row, "edgesToCells");
    op_dat edgeFluxes = float_dat(edges, 3, 0.5, 2.0, "edgeFluxes");
    op_dat bathySource = float_dat(edges, 4, 1.0, 0.5, "bathySource");
    op_dat edgeNormals = float_dat(edges, 2, 0.0, 1.0, "edgeNormals");
    op_dat isBoundary = op_decl_dat(edges, 1, "int", boundary, "isBoundary");
    op_dat cellVolumes = float_dat(cells, 1, 2.0, 0.4, "cellVolumes");
    op_dat out = float_dat(cells, 4, 0.0, 0.0, "out");

    op_par_loop(space_discretization, "space_discretization", edges,
                op_arg_dat(out, 0, edgesToCells, 4, "float", OP_INC),
                op_arg_dat(out, 1, edgesToCells, 4, "float", OP_INC),
                op_arg_dat(edgeFluxes, -1, OP_ID, 3, "float", OP_READ),
                op_arg_dat(bathySource, -1, OP_ID, 4, "float", OP_READ),
                op_arg_dat(edgeNormals, -1, OP_ID, 2, "float", OP_READ),
                op_arg_dat(isBoundary, -1, OP_ID, 1, "int", OP_READ),
                op_arg_dat(cellVolumes, 0, edgesToCells, 1, "float", OP_READ),
                op_arg_dat(cellVolumes, 1, edgesToCells, 1, "float", OP_READ));
    op_fetch_data(out, got);
    for (int i = 0; i < 4 * CELLS; i++) {
        value[i] = got[i];
    }
    print_sums("out", value, CELLS, 4);
    op_exit();
    return 0;
}
