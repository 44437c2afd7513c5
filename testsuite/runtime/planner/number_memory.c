/* number_memory.c: every allocation of planner_number, planner_order_points and planner_order_banks
 * fails once: -1 with a message, nothing given, and nothing leaks (under AddressSanitizer). */
#include <omp.h>
#include <stdlib.h>

#include "check.h"
#include "failing_memory.h"
#include "meshes/meshes.h"

static void check_refusal(int status, const char *error)
{
    CHECK(status == -1);
    CHECK(strstr(error, "out of memory") != NULL);
}

static void fail_points(const struct test_mesh *mesh, const struct plan_numbering *numbering)
{
    int refusals = 0;
    int *order = malloc((size_t)mesh->map[0].points * sizeof *order);
    for (;;) {
        char error[PLANNER_ERROR] = "";
        allowed = refusals;
        int status =
            planner_order_points(&test_planner, order, mesh->map[0].points, mesh->map[0].target,
                                 numbering, mesh->maps, mesh->map, NULL, error);
        if (allowed >= 0) {
            CHECK(status == 0);
            break;
        }
        check_refusal(status, error);
        refusals++;
    }
    CHECK(refusals > 5);
    free(order);
}

/* Whatever fails, the order stays one. */
static void fail_banks(const struct test_mesh *mesh, struct plan_numbering *numbering)
{
    int refusals = 0;
    char *seen = calloc((size_t)mesh->elements + 1, 1);
    for (;;) {
        char error[PLANNER_ERROR] = "";
        allowed = refusals;
        int status =
            planner_order_banks(&test_planner, numbering, mesh->maps, mesh->map, NULL, NULL, error);
        if (allowed >= 0) {
            CHECK(status == 0);
            break;
        }
        check_refusal(status, error);
        refusals++;
    }
    CHECK(refusals > 5);
    for (int i = 0; i < mesh->elements; i++) {
        CHECK(seen[numbering->order[i]]++ == 0);
    }
    free(seen);
}

static void fail_numbering(const struct test_mesh *mesh, const char *method, int with_coordinates,
                           int max_points)
{
    int refusals = 0;
    struct plan_numbering_options options = {.block_size = 64, .max_points = max_points};
    CHECK(planner_method_parse(method, &options.method) == 0);
    for (;;) {
        char error[PLANNER_ERROR] = "";
        struct plan_numbering none;
        struct plan_numbering *numbering = &none;
        allowed = refusals;
        int status =
            planner_number(&test_planner, &numbering, mesh->elements, mesh->maps, mesh->map,
                           with_coordinates ? &mesh->coordinates : NULL, &options, NULL, error);
        if (allowed >= 0) {
            CHECK(status == 0 && numbering != NULL);
            fail_points(mesh, numbering);
            fail_banks(mesh, numbering);
            planner_numbering_free(numbering);
            break;
        }
        check_refusal(status, error);
        CHECK(numbering == NULL);
        refusals++;
    }
    CHECK(refusals > 1);
}

int main(void)
{
    static const char *const METHODS[] = {"default",        "rcb+refine",  "chunks+anneal",
                                          "hilbert+refine", "none+refine", "none"};
    struct test_mesh mesh;
    test_mesh_make(&mesh, TEST_MESH_TET, 2000, 0, 1);
    test_mesh_shuffle(&mesh, 1);
    omp_set_num_threads(2);
    for (size_t i = 0; i < sizeof METHODS / sizeof *METHODS; i++) {
        fail_numbering(&mesh, METHODS[i], 1, 0);
        fail_numbering(&mesh, METHODS[i], 0, 0);
    }
    fail_numbering(&mesh, "rcb", 1, 30);
    fail_numbering(&mesh, "none", 1, 60);
    test_mesh_free(&mesh);
    return CHECK_RESULT();
}
