/* schedules.c: the ways in which a loop can run, each as a list of stages.
 *
 * In: a loop with in_place, graph and whole_reason set. Out: its SCHEDULES schedules, legal or with
 * the reason why not, and which of them the cost model prefers.
 *
 *   fused          whole
 *   split, n cuts  contribution 1 .. contribution n, update per column of a map
 *   loops          contribution, update per column of a map
 *   two-pass       contribution, gather per map
 *   owner gather   effects (where there are any), gather per map
 *
 * A kernel whose body could not be taken apart is called whole: then there are fused and split
 * only, and tmp(e) is the full increment of every incremented argument.
 */
#include "pass/ir/arena.h"
#include "splitter/graph/sides.h"
#include "splitter/schedule/crossings.h"
#include "splitter/schedule/point_values.h"
#include "splitter/schedule/stages.h"

/* ---- node sets ------------------------------------------------------------------------------- */

static bool *nodes_marked(const struct build *build, bool mark)
{
    size_t nodes = build->graph != NULL ? (size_t)build->graph->nodes : 0;
    bool *in = arena_alloc(build->arena, nodes * sizeof(*in));
    for (size_t n = 0; n < nodes; n++) {
        in[n] = mark;
    }
    return in;
}

static bool *all_nodes(const struct build *build)
{
    return build->graph != NULL ? nodes_marked(build, true) : NULL;
}

static bool *once_nodes(const struct build *build)
{
    bool *in = nodes_marked(build, false);
    for (int n = 0; n < build->graph->nodes; n++) {
        in[n] = build->graph->node[n].once;
    }
    graph_cone(build->graph, in, false);
    return in;
}

/* Marks the nodes that the updates of a stage need. */
static bool *update_nodes(const struct build *build, const struct stage *stage)
{
    const struct graph *graph = build->graph;
    bool *in = nodes_marked(build, false);
    for (int u = 0; u < stage->updates; u++) {
        for (int c = 0; c < graph->contributions; c++) {
            const struct contribution *contribution = &graph->contribution[c];
            if (contribution->node >= 0 &&
                place_compare(&contribution->update.place, &stage->update[u].place) == 0) {
                in[contribution->node] = true;
            }
        }
    }
    graph_cone(graph, in, false);
    return in;
}

/* ---- one schedule each ----------------------------------------------------------------------- */

/* A schedule being built, and the nodes that each of its stages computes. */
struct plan {
    const struct build *build;
    struct schedule *schedule;
    bool **in; /* [stages]; NULL: none, or the kernel is called whole */
};

static struct plan start(const struct build *build, struct schedule *schedule,
                         enum schedule_kind kind, int cuts)
{
    schedule->kind = kind;
    schedule->cuts = cuts;
    schedule->legal = true;
    size_t room = stages_reserve(build, schedule);
    return (struct plan){build, schedule, arena_alloc(build->arena, room * sizeof(bool *))};
}

static struct stage *add(struct plan *plan, enum stage_kind kind, const char *name, bool *in)
{
    plan->in[plan->schedule->stages] = in;
    return stage_add(plan->schedule, kind, name);
}

/* Completes a schedule with all its stages: finds the values that cross and builds the stages'
 * bodies. */
static void finish(const struct plan *plan, const struct partition *partition)
{
    const struct build *build = plan->build;
    struct schedule *schedule = plan->schedule;
    crossings_find(build, schedule, plan->in);
    for (int s = 0; s < schedule->stages; s++) {
        if (plan->in[s] != NULL) {
            schedule->stage[s].body =
                body_build(build->graph, plan->in[s], schedule->crossings, schedule->crossing);
        }
    }
    cost_estimate(build->loop, build->graph, partition, schedule);
}

static void build_fused(const struct build *build, struct schedule *schedule)
{
    struct plan plan = start(build, schedule, SCHEDULE_FUSED, 0);
    if (build->loop->in_place) {
        schedule->reason = "the kernel modifies data in place through a map";
        stage_add(schedule, STAGE_WHOLE, "whole body");
        return;
    }
    schedule->reason = "one stage computes the contributions and adds them";
    bool *in = all_nodes(build);
    struct stage *whole = add(&plan, STAGE_WHOLE, "whole body", in);
    stage_add_inputs(build, whole, in);
    whole->updates = build->updates;
    whole->update = build->update;
    stage_add_outputs(build, whole);
    finish(&plan, NULL);
}

static const char *split_reason(const struct build *build, const struct schedule *schedule)
{
    const struct stage *whole = &build->loop->schedule[AT_FUSED].stage[0];
    size_t most = schedule_largest_bytes(schedule);
    if (most < whole->staged_bytes) {
        return arena_format(build->arena,
                            "at most %zu bytes per point are staged at a time, not %zu", most,
                            whole->staged_bytes);
    }
    return arena_format(
        build->arena,
        "splitting saves no shared memory: %sfused and split both stage %zu bytes per point, and "
        "the contributions would take %zu bytes per element",
        schedule->stage[0].transfers == 0 ? "the contributions read nothing through a map; " : "",
        most, schedule->tmp_bytes);
}

/* Stage s of a partition; of a kernel that is called whole there is none. */
static bool *stage_nodes(const struct build *build, const struct partition *partition, int s)
{
    bool *in = partition != NULL ? nodes_marked(build, false) : NULL;
    for (int n = 0; partition != NULL && n < build->graph->nodes; n++) {
        in[n] = partition_computes(build->graph, partition, s, n);
    }
    return in;
}

static void build_split(const struct build *build, struct schedule *schedule,
                        const struct partition *partition, int cuts)
{
    struct plan plan = start(build, schedule, SCHEDULE_SPLIT, cuts);
    for (int s = 0; s < cuts; s++) {
        const char *name =
            cuts == 1 ? "contribution" : arena_format(build->arena, "contribution %d", s + 1);
        bool *in = stage_nodes(build, partition, s);
        stage_add_inputs(build, add(&plan, STAGE_CONTRIBUTION, name, in), in);
    }
    stages_add_updates(build, schedule);
    finish(&plan, partition);
    schedule->reason = split_reason(build, schedule);
}

static void build_loops(const struct build *build, struct schedule *schedule)
{
    struct plan plan = start(build, schedule, SCHEDULE_LOOPS, 1);
    bool *in = all_nodes(build);
    stage_add_inputs(build, add(&plan, STAGE_CONTRIBUTION, "contribution", in), in);
    stages_add_updates(build, schedule);
    finish(&plan, NULL);
    int loops = schedule->stages - 1;
    schedule->reason = arena_format(
        build->arena,
        "%zu bytes of contributions per element go to memory, and %d loop%s add%s them",
        schedule->tmp_bytes, loops, loops == 1 ? "" : "s", loops == 1 ? "s" : "");
}

static void build_two_pass(const struct build *build, struct schedule *schedule)
{
    struct plan plan = start(build, schedule, SCHEDULE_TWO_PASS, 1);
    add(&plan, STAGE_CONTRIBUTION, "contribution", all_nodes(build));
    stages_add_gathers(build, schedule);
    finish(&plan, NULL);
    schedule->reason = arena_format(
        build->arena,
        "%zu bytes of contributions per element go to memory, and each point adds its own",
        schedule->tmp_bytes);
}

static void build_owner_gather(const struct build *build, struct schedule *schedule)
{
    struct plan plan = start(build, schedule, SCHEDULE_OWNER_GATHER, 0);
    if (build->graph->effects) {
        add(&plan, STAGE_EFFECTS, "effects", once_nodes(build));
    }
    int first = schedule->stages;
    stages_add_gathers(build, schedule);
    for (int s = first; s < schedule->stages; s++) {
        plan.in[s] = update_nodes(build, &schedule->stage[s]);
    }
    finish(&plan, NULL);
    for (int s = first; s < schedule->stages; s++) {
        point_values_find(build->arena, build->loop, &schedule->stage[s]);
        schedule->stage[s].has_alike_sides = sides_are_alike(build->loop, &schedule->stage[s]);
    }
    schedule->reason = "each point recomputes the contributions of its elements; on a GPU, a block "
                       "of points stages what its elements read";
}

/* The body as the user wrote it, for targets that compute several elements at once. It stages
 * nothing, so that loops that work in place can have it. */
static struct schedule *build_whole(struct arena *arena, const struct loop *loop)
{
    struct build build = {.arena = arena, .loop = loop, .graph = loop->graph};
    build.graph = loop->written_graph != NULL ? loop->written_graph : loop->graph;
    if (build.graph == NULL) {
        return NULL;
    }
    struct schedule *schedule = arena_alloc(arena, sizeof(*schedule));
    build_updates(&build);
    struct plan plan = start(&build, schedule, SCHEDULE_FUSED, 0);
    schedule->reason = "vectors of elements compute the whole body";
    struct stage *whole = add(&plan, STAGE_WHOLE, "whole body", all_nodes(&build));
    whole->updates = build.updates;
    whole->update = build.update;
    crossings_find(&build, schedule, plan.in);
    whole->body = body_build(build.graph, plan.in[0], schedule->crossings, schedule->crossing);
    return schedule;
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* True when the schedule is refused, which it then says. */
static bool refused(struct schedule *schedule, enum schedule_kind kind, int cuts,
                    const char *reason)
{
    schedule->kind = kind;
    schedule->cuts = cuts;
    schedule->reason = reason;
    return reason != NULL;
}

/* Returns the most bytes per point that a contribution stage stages. */
static size_t largest_contribution(const struct schedule *schedule)
{
    size_t largest = 0;
    for (int s = 0; s < schedule->cuts; s++) {
        size_t bytes = schedule->stage[s].staged_bytes;
        largest = bytes > largest ? bytes : largest;
    }
    return largest;
}

/* More parts than one, each number of them only where the largest stages less than with fewer. */
static void build_cuts(const struct build *build, struct schedule *schedule)
{
    size_t least = schedule->legal ? largest_contribution(schedule) : 0;
    for (int cuts = 2; cuts <= MAX_CUTS; cuts++) {
        struct schedule *cut = &schedule[cuts - 1];
        struct partition *partition = NULL;
        const char *reason = legality_cuts(build->arena, build->loop);
        if (reason == NULL) {
            partition = partition_find_below(build->graph, cuts, least, &reason);
        }
        if (partition != NULL) {
            build_split(build, cut, partition, cuts);
            cut->reason =
                arena_format(build->arena, "%s; %s", cut->reason,
                             partition->exact ? "no other cut into as many parts is better"
                                              : "the best cut that was found");
            least = largest_contribution(cut);
        } else {
            refused(cut, SCHEDULE_SPLIT, cuts, reason);
        }
    }
}

static void build_splits(const struct build *build, struct schedule *schedule)
{
    const char *reason = legality_split(build->arena, build->loop);
    if (!refused(schedule, SCHEDULE_SPLIT, 1, reason)) {
        struct partition *whole =
            build->graph != NULL ? partition_find(build->graph, 1, &reason) : NULL;
        build_split(build, schedule, whole, 1);
    }
    build_cuts(build, schedule);
}

/* The fastest by the model, of those whose points it can count. Where it knows nothing: split where
 * that stages less at a time. */
static int predict(const struct loop *loop)
{
    int best = -1;
    for (int s = 0; s < loop->schedules; s++) {
        const struct schedule *schedule = &loop->schedule[s];
        bool estimated =
            schedule->legal && schedule->estimate.time > 0 && cost_sparse_map(loop, schedule) < 0;
        if (estimated &&
            (best < 0 || schedule->estimate.time < loop->schedule[best].estimate.time)) {
            best = s;
        }
    }
    if (best >= 0) {
        return best;
    }
    const struct schedule *split = &loop->schedule[AT_SPLIT];
    bool less = split->legal &&
                schedule_largest_bytes(split) < schedule_largest_bytes(&loop->schedule[AT_FUSED]);
    return less ? AT_SPLIT : AT_FUSED;
}

/* All schedules but the owner gather. */
static void build_others(const struct build *build, struct loop *loop)
{
    struct arena *arena = build->arena;
    build_fused(build, &loop->schedule[AT_FUSED]);
    build_splits(build, &loop->schedule[AT_SPLIT]);
    struct schedule *loops = &loop->schedule[AT_LOOPS];
    if (!refused(loops, SCHEDULE_LOOPS, 1, legality_loops(arena, loop))) {
        build_loops(build, loops);
    }
    struct schedule *two_pass = &loop->schedule[AT_TWO_PASS];
    if (!refused(two_pass, SCHEDULE_TWO_PASS, 1, legality_two_pass(arena, loop))) {
        build_two_pass(build, two_pass);
    }
}

static void refuse_others(struct loop *loop, const char *reason)
{
    for (int s = 0; s < SCHEDULES; s++) {
        refused(&loop->schedule[s], schedule_forms[s].kind, schedule_forms[s].cuts, reason);
    }
}

void schedules_build(struct arena *arena, struct loop *loop)
{
    struct build build = {.arena = arena, .loop = loop, .graph = loop->graph};
    loop->schedules = SCHEDULES;
    loop->schedule = arena_alloc(arena, SCHEDULES * sizeof(*loop->schedule));
    build_updates(&build);
    if (loop->graph != NULL) {
        bodies_prepare(loop->graph);
    }
    if (loop->gather_graph != NULL) {
        bodies_prepare(loop->gather_graph);
    }
    if (loop->written_graph != NULL) {
        bodies_prepare(loop->written_graph);
    }
    loop->whole = build_whole(arena, loop);
    const char *owners_only = legality_besides_owners(arena, loop);
    if (owners_only != NULL) {
        refuse_others(loop, owners_only);
    } else {
        build_others(&build, loop);
    }
    struct schedule *owner = &loop->schedule[AT_OWNER_GATHER];
    if (!refused(owner, SCHEDULE_OWNER_GATHER, 0, legality_owner_gather(arena, loop))) {
        if (loop->gather_graph != NULL) {
            build.graph = loop->gather_graph;
            build_updates(&build);
        }
        build_owner_gather(&build, owner);
    }
    loop->predicted = owners_only != NULL ? AT_OWNER_GATHER : predict(loop);
    explain_stages(arena, loop);
}
