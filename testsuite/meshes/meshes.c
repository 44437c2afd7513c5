/* meshes.c: kinds of meshes by name, and what their generators share. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "meshes_impl.h"

static const char *const names[TEST_MESH_KINDS] = {
    [TEST_MESH_TET] = "tet",
    [TEST_MESH_QUAD] = "quad",
    [TEST_MESH_HEX] = "hex",
    [TEST_MESH_GRADED] = "graded",
    [TEST_MESH_GRADED_QUAD] = "graded-quad",
    [TEST_MESH_ANNULUS] = "annulus",
    [TEST_MESH_PIPE] = "pipe",
    [TEST_MESH_QUAD_NODES] = "quad-nodes",
    [TEST_MESH_STENCIL] = "stencil",
    [TEST_MESH_CHAIN] = "chain",
    [TEST_MESH_STAR] = "star",
};

const char *test_mesh_name(enum test_mesh_kind kind)
{
    return names[kind];
}

int test_mesh_parse(const char *name, enum test_mesh_kind *kind)
{
    for (int k = 0; k < TEST_MESH_KINDS; k++) {
        if (strcmp(name, names[k]) == 0) {
            *kind = k;
            return 0;
        }
    }
    return -1;
}

void *test_memory(size_t count, size_t bytes)
{
    void *memory = malloc(count > 0 ? count * bytes : 1);
    if (memory == NULL) {
        fprintf(stderr, "out of memory for a test mesh (%zu bytes)\n", count * bytes);
        exit(2);
    }
    return memory;
}

int *test_mesh_add_map(struct test_mesh *mesh, int dim, int points, int target)
{
    int m = mesh->maps++;
    mesh->row[m] = test_memory((size_t)mesh->elements * (size_t)dim, sizeof(int));
    mesh->map[m] = (struct plan_map){.row = mesh->row[m],
                                     .dim = dim,
                                     .points = points,
                                     .target = target,
                                     .columns = dim,
                                     .conflicts = target == 0 ? (1u << dim) - 1 : 0};
    for (int k = 0; k < dim; k++) {
        mesh->map[m].column[k] = k;
    }
    return mesh->row[m];
}

double *test_mesh_add_coordinates(struct test_mesh *mesh, int points, int dim, int target)
{
    mesh->at = test_memory((size_t)points * (size_t)dim, sizeof(double));
    mesh->coordinates = (struct plan_coordinates){.at = mesh->at, .dim = dim, .target = target};
    return mesh->at;
}

void test_mesh_box(int side[3], int elements, long long (*count)(const int side[3]))
{
    int fixed[3];
    for (int d = 0; d < 3; d++) {
        fixed[d] = side[d] != 0;
        side[d] = fixed[d] ? side[d] : 1;
    }
    while (count(side) < elements) {
        int least = -1;
        for (int d = 0; d < 3; d++) {
            if (!fixed[d] && (least < 0 || side[d] < side[least])) {
                least = d;
            }
        }
        side[least]++;
    }
}

void test_mesh_make(struct test_mesh *mesh, enum test_mesh_kind kind, int elements, int arity,
                    uint64_t seed)
{
    *mesh = (struct test_mesh){.kind = kind};
    switch (kind) {
    case TEST_MESH_TET:
    case TEST_MESH_GRADED:
        test_mesh_tet(mesh, elements, kind == TEST_MESH_GRADED, seed);
        break;
    case TEST_MESH_HEX:
    case TEST_MESH_PIPE:
        test_mesh_hex(mesh, elements, kind == TEST_MESH_PIPE);
        break;
    case TEST_MESH_STENCIL:
        test_mesh_stencil(mesh, elements, arity);
        break;
    case TEST_MESH_QUAD:
    case TEST_MESH_QUAD_NODES:
        test_mesh_quad(mesh, elements, kind == TEST_MESH_QUAD_NODES);
        break;
    case TEST_MESH_GRADED_QUAD:
        test_mesh_graded_quad(mesh, elements);
        break;
    case TEST_MESH_ANNULUS:
        test_mesh_annulus(mesh, elements);
        break;
    case TEST_MESH_CHAIN:
        test_mesh_chain(mesh, elements);
        break;
    case TEST_MESH_STAR:
        test_mesh_star(mesh, elements);
        break;
    case TEST_MESH_KINDS:
        break;
    }
}

void test_mesh_free(struct test_mesh *mesh)
{
    for (int m = 0; m < mesh->maps; m++) {
        free(mesh->row[m]);
    }
    free(mesh->at);
    *mesh = (struct test_mesh){.kind = mesh->kind};
}
