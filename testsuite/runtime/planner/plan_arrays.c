/* plan_arrays.c: every array of every kind of plan, by the table that describes them: plans have
 * the arrays of their parts and no others, each counts in the hash and in the bytes, and no damage
 * to one passes the checks.
 */
#include "plan_cases.h"

/* A kind of plan as the runtime asks for it. */
struct kind {
    const char *name;
    unsigned parts; /* CLEAVE_PART_ bits */
    unsigned has;   /* 1u << enum plan_part */
    int (*build)(struct cleave_plan **plan, const struct plan_case *own, unsigned parts,
                 char *error);
    int (*check)(const struct cleave_plan *plan, const struct plan_case *own, char *error);
};

enum { BLOCK = 4 };

static int build_blocks(struct cleave_plan **plan, const struct plan_case *own, unsigned parts,
                        char *error)
{
    struct plan_options options = {.block_size = BLOCK, .parts = parts};
    return planner_build(&test_planner, plan, NULL, own->elements, own->maps, own->map, NULL,
                         &options, error);
}

static int check_blocks(const struct cleave_plan *plan, const struct plan_case *own, char *error)
{
    return planner_check(&test_planner, plan, own->elements, own->maps, own->map, error);
}

static int build_points(struct cleave_plan **plan, const struct plan_case *own, unsigned parts,
                        char *error)
{
    (void)parts;
    return planner_points_build(&test_planner, plan, own->elements, own->maps, own->map, error);
}

static int check_points(const struct cleave_plan *plan, const struct plan_case *own, char *error)
{
    return planner_points_check(&test_planner, plan, own->elements, own->maps, own->map, error);
}

static int build_owners(struct cleave_plan **plan, const struct plan_case *own, unsigned parts,
                        char *error)
{
    (void)parts;
    return planner_owners_build(&test_planner, plan, own->elements, BLOCK, 32, own->maps, own->map,
                                error);
}

static int check_owners(const struct cleave_plan *plan, const struct plan_case *own, char *error)
{
    return planner_owners_check(&test_planner, plan, own->elements, BLOCK, 32, own->maps, own->map,
                                error);
}

static int build_colours(struct cleave_plan **plan, const struct plan_case *own, unsigned parts,
                         char *error)
{
    (void)parts;
    return planner_colours_build(&test_planner, plan, own->elements, own->maps, own->map, error);
}

static int check_colours(const struct cleave_plan *plan, const struct plan_case *own, char *error)
{
    return planner_colours_check(&test_planner, plan, own->elements, own->maps, own->map, error);
}

/* Ranges short enough for several of them. */
static int build_ranges(struct cleave_plan **plan, const struct plan_case *own, unsigned parts,
                        char *error)
{
    return planner_ranges_build(&test_planner, plan, own->elements, own->maps, own->map,
                                &(struct plan_range_options){32, 0, parts}, error);
}

static int check_ranges(const struct cleave_plan *plan, const struct plan_case *own, char *error)
{
    return planner_ranges_check(&test_planner, plan, own->elements, own->maps, own->map, 0, error);
}

static int check_distinct(const struct cleave_plan *plan, const struct plan_case *own, char *error)
{
    return planner_ranges_check(&test_planner, plan, own->elements, own->maps, own->map,
                                CLEAVE_PART_DISTINCT, error);
}

#define HAS(part) (1u << PLAN_PART_##part)
#define IN_BLOCKS (HAS(BLOCKS) | HAS(COLOURED))
static const struct kind kinds[] = {
    {"blocks", 0, IN_BLOCKS, build_blocks, check_blocks},
    {"gather", CLEAVE_PART_GATHER, IN_BLOCKS | HAS(GATHER), build_blocks, check_blocks},
    {"sums", CLEAVE_PART_SUMS, IN_BLOCKS | HAS(GATHER) | HAS(SUMS), build_blocks, check_blocks},
    {"runs", CLEAVE_PART_RUNS, IN_BLOCKS | HAS(RUNS), build_blocks, check_blocks},
    {"global", CLEAVE_PART_GLOBAL, IN_BLOCKS | HAS(GLOBAL), build_blocks, check_blocks},
    {"points", 0, HAS(ITEMS), build_points, check_points},
    {"owners", 0, HAS(OWNERS), build_owners, check_owners},
    {"colours", 0, HAS(GLOBAL), build_colours, check_colours},
    {"ranges", 0, HAS(RANGES) | HAS(COLOURED), build_ranges, check_ranges},
    {"distinct", CLEAVE_PART_DISTINCT, HAS(RANGES) | HAS(COLOURED) | HAS(DISTINCT), build_ranges,
     check_distinct},
};

/* Parts that lists have only where data is modified through their map. */
#define OF_MODIFIED (HAS(GATHER) | HAS(SUMS) | HAS(ITEMS) | HAS(OWNERS))

static int lists_of(const struct plan_array *array, const struct cleave_plan *plan)
{
    return array->of_list ? plan->lists : 1;
}

static int must_have(const struct kind *kind, const struct plan_array *array,
                     const struct plan_case *own, int m)
{
    unsigned bit = 1u << array->part;
    int modified = !array->of_list || own->map[m].conflicts != 0;
    return (kind->has & bit) != 0 && (modified || (bit & OF_MODIFIED) == 0);
}

static void test_presence(const struct kind *kind, const struct plan_case *own,
                          const struct cleave_plan *plan, double expected_bytes)
{
    double bytes = 0;
    for (const struct plan_array *array = planner_arrays; array->name != NULL; array++) {
        for (int m = 0; m < lists_of(array, plan); m++) {
            int has = planner_array(array, plan, m) != NULL;
            if (has != must_have(kind, array, own, m)) {
                fprintf(stderr, "%s: '%s' of list %d: %d\n", kind->name, array->name, m, has);
                CHECK(!"arrays of the kind");
            }
            bytes += (double)planner_array_bytes(array, plan, m);
        }
    }
    CHECK(expected_bytes < 0 || bytes == expected_bytes);
}

/* The check of the kind refuses the plan as it is now, and its hash is another. */
static void must_refuse(const struct kind *kind, const struct plan_case *own,
                        const struct cleave_plan *plan, const struct plan_array *array, int m,
                        size_t at)
{
    char error[PLANNER_ERROR] = "";
    if (kind->check(plan, own, error) != -1 || error[0] == '\0') {
        fprintf(stderr, "%s: damage to '%s' of list %d at byte %zu is not found\n", kind->name,
                array->name, m, at);
        CHECK(!"damage");
    }
}

/* The highest bit of each element: numbers become negative, or larger than any that may stand
 * there. */
static void damage_elements(const struct kind *kind, const struct plan_case *own,
                            struct cleave_plan *plan, const struct plan_array *array, int m)
{
    unsigned char *data = (unsigned char *)(uintptr_t)planner_array(array, plan, m);
    size_t bytes = planner_array_bytes(array, plan, m);
    uint64_t hash = planner_hash(plan);
    for (size_t at = array->element - 1; at < bytes; at += array->element) {
        data[at] ^= 0x80;
        must_refuse(kind, own, plan, array, m, at);
        /* The last of offsets is a size, which must be right for the hash. */
        CHECK(at + 1 == bytes || planner_hash(plan) != hash);
        data[at] ^= 0x80;
    }
}

/* Without the array, as where memory was short. */
static void damage_array(const struct kind *kind, const struct plan_case *own,
                         struct cleave_plan *plan, const struct plan_array *array, int m)
{
    const void *data = planner_array(array, plan, m);
    planner_set_array(array, plan, m, NULL);
    must_refuse(kind, own, plan, array, m, 0);
    planner_set_array(array, plan, m, data);
}

/* With an array that no such plan has. */
static void add_array(const struct kind *kind, const struct plan_case *own,
                      struct cleave_plan *plan, const struct plan_array *array, int m)
{
    static const int64_t nothing[64];
    planner_set_array(array, plan, m, nothing);
    must_refuse(kind, own, plan, array, m, 0);
    planner_set_array(array, plan, m, NULL);
}

static void test_kind(const struct kind *kind, const struct plan_case *own)
{
    char error[PLANNER_ERROR] = "";
    struct cleave_plan *plan = NULL;
    CHECK(kind->build(&plan, own, kind->parts, error) == 0);
    CHECK(kind->check(plan, own, error) == 0);
    CHECK_TEXT(error, "");
    test_presence(kind, own, plan, -1);
    for (const struct plan_array *array = planner_arrays; array->name != NULL; array++) {
        for (int m = 0; m < lists_of(array, plan); m++) {
            if (planner_array(array, plan, m) != NULL) {
                damage_elements(kind, own, plan, array, m);
                damage_array(kind, own, plan, array, m);
            } else {
                add_array(kind, own, plan, array, m);
            }
        }
    }
    CHECK(kind->check(plan, own, error) == 0);
    planner_free(plan);
}

/* The metrics count all arrays, once. */
static void test_bytes(const struct plan_case *own)
{
    struct plan_options options = {.block_size = BLOCK, .parts = PLAN_WITH_ALL};
    struct plan_metrics metrics;
    struct cleave_plan *plan = case_build(own, NULL, options, &metrics);
    static const struct kind all = {
        "all", 0, IN_BLOCKS | HAS(GATHER) | HAS(SUMS) | HAS(RUNS) | HAS(GLOBAL), NULL, NULL};
    test_presence(&all, own, plan, metrics.plan_bytes);
    planner_free(plan);
}

static int arrays_of(const struct cleave_plan *plan)
{
    int arrays = 0;
    for (const struct plan_array *array = planner_arrays; array->name != NULL; array++) {
        for (int m = 0; m < lists_of(array, plan); m++) {
            arrays += planner_array(array, plan, m) != NULL;
        }
    }
    return arrays;
}

struct seen {
    int arrays;
    size_t bytes;
    const struct cleave_plan *of;
};

static const void *see(void *user, const struct plan_array *array, int m, const void *data)
{
    struct seen *seen = user;
    seen->arrays++;
    seen->bytes += planner_array_bytes(array, seen->of, m);
    CHECK(planner_array(array, seen->of, m) == data);
    return array->on_host ? data : NULL;
}

/* Every array of a copy can be replaced once; the plan itself stays. */
static void test_replace(const struct plan_case *own)
{
    struct plan_options options = {.block_size = BLOCK, .parts = PLAN_WITH_ALL};
    struct plan_metrics metrics;
    struct cleave_plan *plan = case_build(own, NULL, options, &metrics);
    struct cleave_plan copy = *plan;
    struct seen seen = {0, 0, plan};
    planner_replace_arrays(&copy, see, &seen);
    CHECK((double)seen.bytes == metrics.plan_bytes);
    CHECK(seen.arrays == arrays_of(plan));
    CHECK(copy.colour_start == plan->colour_start && copy.global_start == plan->global_start);
    CHECK(copy.start == NULL && copy.list[0].run_place == NULL && plan->start != NULL);
    planner_replace_arrays(&copy, see, &(struct seen){0, 0, &copy});
    planner_free(plan);
}

int main(void)
{
    struct test_mesh mesh;
    test_mesh_make(&mesh, TEST_MESH_QUAD_NODES, 12, 0, 1);
    struct plan_case own = case_of(&mesh);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        test_kind(&kinds[k], &own);
    }
    test_bytes(&own);
    test_replace(&own);
    test_mesh_free(&mesh);
    return CHECK_RESULT();
}
