/* common_grids.c: grids of triangles and of quadrilaterals, as they are made and shuffled: cells
 * fill the rectangle, neighbours know each other by the side that they share, and edges lie between
 * their cells. What cannot be made is refused.
 */
#include "../../examples/common/quad_grid.h"
#include "../../examples/common/tri_grid.h"

#include <math.h>
#include <stdlib.h>

#include "check.h"

enum { X = 4, Y = 3 };
static const int n[2] = {X, Y}, none[2] = {4, 0}, many[2] = {100000, 100000};
static const double size[2] = {2.0, 6.0};

/* The area of a polygon, counter-clockwise. */
static double area_of(const double *x, const int *corner, int corners)
{
    double area = 0.0;
    for (int k = 0; k < corners; k++) {
        const double *a = x + 2 * corner[k], *b = x + 2 * corner[(k + 1) % corners];
        area += 0.5 * (a[0] * b[1] - b[0] * a[1]);
    }
    return area;
}

static void check_cells(const double *x, const int *cell_node, int cells, int corners)
{
    double area = 0.0;
    for (int c = 0; c < cells; c++) {
        const double own = area_of(x, cell_node + corners * c, corners);
        CHECK(fabs(own - size[0] * size[1] / cells) < 1e-14);
        area += own;
    }
    CHECK(fabs(area - size[0] * size[1]) < 1e-13);
}

/* The side of `cell` from node a to node b; -1 when it has none. */
static int side_between(const int *cell_node, int cell, int corners, int a, int b)
{
    const int *corner = cell_node + corners * cell;
    for (int k = 0; k < corners; k++) {
        if (corner[k] == a && corner[(k + 1) % corners] == b) {
            return k;
        }
    }
    return -1;
}

/* Across side k of each cell lies a cell that has the same side the other way round, or none.
 * Returns the number of sides without a neighbour. */
static int check_neighbours(const int *cell_node, const int *cell_cell, int cells, int corners)
{
    int open = 0;
    for (int c = 0; c < cells; c++) {
        for (int k = 0; k < corners; k++) {
            const int other = cell_cell[corners * c + k], a = cell_node[corners * c + k];
            const int b = cell_node[corners * c + (k + 1) % corners];
            const int side = side_between(cell_node, other, corners, b, a);
            open += other == c;
            CHECK(other == c || (side >= 0 && cell_cell[corners * other + side] == c));
        }
    }
    return open;
}

static void check_tri_edges(const struct tri_grid *grid)
{
    int *seen = calloc((size_t)grid->edges, sizeof *seen), open = 0;
    CHECK(grid->edges == 3 * X * Y + X + Y && seen != NULL);
    for (int c = 0; seen != NULL && c < grid->cells; c++) {
        for (int k = 0; k < 3; k++) {
            const int e = grid->cell_edge[3 * c + k], *cell = grid->edge_cell + 2 * e;
            const int *node = grid->edge_node + 2 * e;
            const int first = cell[0] == c;
            seen[e]++;
            CHECK(first || cell[1] == c);
            CHECK(grid->cell_cell[3 * c + k] == (first ? cell[1] : cell[0]));
            CHECK(side_between(grid->cell_node, c, 3, node[!first], node[first]) == k);
        }
    }
    for (int e = 0; seen != NULL && e < grid->edges; e++) {
        const int outside = grid->edge_cell[2 * e] == grid->edge_cell[2 * e + 1];
        open += outside;
        CHECK(seen[e] == (outside ? 1 : 2));
    }
    CHECK(open == 2 * (X + Y));
    free(seen);
}

static void check_tri(int seed)
{
    struct tri_grid grid;
    CHECK(tri_grid_make(&grid, n, size) == 0);
    CHECK(grid.cell_node[3] == 0 && grid.cell_node[4] == 1 && grid.cell_node[5] == X + 2);
    if (seed > 0) {
        tri_grid_shuffle(&grid, seed);
    }
    CHECK(grid.nodes == (X + 1) * (Y + 1) && grid.cells == 2 * X * Y);
    check_cells(grid.x, grid.cell_node, grid.cells, 3);
    CHECK(check_neighbours(grid.cell_node, grid.cell_cell, grid.cells, 3) == 2 * (X + Y));
    check_tri_edges(&grid);
    tri_grid_free(&grid);
    CHECK(grid.x == NULL && grid.edge_cell == NULL);
    CHECK(tri_grid_make(&grid, none, size) == 2 && grid.x == NULL);
    CHECK(tri_grid_make(&grid, many, size) == 2 && grid.x == NULL);
}

/* Bits of the boundary, from the coordinates. */
static int boundary_of(const double *x)
{
    return (x[1] == 0.0 ? QUAD_LOWER : 0) | (x[0] == size[0] ? QUAD_RIGHT : 0) |
           (x[1] == size[1] ? QUAD_UPPER : 0) | (x[0] == 0.0 ? QUAD_LEFT : 0);
}

static void check_quad_sides(const struct quad_grid *grid)
{
    for (int v = 0; v < grid->nodes; v++) {
        CHECK(grid->node_boundary[v] == boundary_of(grid->x + 2 * v));
    }
    for (int c = 0; c < grid->cells; c++) {
        for (int k = 0; k < 4; k++) {
            const int other = grid->cell_cell[4 * c + k], side = grid->cell_side[4 * c + k];
            const int a = grid->cell_node[4 * c + k], b = grid->cell_node[4 * c + (k + 1) % 4];
            CHECK((other == c) == (grid->cell_boundary[c] >> k & 1));
            CHECK(other == c ? side == (k + 2) % 4
                             : side_between(grid->cell_node, other, 4, b, a) == side);
            CHECK(other != c || (grid->node_boundary[a] & grid->node_boundary[b] & 1 << k) != 0);
        }
    }
}

static void check_quad(int seed)
{
    struct quad_grid grid;
    CHECK(quad_grid_make(&grid, n, size) == 0);
    CHECK(grid.cell_node[1] == 1 && grid.cell_node[2] == X + 2 && grid.cell_node[3] == X + 1);
    if (seed > 0) {
        quad_grid_shuffle(&grid, seed);
    }
    CHECK(grid.nodes == (X + 1) * (Y + 1) && grid.cells == X * Y);
    check_cells(grid.x, grid.cell_node, grid.cells, 4);
    CHECK(check_neighbours(grid.cell_node, grid.cell_cell, grid.cells, 4) == 2 * (X + Y));
    check_quad_sides(&grid);
    quad_grid_free(&grid);
    CHECK(grid.x == NULL && grid.cell_boundary == NULL);
    CHECK(quad_grid_make(&grid, none, size) == 2 && grid.x == NULL);
    CHECK(quad_grid_make(&grid, many, size) == 2 && grid.x == NULL);
}

int main(void)
{
    for (int seed = 0; seed < 3; seed++) {
        check_tri(seed);
        check_quad(seed);
    }
    return CHECK_RESULT();
}
