/* meshes.c: see meshes.h. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "meshes.h"

static void *need(size_t bytes)
{
    void *memory = malloc(bytes > 0 ? bytes : 1);
    if (memory == NULL) {
        fprintf(stderr, "out of memory for a test mesh (%zu bytes)\n", bytes);
        exit(2);
    }
    return memory;
}

int *mesh_add_map(struct mesh *mesh, int dim, int points, int target, unsigned conflicts)
{
    int m = mesh->maps++;
    mesh->row[m] = need((size_t)mesh->elements * dim * sizeof(int));
    mesh->map[m] = (struct plan_map){.row = mesh->row[m],
                                     .dim = dim,
                                     .points = points,
                                     .target = target,
                                     .columns = dim,
                                     .conflicts = conflicts};
    for (int k = 0; k < dim; k++) {
        mesh->map[m].column[k] = k;
    }
    return mesh->row[m];
}

void mesh_quads(struct mesh *mesh, int nx, int ny)
{
    *mesh = (struct mesh){.elements = (nx - 1) * ny + nx * (ny - 1)};
    int *cell = mesh_add_map(mesh, 2, nx * ny, 0, 3);
    int *node = mesh_add_map(mesh, 2, (nx + 1) * (ny + 1), 1, 0);
    int e = 0;
    for (int j = 0; j < ny; j++) {
        for (int i = 0; i < nx; i++) {
            int corner = j * (nx + 1) + i;
            if (i + 1 < nx) {
                cell[2 * e] = j * nx + i;
                cell[2 * e + 1] = j * nx + i + 1;
                node[2 * e] = corner + 1;
                node[2 * e++ + 1] = corner + nx + 2;
            }
            if (j + 1 < ny) {
                cell[2 * e] = j * nx + i;
                cell[2 * e + 1] = (j + 1) * nx + i;
                node[2 * e] = corner + nx + 1;
                node[2 * e++ + 1] = corner + nx + 2;
            }
        }
    }
}

void mesh_hexes(struct mesh *mesh, int n)
{
    *mesh = (struct mesh){.elements = n * n * n};
    int side = n + 1;
    int *node = mesh_add_map(mesh, 8, side * side * side, 0, 0xff);
    for (int e = 0; e < mesh->elements; e++) {
        int i = e % n;
        int j = e / n % n;
        int k = e / n / n;
        for (int c = 0; c < 8; c++) {
            node[8 * e + c] = ((k + (c >> 2)) * side + j + (c >> 1 & 1)) * side + i + (c & 1);
        }
    }
}

void mesh_chain(struct mesh *mesh, int elements)
{
    *mesh = (struct mesh){.elements = elements};
    int *row = mesh_add_map(mesh, 2, elements + 1, 0, 3);
    for (int e = 0; e < elements; e++) {
        row[2 * e] = e;
        row[2 * e + 1] = e + 1;
    }
}

void mesh_star(struct mesh *mesh, int elements)
{
    *mesh = (struct mesh){.elements = elements};
    int *row = mesh_add_map(mesh, 2, elements + 1, 0, 3);
    for (int e = 0; e < elements; e++) {
        row[2 * e] = 0;
        row[2 * e + 1] = e + 1;
    }
}

static uint64_t next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

static int *random_permutation(int count, uint64_t *state)
{
    int *list = need((size_t)count * sizeof *list);
    for (int i = 0; i < count; i++) {
        list[i] = i;
    }
    for (int i = count - 1; i > 0; i--) {
        int j = (int)(next_random(state) % (uint64_t)(i + 1));
        int other = list[i];
        list[i] = list[j];
        list[j] = other;
    }
    return list;
}

void mesh_shuffle(struct mesh *mesh, unsigned seed)
{
    uint64_t of_elements = seed;
    int *element = random_permutation(mesh->elements, &of_elements);
    for (int m = 0; m < mesh->maps; m++) {
        struct plan_map *map = &mesh->map[m];
        uint64_t of_set = seed + 1000 + (unsigned)map->target;
        int *point = random_permutation(map->points, &of_set);
        int *row = need((size_t)mesh->elements * map->dim * sizeof *row);
        for (int e = 0; e < mesh->elements; e++) {
            for (int c = 0; c < map->dim; c++) {
                row[(size_t)element[e] * map->dim + c] = point[map->row[(size_t)e * map->dim + c]];
            }
        }
        free(mesh->row[m]);
        free(point);
        mesh->row[m] = row;
        map->row = row;
    }
    free(element);
}

void mesh_free(struct mesh *mesh)
{
    for (int m = 0; m < mesh->maps; m++) {
        free(mesh->row[m]);
    }
    mesh->maps = 0;
}
