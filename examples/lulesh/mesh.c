/* mesh.c: makes the cube of mesh.h. */
#include "mesh.h"

#include <stdlib.h>
#include <string.h>

#include "../common/permute.h"
#include "../common/run.h"

static const double EDGE = 1.125;

static int *array(size_t count)
{
    int *memory = (int *)malloc(count * sizeof *memory);
    if (memory == NULL) {
        run_failed("lulesh", "not enough memory for %zu numbers of the mesh", count);
    }
    return memory;
}

static void allocate(struct mesh *mesh)
{
    const size_t elements = (size_t)mesh->box.cells;
    for (int s = 0; s < SIDES; s++) {
        mesh->neighbour[s] = array(elements);
    }
    mesh->side = array(SIDES * elements);
    mesh->element = array(elements);
    mesh->plane_nodes = (mesh->box.n[0] + 1) * (mesh->box.n[0] + 1);
    for (int d = 0; d < 3; d++) {
        mesh->plane[d] = array((size_t)mesh->plane_nodes);
    }
}

/* The neighbours of an element at the place `at` of the cube. */
static void make_element(struct mesh *mesh, int e, const int at[3])
{
    const int n = mesh->box.n[0];
    int step = 1;
    mesh->element[e] = e;
    for (int d = 0; d < 3; d++, step *= n) {
        const int minus = 2 * d, plus = 2 * d + 1;
        const int first = at[d] == 0, last = at[d] == n - 1;
        int *side = mesh->side + SIDES * (size_t)e;
        mesh->neighbour[minus][e] = first ? e : e - step;
        mesh->neighbour[plus][e] = last ? e : e + step;
        side[minus] = first ? SYMMETRY : INSIDE;
        side[plus] = last ? FREE : INSIDE;
    }
}

static void make_elements(struct mesh *mesh)
{
    const int n = mesh->box.n[0];
    int e = 0;
    for (int k = 0; k < n; k++) {
        for (int j = 0; j < n; j++) {
            for (int i = 0; i < n; i++, e++) {
                make_element(mesh, e, (const int[3]){i, j, k});
            }
        }
    }
}

static void make_planes(struct mesh *mesh)
{
    const int side = mesh->box.n[0] + 1;
    for (int i = 0; i < mesh->plane_nodes; i++) {
        const int a = i % side, b = i / side;
        mesh->plane[0][i] = hex_box_node(&mesh->box, 0, a, b);
        mesh->plane[1][i] = hex_box_node(&mesh->box, a, 0, b);
        mesh->plane[2][i] = hex_box_node(&mesh->box, a, b, 0);
    }
}

static void shuffle_mesh(struct mesh *mesh, int seed)
{
    const int nodes = mesh->box.nodes, elements = mesh->box.cells;
    int *node = permutation_new(nodes, seed);
    int *element = permutation_new(elements, seed + 1);
    int *plane = permutation_new(mesh->plane_nodes, seed + 2);
    permute_rows(mesh->box.x, nodes, 3 * sizeof *mesh->box.x, node);
    permute_rows(mesh->box.cell, elements, 8 * sizeof *mesh->box.cell, element);
    permute_entries(mesh->box.cell, 8 * (size_t)elements, node);
    permute_rows(mesh->side, elements, SIDES * sizeof *mesh->side, element);
    permute_entries(mesh->element, (size_t)elements, element);
    for (int s = 0; s < SIDES; s++) {
        permute_rows(mesh->neighbour[s], elements, sizeof *mesh->neighbour[s], element);
        permute_entries(mesh->neighbour[s], (size_t)elements, element);
    }
    for (int d = 0; d < 3; d++) {
        permute_rows(mesh->plane[d], mesh->plane_nodes, sizeof *mesh->plane[d], plane);
        permute_entries(mesh->plane[d], (size_t)mesh->plane_nodes, node);
    }
    free(node);
    free(element);
    free(plane);
}

void mesh_make(struct mesh *mesh, int size, int shuffle)
{
    const int status = hex_box_make(&mesh->box, (const int[3]){size, size, size},
                                    (const double[3]){EDGE, EDGE, EDGE});
    if (status != 0) {
        exit(status);
    }
    allocate(mesh);
    make_elements(mesh);
    make_planes(mesh);
    if (shuffle != 0) {
        shuffle_mesh(mesh, shuffle);
    }
}

void mesh_free(struct mesh *mesh)
{
    hex_box_free(&mesh->box);
    for (int s = 0; s < SIDES; s++) {
        free(mesh->neighbour[s]);
    }
    for (int d = 0; d < 3; d++) {
        free(mesh->plane[d]);
    }
    free(mesh->side);
    free(mesh->element);
    memset(mesh, 0, sizeof *mesh);
}
