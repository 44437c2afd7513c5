/* plan_memory.c: whichever allocation fails, planner_build, planner_points_build,
 * planner_owners_build, planner_colours_build, planner_ranges_build and the validators say so, give
 * no plan and leak nothing (that is for the sanitizer). The mesh is large enough for parallel
 * steps. Linked with
 * --wrap=planner_memory and --wrap=planner_zeroed. */
#include "plan_cases.h"
#include "runtime/planner/base/base.h"

static int allocations_left = -1; /* the next ones succeed; -1: all */

static int refuse(size_t count, size_t bytes, const char *what, char *error)
{
    int left = __atomic_load_n(&allocations_left, __ATOMIC_RELAXED);
    while (left > 0 && !__atomic_compare_exchange_n(&allocations_left, &left, left - 1, 0,
                                                    __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
    if (left != 0) {
        return 0;
    }
    if (error != NULL) {
        snprintf(error, PLANNER_ERROR, "refused %zu * %zu bytes for %s", count, bytes, what);
    }
    return 1;
}

void *__real_planner_memory(size_t count, size_t bytes, const char *what, char *error);
void *__real_planner_zeroed(size_t count, size_t bytes, const char *what, char *error);
void *__wrap_planner_memory(size_t count, size_t bytes, const char *what, char *error);
void *__wrap_planner_zeroed(size_t count, size_t bytes, const char *what, char *error);

void *__wrap_planner_memory(size_t count, size_t bytes, const char *what, char *error)
{
    return refuse(count, bytes, what, error) ? NULL
                                             : __real_planner_memory(count, bytes, what, error);
}

void *__wrap_planner_zeroed(size_t count, size_t bytes, const char *what, char *error)
{
    return refuse(count, bytes, what, error) ? NULL
                                             : __real_planner_zeroed(count, bytes, what, error);
}

enum what {
    BUILD,
    POINTS,
    OWNERS,
    NAMED,
    COLOURS,
    RANGES,
    CHECKING,
    CHECKING_POINTS,
    CHECKING_OWNERS,
    CHECKING_NAMED,
    CHECKING_COLOURS,
    CHECKING_RANGES
};

/* Runs it with as many allocations as are allowed. */
static int try(enum what what, const struct plan_case *own, struct cleave_plan **plan, int allowed,
               char *error)
{
    struct plan_options options = {64, 0, 1, PLAN_WITH_ALL};
    struct plan_metrics metrics;
    int status;
    __atomic_store_n(&allocations_left, allowed, __ATOMIC_RELAXED);
    if (what == BUILD) {
        status = planner_build(&test_planner, plan, &metrics, own->elements, own->maps, own->map,
                               NULL, &options, error);
    } else if (what == POINTS) {
        status =
            planner_points_build(&test_planner, plan, own->elements, own->maps, own->map, error);
    } else if (what == OWNERS) {
        status = planner_owners_build(&test_planner, plan, own->elements, 64, 32, own->maps,
                                      own->map, error);
    } else if (what == NAMED) {
        status =
            planner_named_build(&test_planner, plan, own->elements, own->maps, own->map, 0, error);
    } else if (what == COLOURS) {
        status =
            planner_colours_build(&test_planner, plan, own->elements, own->maps, own->map, error);
    } else if (what == RANGES) {
        status = planner_ranges_build(
            &test_planner, plan, own->elements, own->maps, own->map,
            &(struct plan_range_options){PLANNER_RANGE_ELEMENTS, 0, CLEAVE_PART_DISTINCT}, error);
    } else if (what == CHECKING_RANGES) {
        status = planner_ranges_check(&test_planner, *plan, own->elements, own->maps, own->map,
                                      CLEAVE_PART_DISTINCT, error);
    } else if (what == CHECKING_COLOURS) {
        status =
            planner_colours_check(&test_planner, *plan, own->elements, own->maps, own->map, error);
    } else if (what == CHECKING_OWNERS) {
        status = planner_owners_check(&test_planner, *plan, own->elements, 64, 32, own->maps,
                                      own->map, error);
    } else if (what == CHECKING_NAMED) {
        status =
            planner_named_check(&test_planner, *plan, own->elements, own->maps, own->map, 0, error);
    } else if (what == CHECKING_POINTS) {
        status =
            planner_points_check(&test_planner, *plan, own->elements, own->maps, own->map, error);
    } else {
        status = planner_check(&test_planner, *plan, own->elements, own->maps, own->map, error);
    }
    __atomic_store_n(&allocations_left, -1, __ATOMIC_RELAXED);
    return status;
}

/* Returns how often memory was short. */
static int run(enum what what, const struct plan_case *own, struct cleave_plan **plan)
{
    int refused = 0;
    int status = -1;
    for (int allowed = 0; status != 0 && allowed < 1000; allowed++) {
        char error[PLANNER_ERROR] = "";
        status = try(what, own, plan, allowed, error);
        if (status != 0) {
            refused++;
            CHECK(what >= CHECKING || *plan == NULL);
            CHECK(strncmp(error, "refused ", 8) == 0);
        }
    }
    CHECK(status == 0);
    return refused;
}

int main(void)
{
    struct test_mesh mesh;
    struct cleave_plan *plan = NULL;
    test_mesh_make(&mesh, TEST_MESH_QUAD_NODES, 20000, 0, 0);
    struct plan_case own = case_of(&mesh);
    CHECK(run(BUILD, &own, &plan) >= 40);
    CHECK(run(CHECKING, &own, &plan) >= 5);
    planner_free(plan);
    CHECK(run(POINTS, &own, &plan) >= 6);
    CHECK(run(CHECKING_POINTS, &own, &plan) == 0); /* it needs no memory */
    planner_free(plan);
    CHECK(run(OWNERS, &own, &plan) >= 15);
    CHECK(run(CHECKING_OWNERS, &own, &plan) >= 1);
    planner_free(plan);
    CHECK(run(NAMED, &own, &plan) >= 8);
    CHECK(run(CHECKING_NAMED, &own, &plan) >= 1);
    planner_free(plan);
    CHECK(run(COLOURS, &own, &plan) >= 7);
    CHECK(run(CHECKING_COLOURS, &own, &plan) >= 2);
    planner_free(plan);
    CHECK(run(RANGES, &own, &plan) >= 14);
    CHECK(run(CHECKING_RANGES, &own, &plan) >= 3);
    planner_free(plan);
    test_mesh_free(&mesh);
    return CHECK_RESULT();
}
