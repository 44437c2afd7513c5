/* quad_grid.c: makes, shuffles and frees the grids of quad_grid.h. */
#include "quad_grid.h"

#include "permute.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int *new_rows(int rows, int width)
{
    return (int *)malloc(sizeof(int) * (size_t)rows * (size_t)width);
}

void quad_grid_free(struct quad_grid *grid)
{
    free(grid->x);
    free(grid->node_boundary);
    free(grid->cell_node);
    free(grid->cell_cell);
    free(grid->cell_side);
    free(grid->cell_boundary);
    grid->x = NULL;
    grid->node_boundary = grid->cell_node = grid->cell_cell = NULL;
    grid->cell_side = grid->cell_boundary = NULL;
}

static int allocate(struct quad_grid *grid)
{
    grid->x = (double *)malloc(sizeof(double) * 2 * (size_t)grid->nodes);
    grid->node_boundary = new_rows(grid->nodes, 1);
    grid->cell_node = new_rows(grid->cells, 4);
    grid->cell_cell = new_rows(grid->cells, 4);
    grid->cell_side = new_rows(grid->cells, 4);
    grid->cell_boundary = new_rows(grid->cells, 1);
    return grid->x != NULL && grid->node_boundary != NULL && grid->cell_node != NULL &&
           grid->cell_cell != NULL && grid->cell_side != NULL && grid->cell_boundary != NULL;
}

/* Bits of the item (i, j), where the largest ones have the numbers last[0] and last[1]. */
static int boundary(int i, int j, int last0, int last1)
{
    return (j == 0 ? QUAD_LOWER : 0) | (i == last0 ? QUAD_RIGHT : 0) |
           (j == last1 ? QUAD_UPPER : 0) | (i == 0 ? QUAD_LEFT : 0);
}

static void make_nodes(struct quad_grid *grid, const int n[2], const double size[2])
{
    double *x = grid->x;
    int *bits = grid->node_boundary;
    for (int j = 0; j <= n[1]; j++) {
        for (int i = 0; i <= n[0]; i++, x += 2) {
            x[0] = size[0] * i / n[0];
            x[1] = size[1] * j / n[1];
            *bits++ = boundary(i, j, n[0], n[1]);
        }
    }
}

static void make_cells(struct quad_grid *grid, const int n[2])
{
    for (int j = 0; j < n[1]; j++) {
        for (int i = 0; i < n[0]; i++) {
            const int cell = i + n[0] * j;
            const int node = i + (n[0] + 1) * j;
            const int corner[4] = {node, node + 1, node + n[0] + 2, node + n[0] + 1};
            const int beyond[4] = {cell - n[0], cell + 1, cell + n[0], cell - 1};
            const int bits = boundary(i, j, n[0] - 1, n[1] - 1);
            grid->cell_boundary[cell] = bits;
            for (int k = 0; k < 4; k++) {
                const size_t at = 4 * (size_t)cell + (size_t)k;
                grid->cell_node[at] = corner[k];
                grid->cell_cell[at] = bits >> k & 1 ? cell : beyond[k];
                grid->cell_side[at] = (k + 2) % 4;
            }
        }
    }
}

int quad_grid_make(struct quad_grid *grid, const int n[2], const double size[2])
{
    memset(grid, 0, sizeof *grid);
    /* The longest array has 4 entries for each cell. */
    if (n[0] < 1 || n[1] < 1 || n[0] >= INT_MAX / 4 / n[1]) {
        fprintf(stderr,
                "a grid of %d * %d cells: each number must be from 1 on, and a grid has less than "
                "%d cells\n",
                n[0], n[1], INT_MAX / 4);
        return 2;
    }
    grid->nodes = (n[0] + 1) * (n[1] + 1);
    grid->cells = n[0] * n[1];
    if (!allocate(grid)) {
        fprintf(stderr, "a grid of %d cells: not enough memory\n", grid->cells);
        quad_grid_free(grid);
        return 1;
    }
    make_nodes(grid, n, size);
    make_cells(grid, n);
    return 0;
}

void quad_grid_shuffle(struct quad_grid *grid, int seed)
{
    int *node = permutation_new(grid->nodes, seed);
    int *cell = permutation_new(grid->cells, seed + 1);
    permute_rows(grid->x, grid->nodes, 2 * sizeof(double), node);
    permute_rows(grid->node_boundary, grid->nodes, sizeof(int), node);
    permute_rows(grid->cell_node, grid->cells, 4 * sizeof(int), cell);
    permute_rows(grid->cell_cell, grid->cells, 4 * sizeof(int), cell);
    permute_rows(grid->cell_side, grid->cells, 4 * sizeof(int), cell);
    permute_rows(grid->cell_boundary, grid->cells, sizeof(int), cell);
    permute_entries(grid->cell_node, 4 * (size_t)grid->cells, node);
    permute_entries(grid->cell_cell, 4 * (size_t)grid->cells, cell);
    free(node);
    free(cell);
}
