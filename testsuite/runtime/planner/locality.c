/* locality.c: planner_locality on meshes whose far reads can be counted by hand, and on generated ones in
 * natural, reversed and random order; the same for any number of threads. */
#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "meshes/meshes.h"

static struct plan_map map_of(const int *row, int dim, int points)
{
    struct plan_map map = {.row = row, .dim = dim, .points = points, .columns = dim};
    for (int c = 0; c < dim; c++) {
        map.column[c] = c;
    }
    return map;
}

/* Measures with several numbers of threads. */
static struct plan_locality measure(int elements, const struct plan_map *map, int sorted)
{
    struct plan_locality first;
    char error[PLANNER_ERROR] = "";
    struct planner planner = {.threads = 1};
    CHECK(planner_locality(&planner, &first, elements, map, sorted, error) == 0);
    for (planner.threads = 2; planner.threads <= 5; planner.threads += 3) {
        struct plan_locality other;
        CHECK(planner_locality(&planner, &other, elements, map, sorted, error) == 0);
        CHECK(other.far == first.far && other.least == first.least && other.torn == first.torn &&
              other.random == first.random);
    }
    CHECK_TEXT(error, "");
    CHECK(first.far >= 0.0 && first.far <= 1.0);
    return first;
}

static int is(double value, double expected)
{
    return fabs(value - expected) < 1e-12;
}

enum { N = 1 << 18 };
static int row[2 * N];

/* Element e of so many names point e * step, of N. */
static struct plan_locality step(int elements, int step, int sorted)
{
    for (int e = 0; e < elements; e++) {
        row[e] = (int)((int64_t)e * step % N);
    }
    struct plan_map map = map_of(row, 1, N);
    return measure(elements, &map, sorted);
}

static void test_counted(void)
{
    struct plan_locality in_order = step(N, 1, 0);
    CHECK(is(in_order.far, 1 / 64.0) && is(in_order.least, 1 / 64.0) && is(in_order.random, 1.0));
    CHECK(is(step(N, N - 1, 0).far, 65 / 4096.0)); /* backwards: windows begin inside stretches */
    CHECK(is(step(N, 3, 0).far, 3 / 64.0));
    CHECK(is(step(N / 4, 65, 0).far, 1.0)); /* windows of 1024; each read goes to another stretch */
    CHECK(is(step(N / 4, 65, 1).far, 64 / 1024.0)); /* sorted, they share the N / 64 stretches */
    for (int e = 0; e < N / 4; e++) { /* one column is near, the other far */
        row[2 * e] = e;
        row[2 * e + 1] = (int)((int64_t)e * 65 % N);
    }
    struct plan_map map = map_of(row, 2, N);
    double both = measure(N / 4, &map, 0).far;
    CHECK(both > 0.5 && both < 0.5 + 0.5 / 64);
    map.columns = 1;
    CHECK(is(measure(N / 4, &map, 0).far, 1 / 64.0));
    map.column[0] = 1;
    CHECK(is(measure(N / 4, &map, 0).far, 1.0));
}

static void test_odd(void)
{
    char error[PLANNER_ERROR] = "";
    struct plan_locality none = {1.0, 1.0, 1.0, 1.0};
    struct plan_map map = map_of(row, 1, 1);
    for (int e = 0; e < N; e++) {
        row[e] = 0;
    }
    /* All elements name one point. */
    CHECK(is(measure(N, &map, 0).far, 1 / 4096.0) && is(measure(N, &map, 1).far, 1.0 / N));
    map.points = 5000;
    CHECK(is(measure(N, &map, 0).far, 1 / 4096.0));
    CHECK(is(measure(1, &map, 0).far, 1.0) && measure(1, &map, 1).far <= 1.0);
    map.columns = 0;
    CHECK(planner_locality(&test_planner, &none, N, &map, 0, error) == 0);
    CHECK(none.far == 0.0 && none.least == 0.0 && none.torn == 0.0 && none.random == 0.0);
    map.columns = 1;
    CHECK(planner_locality(&test_planner, &none, 0, &map, 1, error) == 0);
    row[70] = 5000;
    CHECK(planner_locality(&test_planner, &none, N, &map, 0, error) == -1);
    CHECK_TEXT(error, "map 0, row 70, column 0 is 5000; its set has 5000 points");
}

static void shuffle_elements(struct test_mesh *mesh)
{
    const size_t bytes = (size_t)mesh->map[0].dim * sizeof(int);
    int *place = test_random_permutation(mesh->elements, 3);
    int *moved = malloc((size_t)mesh->elements * bytes);
    for (int e = 0; e < mesh->elements; e++) {
        memcpy((char *)moved + (size_t)place[e] * bytes, (char *)mesh->row[0] + (size_t)e * bytes, bytes);
    }
    memcpy(mesh->row[0], moved, (size_t)mesh->elements * bytes);
    free(moved);
    free(place);
}

/* Moves runs of elements to random places. */
static void shuffle_runs(struct test_mesh *mesh, int length)
{
    const int runs = mesh->elements / length;
    const size_t entries = (size_t)length * (size_t)mesh->map[0].dim;
    int *place = test_random_permutation(runs, 3);
    int *moved = malloc((size_t)runs * entries * sizeof *moved);
    for (int k = 0; k < runs; k++) {
        memcpy(moved + (size_t)place[k] * entries, mesh->row[0] + (size_t)k * entries,
               entries * sizeof *moved);
    }
    memcpy(mesh->row[0], moved, (size_t)runs * entries * sizeof *moved);
    free(moved);
    free(place);
}

/* Good runs at random places have few far reads, but share their points with runs far away. */
static void test_torn(void)
{
    static const enum test_mesh_kind kinds[] = {TEST_MESH_TET, TEST_MESH_QUAD, TEST_MESH_HEX};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        for (int elements = 9000; elements <= 600000; elements *= 8) {
            struct test_mesh mesh;
            test_mesh_make(&mesh, kinds[i], elements, 0, 1);
            CHECK(measure(mesh.elements, &mesh.map[0], 0).torn < 0.1);
            shuffle_runs(&mesh, elements < 100000 ? 128 : 1024);
            CHECK(measure(mesh.elements, &mesh.map[0], 0).torn > 0.4);
            CHECK(measure(mesh.elements, &mesh.map[0], 1).torn < 0.05);
            test_mesh_free(&mesh);
        }
    }
}

/* The share above the least one that an order costs: natural orders have 0.004 at most. */
static double above(const struct test_mesh *mesh, int sorted)
{
    struct plan_locality locality = measure(mesh->elements, &mesh->map[0], sorted);
    CHECK(locality.least <= locality.random);
    CHECK(locality.torn < 0.1 || locality.far - locality.least > 0.03);
    return locality.far - locality.least;
}

static void test_meshes(void)
{
    static const enum test_mesh_kind kinds[] = {TEST_MESH_TET, TEST_MESH_QUAD, TEST_MESH_HEX,
                                                TEST_MESH_ANNULUS, TEST_MESH_GRADED};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct test_mesh mesh;
        test_mesh_make(&mesh, kinds[i], 150000, 0, 1);
        double natural = above(&mesh, 0);
        CHECK(natural >= 0.0 && natural < 0.006);
        CHECK(above(&mesh, 1) < 0.006);
        shuffle_elements(&mesh);
        CHECK(above(&mesh, 0) > 0.05 && above(&mesh, 1) < 0.006);
        test_mesh_shuffle(&mesh, 2);
        CHECK(above(&mesh, 0) > 0.05 && above(&mesh, 1) > 0.03);
        test_mesh_free(&mesh);
    }
}

int main(void)
{
    test_counted();
    test_odd();
    test_torn();
    test_meshes();
    return CHECK_RESULT();
}
