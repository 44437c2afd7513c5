/* mesh.c: makes cells and edges of the C-shaped grid round the NACA 0012 aerofoil
 * (../common/c_grid.h), and shuffles a mesh. The edges on the cut join the cells of both sides.
 * Valid C and C++, like mesh_file.c and setup.c, so that both programs can be built from it.
 */
#include "mesh.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/c_grid.h"
#include "../common/permute.h"

int mesh_allocate(struct mesh *mesh)
{
    mesh->x = (double *)malloc(sizeof(double) * 2 * (size_t)mesh->nnode);
    mesh->cell = (int *)malloc(sizeof(int) * 4 * (size_t)mesh->ncell);
    mesh->edge = (int *)malloc(sizeof(int) * 2 * (size_t)mesh->nedge);
    mesh->ecell = (int *)malloc(sizeof(int) * 2 * (size_t)mesh->nedge);
    mesh->bedge = (int *)malloc(sizeof(int) * 2 * (size_t)mesh->nbedge);
    mesh->becell = (int *)malloc(sizeof(int) * (size_t)mesh->nbedge);
    mesh->bound = (int *)malloc(sizeof(int) * (size_t)mesh->nbedge);
    if (mesh->x && mesh->cell && mesh->edge && mesh->ecell && mesh->bedge && mesh->becell &&
        mesh->bound) {
        return 0;
    }
    fprintf(stderr, "airfoil: not enough memory for a mesh of %d cells\n", mesh->ncell);
    mesh_free(mesh);
    return -1;
}

void mesh_free(struct mesh *mesh)
{
    free(mesh->x);
    free(mesh->cell);
    free(mesh->edge);
    free(mesh->ecell);
    free(mesh->bedge);
    free(mesh->becell);
    free(mesh->bound);
    mesh->x = NULL;
    mesh->cell = mesh->edge = mesh->ecell = mesh->bedge = mesh->becell = mesh->bound = NULL;
}

static void generate_cells(struct mesh *mesh, int columns, int rows)
{
    const int across = 3 * columns + 1;
    int *corner = mesh->cell;
    for (int j = 0; j < rows; j++) {
        for (int i = 0; i < 3 * columns; i++) {
            const int first = i + j * across;
            *corner++ = first;
            *corner++ = first + 1;
            *corner++ = first + 1 + across;
            *corner++ = first + across;
        }
    }
}

static void add_edge(struct mesh *mesh, int node1, int node2, int cell1, int cell2)
{
    const size_t e = (size_t)mesh->nedge++;
    mesh->edge[2 * e] = node1;
    mesh->edge[2 * e + 1] = node2;
    mesh->ecell[2 * e] = cell1;
    mesh->ecell[2 * e + 1] = cell2;
}

static void add_boundary(struct mesh *mesh, int node1, int node2, int cell, int kind)
{
    const size_t b = (size_t)mesh->nbedge++;
    mesh->bedge[2 * b] = node1;
    mesh->bedge[2 * b + 1] = node2;
    mesh->becell[b] = cell;
    mesh->bound[b] = kind;
}

/* For each cell: its edge on the cut (left half), to the cell above, to the cell on the right. */
static void generate_edges(struct mesh *mesh, int columns, int rows)
{
    const int wide = 3 * columns;
    const int across = wide + 1;
    mesh->nedge = 0;
    for (int j = 0; j < rows; j++) {
        for (int i = 0; i < wide; i++) {
            const int cell = i + j * wide;
            const int node = i + j * across;
            if (j == 0 && i < columns) {
                add_edge(mesh, node, node + 1, wide - 1 - i, cell);
            }
            if (j < rows - 1) {
                add_edge(mesh, node + across, node + across + 1, cell, cell + wide);
            }
            if (i < wide - 1) {
                add_edge(mesh, node + 1, node + 1 + across, cell + 1, cell);
            }
        }
    }
}

static void generate_boundary(struct mesh *mesh, int columns, int rows)
{
    const int wide = 3 * columns;
    const int across = wide + 1;
    mesh->nbedge = 0;
    for (int i = columns; i < 2 * columns; i++) {
        add_boundary(mesh, i + 1, i, i, BOUND_WALL);
    }
    for (int j = 0; j < rows; j++) {
        const int node = wide + j * across;
        add_boundary(mesh, node + across, node, wide - 1 + j * wide, BOUND_FAR_FIELD);
    }
    for (int i = wide - 1; i >= 0; i--) {
        const int node = i + rows * across;
        add_boundary(mesh, node, node + 1, i + (rows - 1) * wide, BOUND_FAR_FIELD);
    }
    for (int j = rows - 1; j >= 0; j--) {
        const int node = j * across;
        add_boundary(mesh, node, node + across, j * wide, BOUND_FAR_FIELD);
    }
}

int mesh_generate(struct mesh *mesh, int columns, int rows)
{
    memset(mesh, 0, sizeof *mesh);
    const char *refusal = c_grid_refusal(columns, rows);
    if (refusal != NULL) {
        fprintf(stderr, "airfoil: a mesh of 3 x %d x %d cells cannot be made: %s\n", columns, rows,
                refusal);
        return -1;
    }
    mesh->nnode = (3 * columns + 1) * (rows + 1);
    mesh->ncell = 3 * columns * rows;
    mesh->nedge = (3 * columns - 1) * rows + 3 * columns * (rows - 1) + columns;
    mesh->nbedge = 4 * columns + 2 * rows;
    if (mesh_allocate(mesh) != 0) {
        return -1;
    }
    c_grid_nodes(columns, rows, mesh->x);
    generate_cells(mesh, columns, rows);
    generate_edges(mesh, columns, rows);
    generate_boundary(mesh, columns, rows);
    return 0;
}

void mesh_shuffle(struct mesh *mesh, int seed)
{
    int *node = permutation_new(mesh->nnode, seed);
    int *cell = permutation_new(mesh->ncell, seed + 1);
    int *edge = permutation_new(mesh->nedge, seed + 2);
    int *bedge = permutation_new(mesh->nbedge, seed + 3);
    permute_rows(mesh->x, mesh->nnode, 2 * sizeof(double), node);
    permute_rows(mesh->cell, mesh->ncell, 4 * sizeof(int), cell);
    permute_rows(mesh->edge, mesh->nedge, 2 * sizeof(int), edge);
    permute_rows(mesh->ecell, mesh->nedge, 2 * sizeof(int), edge);
    permute_rows(mesh->bedge, mesh->nbedge, 2 * sizeof(int), bedge);
    permute_rows(mesh->becell, mesh->nbedge, sizeof(int), bedge);
    permute_rows(mesh->bound, mesh->nbedge, sizeof(int), bedge);
    permute_entries(mesh->cell, 4 * (size_t)mesh->ncell, node);
    permute_entries(mesh->edge, 2 * (size_t)mesh->nedge, node);
    permute_entries(mesh->bedge, 2 * (size_t)mesh->nbedge, node);
    permute_entries(mesh->ecell, 2 * (size_t)mesh->nedge, cell);
    permute_entries(mesh->becell, (size_t)mesh->nbedge, cell);
    free(node);
    free(cell);
    free(edge);
    free(bedge);
}
