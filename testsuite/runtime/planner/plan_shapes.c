/* plan_shapes.c: plans for many shapes of mesh, with and without a numbering, must pass
 * planner_check in all ways to build them; and what the contract says about order, reversal and
 * sorting by colour. */
#include <omp.h>

#include "plan_cases.h"

static void try_numbering(const struct plan_case *own, const struct plan_numbering *numbering,
                          int block_size)
{
    for (int way = 0; way < 4; way++) {
        for (int all = 0; all < 2; all++) {
            struct plan_options options = {block_size, way & 1, way >> 1, all ? PLAN_WITH_ALL : 0};
            planner_free(case_build(own, numbering, options, NULL));
        }
    }
}

/* The colours alone are those that a plan for blocks may have too. */
static void try_colours(const struct plan_case *own)
{
    char error[PLANNER_ERROR] = "";
    struct cleave_plan *blocks =
        case_build(own, NULL, (struct plan_options){32, 0, 0, CLEAVE_PART_GLOBAL}, NULL);
    struct cleave_plan *plan = NULL;
    struct plan_metrics metrics;
    CHECK(planner_colours_build(&test_planner, &plan, own->elements, own->maps, own->map, error) ==
          0);
    CHECK(planner_colours_check(&test_planner, plan, own->elements, own->maps, own->map, error) ==
          0);
    CHECK_TEXT(error, "");
    CHECK(plan->global_colours == blocks->global_colours && plan->size == own->elements);
    CHECK(memcmp(plan->global_start, blocks->global_start,
                 ((size_t)plan->global_colours + 1) * sizeof(int)) == 0);
    CHECK(memcmp(plan->global_element, blocks->global_element, (size_t)plan->size * sizeof(int)) ==
          0);
    CHECK(plan->blocks == 0 && plan->lists == 0 && plan->start == NULL && plan->order == NULL);
    planner_colours_measure(plan, &metrics);
    CHECK(metrics.global_colours == plan->global_colours);
    CHECK(metrics.plan_bytes == (double)sizeof(int) * (plan->size + plan->global_colours + 1));
    planner_free(plan);
    planner_free(blocks);
}

static void try_all(const struct plan_case *own)
{
    try_colours(own);
    static const int sizes[] = {1, 2, 7, 128, 256, 1024};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        struct plan_numbering *numbering = case_numbering(own->elements, sizes[s], s);
        try_numbering(own, NULL, sizes[s]);
        try_numbering(own, numbering, sizes[s]);
        case_numbering_free(numbering);
    }
}

static void test_meshes(void)
{
    static const struct {
        enum test_mesh_kind kind;
        int elements;
        int arity;
    } mesh[] = {
        {TEST_MESH_QUAD_NODES, 1500, 0}, {TEST_MESH_TET, 1500, 0},    {TEST_MESH_HEX, 700, 0},
        {TEST_MESH_STENCIL, 500, 1},     {TEST_MESH_STENCIL, 500, 3}, {TEST_MESH_STENCIL, 1100, 16},
        {TEST_MESH_CHAIN, 2000, 0},      {TEST_MESH_STAR, 1100, 0},
    };
    for (size_t i = 0; i < sizeof mesh / sizeof *mesh; i++) {
        struct test_mesh made;
        test_mesh_make(&made, mesh[i].kind, mesh[i].elements, mesh[i].arity, 7);
        struct plan_case own = case_of(&made);
        try_all(&own);
        test_mesh_shuffle(&made, 3);
        own = case_of(&made);
        try_all(&own);
        test_mesh_free(&made);
    }
}

/* Boundary faces to one cell each: arity 1, several faces at one cell, most cells at none. */
static void test_arity_one(void)
{
    struct plan_case own = {.elements = 1500};
    int *row = case_add_map(&own, 1, 100000, 0, 1);
    for (int e = 0; e < own.elements; e++) {
        row[e] = e * 37 % 500 * 200;
    }
    try_all(&own);
    case_free(&own);
}

static void test_repeated_targets(void)
{
    struct plan_case own = {.elements = 600};
    int *row = case_add_map(&own, 4, 200, 0, 0xf);
    for (int e = 0; e < own.elements; e++) {
        for (int c = 0; c < 4; c++) {
            row[4 * e + c] = (e / 3 + c / 2) % 200;
        }
    }
    try_all(&own);
    for (int e = 0; e < own.elements; e++) {
        for (int c = 0; c < 4; c++) {
            row[4 * e + c] = e % 200;
        }
    }
    try_all(&own);
    struct cleave_plan *plan = case_build(&own, NULL, (struct plan_options){200, 0, 0, 0}, NULL);
    CHECK(plan->max_thread_colours == 1);
    planner_free(plan);
    case_free(&own);
}

static void test_empty(void)
{
    struct plan_case own = {.elements = 0};
    struct plan_metrics metrics;
    case_add_map(&own, 2, 0, 0, 3);
    for (int reverse = 0; reverse < 2; reverse++) {
        struct plan_options options = {256, reverse, 1, PLAN_WITH_ALL};
        struct plan_numbering *numbering = case_numbering(0, 256, 1);
        struct cleave_plan *plan = case_build(&own, reverse ? numbering : NULL, options, &metrics);
        CHECK(plan->size == 0 && plan->blocks == 0 && plan->colours == 0 && plan->lists == 1);
        CHECK(plan->start[0] == 0 && plan->colour_start[0] == 0 && plan->list[0].start[0] == 0);
        CHECK(plan->global_colours == 0 && plan->global_start[0] == 0);
        CHECK(plan->list[0].gather_start != NULL && plan->list[0].run_start[0] == 0);
        CHECK(metrics.blocks == 0 && metrics.fill == 0 && metrics.reuse == 0);
        planner_free(plan);
        case_numbering_free(numbering);
    }
    own.map[0].row = NULL;
    planner_free(case_build(&own, NULL, (struct plan_options){256, 0, 0, 0}, NULL));
    case_free(&own);
}

static void test_one_element(void)
{
    struct test_mesh mesh;
    test_mesh_make(&mesh, TEST_MESH_CHAIN, 1, 0, 0);
    struct plan_case own = case_of(&mesh);
    try_all(&own);
    struct cleave_plan *plan = case_build(&own, NULL, (struct plan_options){256, 0, 0, 0}, NULL);
    CHECK(plan->blocks == 1 && plan->colours == 1 && plan->max_thread_colours == 1);
    CHECK(plan->list[0].max_points == 2);
    planner_free(plan);
    test_mesh_free(&mesh);
}

/* Half of the elements share no point with any other; many points are in no element. */
static void test_isolated(void)
{
    struct plan_case own = {.elements = 2000};
    int *row = case_add_map(&own, 2, 5000, 0, 3);
    for (int e = 0; e < own.elements; e++) {
        row[2 * e] = e % 2 ? e : 4000;
        row[2 * e + 1] = e % 2 ? 2000 + e : e / 20;
    }
    try_all(&own);
    for (int e = 0; e < own.elements; e++) {
        row[2 * e] = 2 * e;
        row[2 * e + 1] = 2 * e + 1;
    }
    try_all(&own);
    case_free(&own);
}

/* Maps to one set conflict with each other; the same numbers in another set do not. */
static void test_several_maps(void)
{
    for (int target = 0; target < 2; target++) {
        struct plan_case own = {.elements = 64};
        int *one = case_add_map(&own, 1, 66, 0, 1);
        int *read = case_add_map(&own, 1, 66, 0, 0);
        int *other = case_add_map(&own, 1, 66, target, 1);
        int *third = case_add_map(&own, 1, 66, target, 1);
        for (int e = 0; e < own.elements; e++) {
            one[e] = e;
            read[e] = 63 - e;
            other[e] = e + 1;
            third[e] = e + 2;
        }
        try_all(&own);
        struct plan_options options = {8, 0, 0, PLAN_WITH_ALL};
        struct cleave_plan *plan = case_build(&own, NULL, options, NULL);
        CHECK(plan->colours == 2);
        CHECK(plan->max_thread_colours == (target == 0 ? 3 : 2));
        CHECK(plan->global_colours == (target == 0 ? 3 : 2));
        CHECK(plan->list[1].gather == NULL && plan->list[1].modified == 0);
        planner_free(plan);
        case_free(&own);
    }
}

/* Reads never conflict: one colour, one thread colour, lists all the same. */
static void test_no_conflicts(void)
{
    struct test_mesh mesh;
    struct plan_metrics metrics;
    test_mesh_make(&mesh, TEST_MESH_QUAD_NODES, 760, 0, 0);
    struct plan_case own = case_of(&mesh);
    own.map[0].conflicts = 0xfffffffc; /* no bit of a used column */
    try_all(&own);
    struct plan_options options = {64, 0, 0, PLAN_WITH_ALL};
    struct cleave_plan *plan = case_build(&own, NULL, options, &metrics);
    CHECK(plan->colours == 1 && plan->max_thread_colours == 1 && metrics.thread_colours == 1.0);
    CHECK(plan->global_colours == 1);
    int others = 0;
    for (int i = 0; i < plan->size; i++) {
        others += plan->thread_colour[i] != 0;
    }
    CHECK(others == 0);
    CHECK(plan->lists == 2 && plan->list[1].max_points > 0);
    planner_free(plan);
    own.maps = 0;
    try_all(&own);
    plan = case_build(&own, NULL, options, &metrics);
    CHECK(plan->blocks == (own.elements + 63) / 64 && plan->colours == 1 && plan->lists == 0);
    CHECK(metrics.reuse == 1.0 && metrics.points == 0 && metrics.max_points == 0);
    planner_free(plan);
    test_mesh_free(&mesh);
}

/* Only the columns that the loop uses are listed, and only the modified one conflicts; also with
 * blocks: column 0 of each element is column 1 of the next, so blocks would conflict through it. */
static void test_columns(void)
{
    struct test_mesh mesh;
    test_mesh_make(&mesh, TEST_MESH_HEX, 216, 0, 0);
    struct plan_case own = case_of(&mesh);
    own.map[0].columns = 2;
    own.map[0].column[0] = 3;
    own.map[0].column[1] = 7;
    own.map[0].conflicts = 2;
    try_all(&own);
    struct plan_options options = {1024, 0, 0, PLAN_WITH_ALL};
    struct cleave_plan *plan = case_build(&own, NULL, options, NULL);
    CHECK(plan->max_thread_colours == 1 && plan->global_colours == 1);
    CHECK(plan->list[0].max_points == 6 * 6 * 7);
    CHECK(plan->list[0].columns == 2 && plan->list[0].modified == 1);
    planner_free(plan);
    test_mesh_free(&mesh);
    test_mesh_make(&mesh, TEST_MESH_CHAIN, 1000, 0, 0);
    own = case_of(&mesh);
    own.map[0].conflicts = 1;
    plan = case_build(&own, NULL, (struct plan_options){64, 0, 0, 0}, NULL);
    CHECK(plan->colours == 1);
    planner_free(plan);
    test_mesh_free(&mesh);
}

/* Without sorting by colour a plan keeps the numbering's blocks and order; reversed: the mirror
 * image. An order of NULL is the identity. */
static void test_order(void)
{
    struct test_mesh mesh;
    test_mesh_make(&mesh, TEST_MESH_TET, 3000, 0, 5);
    struct plan_case own = case_of(&mesh);
    struct plan_numbering *numbering = case_numbering(own.elements, 64, 9);
    struct plan_options options = {64, 0, 0, 0};
    struct plan_options reversed = {64, 1, 0, 0};
    struct cleave_plan *plan = case_build(&own, numbering, options, NULL);
    struct cleave_plan *mirror = case_build(&own, numbering, reversed, NULL);
    size_t bytes = (size_t)own.elements * sizeof(int);
    CHECK(plan->blocks == numbering->blocks && plan->blocks == mirror->blocks);
    CHECK(memcmp(plan->order, numbering->order, bytes) == 0);
    for (int b = 0; b <= plan->blocks; b++) {
        CHECK(plan->start[b] == numbering->start[b]);
        CHECK(mirror->start[plan->blocks - b] == plan->size - plan->start[b]);
    }
    int different = 0;
    for (int i = 0; i < plan->size; i++) {
        different += plan->order[i] != mirror->order[plan->size - 1 - i];
    }
    CHECK(different == 0);
    planner_free(plan);
    planner_free(mirror);
    free(numbering->order);
    numbering->order = NULL;
    plan = case_build(&own, numbering, options, NULL);
    for (int i = 0; i < plan->size; i++) {
        different += plan->order[i] != i;
    }
    CHECK(different == 0);
    planner_free(plan);
    case_numbering_free(numbering);
    test_mesh_free(&mesh);
}

/* Sorting by colour keeps the elements of each block and makes colours ascend; ties keep their
 * order. */
static void test_sorted(void)
{
    struct test_mesh mesh;
    test_mesh_make(&mesh, TEST_MESH_HEX, 3000, 0, 5);
    struct plan_case own = case_of(&mesh);
    struct cleave_plan *plan = case_build(&own, NULL, (struct plan_options){256, 0, 1, 0}, NULL);
    int wrong = 0;
    for (int b = 0; b < plan->blocks; b++) {
        for (int i = plan->start[b]; i < plan->start[b + 1]; i++) {
            wrong += plan->order[i] < plan->start[b] || plan->order[i] >= plan->start[b + 1];
            int is_first =
                i == plan->start[b] || plan->thread_colour[i - 1] < plan->thread_colour[i];
            wrong += !is_first && (plan->thread_colour[i - 1] != plan->thread_colour[i] ||
                                   plan->order[i - 1] > plan->order[i]);
        }
    }
    CHECK(wrong == 0);
    CHECK(plan->max_thread_colours > 4);
    planner_free(plan);
    test_mesh_free(&mesh);
}

int main(void)
{
    omp_set_num_threads(1); /* thousands of small plans; threads are plan_threads.c's */
    test_meshes();
    test_arity_one();
    test_repeated_targets();
    test_empty();
    test_one_element();
    test_isolated();
    test_several_maps();
    test_no_conflicts();
    test_columns();
    test_order();
    test_sorted();
    return CHECK_RESULT();
}
