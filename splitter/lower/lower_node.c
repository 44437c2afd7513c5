/* lower_node.c: nodes of the graph, with their operands, ordering and costs.
 *
 * In: a new tree. Out: a node behind all others, under the guard that holds at the moment.
 */
#include <stdlib.h>
#include <string.h>

#include "splitter/lower/lower_impl.h"

struct reads {
    struct lower *lower;
    struct node *node;
    int use_room;
    int place_room;
    int after_room;
};

struct local *expr_local(const struct expr *expr)
{
    return expr->kind == EXPR_VAR && expr->var->storage == STORAGE_LOCAL
               ? (struct local *)(void *)expr->var
               : NULL;
}

/* ---- what a node reads --------------------------------------------------------------------- */

static void add_use(struct reads *reads, int from, struct var *var)
{
    struct node *node = reads->node;

    for (int u = 0; u < node->uses; u++) {
        if (node->use[u].node == from && node->use[u].var == var) {
            return;
        }
    }
    node->use = arena_grow(reads->lower->arena, node->use, node->uses, &reads->use_room,
                           sizeof(*node->use));
    node->use[node->uses++] = (struct use){from, var};
}

static void add_place(struct reads *reads, struct place place)
{
    struct node *node = reads->node;

    for (int p = 0; p < node->places; p++) {
        if (place_compare(&node->place[p], &place) == 0) {
            return;
        }
    }
    node->place = arena_grow(reads->lower->arena, node->place, node->places, &reads->place_room,
                             sizeof(*node->place));
    node->place[node->places++] = place;
}

static void add_after(struct reads *reads, int from)
{
    struct node *node = reads->node;

    for (int a = 0; a < node->afters; a++) {
        if (node->after[a] == from) {
            return;
        }
    }
    node->after = arena_grow(reads->lower->arena, node->after, node->afters, &reads->after_room,
                             sizeof(*node->after));
    node->after[node->afters++] = from;
}

static void read_local(struct reads *reads, struct local *local)
{
    if (!local->is_inner && local->node >= 0) {
        add_use(reads, local->node, &local->var);
    }
}

static void read_place(struct reads *reads, const struct place *place)
{
    struct lower *lower = reads->lower;
    const struct arg *arg = &lower->loop->arg[place->arg];

    if (lower_is_summed(arg) && !lower->is_ending && !lower->is_trial) {
        lower_refuse(
            lower,
            arena_format(
                lower->arena,
                lower_is_extremum(arg)
                    ? "'%s' is %s, and its minimum or maximum is taken in a form that is not known"
                    : "'%s' is %s, and read",
                lower->loop->kernel->param[place->arg]->name, access_name(arg->declared)));
    }
    add_place(reads, *place);
}

/* A parameter with a subscript that is not constant: all its components. */
static void read_param(struct reads *reads, const struct var *param, const struct expr *column)
{
    struct place place = {param->index, 0, -1};
    long long number;

    if (reads->lower->loop->arg[place.arg].is_vector) {
        place.column = column != NULL && expr_int(column, &number) ? (int)number : -1;
    }
    read_place(reads, &place);
}

static void read_expr(struct reads *reads, const struct expr *expr)
{
    if (expr->kind == EXPR_PLACE) {
        read_place(reads, &expr->place);
        return;
    }
    if (expr->kind == EXPR_VAR) {
        if (expr->var->storage == STORAGE_PARAM) {
            read_param(reads, expr->var, NULL);
        } else if (expr->var->storage == STORAGE_LOCAL) {
            read_local(reads, expr_local(expr));
        }
        return;
    }
    if (expr->kind == EXPR_INDEX && expr->kid[0]->kind == EXPR_VAR &&
        expr->kid[0]->var->storage == STORAGE_PARAM) {
        read_param(reads, expr->kid[0]->var, expr->kid[1]);
        read_expr(reads, expr->kid[1]);
        return;
    }
    for (int k = 0; k < expr->kids; k++) {
        read_expr(reads, expr->kid[k]);
    }
}

static void read_stmt(struct reads *reads, const struct stmt *stmt)
{
    if (stmt->kind == STMT_DECL && stmt->var->init != NULL) {
        read_expr(reads, stmt->var->init);
    }
    if (stmt->expr != NULL) {
        read_expr(reads, stmt->expr);
    }
    if (stmt->step != NULL) {
        read_expr(reads, stmt->step);
    }
    for (int k = 0; k < stmt->kids; k++) {
        read_stmt(reads, stmt->kid[k]);
    }
}

/* ---- what it must wait for ----------------------------------------------------------------- */

static int dat_class(const struct loop *loop, int arg)
{
    return loop->arg[arg].kind == ARG_DAT && loop->arg[arg].dat >= 0 ? loop->arg[arg].dat
                                                                     : -1 - arg;
}

/* Components of a dat are apart; arguments and columns may meet in one point. */
static bool may_meet(const struct loop *loop, const struct place *a, const struct place *b)
{
    return dat_class(loop, a->arg) == dat_class(loop, b->arg) &&
           (a->component == b->component || a->component < 0 || b->component < 0);
}

static void order_memory(struct reads *reads, int number, bool is_store)
{
    struct lower *lower = reads->lower;

    for (int p = 0; p < reads->node->places; p++) {
        const struct place *place = &reads->node->place[p];

        if (!lower_is_mutable(lower->loop, place->arg)) {
            continue;
        }
        for (int t = 0; t < lower->touches; t++) {
            const struct touch *touch = &lower->touch[t];

            if ((is_store || touch->is_store) && touch->node != number &&
                may_meet(lower->loop, place, &touch->place)) {
                add_after(reads, touch->node);
            }
        }
        lower->touch = arena_grow(lower->arena, lower->touch, lower->touches, &lower->touch_room,
                                  sizeof(*lower->touch));
        lower->touch[lower->touches++] = (struct touch){number, *place, is_store};
    }
}

static void order_storage(struct reads *reads, int number, struct local *local)
{
    read_local(reads, local);
    for (int r = 0; r < local->readers; r++) {
        if (local->reader[r] != number) {
            add_after(reads, local->reader[r]);
        }
    }
    local->readers = 0;
    local->node = number;
}

static void note_readers(struct reads *reads, int number)
{
    for (int u = 0; u < reads->node->uses; u++) {
        struct local *local = (struct local *)(void *)reads->node->use[u].var;

        if (local->is_storage && local->node != number) {
            local->reader = arena_grow(reads->lower->arena, local->reader, local->readers,
                                       &local->reader_room, sizeof(int));
            local->reader[local->readers++] = number;
        }
    }
}

/* ---- the node ------------------------------------------------------------------------------ */

static struct reads begin(struct lower *lower, enum node_kind kind)
{
    struct graph *graph = lower->graph;
    struct reads reads = {.lower = lower};

    if (graph->nodes >= GRAPH_MAX_NODES) {
        lower_refuse(lower, arena_format(lower->arena, "its body comes to more than %d values",
                                         GRAPH_MAX_NODES));
    }
    graph->node = arena_grow(lower->arena, graph->node, graph->nodes, &lower->node_room,
                             sizeof(*graph->node));
    reads.node = &graph->node[graph->nodes];
    memset(reads.node, 0, sizeof(*reads.node));
    reads.node->kind = kind;
    reads.node->loc = lower->loc;
    reads.node->guard = lower->guard;
    reads.node->member = lower->members;
    return reads;
}

static int finish(struct reads *reads)
{
    struct lower *lower = reads->lower;
    struct graph *graph = lower->graph;
    struct node *node = reads->node;
    int number = graph->nodes;
    bool is_store = node->kind == NODE_STORE || (node->kind == NODE_REGION && node->once);

    for (const struct guard *g = node->guard; g != NULL; g = g->outer) {
        add_use(reads, g->condition, graph->node[g->condition].var);
    }
    order_memory(reads, number, is_store);
    for (int d = 0; d < node->defines; d++) {
        struct local *local = (struct local *)(void *)node->define[d];

        if (local->is_storage) {
            order_storage(reads, number, local);
        } else {
            local->node = number;
        }
    }
    note_readers(reads, number);
    node_sort(node);
    return graph->nodes++;
}

int node_value(struct lower *lower, struct local *local, struct expr *expr)
{
    struct reads reads = begin(lower, NODE_VALUE);
    struct node *node = reads.node;

    node->var = &local->var;
    node->expr = expr;
    node->defines = 1;
    node->define = arena_alloc(lower->arena, sizeof(*node->define));
    node->define[0] = &local->var;
    node->flops = graph_flops(expr);
    read_expr(&reads, expr);
    return finish(&reads);
}

struct expr *node_version(struct lower *lower, const char *base, struct expr *expr)
{
    struct local *local = lower_local(lower, base, expr->type);

    node_value(lower, local, expr);
    return make_var(lower, &local->var);
}

int node_stmt(struct lower *lower, enum node_kind kind, struct stmt *stmt, int defines,
              struct local *const *define)
{
    struct reads reads = begin(lower, kind);
    struct node *node = reads.node;
    bool prints = kind == NODE_EFFECT || (lower->region != NULL && lower->region->is_effect);
    int number;

    node->stmt = stmt;
    node->defines = defines;
    node->define = arena_alloc(lower->arena, (size_t)defines * sizeof(*node->define));
    for (int d = 0; d < defines; d++) {
        node->define[d] = &define[d]->var;
    }
    node->flops = graph_flops_stmt(stmt);
    node->once = kind == NODE_STORE || kind == NODE_EFFECT ||
                 (lower->region != NULL && lower->region->is_once);
    read_stmt(&reads, stmt);
    if (prints && lower->last_effect >= 0) {
        add_after(&reads, lower->last_effect);
    }
    number = finish(&reads);
    if (prints) {
        lower->last_effect = number;
    }
    return number;
}
