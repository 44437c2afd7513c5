/* graph_walk.c: helpers for graphs and places: cones, order, bytes, a map from addresses, lists of
 * variables.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "splitter/graph/graph_impl.h"

/* ---- cones ------------------------------------------------------------------------------- */

/* Nodes only need nodes before them, so that one sweep from the last to the first is enough. */
void graph_cone(const struct graph *graph, bool *needed, bool order)
{
    for (int n = graph->nodes - 1; n >= 0; n--) {
        const struct node *node = &graph->node[n];
        if (!needed[n]) {
            continue;
        }
        for (int u = 0; u < node->uses; u++) {
            needed[node->use[u].node] = true;
        }
        for (int a = 0; order && a < node->afters; a++) {
            needed[node->after[a]] = true;
        }
    }
}

void graph_mark_taken(const struct graph *graph, bool *marked)
{
    for (int c = 0; c < graph->contributions; c++) {
        if (graph->contribution[c].node >= 0) {
            marked[graph->contribution[c].node] = true;
        }
    }
}

void graph_mark_alive(const struct graph *graph, bool *marked)
{
    graph_mark_taken(graph, marked);
    for (int n = 0; n < graph->nodes; n++) {
        marked[n] = marked[n] || graph->node[n].once;
    }
    graph_cone(graph, marked, false);
}

struct var *update_var(const struct update *update)
{
    const struct expr *value = update->value;
    bool is_local =
        value != NULL && value->kind == EXPR_VAR && value->var->storage == STORAGE_LOCAL;
    return is_local ? value->var : NULL;
}

/* ---- places ------------------------------------------------------------------------------ */

bool node_touches(const struct node *node, int arg)
{
    for (int p = 0; p < node->places; p++) {
        if (node->place[p].arg == arg) {
            return true;
        }
    }
    return false;
}

bool arg_is_read_back(const struct arg *arg)
{
    return (arg->kind == ARG_GLOBAL && (arg->access == ACCESS_MIN || arg->access == ACCESS_MAX)) ||
           arg->kind == ARG_INFO;
}

int arg_copied_with(const struct loop *loop, int arg)
{
    return loop->arg[arg].kind == ARG_INFO ? loop->arg[arg].info_of : arg;
}

bool node_touches_copy(const struct loop *loop, const struct node *node, int arg)
{
    for (int p = 0; p < node->places; p++) {
        if (arg_copied_with(loop, node->place[p].arg) == arg) {
            return true;
        }
    }
    return false;
}

int place_compare(const struct place *a, const struct place *b)
{
    if (a->arg != b->arg) {
        return a->arg < b->arg ? -1 : 1;
    }
    if (a->column != b->column) {
        return a->column < b->column ? -1 : 1;
    }
    if (a->component != b->component) {
        return a->component < b->component ? -1 : 1;
    }
    return 0;
}

static int compare_uses(const void *left, const void *right)
{
    const struct use *a = left;
    const struct use *b = right;
    return a->node != b->node ? (a->node > b->node) - (a->node < b->node)
                              : strcmp(a->var->name, b->var->name);
}

static int compare_places(const void *left, const void *right)
{
    return place_compare(left, right);
}

static int compare_ints(const void *left, const void *right)
{
    int a = *(const int *)left;
    int b = *(const int *)right;
    return (a > b) - (a < b);
}

static void sort(void *list, int count, size_t size, int (*compare)(const void *, const void *))
{
    if (count > 1) {
        qsort(list, (size_t)count, size, compare);
    }
}

void node_sort(struct node *node)
{
    sort(node->use, node->uses, sizeof(*node->use), compare_uses);
    sort(node->place, node->places, sizeof(*node->place), compare_places);
    sort(node->after, node->afters, sizeof(*node->after), compare_ints);
}

size_t place_bytes(const struct loop *loop, const struct place *place)
{
    return loop->arg[place->arg].type->size;
}

bool place_is_staged(const struct loop *loop, const struct place *place)
{
    const struct arg *arg = &loop->arg[place->arg];
    return arg->kind == ARG_DAT && arg->is_indirect && arg->access == ACCESS_READ;
}

bool arg_is_constant(const struct loop *loop, int arg)
{
    const struct arg *own = &loop->arg[arg];
    for (int a = 0; a < loop->args; a++) {
        const struct arg *other = &loop->arg[a];
        if (other->is_point && !own->is_point) {
            continue; /* epilogues write to a second buffer: struct loop */
        }
        bool same_data = a == arg || (own->kind == ARG_DAT && other->kind == ARG_DAT &&
                                      own->dat >= 0 && own->dat == other->dat);
        if (same_data && other->kind != ARG_INDEX && other->access != ACCESS_READ) {
            return false;
        }
    }
    return true;
}

static char *subscript(struct arena *arena, int number)
{
    return number < 0 ? arena_text(arena, "[*]") : arena_format(arena, "[%d]", number);
}

char *place_text(struct arena *arena, const struct loop *loop, const struct place *place)
{
    const struct arg *arg = &loop->arg[place->arg];
    return arena_format(arena, "%s%s%s", loop->kernel->param[place->arg]->name,
                        arg->is_vector ? subscript(arena, place->column) : "",
                        subscript(arena, place->component));
}

/* ---- a map from addresses ----------------------------------------------------------------------
 */

struct pointer_map pointer_map_new(struct arena *arena)
{
    return (struct pointer_map){.arena = arena};
}

/* Returns the slot of the key, or the free slot for it. */
static int slot_of(const struct pointer_map *map, const void *key)
{
    uint64_t hash = (uint64_t)(uintptr_t)key * 0x9e3779b97f4a7c15u;
    int slot = (int)(hash >> 33) & (map->capacity - 1);
    while (map->key[slot] != NULL && map->key[slot] != key) {
        slot = (slot + 1) & (map->capacity - 1);
    }
    return slot;
}

static void grow(struct pointer_map *map)
{
    struct pointer_map old = *map;
    map->capacity = old.capacity == 0 ? 64 : 2 * old.capacity;
    map->key = arena_alloc(map->arena, sizeof(*map->key) * (size_t)map->capacity);
    map->value = arena_alloc(map->arena, sizeof(*map->value) * (size_t)map->capacity);
    for (int i = 0; i < old.capacity; i++) {
        if (old.key[i] != NULL) {
            int slot = slot_of(map, old.key[i]);
            map->key[slot] = old.key[i];
            map->value[slot] = old.value[i];
        }
    }
}

void pointer_map_set(struct pointer_map *map, const void *key, int value)
{
    if (2 * map->count >= map->capacity) {
        grow(map);
    }
    int slot = slot_of(map, key);
    map->count += map->key[slot] == NULL;
    map->key[slot] = key;
    map->value[slot] = value;
}

int pointer_map_get(const struct pointer_map *map, const void *key)
{
    if (map->capacity == 0) {
        return -1;
    }
    int slot = slot_of(map, key);
    return map->key[slot] == NULL ? -1 : map->value[slot];
}

struct pointer_map graph_value_nodes(const struct graph *graph)
{
    struct pointer_map map = pointer_map_new(graph->arena);
    for (int n = 0; n < graph->nodes; n++) {
        if (graph->node[n].kind == NODE_VALUE) {
            pointer_map_set(&map, graph->node[n].var, n);
        }
    }
    return map;
}

/* ---- which data a set of nodes reads ----------------------------------------------------- */

/* The first argument that names the same dat. */
int first_of_dat(const struct loop *loop, int arg)
{
    for (int a = 0; a < arg; a++) {
        if (loop->arg[a].kind == ARG_DAT && loop->arg[arg].kind == ARG_DAT &&
            loop->arg[a].dat >= 0 && loop->arg[a].dat == loop->arg[arg].dat) {
            return a;
        }
    }
    return arg;
}

bool *graph_reads(const struct graph *graph)
{
    int args = graph->loop->args;
    bool *read = arena_alloc(graph->arena, (size_t)graph->nodes * (size_t)args);
    for (int n = 0; n < graph->nodes; n++) {
        const struct node *node = &graph->node[n];
        bool *own = &read[(size_t)n * (size_t)args];
        for (int p = 0; p < node->places; p++) {
            own[first_of_dat(graph->loop, node->place[p].arg)] = true;
        }
        for (int u = 0; u < node->uses; u++) {
            const bool *used = &read[(size_t)node->use[u].node * (size_t)args];
            for (int a = 0; a < args; a++) {
                own[a] = own[a] || used[a];
            }
        }
    }
    return read;
}

char *reads_text(struct arena *arena, const struct loop *loop, const bool *reads)
{
    char *text = NULL;
    for (int a = 0; a < loop->args; a++) {
        if (reads[a]) {
            const char *name = loop->arg[a].dat_text != NULL ? loop->arg[a].dat_text
                                                             : loop->kernel->param[a]->name;
            text =
                text == NULL ? arena_text(arena, name) : arena_format(arena, "%s, %s", text, name);
        }
    }
    return text != NULL ? text : arena_text(arena, "nothing");
}

/* ---- lists of variables -------------------------------------------------------------------- */

struct var_list var_list_new(struct arena *arena)
{
    return (struct var_list){.seen = pointer_map_new(arena)};
}

bool var_list_has(const struct var_list *list, const struct var *var)
{
    return pointer_map_get(&list->seen, var) >= 0;
}

void var_list_add(struct var_list *list, struct var *var)
{
    if (!var_list_has(list, var)) {
        list->var = arena_grow(list->seen.arena, list->var, list->vars, &list->capacity,
                               sizeof(struct var *));
        pointer_map_set(&list->seen, var, list->vars);
        list->var[list->vars++] = var;
    }
}

size_t var_list_bytes(const struct var_list *list)
{
    size_t bytes = 0;
    for (int v = 0; v < list->vars; v++) {
        bytes += list->var[v]->type->size;
    }
    return bytes;
}

struct var_list graph_vars_taken(const struct graph *graph, struct arena *arena)
{
    struct var_list list = var_list_new(arena);
    for (int c = 0; c < graph->contributions; c++) {
        struct var *var = update_var(&graph->contribution[c].update);
        if (var != NULL) {
            var_list_add(&list, var);
        }
    }
    return list;
}
