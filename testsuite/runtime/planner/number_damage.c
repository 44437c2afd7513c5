/* number_damage.c: numberings of what is no decent mesh: nothing, one element, hubs, isolated
 * points, repeats, one or sixteen points per element, coordinates that say nothing. Each must be
 * valid, for every kind of start, and hubs must not take quadratic time. */
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <time.h>

#include "check.h"
#include "meshes/meshes.h"

static const char *const METHODS[] = {"default",       "hard",           "none",
                                      "none+refine",   "hilbert+refine", "rcb+anneal",
                                      "chunks+refine", "grow",           "rcm"};

static uint64_t state = 1;

static int is_valid(const struct plan_numbering *numbering, int elements, int block_size)
{
    char *seen = calloc((size_t)elements + 1, 1);
    int valid = numbering->elements == elements && numbering->start[0] == 0 &&
                numbering->start[numbering->blocks] == elements &&
                numbering->method.improve != PLAN_IMPROVE_DEFAULT &&
                numbering->method.start != PLAN_START_DEFAULT;
    for (int b = 0; valid && b < numbering->blocks; b++) {
        int count = numbering->start[b + 1] - numbering->start[b];
        valid = count > 0 && count <= block_size;
    }
    for (int i = 0; valid && i < elements; i++) {
        int e = numbering->order[i];
        valid = e >= 0 && e < elements && !seen[e];
        seen[valid ? e : 0] = 1;
    }
    free(seen);
    return valid;
}

static int compare_ints(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static int is_order(const int *order, int points)
{
    int *sorted = malloc(((size_t)points + 1) * sizeof *sorted);
    memcpy(sorted, order, (size_t)points * sizeof *sorted);
    qsort(sorted, (size_t)points, sizeof *sorted, compare_ints);
    int wrong = 0;
    for (int p = 0; p < points; p++) {
        wrong += sorted[p] != p;
    }
    free(sorted);
    return wrong == 0;
}

static void check_numbering(const char *what, const char *method, int elements, int maps,
                            const struct plan_map *map, const struct plan_coordinates *coordinates,
                            int block_size)
{
    char error[PLANNER_ERROR] = "";
    struct plan_numbering *numbering = NULL;
    struct plan_numbering_options options = {.block_size = block_size};
    CHECK(planner_method_parse(method, &options.method) == 0);
    int status = planner_number(&test_planner, &numbering, elements, maps, map, coordinates,
                                &options, NULL, error);
    CHECK_TEXT(error, "");
    CHECK(status == 0 && numbering != NULL);
    int valid = status == 0 && is_valid(numbering, elements, block_size);
    CHECK(valid);
    for (int m = 0; valid && m < maps; m++) {
        int *order = malloc(((size_t)map[m].points + 1) * sizeof *order);
        CHECK(planner_order_points(&test_planner, order, map[m].points, map[m].target, numbering,
                                   maps, map, NULL, error) == 0);
        CHECK(is_order(order, map[m].points));
        free(order);
    }
    if (!valid) {
        fprintf(stderr, "%s by %s, blocks of %d\n", what, method, block_size);
    }
    planner_numbering_free(numbering);
}

static void check_all(const char *what, int elements, int maps, const struct plan_map *map,
                      const struct plan_coordinates *coordinates)
{
    for (size_t i = 0; i < sizeof METHODS / sizeof *METHODS; i++) {
        check_numbering(what, METHODS[i], elements, maps, map, coordinates, 256);
        check_numbering(what, METHODS[i], elements, maps, map, coordinates, 3);
    }
}

/* A map of `dim` columns whose entries are the caller's to set. */
static struct plan_map make_map(int *row, int dim, int points)
{
    struct plan_map map = {.row = row, .dim = dim, .points = points, .columns = dim};
    for (int k = 0; k < dim; k++) {
        map.column[k] = k;
    }
    return map;
}

static void test_nothing(void)
{
    static int row[] = {0, 1};
    struct plan_map map = make_map(row, 2, 2);
    struct plan_map unused = {.row = row, .dim = 2, .points = 2};
    double at[] = {0, 0, 1, 1};
    struct plan_coordinates coordinates = {at, 0, 2, 0};
    check_all("no elements", 0, 1, &map, &coordinates);
    check_all("no elements, no maps", 0, 0, NULL, NULL);
    check_all("one element", 1, 1, &map, &coordinates);
    check_all("elements without maps", 1000, 0, NULL, NULL);
    check_all("a map without columns", 1, 1, &unused, &coordinates);
}

/* Every element through one point (of `hubs`) and a point of its own. */
static void test_hub(int elements, int hubs)
{
    int *row = malloc(sizeof *row * 2 * (size_t)elements);
    for (int e = 0; e < elements; e++) {
        row[2 * e] = e % hubs;
        row[2 * e + 1] = hubs + e;
    }
    struct plan_map map = make_map(row, 2, hubs + elements);
    double *at = calloc(2 * ((size_t)hubs + (size_t)elements), sizeof *at);
    for (int e = 0; e < elements; e++) {
        at[2 * (hubs + e)] = cos(e);
        at[2 * (hubs + e) + 1] = sin(e);
    }
    struct plan_coordinates coordinates = {at, 0, 2, 0};
    clock_t begin = clock();
    for (size_t i = 0; i < sizeof METHODS / sizeof *METHODS; i++) {
        check_numbering("a hub", METHODS[i], elements, 1, &map, NULL, 256);
        check_numbering("a hub", METHODS[i], elements, 1, &map, &coordinates, 256);
    }
    /* 18 numberings of 10^10 steps each would take minutes. */
    CHECK((double)(clock() - begin) / CLOCKS_PER_SEC < 80);
    free(row);
    free(at);
}

static void check_random(int elements, int dim, int points, int repeat)
{
    int *row = malloc(sizeof *row * (size_t)dim * (size_t)elements);
    double *at = malloc(3 * sizeof *at * (size_t)points);
    for (int i = 0; i < elements * dim; i++) {
        row[i] = repeat && i % 3 == 1 ? row[i - 1] : test_random_below(&state, points);
    }
    for (int i = 0; i < 3 * points; i++) {
        at[i] = test_random_below(&state, 1000);
    }
    struct plan_map map = make_map(row, dim, points);
    struct plan_coordinates coordinates = {at, 0, 3, 0};
    check_all("random", elements, 1, &map, NULL);
    check_all("random", elements, 1, &map, &coordinates);
    free(row);
    free(at);
}

/* Coordinates that are all the same, on a line, not numbers, infinite, or huge. */
static void test_coordinates(void)
{
    struct test_mesh mesh;
    test_mesh_make(&mesh, TEST_MESH_QUAD, 5000, 0, 1);
    test_mesh_shuffle(&mesh, 1);
    int points = mesh.map[0].points;
    const double odd[] = {NAN, INFINITY, -INFINITY, 1.7e308, -1.7e308, 5e-324, 0, 1};
    for (int kind = 0; kind < 5; kind++) {
        for (int p = 0; p < points; p++) {
            for (int d = 0; d < 2; d++) {
                double *at = &mesh.at[2 * p + d];
                *at = kind == 0   ? 7
                      : kind == 1 ? (d == 0 ? p : 3)
                      : kind == 2 ? NAN
                      : kind == 3 ? odd[test_random_below(&state, 8)]
                                  : (p % 2 ? 1e300 : -1e300);
            }
        }
        check_all("odd coordinates", mesh.elements, 1, mesh.map, &mesh.coordinates);
    }
    test_mesh_free(&mesh);
}

/* Elements that share no point stay in runs, full ones. */
static void test_nothing_shared(void)
{
    enum { ELEMENTS = 1000 };
    int row[2 * ELEMENTS];
    char error[PLANNER_ERROR];
    struct plan_numbering *numbering;
    struct plan_numbering_options options = {.block_size = 64};
    for (int i = 0; i < 2 * ELEMENTS; i++) {
        row[i] = i * 7 % (2 * ELEMENTS);
    }
    struct plan_map map = make_map(row, 2, 2 * ELEMENTS);
    CHECK(planner_number(&test_planner, &numbering, ELEMENTS, 1, &map, NULL, &options, NULL,
                         error) == 0);
    CHECK(numbering->blocks == 16 && numbering->start[1] == 64 && numbering->order[999] == 999);
    CHECK(numbering->method.start == PLAN_START_NONE);
    planner_numbering_free(numbering);
}

/* The points of {0,1}, {1,2}, {2,3}, one element per block: those of one block alone, then those
 * shared with the next; what nothing touches comes last. */
static void test_order_of_points(void)
{
    static int row[] = {5, 4, 4, 3, 3, 2};
    static const int EXPECTED[] = {5, 4, 3, 2, 0, 1};
    int order[6];
    char error[PLANNER_ERROR];
    int start[] = {0, 1, 2, 3};
    int elements[] = {0, 1, 2};
    struct plan_map map = make_map(row, 2, 6);
    struct plan_numbering numbering = {3,     3,        1,
                                       start, elements, {PLAN_START_NONE, PLAN_IMPROVE_NONE}};
    CHECK(planner_order_points(&test_planner, order, 6, 0, &numbering, 1, &map, NULL, error) == 0);
    CHECK(memcmp(order, EXPECTED, sizeof order) == 0);
    static const int BACKWARDS[] = {2, 3, 4, 5, 0, 1};
    elements[0] = 2;
    elements[2] = 0;
    CHECK(planner_order_points(&test_planner, order, 6, 0, &numbering, 1, &map, NULL, error) == 0);
    CHECK(memcmp(order, BACKWARDS, sizeof order) == 0);
}

/* More maps to one set than a loop may have: here a thousand columns name the points. */
static void test_many_maps(void)
{
    enum { MAPS = 200, COLUMNS = 5, ELEMENTS = 30, POINTS = 1000 };
    static int row[MAPS][ELEMENTS * COLUMNS];
    struct plan_map map[MAPS];
    int order[POINTS];
    int start[] = {0, 10, 20, 30};
    int elements[ELEMENTS];
    char error[PLANNER_ERROR];
    for (int m = 0; m < MAPS; m++) {
        map[m] = make_map(row[m], COLUMNS, POINTS);
        for (int i = 0; i < ELEMENTS * COLUMNS; i++) { /* block b: the points b, b + 3, ... */
            row[m][i] = (m * COLUMNS + i % COLUMNS) / 3 * 3 % 999 + i / COLUMNS / 10;
        }
    }
    for (int e = 0; e < ELEMENTS; e++) {
        elements[e] = e;
    }
    struct plan_numbering numbering = {ELEMENTS, 3,        10,
                                       start,    elements, {PLAN_START_NONE, PLAN_IMPROVE_NONE}};
    CHECK(planner_order_points(&test_planner, order, POINTS, 0, &numbering, MAPS, map, NULL,
                               error) == 0);
    int wrong = 0;
    for (int i = 0; i < POINTS; i++) {
        wrong += order[i] != (i < 999 ? i % 333 * 3 + i / 333 : 999);
    }
    CHECK(wrong == 0);
}

int main(void)
{
    omp_set_num_threads(2);
    test_nothing();
    test_nothing_shared();
    test_order_of_points();
    test_many_maps();
    check_random(3000, 1, 100, 0);
    check_random(3000, 2, 500, 1);
    check_random(1500, 16, 300, 0);
    check_random(500, 16, 3, 1);
    check_random(2000, 4, 100000, 0);
    test_coordinates();
    test_hub(100000, 1);
    test_hub(30000, 40);
    return CHECK_RESULT();
}
