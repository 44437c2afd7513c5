/* mesh.c: generates the C-shaped grid round the NACA 0012 aerofoil, and shuffles a mesh.
 *
 * The plane is opened along the aerofoil and the cut behind it by a square root, so that body and
 * cut become (almost) a straight line; a rectangular grid above that line is squared back:
 *
 *        far field                          j = rows  +-----------------------------+
 *      .------------------                            |                             |
 *     /    ____                  (xi + i eta)^2       |                             |
 *    |   <=aero=>=== cut ===   <-----------------     |      ___---------___        |
 *     \                                       j = 0   +--cut--   aerofoil   --cut---+
 *      `------------------                           i = 0   columns  2*columns  3*columns
 *
 * The aerofoil's image is a cubic spline through 199 of its points. The two sides of the cut have
 * their own nodes at equal places, but the edges on it join the cells of both sides.
 * Valid C and C++, like mesh_file.c and run.c, so that both programs can be built from it.
 */
#include "mesh.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { UPPER_POINTS = 100, SPLINE_POINTS = 2 * UPPER_POINTS - 1 };

/* A cubic through each pair of neighbouring points, with continuous second derivatives. */
struct spline {
    double x[SPLINE_POINTS];
    double y[SPLINE_POINTS];
    double second[SPLINE_POINTS]; /* second derivative at each point */
};

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

/* The upper surface at x, chord 1. */
static double naca0012(double x)
{
    return 0.594689181 * (0.298222773 * sqrt(x) - 0.127125232 * x - 0.357907906 * x * x +
                          0.291984971 * x * x * x - 0.105174696 * x * x * x * x);
}

/* The square root of a + ib, b >= 0, in the first quadrant. */
static void complex_root(double a, double b, double *re, double *im)
{
    const double modulus = hypot(a, b);
    if (a >= 0.0) {
        *re = sqrt(0.5 * (modulus + a));
        *im = *re > 0.0 ? b / (2.0 * *re) : 0.0;
    } else {
        *im = sqrt(0.5 * (modulus - a));
        *re = b / (2.0 * *im);
    }
}

/* Points of the opened aerofoil, from the trailing edge below to the trailing edge above. The root
 * is taken round a point just inside the leading edge. */
static void opened_aerofoil(struct spline *spline)
{
    const double pi = 3.14159265358979323846;
    const double focus = 0.0077;
    for (int i = 0; i < UPPER_POINTS; i++) {
        const double angle = pi * i / (2.0 * UPPER_POINTS - 2.0);
        const double x = sin(angle) * sin(angle);
        const double y = i == UPPER_POINTS - 1 ? 0.0 : naca0012(x);
        double re;
        double im;
        complex_root(x - focus, y, &re, &im);
        spline->x[UPPER_POINTS - 1 + i] = re;
        spline->y[UPPER_POINTS - 1 + i] = im;
        spline->x[UPPER_POINTS - 1 - i] = -re;
        spline->y[UPPER_POINTS - 1 - i] = im;
    }
}

/* Finds the second derivatives by Thomas' algorithm. "Not a knot": the third derivative is
 * continuous at the second and the last point but one, which gives the first and the last second
 * derivative from their two neighbours. */
static void spline_fit(struct spline *s)
{
    const int last = SPLINE_POINTS - 1;
    double upper[SPLINE_POINTS];
    for (int i = 1; i < last; i++) {
        const double left = s->x[i] - s->x[i - 1];
        const double right = s->x[i + 1] - s->x[i];
        double below = left;
        double diagonal = 2.0 * (left + right);
        double above = right;
        double value = 6.0 * ((s->y[i + 1] - s->y[i]) / right - (s->y[i] - s->y[i - 1]) / left);
        if (i == 1) {
            diagonal += left * (1.0 + left / right);
            above -= left * left / right;
            below = 0.0;
        }
        if (i == last - 1) {
            diagonal += right * (1.0 + right / left);
            below -= right * right / left;
            above = 0.0;
        }
        const double pivot = diagonal - (i == 1 ? 0.0 : below * upper[i - 1]);
        upper[i] = above / pivot;
        s->second[i] = (value - (i == 1 ? 0.0 : below * s->second[i - 1])) / pivot;
    }
    for (int i = last - 2; i > 0; i--) {
        s->second[i] -= upper[i] * s->second[i + 1];
    }
    double ratio = (s->x[1] - s->x[0]) / (s->x[2] - s->x[1]);
    s->second[0] = s->second[1] * (1.0 + ratio) - s->second[2] * ratio;
    ratio = (s->x[last] - s->x[last - 1]) / (s->x[last - 1] - s->x[last - 2]);
    s->second[last] = s->second[last - 1] * (1.0 + ratio) - s->second[last - 2] * ratio;
}

static double spline_value(const struct spline *s, double x)
{
    int k = 0;
    while (k < SPLINE_POINTS - 2 && x > s->x[k + 1]) {
        k++;
    }
    const double h = s->x[k + 1] - s->x[k];
    const double b = (x - s->x[k]) / h;
    const double a = 1.0 - b;
    return a * s->y[k] + b * s->y[k + 1] +
           ((a * a * a - a) * s->second[k] + (b * b * b - b) * s->second[k + 1]) * h * h / 6.0;
}

/* The value that a mesh file keeps: six decimals. The published results belong to such a mesh. */
static double six_decimals(double value)
{
    char text[64];
    snprintf(text, sizeof text, "%f", value);
    return strtod(text, NULL);
}

static void generate_nodes(struct mesh *mesh, int columns, int rows)
{
    const int across = 3 * columns + 1;
    struct spline spline;
    opened_aerofoil(&spline);
    spline_fit(&spline);
    for (int i = 0; i < across; i++) {
        const double xi = -3.0 + 6.0 * i / (3.0 * columns);
        const double base = i > columns && i < 2 * columns ? spline_value(&spline, xi) : 0.0;
        for (int j = 0; j <= rows; j++) {
            const double eta = base + (3.0 - base) * j / rows;
            double *x = mesh->x + 2 * ((size_t)i + (size_t)j * across);
            x[0] = six_decimals(xi * xi - eta * eta);
            x[1] = six_decimals(2.0 * xi * eta);
        }
    }
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
    const long long ncell = 3LL * columns * rows;
    if (columns < 1 || rows < 1 || ncell > MESH_MAX_CELLS || columns > MESH_MAX_CELLS / 3) {
        fprintf(stderr, "airfoil: a mesh of 3 x %d x %d cells cannot be made: %s\n", columns, rows,
                columns < 1 || rows < 1 ? "both numbers must be at least 1" : "it is too large");
        return -1;
    }
    mesh->nnode = (3 * columns + 1) * (rows + 1);
    mesh->ncell = (int)ncell;
    mesh->nedge = (3 * columns - 1) * rows + 3 * columns * (rows - 1) + columns;
    mesh->nbedge = 4 * columns + 2 * rows;
    if (mesh_allocate(mesh) != 0) {
        return -1;
    }
    generate_nodes(mesh, columns, rows);
    generate_cells(mesh, columns, rows);
    generate_edges(mesh, columns, rows);
    generate_boundary(mesh, columns, rows);
    return 0;
}

/* ---- shuffling ------------------------------------------------------------------------------ */

/* Steele, Lea, Flood: "Fast splittable pseudorandom number generators" (splitmix64). */
static unsigned long long next_random(unsigned long long *state)
{
    unsigned long long z = *state += 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

/* The new number of each of `count` things (Fisher and Yates); NULL without memory. */
static int *random_numbers(int count, unsigned long long *state)
{
    int *number = (int *)malloc(sizeof(int) * (size_t)count);
    for (int i = 0; number != NULL && i < count; i++) {
        const int other = (int)(next_random(state) % (unsigned long long)(i + 1));
        number[i] = number[other];
        number[other] = i;
    }
    return number;
}

/* Moves row i of bytes to row number[i]. Returns -1 without memory. */
static int move_rows(void *rows, size_t bytes, int count, const int *number)
{
    char *moved = (char *)malloc(bytes * (size_t)count);
    if (moved == NULL) {
        return -1;
    }
    for (int i = 0; i < count; i++) {
        memcpy(moved + bytes * (size_t)number[i], (char *)rows + bytes * (size_t)i, bytes);
    }
    memcpy(rows, moved, bytes * (size_t)count);
    free(moved);
    return 0;
}

static void rename_entries(int *entry, size_t count, const int *number)
{
    for (size_t i = 0; i < count; i++) {
        entry[i] = number[entry[i]];
    }
}

static int apply_numbers(struct mesh *mesh, const int *node, const int *cell, const int *edge,
                         const int *bedge)
{
    if (move_rows(mesh->x, 2 * sizeof(double), mesh->nnode, node) != 0 ||
        move_rows(mesh->cell, 4 * sizeof(int), mesh->ncell, cell) != 0 ||
        move_rows(mesh->edge, 2 * sizeof(int), mesh->nedge, edge) != 0 ||
        move_rows(mesh->ecell, 2 * sizeof(int), mesh->nedge, edge) != 0 ||
        move_rows(mesh->bedge, 2 * sizeof(int), mesh->nbedge, bedge) != 0 ||
        move_rows(mesh->becell, sizeof(int), mesh->nbedge, bedge) != 0 ||
        move_rows(mesh->bound, sizeof(int), mesh->nbedge, bedge) != 0) {
        return -1;
    }
    rename_entries(mesh->cell, 4 * (size_t)mesh->ncell, node);
    rename_entries(mesh->edge, 2 * (size_t)mesh->nedge, node);
    rename_entries(mesh->bedge, 2 * (size_t)mesh->nbedge, node);
    rename_entries(mesh->ecell, 2 * (size_t)mesh->nedge, cell);
    rename_entries(mesh->becell, (size_t)mesh->nbedge, cell);
    return 0;
}

int mesh_shuffle(struct mesh *mesh, int seed)
{
    unsigned long long state = (unsigned long long)seed;
    int *node = random_numbers(mesh->nnode, &state);
    int *cell = random_numbers(mesh->ncell, &state);
    int *edge = random_numbers(mesh->nedge, &state);
    int *bedge = random_numbers(mesh->nbedge, &state);
    const int failed = node == NULL || cell == NULL || edge == NULL || bedge == NULL ||
                       apply_numbers(mesh, node, cell, edge, bedge) != 0;
    free(node);
    free(cell);
    free(edge);
    free(bedge);
    if (failed) {
        fprintf(stderr, "airfoil: not enough memory to shuffle a mesh of %d cells\n", mesh->ncell);
        mesh_free(mesh);
        return -1;
    }
    return 0;
}
