/* cost_graph.c: the staged data, kept values and flops of a graph's nodes, and their sums for a
 * partition.
 *
 * In: a graph. Out: struct cost_graph, made once, and struct cost_sums for any partition: a
 * component that two stages read is staged twice; a value is live from the stage that makes it to
 * the last that reads it; values of tmp(e) until the updates.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "splitter/graph/graph_impl.h"
#include "splitter/partition/cost_impl.h"
#include "splitter/partition/needs.h"

/* ---- units ----------------------------------------------------------------------------------- */

/* First argument of the place's group. */
static int group_of(const struct loop *loop, int arg)
{
    int first = 0;
    while (!args_share_group(loop, first, arg)) {
        first++;
    }
    return first;
}

struct unit_table {
    struct cost_graph *base;
    struct arena *scratch;
    int **number; /* [arg][component]: unit + 1; 0: none yet; only of first arguments */
};

static int unit_number(struct unit_table *table, int arg, int component)
{
    const struct loop *loop = table->base->graph->loop;
    int first = group_of(loop, arg);
    const struct arg *group = &loop->arg[first];
    if (table->number[first] == NULL) {
        table->number[first] =
            arena_alloc(table->scratch,
                        ((size_t)(group->dim > 0 ? group->dim : 0) + 1) * sizeof(**table->number));
    }
    int *number = &table->number[first][component];
    if (*number == 0) {
        int columns = cost_columns(loop, group->map);
        double bytes = (double)group->type->size;
        table->base->unit[table->base->units++] =
            (struct cost_unit){.arg = first,
                               .component = component,
                               .bytes = group->type->size,
                               .shared = bytes * COST_BLOCK * cost_points_largest(columns),
                               .loaded = bytes * cost_points(columns),
                               .fast = bytes * (cost_points(columns) + columns)};
        *number = table->base->units;
    }
    return *number - 1;
}

static int components_of(const struct loop *loop, const struct place *place)
{
    int dim = loop->arg[place->arg].dim;
    return place->component >= 0 ? 1 : dim > 0 ? dim : 1;
}

static int compare_ints(const void *a, const void *b)
{
    int x = *(const int *)a;
    int y = *(const int *)b;
    return (x > y) - (x < y);
}

/* Sorted, each once; returns how many are left. */
static int unique_ints(int *list, int count)
{
    int kept = 0;
    qsort(list, (size_t)count, sizeof(*list), compare_ints);
    for (int i = 0; i < count; i++) {
        if (kept == 0 || list[i] != list[kept - 1]) {
            list[kept++] = list[i];
        }
    }
    return kept;
}

static int node_units(struct unit_table *table, const struct node *node, int *list)
{
    const struct loop *loop = table->base->graph->loop;
    int count = 0;
    for (int p = 0; p < node->places; p++) {
        const struct place *place = &node->place[p];
        if (!place_is_staged(loop, place)) {
            continue;
        }
        int components = components_of(loop, place);
        for (int c = 0; c < components; c++) {
            int component = place->component >= 0 ? place->component : c;
            list[count++] = unit_number(table, place->arg, component);
        }
    }
    return unique_ints(list, count);
}

static void find_units(struct arena *scratch, struct cost_graph *base)
{
    const struct graph *graph = base->graph;
    const struct loop *loop = graph->loop;
    size_t room = 0;
    size_t all = 1;
    for (int a = 0; a < loop->args; a++) {
        all += loop->arg[a].dim > 0 ? (size_t)loop->arg[a].dim : 1;
    }
    for (int n = 0; n < graph->nodes; n++) {
        for (int p = 0; p < graph->node[n].places; p++) {
            room += (size_t)components_of(loop, &graph->node[n].place[p]);
        }
    }
    base->unit = arena_alloc(scratch, all * sizeof(*base->unit));
    base->unit_of = arena_alloc(scratch, room * sizeof(*base->unit_of));
    base->first_unit = arena_alloc(scratch, ((size_t)graph->nodes + 1) * sizeof(*base->first_unit));
    struct unit_table table = {base, scratch,
                               arena_alloc(scratch, (size_t)loop->args * sizeof(*table.number))};
    for (int n = 0; n < graph->nodes; n++) {
        int first = base->first_unit[n];
        base->first_unit[n + 1] =
            first + node_units(&table, &graph->node[n], base->unit_of + first);
    }
}

/* ---- variables ------------------------------------------------------------------------------- */

static int var_number(struct cost_graph *base, struct pointer_map *map, struct var *var)
{
    int number = pointer_map_get(map, var);
    if (number < 0) {
        number = base->vars++;
        base->var[number] = (struct cost_var){.var = var, .bytes = (int)var->type->size};
        pointer_map_set(map, var, number);
    }
    return number;
}

static void find_node_vars(struct cost_graph *base, struct pointer_map *map, int n)
{
    const struct node *node = &base->graph->node[n];
    int count = base->first_var[n];
    if (node->kind == NODE_VALUE) {
        base->var_of[count++] = var_number(base, map, node->var);
    }
    for (int d = 0; d < node->defines; d++) {
        int number = var_number(base, map, node->define[d]);
        if (count == base->first_var[n] || base->var_of[count - 1] != number) {
            base->var_of[count++] = number;
        }
    }
    base->first_var[n + 1] = count;
    for (int u = 0; u < node->uses; u++) {
        base->use_var[base->first_use[n] + u] = var_number(base, map, node->use[u].var);
    }
    base->first_use[n + 1] = base->first_use[n] + node->uses;
}

static void mark_kept(struct cost_graph *base, struct pointer_map *map)
{
    const struct graph *graph = base->graph;
    for (int c = 0; c < graph->contributions; c++) {
        struct var *var = update_var(&graph->contribution[c].update);
        if (var != NULL) {
            base->var[var_number(base, map, var)].kept = true;
        }
    }
}

static void find_vars(struct arena *scratch, struct cost_graph *base)
{
    const struct graph *graph = base->graph;
    size_t uses = 0;
    size_t defines = 0;
    for (int n = 0; n < graph->nodes; n++) {
        uses += (size_t)graph->node[n].uses;
        defines += (size_t)graph->node[n].defines + 1;
    }
    size_t nodes = (size_t)graph->nodes + 1;
    size_t vars = defines + uses + (size_t)graph->contributions;
    base->var = arena_alloc(scratch, vars * sizeof(*base->var));
    base->first_var = arena_alloc(scratch, nodes * sizeof(*base->first_var));
    base->var_of = arena_alloc(scratch, defines * sizeof(*base->var_of));
    base->first_use = arena_alloc(scratch, nodes * sizeof(*base->first_use));
    base->use_var = arena_alloc(scratch, uses * sizeof(*base->use_var));
    struct pointer_map map = pointer_map_new(scratch);
    for (int n = 0; n < graph->nodes; n++) {
        find_node_vars(base, &map, n);
    }
    mark_kept(base, &map);
}

/* ---- updates --------------------------------------------------------------------------------- */

/* Map column that a place of an argument through a map reaches. */
static int column_of(const struct loop *loop, const struct place *place)
{
    const struct arg *arg = &loop->arg[place->arg];
    return arg->is_vector ? place->column : arg->map_index;
}

static bool same_target(const struct loop *loop, const struct place *a, const struct place *b)
{
    return loop->arg[a->arg].map == loop->arg[b->arg].map &&
           column_of(loop, a) == column_of(loop, b);
}

/* The update stage of the column that contribution `c` is the first of. */
static void add_update_stage(struct cost_graph *base, int c)
{
    const struct graph *graph = base->graph;
    const struct loop *loop = graph->loop;
    const struct place *first = &graph->contribution[c].update.place;
    int columns = cost_columns(loop, loop->arg[first->arg].map);
    double record = 0;
    int added = 0;
    for (int d = c; d < graph->contributions; d++) {
        const struct place *place = &graph->contribution[d].update.place;
        bool here = same_target(loop, first, place);
        added += here;
        record += here ? (double)place_bytes(loop, place) : 0;
    }
    base->update_trips += cost_turns_trips(added);
    base->update_shared =
        fmax(base->update_shared, record * COST_BLOCK * cost_points_largest(columns));
    base->update_loaded += record * cost_points(columns);
    base->update_fast += record * (2 * cost_points(columns) + columns);
}

static void find_updates(struct cost_graph *base)
{
    const struct graph *graph = base->graph;
    for (int c = 0; c < graph->contributions; c++) {
        bool is_first = true;
        for (int d = 0; d < c && is_first; d++) {
            is_first = !same_target(graph->loop, &graph->contribution[c].update.place,
                                    &graph->contribution[d].update.place);
        }
        if (is_first) {
            add_update_stage(base, c);
        }
    }
}

struct cost_graph *cost_graph_new(struct arena *scratch, const struct graph *graph)
{
    struct cost_graph *base = arena_alloc(scratch, sizeof(*base));
    base->graph = graph;
    find_units(scratch, base);
    find_vars(scratch, base);
    find_updates(base);
    base->memory = cost_memory(graph->loop);
    base->flops = graph->contributions;
    for (int n = 0; n < graph->nodes; n++) {
        base->flops += graph->node[n].flops;
    }
    return base;
}

/* ---- a partition's sums ---------------------------------------------------------------------- */

struct cost_sums cost_start(const struct cost_graph *base, int stages)
{
    return (struct cost_sums){.trips =
                                  1 + stages + cost_body_trips(base->flops) + base->update_trips,
                              .shared = base->update_shared,
                              .memory = base->memory,
                              .loaded = base->update_loaded,
                              .fast = base->update_fast,
                              .flops = base->flops};
}

int cost_mark_staged(const struct cost_graph *base, const struct partition *partition, int s,
                     bool *staged)
{
    int units = 0;
    memset(staged, 0, sizeof(*staged) * (size_t)base->units);
    for (int n = 0; n < base->graph->nodes; n++) {
        bool home = partition->stage[n] == s;
        for (int i = base->first_unit[n]; home && i < base->first_unit[n + 1]; i++) {
            units += !staged[base->unit_of[i]];
            staged[base->unit_of[i]] = true;
        }
    }
    return units;
}

bool cost_is_staged(const struct cost_graph *base, int n, const bool *staged)
{
    for (int i = base->first_unit[n]; i < base->first_unit[n + 1]; i++) {
        if (!staged[base->unit_of[i]]) {
            return false;
        }
    }
    return true;
}

size_t cost_staged_bytes(const struct cost_graph *base, const struct partition *partition, int s)
{
    struct arena *scratch = arena_new();
    bool *staged = arena_alloc(scratch, (size_t)base->units * sizeof(*staged));
    size_t bytes = 0;
    cost_mark_staged(base, partition, s, staged);
    for (int u = 0; u < base->units; u++) {
        bytes += staged[u] ? base->unit[u].bytes : 0;
    }
    arena_free(scratch);
    return bytes;
}

static double sum_stage(const struct cost_graph *base, const struct partition *partition, int s,
                        bool *staged, struct cost_sums *sums)
{
    double shared = 0;
    double recomputed = 0;
    memset(staged, 0, sizeof(*staged) * (size_t)base->units);
    for (int n = 0; n < base->graph->nodes; n++) {
        if (!partition_computes(base->graph, partition, s, n)) {
            continue;
        }
        recomputed += partition->stage[n] == s ? 0 : base->graph->node[n].flops;
        for (int i = base->first_unit[n]; i < base->first_unit[n + 1]; i++) {
            const struct cost_unit *unit = &base->unit[base->unit_of[i]];
            if (!staged[base->unit_of[i]]) {
                staged[base->unit_of[i]] = true;
                shared += unit->shared;
                sums->loaded += unit->loaded;
                sums->fast += unit->fast;
            }
        }
    }
    sums->shared = fmax(sums->shared, shared);
    sums->flops += recomputed;
    return recomputed;
}

/* For each variable the first stage that makes it and the last that it is brought to; kept ones
 * live until after the last stage. */
static void find_lives(const struct cost_graph *base, const struct partition *partition,
                       const struct needs *needs, int *first, int *last)
{
    const struct graph *graph = base->graph;
    for (int v = 0; v < base->vars; v++) {
        first[v] = partition->stages;
        last[v] = base->var[v].kept ? partition->stages : -1;
    }
    for (int n = 0; n < graph->nodes; n++) {
        int stage = partition->stage[n];
        for (int i = base->first_var[n]; i < base->first_var[n + 1]; i++) {
            int v = base->var_of[i];
            first[v] = stage < first[v] ? stage : first[v];
        }
        for (int s = stage; s < partition->stages; s++) {
            for (int u = 0; needs_computed(needs, s, n) && u < graph->node[n].uses; u++) {
                int v = base->use_var[base->first_use[n] + u];
                bool brought = needs_brought(needs, s, graph->node[n].use[u].node);
                last[v] = brought && s > last[v] ? s : last[v];
            }
        }
    }
}

static int largest_live(const struct cost_graph *base, int stages, const int *first,
                        const int *last)
{
    int largest = 0;
    for (int s = 0; s <= stages; s++) {
        int live = 0;
        for (int v = 0; v < base->vars; v++) {
            bool crosses = first[v] < last[v] && first[v] <= s && s <= last[v];
            live += crosses ? base->var[v].bytes : 0;
        }
        largest = live > largest ? live : largest;
    }
    return largest;
}

struct cost_sums cost_sum(const struct cost_graph *base, const struct partition *partition,
                          double *recomputed_flops)
{
    struct cost_sums sums = cost_start(base, partition->stages);
    struct arena *scratch = arena_new();
    bool *staged = arena_alloc(scratch, (size_t)base->units * sizeof(*staged));
    int *first = arena_alloc(scratch, (size_t)base->vars * sizeof(*first));
    int *last = arena_alloc(scratch, (size_t)base->vars * sizeof(*last));
    double recomputed = 0;
    for (int s = 0; s < partition->stages; s++) {
        recomputed += sum_stage(base, partition, s, staged, &sums);
    }
    struct needs needs = needs_of_partition(scratch, base->graph, partition);
    find_lives(base, partition, &needs, first, last);
    sums.live_bytes = largest_live(base, partition->stages, first, last);
    arena_free(scratch);
    if (recomputed_flops != NULL) {
        *recomputed_flops = recomputed;
    }
    return sums;
}

double cost_partition(const struct graph *graph, const struct partition *partition)
{
    struct arena *scratch = arena_new();
    struct cost_graph *base = cost_graph_new(scratch, graph);
    struct cost_sums sums = cost_sum(base, partition, NULL);
    arena_free(scratch);
    return cost_time(&sums, NULL);
}
