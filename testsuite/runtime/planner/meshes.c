/* meshes.c: the generated meshes are what their header says, and shuffling only renumbers. */
#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "meshes/meshes.h"

static int entries_fit(const struct test_mesh *mesh)
{
    for (int m = 0; m < mesh->maps; m++) {
        const struct plan_map *map = &mesh->map[m];
        for (size_t i = 0; i < (size_t)mesh->elements * map->dim; i++) {
            if (map->row[i] < 0 || map->row[i] >= map->points) {
                return 0;
            }
        }
    }
    return 1;
}

/* The map that leads to the coordinates. */
static const struct plan_map *located(const struct test_mesh *mesh)
{
    return &mesh->map[mesh->coordinates.target];
}

/* Least, largest and mean distance between the first two points of an element. */
struct lengths {
    double least;
    double most;
    double mean;
};

static struct lengths measure(const struct test_mesh *mesh)
{
    const struct plan_map *map = located(mesh);
    int dim = mesh->coordinates.dim;
    struct lengths lengths = {INFINITY, 0, 0};
    for (int e = 0; e < mesh->elements; e++) {
        const int *row = &map->row[(size_t)e * map->dim];
        double square = 0;
        for (int d = 0; d < dim; d++) {
            double difference =
                mesh->at[(size_t)row[0] * dim + d] - mesh->at[(size_t)row[1] * dim + d];
            square += difference * difference;
        }
        lengths.least = fmin(lengths.least, sqrt(square));
        lengths.most = fmax(lengths.most, sqrt(square));
        lengths.mean += sqrt(square) / mesh->elements;
    }
    return lengths;
}

/* Degrees of the points of the first map: the sum of their squares does not depend on the
 * numbering. */
static double square_degrees(const struct test_mesh *mesh, int *most)
{
    const struct plan_map *map = &mesh->map[0];
    int *degree = calloc((size_t)map->points, sizeof *degree);
    for (size_t i = 0; i < (size_t)mesh->elements * map->dim; i++) {
        degree[map->row[i]]++;
    }
    double sum = 0;
    *most = 0;
    for (int p = 0; p < map->points; p++) {
        sum += (double)degree[p] * degree[p];
        *most = degree[p] > *most ? degree[p] : *most;
    }
    free(degree);
    return sum;
}

static void test_kind(enum test_mesh_kind kind)
{
    struct test_mesh mesh;
    struct test_mesh shuffled;
    enum test_mesh_kind parsed;
    int most[2];
    CHECK(test_mesh_parse(test_mesh_name(kind), &parsed) == 0 && parsed == kind);
    test_mesh_make(&mesh, kind, 1, 16, 1);
    CHECK(mesh.elements >= 1 && entries_fit(&mesh));
    test_mesh_free(&mesh);
    test_mesh_make(&mesh, kind, 30000, 8, 1);
    test_mesh_make(&shuffled, kind, 30000, 8, 1);
    CHECK(mesh.elements >= 30000 && mesh.elements < 36000);
    CHECK(memcmp(mesh.row[0], shuffled.row[0], (size_t)mesh.elements * mesh.map[0].dim * 4) == 0);
    test_mesh_shuffle(&shuffled, 7);
    CHECK(entries_fit(&mesh) && entries_fit(&shuffled));
    CHECK(memcmp(mesh.row[0], shuffled.row[0], (size_t)mesh.elements * mesh.map[0].dim * 4) != 0);
    struct lengths before = measure(&mesh);
    struct lengths after = measure(&shuffled);
    CHECK(before.least > 0 && before.least == after.least && before.most == after.most);
    CHECK(fabs(before.mean - after.mean) < 1e-9 * before.mean);
    CHECK(square_degrees(&mesh, &most[0]) == square_degrees(&shuffled, &most[1]));
    CHECK(most[0] == most[1]);
    test_mesh_free(&mesh);
    test_mesh_free(&shuffled);
    test_mesh_free(&shuffled);
}

/* Most points per element, and the shape that each kind promises. */
static void test_shapes(void)
{
    struct test_mesh mesh;
    int most;
    test_mesh_make(&mesh, TEST_MESH_TET, 100000, 0, 1);
    struct lengths lengths = measure(&mesh);
    CHECK(2. * mesh.elements / mesh.map[0].points > 12.5 && lengths.most < 3);
    square_degrees(&mesh, &most);
    CHECK(most > 18 && most <= 26);
    test_mesh_free(&mesh);
    test_mesh_make(&mesh, TEST_MESH_GRADED, 100000, 0, 1);
    lengths = measure(&mesh);
    CHECK(lengths.least > 1e-5 && lengths.least < 1e-3 && lengths.most > 1 && lengths.most < 5);
    test_mesh_free(&mesh);
    test_mesh_make(&mesh, TEST_MESH_GRADED_QUAD, 100000, 0, 1);
    lengths = measure(&mesh);
    CHECK(lengths.least > 0.9e-4 && lengths.least < 2e-4 && lengths.most > 0.9);
    square_degrees(&mesh, &most);
    CHECK(most == 4);
    test_mesh_free(&mesh);
    test_mesh_make(&mesh, TEST_MESH_ANNULUS, 100000, 0, 1);
    CHECK(mesh.elements == 2 * mesh.map[0].points - (int)sqrt(2. * mesh.map[0].points));
    square_degrees(&mesh, &most);
    CHECK(most == 4);
    test_mesh_free(&mesh);
    test_mesh_make(&mesh, TEST_MESH_STAR, 1000, 0, 1);
    square_degrees(&mesh, &most);
    CHECK(mesh.elements == 1000 && most == 1000);
    test_mesh_free(&mesh);
}

static void test_stencils(void)
{
    for (int arity = 1; arity <= 16; arity++) {
        struct test_mesh mesh;
        int most;
        test_mesh_make(&mesh, TEST_MESH_STENCIL, 8000, arity, 1);
        CHECK(mesh.elements == 8000 && mesh.map[0].columns == arity && entries_fit(&mesh));
        square_degrees(&mesh, &most);
        CHECK(most == arity);
        int repeated = 0;
        for (int e = 0; e < mesh.elements; e++) {
            for (int c = 1; c < arity; c++) {
                for (int d = 0; d < c; d++) {
                    repeated += mesh.row[0][e * arity + c] == mesh.row[0][e * arity + d];
                }
            }
        }
        CHECK(repeated == 0);
        test_mesh_free(&mesh);
    }
}

static void test_random_numbers(void)
{
    uint64_t state = 0;
    int count[7] = {0};
    CHECK(test_random(&state) == UINT64_C(0xe220a8397b1dcdaf)); /* splitmix64's first from 0 */
    for (int i = 0; i < 70000; i++) {
        int value = test_random_below(&state, 7);
        CHECK(value >= 0 && value < 7);
        count[value]++;
    }
    for (int v = 0; v < 7; v++) {
        CHECK(count[v] > 9500 && count[v] < 10500);
    }
}

int main(void)
{
    for (int kind = 0; kind < TEST_MESH_KINDS; kind++) {
        test_kind((enum test_mesh_kind)kind);
    }
    test_shapes();
    test_stencils();
    test_random_numbers();
    return CHECK_RESULT();
}
