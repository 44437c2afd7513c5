/* partition_check.c: what follows from a partition, and whether it is one.
 *
 * In: a graph and a partition. Out: a stage's places, inputs and outputs; or the rule of
 * partition.h that is broken.
 */
#include <stdlib.h>
#include <string.h>

#include "pass/arena.h"
#include "splitter/graph/graph_impl.h"
#include "splitter/partition/partition_impl.h"

static bool repeats(const struct graph *graph, const struct partition *partition, int s, int n)
{
    return partition->again[(size_t)s * (size_t)graph->nodes + (size_t)n];
}

static bool computes(const struct graph *graph, const struct partition *partition, int s, int n)
{
    return partition->stage[n] == s || repeats(graph, partition, s, n);
}

/* ---- a stage --------------------------------------------------------------------------------- */

static int compare_places(const void *a, const void *b)
{
    return place_compare(a, b);
}

static void find_places(const struct graph *graph, const struct partition *partition, int s,
                        struct partition_stage *out)
{
    int room = 0;
    for (int n = 0; n < graph->nodes; n++) {
        room += computes(graph, partition, s, n) ? graph->node[n].places : 0;
    }
    struct place *all = arena_alloc(graph->arena, (size_t)room * sizeof(*all));
    int count = 0;
    for (int n = 0; n < graph->nodes; n++) {
        for (int p = 0; computes(graph, partition, s, n) && p < graph->node[n].places; p++) {
            all[count++] = graph->node[n].place[p];
        }
    }
    qsort(all, (size_t)count, sizeof(*all), compare_places);
    for (int p = 0; p < count; p++) {
        if (out->places == 0 || place_compare(&all[out->places - 1], &all[p]) != 0) {
            all[out->places++] = all[p];
        }
    }
    out->place = all;
}

/* A list of variables, each once. */
struct var_list {
    struct pointer_map seen;
    int count;
    int capacity;
    struct var **var;
};

static void var_list_add(struct arena *arena, struct var_list *list, struct var *var)
{
    if (pointer_map_get(&list->seen, var) < 0) {
        pointer_map_set(&list->seen, var, list->count);
        list->var =
            arena_grow(arena, list->var, list->count, &list->capacity, sizeof(struct var *));
        list->var[list->count++] = var;
    }
}

static void find_uses(const struct graph *graph, const struct partition *partition, int s,
                      struct partition_stage *out)
{
    struct var_list list = {.seen = pointer_map_new(graph->arena)};
    for (int n = 0; n < graph->nodes; n++) {
        for (int u = 0; computes(graph, partition, s, n) && u < graph->node[n].uses; u++) {
            const struct use *use = &graph->node[n].use[u];
            if (!computes(graph, partition, s, use->node)) {
                var_list_add(graph->arena, &list, use->var);
            }
        }
    }
    out->uses = list.count;
    out->use = list.var;
}

/* Marks the variables that a stage after s, or an update, reads as s or an earlier stage left them.
 */
static void mark_wanted(const struct graph *graph, const struct partition *partition, int s,
                        struct pointer_map *wanted)
{
    for (int later = s + 1; later < partition->stages; later++) {
        for (int n = 0; n < graph->nodes; n++) {
            for (int u = 0; computes(graph, partition, later, n) && u < graph->node[n].uses; u++) {
                const struct use *use = &graph->node[n].use[u];
                if (!computes(graph, partition, later, use->node)) {
                    pointer_map_set(wanted, use->var, 1);
                }
            }
        }
    }
    for (int c = 0; c < graph->contributions; c++) {
        const struct expr *value = graph->contribution[c].update.value;
        if (graph->contribution[c].node >= 0 && value != NULL && value->kind == EXPR_VAR) {
            pointer_map_set(wanted, value->var, 1);
        }
    }
}

static void find_makes(const struct graph *graph, const struct partition *partition, int s,
                       struct partition_stage *out)
{
    struct pointer_map wanted = pointer_map_new(graph->arena);
    struct var_list list = {.seen = pointer_map_new(graph->arena)};
    mark_wanted(graph, partition, s, &wanted);
    for (int n = 0; n < graph->nodes; n++) {
        const struct node *node = &graph->node[n];
        if (partition->stage[n] != s) {
            continue;
        }
        if (node->kind == NODE_VALUE && pointer_map_get(&wanted, node->var) >= 0) {
            var_list_add(graph->arena, &list, node->var);
        }
        for (int d = 0; d < node->defines; d++) {
            if (pointer_map_get(&wanted, node->define[d]) >= 0) {
                var_list_add(graph->arena, &list, node->define[d]);
            }
        }
    }
    out->makes = list.count;
    out->make = list.var;
}

/* Components of the stage's places that are staged, each once per group. */
static size_t staged_bytes(const struct graph *graph, const struct partition *partition, int s)
{
    struct arena *scratch = arena_new();
    struct cost_graph *base = cost_graph_new(scratch, graph);
    bool *staged = arena_alloc(scratch, (size_t)base->units * sizeof(*staged));
    size_t bytes = 0;
    for (int n = 0; n < graph->nodes; n++) {
        for (int i = base->first_unit[n]; i < base->first_unit[n + 1]; i++) {
            int unit = base->unit_of[i];
            if (computes(graph, partition, s, n) && !staged[unit]) {
                staged[unit] = true;
                bytes += base->unit[unit].bytes;
            }
        }
    }
    arena_free(scratch);
    return bytes;
}

void partition_stage(const struct graph *graph, const struct partition *partition, int s,
                     struct partition_stage *out)
{
    memset(out, 0, sizeof(*out));
    find_places(graph, partition, s, out);
    find_uses(graph, partition, s, out);
    find_makes(graph, partition, s, out);
    out->staged_bytes = staged_bytes(graph, partition, s);
}

/* ---- rules ----------------------------------------------------------------------------------- */

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

static const char *check_repeat(const struct cost_graph *base, const struct partition *partition,
                                int s, int n, const bool *staged)
{
    const struct graph *graph = base->graph;
    if (partition->stage[n] >= s) {
        return arena_format(graph->arena, "node %d of stage %d is computed again in stage %d", n,
                            partition->stage[n], s);
    }
    if (!node_may_repeat(base, n) || graph->node[n].flops > CHEAP_FLOPS) {
        return arena_format(graph->arena, "node %d may not be computed again in stage %d", n, s);
    }
    for (int i = base->first_unit[n]; i < base->first_unit[n + 1]; i++) {
        if (!staged[base->unit_of[i]]) {
            return arena_format(graph->arena,
                                "node %d, computed again in stage %d, reads what is not staged", n,
                                s);
        }
    }
    return NULL;
}

/* Marks the nodes whose values leave stage s: read by another stage that does not compute them, or
 * by updates. */
static void mark_leaving(const struct graph *graph, const struct partition *partition, int s,
                         bool *wanted)
{
    for (int other = s + 1; other < partition->stages; other++) {
        for (int n = 0; n < graph->nodes; n++) {
            for (int u = 0; computes(graph, partition, other, n) && u < graph->node[n].uses; u++) {
                int used = graph->node[n].use[u].node;
                wanted[used] = wanted[used] || !computes(graph, partition, other, used);
            }
        }
    }
    for (int c = 0; c < graph->contributions; c++) {
        if (graph->contribution[c].node >= 0) {
            wanted[graph->contribution[c].node] = true;
        }
    }
}

/* Nodes that a contribution or an effect needs: all of a graph that dead nodes were dropped from.
 */
static void mark_alive(const struct graph *graph, bool *alive)
{
    for (int n = 0; n < graph->nodes; n++) {
        alive[n] = graph->node[n].once;
    }
    for (int c = 0; c < graph->contributions; c++) {
        if (graph->contribution[c].node >= 0) {
            alive[graph->contribution[c].node] = true;
        }
    }
    graph_cone(graph, alive, false);
}

/* A stage computes what it reads itself, what leaves it, and effects; nothing else. */
static const char *check_needed(const struct graph *graph, const struct partition *partition, int s,
                                const bool *alive, bool *wanted)
{
    memset(wanted, 0, (size_t)graph->nodes * sizeof(*wanted));
    mark_leaving(graph, partition, s, wanted);
    for (int n = 0; n < graph->nodes; n++) {
        wanted[n] = wanted[n] && partition->stage[n] == s;
    }
    for (int n = graph->nodes - 1; n >= 0; n--) {
        const struct node *node = &graph->node[n];
        if (!computes(graph, partition, s, n)) {
            continue;
        }
        if (alive[n] && !wanted[n] && !node->once) {
            return arena_format(graph->arena, "nothing needs node %d in stage %d", n, s);
        }
        for (int u = 0; u < node->uses; u++) {
            wanted[node->use[u].node] = true;
        }
    }
    return NULL;
}

static bool any_staged(const struct cost_graph *base, const bool *staged)
{
    return memchr(staged, true, (size_t)base->units) != NULL;
}

static const char *check_stage(const struct cost_graph *base, const struct partition *partition,
                               int s, bool *staged)
{
    const struct graph *graph = base->graph;
    int nodes = 0;
    memset(staged, 0, (size_t)base->units * sizeof(*staged));
    for (int n = 0; n < graph->nodes; n++) {
        if (partition->stage[n] != s) {
            continue;
        }
        nodes++;
        for (int i = base->first_unit[n]; i < base->first_unit[n + 1]; i++) {
            staged[base->unit_of[i]] = true;
        }
    }
    if (nodes == 0 && partition->stages > 1) {
        return arena_format(graph->arena, "stage %d has no node", s);
    }
    if (partition->stages > 1 && !any_staged(base, staged)) {
        return arena_format(graph->arena, "stage %d stages nothing", s);
    }
    for (int n = 0; n < graph->nodes; n++) {
        const char *message =
            repeats(graph, partition, s, n) ? check_repeat(base, partition, s, n, staged) : NULL;
        if (message != NULL) {
            return message;
        }
    }
    return NULL;
}

/* Elements share a global's private copy: what touches it is in one stage. */
static const char *check_copies(const struct graph *graph, const struct partition *partition)
{
    for (int a = 0; a < graph->loop->args; a++) {
        int stage = -1;
        for (int n = 0; n < graph->nodes && arg_is_read_back(&graph->loop->arg[a]); n++) {
            if (!node_touches(&graph->node[n], a)) {
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
    const char *copies = check_copies(graph, partition);
    if (copies != NULL) {
        return copies;
    }
    struct arena *scratch = arena_new();
    struct cost_graph *base = cost_graph_new(scratch, graph);
    bool *staged = arena_alloc(scratch, (size_t)base->units * sizeof(*staged));
    const char *message = NULL;
    for (int s = 0; s < partition->stages && message == NULL; s++) {
        message = check_stage(base, partition, s, staged);
    }
    bool *wanted = arena_alloc(scratch, (size_t)graph->nodes * sizeof(*wanted));
    bool *alive = arena_alloc(scratch, (size_t)graph->nodes * sizeof(*alive));
    mark_alive(graph, alive);
    for (int s = 0; s < partition->stages && message == NULL; s++) {
        message = check_needed(graph, partition, s, alive, wanted);
    }
    arena_free(scratch);
    return message;
}
