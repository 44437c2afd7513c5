/* tri_grid.c: makes, shuffles and frees the grids of tri_grid.h. */
#include "tri_grid.h"

#include "permute.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Edge k of an upper or a lower triangle is edge EDGE_ACROSS[lower][k] of the cell across it. */
static const int EDGE_ACROSS[2][3] = {{2, 0, 1}, {1, 2, 0}};

static int *new_rows(int rows, int width)
{
    return (int *)malloc(sizeof(int) * (size_t)rows * (size_t)width);
}

void tri_grid_free(struct tri_grid *grid)
{
    free(grid->x);
    free(grid->cell_node);
    free(grid->cell_cell);
    free(grid->cell_edge);
    free(grid->edge_node);
    free(grid->edge_cell);
    grid->x = NULL;
    grid->cell_node = grid->cell_cell = grid->cell_edge = NULL;
    grid->edge_node = grid->edge_cell = NULL;
}

static int allocate(struct tri_grid *grid)
{
    grid->x = (double *)malloc(sizeof(double) * 2 * (size_t)grid->nodes);
    grid->cell_node = new_rows(grid->cells, 3);
    grid->cell_cell = new_rows(grid->cells, 3);
    grid->cell_edge = new_rows(grid->cells, 3);
    grid->edge_node = new_rows(grid->edges, 2);
    grid->edge_cell = new_rows(grid->edges, 2);
    return grid->x != NULL && grid->cell_node != NULL && grid->cell_cell != NULL &&
           grid->cell_edge != NULL && grid->edge_node != NULL && grid->edge_cell != NULL;
}

static void make_nodes(struct tri_grid *grid, const int n[2], const double size[2])
{
    double *x = grid->x;
    for (int j = 0; j <= n[1]; j++) {
        for (int i = 0; i <= n[0]; i++, x += 2) {
            x[0] = size[0] * i / n[0];
            x[1] = size[1] * j / n[1];
        }
    }
}

static void make_cells(struct tri_grid *grid, const int n[2])
{
    int *corner = grid->cell_node;
    int *neighbour = grid->cell_cell;
    for (int i = 0; i < n[0]; i++) {
        for (int j = 0; j < n[1]; j++, corner += 6, neighbour += 6) {
            const int a = i + (n[0] + 1) * j;
            const int b = a + n[0] + 1;
            const int upper = 2 * (i * n[1] + j);
            const int lower = upper + 1;
            const int corners[6] = {a, b + 1, b, a, a + 1, b + 1};
            const int neighbours[6] = {lower,
                                       j < n[1] - 1 ? lower + 2 : upper,
                                       i > 0 ? lower - 2 * n[1] : upper,
                                       j > 0 ? upper - 2 : lower,
                                       i < n[0] - 1 ? upper + 2 * n[1] : lower,
                                       upper};
            memcpy(corner, corners, sizeof corners);
            memcpy(neighbour, neighbours, sizeof neighbours);
        }
    }
}

/* Numbers an edge when the walk over the cells comes to the first of its two. */
static void make_edges(struct tri_grid *grid)
{
    size_t edge = 0;
    for (int cell = 0; cell < grid->cells; cell++) {
        for (int k = 0; k < 3; k++) {
            const size_t at = 3 * (size_t)cell + (size_t)k;
            const int other = grid->cell_cell[at];
            if (other < cell) {
                continue;
            }
            grid->edge_node[2 * edge] = grid->cell_node[at];
            grid->edge_node[2 * edge + 1] = grid->cell_node[3 * (size_t)cell + (size_t)(k + 1) % 3];
            grid->edge_cell[2 * edge] = cell;
            grid->edge_cell[2 * edge + 1] = other;
            grid->cell_edge[at] = (int)edge;
            if (other != cell) {
                grid->cell_edge[3 * (size_t)other + (size_t)EDGE_ACROSS[cell % 2][k]] = (int)edge;
            }
            edge++;
        }
    }
}

int tri_grid_make(struct tri_grid *grid, const int n[2], const double size[2])
{
    memset(grid, 0, sizeof *grid);
    /* The longest array has 6 entries for each square. */
    if (n[0] < 1 || n[1] < 1 || n[0] >= INT_MAX / 6 / n[1]) {
        fprintf(
            stderr,
            "a grid of %d * %d squares: each number must be from 1 on, and a grid has less than "
            "%d squares\n",
            n[0], n[1], INT_MAX / 6);
        return 2;
    }
    grid->nodes = (n[0] + 1) * (n[1] + 1);
    grid->cells = 2 * n[0] * n[1];
    grid->edges = 3 * n[0] * n[1] + n[0] + n[1];
    if (!allocate(grid)) {
        fprintf(stderr, "a grid of %d triangles: not enough memory\n", grid->cells);
        tri_grid_free(grid);
        return 1;
    }
    make_nodes(grid, n, size);
    make_cells(grid, n);
    make_edges(grid);
    return 0;
}

void tri_grid_shuffle(struct tri_grid *grid, int seed)
{
    const size_t cells = (size_t)grid->cells;
    const size_t edges = (size_t)grid->edges;
    int *node = permutation_new(grid->nodes, seed);
    int *cell = permutation_new(grid->cells, seed + 1);
    int *edge = permutation_new(grid->edges, seed + 2);
    permute_rows(grid->x, grid->nodes, 2 * sizeof(double), node);
    permute_rows(grid->cell_node, grid->cells, 3 * sizeof(int), cell);
    permute_rows(grid->cell_cell, grid->cells, 3 * sizeof(int), cell);
    permute_rows(grid->cell_edge, grid->cells, 3 * sizeof(int), cell);
    permute_rows(grid->edge_node, grid->edges, 2 * sizeof(int), edge);
    permute_rows(grid->edge_cell, grid->edges, 2 * sizeof(int), edge);
    permute_entries(grid->cell_node, 3 * cells, node);
    permute_entries(grid->cell_cell, 3 * cells, cell);
    permute_entries(grid->cell_edge, 3 * cells, edge);
    permute_entries(grid->edge_node, 2 * edges, node);
    permute_entries(grid->edge_cell, 2 * edges, cell);
    free(node);
    free(cell);
    free(edge);
}
