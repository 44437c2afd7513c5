/* crossings.c: which variables live across stages.
 *
 * In: the nodes of each stage. Out: the variables that one stage sets and another, or an update,
 * reads. They are tmp(e) and what one contribution stage leaves for the next; conditions of guards
 * cross like any other value.
 */
#include "pass/arena.h"
#include "splitter/schedule/crossings.h"
#include "splitter/graph/graph_impl.h"

/* A list of variables, each once. */
struct var_list {
    struct arena *arena;
    int vars;
    int capacity;
    struct var **var;
    struct pointer_map seen;
};

static struct var_list list_new(struct arena *arena)
{
    return (struct var_list){.arena = arena, .seen = pointer_map_new(arena)};
}

static bool list_has(const struct var_list *list, const struct var *var)
{
    return pointer_map_get(&list->seen, var) >= 0;
}

static void list_add(struct var_list *list, struct var *var)
{
    if (!list_has(list, var)) {
        list->var =
            arena_grow(list->arena, list->var, list->vars, &list->capacity, sizeof(struct var *));
        pointer_map_set(&list->seen, var, list->vars);
        list->var[list->vars++] = var;
    }
}

/* ---- one stage ------------------------------------------------------------------------------- */

/* The variable that an update takes its value from; NULL: a constant or a place. */
static struct var *update_var(const struct update *update)
{
    const struct expr *value = update->value;
    bool is_local =
        value != NULL && value->kind == EXPR_VAR && value->var->storage == STORAGE_LOCAL;
    return is_local ? value->var : NULL;
}

static void list_updates(struct var_list *list, const struct stage *stage)
{
    for (int u = 0; u < stage->updates; u++) {
        struct var *var = update_var(&stage->update[u]);
        if (var != NULL) {
            list_add(list, var);
        }
    }
}

/* Variables that the nodes of a stage read and no node of it sets. */
static void list_foreign(struct var_list *list, const struct graph *graph, const bool *in)
{
    for (int n = 0; n < graph->nodes; n++) {
        const struct node *node = &graph->node[n];
        for (int u = 0; in[n] && u < node->uses; u++) {
            if (!in[node->use[u].node]) {
                list_add(list, node->use[u].var);
            }
        }
    }
}

/* Of `wanted`, those that nodes of a stage set (in NULL: any node), in the order of the nodes. */
static void list_set(struct var_list *list, const struct graph *graph, const bool *in,
                     const struct var_list *wanted)
{
    for (int n = 0; n < graph->nodes; n++) {
        const struct node *node = &graph->node[n];
        for (int d = 0; (in == NULL || in[n]) && d < node->defines; d++) {
            if (list_has(wanted, node->define[d])) {
                list_add(list, node->define[d]);
            }
        }
    }
}

static void find_in_stage(const struct build *build, struct stage *stage, const bool *in,
                          const struct var_list *crossing)
{
    struct var_list made = list_new(build->arena);
    struct var_list used = list_new(build->arena);
    struct var_list updated = list_new(build->arena);
    if (in != NULL) {
        list_set(&made, build->graph, in, crossing);
        list_foreign(&used, build->graph, in);
    }
    list_updates(&updated, stage);
    for (int v = 0; v < updated.vars; v++) {
        if (!list_has(&made, updated.var[v])) {
            list_add(&used, updated.var[v]);
        }
    }
    stage->makes = made.vars;
    stage->make = made.var;
    stage->uses = used.vars;
    stage->use = used.var;
}

/* ---- a schedule ------------------------------------------------------------------------------ */

static size_t list_bytes(const struct var_list *list)
{
    size_t bytes = 0;
    for (int v = 0; v < list->vars; v++) {
        bytes += list->var[v]->type->size;
    }
    return bytes;
}

/* A kernel called whole: tmp(e) is everything that it may increment. */
static void find_whole(const struct build *build, struct schedule *schedule)
{
    schedule->tmp_values = build->updates;
    for (int u = 0; u < build->updates; u++) {
        schedule->tmp_bytes += build->loop->arg[build->update[u].place.arg].type->size;
    }
    schedule->crossing_bytes = schedule->tmp_bytes;
}

void crossings_find(const struct build *build, struct schedule *schedule, bool *const *in)
{
    if (build->graph == NULL) {
        find_whole(build, schedule);
        return;
    }
    struct var_list wanted = list_new(build->arena);
    struct var_list crossing = list_new(build->arena);
    for (int s = 0; s < schedule->stages; s++) {
        list_updates(&wanted, &schedule->stage[s]);
    }
    schedule->tmp_values = wanted.vars;
    schedule->tmp_bytes = list_bytes(&wanted);
    for (int s = 0; s < schedule->stages; s++) {
        if (in[s] != NULL) {
            list_foreign(&wanted, build->graph, in[s]);
        }
    }
    list_set(&crossing, build->graph, NULL, &wanted);
    schedule->crossings = crossing.vars;
    schedule->crossing = crossing.var;
    schedule->crossing_bytes = list_bytes(&crossing);
    for (int s = 0; s < schedule->stages; s++) {
        find_in_stage(build, &schedule->stage[s], in[s], &crossing);
    }
}

/* ---- what is computed again ------------------------------------------------------------------ */

static bool is_in(const struct graph *graph, const struct partition *partition, int s, int n)
{
    return partition->stage[n] == s || partition->again[s * graph->nodes + n];
}

/* Variables that some stage reads and does not compute, and those that updates read. */
static void list_crossing(struct var_list *list, const struct graph *graph,
                          const struct partition *partition)
{
    bool *in = arena_alloc(graph->arena, (size_t)graph->nodes * sizeof(*in));
    for (int s = 0; s < partition->stages; s++) {
        for (int n = 0; n < graph->nodes; n++) {
            in[n] = is_in(graph, partition, s, n);
        }
        list_foreign(list, graph, in);
    }
    for (int c = 0; c < graph->contributions; c++) {
        struct var *var = update_var(&graph->contribution[c].update);
        if (var != NULL) {
            list_add(list, var);
        }
    }
}

/* Whether a node of the stage reads what node n of the stage sets. */
static bool is_needed(const struct graph *graph, const struct partition *partition, int s, int n)
{
    for (int m = n + 1; m < graph->nodes; m++) {
        const struct node *node = &graph->node[m];
        for (int u = 0; is_in(graph, partition, s, m) && u < node->uses; u++) {
            if (node->use[u].node == n) {
                return true;
            }
        }
    }
    return false;
}

static bool defines_any(const struct node *node, const struct var_list *list)
{
    for (int d = 0; d < node->defines; d++) {
        if (list_has(list, node->define[d])) {
            return true;
        }
    }
    return false;
}

static bool settle_once(const struct graph *graph, struct partition *partition)
{
    struct var_list crossing = list_new(graph->arena);
    bool changed = false;
    list_crossing(&crossing, graph, partition);
    for (int s = 0; s < partition->stages; s++) {
        for (int n = graph->nodes - 1; n >= 0; n--) {
            bool *again = &partition->again[s * graph->nodes + n];
            if (*again &&
                (defines_any(&graph->node[n], &crossing) || !is_needed(graph, partition, s, n))) {
                *again = false;
                changed = true;
            }
        }
    }
    return changed;
}

/* A node that only later stages need, which compute it again, would be computed at home for
 * nothing: its value crosses instead. */
static bool cross_once(const struct graph *graph, struct partition *partition)
{
    struct var_list crossing = list_new(graph->arena);
    bool changed = false;
    list_crossing(&crossing, graph, partition);
    for (int n = 0; n < graph->nodes; n++) {
        int home = partition->stage[n];
        bool idle = !graph->node[n].once && !defines_any(&graph->node[n], &crossing) &&
                    !is_needed(graph, partition, home, n);
        for (int s = home + 1; idle && s < partition->stages; s++) {
            bool *again = &partition->again[s * graph->nodes + n];
            changed = changed || *again;
            *again = false;
        }
    }
    return changed;
}

/* Ends, because nothing is computed again that was not before. */
void crossings_settle(const struct graph *graph, struct partition *partition)
{
    while (settle_once(graph, partition) || cross_once(graph, partition)) {
    }
}
