/* bands.c: the start `bands`: every element once, chains in their order, components one after the other,
 * few far reads on shuffled meshes, the same for any number of threads, and improvements behind it. */
#include <stdlib.h>

#include "graph_cases.h"

static int *bands_of(const struct plan_mesh *mesh)
{
    char error[PLANNER_ERROR] = "";
    int *order = malloc(((size_t)mesh->elements + 1) * sizeof *order);
    char *seen = calloc((size_t)mesh->elements + 1, 1);
    int wrong = 0;
    CHECK(planner_blocks_bands(order, mesh, error) == 0);
    CHECK_TEXT(error, "");
    for (int i = 0; i < mesh->elements; i++) {
        if (order[i] < 0 || order[i] >= mesh->elements || seen[order[i]]++) {
            wrong++;
        }
    }
    CHECK(wrong == 0);
    free(seen);
    return order;
}

/* The elements of a shuffled chain come in their order, from either end. */
static void test_chain(void)
{
    struct plan_mesh mesh;
    graph_case(&mesh, TEST_MESH_CHAIN, 1000, 0);
    int *order = bands_of(&mesh);
    int apart = 0;
    for (int i = 1; i < mesh.elements; i++) {
        const int *a = mesh.point + (size_t)2 * (size_t)order[i - 1];
        const int *b = mesh.point + (size_t)2 * (size_t)order[i];
        apart += a[0] != b[0] && a[0] != b[1] && a[1] != b[0] && a[1] != b[1];
    }
    CHECK(apart == 0);
    free(order);
    planner_mesh_free(&mesh);
}

/* Components, isolated points, repeats, a hub. */
static void test_odd(void)
{
    static const int row[] = {0, 0, 9, 9, 9, 2, 5, 6, 2, 9, 4, 5, 2, 2, 6, 4};
    static const char second[] = {0, 0, 0, 1, 0, 1, 0, 1};
    struct plan_mesh mesh;
    graph_case_rows(&mesh, 8, 2, 12, row);
    int *order = bands_of(&mesh);
    CHECK(order[0] == 0); /* the component of point 0, then that of 2, then that of 4 */
    for (int i = 1; i < 8; i++) {
        CHECK(second[order[i]] == (i > 4));
    }
    free(order);
    planner_mesh_free(&mesh);
    graph_case(&mesh, TEST_MESH_STAR, 50000, 0);
    free(bands_of(&mesh));
    planner_mesh_free(&mesh);
}

static struct plan_numbering *number(const struct test_mesh *mesh, int threads,
                                     enum plan_improvement improve)
{
    char error[PLANNER_ERROR] = "";
    struct plan_numbering *numbering;
    struct planner planner = {.threads = threads};
    struct plan_numbering_options options = {300, {PLAN_START_BANDS, improve}, 0};
    CHECK(planner_number(&planner, &numbering, mesh->elements, mesh->maps, mesh->map, NULL,
                         &options, NULL, error) == 0);
    CHECK_TEXT(error, "");
    CHECK(numbering->method.start == PLAN_START_BANDS && numbering->method.improve == improve);
    return numbering;
}

/* The far reads above the least of a numbering, points numbered as elements name them first. */
static double far_reads(const struct test_mesh *mesh, const struct plan_numbering *numbering)
{
    char error[PLANNER_ERROR] = "";
    const int dim = mesh->map[0].dim;
    struct plan_locality locality;
    struct plan_map map = mesh->map[0];
    int *row = malloc((size_t)mesh->elements * (size_t)dim * sizeof *row);
    int *name = malloc((size_t)map.points * sizeof *name);
    int points = 0;
    memset(name, 0xff, (size_t)map.points * sizeof *name);
    for (int i = 0; i < mesh->elements; i++) {
        for (int c = 0; c < dim; c++) {
            int *at = &name[map.row[(size_t)numbering->order[i] * (size_t)dim + (size_t)c]];
            *at = *at < 0 ? points++ : *at;
            row[(size_t)i * (size_t)dim + (size_t)c] = *at;
        }
    }
    map.row = row;
    CHECK(planner_locality(&test_planner, &locality, mesh->elements, &map, 0, error) == 0);
    free(row);
    free(name);
    return locality.far - locality.least;
}

static void test_meshes(void)
{
    static const enum test_mesh_kind kinds[] = {TEST_MESH_TET, TEST_MESH_QUAD, TEST_MESH_HEX,
                                                TEST_MESH_ANNULUS, TEST_MESH_GRADED};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct test_mesh mesh;
        test_mesh_make(&mesh, kinds[i], 100000, 0, 1);
        test_mesh_shuffle(&mesh, 2);
        struct plan_numbering *one = number(&mesh, 1, PLAN_IMPROVE_NONE);
        struct plan_numbering *three = number(&mesh, 3, PLAN_IMPROVE_NONE);
        struct plan_numbering *refined = number(&mesh, 2, PLAN_IMPROVE_REFINE);
        CHECK(planner_numbering_hash(one) == planner_numbering_hash(three));
        CHECK(one->blocks == (mesh.elements - 1) / 300 + 1 && one->start[1] == 300);
        CHECK(far_reads(&mesh, one) < 0.007);
        planner_numbering_free(one);
        planner_numbering_free(three);
        planner_numbering_free(refined);
        test_mesh_free(&mesh);
    }
}

int main(void)
{
    test_chain();
    test_odd();
    test_meshes();
    return CHECK_RESULT();
}
