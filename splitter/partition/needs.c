/* needs.c: the table of needs.h, and the variables that cross according to it.
 *
 * In: a graph, and the nodes that each stage computes. Out: the values that stages read and bring,
 * and updates take.
 */
#include "pass/ir/arena.h"
#include "splitter/partition/needs.h"

static size_t at(const struct needs *needs, int s, int n)
{
    return (size_t)s * (size_t)needs->graph->nodes + (size_t)n;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

struct needs needs_new(struct arena *arena, const struct graph *graph, int stages)
{
    size_t nodes = (size_t)graph->nodes;
    size_t all = (size_t)stages * nodes;
    struct needs needs = {.graph = graph,
                          .stages = stages,
                          .computed = arena_alloc(arena, all * sizeof(bool)),
                          .read = arena_alloc(arena, all * sizeof(bool)),
                          .taken = arena_alloc(arena, nodes * sizeof(bool))};
    graph_mark_taken(graph, needs.taken);
    return needs;
}

void needs_add(struct needs *needs, int s, int n)
{
    const struct node *node = &needs->graph->node[n];
    needs->computed[at(needs, s, n)] = true;
    for (int u = 0; u < node->uses; u++) {
        needs->read[at(needs, s, node->use[u].node)] = true;
    }
}

void needs_add_node(struct needs *needs, const struct partition *partition, int n)
{
    for (int s = 0; s < needs->stages; s++) {
        if (partition_computes(needs->graph, partition, s, n)) {
            needs_add(needs, s, n);
        }
    }
}

struct needs needs_of_partition(struct arena *arena, const struct graph *graph,
                                const struct partition *partition)
{
    struct needs needs = needs_new(arena, graph, partition->stages);
    for (int n = 0; n < graph->nodes; n++) {
        needs_add_node(&needs, partition, n);
    }
    return needs;
}

struct needs needs_of_stages(struct arena *arena, const struct graph *graph, int stages,
                             bool *const *in)
{
    struct needs needs = needs_new(arena, graph, stages);
    for (int s = 0; s < stages; s++) {
        for (int n = 0; in[s] != NULL && n < graph->nodes; n++) {
            if (in[s][n]) {
                needs_add(&needs, s, n);
            }
        }
    }
    return needs;
}

bool needs_computed(const struct needs *needs, int s, int n)
{
    return needs->computed[at(needs, s, n)];
}

bool needs_read(const struct needs *needs, int s, int n)
{
    return needs->read[at(needs, s, n)];
}

bool needs_brought(const struct needs *needs, int s, int n)
{
    return needs_read(needs, s, n) && !needs_computed(needs, s, n);
}

bool needs_crosses(const struct needs *needs, int n)
{
    bool crosses = needs->taken[n];
    for (int s = 0; s < needs->stages; s++) {
        crosses = crosses || needs_brought(needs, s, n);
    }
    return crosses;
}

/* ---- variables ------------------------------------------------------------------------------- */

static void add_brought(const struct needs *needs, int s, struct var_list *list)
{
    for (int n = 0; n < needs->graph->nodes; n++) {
        const struct node *node = &needs->graph->node[n];
        for (int u = 0; needs_computed(needs, s, n) && u < node->uses; u++) {
            if (needs_brought(needs, s, node->use[u].node)) {
                var_list_add(list, node->use[u].var);
            }
        }
    }
}

/* Adds those variables of `wanted` that the node sets. */
static void add_set(const struct node *node, const struct var_list *wanted, struct var_list *list)
{
    for (int d = 0; d < node->defines; d++) {
        if (var_list_has(wanted, node->define[d])) {
            var_list_add(list, node->define[d]);
        }
    }
}

struct var_list needs_vars_brought(const struct needs *needs, struct arena *arena, int s)
{
    struct var_list list = var_list_new(arena);
    add_brought(needs, s, &list);
    return list;
}

struct var_list needs_vars_crossing(const struct needs *needs, struct arena *arena)
{
    const struct graph *graph = needs->graph;
    struct var_list wanted = graph_vars_taken(graph, arena);
    struct var_list list = var_list_new(arena);
    for (int s = 0; s < needs->stages; s++) {
        add_brought(needs, s, &wanted);
    }
    for (int n = 0; n < graph->nodes; n++) {
        add_set(&graph->node[n], &wanted, &list);
    }
    return list;
}

struct var_list needs_vars_made(const struct needs *needs, struct arena *arena, int s,
                                const struct var_list *crossing)
{
    struct var_list list = var_list_new(arena);
    for (int n = 0; n < needs->graph->nodes; n++) {
        if (needs_computed(needs, s, n)) {
            add_set(&needs->graph->node[n], crossing, &list);
        }
    }
    return list;
}
