/* partition.c: the search for the best cut of a body into contribution stages.
 *
 * In: a graph and a number of stages. Out: the partition, or why there is none. The nodes are
 * condensed to items (partition_condense.c); the heuristic (partition_climb.c) finds a good
 * assignment, and where the items are few the exhaustive search (partition_exact.c) a better one or
 * the proof that there is none. Then the nodes get their stages (partition_settle.c).
 */
#include "pass/ir/arena.h"
#include "splitter/partition/partition_impl.h"

/* Elementary steps (an item or a unit looked at) of one search: some tenths of a second at most. */
static const long long HEURISTIC_STEPS = 40 * 1000 * 1000;
static const long long START_STEPS = 200 * 1000; /* of the heuristic before an exhaustive search */
static const long long EXACT_STEPS = 40 * 1000 * 1000;

struct partition *partition_new(const struct graph *graph, int stages)
{
    struct partition *partition = arena_alloc(graph->arena, sizeof(*partition));
    size_t nodes = (size_t)graph->nodes;
    size_t all = (size_t)stages * nodes;
    partition->stages = stages;
    partition->stage = arena_alloc(graph->arena, nodes * sizeof(*partition->stage));
    partition->recomputed = arena_alloc(graph->arena, all * sizeof(*partition->recomputed));
    return partition;
}

bool partition_computes(const struct graph *graph, const struct partition *partition, int s, int n)
{
    return partition->stage[n] == s ||
           partition->recomputed[(size_t)s * (size_t)graph->nodes + (size_t)n];
}

/* Measures one stage with the whole body; returns the bytes that it stages per point. */
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

/* The bytes per point that the stages of a partition stage. */
struct staged {
    size_t most;
    size_t least;
};

static struct staged staged_by(const struct cost_graph *base, const struct partition *partition)
{
    struct staged staged = {0, SIZE_MAX};
    for (int s = 0; s < partition->stages; s++) {
        size_t bytes = cost_staged_bytes(base, partition, s);
        staged.most = bytes > staged.most ? bytes : staged.most;
        staged.least = bytes < staged.least ? bytes : staged.least;
    }
    return staged;
}

static const char *nothing_gained(const struct problem *problem, struct staged staged, size_t whole)
{
    struct arena *arena = problem->base->graph->arena;
    size_t below = problem->bytes_below;
    if (staged.most >= below) {
        return arena_format(arena,
                            "cut in %d, the body would still stage %zu bytes per point at a time%s",
                            problem->cuts, below, below < whole ? ", as with fewer parts" : "");
    }
    if (staged.least == 0) {
        return arena_format(arena, "cut in %d, one part of the body would stage nothing",
                            problem->cuts);
    }
    return arena_format(arena,
                        "cut in %d, the body would stage %zu bytes per point at a time instead of "
                        "%zu, but the values passed between its parts cost more registers than the "
                        "smaller staging saves",
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
    struct partition *partition = partition_expand(problem, stage);
    partition->exact = exact;
    struct staged staged = staged_by(problem->base, partition);
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
        struct partition *whole = partition_new(graph, 1);
        whole->exact = true;
        return whole;
    }
    struct arena *scratch = arena_new();
    struct cost_graph *base = cost_graph_new(scratch, graph);
    struct problem *problem = problem_new(scratch, base);
    struct partition *partition = NULL;
    problem->cuts = cuts;
    size_t whole = measure_whole(problem);
    problem->bytes_below = bytes < whole ? bytes : whole;
    if (base->units == 0) {
        *reason = "the body reads nothing through a map, so there is nothing to stage in parts";
    } else if (problem->items < cuts) {
        *reason = problem->items == 1
                      ? "the body is a single part, which cannot be cut"
                      : arena_format(graph->arena, "the body can be cut into %d parts at most",
                                     problem->items);
    } else {
        partition = search(problem, whole, reason);
    }
    arena_free(scratch);
    return partition;
}
