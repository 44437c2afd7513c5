/* plan_threads.c: the same plan, bit for bit, for any number of threads, from run to run, and
 * inside a parallel region; different plans have different hashes. */
#include <omp.h>

#include "plan_cases.h"

static uint64_t hash_of(const struct plan_case *own, const struct plan_numbering *numbering,
                        struct plan_options options, struct plan_metrics *metrics)
{
    char error[PLANNER_ERROR] = "";
    struct cleave_plan *plan = NULL;
    int status = planner_build(&test_planner, &plan, metrics, own->elements, own->maps, own->map,
                               numbering, &options, error);
    uint64_t hash = status == 0 ? planner_hash(plan) : 0;
    planner_free(plan);
    return hash;
}

/* Everything but times. */
static int same_metrics(struct plan_metrics one, struct plan_metrics other)
{
    one.seconds = other.seconds;
    one.phases = other.phases;
    return memcmp(&one, &other, sizeof one) == 0;
}

static void test_mesh_threads(enum test_mesh_kind kind, int elements, int shuffled)
{
    static const int threads[] = {1, 2, 3, 8, 3, 1};
    struct plan_options options = {256, 0, 1, PLAN_WITH_ALL};
    struct plan_metrics first;
    struct test_mesh mesh;
    int before = omp_get_max_threads();
    test_mesh_make(&mesh, kind, elements, 8, 4);
    if (shuffled) {
        test_mesh_shuffle(&mesh, 1);
    }
    struct plan_case own = case_of(&mesh);
    struct plan_numbering *numbering = case_numbering(own.elements, 256, 2);
    omp_set_num_threads(3);
    planner_free(case_build(&own, NULL, options, NULL));
    planner_free(case_build(&own, numbering, options, NULL));
    omp_set_num_threads(1);
    uint64_t runs = hash_of(&own, NULL, options, &first);
    uint64_t blocks = hash_of(&own, numbering, options, NULL);
    CHECK(runs != 0 && blocks != 0 && runs != blocks);
    for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
        struct plan_metrics metrics;
        omp_set_num_threads(threads[t]);
        CHECK(hash_of(&own, NULL, options, &metrics) == runs);
        CHECK(same_metrics(metrics, first));
        CHECK(hash_of(&own, numbering, options, NULL) == blocks);
        test_planner.threads = 4 - threads[t] % 3;
        CHECK(hash_of(&own, NULL, options, NULL) == runs);
        CHECK(omp_get_max_threads() == threads[t]);
        test_planner.threads = 0;
    }
    uint64_t nested[2] = {0, 0};
#pragma omp parallel num_threads(2)
    {
#pragma omp for
        for (int i = 0; i < 2; i++) {
            nested[i] = hash_of(&own, NULL, options, NULL);
        }
    }
    CHECK(nested[0] == runs && nested[1] == runs);
    omp_set_num_threads(before);
    case_numbering_free(numbering);
    test_mesh_free(&mesh);
}

static int threads_inside;

static void see_threads(enum plan_note about, const char *text)
{
    CHECK(about == PLAN_NOTE_COORDINATES);
    CHECK_TEXT(text, "planning method 'hilbert' needs coordinates; 'chunks' is used instead");
    threads_inside = omp_get_max_threads();
}

/* The planner runs on the threads that it is given, by one where the mesh is small, and leaves the
 * caller's number as it was. */
static void test_given_threads(void)
{
    static const struct {
        int elements;
        int given;
        int inside;
    } run[] = {{20000, 3, 3}, {20000, 0, 2}, {1000, 3, 1}};
    int before = omp_get_max_threads();
    omp_set_num_threads(2);
    for (size_t i = 0; i < sizeof run / sizeof *run; i++) {
        struct planner planner = {.threads = run[i].given, .note = see_threads};
        struct plan_numbering_options options = {.block_size = 64};
        struct plan_numbering *numbering = NULL;
        struct test_mesh mesh;
        char error[PLANNER_ERROR] = "";
        CHECK(planner_method_parse("hilbert", &options.method) == 0);
        test_mesh_make(&mesh, TEST_MESH_QUAD, run[i].elements, 0, 1);
        threads_inside = 0;
        CHECK(planner_number(&planner, &numbering, mesh.elements, mesh.maps, mesh.map, NULL,
                             &options, NULL, error) == 0);
        CHECK(threads_inside == run[i].inside);
        CHECK(omp_get_max_threads() == 2);
        planner_numbering_free(numbering);
        test_mesh_free(&mesh);
    }
    omp_set_num_threads(before);
}

/* Every option and every array counts. */
static void test_hashes(void)
{
    struct test_mesh mesh;
    test_mesh_make(&mesh, TEST_MESH_TET, 3000, 0, 4);
    struct plan_case own = case_of(&mesh);
    static const struct plan_options options[] = {
        {64, 0, 0, 0},
        {65, 0, 0, 0},
        {64, 1, 0, 0},
        {64, 0, 1, 0},
        {64, 0, 0, CLEAVE_PART_GATHER},
        {64, 0, 0, CLEAVE_PART_SUMS},
        {64, 0, 0, CLEAVE_PART_RUNS},
        {64, 0, 0, CLEAVE_PART_GLOBAL},
    };
    uint64_t hash[sizeof options / sizeof *options];
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        struct cleave_plan *plan = case_build(&own, NULL, options[i], NULL);
        hash[i] = planner_hash(plan);
        planner_free(plan);
        for (size_t other = 0; other < i; other++) {
            CHECK(hash[i] != hash[other]);
        }
    }
    struct plan_numbering *numbering = case_numbering(500, 64, 1);
    uint64_t before = planner_numbering_hash(numbering);
    CHECK(planner_numbering_hash(numbering) == before);
    numbering->order[499] ^= 1;
    CHECK(planner_numbering_hash(numbering) != before);
    numbering->order[499] ^= 1;
    numbering->start[1] ^= 1;
    CHECK(planner_numbering_hash(numbering) != before);
    case_numbering_free(numbering);
    test_mesh_free(&mesh);
}

int main(void)
{
    test_mesh_threads(TEST_MESH_TET, 60000, 1);
    test_mesh_threads(TEST_MESH_QUAD_NODES, 60000, 0);
    test_mesh_threads(TEST_MESH_STENCIL, 30000, 0);
    test_mesh_threads(TEST_MESH_STAR, 60000, 0);
    test_given_threads();
    test_hashes();
    return CHECK_RESULT();
}
