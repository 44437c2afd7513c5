/* banks.c: the order of elements for the banks of shared memory: by hand where the best order is
 * known, and on meshes of every kind, where it must be a permutation of each block, never worse
 * than before, and the same for any number of threads. */
#include <omp.h>

#include "plan_cases.h"

/* ---- counted apart from the planner ---------------------------------------------------------- */

static int compare_ints(const void *a, const void *b)
{
    int left = *(const int *)a;
    int right = *(const int *)b;
    return (left > right) - (left < right);
}

static int named(const struct plan_map *map, const int *number, int element, int k)
{
    int point = map->row[(size_t)element * map->dim + map->column[k]];
    return number != NULL ? number[point] : point;
}

/* The points of a block, ascending; returns how many. */
static int list_of(int *list, const struct plan_numbering *own, int b, const struct plan_map *map,
                   const int *number)
{
    int entries = 0;
    int length = 0;
    for (int i = own->start[b]; i < own->start[b + 1]; i++) {
        for (int k = 0; k < map->columns; k++) {
            list[entries++] = named(map, number, own->order[i], k);
        }
    }
    qsort(list, (size_t)entries, sizeof *list, compare_ints);
    for (int i = 0; i < entries; i++) {
        if (length == 0 || list[length - 1] != list[i]) {
            list[length++] = list[i];
        }
    }
    return length;
}

static int group_wavefronts(const int *list, int length, const int *point, int lanes)
{
    int pieces[8] = {0};
    int most = 0;
    for (int i = 0; i < lanes; i++) {
        const int *at = bsearch(&point[i], list, (size_t)length, sizeof *list, compare_ints);
        int repeat = 0;
        for (int earlier = 0; earlier < i; earlier++) {
            repeat |= point[earlier] == point[i];
        }
        if (!repeat) {
            int in_bank = ++pieces[(at - list) % 8];
            most = in_bank > most ? in_bank : most;
        }
    }
    return most;
}

/* Wavefronts of a numbering's order: per block, map, column and 8 consecutive elements, the most
 * different points in places of the block's list that are equal modulo 8. number: as for the
 * planner. */
static int wavefronts(const struct plan_numbering *own, int maps, const struct plan_map *map,
                      const int *const *number, int *groups)
{
    int sum = 0;
    *groups = 0;
    for (int m = 0; m < maps; m++) {
        const int *new_number = number != NULL ? number[m] : NULL;
        int *list = calloc((size_t)own->block_size * map[m].columns + 1, sizeof *list);
        for (int b = 0; b < own->blocks; b++) {
            int length = list_of(list, own, b, &map[m], new_number);
            for (int i = own->start[b]; i < own->start[b + 1]; i += 8) {
                int lanes = own->start[b + 1] - i < 8 ? own->start[b + 1] - i : 8;
                for (int k = 0; k < map[m].columns; k++) {
                    int point[8];
                    for (int l = 0; l < lanes; l++) {
                        point[l] = named(&map[m], new_number, own->order[i + l], k);
                    }
                    sum += group_wavefronts(list, length, point, lanes);
                    ++*groups;
                }
            }
        }
        free(list);
    }
    return sum;
}

/* ---- any mesh -------------------------------------------------------------------------------- */

static int same_blocks(const struct plan_numbering *own, const int *before)
{
    int *block = calloc((size_t)own->elements + 1, sizeof *block);
    int *seen = calloc((size_t)own->elements + 1, sizeof *seen);
    int wrong = 0;
    for (int b = 0; b < own->blocks; b++) {
        for (int i = own->start[b]; i < own->start[b + 1]; i++) {
            block[before[i]] = b;
        }
    }
    for (int b = 0; b < own->blocks; b++) {
        for (int i = own->start[b]; i < own->start[b + 1]; i++) {
            wrong += block[own->order[i]] != b || seen[own->order[i]]++;
        }
    }
    free(block);
    free(seen);
    return wrong == 0;
}

/* The plan's metric is that of the numbering's order. */
static void check_metric(const struct plan_case *own, const struct plan_numbering *numbering,
                         int sum, int groups)
{
    struct plan_metrics metrics;
    struct plan_options options = {.block_size = numbering->block_size,
                                   .parts = CLEAVE_PART_GATHER};
    struct cleave_plan *plan = case_build(own, numbering, options, &metrics);
    double expected = groups > 0 ? (double)sum / groups : 1.0;
    CHECK(metrics.wavefronts > expected - 1e-12 && metrics.wavefronts < expected + 1e-12);
    planner_free(plan);
}

/* Returns wavefronts per group before and after, and leaves the new order. number as for the
 * planner. */
static void check_order(const struct plan_case *own, struct plan_numbering *numbering,
                        const int *const *number, double *before, double *after)
{
    char error[PLANNER_ERROR] = "";
    struct plan_phases phases = {.count = 0};
    size_t bytes = (size_t)own->elements * sizeof(int);
    int *old = malloc(bytes + 1);
    int *first = malloc(bytes + 1);
    int groups;
    memcpy(old, numbering->order, bytes);
    int was = wavefronts(numbering, own->maps, own->map, number, &groups);
    for (int threads = 1; threads <= 3; threads++) {
        memcpy(numbering->order, old, bytes);
        omp_set_num_threads(threads);
        CHECK(planner_order_banks(&test_planner, numbering, own->maps, own->map, number, &phases,
                                  error) == 0);
        CHECK_TEXT(error, "");
        CHECK(threads == 1 || memcmp(first, numbering->order, bytes) == 0);
        memcpy(first, numbering->order, bytes);
    }
    CHECK(phases.count == 1 && strcmp(phases.phase[0].name, "banks") == 0);
    CHECK(same_blocks(numbering, old));
    int is = wavefronts(numbering, own->maps, own->map, number, &groups);
    CHECK(is <= was);
    if (number == NULL && own->elements > 0) {
        check_metric(own, numbering, is, groups);
    }
    *before = groups > 0 ? (double)was / groups : 1.0;
    *after = groups > 0 ? (double)is / groups : 1.0;
    free(old);
    free(first);
}

static void check_mesh(enum test_mesh_kind kind, int block_size, double *before, double *after)
{
    char error[PLANNER_ERROR] = "";
    struct test_mesh mesh;
    struct plan_numbering *numbering;
    struct plan_numbering_options options = {.block_size = block_size};
    test_mesh_make(&mesh, kind, 2500, 16, 1);
    test_mesh_shuffle(&mesh, 1);
    struct plan_case own = case_of(&mesh);
    CHECK(planner_number(&test_planner, &numbering, own.elements, own.maps, own.map,
                         &mesh.coordinates, &options, NULL, error) == 0);
    int *number[2] = {NULL, NULL};
    for (int m = 0; m < own.maps; m++) {
        int *order = malloc((size_t)own.map[m].points * sizeof *order);
        number[m] = malloc((size_t)own.map[m].points * sizeof *number[m]);
        CHECK(planner_order_points(&test_planner, order, own.map[m].points, own.map[m].target,
                                   numbering, own.maps, own.map, NULL, error) == 0);
        for (int p = 0; p < own.map[m].points; p++) {
            number[m][order[p]] = p;
        }
        free(order);
    }
    check_order(&own, numbering, NULL, before, after);
    check_order(&own, numbering, (const int *const *)number, before, after);
    planner_numbering_free(numbering);
    free(number[0]);
    free(number[1]);
    test_mesh_free(&mesh);
}

static void test_meshes(void)
{
    static const int sizes[] = {1, 9, 128, 1000};
    double before;
    double after;
    for (int kind = 0; kind < TEST_MESH_KINDS; kind++) {
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            check_mesh((enum test_mesh_kind)kind, sizes[s], &before, &after);
            CHECK(sizes[s] > 1 || after == 1.0);
        }
    }
    check_mesh(TEST_MESH_TET, 128, &before, &after);
    CHECK(before > 1.6 && after < 1.15);
    check_mesh(TEST_MESH_QUAD, 128, &before, &after);
    CHECK(before > 1.4 && after < 1.25);
    check_mesh(TEST_MESH_HEX, 128, &before, &after);
    CHECK(before > 2.0 && after < 0.9 * before);
}

/* Blocks and orders that no method would make. */
static void test_random_blocks(void)
{
    struct test_mesh mesh;
    double before;
    double after;
    test_mesh_make(&mesh, TEST_MESH_QUAD_NODES, 3000, 0, 2);
    struct plan_case own = case_of(&mesh);
    for (int size = 1; size <= 1024; size *= 4) {
        struct plan_numbering *numbering = case_numbering(own.elements, size, (uint64_t)size);
        check_order(&own, numbering, NULL, &before, &after);
        case_numbering_free(numbering);
    }
    test_mesh_free(&mesh);
}

/* ---- by hand --------------------------------------------------------------------------------- */

static struct plan_numbering one_block(int *start, int *order, int elements)
{
    start[0] = 0;
    start[1] = elements;
    for (int i = 0; i < elements; i++) {
        order[i] = i;
    }
    return (struct plan_numbering){
        .elements = elements, .blocks = 1, .block_size = elements, .start = start, .order = order};
}

/* Element e names point e / 8 of 64 in column 0, and e / 8 + 8 * (e % 8) in column 1: 8 in one
 * bank. In groups of e, e + 9, ... all banks differ. */
static void test_perfect(void)
{
    struct plan_case own = {.elements = 64};
    int start[2];
    int order[64];
    int groups;
    double before;
    double after;
    int *row = case_add_map(&own, 2, 64, 0, 3);
    for (int e = 0; e < 64; e++) {
        row[2 * e] = e / 8;
        row[2 * e + 1] = e / 8 + 8 * (e % 8);
    }
    struct plan_numbering numbering = one_block(start, order, 64);
    CHECK(wavefronts(&numbering, 1, own.map, NULL, &groups) == 8 * (1 + 8) && groups == 16);
    check_order(&own, &numbering, NULL, &before, &after);
    CHECK(before == 4.5 && after == 1.0);
    case_free(&own);
}

/* An order without bank conflicts stays: consecutive points, or one point. */
static void test_kept(void)
{
    struct plan_case own = {.elements = 40};
    int start[2];
    int order[40];
    double before;
    double after;
    int *row = case_add_map(&own, 2, 40, 0, 3);
    for (int e = 0; e < 40; e++) {
        row[2 * e] = e;
        row[2 * e + 1] = 0;
    }
    struct plan_numbering numbering = one_block(start, order, 40);
    check_order(&own, &numbering, NULL, &before, &after);
    CHECK(before == 1.0 && after == 1.0);
    for (int i = 0; i < 40; i++) {
        CHECK(order[i] == i);
    }
    case_free(&own);
}

/* Numbers count, not the points of the map: reversed they are in other places of 12. */
static void test_number(void)
{
    struct plan_case own = {.elements = 16};
    int start[2];
    int order[16];
    int number[160];
    const int *const numbers[] = {number};
    double before;
    double after;
    int *row = case_add_map(&own, 1, 160, 0, 1);
    for (int p = 0; p < 160; p++) {
        number[p] = p / 10 + 16 * (p % 10);
    }
    for (int e = 0; e < 16; e++) {
        row[e] = 10 * (e % 2 * 8 + e / 2); /* numbers 0, 8, 1, 9, ... */
    }
    struct plan_numbering numbering = one_block(start, order, 16);
    check_order(&own, &numbering, numbers, &before, &after);
    CHECK(before == 2.0 && after == 1.0);
    case_free(&own);
}

/* Hubs: every element names one of 3 points in one column, its own in the others. 16 maps of 16
 * columns are as many as there can be. */
static void test_hubs_in_many_maps(void)
{
    struct plan_case own = {.elements = 50};
    uint64_t seed = 5;
    double before;
    double after;
    for (int m = 0; m < CLEAVE_MAX_LISTS; m++) {
        int *row = case_add_map(&own, CLEAVE_MAX_COLUMNS, 60, m, 1);
        for (int i = 0; i < 50 * CLEAVE_MAX_COLUMNS; i++) {
            row[i] = i % 3 == 0 ? test_random_below(&seed, 3) : test_random_below(&seed, 60);
        }
    }
    struct plan_numbering *numbering = case_numbering(50, 32, 3);
    check_order(&own, numbering, NULL, &before, &after);
    case_numbering_free(numbering);
    case_free(&own);
}

/* Nothing to order: no elements, no maps, maps without columns. */
static void test_nothing(void)
{
    struct plan_case none = {.elements = 0};
    struct plan_case direct = {.elements = 5};
    int start[2] = {0, 0};
    int order[5];
    double before;
    double after;
    case_add_map(&none, 2, 4, 0, 3);
    struct plan_numbering empty = {.block_size = 8, .start = start, .order = order};
    check_order(&none, &empty, NULL, &before, &after);
    struct plan_numbering numbering = one_block(start, order, 5);
    check_order(&direct, &numbering, NULL, &before, &after);
    case_add_map(&direct, 2, 4, 0, 3);
    direct.map[0].columns = 0;
    check_order(&direct, &numbering, NULL, &before, &after);
    for (int i = 0; i < 5; i++) {
        CHECK(order[i] == i);
    }
    case_free(&none);
    case_free(&direct);
}

/* ---- refusals -------------------------------------------------------------------------------- */

static void refuse(const struct plan_case *own, struct plan_numbering *numbering, const char *word)
{
    char error[PLANNER_ERROR] = "";
    CHECK(planner_order_banks(&test_planner, numbering, own->maps, own->map, NULL, NULL, error) ==
          -1);
    if (strstr(error, word) == NULL) {
        CHECK_TEXT(error, word);
    }
}

static void test_refusals(void)
{
    struct plan_case own = {.elements = 10};
    int start[2];
    int order[10];
    int *row = case_add_map(&own, 2, 6, 0, 3);
    struct plan_numbering numbering = one_block(start, order, 10);
    row[7] = 6;
    refuse(&own, &numbering, "6");
    row[7] = -1;
    refuse(&own, &numbering, "-1");
    row[7] = 0;
    order[4] = 10;
    refuse(&own, &numbering, "has element 10 at position 4");
    order[4] = -3;
    refuse(&own, &numbering, "has element -3 at position 4");
    order[4] = 4;
    start[1] = 9;
    refuse(&own, &numbering, "numbering of 10");
    start[1] = 10;
    numbering.block_size = 9;
    refuse(&own, &numbering, "block 0 of the numbering has 10 elements");
    numbering.block_size = 1025;
    refuse(&own, &numbering, "1025");
    case_free(&own);
}

int main(void)
{
    test_meshes();
    test_random_blocks();
    test_perfect();
    test_kept();
    test_number();
    test_hubs_in_many_maps();
    test_nothing();
    test_refusals();
    return CHECK_RESULT();
}
