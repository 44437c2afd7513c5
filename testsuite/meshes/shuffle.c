/* shuffle.c: random numbers, and renumbering by them. */
#include <stdlib.h>
#include <string.h>

#include "meshes_impl.h"

uint64_t test_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

int test_random_below(uint64_t *state, int bound)
{
    return (int)(((test_random(state) >> 32) * (uint64_t)bound) >> 32);
}

/* Rows change places in the map itself: no array of the elements' new numbers is needed, and maps
 * that are shuffled with the same seed move alike. */
static void shuffle_rows(int *row, int rows, int dim, uint64_t seed)
{
    int other[CLEAVE_MAX_COLUMNS];
    size_t bytes = (size_t)dim * sizeof *row;
    for (int i = rows - 1; i > 0; i--) {
        int *a = &row[(size_t)i * dim];
        int *b = &row[(size_t)test_random_below(&seed, i + 1) * dim];
        memcpy(other, a, bytes);
        memmove(a, b, bytes);
        memcpy(b, other, bytes);
    }
}

int *test_random_permutation(int count, uint64_t seed)
{
    int *list = test_memory((size_t)count, sizeof *list);
    for (int i = 0; i < count; i++) {
        list[i] = i;
    }
    for (int i = count - 1; i > 0; i--) {
        int j = test_random_below(&seed, i + 1);
        int other = list[i];
        list[i] = list[j];
        list[j] = other;
    }
    return list;
}

static void move_coordinates(struct test_mesh *mesh, int points, const int *number)
{
    int dim = mesh->coordinates.dim;
    double *at = test_memory((size_t)points * dim, sizeof *at);
    for (int p = 0; p < points; p++) {
        memcpy(&at[(size_t)number[p] * dim], &mesh->at[(size_t)p * dim], (size_t)dim * sizeof *at);
    }
    free(mesh->at);
    mesh->at = at;
    mesh->coordinates.at = at;
}

void test_mesh_shuffle(struct test_mesh *mesh, uint64_t seed)
{
    for (int m = 0; m < mesh->maps; m++) {
        const struct plan_map *map = &mesh->map[m];
        int *number = test_random_permutation(map->points, seed + 1 + (uint64_t)map->target);
        size_t entries = (size_t)mesh->elements * map->dim;
        for (size_t i = 0; i < entries; i++) {
            mesh->row[m][i] = number[mesh->row[m][i]];
        }
        if (mesh->at != NULL && mesh->coordinates.target == map->target) {
            move_coordinates(mesh, map->points, number);
        }
        free(number);
        shuffle_rows(mesh->row[m], mesh->elements, map->dim, seed);
    }
}
