/* graph_drop.c: drops the nodes that nothing needs, and renumbers the others.
 *
 * In: a graph. Out: the same graph with fewer nodes. Guards are shared and not changed by whoever
 * reads them, so renumbered ones are made anew, once each.
 */
#include "splitter/graph/graph_impl.h"

struct drop {
    struct graph *graph;
    bool *needed;
    int *number;               /* of each node that stays; -1 */
    struct pointer_map guards; /* old guard to position in made[] */
    const struct guard **made;
    int makes;
    int capacity;
};

static const struct guard *renumber_guard(struct drop *drop, const struct guard *guard)
{
    if (guard == NULL) {
        return NULL;
    }
    int made = pointer_map_get(&drop->guards, guard);
    if (made >= 0) {
        return drop->made[made];
    }
    struct guard *copy = arena_alloc(drop->graph->arena, sizeof(*copy));
    copy->condition = drop->number[guard->condition];
    copy->when = guard->when;
    copy->outer = renumber_guard(drop, guard->outer);
    drop->made = arena_grow(drop->graph->arena, drop->made, drop->makes, &drop->capacity,
                            sizeof(*drop->made));
    pointer_map_set(&drop->guards, guard, drop->makes);
    drop->made[drop->makes++] = copy;
    return copy;
}

/* Marks n, a node that another must run after; if n is dropped, also the nodes that n must run
 * after. */
static void inherit(const struct drop *drop, int n, bool *marked)
{
    if (marked[n]) {
        return;
    }
    marked[n] = true;
    const struct node *node = &drop->graph->node[n];
    for (int a = 0; !drop->needed[n] && a < node->afters; a++) {
        inherit(drop, node->after[a], marked);
    }
}

static bool is_after_dropped(const struct drop *drop, const struct node *node)
{
    for (int a = 0; a < node->afters; a++) {
        if (!drop->needed[node->after[a]]) {
            return true;
        }
    }
    return false;
}

/* Replaces the dropped nodes of node->after by the nodes that these must run after; numbers are the
 * old ones. */
static void bridge_afters(const struct drop *drop, struct node *node)
{
    struct arena *arena = drop->graph->arena;
    bool *marked = arena_alloc(arena, (size_t)drop->graph->nodes);
    for (int a = 0; a < node->afters; a++) {
        inherit(drop, node->after[a], marked);
    }
    int count = 0;
    for (int n = 0; n < drop->graph->nodes; n++) {
        count += marked[n] && drop->needed[n];
    }
    node->after = arena_alloc(arena, sizeof(*node->after) * (size_t)count);
    node->afters = 0;
    for (int n = 0; n < drop->graph->nodes; n++) {
        if (marked[n] && drop->needed[n]) {
            node->after[node->afters++] = n;
        }
    }
}

static void renumber_node(struct drop *drop, struct node *node)
{
    node->guard = renumber_guard(drop, node->guard);
    for (int u = 0; u < node->uses; u++) {
        node->use[u].node = drop->number[node->use[u].node];
    }
    for (int a = 0; a < node->afters; a++) {
        node->after[a] = drop->number[node->after[a]];
    }
}

void graph_drop_dead(struct graph *graph)
{
    struct drop drop = {.graph = graph, .guards = pointer_map_new(graph->arena)};
    int kept = 0;
    drop.needed = arena_alloc(graph->arena, (size_t)graph->nodes * sizeof(*drop.needed));
    graph_mark_alive(graph, drop.needed);
    drop.number = arena_alloc(graph->arena, sizeof(*drop.number) * (size_t)graph->nodes);
    for (int n = 0; n < graph->nodes; n++) {
        drop.number[n] = drop.needed[n] ? kept++ : -1;
    }
    if (kept == graph->nodes) {
        return;
    }
    for (int n = 0; n < graph->nodes; n++) {
        if (drop.needed[n] && is_after_dropped(&drop, &graph->node[n])) {
            bridge_afters(&drop, &graph->node[n]);
        }
    }
    for (int n = 0; n < graph->nodes; n++) {
        if (drop.needed[n]) {
            struct node node = graph->node[n];
            renumber_node(&drop, &node);
            graph->node[drop.number[n]] = node;
        }
    }
    graph->nodes = kept;
    for (int c = 0; c < graph->contributions; c++) {
        struct contribution *contribution = &graph->contribution[c];
        contribution->node = contribution->node < 0 ? -1 : drop.number[contribution->node];
    }
}
