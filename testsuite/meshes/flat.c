/* flat.c: meshes in the plane: quadrilaterals, chain and star. */
#include <math.h>

#include "meshes_impl.h"

/* A rectangle of cells, numbered along x first. */
struct cells {
    int x;
    int y;
    int periodic; /* 1: the last cell of a row is joined to its first */
};

static long long rectangle_edges(const int side[3])
{
    long long x = side[0], y = side[1];
    return (x - 1) * y + x * (y - 1);
}

/* Interior edges -> 2 cells: that to the next cell of the row, that to the next row. */
static void edge_cells(struct test_mesh *mesh, const struct cells *cells)
{
    int *row = test_mesh_add_map(mesh, 2, cells->x * cells->y, 0);
    for (int j = 0; j < cells->y; j++) {
        for (int i = 0; i < cells->x; i++) {
            int cell = j * cells->x + i;
            if (i + 1 < cells->x || cells->periodic) {
                *row++ = cell;
                *row++ = j * cells->x + (i + 1) % cells->x;
            }
            if (j + 1 < cells->y) {
                *row++ = cell;
                *row++ = cell + cells->x;
            }
        }
    }
}

/* The two ends of the same edges, in the same order. */
static void edge_nodes(struct test_mesh *mesh, const struct cells *cells)
{
    int across = cells->x + 1;
    int *row = test_mesh_add_map(mesh, 2, across * (cells->y + 1), 1);
    for (int j = 0; j < cells->y; j++) {
        for (int i = 0; i < cells->x; i++) {
            int corner = j * across + i;
            if (i + 1 < cells->x) {
                *row++ = corner + 1;
                *row++ = corner + across + 1;
            }
            if (j + 1 < cells->y) {
                *row++ = corner + across;
                *row++ = corner + across + 1;
            }
        }
    }
}

void test_mesh_quad(struct test_mesh *mesh, int elements, int with_nodes)
{
    int side[3] = {0, 0, 1};
    test_mesh_box(side, elements, rectangle_edges);
    struct cells cells = {side[0], side[1], 0};
    mesh->elements = (int)rectangle_edges(side);
    edge_cells(mesh, &cells);
    int across = cells.x;
    int points = cells.x * cells.y;
    if (with_nodes) {
        edge_nodes(mesh, &cells);
        across = cells.x + 1;
        points = across * (cells.y + 1);
    }
    double *at = test_mesh_add_coordinates(mesh, points, 2, with_nodes ? 1 : 0);
    for (int p = 0; p < points; p++) {
        at[2 * (size_t)p] = p % across + (with_nodes ? 0 : 0.5);
        at[2 * (size_t)p + 1] = p / across + (with_nodes ? 0 : 0.5);
    }
}

void test_mesh_graded_quad(struct test_mesh *mesh, int elements)
{
    const double aspect = 1e4;
    int layers = (int)fmax(16, sqrt(elements / 8.0));
    int side[3] = {0, layers, 1};
    test_mesh_box(side, elements, rectangle_edges);
    struct cells cells = {side[0], side[1], 0};
    mesh->elements = (int)rectangle_edges(side);
    edge_cells(mesh, &cells);
    double growth = pow(aspect, 1.0 / (layers - 1));
    double radius = side[0] / M_PI; /* of the wall, a half circle of unit spacing */
    double *at = test_mesh_add_coordinates(mesh, cells.x * cells.y, 2, 0);
    for (int j = 0; j < layers; j++) {
        double spacing = pow(growth, j) / aspect;
        double middle = radius + (spacing - 1 / aspect) / (growth - 1) + 0.5 * spacing;
        for (int i = 0; i < cells.x; i++) {
            double angle = (i + 0.5) / radius;
            *at++ = middle * cos(angle);
            *at++ = middle * sin(angle);
        }
    }
}

static long long ring_edges(int around)
{
    long long across = around / 2;
    return around * across + around * (across - 1);
}

void test_mesh_annulus(struct test_mesh *mesh, int elements)
{
    int around = 4;
    while (ring_edges(around) < elements) {
        around += 2;
    }
    struct cells cells = {around, around / 2, 1};
    mesh->elements = (int)ring_edges(around);
    edge_cells(mesh, &cells);
    double step = 2 * M_PI / around;
    double *at = test_mesh_add_coordinates(mesh, cells.x * cells.y, 2, 0);
    for (int j = 0; j < cells.y; j++) {
        double radius = exp((j + 0.5) * step);
        for (int i = 0; i < cells.x; i++) {
            *at++ = radius * cos((i + 0.5) * step);
            *at++ = radius * sin((i + 0.5) * step);
        }
    }
}

void test_mesh_chain(struct test_mesh *mesh, int elements)
{
    mesh->elements = elements;
    int *row = test_mesh_add_map(mesh, 2, elements + 1, 0);
    double *at = test_mesh_add_coordinates(mesh, elements + 1, 2, 0);
    for (int e = 0; e <= elements; e++) {
        at[2 * (size_t)e] = e;
        at[2 * (size_t)e + 1] = 0;
    }
    for (int e = 0; e < elements; e++) {
        *row++ = e;
        *row++ = e + 1;
    }
}

void test_mesh_star(struct test_mesh *mesh, int elements)
{
    mesh->elements = elements;
    int *row = test_mesh_add_map(mesh, 2, elements + 1, 0);
    double *at = test_mesh_add_coordinates(mesh, elements + 1, 2, 0);
    at[0] = 0;
    at[1] = 0;
    for (int e = 0; e < elements; e++) {
        *row++ = 0;
        *row++ = e + 1;
        at[2 * (size_t)e + 2] = cos(2 * M_PI * e / elements);
        at[2 * (size_t)e + 3] = sin(2 * M_PI * e / elements);
    }
}
