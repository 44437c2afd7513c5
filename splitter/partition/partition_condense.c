/* partition_condense.c: nodes to items.
 *
 * Two nodes become one item where having them apart brings nothing, or next to nothing:
 *   - a node that stages nothing new and needs only one other item goes with that one, unless its
 *     value is one of tmp(e), which is better made late;
 *   - what reads and sets a global's private copy, with all between, is one item: elements share
 * the copy, so that no element may read it before another has set it;
 *   - a node that needs nothing, and stages nothing that its only reader does not stage, goes with
 *     the reader.
 * Merging along such edges keeps the order acyclic: there is no other way round. What remains is
 * sorted so that items can run in their order.
 */
#include <string.h>

#include "pass/ir/arena.h"
#include "splitter/graph/graph_impl.h"
#include "splitter/partition/partition_impl.h"

bool node_may_repeat(const struct cost_graph *base, int n)
{
    const struct node *node = &base->graph->node[n];
    if (node->kind != NODE_VALUE || node->once) {
        return false;
    }
    for (int p = 0; p < node->places; p++) {
        if (!arg_is_constant(base->graph->loop, node->place[p].arg)) {
            return false;
        }
    }
    return true;
}

/* ---- free nodes ------------------------------------------------------------------------------ */

/* A node that others must run after is not free, because it must stay in its place before them. */
static void find_free(struct problem *problem, struct arena *scratch)
{
    const struct cost_graph *base = problem->base;
    const struct graph *graph = base->graph;
    double *flops = arena_alloc(scratch, (size_t)graph->nodes * sizeof(*flops));
    bool *followed = arena_alloc(scratch, (size_t)graph->nodes * sizeof(*followed));
    for (int n = 0; n < graph->nodes; n++) {
        for (int a = 0; a < graph->node[n].afters; a++) {
            followed[graph->node[n].after[a]] = true;
        }
    }
    for (int n = 0; n < graph->nodes; n++) {
        const struct node *node = &graph->node[n];
        bool is_free = node_may_repeat(base, n) && node->afters == 0 && !followed[n] &&
                       base->first_unit[n] == base->first_unit[n + 1];
        flops[n] = node->flops;
        for (int u = 0; u < node->uses && is_free; u++) {
            is_free = problem->item_of[node->use[u].node] == NODE_IS_FREE;
            flops[n] += flops[node->use[u].node];
        }
        problem->item_of[n] = is_free && flops[n] <= CHEAP_FLOPS ? NODE_IS_FREE : n;
    }
}

/* ---- merging --------------------------------------------------------------------------------- */

/* While nodes are merged, an item is named by one of its nodes. */
struct merger {
    struct problem *problem;
    struct arena *scratch;
    int nodes;
    int *parent;      /* [nodes] union-find */
    uint64_t *units;  /* [nodes*words] */
    int *only_before; /* the one item that it needs; NONE; SEVERAL */
    int *only_after;  /* the one item that needs it */
    bool *kept;       /* makes a value of tmp(e) */
};
enum { NONE = -1, SEVERAL = -2 };

static int find(struct merger *merger, int n)
{
    while (merger->parent[n] != n) {
        merger->parent[n] = merger->parent[merger->parent[n]];
        n = merger->parent[n];
    }
    return n;
}

static bool is_subset(const struct merger *merger, int a, int b)
{
    int words = merger->problem->words;
    for (int w = 0; w < words; w++) {
        if ((merger->units[(size_t)a * (size_t)words + (size_t)w] &
             ~merger->units[(size_t)b * (size_t)words + (size_t)w]) != 0) {
            return false;
        }
    }
    return true;
}

static void note(int *only, int other)
{
    *only = *only == NONE || *only == other ? other : SEVERAL;
}

static void note_edge(struct merger *merger, int from, int to)
{
    if (merger->problem->item_of[from] == NODE_IS_FREE) {
        return;
    }
    int a = find(merger, from);
    int b = find(merger, to);
    if (a != b) {
        note(&merger->only_after[a], b);
        note(&merger->only_before[b], a);
    }
}

static void find_neighbours(struct merger *merger)
{
    const struct graph *graph = merger->problem->base->graph;
    for (int n = 0; n < merger->nodes; n++) {
        merger->only_before[n] = NONE;
        merger->only_after[n] = NONE;
    }
    for (int n = 0; n < merger->nodes; n++) {
        const struct node *node = &graph->node[n];
        for (int u = 0; merger->problem->item_of[n] != NODE_IS_FREE && u < node->uses; u++) {
            note_edge(merger, node->use[u].node, n);
        }
        for (int a = 0; a < node->afters; a++) {
            note_edge(merger, node->after[a], n);
        }
    }
}

static void merge(struct merger *merger, int from, int into)
{
    int words = merger->problem->words;
    for (int w = 0; w < words; w++) {
        merger->units[(size_t)into * (size_t)words + (size_t)w] |=
            merger->units[(size_t)from * (size_t)words + (size_t)w];
    }
    merger->kept[into] = merger->kept[into] || merger->kept[from];
    merger->parent[from] = into;
}

/* The item that n should be one with; NONE. */
static int partner(struct merger *merger, int n)
{
    int before = merger->only_before[n];
    int after = merger->only_after[n];
    if (before >= 0 && !merger->kept[n] && is_subset(merger, n, before)) {
        return before;
    }
    if (before == NONE && after >= 0 && is_subset(merger, n, after)) {
        return after;
    }
    return NONE;
}

/* True when something was merged. Neighbours change by merging, so an item takes part once a round:
 * `only` of an item that was merged in this round is out of date. */
static bool merge_round(struct merger *merger, bool *touched)
{
    bool any = false;
    memset(touched, 0, sizeof(*touched) * (size_t)merger->nodes);
    find_neighbours(merger);
    for (int n = 0; n < merger->nodes; n++) {
        if (merger->problem->item_of[n] == NODE_IS_FREE || merger->parent[n] != n || touched[n]) {
            continue;
        }
        int other = partner(merger, n);
        if (other != NONE && !touched[other]) {
            merge(merger, n, other);
            touched[n] = true;
            touched[other] = true;
            any = true;
        }
    }
    return any;
}

/* Makes one item of the nodes that touch the global a or its payloads, and of those between them.
 */
static void tie_reduction(struct merger *merger, int a)
{
    const struct graph *graph = merger->problem->base->graph;
    bool *after = arena_alloc(merger->scratch, (size_t)merger->nodes * sizeof(*after));
    bool *before = arena_alloc(merger->scratch, (size_t)merger->nodes * sizeof(*before));
    int first = NONE;
    for (int n = 0; n < merger->nodes; n++) {
        const struct node *node = &graph->node[n];
        before[n] = node_touches_copy(graph->loop, node, a);
        after[n] = before[n];
        for (int u = 0; u < node->uses; u++) {
            after[n] = after[n] || after[node->use[u].node];
        }
        for (int i = 0; i < node->afters; i++) {
            after[n] = after[n] || after[node->after[i]];
        }
    }
    graph_cone(graph, before, true);
    for (int n = 0; n < merger->nodes; n++) {
        if (!before[n] || !after[n]) {
            continue;
        }
        first = first == NONE ? n : first;
        if (find(merger, n) != find(merger, first)) {
            merge(merger, find(merger, n), find(merger, first));
        }
    }
}

static void merge_all(struct merger *merger)
{
    const struct cost_graph *base = merger->problem->base;
    bool *touched = arena_alloc(merger->scratch, (size_t)merger->nodes * sizeof(*touched));
    for (int n = 0; n < merger->nodes; n++) {
        merger->parent[n] = n;
        for (int i = base->first_unit[n]; i < base->first_unit[n + 1]; i++) {
            int unit = base->unit_of[i];
            size_t word = (size_t)n * (size_t)merger->problem->words + (size_t)unit / 64;
            merger->units[word] |= (uint64_t)1 << (unit % 64);
        }
        for (int i = base->first_var[n]; i < base->first_var[n + 1]; i++) {
            merger->kept[n] = merger->kept[n] || base->var[base->var_of[i]].kept;
        }
    }
    for (int a = 0; a < base->graph->loop->args; a++) {
        if (arg_is_read_back(&base->graph->loop->arg[a]) &&
            arg_copied_with(base->graph->loop, a) == a) {
            tie_reduction(merger, a);
        }
    }
    /* A chain halves in each round. */
    for (int round = 0; round < 32 && merge_round(merger, touched); round++) {
    }
}

/* ---- items ----------------------------------------------------------------------------------- */

struct pair {
    int row;
    int value;
};

struct pairs {
    int count;
    struct pair *pair;
};

/* Each value once in its row: packed to the front. */
static void drop_repeats(struct arena *scratch, int rows, int values, struct rows *result)
{
    int *seen = arena_alloc(scratch, (size_t)values * sizeof(*seen));
    int kept = 0;
    int begin = 0;
    for (int r = 0; r < rows; r++) {
        int end = result->first[r + 1];
        for (int i = begin; i < end; i++) {
            if (seen[result->of[i]] != r + 1) {
                seen[result->of[i]] = r + 1;
                result->of[kept++] = result->of[i];
            }
        }
        begin = end;
        result->first[r + 1] = kept;
    }
}

/* Rows of the pairs, in the order of the pairs within each row; values are below `values`. */
static struct rows rows_new(struct arena *scratch, int rows, int values, const struct pairs *pairs)
{
    struct rows result = {arena_alloc(scratch, ((size_t)rows + 2) * sizeof(int)),
                          arena_alloc(scratch, (size_t)pairs->count * sizeof(int))};
    for (int p = 0; p < pairs->count; p++) {
        result.first[pairs->pair[p].row + 2]++;
    }
    for (int r = 2; r <= rows + 1; r++) {
        result.first[r] += result.first[r - 1];
    }
    for (int p = 0; p < pairs->count; p++) {
        result.of[result.first[pairs->pair[p].row + 1]++] = pairs->pair[p].value;
    }
    drop_repeats(scratch, rows, values, &result);
    return result;
}

/* Edges between items, as pairs (later, earlier), with item_of[] final. */
static struct pairs item_edges(struct problem *problem, bool swap)
{
    const struct graph *graph = problem->base->graph;
    size_t room = 0;
    for (int n = 0; n < graph->nodes; n++) {
        room += (size_t)graph->node[n].uses + (size_t)graph->node[n].afters;
    }
    struct pairs pairs = {0, arena_alloc(problem->scratch, room * sizeof(*pairs.pair))};
    for (int n = 0; n < graph->nodes; n++) {
        const struct node *node = &graph->node[n];
        for (int e = 0; e < node->uses + node->afters; e++) {
            int from = e < node->uses ? node->use[e].node : node->after[e - node->uses];
            int a = problem->item_of[from];
            int b = problem->item_of[n];
            if (a != NODE_IS_FREE && b != NODE_IS_FREE && a != b) {
                pairs.pair[pairs.count++] = swap ? (struct pair){a, b} : (struct pair){b, a};
            }
        }
    }
    return pairs;
}

/* Numbers items so that they can run in their order, and among those that can, by first node. The
 * numbers that item_of[] has are in order of first node; afterwards they are final. */
static void sort_items(struct problem *problem)
{
    size_t room = (size_t)problem->items;
    struct pairs in = item_edges(problem, false);
    struct pairs out = item_edges(problem, true);
    struct rows before = rows_new(problem->scratch, problem->items, problem->items, &in);
    struct rows after = rows_new(problem->scratch, problem->items, problem->items, &out);
    int *waits = arena_alloc(problem->scratch, room * sizeof(*waits));
    int *number = arena_alloc(problem->scratch, room * sizeof(*number));
    int *stack = arena_alloc(problem->scratch, room * sizeof(*stack));
    int depth = 0;
    for (int i = problem->items - 1; i >= 0; i--) {
        waits[i] = before.first[i + 1] - before.first[i];
        if (waits[i] == 0) {
            stack[depth++] = i;
        }
    }
    for (int next = 0; depth > 0; next++) {
        int i = stack[--depth];
        number[i] = next;
        for (int e = after.first[i]; e < after.first[i + 1]; e++) {
            if (--waits[after.of[e]] == 0) {
                stack[depth++] = after.of[e];
            }
        }
    }
    for (int n = 0; n < problem->base->graph->nodes; n++) {
        if (problem->item_of[n] != NODE_IS_FREE) {
            problem->item_of[n] = number[problem->item_of[n]];
        }
    }
    in = item_edges(problem, false);
    out = item_edges(problem, true);
    problem->before = rows_new(problem->scratch, problem->items, problem->items, &in);
    problem->after = rows_new(problem->scratch, problem->items, problem->items, &out);
}

static void number_items(struct merger *merger)
{
    struct problem *problem = merger->problem;
    int *number = arena_alloc(merger->scratch, (size_t)merger->nodes * sizeof(*number));
    memset(number, -1, (size_t)merger->nodes * sizeof(*number));
    for (int n = 0; n < merger->nodes; n++) {
        if (problem->item_of[n] != NODE_IS_FREE) {
            int root = find(merger, n);
            number[root] = number[root] < 0 ? problem->items++ : number[root];
            problem->item_of[n] = number[root];
        }
    }
}

static void set_units(struct problem *problem)
{
    const struct cost_graph *base = problem->base;
    problem->units = arena_alloc(problem->scratch, (size_t)problem->items * (size_t)problem->words *
                                                       sizeof(*problem->units));
    for (int n = 0; n < base->graph->nodes; n++) {
        for (int i = base->first_unit[n]; i < base->first_unit[n + 1]; i++) {
            size_t row = (size_t)problem->item_of[n] * (size_t)problem->words;
            int unit = base->unit_of[i];
            problem->units[row + (size_t)unit / 64] |= (uint64_t)1 << (unit % 64);
        }
    }
}

/* ---- variables ------------------------------------------------------------------------------- */

/* Not when one item alone makes it and reads it. */
static bool may_cross(const struct problem *problem, int v)
{
    const struct rows *makers = &problem->makers;
    const struct rows *readers = &problem->readers;
    int makes = makers->first[v + 1] - makers->first[v];
    int reads = readers->first[v + 1] - readers->first[v];
    if (makes == 0) {
        return false;
    }
    return problem->var_kept[v] || makes > 1 || reads > 1 ||
           (reads == 1 && makers->of[makers->first[v]] != readers->of[readers->first[v]]);
}

/* Variables that items make and other items, or the updates, read. */
static void set_vars(struct problem *problem)
{
    const struct cost_graph *base = problem->base;
    const struct graph *graph = base->graph;
    int nodes = graph->nodes;
    struct pairs makers = {
        0, arena_alloc(problem->scratch, (size_t)base->first_var[nodes] * sizeof(*makers.pair))};
    struct pairs readers = {
        0, arena_alloc(problem->scratch, (size_t)base->first_use[nodes] * sizeof(*readers.pair))};
    for (int n = 0; n < nodes; n++) {
        if (problem->item_of[n] == NODE_IS_FREE) {
            continue;
        }
        for (int i = base->first_var[n]; i < base->first_var[n + 1]; i++) {
            makers.pair[makers.count++] = (struct pair){base->var_of[i], problem->item_of[n]};
        }
        for (int i = base->first_use[n]; i < base->first_use[n + 1]; i++) {
            readers.pair[readers.count++] = (struct pair){base->use_var[i], problem->item_of[n]};
        }
    }
    problem->makers = rows_new(problem->scratch, base->vars, problem->items, &makers);
    problem->readers = rows_new(problem->scratch, base->vars, problem->items, &readers);
    problem->var_bytes = arena_alloc(problem->scratch, (size_t)base->vars * sizeof(int));
    problem->var_kept = arena_alloc(problem->scratch, (size_t)base->vars * sizeof(bool));
    problem->var = arena_alloc(problem->scratch, (size_t)base->vars * sizeof(int));
    for (int v = 0; v < base->vars; v++) {
        problem->var_bytes[v] = base->var[v].bytes;
        problem->var_kept[v] = base->var[v].kept;
        if (may_cross(problem, v)) {
            problem->var[problem->vars++] = v;
        }
    }
}

struct problem *problem_new(struct arena *scratch, const struct cost_graph *base)
{
    struct problem *problem = arena_alloc(scratch, sizeof(*problem));
    size_t nodes = (size_t)base->graph->nodes;
    problem->base = base;
    problem->scratch = scratch;
    problem->words = base->units / 64 + 1;
    problem->item_of = arena_alloc(scratch, nodes * sizeof(*problem->item_of));
    struct merger merger = {
        .problem = problem,
        .scratch = scratch,
        .nodes = base->graph->nodes,
        .parent = arena_alloc(scratch, nodes * sizeof(int)),
        .units = arena_alloc(scratch, nodes * (size_t)problem->words * sizeof(uint64_t)),
        .only_before = arena_alloc(scratch, nodes * sizeof(int)),
        .only_after = arena_alloc(scratch, nodes * sizeof(int)),
        .kept = arena_alloc(scratch, nodes * sizeof(bool))};
    find_free(problem, scratch);
    merge_all(&merger);
    number_items(&merger);
    sort_items(problem);
    set_units(problem);
    set_vars(problem);
    return problem;
}
