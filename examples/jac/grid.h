/* grid.h: the equations of the jac example: Laplace's equation on a square, as a graph.
 *
 * The nodes (i, j), 1 <= i, j < size, lie inside the square; u is 1 on its boundary. Each node has
 * an edge to itself with the coefficient -1 and one with 1/4 to each neighbour inside; a neighbour
 * on the boundary adds 1/4 to the right-hand side r.
 */
#ifndef JAC_GRID_H
#define JAC_GRID_H

struct grid {
    int size;
    int nnode; /* (size - 1)^2 */
    int nedge;
    int *number; /* [nnode] of node (i, j), at (i - 1) + (size - 1)*(j - 1) */
    int *ends;   /* [nedge][2] the node whose equation the edge belongs to, and its neighbour */
    double *A;   /* [nedge] */
    double *r;   /* [nnode] */
};

/* size >= 2. A size that is too large ends the program with 2 and a message, missing memory ends it
 * with
 * 1. The caller frees the grid. */
void grid_generate(struct grid *grid, int size);

/* Numbers nodes and edges at random. seed >= 1 chooses the numbers. */
void grid_shuffle(struct grid *grid, int seed);

void grid_free(struct grid *grid);

/* The value at node (i, j). */
double grid_value(const struct grid *grid, const double *u, int i, int j);

#endif
