/* partition_check.c: whether a partition keeps the rules.
 *
 * In: a graph and a partition. Out: the rule of partition.h that is broken, or none.
 */
#include <string.h>

#include "pass/ir/arena.h"
#include "splitter/partition/needs.h"
#include "splitter/partition/partition_impl.h"

static const char *check_node(const struct graph *graph, const struct partition *partition, int n)
{
    const struct node *node = &graph->node[n];
    int stage = partition->stage[n];
    if (stage < 0 || stage >= partition->stages) {
        return arena_format(graph->arena, "node %d is in stage %d of %d", n, stage,
                            partition->stages);
    }
    for (int u = 0; u < node->uses; u++) {
        if (partition->stage[node->use[u].node] > stage) {
            return arena_format(graph->arena, "node %d in stage %d reads node %d of stage %d", n,
                                stage, node->use[u].node, partition->stage[node->use[u].node]);
        }
    }
    for (int a = 0; a < node->afters; a++) {
        if (partition->stage[node->after[a]] > stage) {
            return arena_format(graph->arena, "node %d in stage %d must follow node %d of stage %d",
                                n, stage, node->after[a], partition->stage[node->after[a]]);
        }
    }
    return NULL;
}

/* Checks node n, which stage s recomputes; the stage stages staged[units]. */
static const char *check_repeat(const struct cost_graph *base, const struct partition *partition,
                                const struct needs *needs, int s, int n, const bool *staged)
{
    const struct graph *graph = base->graph;
    if (partition->stage[n] >= s) {
        return arena_format(graph->arena, "node %d of stage %d is recomputed in stage %d", n,
                            partition->stage[n], s);
    }
    if (!node_may_repeat(base, n) || graph->node[n].flops > CHEAP_FLOPS) {
        return arena_format(graph->arena, "node %d may not be recomputed in stage %d", n, s);
    }
    if (!cost_is_staged(base, n, staged)) {
        return arena_format(graph->arena,
                            "node %d, recomputed in stage %d, reads what is not staged", n, s);
    }
    if (needs_crosses(needs, n)) {
        return arena_format(graph->arena, "node %d, recomputed in stage %d, crosses all the same",
                            n, s);
    }
    return NULL;
}

/* A stage must compute only nodes that it reads itself, that leave it, or that have effects. Nodes
 * that no update and no effect needs are not checked. */
static const char *check_needed(const struct partition *partition, const struct needs *needs, int s,
                                const bool *alive)
{
    const struct graph *graph = needs->graph;
    for (int n = graph->nodes - 1; n >= 0; n--) {
        bool leaves = partition->stage[n] == s && needs_crosses(needs, n);
        bool idle = needs_computed(needs, s, n) && !needs_read(needs, s, n) && !leaves;
        if (idle && alive[n] && !graph->node[n].once) {
            return arena_format(graph->arena, "nothing needs node %d in stage %d", n, s);
        }
    }
    return NULL;
}

static bool has_node(const struct graph *graph, const struct partition *partition, int s)
{
    for (int n = 0; n < graph->nodes; n++) {
        if (partition->stage[n] == s) {
            return true;
        }
    }
    return false;
}

static const char *check_stage(const struct cost_graph *base, const struct partition *partition,
                               const struct needs *needs, int s, bool *staged)
{
    const struct graph *graph = base->graph;
    int units = cost_mark_staged(base, partition, s, staged);
    if (!has_node(graph, partition, s) && partition->stages > 1) {
        return arena_format(graph->arena, "stage %d has no node", s);
    }
    if (units == 0 && partition->stages > 1) {
        return arena_format(graph->arena, "stage %d stages nothing", s);
    }
    for (int n = 0; n < graph->nodes; n++) {
        bool recomputed = partition->recomputed[(size_t)s * (size_t)graph->nodes + (size_t)n];
        const char *message =
            recomputed ? check_repeat(base, partition, needs, s, n, staged) : NULL;
        if (message != NULL) {
            return message;
        }
    }
    return NULL;
}

/* Elements share a global's private copy, so all nodes that touch it must be in one stage. */
static const char *check_copies(const struct graph *graph, const struct partition *partition)
{
    for (int a = 0; a < graph->loop->args; a++) {
        int stage = -1;
        for (int n = 0; n < graph->nodes && arg_is_read_back(&graph->loop->arg[a]); n++) {
            if (!node_touches_copy(graph->loop, &graph->node[n], a)) {
                continue;
            }
            if (stage >= 0 && partition->stage[n] != stage) {
                return arena_format(graph->arena, "argument %d is read back in stages %d and %d", a,
                                    stage, partition->stage[n]);
            }
            stage = partition->stage[n];
        }
    }
    return NULL;
}

const char *partition_check(const struct graph *graph, const struct partition *partition)
{
    if (partition->stages < 1 || partition->stages > MAX_CUTS) {
        return arena_format(graph->arena, "%d stages", partition->stages);
    }
    for (int n = 0; n < graph->nodes; n++) {
        const char *message = check_node(graph, partition, n);
        if (message != NULL) {
            return message;
        }
    }
    const char *message = check_copies(graph, partition);
    struct arena *scratch = arena_new();
    struct cost_graph *base = cost_graph_new(scratch, graph);
    struct needs needs = needs_of_partition(scratch, graph, partition);
    bool *staged = arena_alloc(scratch, (size_t)base->units * sizeof(*staged));
    bool *alive = arena_alloc(scratch, (size_t)graph->nodes * sizeof(*alive));
    graph_mark_alive(graph, alive);
    for (int s = 0; s < partition->stages && message == NULL; s++) {
        message = check_stage(base, partition, &needs, s, staged);
    }
    for (int s = 0; s < partition->stages && message == NULL; s++) {
        message = check_needed(partition, &needs, s, alive);
    }
    arena_free(scratch);
    return message;
}
