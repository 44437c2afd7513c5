/* plan_colours.c: hierarchical and global colouring beyond one window of 64 colours, beyond the
 * 4096 that first fit looks at, and points that very many elements share. */
#include "plan_cases.h"

static struct cleave_plan *build(const struct plan_case *own, int block_size)
{
    struct plan_options options = {block_size, 0, 0, PLAN_WITH_ALL};
    return case_build(own, NULL, options, NULL);
}

static void make_star(struct test_mesh *mesh, struct plan_case *own, int elements)
{
    test_mesh_make(mesh, TEST_MESH_STAR, elements, 0, 0);
    *own = case_of(mesh);
}

/* Every block touches the hub: as many colours as blocks, as many thread colours as elements. */
static void test_star(int elements, int block_size, int blocks)
{
    struct test_mesh mesh;
    struct plan_case own;
    make_star(&mesh, &own, elements);
    struct cleave_plan *plan = build(&own, block_size);
    CHECK(plan->blocks == blocks);
    CHECK(plan->colours == blocks);
    CHECK(plan->max_thread_colours == (elements < block_size ? elements : block_size));
    CHECK(plan->global_colours == elements);
    planner_free(plan);
    test_mesh_free(&mesh);
}

/* 5,000 blocks at one hub and a chain that is free of it: the chain still gets two colours. */
static void test_star_and_chain(void)
{
    struct test_mesh mesh;
    struct plan_case own;
    make_star(&mesh, &own, 10000);
    for (int e = 5000; e < 10000; e++) {
        own.row[0][2 * e] = e;
        own.row[0][2 * e + 1] = e + 1;
    }
    struct cleave_plan *plan = build(&own, 1);
    CHECK(plan->colours == 5000);
    CHECK(plan->colour_start[1] - plan->colour_start[0] > 2400);
    CHECK(plan->colour_start[5000] - plan->colour_start[4999] == 1);
    CHECK(plan->global_colours == 5000);
    planner_free(plan);
    test_mesh_free(&mesh);
}

/* Two hubs, each element at one of them or at both: the last resort must respect both. */
static void test_two_hubs(void)
{
    struct test_mesh mesh;
    struct plan_case own;
    make_star(&mesh, &own, 13000);
    for (int e = 0; e < own.elements; e++) {
        own.row[0][2 * e] = e % 3 == 0 ? 1 : 0;
        own.row[0][2 * e + 1] = e % 3 == 1 ? 1 : e % 13001;
    }
    struct cleave_plan *plan = build(&own, 1);
    CHECK(plan->colours >= 8666 && plan->colours <= 13000);
    planner_free(plan);
    test_mesh_free(&mesh);
}

/* A hub in 100,000 elements. */
static void test_hub(void)
{
    struct test_mesh mesh;
    struct plan_case own;
    make_star(&mesh, &own, 100000);
    for (int e = 0; e < own.elements; e++) {
        own.row[0][2 * e + 1] = 1 + e / 4;
    }
    for (int block_size = 1; block_size <= 256; block_size *= 256) {
        struct cleave_plan *plan = build(&own, block_size);
        CHECK(plan->colours == plan->blocks && plan->blocks >= 391);
        CHECK(plan->max_thread_colours == block_size);
        CHECK(plan->global_colours == 100000);
        planner_free(plan);
    }
    test_mesh_free(&mesh);
}

/* Bipartite by construction: first fit in ascending order needs two colours. */
static void test_chain(void)
{
    struct test_mesh mesh;
    test_mesh_make(&mesh, TEST_MESH_CHAIN, 100000, 0, 0);
    struct plan_case own = case_of(&mesh);
    struct cleave_plan *plan = build(&own, 64);
    CHECK(plan->colours == 2 && plan->max_thread_colours == 2 && plan->global_colours == 2);
    planner_free(plan);
    test_mesh_free(&mesh);
}

/* A tree whose last edge finds the colours 0 and 1 at one end and 2 at the other: first fit takes
 * four colours, in the order of falling degrees three, as many as the busiest point has elements.
 */
static void test_degrees(void)
{
    static const int tree[] = {0, 1, 0, 2, 4, 5, 4, 6, 3, 4, 0, 3};
    struct plan_case own = {.elements = 6};
    memcpy(case_add_map(&own, 2, 7, 0, 3), tree, sizeof tree);
    struct cleave_plan *plan = build(&own, 8);
    CHECK(plan->max_thread_colours == 3);
    CHECK(plan->global_colours == 4);
    planner_free(plan);
    case_free(&own);
}

int main(void)
{
    test_star(64, 1, 64);
    test_star(65, 1, 65);
    test_star(130, 1, 130);
    test_star(1500, 1, 1500);
    test_star(20000, 1, 20000);
    test_star(3000, 1024, 3);
    test_star_and_chain();
    test_two_hubs();
    test_hub();
    test_chain();
    test_degrees();
    return CHECK_RESULT();
}
