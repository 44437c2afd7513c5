/* plan_owners.c: plans for blocks of points: a small one by hand, meshes of all kinds and random
 * maps against a slow reference, the same arrays for any number of threads, meshes that do not
 * allow such plans, planted errors. */
#include <omp.h>

#include "plan_cases.h"

static int lanes = 32; /* of the warps that plans are built for */

static struct cleave_plan *build(const struct plan_case *own, int block_size)
{
    char error[PLANNER_ERROR] = "";
    struct cleave_plan *plan = NULL;
    CHECK(planner_owners_build(&test_planner, &plan, own->elements, block_size, lanes, own->maps,
                               own->map, error) == 0);
    CHECK_TEXT(error, "");
    if (plan == NULL) {
        exit(1);
    }
    CHECK(planner_owners_check(&test_planner, plan, own->elements, block_size, lanes, own->maps,
                               own->map, error) == 0);
    CHECK_TEXT(error, "");
    return plan;
}

/* ---- reference ----------------------------------------------------------------------------- */

/* An element that names a point through a modified column. */
struct item {
    int point;
    int element;
    int column;
};

static int compare_items(const void *one, const void *other)
{
    const struct item *a = one;
    const struct item *b = other;
    if (a->point != b->point) {
        return a->point < b->point ? -1 : 1;
    }
    return a->element != b->element ? (a->element < b->element ? -1 : 1) : a->column - b->column;
}

static int named(const struct plan_map *map, int element, int k)
{
    return map->row[(size_t)element * map->dim + map->column[k]];
}

static struct item *sorted_items(const struct plan_case *own, int m, int *count)
{
    const struct plan_map *map = &own->map[m];
    struct item *item = calloc((size_t)own->elements * map->columns + 1, sizeof *item);
    *count = 0;
    for (int e = 0; e < own->elements; e++) {
        for (int k = 0; k < map->columns; k++) {
            if ((map->conflicts & 1u << k) != 0) {
                item[(*count)++] = (struct item){named(map, e, k), e, k};
            }
        }
    }
    qsort(item, (size_t)*count, sizeof *item, compare_items);
    return item;
}

/* Marks the neighbourhood of the points first..end-1, whose items are item[0..count-1], and
 * compares it with block b's. Leaves in place[p] where a point stands, -1 if not. */
static int same_around(const struct plan_map *map, const struct cleave_plan_list *list, int b,
                       int first, int end, const struct item *item, int count, int *place)
{
    int length = 0;
    int same = 1;
    for (int p = 0; p < map->points; p++) {
        place[p] = p >= first && p < end ? 0 : -1;
    }
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < map->columns; k++) {
            place[named(map, item[i].element, k)] = 0;
        }
    }
    for (int p = 0; p < map->points; p++) {
        if (place[p] == 0) {
            int at = list->around_start[b] + length;
            same &= at < list->around_start[b + 1] && list->around_point[at] == p;
            place[p] = length++;
        }
    }
    return same && list->around_start[b] + length == list->around_start[b + 1] &&
           length <= list->max_around && list->around_own[b] == place[first];
}

/* The lane's column of entries: the items of a point, then padding. */
static int same_lane(const struct plan_map *map, const struct cleave_plan_list *list, int slice,
                     int lane, const struct item *item, int count, const int *place)
{
    size_t entries = (size_t)list->rows * (size_t)lanes;
    int same = count <= list->slice_start[slice + 1] - list->slice_start[slice];
    for (int r = 0; r < list->slice_start[slice + 1] - list->slice_start[slice]; r++) {
        size_t at = (size_t)(list->slice_start[slice] + r) * (size_t)lanes + (size_t)lane;
        same &= list->slice_element[at] == (r < count ? item[r].element : -1);
        same &= list->slice_column[at] == (r < count ? item[r].column : 0);
        for (int k = 0; k < map->columns; k++) {
            int local = r < count ? place[named(map, item[r].element, k)] : 0;
            same &= list->slice_local[(size_t)k * entries + at] == local;
        }
    }
    return same;
}

/* Items of the sorted item[0..count-1] of the points below p. */
static int items_below(const struct item *item, int count, int p)
{
    int low = 0;
    while (low < count) {
        int middle = low + (count - low) / 2;
        if (item[middle].point < p) {
            low = middle + 1;
        } else {
            count = middle;
        }
    }
    return low;
}

static int same_list(const struct plan_case *own, const struct cleave_plan *plan, int m)
{
    const struct plan_map *map = &own->map[m];
    const struct cleave_plan_list *list = &plan->list[m];
    int warps = (plan->block_size + lanes - 1) / lanes;
    int count;
    int same = 1;
    int64_t rows = 0;
    int largest = 0;
    struct item *item = sorted_items(own, m, &count);
    int *place = calloc((size_t)map->points + 1, sizeof *place);
    for (int b = 0; count > 0 && b < list->owners; b++) {
        int first = b * plan->block_size;
        int end = first + plan->block_size < map->points ? first + plan->block_size : map->points;
        int from = items_below(item, count, first);
        same &= same_around(map, list, b, first, end, item + from,
                            items_below(item, count, end) - from, place);
        int around = list->around_start[b + 1] - list->around_start[b];
        largest = around > largest ? around : largest;
        for (int w = 0; w < warps; w++) {
            int most = 0;
            same &= list->slice_start[b * warps + w] == rows;
            for (int lane = 0; lane < lanes; lane++) {
                int p = first + w * lanes + lane;
                int at = items_below(item, count, p < end ? p : end);
                int items = items_below(item, count, p < end ? p + 1 : end) - at;
                same &= same_lane(map, list, b * warps + w, lane, item + at, items, place);
                most = items > most ? items : most;
            }
            rows += most;
        }
    }
    int owners =
        count == 0 ? 0 : map->points / plan->block_size + (map->points % plan->block_size != 0);
    same &= list->owners == owners && list->rows == rows && list->max_around == largest &&
            list->points == (count > 0 ? map->points : 0);
    same &= count > 0 || (list->around_start == NULL && list->slice_start == NULL);
    free(item);
    free(place);
    return same;
}

static void compare(const struct plan_case *own, int block_size)
{
    struct cleave_plan *plan = build(own, block_size);
    CHECK(plan->size == own->elements && plan->block_size == block_size && plan->blocks == 0);
    CHECK(plan->lists == own->maps && plan->lanes == lanes);
    for (int m = 0; m < own->maps; m++) {
        CHECK(same_list(own, plan, m));
    }
    planner_free(plan);
}

static const int block_sizes[] = {1, 31, 32, 100, 1024};
enum { SIZES = sizeof block_sizes / sizeof *block_sizes };

static void test_meshes(void)
{
    for (int kind = 0; kind < TEST_MESH_KINDS; kind++) {
        for (int s = 0; s < SIZES; s++) {
            struct test_mesh mesh;
            test_mesh_make(&mesh, (enum test_mesh_kind)kind, 1200, 5, 1);
            struct plan_case own = case_of(&mesh);
            compare(&own, block_sizes[s]);
            test_mesh_shuffle(&mesh, 7);
            own = case_of(&mesh);
            compare(&own, block_sizes[s]);
            test_mesh_free(&mesh);
        }
    }
}

/* ---- odd maps ------------------------------------------------------------------------------ */

/* Few points: elements name them twice; many: most are named by nobody. A share of all entries
 * names point 0. */
static void test_random_maps(void)
{
    uint64_t state = 5;
    for (int round = 0; round < 240; round++) {
        struct plan_case own = {.elements = round % 6 == 0 ? 1 : test_random_below(&state, 400)};
        int maps = 1 + test_random_below(&state, 2);
        for (int m = 0; m < maps; m++) {
            int dim = 1 + (round + m) % 8;
            int points = 1 + test_random_below(&state, round % 3 == 0 ? 5 : 700);
            unsigned conflicts = (unsigned)test_random_below(&state, 1 << dim);
            int *row = case_add_map(&own, dim, points, m, conflicts);
            for (int i = 0; i < own.elements * dim; i++) {
                row[i] = test_random_below(&state, 10) == 0 ? 0 : test_random_below(&state, points);
            }
            own.map[m].columns = 1 + test_random_below(&state, dim); /* the last ones of the map */
            for (int k = 0; k < own.map[m].columns; k++) {
                own.map[m].column[k] = dim - own.map[m].columns + k;
            }
        }
        compare(&own, block_sizes[round % SIZES]);
        case_free(&own);
    }
}

static void test_empty(void)
{
    for (int s = 0; s < SIZES; s++) {
        struct plan_case own = {.elements = 0};
        compare(&own, block_sizes[s]); /* no maps */
        case_add_map(&own, 2, 0, 0, 3);
        case_add_map(&own, 2, 50, 1, 3);
        compare(&own, block_sizes[s]);
        case_free(&own);
    }
}

/* Devices have warps of other widths, and a host has one lane. */
static void test_lanes(void)
{
    static const int widths[] = {1, 7, CLEAVE_MAX_LANES};
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
        lanes = widths[w];
        test_random_maps();
        test_empty();
    }
    lanes = 32;
}

/* ---- by hand ------------------------------------------------------------------------------- */

/* Points 0..5 in blocks of 4; data is modified through the first column. */
static struct plan_case edges_by_hand(void)
{
    static const int entries[] = {0, 5, 1, 0, 4, 1, 0, 2};
    struct plan_case own = {.elements = 4};
    memcpy(case_add_map(&own, 2, 6, 0, 1), entries, sizeof entries);
    return own;
}

static void test_by_hand(void)
{
    static const int around_start[] = {0, 5, 8};
    static const int around_point[] = {0, 1, 2, 3, 5, 1, 4, 5};
    static const int around_own[] = {0, 1};
    static const int slice_start[] = {0, 2, 3};
    /* entry, element, places of the points that it names */
    static const int item[][4] = {{0, 0, 0, 4}, {1, 1, 1, 0}, {32, 3, 0, 2}, {64, 2, 1, 0}};
    struct plan_case own = edges_by_hand();
    struct cleave_plan *plan = build(&own, 4);
    const struct cleave_plan_list *list = &plan->list[0];
    int items = 0;
    CHECK(list->columns == 2 && list->modified == 1 && list->points == 6);
    CHECK(list->owners == 2 && list->max_around == 5 && list->rows == 3);
    CHECK(memcmp(list->around_start, around_start, sizeof around_start) == 0);
    CHECK(memcmp(list->around_point, around_point, sizeof around_point) == 0);
    CHECK(memcmp(list->around_own, around_own, sizeof around_own) == 0);
    CHECK(memcmp(list->slice_start, slice_start, sizeof slice_start) == 0);
    for (int i = 0; i < 4; i++) {
        CHECK(list->slice_element[item[i][0]] == item[i][1]);
        CHECK(list->slice_local[item[i][0]] == item[i][2]);
        CHECK(list->slice_local[96 + item[i][0]] == item[i][3]);
    }
    for (int at = 0; at < 96; at++) {
        items += list->slice_element[at] != -1;
        CHECK(list->slice_column[at] == 0);
    }
    CHECK(items == 4);
    struct plan_metrics metrics;
    planner_owners_measure(plan, &metrics);
    CHECK(metrics.blocks == 2 && metrics.points == 4.0 && metrics.max_points == 5);
    CHECK(metrics.per_own_point == 8.0 / 6.0 && metrics.padding == 24.0);
    CHECK(metrics.plan_bytes == 4 * (3 + 8 + 2 + 3 + 96) + 96 + 2 * 2 * 96);
    planner_free(plan);
    case_free(&own);
}

/* ---- threads ------------------------------------------------------------------------------- */

static void test_threads(enum test_mesh_kind kind, int block_size)
{
    static const int threads[] = {1, 2, 3, 8};
    struct test_mesh mesh;
    uint64_t hash[4];
    int before = omp_get_max_threads();
    test_mesh_make(&mesh, kind, 30000, 8, 4);
    test_mesh_shuffle(&mesh, 1);
    struct plan_case own = case_of(&mesh);
    for (int t = 0; t < 4; t++) {
        omp_set_num_threads(threads[t]);
        struct cleave_plan *plan = build(&own, block_size);
        hash[t] = planner_hash(plan);
        planner_free(plan);
    }
    omp_set_num_threads(before);
    CHECK(hash[0] == hash[1] && hash[0] == hash[2] && hash[0] == hash[3]);
    test_mesh_free(&mesh);
}

/* Every number and array counts. */
static void test_hashes(void)
{
    struct plan_case own = edges_by_hand();
    struct cleave_plan *plan = build(&own, 4);
    struct cleave_plan_list *list = &plan->list[0];
    uint64_t before = planner_hash(plan);
    void *const last[] = {(int *)list->around_start + 1,    (int *)list->around_point + 7,
                          (int *)list->around_own + 1,      (int *)list->slice_start + 1,
                          (int *)list->slice_element + 95,  (char *)list->slice_column + 95,
                          (short *)list->slice_local + 191, &list->max_around};
    for (size_t i = 0; i < sizeof last / sizeof *last; i++) {
        *(unsigned char *)last[i] ^= 1;
        CHECK(planner_hash(plan) != before);
        *(unsigned char *)last[i] ^= 1;
    }
    CHECK(planner_hash(plan) == before);
    planner_free(plan);
    case_free(&own);
}

/* ---- limits -------------------------------------------------------------------------------- */

/* Two hubs, points 0 and hub, that `named` elements each name besides a point of their own. */
static struct plan_case hubs(int named, int hub)
{
    struct plan_case own = {.elements = 2 * named};
    int *row = case_add_map(&own, 2, 2 * named + hub + 2, 0, 3);
    for (int e = 0; e < 2 * named; e++) {
        row[2 * e] = e < named ? hub : 0;
        row[2 * e + 1] = e < hub - 1 ? e + 1 : e + 2;
    }
    return own;
}

static void test_limits(void)
{
    static const int threads[] = {1, 2, 3, 8};
    char error[PLANNER_ERROR] = "";
    struct cleave_plan *plan = NULL;
    int before = omp_get_max_threads();
    struct plan_case own = hubs(CLEAVE_MAX_AROUND - 1, 30000);
    plan = build(&own, 1); /* just enough */
    CHECK(plan->list[0].max_around == CLEAVE_MAX_AROUND);
    planner_free(plan);
    case_free(&own);
    own = hubs(CLEAVE_MAX_AROUND, 30000);
    for (int t = 0; t < 4; t++) {
        omp_set_num_threads(threads[t]);
        CHECK(planner_owners_build(&test_planner, &plan, own.elements, 1, 32, 1, own.map, error) !=
                  0 &&
              plan == NULL);
        CHECK_TEXT(error,
                   "map 0: the elements that name points 0 to 0 name more than 65535 points "
                   "together; use smaller blocks, or a variant that is not by blocks of points");
        CHECK(planner_owners_build(&test_planner, &plan, own.elements, 256, 32, 1, own.map,
                                   error) != 0);
        CHECK_TEXT(error,
                   "map 0: the elements that name points 0 to 255 name more than 65535 points "
                   "together; use smaller blocks, or a variant that is not by blocks of points");
    }
    omp_set_num_threads(before);
    case_free(&own);
    own.elements = 4;
    case_add_map(&own, 1, 4, 0, 1)[2] = 4;
    CHECK(planner_owners_build(&test_planner, &plan, 4, 32, 32, 1, own.map, error) != 0 &&
          plan == NULL);
    CHECK_TEXT(error, "map 0, row 2, column 0 is 4; its set has 4 points");
    CHECK(planner_owners_build(&test_planner, &plan, 4, 1025, 32, 1, own.map, error) != 0 &&
          plan == NULL);
    CHECK(planner_owners_build(&test_planner, &plan, 4, 32, 0, 1, own.map, error) != 0 &&
          plan == NULL);
    CHECK_TEXT(error, "a warp has 0 lanes; it must have 1 to 64");
    CHECK(planner_owners_build(&test_planner, &plan, 4, 32, 65, 1, own.map, error) != 0 &&
          plan == NULL);
    case_free(&own);
}

/* A hub with no other point around it needs long slices, but few points. */
static void test_long_slice(void)
{
    struct plan_case own = {.elements = 100000};
    int *row = case_add_map(&own, 1, 70, 0, 1);
    for (int e = 0; e < own.elements; e++) {
        row[e] = e < 70 ? e : 40;
    }
    struct cleave_plan *plan = build(&own, 64);
    CHECK(plan->list[0].rows == 1 + (100000 - 69) + 1 && plan->list[0].max_around == 64);
    CHECK(same_list(&own, plan, 0));
    planner_free(plan);
    case_free(&own);
}

/* ---- planted errors ------------------------------------------------------------------------ */

static void expect(struct cleave_plan *plan, const struct plan_case *own, const char *message)
{
    char error[PLANNER_ERROR] = "";
    CHECK(planner_owners_check(&test_planner, plan, own->elements, 4, lanes, own->maps, own->map,
                               error) != 0);
    CHECK_TEXT(error, message);
    planner_free(plan);
}

#define PLANT(array, at, value, message)                                                           \
    do {                                                                                           \
        struct cleave_plan *plan = build(own, 4);                                                  \
        ((int *)plan->list[0].array)[at] = (value);                                                \
        expect(plan, own, message);                                                                \
    } while (0)

static void test_planted_around(const struct plan_case *own)
{
    PLANT(around_start, 1, 9, "the offsets of neighbourhoods descend at 1: 9, then 8");
    PLANT(around_start, 0, 1, "the offsets of neighbourhoods do not run from 0 to 8");
    PLANT(around_start, 1, 6, "map 0: block 0 has 6 points around it; the plan says at most 5");
    PLANT(around_start, 1, 4,
          "map 0, block 0: element 0, column 1 is point 5; its local index 4 does not lead there");
    PLANT(around_point, 4, 6, "map 0: point 6 is around block 0 of a set of 6");
    PLANT(around_point, 5, -1, "map 0: point -1 is around block 1 of a set of 6");
    PLANT(around_point, 4, 3, "map 0: block 0 lists point 3 around it after point 3");
    PLANT(around_point, 4, 4,
          "map 0, block 0: element 0, column 1 is point 5; its local index 4 does not lead there");
    PLANT(around_own, 1, 0, "map 0: point 4 of block 1 is not at place 0 of its neighbourhood");
    PLANT(around_own, 1, 2, "map 0: point 4 of block 1 is not at place 2 of its neighbourhood");
    PLANT(around_own, 1, -1, "map 0: point 4 of block 1 is not at place -1 of its neighbourhood");
}

static void test_planted_slices(const struct plan_case *own)
{
    PLANT(slice_start, 1, 4, "the offsets of slices descend at 1: 4, then 3");
    PLANT(slice_start, 2, 2, "the offsets of slices do not run from 0 to 3");
    PLANT(slice_start, 1, 1, "map 0: row 0 of lane 0 of slice 1 is wrong");
    PLANT(slice_element, 0, 3,
          "map 0, block 0: element 3, column 1 is point 2; its local index 4 does not lead there");
    PLANT(slice_element, 0, 4, "map 0: row 0 of lane 0 of slice 0 is wrong");
    PLANT(slice_element, 0, -2, "map 0: row 0 of lane 0 of slice 0 is wrong");
    PLANT(slice_element, 0, 2, "map 0: row 0 of lane 0 of slice 0 is wrong");
    PLANT(slice_element, 5, 1, "map 0: row 0 of lane 5 of slice 0 is wrong");
    PLANT(slice_element, 0, -1, "map 0: row 0 of lane 0 of slice 0 is not padding as it must be");
    PLANT(slice_element, 32, -1, "map 0: row 1 of lane 0 of slice 0 is not padding as it must be");
}

/* Plants wrong values in arrays of small types, and in numbers of the plan. */
static void test_planted_others(const struct plan_case *own)
{
    struct cleave_plan *plan = build(own, 4);
    ((unsigned char *)plan->list[0].slice_column)[32] = 1;
    expect(plan, own, "map 0: row 1 of lane 0 of slice 0 is wrong");
    plan = build(own, 4);
    ((unsigned char *)plan->list[0].slice_column)[95] = 1;
    expect(plan, own, "map 0: row 0 of lane 31 of slice 1 is not padding as it must be");
    plan = build(own, 4);
    ((unsigned short *)plan->list[0].slice_local)[96 + 64] = 1;
    expect(plan, own,
           "map 0, block 1: element 2, column 1 is point 1; its local index 1 does not lead there");
    plan = build(own, 4);
    ((unsigned short *)plan->list[0].slice_local)[0] = 5;
    expect(plan, own,
           "map 0, block 0: element 0, column 0 is point 0; its local index 5 does not lead there");
    plan = build(own, 4);
    ((unsigned short *)plan->list[0].slice_local)[96 + 95] = 1;
    expect(plan, own, "map 0: row 0 of lane 31 of slice 1 is not padding as it must be");
    plan = build(own, 4);
    plan->list[0].max_around = 6;
    expect(plan, own, "map 0: blocks have at most 5 points around them; the plan says 6");
    plan = build(own, 4);
    plan->list[0].owners = 1;
    expect(plan, own, "map 0: 6 points are in 2 blocks; the plan has 6 in 1");
    plan = build(own, 4);
    plan->list[0].modified = 2;
    expect(plan, own,
           "map 0: the list has 2 columns, 2 of them modified, and 2 blocks of points; the map has "
           "2 columns, 1 of them modified");
    plan = build(own, 8);
    expect(plan, own,
           "the plan is for 4 elements, blocks of 8 points, warps of 32 lanes and 1 maps, not for "
           "4, 4, "
           "32 and 1");
    plan = build(own, 4);
    plan->lanes = 64;
    expect(plan, own,
           "the plan is for 4 elements, blocks of 4 points, warps of 64 lanes and 1 maps, not for "
           "4, 4, "
           "32 and 1");
}

/* Wrong only beside what the other cases compare: an item that is missing with all that belongs to
 * it, a row that nobody needs, a point that nobody names. */
static void test_planted_silently(void)
{
    struct plan_case own = edges_by_hand();
    struct cleave_plan *plan = build(&own, 4);
    own.row[0][6] = 3; /* element 3 now modifies point 3 */
    expect(plan, &own, "map 0: row 1 of lane 0 of slice 0 is wrong");
    own.row[0][6] = 0;
    plan = build(&own, 4);
    ((int *)plan->list[0].slice_element)[0] = 3; /* element 3 twice */
    ((unsigned short *)plan->list[0].slice_local)[96] = 2;
    expect(plan, &own, "map 0: row 1 of lane 0 of slice 0 is wrong");
    plan = build(&own, 4);
    own.row[0][1] = 2; /* nobody of block 0's names point 5 */
    ((unsigned short *)plan->list[0].slice_local)[96] = 2;
    expect(plan, &own, "map 0: block 0 lists point 5 around it, which none of its elements names");
    own.row[0][1] = 5;
    plan = build(&own, 4);
    ((int *)plan->list[0].slice_element)[1] = -1; /* element 1 at point 1 */
    ((unsigned short *)plan->list[0].slice_local)[1] = 0;
    expect(plan, &own, "map 0: the slices hold 3 items, not 4");
    plan = build(&own, 4);
    ((int *)plan->list[0].slice_element)[32] = -1; /* element 3 at point 0 */
    ((unsigned short *)plan->list[0].slice_local)[96 + 32] = 0;
    expect(plan, &own, "map 0: slice 0 has 2 rows; its busiest lane needs 1");
    case_free(&own);
}

int main(void)
{
    struct plan_case own = edges_by_hand();
    test_by_hand();
    test_meshes();
    test_random_maps();
    test_empty();
    test_lanes();
    test_threads(TEST_MESH_TET, 128);
    test_threads(TEST_MESH_QUAD_NODES, 1024);
    test_threads(TEST_MESH_STENCIL, 31);
    test_threads(TEST_MESH_HEX, 100);
    test_hashes();
    test_limits();
    test_long_slice();
    test_planted_around(&own);
    test_planted_slices(&own);
    test_planted_others(&own);
    test_planted_silently();
    case_free(&own);
    return CHECK_RESULT();
}
