/* partition.c: the search for the best cut of a body into contribution stages.
 *
 * In: a graph and a number of stages. Out: the partition, or why there is none. The nodes are
 * condensed to items (partition_condense.c); the heuristic (partition_climb.c) finds a good
 * assignment, and where the items are few the exhaustive search (partition_exact.c) a better one or
 * the proof that there is none. Then the free nodes get their stages, and cheap values are computed
 * again where what they read is staged anyway.
 */
#include <math.h>
#include <string.h>

#include "pass/arena.h"
#include "splitter/partition/partition_impl.h"

/* Elementary steps (an item or a unit looked at) of one search: some tenths of a second at most. */
static const long long HEURISTIC_STEPS = 40 * 1000 * 1000;
static const long long START_STEPS = 200 * 1000; /* of the heuristic before an exhaustive search */
static const long long EXACT_STEPS = 40 * 1000 * 1000;

static struct partition *partition_new(const struct graph *graph, int stages)
{
    struct partition *partition = arena_alloc(graph->arena, sizeof(*partition));
    size_t nodes = (size_t)graph->nodes;
    partition->stages = stages;
    partition->stage = arena_alloc(graph->arena, nodes * sizeof(*partition->stage));
    partition->again =
        arena_alloc(graph->arena, (size_t)stages * nodes * sizeof(*partition->again));
    partition->exact = true;
    return partition;
}

static bool *again_at(const struct graph *graph, const struct partition *partition, int s, int n)
{
    return &partition->again[(size_t)s * (size_t)graph->nodes + (size_t)n];
}

/* ---- free nodes ------------------------------------------------------------------------------ */

/* wanted[s]: node n, which is free, is read in stage s. Its home is the first such stage, or the
 * last stage where only updates read it. */
static void place_free_node(const struct graph *graph, struct partition *partition,
                            const bool *wanted, int n)
{
    int nodes = graph->nodes;
    int home = partition->stages - 1;
    for (int s = partition->stages - 1; s >= 0; s--) {
        home = wanted[(size_t)s * (size_t)nodes + (size_t)n] ? s : home;
    }
    partition->stage[n] = home;
    for (int s = home + 1; s < partition->stages; s++) {
        *again_at(graph, partition, s, n) = wanted[(size_t)s * (size_t)nodes + (size_t)n];
    }
}

/* From the last node to the first, so that the readers of a node are placed before it. */
static void place_free(const struct problem *problem, struct partition *partition)
{
    const struct graph *graph = problem->base->graph;
    size_t nodes = (size_t)graph->nodes;
    bool *wanted =
        arena_alloc(problem->scratch, (size_t)partition->stages * nodes * sizeof(*wanted));
    for (int n = graph->nodes - 1; n >= 0; n--) {
        const struct node *node = &graph->node[n];
        if (problem->item_of[n] == NODE_IS_FREE) {
            place_free_node(graph, partition, wanted, n);
        }
        for (int s = partition->stage[n]; s < partition->stages; s++) {
            bool here = s == partition->stage[n] || *again_at(graph, partition, s, n);
            for (int u = 0; here && u < node->uses; u++) {
                wanted[(size_t)s * nodes + (size_t)node->use[u].node] = true;
            }
        }
    }
}

/* ---- computing again ------------------------------------------------------------------------- */

/* Of one stage: what it stages, and which values of earlier stages reach it. */
struct stage_view {
    const struct problem *problem;
    struct partition *partition;
    int s;
    bool *staged;  /* [units] */
    bool *reaches; /* [nodes] its value is kept for this stage */
    int *seen;     /* [nodes] the query that met it last */
    int *query;    /* number of the present one */
};

static bool has_units(const struct stage_view *view, int n)
{
    const struct cost_graph *base = view->problem->base;
    for (int i = base->first_unit[n]; i < base->first_unit[n + 1]; i++) {
        if (!view->staged[base->unit_of[i]]) {
            return false;
        }
    }
    return true;
}

/* Flops of computing node n in the stage, with what it needs and is not there; more than
 * CHEAP_FLOPS where that is too much or not possible. Each node counts once for a query: where many
 * ways lead to one, as through selects, walking all of them would take forever. */
static double again_flops(const struct stage_view *view, int n, double so_far)
{
    const struct graph *graph = view->problem->base->graph;
    const struct node *node = &graph->node[n];
    double flops = so_far + node->flops;
    view->seen[n] = *view->query;
    if (!node_may_repeat(view->problem->base, n) || node->afters > 0 || !has_units(view, n)) {
        return INFINITY;
    }
    for (int u = 0; u < node->uses && flops <= CHEAP_FLOPS; u++) {
        int used = node->use[u].node;
        bool there = view->seen[used] == *view->query || view->reaches[used] ||
                     *again_at(graph, view->partition, view->s, used);
        flops = there ? flops : again_flops(view, used, flops);
    }
    return flops;
}

static void compute_again(const struct stage_view *view, int n)
{
    const struct graph *graph = view->problem->base->graph;
    const struct node *node = &graph->node[n];
    *again_at(graph, view->partition, view->s, n) = true;
    view->reaches[n] = false;
    for (int u = 0; u < node->uses; u++) {
        int used = node->use[u].node;
        if (!view->reaches[used] && !*again_at(graph, view->partition, view->s, used)) {
            compute_again(view, used);
        }
    }
}

static void look_at_stage(const struct stage_view *view)
{
    const struct cost_graph *base = view->problem->base;
    const struct graph *graph = base->graph;
    memset(view->staged, 0, (size_t)base->units * sizeof(*view->staged));
    memset(view->reaches, 0, (size_t)graph->nodes * sizeof(*view->reaches));
    for (int n = 0; n < graph->nodes; n++) {
        const struct node *node = &graph->node[n];
        if (view->partition->stage[n] != view->s) {
            continue;
        }
        for (int i = base->first_unit[n]; i < base->first_unit[n + 1]; i++) {
            view->staged[base->unit_of[i]] = true;
        }
        for (int u = 0; u < node->uses; u++) {
            int used = node->use[u].node;
            bool here = view->partition->stage[used] == view->s ||
                        *again_at(graph, view->partition, view->s, used);
            view->reaches[used] = !here;
        }
    }
}

/* From the last node to the first: what a node needs may then be needed no longer. */
static void repeat_cheap(const struct problem *problem, struct partition *partition)
{
    const struct graph *graph = problem->base->graph;
    int query = 0;
    struct stage_view view = {
        .query = &query,
        .seen = arena_alloc(problem->scratch, (size_t)graph->nodes * sizeof(int)),
        .problem = problem,
        .partition = partition,
        .staged = arena_alloc(problem->scratch, (size_t)problem->base->units * sizeof(bool)),
        .reaches = arena_alloc(problem->scratch, (size_t)graph->nodes * sizeof(bool))};
    for (view.s = 1; view.s < partition->stages; view.s++) {
        look_at_stage(&view);
        for (int n = graph->nodes - 1; n >= 0; n--) {
            query++;
            if (view.reaches[n] && again_flops(&view, n, 0) <= CHEAP_FLOPS) {
                compute_again(&view, n);
            }
        }
    }
}

/* True when the value of node n is read where its home stage computes it, or kept from there. */
static bool needed_at_home(const struct problem *problem, const struct partition *partition,
                           const struct rows *readers, int n)
{
    const struct cost_graph *base = problem->base;
    for (int i = base->first_var[n]; i < base->first_var[n + 1]; i++) {
        if (base->var[base->var_of[i]].kept) {
            return true;
        }
    }
    for (int r = readers->first[n]; r < readers->first[n + 1]; r++) {
        int reader = readers->of[r];
        for (int s = partition->stage[n]; s < partition->stages; s++) {
            bool here =
                partition->stage[reader] == s || *again_at(base->graph, partition, s, reader);
            if (here && !*again_at(base->graph, partition, s, n)) {
                return true;
            }
        }
    }
    return false;
}

static int first_again(const struct graph *graph, const struct partition *partition, int n)
{
    for (int s = 0; s < partition->stages; s++) {
        if (*again_at(graph, partition, s, n)) {
            return s;
        }
    }
    return -1;
}

/* The first stage of a node that must follow node n. */
static int first_follower(const struct partition *partition, const struct rows *followers, int n)
{
    int first = partition->stages;
    for (int f = followers->first[n]; f < followers->first[n + 1]; f++) {
        int stage = partition->stage[followers->of[f]];
        first = stage < first ? stage : first;
    }
    return first;
}

/* A value that is computed again wherever it is read need not be computed before. */
static void move_homes(const struct problem *problem, struct partition *partition)
{
    const struct graph *graph = problem->base->graph;
    struct rows readers = graph_readers(problem);
    struct rows followers = graph_followers(problem);
    for (int n = graph->nodes - 1; n >= 0; n--) {
        int again = first_again(graph, partition, n);
        if (again >= 0 && again <= first_follower(partition, &followers, n) &&
            !needed_at_home(problem, partition, &readers, n)) {
            partition->stage[n] = again;
            *again_at(graph, partition, again, n) = false;
        }
    }
}

/* ---- the search ------------------------------------------------------------------------------ */

/* What one stage with everything takes; returns what it stages per point. */
static size_t measure_whole(struct problem *problem)
{
    size_t bytes = 0;
    for (int u = 0; u < problem->base->units; u++) {
        problem->whole_shared += problem->base->unit[u].shared;
        bytes += problem->base->unit[u].bytes;
    }
    double kept = 0;
    for (int i = 0; i < problem->vars; i++) {
        kept += problem->var_kept[problem->var[i]] ? problem->var_bytes[problem->var[i]] : 0;
    }
    problem->whole_footprint = problem->whole_shared + kept * COST_BLOCK;
    return bytes;
}

static struct partition *expand(const struct problem *problem, const int *stage)
{
    const struct graph *graph = problem->base->graph;
    struct partition *partition = partition_new(graph, problem->cuts);
    for (int n = 0; n < graph->nodes; n++) {
        int item = problem->item_of[n];
        partition->stage[n] = item == NODE_IS_FREE ? 0 : stage[item];
    }
    place_free(problem, partition);
    repeat_cheap(problem, partition);
    move_homes(problem, partition);
    return partition;
}

/* What the stages of a partition stage per point. */
struct staged {
    size_t most;
    size_t least;
};

static struct staged staged_by(const struct graph *graph, const struct partition *partition)
{
    struct staged staged = {0, SIZE_MAX};
    for (int s = 0; s < partition->stages; s++) {
        struct partition_stage stage;
        partition_stage(graph, partition, s, &stage);
        staged.most = stage.staged_bytes > staged.most ? stage.staged_bytes : staged.most;
        staged.least = stage.staged_bytes < staged.least ? stage.staged_bytes : staged.least;
    }
    return staged;
}

static const char *nothing_gained(const struct problem *problem, struct staged staged, size_t whole)
{
    struct arena *arena = problem->base->graph->arena;
    size_t below = problem->bytes_below;
    if (staged.most >= below) {
        return arena_format(
            arena, "cut in %d, the body would still stage %zu bytes per point at a time%s",
            problem->cuts, below, below < whole ? ", as it does in fewer parts" : "");
    }
    if (staged.least == 0) {
        return arena_format(arena, "cut in %d, a part of the body would have nothing to stage",
                            problem->cuts);
    }
    return arena_format(arena,
                        "cut in %d, the body would stage %zu bytes per point at a time instead of "
                        "%zu, but what its parts hand on takes more registers than that saves",
                        problem->cuts, staged.most, below);
}

static struct partition *search(struct problem *problem, size_t whole, const char **reason)
{
    int *stage = arena_alloc(problem->scratch, (size_t)problem->items * sizeof(*stage));
    struct rank rank;
    bool exact = false;
    bool is_small = problem->items <= PARTITION_EXACT;
    problem->most_steps = is_small ? START_STEPS : HEURISTIC_STEPS;
    search_heuristic(problem, stage, &rank);
    if (is_small) {
        problem->steps = 0;
        problem->most_steps = EXACT_STEPS;
        exact = search_exact(problem, stage, &rank);
    }
    struct partition *partition = expand(problem, stage);
    partition->exact = exact;
    struct staged staged = staged_by(problem->base->graph, partition);
    if (!rank.gained || staged.least == 0) {
        *reason = nothing_gained(problem, staged, whole);
        return NULL;
    }
    return partition;
}

struct partition *partition_find(const struct graph *graph, int cuts, const char **reason)
{
    return partition_find_below(graph, cuts, SIZE_MAX, reason);
}

struct partition *partition_find_below(const struct graph *graph, int cuts, size_t bytes,
                                       const char **reason)
{
    if (cuts == 1) {
        return partition_new(graph, 1);
    }
    struct arena *scratch = arena_new();
    struct cost_graph *base = cost_graph_new(scratch, graph);
    struct problem *problem = problem_new(scratch, base);
    struct partition *partition = NULL;
    problem->cuts = cuts;
    size_t whole = measure_whole(problem);
    problem->bytes_below = bytes < whole ? bytes : whole;
    if (base->units == 0) {
        *reason =
            "the body reads nothing through a map, so that there is nothing to stage in parts";
    } else if (problem->items < cuts) {
        *reason = problem->items == 1
                      ? "the body is a single part, which cannot be cut"
                      : arena_format(graph->arena, "the body falls into %d parts at most",
                                     problem->items);
    } else {
        partition = search(problem, whole, reason);
    }
    arena_free(scratch);
    return partition;
}
