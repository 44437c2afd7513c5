/* plan_points.c: plans for points: every (element, column) through which data is modified is in its
 * point's list, in the order of the elements; planted errors are found. */
#include <omp.h>

#include "plan_cases.h"

static struct cleave_plan *build(const struct plan_case *own)
{
    char error[PLANNER_ERROR] = "";
    struct cleave_plan *plan = NULL;
    CHECK(planner_points_build(&test_planner, &plan, own->elements, own->maps, own->map, error) ==
          0);
    CHECK_TEXT(error, "");
    CHECK(planner_points_check(&test_planner, plan, own->elements, own->maps, own->map, error) ==
          0);
    CHECK_TEXT(error, "");
    return plan;
}

static void test_meshes(void)
{
    struct test_mesh mesh;
    test_mesh_make(&mesh, TEST_MESH_QUAD_NODES, 200, 0, 0);
    test_mesh_shuffle(&mesh, 3);
    struct plan_case own = case_of(&mesh);
    struct cleave_plan *plan = build(&own);
    CHECK(plan->list[0].points == own.map[0].points);
    CHECK(plan->list[0].item_start[plan->list[0].points] == 2 * own.elements);
    CHECK(plan->list[1].points == 0 && plan->list[1].item_start == NULL); /* read only */
    planner_free(plan);
    test_mesh_free(&mesh);
    test_mesh_make(&mesh, TEST_MESH_STENCIL, 20000, 16, 0);
    own = case_of(&mesh);
    plan = build(&own);
    CHECK(plan->list[0].item_start[own.map[0].points] == 16 * own.elements);
    planner_free(plan);
    test_mesh_free(&mesh);
}

/* A hub in 100,000 elements; the same lists for any number of threads. */
static void test_hub(void)
{
    static const int threads[] = {1, 2, 3, 8};
    struct test_mesh mesh;
    uint64_t hash[4];
    int before = omp_get_max_threads();
    test_mesh_make(&mesh, TEST_MESH_STAR, 100000, 0, 0);
    test_mesh_shuffle(&mesh, 8);
    struct plan_case own = case_of(&mesh);
    for (int t = 0; t < 4; t++) {
        omp_set_num_threads(threads[t]);
        struct cleave_plan *plan = build(&own);
        hash[t] = planner_hash(plan);
        planner_free(plan);
    }
    omp_set_num_threads(before);
    CHECK(hash[0] == hash[1] && hash[0] == hash[2] && hash[0] == hash[3]);
    test_mesh_free(&mesh);
}

/* Element 0 names point 2 twice, and one of four columns is only read. */
static void test_repeats(void)
{
    struct plan_case own = {.elements = 3};
    static const int entries[] = {2, 2, 0, 1, 0, 3, 2, 2, 2, 0, 1, 3};
    memcpy(case_add_map(&own, 4, 5, 0, 0xb), entries, sizeof entries);
    struct cleave_plan *plan = build(&own);
    const struct cleave_plan_list *list = &plan->list[0];
    static const int element[] = {0, 0, 1, 2};
    static const int column[] = {0, 1, 3, 0};
    CHECK(list->columns == 4 && list->modified == 3);
    CHECK(list->item_start[3] - list->item_start[2] == 4);
    for (int i = 0; i < 4; i++) {
        CHECK(list->item_element[list->item_start[2] + i] == element[i]);
        CHECK(list->item_column[list->item_start[2] + i] == column[i]);
    }
    CHECK(list->item_start[5] == list->item_start[4]); /* nobody names point 4 */
    planner_free(plan);
    case_free(&own);
}

/* ---- planted errors ------------------------------------------------------------------------ */

static void expect(struct cleave_plan *plan, const struct plan_case *own, const char *message)
{
    char error[PLANNER_ERROR] = "";
    CHECK(planner_points_check(&test_planner, plan, own->elements, own->maps, own->map, error) !=
          0);
    CHECK_TEXT(error, message);
    planner_free(plan);
}

static void test_planted(void)
{
    struct test_mesh mesh;
    test_mesh_make(&mesh, TEST_MESH_CHAIN, 10, 0, 0);
    struct plan_case own = case_of(&mesh);
    struct cleave_plan *plan = build(&own);
    ((int *)plan->list[0].item_element)[1] = 1;
    expect(plan, &own, "map 0: item 0 of point 1 is wrong");
    plan = build(&own);
    ((int *)plan->list[0].item_element)[2] = 10;
    expect(plan, &own, "map 0: item 1 of point 1 is wrong");
    plan = build(&own);
    ((unsigned char *)plan->list[0].item_column)[2] = 2;
    expect(plan, &own, "map 0: item 1 of point 1 is wrong");
    plan = build(&own); /* twice the same item */
    ((int *)plan->list[0].item_element)[2] = 0;
    ((unsigned char *)plan->list[0].item_column)[2] = 1;
    expect(plan, &own, "map 0: item 1 of point 1 is wrong");
    plan = build(&own);
    ((int *)plan->list[0].item_start)[11]--;
    expect(plan, &own, "map 0: the items of the points are not all there");
    plan = build(&own);
    ((int *)plan->list[0].item_start)[4] = 30;
    expect(plan, &own, "the offsets of items descend at 4: 30, then 9");
    plan = build(&own);
    plan->lists = 0;
    free((void *)plan->list[0].item_start);
    free((void *)plan->list[0].item_element);
    free((void *)plan->list[0].item_column);
    expect(plan, &own, "the plan is for 10 elements and 0 maps, not for 10 and 1");
    test_mesh_free(&mesh);
}

static void test_limits(void)
{
    char error[PLANNER_ERROR] = "";
    struct cleave_plan *plan = NULL;
    struct plan_case own = {.elements = 0};
    case_add_map(&own, 2, 0, 0, 3);
    planner_free(build(&own)); /* an empty set */
    case_free(&own);
    own.elements = 4;
    case_add_map(&own, 1, 4, 0, 1)[2] = 4;
    CHECK(planner_points_build(&test_planner, &plan, 4, 1, own.map, error) != 0 && plan == NULL);
    CHECK_TEXT(error, "map 0, row 2, column 0 is 4; its set has 4 points");
    case_free(&own);
}

int main(void)
{
    test_meshes();
    test_hub();
    test_repeats();
    test_planted();
    test_limits();
    return CHECK_RESULT();
}
