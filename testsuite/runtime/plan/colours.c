/* colours.c: hierarchical colouring beyond one window of 64 colours, beyond the 4096 that first fit
 * looks at, and points that very many elements share. */
#include "check.h"
#include "meshes.h"

static struct cleave_plan *build(const struct mesh *mesh, int block_size, enum plan_method method)
{
    char error[256] = "";
    struct plan_options options = {block_size, method, 0};
    struct cleave_plan *plan = NULL;
    CHECK(plan_build(&plan, NULL, mesh->elements, mesh->maps, mesh->map, &options, error) == 0);
    CHECK(plan != NULL && plan_check(plan, mesh->elements, mesh->maps, mesh->map, error) == 0);
    CHECK_TEXT(error, "");
    return plan;
}

/* Every block touches the hub: as many colours as blocks, as many thread colours as elements. */
static void test_star(int elements, int block_size, int blocks)
{
    struct mesh mesh;
    mesh_star(&mesh, elements);
    struct cleave_plan *plan = build(&mesh, block_size, PLAN_CHUNKS);
    CHECK(plan->blocks == blocks);
    CHECK(plan->colours == blocks);
    CHECK(plan->max_thread_colours == (elements < block_size ? elements : block_size));
    plan_free(plan);
    mesh_free(&mesh);
}

/* 5,000 blocks at one hub and a chain that is free of it: the chain still gets two colours. */
static void test_star_and_chain(void)
{
    struct mesh mesh;
    mesh_star(&mesh, 10000);
    int *row = mesh.row[0];
    for (int e = 5000; e < 10000; e++) {
        row[2 * e] = e;
        row[2 * e + 1] = e + 1;
    }
    struct cleave_plan *plan = build(&mesh, 1, PLAN_CHUNKS);
    CHECK(plan->colours == 5000);
    CHECK(plan->colour_start[1] - plan->colour_start[0] > 2400);
    CHECK(plan->colour_start[5000] - plan->colour_start[4999] == 1);
    plan_free(plan);
    mesh_free(&mesh);
}

/* Two hubs, each element at one of them or at both: the last resort must respect both. */
static void test_two_hubs(void)
{
    struct mesh mesh;
    mesh_star(&mesh, 13000);
    for (int e = 0; e < mesh.elements; e++) {
        mesh.row[0][2 * e] = e % 3 == 0 ? 1 : 0;
        mesh.row[0][2 * e + 1] = e % 3 == 1 ? 1 : e % 13001;
    }
    struct cleave_plan *plan = build(&mesh, 1, PLAN_CHUNKS);
    CHECK(plan->colours >= 8666 && plan->colours <= 13000);
    plan_free(plan);
    mesh_free(&mesh);
}

/* A hub in 100,000 elements, with and without METIS: the graph must not be quadratic. */
static void test_hub(void)
{
    struct mesh mesh;
    mesh_star(&mesh, 100000);
    for (int e = 0; e < mesh.elements; e++) {
        mesh.row[0][2 * e + 1] = 1 + e / 4;
    }
    for (int method = PLAN_METIS; method <= PLAN_CHUNKS; method++) {
        struct cleave_plan *plan = build(&mesh, 256, method);
        CHECK(plan->colours == plan->blocks && plan->blocks >= 391);
        CHECK(plan->max_thread_colours <= 256 && plan->max_thread_colours > 64);
        plan_free(plan);
    }
    mesh_free(&mesh);
}

/* Bipartite by construction: first fit in ascending order needs two colours. */
static void test_chain(void)
{
    struct mesh mesh;
    mesh_chain(&mesh, 100000);
    struct cleave_plan *plan = build(&mesh, 64, PLAN_CHUNKS);
    CHECK(plan->colours == 2 && plan->max_thread_colours == 2);
    plan_free(plan);
    mesh_free(&mesh);
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
    return CHECK_RESULT();
}
