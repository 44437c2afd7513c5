/* quotients_nodes.c: nodes for reciprocals and their operands.
 *
 * In: expressions that name old nodes and new ones. Out: nodes behind all others, and at the end a
 * graph whose nodes are in executable order again: the user's order, with each new node before the
 * first that needs it, and its operands before it.
 */
#include <stdlib.h>
#include <string.h>

#include "splitter/graph/quotients.h"

/* ---- names ----------------------------------------------------------------------------------- */

static bool is_ours(const char *name, const char *tail)
{
    static const char *const stem[] = {"reciprocal", "denominator", "product", "square"};
    for (size_t s = 0; name != NULL && s < sizeof stem / sizeof stem[0]; s++) {
        size_t length = strlen(stem[s]);
        if (strncmp(name, stem[s], length) == 0 &&
            strncmp(name + length, tail, strlen(tail)) == 0) {
            return true;
        }
    }
    return false;
}

struct clash {
    const char *tail;
    bool found;
};

static void note_declared(struct stmt *stmt, void *user)
{
    struct clash *clash = user;
    clash->found =
        clash->found || (stmt->kind == STMT_DECL && is_ours(stmt->var->name, clash->tail));
}

static bool clashes(const struct graph *graph, const char *tail)
{
    struct clash clash = {tail, false};
    const struct function *kernel = graph->loop->kernel;
    for (int p = 0; p < kernel->params; p++) {
        clash.found = clash.found || is_ours(kernel->param[p]->name, tail);
    }
    for (int n = 0; n < graph->nodes; n++) {
        const struct node *node = &graph->node[n];
        for (int d = 0; d < node->defines; d++) {
            clash.found = clash.found || is_ours(node->define[d]->name, tail);
        }
        if (node->stmt != NULL) {
            stmt_visit(node->stmt, note_declared, NULL, &clash);
        }
    }
    return clash.found;
}

struct var *quotients_var(struct quotients *quotients, const char *stem, const struct type *type)
{
    struct arena *arena = quotients->graph->arena;
    struct quotient_names *names = &quotients->names;
    if (names->tail == NULL) {
        names->tail = "_";
        while (clashes(quotients->graph, names->tail)) {
            names->tail = arena_format(arena, "%s_", names->tail);
        }
    }
    struct var *var = arena_alloc(arena, sizeof(*var));
    var->name = arena_format(arena, "%s%s%d", stem, names->tail, names->count++);
    var->type = type;
    var->storage = STORAGE_LOCAL;
    var->index = -1;
    return var;
}

/* ---- trees ----------------------------------------------------------------------------------- */

static struct expr *new_expr(struct quotients *quotients, enum expr_kind kind,
                             const struct type *type, int kids)
{
    struct arena *arena = quotients->graph->arena;
    struct expr *expr = arena_alloc(arena, sizeof(*expr));
    expr->kind = kind;
    expr->type = type;
    expr->kids = kids;
    expr->kid = arena_alloc(arena, sizeof(struct expr *) * (size_t)kids);
    return expr;
}

struct expr *quotients_binary(struct quotients *quotients, enum binary_op op, struct expr *a,
                              struct expr *b)
{
    struct expr *expr = new_expr(quotients, EXPR_BINARY, a->type, 2);
    expr->binary = op;
    expr->loc = b->loc;
    expr->kid[0] = a;
    expr->kid[1] = b;
    return expr;
}

struct expr *quotients_number(struct quotients *quotients, const struct type *type, double value)
{
    struct expr *expr = new_expr(quotients, EXPR_FLOAT, type, 0);
    expr->value = value;
    return expr;
}

struct expr *quotients_call(struct quotients *quotients, const char *name, const struct type *type,
                            struct expr *a, struct expr *b)
{
    struct function *function = arena_alloc(quotients->graph->arena, sizeof(*function));
    struct expr *expr = new_expr(quotients, EXPR_CALL, type, b != NULL ? 2 : 1);
    function->name = function->user_name = name;
    function->kind = FUNCTION_MATH;
    function->result = type;
    expr->callee = function;
    expr->loc = a->loc;
    expr->kid[0] = a;
    if (b != NULL) {
        expr->kid[1] = b;
    }
    return expr;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

struct expr *quotients_node(struct quotients *quotients, struct var *var, struct expr *expr,
                            const struct guard *guard, struct loc loc)
{
    struct graph *graph = quotients->graph;
    graph->node = arena_grow(graph->arena, graph->node, graph->nodes, &quotients->node_capacity,
                             sizeof(*graph->node));
    struct node *node = &graph->node[graph->nodes];
    *node = (struct node){.kind = NODE_VALUE, .loc = loc, .guard = guard, .var = var, .expr = expr};
    node->defines = 1;
    node->define = arena_alloc(graph->arena, sizeof(*node->define));
    node->define[0] = var;
    pointer_map_set(&quotients->values, var, graph->nodes++);

    struct expr *read = new_expr(quotients, EXPR_VAR, var->type, 0);
    read->var = var;
    read->loc = loc;
    return read;
}

struct expr *quotients_leaf(struct quotients *quotients, const char *stem, struct expr *expr,
                            const struct guard *guard, struct loc loc)
{
    if (expr->kids == 0) {
        return expr;
    }
    return quotients_node(quotients, quotients_var(quotients, stem, expr->type), expr, guard, loc);
}

/* ---- what nodes read ------------------------------------------------------------------------- */

struct gather {
    struct quotients *quotients;
    const struct node *old; /* as it was */
    struct node *node;
    int use_room;
    int place_room;
};

static void add_use(struct gather *gather, int from, struct var *var)
{
    struct node *node = gather->node;
    for (int u = 0; u < node->uses; u++) {
        if (node->use[u].node == from && node->use[u].var == var) {
            return;
        }
    }
    node->use = arena_grow(gather->quotients->graph->arena, node->use, node->uses,
                           &gather->use_room, sizeof(*node->use));
    node->use[node->uses++] = (struct use){from, var};
}

static void add_place(struct gather *gather, const struct place *place)
{
    struct node *node = gather->node;
    for (int p = 0; p < node->places; p++) {
        if (place_compare(&node->place[p], place) == 0) {
            return;
        }
    }
    node->place = arena_grow(gather->quotients->graph->arena, node->place, node->places,
                             &gather->place_room, sizeof(*node->place));
    node->place[node->places++] = *place;
}

/* Collects the uses and places of an expression. New nodes read only variables of VALUEs and single
 * components; other reads are taken from the old node. */
static void gather_reads(struct expr *expr, void *user)
{
    struct gather *gather = user;
    int from = expr->kind == EXPR_VAR ? pointer_map_get(&gather->quotients->values, expr->var) : -1;
    if (expr->kind == EXPR_PLACE) {
        add_place(gather, &expr->place);
    }
    if (from >= 0) {
        add_use(gather, from, expr->var);
    }
    for (int u = 0; expr->kind == EXPR_VAR && u < gather->old->uses; u++) {
        if (gather->old->use[u].var == expr->var) {
            add_use(gather, gather->old->use[u].node, expr->var);
        }
    }
    for (int p = 0; expr->kind == EXPR_VAR && p < gather->old->places; p++) {
        if (expr->var->storage == STORAGE_PARAM && gather->old->place[p].arg == expr->var->index) {
            add_place(gather, &gather->old->place[p]);
        }
    }
}

static void read_again(struct quotients *quotients, int n)
{
    struct node *node = &quotients->graph->node[n];
    struct node old = *node;
    struct gather gather = {.quotients = quotients, .old = &old, .node = node};
    node->uses = node->places = 0;
    node->use = NULL;
    node->place = NULL;
    expr_visit(node->expr, gather_reads, &gather);
    for (const struct guard *g = node->guard; g != NULL; g = g->outer) {
        add_use(&gather, g->condition, quotients->graph->node[g->condition].var);
    }
    node->flops = graph_flops(node->expr);
}

/* ---- order ----------------------------------------------------------------------------------- */

struct order {
    struct graph *graph;
    int *number; /* of each node; -1: not yet; -2: its operands are being numbered */
    int numbers;
};

static void number_node(struct order *order, int n)
{
    const struct node *node = &order->graph->node[n];
    if (order->number[n] != -1) {
        return;
    }
    order->number[n] = -2;
    for (int u = 0; u < node->uses; u++) {
        number_node(order, node->use[u].node);
    }
    for (int a = 0; a < node->afters; a++) {
        number_node(order, node->after[a]);
    }
    order->number[n] = order->numbers++;
}

struct guards {
    const struct order *order;
    struct pointer_map seen;
    int made;
    int capacity;
    const struct guard **guard;
};

/* Guards are shared, and not changed by whoever reads them. */
static const struct guard *renumber_guard(struct guards *guards, const struct guard *guard)
{
    int seen = guard != NULL ? pointer_map_get(&guards->seen, guard) : -1;
    if (guard == NULL || seen >= 0) {
        return guard != NULL ? guards->guard[seen] : NULL;
    }
    struct arena *arena = guards->order->graph->arena;
    struct guard *copy = arena_alloc(arena, sizeof(*copy));
    copy->condition = guards->order->number[guard->condition];
    copy->when = guard->when;
    copy->outer = renumber_guard(guards, guard->outer);
    guards->guard =
        arena_grow(arena, guards->guard, guards->made, &guards->capacity, sizeof(*guards->guard));
    pointer_map_set(&guards->seen, guard, guards->made);
    guards->guard[guards->made++] = copy;
    return copy;
}

static void renumber(struct order *order)
{
    struct graph *graph = order->graph;
    struct guards guards = {.order = order, .seen = pointer_map_new(graph->arena)};
    struct node *sorted = arena_alloc(graph->arena, sizeof(*sorted) * (size_t)graph->nodes);
    for (int n = 0; n < graph->nodes; n++) {
        struct node *node = &sorted[order->number[n]];
        *node = graph->node[n];
        node->guard = renumber_guard(&guards, node->guard);
        for (int u = 0; u < node->uses; u++) {
            node->use[u].node = order->number[node->use[u].node];
        }
        for (int a = 0; a < node->afters; a++) {
            node->after[a] = order->number[node->after[a]];
        }
        node_sort(node);
    }
    graph->node = sorted;
    for (int c = 0; c < graph->contributions; c++) {
        struct contribution *contribution = &graph->contribution[c];
        contribution->node = contribution->node < 0 ? -1 : order->number[contribution->node];
    }
}

void quotients_settle(struct quotients *quotients)
{
    struct graph *graph = quotients->graph;
    struct order order = {.graph = graph};
    order.number = arena_alloc(graph->arena, sizeof(*order.number) * (size_t)graph->nodes);
    for (int n = 0; n < graph->nodes; n++) {
        order.number[n] = -1;
        if (graph->node[n].kind == NODE_VALUE) {
            read_again(quotients, n);
        }
    }
    for (int n = 0; n < graph->nodes; n++) {
        number_node(&order, n);
    }
    renumber(&order);
    graph_drop_dead(graph);
}
