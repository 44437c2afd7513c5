/* plan_metrics.c: plans of tiny meshes against values worked out by hand, array by array. */
#include "plan_cases.h"

static int near(double actual, double expected)
{
    double difference = actual - expected;
    return difference < 1e-12 && difference > -1e-12;
}

static int same(const int *actual, int count, const int *expected)
{
    return memcmp(actual, expected, (size_t)count * sizeof *actual) == 0;
}

static int same_short(const unsigned short *actual, int count, const unsigned short *expected)
{
    return memcmp(actual, expected, (size_t)count * sizeof *actual) == 0;
}

static int same_bytes(const unsigned char *actual, int count, const unsigned char *expected)
{
    return memcmp(actual, expected, (size_t)count) == 0;
}

static void check_five_plan(const struct cleave_plan *plan)
{
    const struct cleave_plan_list *list = &plan->list[0];
    CHECK(plan->size == 5 && plan->blocks == 3 && plan->block_size == 2 && plan->colours == 2);
    CHECK(plan->max_thread_colours == 2 && plan->lists == 1);
    CHECK(same(plan->start, 4, (int[]){0, 2, 4, 5}));
    CHECK(same(plan->order, 5, (int[]){0, 1, 2, 3, 4}));
    CHECK(same(plan->colour_start, 3, (int[]){0, 2, 3}));
    CHECK(same(plan->colour_block, 3, (int[]){0, 2, 1}));
    CHECK(same_short(plan->thread_colour, 5, (unsigned short[]){0, 1, 0, 1, 0}));
    CHECK(same_short(plan->thread_colours, 3, (unsigned short[]){2, 2, 1}));
    CHECK(plan->global_colours == 2);
    CHECK(same(plan->global_start, 3, (int[]){0, 3, 5}));
    CHECK(same(plan->global_element, 5, (int[]){0, 2, 4, 1, 3}));
    CHECK(list->columns == 2 && list->modified == 2 && list->max_points == 3);
    CHECK(same(list->start, 4, (int[]){0, 3, 6, 8}));
    CHECK(same(list->point, 8, (int[]){0, 1, 2, 2, 3, 4, 4, 5}));
    CHECK(same_short(list->local, 10, (unsigned short[]){0, 1, 0, 1, 0, 1, 2, 1, 2, 1}));
    CHECK(same_bytes(list->shared, 8, (unsigned char[]){0, 0, 1, 1, 0, 1, 1, 0}));
    CHECK(same_short(list->gather_start, 11, (unsigned short[]){0, 1, 3, 4, 0, 1, 3, 4, 0, 1, 2}));
    static const unsigned short of_two[4] = {CLEAVE_GATHER_ITEM(0, 0), CLEAVE_GATHER_ITEM(0, 1),
                                             CLEAVE_GATHER_ITEM(1, 0), CLEAVE_GATHER_ITEM(1, 1)};
    CHECK(same_short(list->gather, 4, of_two) && same_short(list->gather + 4, 4, of_two) &&
          same_short(list->gather + 8, 2, of_two));
    CHECK(list->places == 8 && list->summed == 6);
    CHECK(same(list->sum_point, 6, (int[]){0, 1, 2, 3, 4, 5}));
    CHECK(same(list->sum_start, 7, (int[]){0, 1, 2, 4, 5, 7, 8}));
    CHECK(same(list->sum_place, 8, (int[]){0, 1, 2, 3, 4, 5, 6, 7}));
    CHECK(same(list->run_start, 4, (int[]){0, 1, 2, 3}));
    CHECK(same(list->run_point, 3, (int[]){0, 2, 4}));
    CHECK(same_short(list->run_place, 3, (unsigned short[]){0, 0, 0}));
}

/* Elements 0..4 between points 0..5, two to a block: {0,1} {2,3} {4}. */
static void test_chain_of_five(void)
{
    struct test_mesh mesh;
    struct plan_metrics metrics;
    struct plan_options options = {2, 0, 0, PLAN_WITH_ALL};
    test_mesh_make(&mesh, TEST_MESH_CHAIN, 5, 0, 0);
    struct plan_case own = case_of(&mesh);
    struct cleave_plan *plan = case_build(&own, NULL, options, &metrics);
    check_five_plan(plan);
    CHECK(metrics.blocks == 3 && metrics.block_colours == 2 && metrics.max_points == 3);
    CHECK(metrics.global_colours == 2);
    CHECK(near(metrics.thread_colours, 5.0 / 3) && near(metrics.reuse, 10.0 / 8));
    CHECK(near(metrics.points, 8.0 / 3) && near(metrics.fill, 5.0 / 6));
    CHECK(near(metrics.lines, 1) && near(metrics.runs, 1) && near(metrics.shared, 2.0 / 6));
    CHECK(near(metrics.useful_bytes, 6 * 8 + 10 * 4));
    CHECK(near(metrics.total_bytes, 8 * (8 + 4) + 10 * 2));
    CHECK(near(metrics.plan_bytes, 344));
    CHECK(metrics.seconds >= 0 && metrics.seconds < 10);
    CHECK(metrics.phases.count >= 8);
    CHECK_TEXT(metrics.phases.phase[0].name, "input check");
    planner_free(plan);
    test_mesh_free(&mesh);
}

/* Parts of a plan that were not asked for are missing. */
static void test_without_parts(void)
{
    struct test_mesh mesh;
    struct plan_metrics metrics;
    test_mesh_make(&mesh, TEST_MESH_CHAIN, 5, 0, 0);
    struct plan_case own = case_of(&mesh);
    struct cleave_plan *plan = case_build(&own, NULL, (struct plan_options){2, 0, 0, 0}, &metrics);
    CHECK(plan->global_colours == 0 && plan->global_start == NULL && plan->global_element == NULL);
    CHECK(plan->list[0].gather_start == NULL && plan->list[0].gather == NULL);
    CHECK(plan->list[0].sum_start == NULL && plan->list[0].sum_place == NULL);
    CHECK(plan->list[0].sum_point == NULL && plan->list[0].summed == 0);
    CHECK(plan->list[0].run_start == NULL && plan->list[0].run_point == NULL);
    CHECK(plan->list[0].run_place == NULL && plan->list[0].shared != NULL);
    CHECK(metrics.runs == 0 && metrics.global_colours == 0);
    planner_free(plan);
    test_mesh_free(&mesh);
}

/* The second column is read alone: points that it names are in the blocks' lists, and have no sums
 * where nothing is added to them. */
static void test_sums(void)
{
    struct plan_case own = {.elements = 4};
    static const int rows[] = {5, 1, 3, 5, 1, 0, 5, 4};
    memcpy(case_add_map(&own, 2, 6, 0, 1), rows, sizeof rows);
    struct plan_options options = {2, 0, 0, CLEAVE_PART_SUMS};
    struct cleave_plan *plan = case_build(&own, NULL, options, NULL);
    const struct cleave_plan_list *list = &plan->list[0];
    CHECK(same(list->start, 3, (int[]){0, 3, 7}) && list->places == 7);
    CHECK(same(list->point, 7, (int[]){1, 3, 5, 0, 1, 4, 5}));
    CHECK(list->gather_start != NULL && list->summed == 3);
    CHECK(same(list->sum_point, 3, (int[]){1, 3, 5}));
    CHECK(same(list->sum_start, 4, (int[]){0, 1, 2, 4}));
    CHECK(same(list->sum_place, 4, (int[]){4, 1, 2, 6}));
    planner_free(plan);
    case_free(&own);
}

/* The inner edges of 2 x 2 quadrilaterals: 4 cells and 5 of 9 nodes, in one block. */
static void test_four_quads(void)
{
    struct plan_case own = {.elements = 4};
    struct plan_metrics metrics;
    static const int cells[] = {0, 1, 0, 2, 1, 3, 2, 3};
    static const int nodes[] = {1, 4, 3, 4, 4, 5, 4, 7};
    memcpy(case_add_map(&own, 2, 4, 0, 3), cells, sizeof cells);
    memcpy(case_add_map(&own, 2, 9, 1, 0), nodes, sizeof nodes);
    struct plan_options options = {8, 0, 0, PLAN_WITH_ALL};
    struct cleave_plan *plan = case_build(&own, NULL, options, &metrics);
    CHECK(plan->blocks == 1 && plan->colours == 1 && plan->max_thread_colours == 2);
    CHECK(same_short(plan->thread_colour, 4, (unsigned short[]){0, 1, 1, 0}));
    CHECK(same(plan->list[0].point, 4, (int[]){0, 1, 2, 3}));
    CHECK(same(plan->list[1].point, 5, (int[]){1, 3, 4, 5, 7}));
    CHECK(same(plan->list[1].run_point, 3, (int[]){1, 3, 7}));
    CHECK(same_short(plan->list[1].run_place, 3, (unsigned short[]){0, 1, 4}));
    CHECK(plan->list[1].gather == NULL);
    CHECK(near(metrics.reuse, 16.0 / 9) && near(metrics.points, 9) && metrics.max_points == 9);
    CHECK(near(metrics.runs, 4) && near(metrics.lines, 2) && metrics.shared == 0);
    CHECK(near(metrics.useful_bytes, 9 * 8 + 16 * 4));
    planner_free(plan);
    case_free(&own);
}

/* Sorted by colour, {0,3} come before {1,2}: locals and gather lists follow. */
static void test_sorted(void)
{
    struct plan_case own = {.elements = 4};
    static const int cells[] = {0, 1, 0, 2, 1, 3, 2, 3};
    memcpy(case_add_map(&own, 2, 4, 0, 3), cells, sizeof cells);
    struct plan_options options = {8, 0, 1, CLEAVE_PART_GATHER};
    struct cleave_plan *plan = case_build(&own, NULL, options, NULL);
    CHECK(same(plan->order, 4, (int[]){0, 3, 1, 2}));
    CHECK(same_short(plan->thread_colour, 4, (unsigned short[]){0, 0, 1, 1}));
    CHECK(same_short(plan->list[0].local, 8, (unsigned short[]){0, 2, 0, 1, 1, 3, 2, 3}));
    CHECK(same_short(plan->list[0].gather_start, 5, (unsigned short[]){0, 2, 4, 6, 8}));
    static const unsigned short items[8] = {CLEAVE_GATHER_ITEM(0, 0), CLEAVE_GATHER_ITEM(2, 0),
                                            CLEAVE_GATHER_ITEM(0, 1), CLEAVE_GATHER_ITEM(3, 0),
                                            CLEAVE_GATHER_ITEM(1, 0), CLEAVE_GATHER_ITEM(2, 1),
                                            CLEAVE_GATHER_ITEM(1, 1), CLEAVE_GATHER_ITEM(3, 1)};
    CHECK(same_short(plan->list[0].gather, 8, items));
    planner_free(plan);
    case_free(&own);
}

/* Two maps to one set: points that a block reaches through both count once, as touched and as
 * shared; point 40 lies in another line. */
static void test_two_maps(void)
{
    struct plan_case own = {.elements = 2};
    struct plan_metrics metrics;
    static const int one[] = {15, 16};
    static const int other[] = {15, 40};
    memcpy(case_add_map(&own, 1, 64, 5, 1), one, sizeof one);
    memcpy(case_add_map(&own, 1, 64, 5, 0), other, sizeof other);
    struct cleave_plan *plan = case_build(&own, NULL, (struct plan_options){1, 0, 0, 0}, &metrics);
    CHECK(near(metrics.shared, 0) && near(metrics.useful_bytes, 3 * 8 + 4 * 4));
    CHECK(near(metrics.lines, 2) && near(metrics.points, 2) && near(metrics.reuse, 1));
    planner_free(plan);
    own.row[1][1] = 15; /* block 1 now reads what block 0 modifies */
    plan = case_build(&own, NULL, (struct plan_options){1, 0, 0, 0}, &metrics);
    CHECK(near(metrics.shared, 1.0 / 2) && plan->colours == 1);
    CHECK(same_bytes(plan->list[0].shared, 2, (unsigned char[]){0, 0}));
    CHECK(same_bytes(plan->list[1].shared, 2, (unsigned char[]){1, 1}));
    planner_free(plan);
    case_free(&own);
}

/* The mirror image of the chain: {4} {3,2} {1,0}. */
static void test_reverse(void)
{
    struct test_mesh mesh;
    test_mesh_make(&mesh, TEST_MESH_CHAIN, 5, 0, 0);
    struct plan_case own = case_of(&mesh);
    struct cleave_plan *plan = case_build(&own, NULL, (struct plan_options){2, 1, 0, 0}, NULL);
    CHECK(same(plan->start, 4, (int[]){0, 1, 3, 5}));
    CHECK(same(plan->order, 5, (int[]){4, 3, 2, 1, 0}));
    CHECK(same(plan->list[0].point, 8, (int[]){4, 5, 2, 3, 4, 0, 1, 2}));
    CHECK(same_short(plan->list[0].local, 10, (unsigned short[]){0, 1, 0, 1, 0, 1, 2, 1, 2, 1}));
    planner_free(plan);
    test_mesh_free(&mesh);
}

int main(void)
{
    test_chain_of_five();
    test_without_parts();
    test_sums();
    test_four_quads();
    test_sorted();
    test_two_maps();
    test_reverse();
    return CHECK_RESULT();
}
