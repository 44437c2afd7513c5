/* grid.c: meshes made of boxes of cubes. */
#include <math.h>
#include <string.h>

#include "meshes_impl.h"

#define GRADED_LAYERS 36
#define GRADED_ASPECT 1e4

struct box {
    int side[3]; /* points per direction */
};

static int box_point(const struct box *box, int i, int j, int k)
{
    return (k * box->side[1] + j) * box->side[0] + i;
}

static int box_points(const struct box *box)
{
    return box->side[0] * box->side[1] * box->side[2];
}

/* ---- tetrahedra --------------------------------------------------------------------------- */

/* Each pair of directions has one diagonal per face, all three one per cube. */
static long long tet_edges(const int side[3])
{
    long long x = side[0], y = side[1], z = side[2];
    long long along = (x - 1) * y * z + x * (y - 1) * z + x * y * (z - 1);
    long long faces = (x - 1) * (y - 1) * z + (x - 1) * y * (z - 1) + x * (y - 1) * (z - 1);
    return along + faces + (x - 1) * (y - 1) * (z - 1);
}

/* Appends the edge between two opposite corners of the part of a cube that starts at (i, j, k) and
 * extends by `extent` (0 or 1 per direction): bit d of `flip` exchanges the ends in direction d. */
static int *tet_edge(int *edge, const struct box *box, const int at[3], const int extent[3],
                     unsigned flip)
{
    int from[3];
    int to[3];
    for (int d = 0; d < 3; d++) {
        if (at[d] + extent[d] >= box->side[d]) {
            return edge;
        }
        int flipped = (int)(flip >> d & 1) && extent[d];
        from[d] = at[d] + (flipped ? extent[d] : 0);
        to[d] = at[d] + (flipped ? 0 : extent[d]);
    }
    edge[0] = box_point(box, from[0], from[1], from[2]);
    edge[1] = box_point(box, to[0], to[1], to[2]);
    return edge + 2;
}

static void tet_rows(int *edge, const struct box *box, uint64_t seed)
{
    static const int extent[7][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0},
                                     {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
    int points = box_points(box);
    for (int p = 0; p < points; p++) {
        int at[3] = {p % box->side[0], p / box->side[0] % box->side[1],
                     p / box->side[0] / box->side[1]};
        uint64_t random = test_random(&seed);
        for (int k = 0; k < 7; k++) {
            edge = tet_edge(edge, box, at, extent[k], (unsigned)(random >> (3 * k)) & 7u);
        }
    }
}

/* Uniform in -1..1. */
static double jitter(uint64_t *state)
{
    return (double)(int64_t)test_random(state) * 0x1p-63;
}

static void box_coordinates(double *at, const struct box *box, double displacement, uint64_t seed)
{
    int points = box_points(box);
    for (int p = 0; p < points; p++) {
        int place[3] = {p % box->side[0], p / box->side[0] % box->side[1],
                        p / box->side[0] / box->side[1]};
        for (int d = 0; d < 3; d++) {
            at[(size_t)p * 3 + d] = place[d] + displacement * jitter(&seed);
        }
    }
}

/* A wall with a hill: z = h sin^2(pi x / X) sin^2(pi y / Y); at: a place on it and the unit normal
 * there. */
static void hill(const struct box *box, double x, double y, double place[3], double normal[3])
{
    double height = 0.1 * box->side[0];
    double wave[2] = {M_PI / box->side[0], M_PI / box->side[1]};
    double sx = sin(wave[0] * x) * sin(wave[0] * x);
    double sy = sin(wave[1] * y) * sin(wave[1] * y);
    double slope[2] = {height * wave[0] * sin(2 * wave[0] * x) * sy,
                       height * wave[1] * sin(2 * wave[1] * y) * sx};
    double length = sqrt(1 + slope[0] * slope[0] + slope[1] * slope[1]);
    memcpy(place, (double[3]){x, y, height * sx * sy}, 3 * sizeof(double));
    memcpy(normal, (double[3]){-slope[0] / length, -slope[1] / length, 1 / length},
           3 * sizeof(double));
}

/* Columns of vertices stand on the normals of the wall: all vertices of a column share the place of
 * its foot, displaced by up to a quarter of the spacing there; each is displaced along the normal
 * by up to a quarter of the layer below it. */
static void graded_coordinates(double *at, const struct box *box, uint64_t seed)
{
    double growth = pow(GRADED_ASPECT, 1.0 / (GRADED_LAYERS - 2));
    double first = 1 / GRADED_ASPECT;
    int columns = box->side[0] * box->side[1];
    for (int c = 0; c < columns; c++) {
        double foot[3];
        double normal[3];
        double x = c % box->side[0] + 0.25 * jitter(&seed);
        double y = c / box->side[0] + 0.25 * jitter(&seed);
        hill(box, x, y, foot, normal);
        for (int k = 0; k < GRADED_LAYERS; k++) {
            double below = k > 0 ? first * pow(growth, k - 1) : 0;
            double height =
                first * (pow(growth, k) - 1) / (growth - 1) + 0.25 * below * jitter(&seed);
            for (int d = 0; d < 3; d++) {
                at[((size_t)k * columns + c) * 3 + d] = foot[d] + height * normal[d];
            }
        }
    }
}

void test_mesh_tet(struct test_mesh *mesh, int elements, int graded, uint64_t seed)
{
    struct box box = {{0, 0, graded ? GRADED_LAYERS : 0}};
    test_mesh_box(box.side, elements, tet_edges);
    int points = box_points(&box);
    mesh->elements = (int)tet_edges(box.side);
    tet_rows(test_mesh_add_map(mesh, 2, points, 0), &box, seed);
    double *at = test_mesh_add_coordinates(mesh, points, 3, 0);
    if (graded) {
        graded_coordinates(at, &box, seed + 1);
    } else {
        box_coordinates(at, &box, 0.25, seed + 1);
    }
}

/* ---- cells -------------------------------------------------------------------------------- */

static long long cells(const int side[3])
{
    return (long long)side[0] * side[1] * side[2];
}

/* The first `arity` of these, from a cell's first corner. */
static const int cell_corner[CLEAVE_MAX_COLUMNS][3] = {
    {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1},
    {2, 0, 0}, {2, 1, 0}, {2, 0, 1}, {2, 1, 1}, {0, 2, 0}, {1, 2, 0}, {0, 2, 1}, {1, 2, 1}};

/* `margin` points more than cells in x, y and z. */
static struct box make_cells(struct test_mesh *mesh, int elements, int arity, const int margin[3])
{
    int side[3] = {0, 0, 0};
    test_mesh_box(side, elements, cells);
    struct box box = {{side[0] + margin[0], side[1] + margin[1], side[2] + margin[2]}};
    mesh->elements = (int)cells(side);
    int *row = test_mesh_add_map(mesh, arity, box_points(&box), 0);
    for (int e = 0; e < mesh->elements; e++) {
        int i = e % side[0];
        int j = e / side[0] % side[1];
        int k = e / side[0] / side[1];
        for (int c = 0; c < arity; c++) {
            const int *at = cell_corner[c];
            row[(size_t)e * arity + c] = box_point(&box, i + at[0], j + at[1], k + at[2]);
        }
    }
    box_coordinates(test_mesh_add_coordinates(mesh, box_points(&box), 3, 0), &box, 0, 0);
    return box;
}

/* y runs around the pipe, by 1 radian; z outwards, so that the inner radius is the box's length in
 * y; x along the pipe, which turns by 0.7 radians on the way. */
static void bend(double *at, const struct box *box)
{
    int points = box_points(box);
    for (int p = 0; p < points; p++) {
        double *place = &at[(size_t)p * 3];
        double angle = place[1] / box->side[1] + 0.7 * place[0] / box->side[0];
        double radius = box->side[1] + place[2];
        place[1] = radius * cos(angle);
        place[2] = radius * sin(angle);
    }
}

void test_mesh_hex(struct test_mesh *mesh, int elements, int pipe)
{
    struct box box = make_cells(mesh, elements, 8, (int[3]){1, 1, 1});
    if (pipe) {
        bend(mesh->at, &box);
    }
}

void test_mesh_stencil(struct test_mesh *mesh, int elements, int arity)
{
    make_cells(mesh, elements, arity, (int[3]){2, 2, 1});
}
