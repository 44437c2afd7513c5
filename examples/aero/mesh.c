/* mesh.c: merges the nodes on the cut of a C-shaped grid, and lists cells and far field. */
#include "mesh.h"

#include <stdlib.h>
#include <string.h>

#include "../common/c_grid.h"
#include "../common/permute.h"
#include "../common/run.h"

void mesh_free(struct mesh *mesh)
{
    free(mesh->x);
    free(mesh->cell);
    free(mesh->bnode);
    mesh->x = NULL;
    mesh->cell = NULL;
    mesh->bnode = NULL;
}

/* The number of grid node (i, j). The first columns + 1 nodes of row 0, below the cut, are left
 * out: the node above the cut at the same place stands for them. */
static int node_number(int i, int j, int columns)
{
    const int dropped = columns + 1;
    return j == 0 && i < dropped ? 2 * columns - 1 - i : i + j * (3 * columns + 1) - dropped;
}

static void generate_cells(struct mesh *mesh, int columns, int rows)
{
    int *corner = mesh->cell;
    for (int j = 0; j < rows; j++) {
        for (int i = 0; i < 3 * columns; i++) {
            *corner++ = node_number(i, j, columns);
            *corner++ = node_number(i + 1, j, columns);
            *corner++ = node_number(i, j + 1, columns);
            *corner++ = node_number(i + 1, j + 1, columns);
        }
    }
}

/* Two sides and the last row, in the order of the nodes. */
static void generate_far_field(struct mesh *mesh, int columns, int rows)
{
    const int last = 3 * columns;
    int *node = mesh->bnode;
    *node++ = node_number(last, 0, columns);
    for (int j = 1; j < rows; j++) {
        *node++ = node_number(0, j, columns);
        *node++ = node_number(last, j, columns);
    }
    for (int i = 0; i <= last; i++) {
        *node++ = node_number(i, rows, columns);
    }
}

void mesh_generate(struct mesh *mesh, int columns, int rows)
{
    const char *refusal = c_grid_refusal(columns, rows);
    if (refusal != NULL) {
        run_refused("aero", "a mesh of 3 x %d x %d cells cannot be made: %s", columns, rows,
                    refusal);
    }
    const int dropped = columns + 1;
    mesh->nnode = (3 * columns + 1) * (rows + 1) - dropped;
    mesh->ncell = 3 * columns * rows;
    mesh->nbnode = 3 * columns + 2 * rows;
    mesh->x = malloc(2 * ((size_t)mesh->nnode + (size_t)dropped) * sizeof *mesh->x);
    mesh->cell = malloc(4 * (size_t)mesh->ncell * sizeof *mesh->cell);
    mesh->bnode = malloc((size_t)mesh->nbnode * sizeof *mesh->bnode);
    if (mesh->x == NULL || mesh->cell == NULL || mesh->bnode == NULL) {
        run_failed("aero", "not enough memory for a mesh of %d cells", mesh->ncell);
    }
    c_grid_nodes(columns, rows, mesh->x);
    memmove(mesh->x, mesh->x + 2 * (size_t)dropped, 2 * (size_t)mesh->nnode * sizeof *mesh->x);
    generate_cells(mesh, columns, rows);
    generate_far_field(mesh, columns, rows);
}

void mesh_shuffle(struct mesh *mesh, int seed)
{
    int *node = permutation_new(mesh->nnode, seed);
    int *cell = permutation_new(mesh->ncell, seed + 1);
    int *bnode = permutation_new(mesh->nbnode, seed + 2);
    permute_rows(mesh->x, mesh->nnode, 2 * sizeof *mesh->x, node);
    permute_rows(mesh->cell, mesh->ncell, 4 * sizeof *mesh->cell, cell);
    permute_rows(mesh->bnode, mesh->nbnode, sizeof *mesh->bnode, bnode);
    permute_entries(mesh->cell, 4 * (size_t)mesh->ncell, node);
    permute_entries(mesh->bnode, (size_t)mesh->nbnode, node);
    free(node);
    free(cell);
    free(bnode);
}
