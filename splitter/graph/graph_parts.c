/* graph_parts.c: finds the contributions that can be computed separately.
 *
 * In: a merged graph. Out: a number for each contribution. Contributions that need a common node
 * that is not cheap belong together; cheap nodes would be recomputed instead.
 */
#include <string.h>

#include "splitter/graph/graph_impl.h"

enum { GROUP_CHEAP_FLOPS = 16 };

/* ---- cheap nodes -------------------------------------------------------------------------------
 */

/* Adds up the flops of n and all it needs, each node once, until they exceed `most`. seen[] holds
 * the number of the search. */
static double cone_flops(const struct graph *graph, int n, int search, int *seen, double most)
{
    if (seen[n] == search) {
        return 0;
    }
    seen[n] = search;
    const struct node *node = &graph->node[n];
    double flops = node->flops;
    for (int u = 0; u < node->uses && flops <= most; u++) {
        flops += cone_flops(graph, node->use[u].node, search, seen, most - flops);
    }
    return flops;
}

/* A tree's sum of flops is never less than the cone's: where it is small enough, no search is
 * needed. */
static bool *cheap_nodes(const struct graph *graph, double most)
{
    size_t count = (size_t)graph->nodes;
    bool *cheap = arena_alloc(graph->arena, count);
    double *tree = arena_alloc(graph->arena, sizeof(*tree) * count);
    int *seen = arena_alloc(graph->arena, sizeof(*seen) * count);
    for (int n = 0; n < graph->nodes; n++) {
        const struct node *node = &graph->node[n];
        bool kids = !node->once;
        tree[n] = node->flops;
        for (int u = 0; u < node->uses; u++) {
            tree[n] += tree[node->use[u].node];
            kids = kids && cheap[node->use[u].node];
        }
        cheap[n] = kids && (tree[n] <= most || cone_flops(graph, n, n + 1, seen, most) <= most);
    }
    return cheap;
}

/* ---- sets of contributions ---------------------------------------------------------------------
 */

static int find(int *parent, int c)
{
    while (parent[c] != c) {
        parent[c] = parent[parent[c]];
        c = parent[c];
    }
    return c;
}

/* The smaller number stays the name, so that sets are named by their first contribution. */
static void unite(int *parent, int a, int b)
{
    a = find(parent, a);
    b = find(parent, b);
    parent[a > b ? a : b] = a < b ? a : b;
}

/* Numbers the sets from 0 in order of first appearance. */
static int number_sets(int *parent, int count, int *number)
{
    int sets = 0;
    for (int c = 0; c < count; c++) {
        number[c] = find(parent, c) == c ? sets++ : number[find(parent, c)];
    }
    return sets;
}

/* Assigns node n and its operands to contribution c, and joins c with the contribution owner[n]
 * that claimed n before; the operands are then claimed already. */
static void claim(const struct graph *graph, int n, int c, const bool *cheap, int *owner,
                  int *parent)
{
    if (cheap[n]) {
        return;
    }
    if (owner[n] >= 0) {
        unite(parent, owner[n], c);
        return;
    }
    owner[n] = c;
    for (int u = 0; u < graph->node[n].uses; u++) {
        claim(graph, graph->node[n].use[u].node, c, cheap, owner, parent);
    }
}

static int *new_sets(struct arena *arena, int count)
{
    int *parent = arena_alloc(arena, sizeof(*parent) * (size_t)count);
    for (int c = 0; c < count; c++) {
        parent[c] = c;
    }
    return parent;
}

int graph_parts(const struct graph *graph, double cheap, int *part)
{
    bool *is_cheap = cheap_nodes(graph, cheap);
    int *parent = new_sets(graph->arena, graph->contributions);
    int *owner = arena_alloc(graph->arena, sizeof(*owner) * (size_t)graph->nodes);
    memset(owner, -1, sizeof(*owner) * (size_t)graph->nodes);
    for (int c = 0; c < graph->contributions; c++) {
        unite(parent, c, graph->contribution[c].merged);
        if (graph->contribution[c].node >= 0) {
            claim(graph, graph->contribution[c].node, c, is_cheap, owner, parent);
        }
    }
    return number_sets(parent, graph->contributions, part);
}

/* ---- parts that read no data of their own -------------------------------------------------------
 */

/* Components are told apart up to this; a place with more stands for the last. */
enum { COMPONENTS = 64 };

/* read[part][(arg, component)]: places that the part's contributions need, columns aside. With
 * `components` false only the arguments count. */
static bool *part_reads(const struct graph *graph, const int *part, int own, bool components)
{
    int args = graph->loop->args;
    bool *read = arena_alloc(graph->arena, (size_t)args * COMPONENTS);
    bool *needed = arena_alloc(graph->arena, (size_t)graph->nodes);
    for (int c = 0; c < graph->contributions; c++) {
        if (part[c] == own && graph->contribution[c].node >= 0) {
            needed[graph->contribution[c].node] = true;
        }
    }
    graph_cone(graph, needed, false);
    for (int n = 0; n < graph->nodes; n++) {
        for (int p = 0; needed[n] && p < graph->node[n].places; p++) {
            const struct place *place = &graph->node[n].place[p];
            int component = !components || place->component < 0 ? 0
                            : place->component < COMPONENTS     ? place->component
                                                                : COMPONENTS - 1;
            read[first_of_dat(graph->loop, place->arg) * COMPONENTS + component] = true;
        }
    }
    return read;
}

static bool is_subset(const bool *a, const bool *b, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (a[i] && !b[i]) {
            return false;
        }
    }
    return true;
}

/* The part that p goes with: the first that reads all that p reads; of equals the first. */
static int find_host(bool *const *read, int parts, int p, size_t size)
{
    for (int q = 0; q < parts; q++) {
        if (q != p && is_subset(read[p], read[q], size) &&
            (q < p || !is_subset(read[q], read[p], size))) {
            return q;
        }
    }
    return p;
}

static int unite_by_data(const struct graph *graph, int parts, const int *part, bool components,
                         int *group)
{
    size_t size = (size_t)graph->loop->args * COMPONENTS;
    bool **read = arena_alloc(graph->arena, sizeof(*read) * (size_t)parts);
    int *parent = new_sets(graph->arena, parts);
    int *number = arena_alloc(graph->arena, sizeof(*number) * (size_t)parts);
    for (int p = 0; p < parts; p++) {
        read[p] = part_reads(graph, part, p, components);
    }
    for (int p = 0; p < parts; p++) {
        unite(parent, p, find_host(read, parts, p, size));
    }
    int groups = number_sets(parent, parts, number);
    for (int c = 0; c < graph->contributions; c++) {
        group[c] = number[part[c]];
    }
    return groups;
}

/* Whether every group has several increments: one value more or less is no part of a body. */
static bool are_substantial(const struct graph *graph, int groups, const int *group)
{
    int *count = arena_alloc(graph->arena, sizeof(*count) * (size_t)groups);
    int small = groups;
    for (int c = 0; c < graph->contributions; c++) {
        small -= ++count[group[c]] == 2;
    }
    return small == 0;
}

int graph_groups(const struct graph *graph, int *group, bool *by_component)
{
    int *part = arena_alloc(graph->arena, sizeof(*part) * (size_t)graph->contributions);
    int parts = graph_parts(graph, GROUP_CHEAP_FLOPS, part);
    int groups = unite_by_data(graph, parts, part, false, group);
    *by_component = false;
    if (groups == 1) {
        groups = unite_by_data(graph, parts, part, true, group);
        *by_component = groups > 1 && are_substantial(graph, groups, group);
        if (!*by_component) {
            groups = 1;
            memset(group, 0, sizeof(*group) * (size_t)graph->contributions);
        }
    }
    return groups;
}
