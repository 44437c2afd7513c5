/* partition_graphs.c: see partition_graphs.h. */
#include <stdlib.h>

#include "splitter/partition_graphs.h"

static const struct type double_type = {.kind = TYPE_DOUBLE, .size = 8};
static const struct type int_type = {.kind = TYPE_INT, .size = 4};

enum { MOST_ARGS = 64, MOST_NODES = GRAPH_MAX_NODES, MOST_CONTRIBUTIONS = 4096 };

struct build build_new(void)
{
    struct build build = {.arena = arena_new()};
    build.loop = arena_alloc(build.arena, sizeof(*build.loop));
    build.loop->name = "loop";
    build.loop->id = "loop";
    build.loop->arg = arena_alloc(build.arena, MOST_ARGS * sizeof(*build.loop->arg));
    build.graph = arena_alloc(build.arena, sizeof(*build.graph));
    build.graph->arena = build.arena;
    build.graph->loop = build.loop;
    build.graph->node = arena_alloc(build.arena, MOST_NODES * sizeof(*build.graph->node));
    build.graph->contribution =
        arena_alloc(build.arena, MOST_CONTRIBUTIONS * sizeof(*build.graph->contribution));
    return build;
}

void build_free(struct build *build)
{
    arena_free(build->arena);
}

int build_arg(struct build *build, enum access access, int dat, int map, int column, int dim,
              bool ints)
{
    struct arg *arg = &build->loop->arg[build->loop->args];
    *arg = (struct arg){.kind = ARG_DAT,
                        .declared = access,
                        .access = access,
                        .type = ints ? &int_type : &double_type,
                        .dim = dim,
                        .is_indirect = true,
                        .map_index = column,
                        .columns = 1,
                        .dat = dat,
                        .map = map,
                        .info_of = -1,
                        .dat_text = arena_format(build->arena, "p_d%d", dat),
                        .map_text = arena_format(build->arena, "m%d", map)};
    return build->loop->args++;
}

int build_two_ends(struct build *build, enum access access, int dat, int map, int dim)
{
    int first = build_arg(build, access, dat, map, 0, dim, false);
    build_arg(build, access, dat, map, 1, dim, false);
    return first;
}

int build_direct(struct build *build, enum access access, int dat, int dim)
{
    int a = build_arg(build, access, dat, -1, 0, dim, false);
    build->loop->arg[a].is_indirect = false;
    return a;
}

int build_vector(struct build *build, enum access access, int dat, int map, int columns, int dim)
{
    int a = build_arg(build, access, dat, map, 0, dim, false);
    build->loop->arg[a].is_vector = true;
    build->loop->arg[a].columns = columns;
    return a;
}

int build_node(struct build *build, double flops)
{
    int n = build->graph->nodes++;
    struct var *var = arena_alloc(build->arena, sizeof(*var));
    var->name = arena_format(build->arena, "v%d", n);
    var->type = &double_type;
    var->storage = STORAGE_LOCAL;
    var->index = -1;
    build->open = &build->graph->node[n];
    build->open->kind = NODE_VALUE;
    build->open->var = var;
    build->open->defines = 1;
    build->open->define = arena_alloc(build->arena, sizeof(struct var *));
    build->open->define[0] = var;
    build->open->flops = flops;
    build->open->place = arena_alloc(build->arena, 64 * sizeof(*build->open->place));
    build->open->use = arena_alloc(build->arena, 64 * sizeof(*build->open->use));
    build->open->after = arena_alloc(build->arena, 4 * sizeof(*build->open->after));
    return n;
}

void build_place(struct build *build, int arg, int column, int component)
{
    struct node *node = build->open;
    struct place place = {arg, column, component};
    for (int p = 0; p < node->places; p++) {
        if (place_compare(&node->place[p], &place) == 0) {
            return;
        }
    }
    node->place[node->places++] = place;
}

void build_use(struct build *build, int used)
{
    struct node *node = build->open;
    for (int u = 0; u < node->uses; u++) {
        if (node->use[u].node == used) {
            return;
        }
    }
    node->use[node->uses++] = (struct use){used, build->graph->node[used].var};
}

void build_after(struct build *build, int node)
{
    build->open->after[build->open->afters++] = node;
}

void build_ends(struct build *build, int arg1, int arg2, int first, int count)
{
    for (int c = first; c < first + count; c++) {
        build_place(build, arg1, 0, c);
        build_place(build, arg2, 0, c);
    }
}

int build_ends_node(struct build *build, int arg, int first, int count, double flops)
{
    int n = build_node(build, flops);
    build_ends(build, arg, arg + 1, first, count);
    return n;
}

void build_contribution(struct build *build, int arg, int column, int component, int node)
{
    struct expr *value = arena_alloc(build->arena, sizeof(*value));
    value->kind = EXPR_VAR;
    value->type = &double_type;
    value->var = build->graph->node[node].var;
    int c = build->graph->contributions++;
    build->graph->contribution[c] = (struct contribution){
        .update = {.place = {arg, column, component}, .value = value}, .node = node, .merged = c};
}

static int compare_uses(const void *a, const void *b)
{
    return ((const struct use *)a)->node - ((const struct use *)b)->node;
}

static int compare_places(const void *a, const void *b)
{
    return place_compare(a, b);
}

void build_finish(struct build *build)
{
    for (int n = 0; n < build->graph->nodes; n++) {
        struct node *node = &build->graph->node[n];
        qsort(node->use, (size_t)node->uses, sizeof(*node->use), compare_uses);
        qsort(node->place, (size_t)node->places, sizeof(*node->place), compare_places);
    }
}

/* ---- random ---------------------------------------------------------------------------------- */

static unsigned next(unsigned *state, unsigned below)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) % below;
}

/* Values that nothing reads are read by the next node, so that no node is dead. */
static void join_ends(struct build *build)
{
    struct graph *graph = build->graph;
    bool *read = arena_alloc(build->arena, (size_t)graph->nodes * sizeof(*read));
    for (int n = 0; n < graph->nodes; n++) {
        for (int u = 0; u < graph->node[n].uses; u++) {
            read[graph->node[n].use[u].node] = true;
        }
    }
    for (int n = 0; n + 4 < graph->nodes; n++) {
        if (!read[n]) {
            build->open = &graph->node[n + 1];
            build_use(build, n);
        }
    }
}

struct build build_random(unsigned seed, int nodes, int dats)
{
    struct build build = build_new();
    unsigned state = seed * 2654435761u + 12345u;
    int first[16];
    for (int d = 0; d < dats; d++) {
        int dim = 1 + (int)next(&state, 6);
        first[d] = build_arg(&build, ACCESS_READ, d, 0, 0, dim, next(&state, 8) == 0);
        build_arg(&build, ACCESS_READ, d, 0, 1, dim, build.loop->arg[first[d]].type == &int_type);
    }
    int direct = build_direct(&build, ACCESS_READ, dats, 3);
    int out = build_arg(&build, ACCESS_INC, dats + 1, 0, 0, 4, false);
    for (int n = 0; n < nodes; n++) {
        build_node(&build, 1 + next(&state, 6) * next(&state, 3));
        /* Bodies go through their data one after another, more or less. */
        int near = (int)((long long)n * dats / nodes);
        int d = next(&state, 3) == 0 ? (int)next(&state, (unsigned)dats) : near;
        if (next(&state, 2) == 0) {
            int component = (int)next(&state, (unsigned)build.loop->arg[first[d]].dim);
            build_ends(&build, first[d], first[d] + 1, component, 1);
        } else if (next(&state, 5) == 0) {
            build_place(&build, direct, 0, (int)next(&state, 3));
        }
        for (int u = (int)next(&state, 3); u > 0 && n > 0; u--) {
            int back = 1 + (int)next(&state, n < 12 ? (unsigned)n : 12);
            build_use(&build, n - back);
        }
    }
    for (int c = 0; c < 4; c++) {
        build_contribution(&build, out, 0, c, nodes - 1 - (c < nodes ? c : 0));
    }
    join_ends(&build);
    build_finish(&build);
    return build;
}

/* ---- kernels --------------------------------------------------------------------------------- */

struct build build_airfoil(void)
{
    struct build build = build_new();
    int x = build_two_ends(&build, ACCESS_READ, 0, 0, 2);
    int q = build_two_ends(&build, ACCESS_READ, 1, 1, 4);
    int adt = build_two_ends(&build, ACCESS_READ, 2, 1, 1);
    int res = build_two_ends(&build, ACCESS_INC, 3, 1, 4);
    int dx[2];
    int p[2];
    int volume[2];
    for (int d = 0; d < 2; d++) {
        dx[d] = build_node(&build, 1);
        build_ends(&build, x, x + 1, d, 1);
    }
    for (int end = 0; end < 2; end++) {
        p[end] = build_node(&build, 8);
        for (int c = 0; c < 4; c++) {
            build_place(&build, q + end, 0, c);
        }
        volume[end] = build_node(&build, 4);
        build_use(&build, dx[0]);
        build_use(&build, dx[1]);
        for (int c = 0; c < 3; c++) {
            build_place(&build, q + end, 0, c);
        }
    }
    int mu = build_node(&build, 3);
    build_ends(&build, adt, adt + 1, 0, 1);
    for (int c = 0; c < 4; c++) {
        int f = build_node(&build, 10);
        build_ends(&build, q, q + 1, c, 1);
        for (int end = 0; end < 2; end++) {
            build_use(&build, p[end]);
            build_use(&build, volume[end]);
            build_use(&build, dx[end]);
        }
        build_use(&build, mu);
        build_contribution(&build, res, 0, c, f);
        build_contribution(&build, res + 1, 0, c, f);
    }
    build_finish(&build);
    return build;
}

struct vflux {
    int x, q, w, grad, lap, mu, flag, area, res;
    int dx[3];
    int length;
    int slope[6];  /* the part of the gradient along the edge */
    int flux[6];   /* viscous */
    int smooth[3]; /* lambda, psi, damping */
};

static void vflux_geometry(struct build *b, struct vflux *v)
{
    for (int d = 0; d < 3; d++) {
        v->dx[d] = build_node(b, 1);
        build_ends(b, v->x, v->x + 1, d, 1);
    }
    v->length = build_node(b, 7);
    for (int d = 0; d < 3; d++) {
        build_use(b, v->dx[d]);
    }
}

static void vflux_gradients(struct build *b, struct vflux *v)
{
    int g[6][3];
    for (int k = 0; k < 6; k++) {
        v->slope[k] = build_node(b, 12);
        build_ends(b, v->grad, v->grad + 1, 3 * k, 3);
        build_ends(b, v->w, v->w + 1, k, 1);
        build_use(b, v->length);
        for (int d = 0; d < 3; d++) {
            build_use(b, v->dx[d]);
        }
        for (int d = 0; d < 3; d++) {
            g[k][d] = build_node(b, 4);
            build_ends(b, v->grad, v->grad + 1, 3 * k + d, 1);
            build_use(b, v->slope[k]);
            build_use(b, v->dx[d]);
        }
    }
    int viscosity = build_node(b, 3);
    build_ends(b, v->mu, v->mu + 1, 0, 2);
    int conductivity = build_node(b, 2);
    build_ends(b, v->mu, v->mu + 1, 2, 1);
    int turbulent = build_node(b, 5);
    build_ends(b, v->mu, v->mu + 1, 0, 1);
    build_ends(b, v->q, v->q + 1, 5, 1);
    for (int k = 1; k < 6; k++) {
        v->flux[k] = build_node(b, 16);
        build_use(b, k == 5 ? turbulent : k == 4 ? conductivity : viscosity);
        for (int d = 0; d < 3; d++) {
            build_use(b, g[k][d]);
            build_use(b, k < 4 ? g[1 + d][k - 1] : g[k][d]);
            build_place(b, v->area, 0, d);
        }
        for (int j = 1; k == 4 && j < 4; j++) {
            build_use(b, v->flux[j]);
            build_ends(b, v->w, v->w + 1, j, 1);
        }
    }
}

static void vflux_smoothing(struct build *b, struct vflux *v)
{
    v->smooth[0] = build_node(b, 12);
    build_ends(b, v->w, v->w + 1, 1, 3);
    build_ends(b, v->mu, v->mu + 1, 4, 1);
    for (int d = 0; d < 3; d++) {
        build_place(b, v->area, 0, d);
    }
    v->smooth[1] = build_node(b, 8);
    build_use(b, v->slope[0]);
    build_use(b, v->length);
    build_ends(b, v->w, v->w + 1, 0, 1);
    v->smooth[2] = build_node(b, 4);
    build_ends(b, v->mu, v->mu + 1, 3, 1);
    build_ends(b, v->flag, v->flag + 1, 0, 1);
    for (int k = 0; k < 6; k++) {
        int f = build_node(b, 10);
        build_ends(b, v->q, v->q + 1, k, 1);
        build_ends(b, v->lap, v->lap + 1, k, 1);
        for (int i = 0; i < 3; i++) {
            build_use(b, v->smooth[i]);
        }
        if (k > 0) {
            build_use(b, v->flux[k]);
        }
        build_contribution(b, v->res, 0, k, f);
        build_contribution(b, v->res + 1, 0, k, f);
    }
}

struct build build_vflux(void)
{
    struct build build = build_new();
    struct vflux v = {0};
    v.x = build_two_ends(&build, ACCESS_READ, 0, 0, 3);
    v.q = build_two_ends(&build, ACCESS_READ, 1, 0, 6);
    v.w = build_two_ends(&build, ACCESS_READ, 2, 0, 6);
    v.grad = build_two_ends(&build, ACCESS_READ, 3, 0, 18);
    v.lap = build_two_ends(&build, ACCESS_READ, 4, 0, 6);
    v.mu = build_two_ends(&build, ACCESS_READ, 5, 0, 5);
    v.flag = build_arg(&build, ACCESS_READ, 6, 0, 0, 1, true);
    build_arg(&build, ACCESS_READ, 6, 0, 1, 1, true);
    v.area = build_direct(&build, ACCESS_READ, 7, 3);
    v.res = build_two_ends(&build, ACCESS_INC, 8, 0, 6);
    vflux_geometry(&build, &v);
    vflux_gradients(&build, &v);
    vflux_smoothing(&build, &v);
    build_finish(&build);
    return build;
}

struct build build_edgecon(void)
{
    struct build build = build_new();
    int x = build_two_ends(&build, ACCESS_READ, 0, 0, 3);
    int q = build_two_ends(&build, ACCESS_READ, 1, 0, 6);
    int area = build_direct(&build, ACCESS_READ, 2, 3);
    int grad = build_two_ends(&build, ACCESS_INC, 3, 0, 18);
    int lap = build_two_ends(&build, ACCESS_INC, 4, 0, 6);
    for (int k = 0; k < 6; k++) {
        int mean = build_node(&build, 9);
        build_ends(&build, q, q + 1, k, 1);
        build_ends(&build, q, q + 1, 0, 1);
        for (int d = 0; d < 3; d++) {
            int c = build_node(&build, 1);
            build_use(&build, mean);
            build_place(&build, area, 0, d);
            build_contribution(&build, grad, 0, 3 * k + d, c);
        }
    }
    int length = build_node(&build, 10);
    build_ends(&build, x, x + 1, 0, 3);
    for (int k = 0; k < 6; k++) {
        int l = build_node(&build, 2);
        build_use(&build, length);
        build_ends(&build, q, q + 1, k, 1);
        build_contribution(&build, lap, 0, k, l);
    }
    build_finish(&build);
    return build;
}

struct build build_corners(void)
{
    struct build build = build_new();
    int x = build_vector(&build, ACCESS_READ, 0, 0, 8, 3);
    int u = build_vector(&build, ACCESS_READ, 1, 0, 8, 3);
    int stress = build_direct(&build, ACCESS_READ, 2, 3);
    int force = build_vector(&build, ACCESS_INC, 3, 0, 8, 3);
    for (int d = 0; d < 3; d++) {
        int mean = build_node(&build, 9);
        for (int c = 0; c < 8; c++) {
            build_place(&build, x, c, d);
        }
        for (int c = 0; c < 8; c++) {
            int f = build_node(&build, 12);
            build_use(&build, mean);
            build_place(&build, u, c, d);
            build_place(&build, x, c, d);
            build_place(&build, stress, 0, d);
            build_contribution(&build, force, c, d, f);
        }
    }
    build_finish(&build);
    return build;
}
