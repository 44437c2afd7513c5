/* schedule.c: sequences of loops run tile by tile compute what they compute one after the other,
 * whatever their maps are, and in any order of the domains. Schedules that are damaged on purpose
 * are found wrong. The loops of this test mix what they
 * read into what they modify so that every change of the order shows in the values. Most elements
 * of a mesh whose neighbours are near each other are in tiles. */
#include "plan_cases.h"
#include "runtime/tile/tile.h"

enum { SETS = 3, MOST_LOOPS = 5, MOST_ACCESS = 4, WIDTH = 2 };

struct loop {
    struct tile_access access[MOST_ACCESS];
    struct plan_case own; /* of its maps; none for direct loops */
    struct cleave_plan *plan;
};

struct world {
    int points[SETS];
    struct tile_problem problem;
    struct tile_loop loop[MOST_LOOPS];
    struct loop made[MOST_LOOPS];
    int *read_map[MOST_LOOPS]; /* through which it reads what another set has */
    uint64_t *value[SETS];
};

/* ---- running ------------------------------------------------------------------------------- */

static uint64_t *at(const struct world *world, const struct tile_access *access, int e)
{
    const int point = access->map == NULL ? e : access->map[e * access->width + access->column];
    return &world->value[access->set][point];
}

/* What is modified depends on the loop, the element, what was read, and what was there before. */
static void run_element(const struct world *world, int l, int e)
{
    const struct tile_loop *loop = &world->loop[l];
    uint64_t read = 1000003ULL * (uint64_t)(l + 1) + (uint64_t)e;
    for (int a = 0; a < loop->accesses; a++) {
        if (!loop->access[a].modifies) {
            read = read * 31 + *at(world, &loop->access[a], e);
        }
    }
    for (int a = 0; a < loop->accesses; a++) {
        if (loop->access[a].modifies) {
            uint64_t *value = at(world, &loop->access[a], e);
            *value = *value * 6364136223846793005ULL + read + (uint64_t)a;
        }
    }
}

static void run_segments(const struct world *world, int l, const struct tile_segments *segments,
                         int from, int to)
{
    for (int s = from; s < to; s++) {
        for (int e = segments->first[s]; e < segments->last[s]; e++) {
            run_element(world, l, e);
        }
    }
}

/* All blocks of a plan, colour by colour; those of one colour backward: their order is free. */
static void run_plan(const struct world *world, int l, const struct cleave_plan *plan)
{
    for (int c = 0; c < plan->colours; c++) {
        for (int k = plan->colour_start[c + 1] - 1; k >= plan->colour_start[c]; k--) {
            const int b = plan->colour_block[k];
            for (int s = plan->segment_start[b]; s < plan->segment_start[b + 1]; s++) {
                for (int e = plan->segment_first[s]; e < plan->segment_last[s]; e++) {
                    run_element(world, l, e);
                }
            }
        }
    }
}

static void run_apart(const struct world *world)
{
    for (int l = 0; l < world->problem.loops; l++) {
        if (world->loop[l].plan != NULL) {
            run_plan(world, l, world->loop[l].plan);
            continue;
        }
        for (int e = 0; e < world->loop[l].elements; e++) {
            run_element(world, l, e);
        }
    }
}

static void run_parts(const struct world *world, const struct tile_part *part)
{
    for (int l = 0; l < world->problem.loops; l++) {
        if (part[l].plan != NULL) {
            run_plan(world, l, part[l].plan);
        } else {
            run_segments(world, l, &part[l].segments, 0, part[l].segments.count);
        }
    }
}

static void run_domain(const struct world *world, const struct tile_schedule *schedule, int d)
{
    for (int t = schedule->tile[d]; t < schedule->tile[d + 1]; t++) {
        for (int l = 0; l < schedule->loops; l++) {
            const int *cell = &schedule->cell[t * schedule->loops + l];
            run_segments(world, l, &schedule->segments, cell[0], cell[1]);
        }
    }
}

/* In two orders of the domains, a tile at a time in the second one. */
static void run_in_tiles(const struct world *world, const struct tile_schedule *schedule,
                         int turned)
{
    run_parts(world, schedule->early);
    for (int d = 0; d < schedule->domains; d++) {
        run_domain(world, schedule, turned ? schedule->domains - 1 - d : d);
    }
    run_parts(world, schedule->late);
}

static void reset(const struct world *world)
{
    for (int s = 0; s < SETS; s++) {
        for (int p = 0; p < world->points[s]; p++) {
            world->value[s][p] = (uint64_t)p * 2654435761u + (uint64_t)s;
        }
    }
}

static uint64_t sum(const struct world *world)
{
    uint64_t all = 0;
    for (int s = 0; s < SETS; s++) {
        for (int p = 0; p < world->points[s]; p++) {
            all = all * 31 + world->value[s][p];
        }
    }
    return all;
}

static void check(const struct world *world, const struct tile_schedule *schedule)
{
    int loop;
    CHECK(cleave_tile_check(&world->problem, schedule, &loop) == NULL);
    reset(world);
    run_apart(world);
    const uint64_t expected = sum(world);
    for (int turned = 0; turned < 2; turned++) {
        reset(world);
        run_in_tiles(world, schedule, turned);
        CHECK(sum(world) == expected);
    }
}

/* ---- random loops -------------------------------------------------------------------------- */

/* A point near the element's place among all. */
static int near_point(uint64_t *seed, int e, int elements, int points, int near)
{
    const int place = (int)((long long)e * points / elements);
    const int from = place > near ? place - near : 0;
    const int to = place + near < points ? place + near : points - 1;
    return from + test_random_below(seed, to - from + 1);
}

/* The points of a row are different: an element modifies none twice. */
static void fill(uint64_t *seed, int *row, int elements, int points, int near)
{
    for (int e = 0; e < elements; e++) {
        row[e * WIDTH] = near_point(seed, e, elements, points, near);
        do {
            row[e * WIDTH + 1] = near_point(seed, e, elements, points, near);
        } while (row[e * WIDTH + 1] == row[e * WIDTH]);
    }
}

static struct cleave_plan *plan_of(const struct plan_case *own, uint64_t *seed)
{
    char error[PLANNER_ERROR] = "";
    struct cleave_plan *plan = NULL;
    const struct plan_range_options options = {1 + test_random_below(seed, 60),
                                               test_random_below(seed, 8) == 0, 0};
    CHECK(planner_ranges_build(&test_planner, &plan, own->elements, own->maps, own->map, &options,
                               error) == 0);
    return plan;
}

/* Modifies points of set `to` through a map, and reads them, or those of its own set. */
static void add_indirect(struct world *world, uint64_t *seed, int l, int from, int to, int near)
{
    struct tile_loop *loop = &world->loop[l];
    struct loop *made = &world->made[l];
    made->own.elements = loop->elements;
    int *row = case_add_map(&made->own, WIDTH, world->points[to], to, 3);
    fill(seed, row, loop->elements, world->points[to], near);
    made->plan = plan_of(&made->own, seed);
    loop->plan = made->plan;
    for (int c = 0; c < WIDTH; c++) {
        made->access[loop->accesses++] = (struct tile_access){to, row, WIDTH, c, 1};
    }
    if (from != to && test_random_below(seed, 2)) {
        made->access[loop->accesses++] = (struct tile_access){from, NULL, 0, 0, 0};
    }
}

/* Modifies its own record, and reads those of another set. */
static void add_direct(struct world *world, uint64_t *seed, int l, int from, int to, int near)
{
    struct tile_loop *loop = &world->loop[l];
    struct loop *made = &world->made[l];
    made->access[loop->accesses++] = (struct tile_access){from, NULL, 0, 0, 1};
    if (from != to && test_random_below(seed, 3) > 0) {
        world->read_map[l] = calloc((size_t)loop->elements * WIDTH, sizeof(int));
        fill(seed, world->read_map[l], loop->elements, world->points[to], near);
        made->access[loop->accesses++] =
            (struct tile_access){to, world->read_map[l], WIDTH, test_random_below(seed, WIDTH), 0};
    }
}

static void make(struct world *world, uint64_t *seed)
{
    const int near = 1 + test_random_below(seed, 40);
    *world = (struct world){.problem = {.sets = SETS, .points = world->points}};
    for (int s = 0; s < SETS; s++) {
        world->points[s] = 200 + test_random_below(seed, 3000);
        world->value[s] = calloc((size_t)world->points[s], sizeof *world->value[s]);
    }
    world->problem.loops = 2 + test_random_below(seed, MOST_LOOPS - 1);
    world->problem.loop = world->loop;
    world->problem.tile_bytes = 100.0 + test_random_below(seed, 20000);
    for (int l = 0; l < world->problem.loops; l++) {
        const int from = test_random_below(seed, SETS);
        const int to = test_random_below(seed, SETS);
        world->loop[l] = (struct tile_loop){.elements = world->points[from],
                                            .piece = 1 + test_random_below(seed, 20),
                                            .bytes = 1.0 + test_random_below(seed, 90)};
        world->loop[l].access = world->made[l].access;
        if (test_random_below(seed, 2)) {
            add_indirect(world, seed, l, from, to, near);
        } else {
            add_direct(world, seed, l, from, to, near);
        }
    }
}

/* Damages the schedule, and says whether cleave_tile_check() must find that. */
static int damage(struct tile_schedule *schedule, uint64_t *seed)
{
    struct tile_segments *segments = &schedule->segments;
    const int cells = schedule->tiles * schedule->loops;
    const int s = segments->count > 0 ? test_random_below(seed, segments->count) : 0;
    if (segments->count == 0) {
        return 0;
    }
    switch (test_random_below(seed, 3)) {
    case 0: /* an element runs twice, or one that the loop has not */
        segments->first[s]--;
        return 1;
    case 1: /* an element is left out */
        segments->last[s]--;
        return 1;
    default: /* a segment goes to the cell of another loop, or of the next tile */
        for (int c = 0; c < cells; c++) {
            if (schedule->cell[c + 1] > schedule->cell[c] && c + 2 < cells) {
                schedule->cell[c + 1]--;
                return schedule->loops > 1;
            }
        }
        return 0;
    }
}

/* Whether the values would be others with the schedule. */
static int is_wrong(const struct world *world, const struct tile_schedule *schedule)
{
    reset(world);
    run_apart(world);
    const uint64_t expected = sum(world);
    reset(world);
    run_in_tiles(world, schedule, 0);
    return sum(world) != expected;
}

static void check_damaged(const struct world *world, uint64_t *seed, int *found)
{
    int loop;
    struct tile_schedule *schedule = cleave_tile_schedule_new(&world->problem);
    if (schedule != NULL && damage(schedule, seed)) {
        const char *wrong = cleave_tile_check(&world->problem, schedule, &loop);
        *found += wrong != NULL;
        CHECK(wrong != NULL || !is_wrong(world, schedule));
    }
    cleave_tile_schedule_free(schedule);
}

static void destroy(struct world *world)
{
    for (int l = 0; l < world->problem.loops; l++) {
        case_free(&world->made[l].own);
        planner_free(world->made[l].plan);
        free(world->read_map[l]);
    }
    for (int s = 0; s < SETS; s++) {
        free(world->value[s]);
    }
}

static void test_random_loops(void)
{
    uint64_t seed = 11;
    int made = 0;
    int found = 0;
    double share = 0.0;
    for (int round = 0; round < 300; round++) {
        struct world world;
        make(&world, &seed);
        struct tile_schedule *schedule = cleave_tile_schedule_new(&world.problem);
        if (schedule != NULL) {
            made++;
            share += schedule->share;
            check(&world, schedule);
            check_damaged(&world, &seed, &found);
        }
        cleave_tile_schedule_free(schedule);
        destroy(&world);
    }
    CHECK(made > 200);
    CHECK(found > 100);
    CHECK(share / made > 0.3);
}

/* ---- a band -------------------------------------------------------------------------------- */

/* Loops over points, edges of a grid of 40 rows, and points again. */
static void test_band(void)
{
    enum { COLUMNS = 40, ROWS = 400, POINTS = COLUMNS * ROWS, EDGES = 2 * POINTS };
    struct world world = {.points = {POINTS, 1, 1}, .problem = {.sets = SETS, .loops = 3}};
    struct plan_case own = {.elements = EDGES};
    uint64_t seed = 1;
    int *row = case_add_map(&own, WIDTH, POINTS, 0, 3);
    for (int e = 0; e < EDGES; e++) {
        const int next = e / 2 + (e % 2 == 0 ? 1 : COLUMNS);
        row[WIDTH * e] = e / 2;
        row[WIDTH * e + 1] = next < POINTS ? next : e / 2 - COLUMNS;
    }
    for (int s = 0; s < SETS; s++) {
        world.value[s] = calloc((size_t)world.points[s], sizeof *world.value[s]);
    }
    struct cleave_plan *plan = plan_of(&own, &seed);
    const struct tile_access direct = {0, NULL, 0, 0, 1};
    const struct tile_access edge[] = {{0, row, WIDTH, 0, 1}, {0, row, WIDTH, 1, 1}};
    world.loop[0] = world.loop[2] = (struct tile_loop){POINTS, 8, NULL, 64.0, 1, &direct};
    world.loop[1] = (struct tile_loop){EDGES, 8, plan, 32.0, 2, edge};
    world.problem.points = world.points;
    world.problem.loop = world.loop;
    world.problem.tile_bytes = 20000.0;
    struct tile_schedule *schedule = cleave_tile_schedule_new(&world.problem);
    CHECK(schedule != NULL && schedule->domains == plan->ranges && schedule->share > 0.6);
    CHECK(schedule != NULL && schedule->tiles > 3 * schedule->domains);
    if (schedule != NULL) {
        check(&world, schedule);
    }
    cleave_tile_schedule_free(schedule);
    planner_free(plan);
    case_free(&own);
    for (int s = 0; s < SETS; s++) {
        free(world.value[s]);
    }
}

/* Loops without elements, or whose neighbours are all over the mesh. */
static void test_none(void)
{
    struct tile_loop loop = {.elements = 0, .piece = 1, .bytes = 8.0};
    const int points = 0;
    const struct tile_problem problem = {1, &points, 1, &loop, 1000.0};
    CHECK(cleave_tile_schedule_new(&problem) == NULL);
}

int main(void)
{
    test_random_loops();
    test_band();
    test_none();
    return CHECK_RESULT();
}
