/* random.c: hundreds of small meshes that no generator of meshes would make: any number of maps,
 * columns and points, hubs, repeats, isolated points, odd coordinates, any block size, method and
 * cap on points. Each is numbered, its points are ordered, it is planned in the user's order and in
 * its own, and every plan passes the validator. A failure names the case: random FIRST [COUNT] runs
 * others. */
#include <math.h>
#include <omp.h>
#include <stdlib.h>

#include "plan_cases.h"

#define CASES 300

static uint64_t state;

static int below(int bound)
{
    return test_random_below(&state, bound);
}

static int one_of(const int *list, int count)
{
    return list[below(count)];
}

/* ---- a case --------------------------------------------------------------------------------- */

/* How the entries of a map are chosen. */
enum pattern { UNIFORM, NEAR, HUB, SAME, DISJOINT, PATTERNS };

static int entry_of(enum pattern pattern, int e, int c, const struct plan_map *map)
{
    switch (pattern) {
    case NEAR:
        return (e + below(4)) % map->points;
    case HUB:
        return c == 0 ? 0 : below(map->points);
    case SAME:
        return e % map->points;
    case DISJOINT:
        return (e * map->dim + c) % map->points;
    default:
        return below(map->points);
    }
}

static void add_map(struct plan_case *own, int target, int points)
{
    static const int dims[] = {1, 1, 2, 2, 3, 4, 8, 16};
    int dim = one_of(dims, 8);
    enum pattern pattern = (enum pattern)below(PATTERNS);
    int *row = case_add_map(own, dim, points, target, (unsigned)test_random(&state) & 0xffffu);
    struct plan_map *map = &own->map[own->maps - 1];
    for (int e = 0; e < own->elements; e++) {
        for (int c = 0; c < dim; c++) {
            row[e * dim + c] = entry_of(pattern, e, c, map);
        }
    }
    map->columns = below(4) == 0 ? below(dim + 1) : dim;
    for (int k = 0; k < map->columns; k++) { /* the last ones, backwards; one may come twice */
        map->column[k] = below(8) == 0 ? 0 : dim - 1 - k;
    }
}

static void make_case(struct plan_case *own)
{
    static const int sizes[] = {0, 1, 2, 3, 63, 64, 65, 200, 700, 1500};
    int points[3];
    *own = (struct plan_case){.elements = one_of(sizes, 10)};
    for (int t = 0; t < 3; t++) {
        points[t] = 1 + below(below(2) ? 20 : 3000);
    }
    for (int maps = below(5) * below(3); maps > 0; maps--) {
        int target = below(3);
        add_map(own, target, points[target]);
    }
}

static double *make_coordinates(struct plan_coordinates *at, const struct plan_case *own)
{
    static const double odd[] = {NAN, INFINITY, -INFINITY, 1e308, -1e308, 0, 5e-324, 1};
    int points = own->maps > 0 ? own->map[0].points : 1;
    int kind = below(4);
    double *where = calloc((size_t)points * 3, sizeof *where);
    for (int i = 0; i < 3 * points; i++) {
        where[i] = kind == 0 ? odd[below(8)] : kind == 1 ? i / 100 : below(1000);
    }
    *at = (struct plan_coordinates){where, 0, 2 + below(2),
                                    own->maps > 0 && below(8) ? own->map[0].target : 7};
    return where;
}

/* ---- checks --------------------------------------------------------------------------------- */

static void check_permutation(const int *order, int count)
{
    char *seen = calloc((size_t)count + 1, 1);
    int wrong = 0;
    for (int i = 0; i < count; i++) {
        int fits = order[i] >= 0 && order[i] < count && !seen[order[i]];
        wrong += !fits;
        seen[fits ? order[i] : count] = 1;
    }
    CHECK(wrong == 0);
    free(seen);
}

static void plan_all_ways(const struct plan_case *own, const struct plan_numbering *numbering,
                          int block_size)
{
    char error[PLANNER_ERROR] = "";
    struct cleave_plan *plan = NULL;
    struct plan_metrics metrics;
    for (int parts = 0; parts < 2; parts++) {
        struct plan_options options = {block_size, below(2), below(2), parts ? PLAN_WITH_ALL : 0};
        plan = case_build(own, numbering, options, &metrics);
        CHECK(plan == NULL || metrics.blocks == plan->blocks);
        CHECK(metrics.max_points <= metrics.points * metrics.blocks + 1e-6);
        planner_free(plan);
    }
    CHECK(planner_points_build(&test_planner, &plan, own->elements, own->maps, own->map, error) ==
          0);
    CHECK(plan != NULL && planner_points_check(&test_planner, plan, own->elements, own->maps,
                                               own->map, error) == 0);
    CHECK_TEXT(error, "");
    planner_free(plan);
    CHECK(planner_colours_build(&test_planner, &plan, own->elements, own->maps, own->map, error) ==
          0);
    CHECK(plan != NULL && planner_colours_check(&test_planner, plan, own->elements, own->maps,
                                                own->map, error) == 0);
    CHECK_TEXT(error, "");
    planner_free(plan);
}

/* Plans the loop again in the renumbered mesh: element i was numbering->order[i], point i of
 * set 0 was point_order[i]. */
static void plan_renumbered(const struct plan_case *own, struct plan_numbering *numbering,
                            const int *point_order, int target)
{
    struct plan_case turned = {.elements = own->elements};
    int *given = numbering->order;
    for (int m = 0; m < own->maps; m++) {
        const struct plan_map *map = &own->map[m];
        int *number = calloc((size_t)map->points + 1, sizeof *number);
        for (int p = 0; p < map->points; p++) {
            number[map->target == target ? point_order[p] : p] = p;
        }
        int *row = case_add_map(&turned, map->dim, map->points, map->target, map->conflicts);
        turned.map[m].columns = map->columns;
        memcpy(turned.map[m].column, map->column, sizeof map->column);
        for (int i = 0; i < own->elements; i++) {
            for (int c = 0; c < map->dim; c++) {
                row[i * map->dim + c] = number[map->row[given[i] * map->dim + c]];
            }
        }
        free(number);
    }
    numbering->order = NULL; /* the identity now */
    plan_all_ways(&turned, numbering, numbering->block_size);
    numbering->order = given;
    case_free(&turned);
}

static struct plan_numbering *number(const struct plan_case *own,
                                     const struct plan_coordinates *coordinates,
                                     const struct plan_numbering_options *options, int threads)
{
    char error[PLANNER_ERROR] = "";
    struct plan_numbering *numbering = NULL;
    omp_set_num_threads(threads);
    CHECK(planner_number(&test_planner, &numbering, own->elements, own->maps, own->map, coordinates,
                         options, NULL, error) == 0);
    CHECK_TEXT(error, "");
    return numbering;
}

static void run_case(const struct plan_case *own, const struct plan_coordinates *coordinates)
{
    static const char *const methods[] = {
        "default", "hard",         "none",           "none+refine",    "rcm",
        "gps",     "hilbert",      "rcb+anneal",     "grow",           "chunks+refine",
        "metis",   "metis+refine", "metis-weighted", "metis-recursive"};
    static const int sizes[] = {1, 2, 3, 7, 64, 256, 1023, 1024};
    struct plan_numbering_options options = {.block_size = one_of(sizes, 8),
                                             .max_points = below(3) ? 0 : 1 + below(300)};
    CHECK(planner_method_parse(methods[below(14)], &options.method) == 0);
    struct plan_numbering *numbering = number(own, coordinates, &options, 1);
    struct plan_numbering *again = number(own, coordinates, &options, 3);
    if (numbering != NULL && again != NULL) {
        check_permutation(numbering->order, own->elements);
        CHECK(planner_numbering_hash(numbering) == planner_numbering_hash(again));
        plan_all_ways(own, NULL, options.block_size);
        plan_all_ways(own, numbering, options.block_size);
    }
    for (int m = 0; m < own->maps && numbering != NULL; m++) {
        char error[PLANNER_ERROR] = "";
        int *order = calloc((size_t)own->map[m].points + 1, sizeof *order);
        CHECK(planner_order_points(&test_planner, order, own->map[m].points, own->map[m].target,
                                   numbering, own->maps, own->map, NULL, error) == 0);
        check_permutation(order, own->map[m].points);
        if (m == 0) {
            plan_renumbered(own, numbering, order, own->map[m].target);
        }
        free(order);
    }
    planner_numbering_free(numbering);
    planner_numbering_free(again);
}

int main(int argc, char **argv)
{
    int first = argc > 1 ? atoi(argv[1]) : 0;
    int count = argc > 2 ? atoi(argv[2]) : argc > 1 ? 1 : CASES;
    for (int number = first; number < first + count; number++) {
        struct plan_case own;
        struct plan_coordinates coordinates;
        int failures = check_failures;
        state = (uint64_t)number;
        make_case(&own);
        double *where = make_coordinates(&coordinates, &own);
        run_case(&own, below(2) ? &coordinates : NULL);
        free(where);
        case_free(&own);
        if (check_failures > failures) {
            fprintf(stderr, "these are of case %d\n", number);
        }
    }
    return CHECK_RESULT();
}
