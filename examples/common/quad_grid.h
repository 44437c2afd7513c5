/* quad_grid.h: a rectangle of n[0]*n[1] quadrilaterals.
 *
 * Node (i, j) has the number i + (n[0]+1) j, cell (i, j) the number i + n[0] j. Corners go round a
 * cell counter-clockwise from its lower left one. Side k of a cell joins its corners k and k + 1:
 * lower, right, upper, left. C11 and C++17.
 */
#ifndef EXAMPLES_QUAD_GRID_H
#define EXAMPLES_QUAD_GRID_H

#ifdef __cplusplus
extern "C" {
#endif

/* Bit k of a node or a cell says that it lies at the boundary on side k of the rectangle. */
enum { QUAD_LOWER = 1, QUAD_RIGHT = 2, QUAD_UPPER = 4, QUAD_LEFT = 8 };

struct quad_grid {
    int nodes;
    int cells;
    double *x;          /* [nodes][2] coordinates */
    int *node_boundary; /* [nodes] bits */
    int *cell_node;     /* [cells][4] corners */
    int *cell_cell; /* [cells][4] neighbours across the sides; the cell itself at the boundary */
    int *cell_side; /* [cells][4] which side of the neighbour it is; at the boundary the cell's own
                       opposite one */
    int *cell_boundary; /* [cells] bits */
};

/* Makes the grid on [0, size[0]] x [0, size[1]]. Returns 0; or, after a message to stderr, the exit
 * code of a program that gives up: 2 when a number of cells is below 1 or entries of an array
 * cannot be numbered with int, 1 when there is not enough memory. The arrays are then NULL. */
int quad_grid_make(struct quad_grid *grid, const int n[2], const double size[2]);

/* Numbers nodes and cells at random; corners and sides of a cell keep their places in its rows.
 * seed: 1 to INT_MAX - 1. Ends the program with 1 and a message when there is not enough memory. */
void quad_grid_shuffle(struct quad_grid *grid, int seed);

void quad_grid_free(struct quad_grid *grid);

#ifdef __cplusplus
}
#endif
#endif
