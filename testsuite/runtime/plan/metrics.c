/* metrics.c: plans of tiny meshes against values worked out by hand, array by array. */
#include "check.h"
#include "meshes.h"

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

/* Elements 0..4 between points 0..5, two to a block: {0,1} {2,3} {4}. */
static void test_chain_of_five(void)
{
    struct mesh mesh;
    struct plan_metrics metrics;
    struct plan_options options = {2, PLAN_CHUNKS, 0};
    struct cleave_plan *plan = NULL;
    char error[256] = "";
    mesh_chain(&mesh, 5);
    CHECK(plan_build(&plan, &metrics, 5, 1, mesh.map, &options, error) == 0);
    CHECK(plan->size == 5 && plan->blocks == 3 && plan->block_size == 2 && plan->colours == 2);
    CHECK(plan->max_thread_colours == 2 && plan->lists == 1);
    CHECK(same(plan->start, 4, (int[]){0, 2, 4, 5}));
    CHECK(same(plan->order, 5, (int[]){0, 1, 2, 3, 4}));
    CHECK(same(plan->colour_start, 3, (int[]){0, 2, 3}));
    CHECK(same(plan->colour_block, 3, (int[]){0, 2, 1}));
    CHECK(same_short(plan->thread_colour, 5, (unsigned short[]){0, 1, 0, 1, 0}));
    CHECK(same_short(plan->thread_colours, 3, (unsigned short[]){2, 2, 1}));
    CHECK(same(plan->list[0].start, 4, (int[]){0, 3, 6, 8}));
    CHECK(same(plan->list[0].point, 8, (int[]){0, 1, 2, 2, 3, 4, 4, 5}));
    CHECK(same_short(plan->list[0].local, 10, (unsigned short[]){0, 1, 0, 1, 0, 1, 2, 1, 2, 1}));
    CHECK(plan->list[0].max_points == 3);
    CHECK(metrics.blocks == 3 && metrics.block_colours == 2 && metrics.max_points == 3);
    CHECK(near(metrics.thread_colours, 5.0 / 3) && near(metrics.reuse, 10.0 / 8));
    CHECK(near(metrics.points, 8.0 / 3) && near(metrics.fill, 5.0 / 6));
    CHECK(metrics.seconds >= 0 && metrics.seconds < 10);
    plan_free(plan);
    mesh_free(&mesh);
}

/* The four inner edges of 2 x 2 quadrilaterals: 4 cells and 5 of 9 nodes, in one block. */
static void test_four_quads(void)
{
    struct mesh mesh;
    struct plan_metrics metrics;
    struct plan_options options = {8, PLAN_METIS, 0};
    struct cleave_plan *plan = NULL;
    char error[256] = "";
    mesh_quads(&mesh, 2, 2);
    CHECK(plan_build(&plan, &metrics, 4, 2, mesh.map, &options, error) == 0);
    CHECK(plan->blocks == 1 && plan->colours == 1 && plan->max_thread_colours == 2);
    CHECK(same(plan->list[0].point, 4, (int[]){0, 1, 2, 3}));
    CHECK(same(plan->list[1].point, 5, (int[]){1, 3, 4, 5, 7}));
    CHECK(near(metrics.reuse, 16.0 / 9) && near(metrics.points, 9) && metrics.max_points == 9);
    CHECK(near(metrics.thread_colours, 2) && near(metrics.fill, 0.5));
    plan_free(plan);
    mesh_free(&mesh);
}

/* The chain backwards: positions 0..4 are elements 4..0, blocks {4} {3,2} {1,0}. */
static void test_reverse(void)
{
    struct mesh mesh;
    struct plan_options options = {2, PLAN_CHUNKS, 1};
    struct cleave_plan *plan = NULL;
    char error[256] = "";
    mesh_chain(&mesh, 5);
    CHECK(plan_build(&plan, NULL, 5, 1, mesh.map, &options, error) == 0);
    CHECK(same(plan->start, 4, (int[]){0, 1, 3, 5}));
    CHECK(same(plan->order, 5, (int[]){4, 3, 2, 1, 0}));
    CHECK(same(plan->list[0].point, 8, (int[]){4, 5, 2, 3, 4, 0, 1, 2}));
    CHECK(same_short(plan->list[0].local, 10, (unsigned short[]){0, 1, 0, 1, 0, 1, 2, 1, 2, 1}));
    plan_free(plan);
    mesh_free(&mesh);
}

int main(void)
{
    test_chain_of_five();
    test_four_quads();
    test_reverse();
    return CHECK_RESULT();
}
