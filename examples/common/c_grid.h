/* c_grid.h: the nodes of a C-shaped grid round the NACA 0012 aerofoil.
 *
 * Row 0 runs along the cut below, round the aerofoil from trailing edge to trailing edge, and back
 * along the cut above; the last row is the far field. A grid has 3*columns*rows quadrilaterals.
 * Both sides of the cut have nodes of their own, at the same places: (i, 0) and (3*columns - i, 0),
 * i <= columns.
 */
#ifndef EXAMPLES_C_GRID_H
#define EXAMPLES_C_GRID_H

#ifdef __cplusplus
extern "C" {
#endif

/* Largest grid, in cells: every array of a mesh made from it stays well below 2^31 entries. */
enum { C_GRID_MAX_CELLS = 200000000 };

/* Why there is no grid of 3*columns*rows cells, for a message; NULL when there is one. */
const char *c_grid_refusal(int columns, int rows);

/* Sets the places of the nodes: x[(3*columns + 1) * (rows + 1)][2], node (i, j) is number
 * i + j*(3*columns + 1); chord 1, six decimals. c_grid_refusal accepts the sizes. */
void c_grid_nodes(int columns, int rows, double *x);

#ifdef __cplusplus
}
#endif
#endif
