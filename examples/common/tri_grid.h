/* tri_grid.h: a rectangle of n[0]*n[1] squares, each cut into two triangles.
 *
 *   b-----c     The square in column i and row j has
 *   | U / |       the upper triangle (a, c, b): cell 2 (i n[1] + j),
 *   | / L |       the lower triangle (a, d, c): the next cell.
 *   a-----d     Node a has the number i + (n[0]+1) j.
 *
 * Corners go round a cell counter-clockwise. Edge k of a cell joins its corners k and k + 1, and
 * neighbour k lies across edge k. C11 and C++17.
 */
#ifndef EXAMPLES_TRI_GRID_H
#define EXAMPLES_TRI_GRID_H

#ifdef __cplusplus
extern "C" {
#endif

struct tri_grid {
    int nodes;
    int cells;
    int edges;
    double *x;      /* [nodes][2] coordinates */
    int *cell_node; /* [cells][3] corners */
    int *cell_cell; /* [cells][3] neighbours; the cell itself across an edge of the boundary */
    int *cell_edge; /* [cells][3] edges */
    int *edge_node; /* [edges][2] ends; the first cell lies on the left of the way between them */
    int *edge_cell; /* [edges][2] cells on both sides; at the boundary its one cell, twice */
};

/* Makes the grid on [0, size[0]] x [0, size[1]]. Returns 0; or, after a message to stderr, the exit
 * code of a program that gives up: 2 when a number of squares is below 1 or entries of an array
 * cannot be numbered with int, 1 when there is not enough memory. The arrays are then NULL. */
int tri_grid_make(struct tri_grid *grid, const int n[2], const double size[2]);

/* Numbers nodes, cells and edges at random; corners, edges and neighbours of a cell keep their
 * places in its rows. seed: 1 to INT_MAX - 2. Ends the program with 1 and a message when there is
 * not enough memory. */
void tri_grid_shuffle(struct tri_grid *grid, int seed);

void tri_grid_free(struct tri_grid *grid);

#ifdef __cplusplus
}
#endif
#endif
