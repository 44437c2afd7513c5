/* cost.c: the cost model: what it counts, and that it ranks what is known to be better or worse. */
#include <math.h>

#include "check.h"
#include "splitter/partition/cost_impl.h"
#include "splitter/partition_graphs.h"

/* ---- sums ------------------------------------------------------------------------------------ */

static struct cost_sums sums_of(const struct build *build, const struct partition *partition)
{
    struct arena *scratch = arena_new();
    struct cost_sums sums = cost_sum(cost_graph_new(scratch, build->graph), partition, NULL);
    arena_free(scratch);
    return sums;
}

/* Two nodes on one dat, each with a component of its own and one that both read; the second reads
 * the first, cheap, and makes the one value of tmp(e). */
static struct build two_nodes(void)
{
    struct build build = build_new();
    int q = build_arg(&build, ACCESS_READ, 0, 0, 0, 3, false);
    build_arg(&build, ACCESS_READ, 0, 0, 1, 3, false);
    int out = build_arg(&build, ACCESS_INC, 1, 0, 0, 2, false);
    int first = build_node(&build, 2);
    build_ends(&build, q, q + 1, 0, 2);
    int second = build_node(&build, 5);
    build_ends(&build, q, q + 1, 1, 2);
    build_use(&build, first);
    build_contribution(&build, out, 0, 0, second);
    build_finish(&build);
    return build;
}

static void test_sums(void)
{
    struct build build = two_nodes();
    int stage[2] = {0, 0};
    bool recomputed[4] = {false};
    struct partition partition = {1, stage, recomputed, true};
    struct cost_sums one = sums_of(&build, &partition);
    /* 24 bytes of q, and 8 incremented; 2 columns of one map. */
    CHECK(fabs(one.shared - 24 * COST_BLOCK * cost_points_largest(2)) < 1e-6);
    CHECK(fabs(one.loaded - 32 * cost_points(2)) < 1e-9);
    CHECK(one.flops == 2 + 5 + 1);
    CHECK(one.live_bytes == 8);
    partition.stages = 2;
    stage[1] = 1;
    struct cost_sums two = sums_of(&build, &partition);
    CHECK(fabs(two.shared - 16 * COST_BLOCK * cost_points_largest(2)) < 1e-6);
    CHECK(fabs(two.loaded - 40 * cost_points(2)) < 1e-9); /* the shared component twice */
    CHECK(two.live_bytes == 16);                          /* the first value too */
    CHECK(two.trips == one.trips + 1);
    recomputed[2] = true;
    struct cost_sums repeated = sums_of(&build, &partition);
    CHECK(repeated.live_bytes == 8);
    CHECK(repeated.flops == one.flops + 2);
    CHECK(fabs(repeated.shared - one.shared) < 1e-6); /* then it needs its data there */
    build_free(&build);
}

/* Arguments of one dat through other columns are one record; through another map they are not. */
static void test_groups(void)
{
    struct build build = build_new();
    int q = build_arg(&build, ACCESS_READ, 0, 0, 0, 1, false);
    build_arg(&build, ACCESS_READ, 0, 0, 1, 1, false);
    int other = build_arg(&build, ACCESS_READ, 0, 1, 0, 1, false);
    build_node(&build, 1);
    build_ends(&build, q, q + 1, 0, 1);
    build_place(&build, other, 0, 0);
    build_finish(&build);
    CHECK(cost_columns(build.loop, 0) == 2);
    CHECK(cost_columns(build.loop, 1) == 1);
    struct arena *scratch = arena_new();
    struct cost_graph *base = cost_graph_new(scratch, build.graph);
    CHECK(base->units == 2);
    arena_free(scratch);
    build_free(&build);
}

/* A subscript that is not constant means all components. */
static void test_all_components(void)
{
    struct build build = build_new();
    int q = build_arg(&build, ACCESS_READ, 0, 0, 0, 5, false);
    build_node(&build, 1);
    build_place(&build, q, 0, -1);
    build_finish(&build);
    struct arena *scratch = arena_new();
    CHECK(cost_graph_new(scratch, build.graph)->units == 5);
    arena_free(scratch);
    build_free(&build);
}

/* ---- time ------------------------------------------------------------------------------------ */

static void test_time(void)
{
    struct cost_sums sums = {.trips = 4,
                             .shared = 20000,
                             .memory = 100,
                             .loaded = 100,
                             .fast = 500,
                             .flops = 100,
                             .live_bytes = 48};
    double time = cost_time(&sums, NULL);
    struct cost_sums more = sums;
    more.shared *= 3;
    CHECK(cost_time(&more, NULL) > time);
    more = sums;
    more.live_bytes = 400;
    CHECK(cost_time(&more, NULL) > time);
    more = sums;
    more.trips++;
    CHECK(cost_time(&more, NULL) > time);
    struct estimate estimate;
    CHECK(cost_time(&sums, &estimate) == time && estimate.time == time);
    CHECK(estimate.occupancy > 0.2 && estimate.occupancy <= 1);
    CHECK(estimate.registers >= 40 && estimate.registers <= 255);
    CHECK_TEXT(estimate.limit, "occupancy");
    more = sums;
    more.memory = 10000;
    cost_time(&more, &estimate);
    CHECK_TEXT(estimate.limit, "memory");
    more = sums;
    more.flops = 10000;
    cost_time(&more, &estimate);
    CHECK_TEXT(estimate.limit, "arithmetic");
    more = sums;
    more.fast = 10000;
    cost_time(&more, &estimate);
    CHECK_TEXT(estimate.limit, "shared memory");
}

/* ---- schedules ------------------------------------------------------------------------------- */

enum { READ = 4, INCREMENTED = 2 };

struct hand {
    struct transfer transfer[2]; /* in, out */
    int component[READ];
    struct stage stage[3];
    struct schedule schedule;
};

static struct hand *hand_new(const struct build *build, enum schedule_kind kind, size_t tmp_bytes)
{
    struct hand *hand = arena_alloc(build->arena, sizeof(*hand));
    for (int c = 0; c < READ; c++) {
        hand->component[c] = c;
    }
    hand->transfer[0] = (struct transfer){TRANSFER_IN, 0, READ, hand->component};
    hand->transfer[1] = (struct transfer){TRANSFER_OUT, 2, INCREMENTED, hand->component};
    hand->schedule = (struct schedule){
        .kind = kind, .legal = true, .stage = hand->stage, .tmp_bytes = tmp_bytes};
    return hand;
}

static void hand_stage(struct hand *hand, enum stage_kind kind, struct transfer *transfer,
                       int count)
{
    hand->stage[hand->schedule.stages++] =
        (struct stage){.kind = kind, .transfers = count, .transfer = transfer, .map = 2};
}

static struct build read_and_increment(void)
{
    struct build build = build_new();
    int q = build_arg(&build, ACCESS_READ, 0, 0, 0, READ, false);
    build_arg(&build, ACCESS_READ, 0, 0, 1, READ, false);
    int out = build_arg(&build, ACCESS_INC, 1, 0, 0, INCREMENTED, false);
    build_arg(&build, ACCESS_INC, 1, 0, 1, INCREMENTED, false);
    int f = build_node(&build, 50);
    build_ends(&build, q, q + 1, 0, READ);
    for (int c = 0; c < INCREMENTED; c++) {
        build_contribution(&build, out, 0, c, f);
        build_contribution(&build, out + 1, 0, c, f);
    }
    build_finish(&build);
    return build;
}

static struct estimate estimate_of(const struct build *build, struct hand *hand, bool whole)
{
    cost_estimate(build->loop, whole ? NULL : build->graph, NULL, &hand->schedule);
    CHECK(hand->schedule.estimate.time > 0);
    return hand->schedule.estimate;
}

static void test_schedules(void)
{
    struct build build = read_and_increment();
    struct hand *fused = hand_new(&build, SCHEDULE_FUSED, 8);
    hand_stage(fused, STAGE_WHOLE, &fused->transfer[0], 2);
    struct hand *split = hand_new(&build, SCHEDULE_SPLIT, 8);
    hand_stage(split, STAGE_CONTRIBUTION, &split->transfer[0], 1);
    hand_stage(split, STAGE_UPDATE, &split->transfer[1], 1);
    hand_stage(split, STAGE_UPDATE, &split->transfer[1], 1);
    struct hand *loops = hand_new(&build, SCHEDULE_LOOPS, 8);
    hand_stage(loops, STAGE_CONTRIBUTION, &loops->transfer[0], 1);
    hand_stage(loops, STAGE_UPDATE, &loops->transfer[1], 1);
    hand_stage(loops, STAGE_UPDATE, &loops->transfer[1], 1);
    struct hand *owner = hand_new(&build, SCHEDULE_OWNER_GATHER, 8);
    hand_stage(owner, STAGE_GATHER, NULL, 0);
    struct estimate of_fused = estimate_of(&build, fused, false);
    struct estimate of_split = estimate_of(&build, split, false);
    struct estimate of_loops = estimate_of(&build, loops, false);
    struct estimate of_owner = estimate_of(&build, owner, false);
    CHECK(of_fused.shared_bytes > of_split.shared_bytes);
    CHECK(of_split.flops == 54 && of_split.recomputed == 0);
    CHECK(of_owner.flops == 108 && of_owner.recomputed == 54);
    CHECK(fabs(of_loops.memory_bytes - of_split.memory_bytes - 8 * 3) < 1e-9);
    CHECK(of_loops.time > of_split.time);
    CHECK(of_owner.shared_bytes == 0);
    struct estimate whole = estimate_of(&build, split, true);
    CHECK(whole.flops == 0 && whole.registers == 0);
    CHECK(whole.staged_bytes == of_split.staged_bytes);
    build_free(&build);
}

/* A partition is priced alike as a schedule and in the search. */
static void test_partition(void)
{
    struct build build = build_vflux();
    const char *reason;
    for (int cuts = 1; cuts <= MAX_CUTS; cuts++) {
        struct partition *partition = partition_find(build.graph, cuts, &reason);
        struct schedule schedule = {.kind = SCHEDULE_SPLIT, .cuts = cuts, .legal = true};
        cost_estimate(build.loop, build.graph, partition, &schedule);
        CHECK(schedule.estimate.time == cost_partition(build.graph, partition));
        CHECK(schedule.estimate.registers > 40);
    }
    build_free(&build);
}

int main(void)
{
    test_sums();
    test_groups();
    test_all_components();
    test_time();
    test_schedules();
    test_partition();
    return CHECK_RESULT();
}
