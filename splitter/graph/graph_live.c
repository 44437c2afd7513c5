/* graph_live.c: how many bytes a body keeps in registers at a time, for estimates. */
#include "splitter/graph/graph_impl.h"

/* Bytes that become live before a node, less those that nobody needs behind the one before it. */
struct lives {
    const struct graph *graph;
    struct arena *arena;
    long *change; /* [nodes + 2] */
};

static void add_life(const struct lives *lives, int first, int last, size_t bytes)
{
    lives->change[first] += (long)bytes;
    lives->change[last + 1] -= (long)bytes;
}

static size_t var_bytes(const struct var *var)
{
    return var->type->kind == TYPE_ARRAY || var->type->kind == TYPE_RECORD ? 0 : var->type->size;
}

/* Values live from where they are made to their last use; contributions to the end. */
static void add_values(const struct lives *lives)
{
    const struct graph *graph = lives->graph;
    int *last = arena_alloc(lives->arena, (size_t)graph->nodes * sizeof(*last));

    for (int n = 0; n < graph->nodes; n++) {
        for (int u = 0; u < graph->node[n].uses; u++) {
            last[graph->node[n].use[u].node] = n;
        }
    }
    for (int c = 0; c < graph->contributions; c++) {
        if (graph->contribution[c].node >= 0) {
            last[graph->contribution[c].node] = graph->nodes;
        }
    }
    for (int n = 0; n < graph->nodes; n++) {
        if (graph->node[n].kind == NODE_VALUE && last[n] > n) {
            add_life(lives, n, last[n], var_bytes(graph->node[n].var));
        }
    }
}

static bool is_same_place(const struct place *a, const struct place *b)
{
    return a->arg == b->arg && a->column == b->column && a->component == b->component;
}

/* A component is loaded where it is read first and kept to where it is read last. */
static void add_places(const struct lives *lives)
{
    const struct graph *graph = lives->graph;
    int room = 0;
    int places = 0;
    struct {
        struct place place;
        int first;
        int last;
    } *seen = NULL;

    for (int n = 0; n < graph->nodes; n++) {
        for (int p = 0; p < graph->node[n].places; p++) {
            const struct place *place = &graph->node[n].place[p];
            int s = 0;

            while (s < places && !is_same_place(&seen[s].place, place)) {
                s++;
            }
            if (s == places) {
                seen = arena_grow(lives->arena, seen, places, &room, sizeof(*seen));
                seen[places].place = *place;
                seen[places++].first = n;
            }
            seen[s].last = n;
        }
    }
    for (int s = 0; s < places; s++) {
        add_life(lives, seen[s].first, seen[s].last, place_bytes(graph->loop, &seen[s].place));
    }
}

int graph_live_bytes(const struct graph *graph)
{
    struct lives lives = {.graph = graph, .arena = arena_new()};
    long live = 0;
    long most = 0;

    lives.change = arena_alloc(lives.arena, ((size_t)graph->nodes + 2) * sizeof(*lives.change));
    add_values(&lives);
    add_places(&lives);
    for (int n = 0; n <= graph->nodes; n++) {
        live += lives.change[n];
        most = live > most ? live : most;
    }
    arena_free(lives.arena);
    return (int)most;
}
