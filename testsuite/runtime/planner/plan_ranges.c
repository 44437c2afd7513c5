/* plan_ranges.c: plans for ranges: right for many shapes of mesh, ranges and segments as the mesh
 * lets them be, the same for any number of threads; and so are sums that threads add up by them;
 * they know which elements modify different points; planted errors are found. */
#include <omp.h>

#include "plan_cases.h"

/* A plan that passed its check, or NULL after a failed CHECK. */
static struct cleave_plan *build_by(const struct plan_case *own, struct plan_range_options options)
{
    char error[PLANNER_ERROR] = "";
    struct cleave_plan *plan = NULL;
    CHECK(planner_ranges_build(&test_planner, &plan, own->elements, own->maps, own->map, &options,
                               error) == 0);
    CHECK_TEXT(error, "");
    CHECK(planner_ranges_check(&test_planner, plan, own->elements, own->maps, own->map,
                               options.parts, error) == 0);
    CHECK_TEXT(error, "");
    return plan;
}

static struct cleave_plan *build(const struct plan_case *own, int least)
{
    return build_by(own, (struct plan_range_options){least, 0, CLEAVE_PART_DISTINCT});
}

/* ---- many shapes --------------------------------------------------------------------------- */

static void try_threads(const struct plan_case *own, int least)
{
    static const int threads[] = {1, 2, 3, 7};
    const int before = omp_get_max_threads();
    uint64_t hash[4];
    for (int t = 0; t < 4; t++) {
        omp_set_num_threads(threads[t]);
        struct cleave_plan *plan = build(own, least);
        hash[t] = planner_hash(plan);
        planner_free(plan);
    }
    omp_set_num_threads(before);
    CHECK(hash[0] == hash[1] && hash[0] == hash[2] && hash[0] == hash[3]);
}

static void test_meshes(void)
{
    static const struct {
        enum test_mesh_kind kind;
        int elements;
        int arity;
    } mesh[] = {
        {TEST_MESH_QUAD_NODES, 30000, 0}, {TEST_MESH_TET, 30000, 0},
        {TEST_MESH_HEX, 20000, 0},        {TEST_MESH_STENCIL, 20000, 1},
        {TEST_MESH_STENCIL, 2000, 3},     {TEST_MESH_STENCIL, 2000, 16},
        {TEST_MESH_CHAIN, 20000, 0},      {TEST_MESH_STAR, 20000, 0},
    };
    for (size_t i = 0; i < sizeof mesh / sizeof *mesh; i++) {
        struct test_mesh made;
        test_mesh_make(&made, mesh[i].kind, mesh[i].elements, mesh[i].arity, 7);
        for (int shuffled = 0; shuffled < 2; shuffled++) {
            struct plan_case own = case_of(&made);
            try_threads(&own, 1);
            try_threads(&own, 100);
            try_threads(&own, PLANNER_RANGE_ELEMENTS);
            test_mesh_shuffle(&made, 3);
        }
        test_mesh_free(&made);
    }
}

/* Maps of 1 to 8 columns to two sets, some columns only read, at random near or far. */
static void test_random_maps(void)
{
    uint64_t seed = 5;
    for (int round = 0; round < 200; round++) {
        struct plan_case own = {.elements = test_random_below(&seed, 3000)};
        const int near = 1 + test_random_below(&seed, 100);
        const int maps = 1 + test_random_below(&seed, 3);
        for (int m = 0; m < maps; m++) {
            const int dim = 1 + test_random_below(&seed, 8);
            const int target = test_random_below(&seed, 2);
            const int points = target == 0 ? 700 : 90;
            int *row = case_add_map(&own, dim, points, target,
                                    (unsigned)test_random_below(&seed, 1 << dim));
            for (int e = 0; e < own.elements; e++) {
                for (int c = 0; c < dim; c++) {
                    const int at = (int)((int64_t)e * points / own.elements);
                    row[e * dim + c] = (at + test_random_below(&seed, near)) % points;
                }
            }
        }
        planner_free(build(&own, 1 + test_random_below(&seed, 300)));
        case_free(&own);
    }
}

/* ---- what is known of simple meshes --------------------------------------------------------- */

/* Edge e of a chain joins the points e and e+1: the first edge of each range is on the border. */
static void test_chain(void)
{
    struct test_mesh mesh;
    struct plan_metrics metrics;
    test_mesh_make(&mesh, TEST_MESH_CHAIN, 3200, 0, 0);
    struct plan_case own = case_of(&mesh);
    struct cleave_plan *plan = build(&own, 100);
    CHECK(plan->ranges == 32 && plan->blocks == 63 && plan->colours == 2);
    CHECK(plan->segments == 63 && plan->colour_start[1] == 32);
    for (int r = 1; r < 32; r++) {
        const int inner = plan->segment_start[r];
        const int border = plan->segment_start[31 + r];
        CHECK(plan->segment_first[inner] == 100 * r + 1);
        CHECK(plan->segment_last[inner] == 100 * r + 100);
        CHECK(plan->segment_first[border] == 100 * r && plan->segment_last[border] == 100 * r + 1);
    }
    planner_ranges_measure(plan, &metrics);
    CHECK(metrics.ranges == 32 && metrics.blocks == 63 && metrics.block_colours == 2);
    CHECK(metrics.border == 31.0 / 3200 && metrics.segment == 3200.0 / 63);
    CHECK(metrics.plan_bytes == sizeof(int) * (64 + 2 * 63 + 3 + 63) + 3200);
    planner_free(plan);
    plan = build(&own, 3200); /* one range has no border */
    CHECK(plan->ranges == 1 && plan->blocks == 1 && plan->colours == 1 && plan->segments == 1);
    planner_free(plan);
    test_mesh_free(&mesh);
}

/* Backwards: range 0 has the last elements, the last one first. */
static void test_reverse(void)
{
    struct test_mesh mesh;
    test_mesh_make(&mesh, TEST_MESH_CHAIN, 200, 0, 0);
    struct plan_case own = case_of(&mesh);
    struct cleave_plan *plan = build_by(&own, (struct plan_range_options){100, 1, 0});
    CHECK(plan->ranges == 2 && plan->blocks == 3 && plan->colours == 2 && plan->segments == 200);
    for (int s = 0; s < 200; s++) {
        const int element = s < 100 ? 199 - s : s < 199 ? 198 - s : 99;
        CHECK(plan->segment_first[s] == element && plan->segment_last[s] == element + 1);
    }
    ((int *)plan->segment_first)[150] = 49;
    char error[PLANNER_ERROR];
    CHECK(planner_ranges_check(&test_planner, plan, 200, 1, own.map, 0, error) == -1);
    planner_free(plan);
    test_mesh_shuffle(&mesh, 3); /* no ranges */
    own = case_of(&mesh);
    plan = build_by(&own, (struct plan_range_options){10, 1, 0});
    CHECK(plan->ranges == 0 && plan->blocks == 1 && plan->segments == 200);
    CHECK(plan->segment_first[0] == 199 && plan->segment_first[199] == 0);
    planner_free(plan);
    test_mesh_free(&mesh);
}

/* All elements modify one point: no ranges, blocks one after the other. */
static void test_one_point(void)
{
    struct plan_case own = {.elements = 1000};
    case_add_map(&own, 2, 1, 0, 3);
    struct cleave_plan *plan = build(&own, 10);
    CHECK(plan->ranges == 0 && plan->blocks == 4 && plan->colours == 4 && plan->segments == 4);
    CHECK(plan->segment_first[3] == 768 && plan->segment_last[3] == 1000);
    planner_free(plan);
    own.map[0].conflicts = 0; /* nothing is modified: no borders */
    plan = build(&own, 10);
    CHECK(plan->ranges == 64 && plan->blocks == 64 && plan->colours == 1 && plan->segments == 64);
    planner_free(plan);
    case_free(&own);
}

/* Elements that modify one point each: those of a window of 16 differ if equal points are 16 apart.
 */
static void test_distinct(void)
{
    struct plan_case own = {.elements = 40};
    int *row = case_add_map(&own, 2, 100, 0, 3);
    for (int e = 0; e < 40; e++) {
        row[2 * e] = e % 16;
        row[2 * e + 1] = 50 + e;
    }
    struct cleave_plan *plan = build(&own, 1);
    CHECK(plan->distinct[0] == 16 && plan->distinct[24] == 16);
    CHECK(plan->distinct[25] == 15 && plan->distinct[39] == 1);
    planner_free(plan);
    row[2 * 9 + 1] = 3;  /* the point of element 3 */
    row[2 * 20 + 1] = 4; /* named twice by element 20 */
    plan = build(&own, 1);
    CHECK(plan->distinct[0] == 9 && plan->distinct[3] == 6 && plan->distinct[4] == 15);
    CHECK(plan->distinct[8] == 11 && plan->distinct[20] == 0 && plan->distinct[21] == 16);
    ((unsigned char *)plan->distinct)[8] = 12;
    char error[PLANNER_ERROR];
    CHECK(planner_ranges_check(&test_planner, plan, 40, 1, own.map, CLEAVE_PART_DISTINCT, error) ==
          -1);
    CHECK_TEXT(error, "11 elements from 8 on modify different points, but the plan says 12");
    struct plan_metrics metrics;
    planner_ranges_measure(plan, &metrics);
    CHECK(metrics.distinct == 23.0 / 33); /* 0, 1, 4..12 and 21..32, of 0..32 */
    planner_free(plan);
    row[2 * 9 + 1] = 59;
    own.map[0].conflicts = 2; /* the first column is only read: 4 and 84 do not meet */
    plan = build(&own, 1);
    CHECK(plan->distinct[0] == 16 && plan->distinct[16] == 16 && plan->distinct[20] == 16);
    planner_free(plan);
    case_free(&own);
}

static void test_few(void)
{
    struct plan_case own = {.elements = 0};
    case_add_map(&own, 3, 5, 0, 7);
    struct cleave_plan *plan = build(&own, 1);
    CHECK(plan->ranges == 0 && plan->blocks == 0 && plan->colours == 0 && plan->segments == 0);
    CHECK(plan->segment_start[0] == 0 && plan->colour_start[0] == 0);
    planner_free(plan);
    case_free(&own);
    own.map[0].row = NULL;
    own = (struct plan_case){.elements = 1};
    case_add_map(&own, 3, 5, 0, 7); /* names point 0 three times */
    plan = build(&own, 1);
    CHECK(plan->ranges == 1 && plan->blocks == 1 && plan->colours == 1 && plan->segments == 1);
    planner_free(plan);
    case_free(&own);
    own.elements = 300; /* no maps at all */
    plan = build(&own, 100);
    CHECK(plan->ranges == 2 && plan->blocks == 2 && plan->colours == 1);
    planner_free(plan);
}

/* ---- sums by many threads -------------------------------------------------------------------
 */

/* A value that no sum of others has: sums differ if their order does. */
static double value_of(int element, int column)
{
    return 1.0 / (1.0 + element + 0.37 * column);
}

static void add_elements(const struct plan_case *own, int first, int last, double *const *sum)
{
    for (int e = first; e < last; e++) {
        for (int m = 0; m < own->maps; m++) {
            const struct plan_map *map = &own->map[m];
            for (int k = 0; k < map->columns; k++) {
                if ((map->conflicts & 1u << k) != 0) {
                    sum[m][map->row[e * map->dim + map->column[k]]] += value_of(e, k);
                }
            }
        }
    }
}

/* Adds up by so many threads, colour after colour, as generated code does; seen[block] counts how
 * often each block ran. */
static void run(const struct plan_case *own, const struct cleave_plan *plan, int threads,
                double *const *sum, int *seen)
{
#pragma omp parallel num_threads(threads)
    for (int colour = 0; colour < plan->colours; colour++) {
#pragma omp for schedule(static)
        for (int k = plan->colour_start[colour]; k < plan->colour_start[colour + 1]; k++) {
            const int block = plan->colour_block[k];
            for (int s = plan->segment_start[block]; s < plan->segment_start[block + 1]; s++) {
                add_elements(own, plan->segment_first[s], plan->segment_last[s], sum);
            }
            seen[block]++;
        }
    }
}

static void try_sums(const struct plan_case *own, int least)
{
    static const int threads[] = {1, 2, 3, 7, 64};
    struct cleave_plan *plan = build(own, least);
    int *seen = calloc((size_t)plan->blocks + 1, sizeof *seen);
    double *sum[5][2];
    for (int t = 0; t < 5; t++) {
        for (int m = 0; m < own->maps; m++) {
            sum[t][m] = calloc((size_t)own->map[m].points + 1, sizeof(double));
        }
        run(own, plan, threads[t], sum[t], seen);
        for (int m = 0; m < own->maps; m++) {
            CHECK(memcmp(sum[t][m], sum[0][m], (size_t)own->map[m].points * sizeof(double)) == 0);
        }
    }
    for (int b = 0; b < plan->blocks; b++) {
        CHECK(seen[b] == 5);
    }
    for (int i = 0; i < 5 * own->maps; i++) {
        free(sum[i / own->maps][i % own->maps]);
    }
    free(seen);
    planner_free(plan);
}

/* Meshes whose borders have one colour, several, and meshes without ranges. */
static void test_sums(void)
{
    static const enum test_mesh_kind kinds[] = {TEST_MESH_QUAD_NODES, TEST_MESH_TET, TEST_MESH_HEX,
                                                TEST_MESH_ANNULUS, TEST_MESH_STAR};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        struct test_mesh mesh;
        test_mesh_make(&mesh, kinds[k], 6000, 0, 2);
        struct plan_case own = case_of(&mesh);
        try_sums(&own, 40);
        try_sums(&own, 300);
        test_mesh_shuffle(&mesh, 4);
        try_sums(&own, 300);
        test_mesh_free(&mesh);
    }
    struct plan_case none = {.elements = 0};
    case_add_map(&none, 2, 0, 0, 3);
    try_sums(&none, 1);
    case_free(&none);
}

/* ---- planted errors ------------------------------------------------------------------------- */

static void expect(struct cleave_plan *plan, const struct plan_case *own, const char *message)
{
    char error[PLANNER_ERROR] = "";
    CHECK(planner_ranges_check(&test_planner, plan, own->elements, own->maps, own->map,
                               CLEAVE_PART_DISTINCT, error) != 0);
    CHECK_TEXT(error, message);
    planner_free(plan);
}

static void test_planted(void)
{
    struct test_mesh mesh;
    test_mesh_make(&mesh, TEST_MESH_CHAIN, 200, 0, 0);
    struct plan_case own = case_of(&mesh);
    struct cleave_plan *plan = build(&own, 100); /* 0..99, 101..199; 100 */
    ((int *)plan->segment_first)[1] = 100;
    expect(plan, &own, "element 100 is in segment 2 and in one before");
    plan = build(&own, 100);
    ((int *)plan->segment_last)[2] = 102;
    expect(plan, &own, "element 101 is in segment 2 and in one before");
    plan = build(&own, 100);
    ((int *)plan->segment_last)[0] = 99;
    expect(plan, &own, "the segments have 199 of 200 elements");
    plan = build(&own, 100);
    ((int *)plan->segment_first)[2] = 101;
    expect(plan, &own, "segment 2 has elements 101 to 100; there are 200");
    plan = build(&own, 100); /* the border element moves into range 1 */
    ((int *)plan->segment_first)[1] = 100;
    ((int *)plan->segment_first)[2] = 0;
    ((int *)plan->segment_last)[2] = 1;
    ((int *)plan->segment_first)[0] = 1;
    expect(plan, &own, "blocks 0 and 1 have colour 0 and both modify point 100 of set 0");
    plan = build(&own, 100); /* two segments where one would do */
    ((int *)plan->segment_start)[1] = 2;
    ((int *)plan->segment_last)[0] = 50;
    ((int *)plan->segment_first)[1] = 50;
    ((int *)plan->segment_last)[1] = 100;
    expect(plan, &own, "segment 1 begins at element 50, but the one before ends there or behind");
    plan = build(&own, 100);
    plan->ranges = 1;
    expect(plan, &own, "colour 0 does not have the 1 ranges alone");
    plan = build(&own, 100);
    ((int *)plan->colour_block)[0] = 1;
    ((int *)plan->colour_block)[1] = 0;
    expect(plan, &own, "colour 0 has block 1 where range 0 must be");
    plan = build(&own, 100);
    plan->segments = 2;
    expect(plan, &own, "the offsets of segments do not run from 0 to 2");
    test_mesh_free(&mesh);
}

static void test_wrong_input(void)
{
    char error[PLANNER_ERROR] = "";
    struct cleave_plan *plan = NULL;
    struct plan_case own = {.elements = 4};
    case_add_map(&own, 1, 4, 0, 1)[2] = 4;
    CHECK(planner_ranges_build(&test_planner, &plan, 4, 1, own.map,
                               &(struct plan_range_options){1, 0, 0}, error) == -1 &&
          plan == NULL);
    CHECK_TEXT(error, "map 0, row 2, column 0 is 4; its set has 4 points");
    case_free(&own);
}

int main(void)
{
    test_meshes();
    test_random_maps();
    test_chain();
    test_reverse();
    test_one_point();
    test_distinct();
    test_few();
    test_sums();
    test_planted();
    test_wrong_input();
    return CHECK_RESULT();
}
