/* grid.c: makes the equations of the jac example, and numbers them at random. */
#include "grid.h"

#include <stddef.h>
#include <stdlib.h>

#include "../common/permute.h"
#include "../common/run.h"

/* Five edges for each node stay below 2^31 entries. */
enum { GRID_MAX_SIZE = 14000 };

static void *allocate(size_t count, size_t bytes)
{
    void *array = calloc(count, bytes);
    if (array == NULL) {
        run_failed("jac", "not enough memory for %zu numbers", count);
    }
    return array;
}

static int node_number(const struct grid *grid, int i, int j)
{
    return (i - 1) + (grid->size - 1) * (j - 1);
}

static void add_edge(struct grid *grid, int node, int neighbour, double coefficient)
{
    const size_t e = (size_t)grid->nedge++;
    grid->ends[2 * e] = node;
    grid->ends[2 * e + 1] = neighbour;
    grid->A[e] = coefficient;
}

static void add_equation(struct grid *grid, int i, int j)
{
    static const int way[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    const int node = node_number(grid, i, j);
    add_edge(grid, node, node, -1.0);
    for (int w = 0; w < 4; w++) {
        const int to_i = i + way[w][0];
        const int to_j = j + way[w][1];
        if (to_i == 0 || to_i == grid->size || to_j == 0 || to_j == grid->size) {
            grid->r[node] += 0.25;
        } else {
            add_edge(grid, node, node_number(grid, to_i, to_j), 0.25);
        }
    }
}

void grid_generate(struct grid *grid, int size)
{
    if (size < 2 || size > GRID_MAX_SIZE) {
        run_refused("jac", "--size=%d: a grid has 2 to %d intervals", size, GRID_MAX_SIZE);
    }
    grid->size = size;
    grid->nnode = (size - 1) * (size - 1);
    grid->nedge = 0;
    grid->number = allocate((size_t)grid->nnode, sizeof *grid->number);
    grid->ends = allocate(10 * (size_t)grid->nnode, sizeof *grid->ends);
    grid->A = allocate(5 * (size_t)grid->nnode, sizeof *grid->A);
    grid->r = allocate((size_t)grid->nnode, sizeof *grid->r);
    for (int n = 0; n < grid->nnode; n++) {
        grid->number[n] = n;
    }
    for (int i = 1; i < size; i++) {
        for (int j = 1; j < size; j++) {
            add_equation(grid, i, j);
        }
    }
}

void grid_shuffle(struct grid *grid, int seed)
{
    int *node = permutation_new(grid->nnode, seed);
    int *edge = permutation_new(grid->nedge, seed + 1);
    permute_entries(grid->number, (size_t)grid->nnode, node);
    permute_rows(grid->r, grid->nnode, sizeof *grid->r, node);
    permute_entries(grid->ends, 2 * (size_t)grid->nedge, node);
    permute_rows(grid->ends, grid->nedge, 2 * sizeof *grid->ends, edge);
    permute_rows(grid->A, grid->nedge, sizeof *grid->A, edge);
    free(node);
    free(edge);
}

void grid_free(struct grid *grid)
{
    free(grid->number);
    free(grid->ends);
    free(grid->A);
    free(grid->r);
}

double grid_value(const struct grid *grid, const double *u, int i, int j)
{
    return u[grid->number[node_number(grid, i, j)]];
}
