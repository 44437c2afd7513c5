/* partition_settle.c: from stages of items to a settled partition of the nodes.
 *
 * In: the items' stages. Out: the partition that keeps the rules of partition.h. Free nodes get
 * their stages; cheap values are recomputed where their data is staged anyway; nodes that are no
 * longer needed are then dropped. Each of these steps decides on a node when needs.h says in which
 * stages it is read.
 */
#include <math.h>

#include "pass/ir/arena.h"
#include "splitter/partition/needs.h"
#include "splitter/partition/partition_impl.h"

static bool *recomputed_in(const struct graph *graph, const struct partition *partition, int s,
                           int n)
{
    return &partition->recomputed[(size_t)s * (size_t)graph->nodes + (size_t)n];
}

/* ---- free nodes ------------------------------------------------------------------------------ */

/* The home of node n, which is free, is the first stage that reads it, or the last stage where only
 * updates do. */
static void place_free_node(const struct needs *needs, struct partition *partition, int n)
{
    int home = partition->stages - 1;
    for (int s = partition->stages - 1; s >= 0; s--) {
        home = needs_read(needs, s, n) ? s : home;
    }
    partition->stage[n] = home;
    for (int s = home + 1; s < partition->stages; s++) {
        *recomputed_in(needs->graph, partition, s, n) = needs_read(needs, s, n);
    }
}

/* From the last node to the first, so that the readers of a node are placed before it. */
static struct needs place_free(const struct problem *problem, struct partition *partition)
{
    const struct graph *graph = problem->base->graph;
    struct needs needs = needs_new(problem->scratch, graph, partition->stages);
    for (int n = graph->nodes - 1; n >= 0; n--) {
        if (problem->item_of[n] == NODE_IS_FREE) {
            place_free_node(&needs, partition, n);
        }
        needs_add_node(&needs, partition, n);
    }
    return needs;
}

/* ---- recomputing ------------------------------------------------------------------------- */

/* A stage, for which cheap values from other stages are to be recomputed. */
struct repeat {
    const struct cost_graph *base;
    struct partition *partition;
    struct needs *needs;
    int s;
    bool *staged; /* [units] by the stage */
    int *seen;    /* [nodes] the query that met it last */
    int query;    /* number of the present one */
};

/* Flops of recomputing node n in the stage, including operands that are missing there; more than
 * CHEAP_FLOPS if that is too many, or not possible. A query counts each node once; otherwise a
 * graph with many paths to one node, such as nested selects, would take exponential time. */
static double flops_with_operands(const struct repeat *repeat, int n, double so_far)
{
    const struct node *node = &repeat->base->graph->node[n];
    double flops = so_far + node->flops;
    repeat->seen[n] = repeat->query;
    if (!node_may_repeat(repeat->base, n) || node->afters > 0 ||
        !cost_is_staged(repeat->base, n, repeat->staged)) {
        return INFINITY;
    }
    for (int u = 0; u < node->uses && flops <= CHEAP_FLOPS; u++) {
        int used = node->use[u].node;
        bool there =
            repeat->seen[used] == repeat->query || needs_read(repeat->needs, repeat->s, used);
        flops = there ? flops : flops_with_operands(repeat, used, flops);
    }
    return flops;
}

/* Recomputes node n in the stage, and its operands that the stage neither reads nor computes
 * yet. */
static void recompute(const struct repeat *repeat, int n)
{
    const struct graph *graph = repeat->base->graph;
    const struct node *node = &graph->node[n];
    *recomputed_in(graph, repeat->partition, repeat->s, n) = true;
    for (int u = 0; u < node->uses; u++) {
        int used = node->use[u].node;
        if (!needs_read(repeat->needs, repeat->s, used) &&
            !needs_computed(repeat->needs, repeat->s, used)) {
            recompute(repeat, used);
        }
    }
    needs_add(repeat->needs, repeat->s, n);
}

/* Runs from the last node to the first: a node that is recomputed together with its operands makes
 * it unnecessary to bring these. */
static void repeat_cheap(const struct problem *problem, struct partition *partition,
                         struct needs *needs)
{
    const struct cost_graph *base = problem->base;
    int nodes = base->graph->nodes;
    struct repeat repeat = {.base = base,
                            .partition = partition,
                            .needs = needs,
                            .staged =
                                arena_alloc(problem->scratch, (size_t)base->units * sizeof(bool)),
                            .seen = arena_alloc(problem->scratch, (size_t)nodes * sizeof(int))};
    for (repeat.s = 1; repeat.s < partition->stages; repeat.s++) {
        cost_mark_staged(base, partition, repeat.s, repeat.staged);
        for (int n = nodes - 1; n >= 0; n--) {
            repeat.query++;
            if (needs_brought(needs, repeat.s, n) &&
                flops_with_operands(&repeat, n, 0) <= CHEAP_FLOPS) {
                recompute(&repeat, n);
            }
        }
    }
}

struct partition *partition_expand(const struct problem *problem, const int *stage)
{
    const struct graph *graph = problem->base->graph;
    struct partition *partition = partition_new(graph, problem->cuts);
    for (int n = 0; n < graph->nodes; n++) {
        int item = problem->item_of[n];
        partition->stage[n] = item == NODE_IS_FREE ? 0 : stage[item];
    }
    struct needs needs = place_free(problem, partition);
    repeat_cheap(problem, partition, &needs);
    partition_settle(problem->base, partition);
    return partition;
}

/* ---- settling -------------------------------------------------------------------------------- */

/* Node n, whose readers are settled. `latest` is the last stage that it may be in, for the nodes
 * that must follow it. */
static void settle_node(const struct needs *needs, struct partition *partition, int n, int latest)
{
    const struct graph *graph = needs->graph;
    int home = partition->stage[n];
    int recomputed = -1; /* the first stage that recomputes it */
    bool crosses = needs->taken[n];
    for (int s = partition->stages - 1; s >= 0; s--) {
        bool *here = recomputed_in(graph, partition, s, n);
        *here = *here && needs_read(needs, s, n);
        recomputed = *here ? s : recomputed;
        crosses = crosses || (needs_read(needs, s, n) && !*here && s != home);
    }
    bool idle = !crosses && !needs_read(needs, home, n);
    if (recomputed < 0 || (!crosses && !idle)) {
        return;
    }
    if (idle && recomputed <= latest) {
        partition->stage[n] = recomputed;
        *recomputed_in(graph, partition, recomputed, n) = false;
        return;
    }
    for (int s = 0; s < partition->stages; s++) {
        *recomputed_in(graph, partition, s, n) = false;
    }
}

static void settle_all(const struct graph *graph, struct partition *partition)
{
    struct arena *scratch = arena_new();
    struct needs needs = needs_new(scratch, graph, partition->stages);
    int *latest = arena_alloc(scratch, (size_t)graph->nodes * sizeof(*latest));
    for (int n = 0; n < graph->nodes; n++) {
        latest[n] = partition->stages - 1;
    }
    for (int n = graph->nodes - 1; n >= 0; n--) {
        const struct node *node = &graph->node[n];
        settle_node(&needs, partition, n, latest[n]);
        needs_add_node(&needs, partition, n);
        for (int a = 0; a < node->afters; a++) {
            int *last = &latest[node->after[a]];
            *last = partition->stage[n] < *last ? partition->stage[n] : *last;
        }
    }
    arena_free(scratch);
}

/* Drops recomputed nodes whose data the stage no longer stages, because other nodes have moved
 * away. True if there was any. */
static bool drop_unstaged(const struct cost_graph *base, struct partition *partition)
{
    const struct graph *graph = base->graph;
    struct arena *scratch = arena_new();
    bool *staged = arena_alloc(scratch, (size_t)base->units * sizeof(*staged));
    bool any = false;
    for (int s = 0; s < partition->stages; s++) {
        cost_mark_staged(base, partition, s, staged);
        for (int n = 0; n < graph->nodes; n++) {
            bool *recomputed = recomputed_in(graph, partition, s, n);
            bool drop = *recomputed && !cost_is_staged(base, n, staged);
            any = any || drop;
            *recomputed = *recomputed && !drop;
        }
    }
    arena_free(scratch);
    return any;
}

/* Sweeps from the last node to the first, and again if nodes have moved away whose staged data
 * others in their stage relied on. It ends, because no recomputation is ever added. */
void partition_settle(const struct cost_graph *base, struct partition *partition)
{
    do {
        settle_all(base->graph, partition);
    } while (drop_unstaged(base, partition));
}
