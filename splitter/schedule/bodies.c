/* bodies.c: the nodes that a stage computes, as statements.
 *
 * In: a graph and a set of its nodes. Out: a BLOCK that computes them, in order. A variable is
 * declared where it gets its value, so that the text reads as a person would write it; where that
 * is in another block than a use of it, it is declared before both, as 0: a select may name a value
 * that was not computed. Statements are new in each body; expressions are the graph's own.
 */
#include "pass/ir/arena.h"
#include "splitter/schedule/layout.h"
#include "splitter/graph/selects.h"
#include "splitter/schedule/schedules.h"

struct body {
    const struct graph *graph;
    const bool *in;
    struct pointer_map outside; /* variables that are declared elsewhere */
    struct pointer_map values;  /* node of each VALUE's variable */
    const struct side *side;    /* [nodes] */
    int *target;                /* [nodes] the select whose variable a VALUE sets; itself if none */
    bool *merged;               /* [nodes] a select that branches set */
    struct layout layout;
};

/* ---- statements ------------------------------------------------------------------------------ */

static struct stmt *copy_stmt(struct arena *arena, const struct stmt *stmt)
{
    struct stmt *copy = arena_alloc(arena, sizeof(*copy));
    *copy = *stmt;
    copy->kid = arena_alloc(arena, (size_t)stmt->kids * sizeof(struct stmt *));
    for (int k = 0; k < stmt->kids; k++) {
        copy->kid[k] = copy_stmt(arena, stmt->kid[k]);
    }
    return copy;
}

static struct stmt *assignment(struct arena *arena, struct var *var, struct expr *value,
                               struct loc loc)
{
    struct stmt *stmt = stmt_new(arena, STMT_EXPR, loc);
    struct expr *expr = arena_alloc(arena, sizeof(*expr));
    expr->kind = EXPR_ASSIGN;
    expr->type = var->type;
    expr->loc = loc;
    expr->kids = 2;
    expr->kid = arena_alloc(arena, 2 * sizeof(struct expr *));
    expr->kid[0] = expr_of_var(arena, var, loc);
    expr->kid[1] = value;
    stmt->expr = expr;
    return stmt;
}

/* A block that declares nothing needs no braces of its own. */
static bool is_plain_block(const struct stmt *stmt)
{
    for (int k = 0; k < stmt->kids; k++) {
        if (stmt->kid[k]->kind == STMT_DECL) {
            return false;
        }
    }
    return stmt->kind == STMT_BLOCK;
}

static bool is_outside(const struct body *body, const struct var *var)
{
    return pointer_map_get(&body->outside, var) >= 0;
}

static struct var *target_var(const struct body *body, int n)
{
    return body->graph->node[body->target[n]].var;
}

/* Whether a branch has set the select's variable to this kid, or it is the variable's initial
 * value. */
static bool kid_is_there(const struct body *body, int n, int kid)
{
    const struct expr *value = body->graph->node[n].expr->kid[kid];
    int from = value->kind == EXPR_VAR ? pointer_map_get(&body->values, value->var) : -1;
    if (from >= 0 && body->in[from] && body->side[from].select == n) {
        return body->target[from] != from;
    }
    const struct var *var = target_var(body, n);
    return body->target[n] == n && var->init == value && !is_outside(body, var);
}

/* Assigns the select's variable in the cases that its branches have not set. */
static void add_select(struct body *body, int n)
{
    const struct node *node = &body->graph->node[n];
    for (int kid = 1; kid <= 2; kid++) {
        if (!kid_is_there(body, n, kid)) {
            struct stmt *stmt = assignment(body->graph->arena, target_var(body, n),
                                           node->expr->kid[kid], node->loc);
            layout_add(&body->layout, n, select_guard(body->graph, &body->values, n, kid), stmt);
        }
    }
}

static void add_value(struct body *body, int n)
{
    const struct node *node = &body->graph->node[n];
    struct arena *arena = body->graph->arena;
    struct var *var = target_var(body, n);
    struct stmt *stmt;
    if (body->merged[n]) {
        add_select(body, n);
        return;
    }
    if (var->init == node->expr && !is_outside(body, var)) {
        stmt = stmt_new(arena, STMT_DECL, node->loc);
        stmt->var = var;
    } else {
        stmt = assignment(arena, var, node->expr, node->loc);
    }
    layout_add(&body->layout, n, node->guard, stmt);
}

static void add_node(struct body *body, int n)
{
    const struct node *node = &body->graph->node[n];
    if (node->kind == NODE_VALUE) {
        add_value(body, n);
        return;
    }
    struct stmt *stmt = copy_stmt(body->graph->arena, node->stmt);
    if (!is_plain_block(stmt)) {
        layout_add(&body->layout, n, node->guard, stmt);
        return;
    }
    for (int k = 0; k < stmt->kids; k++) {
        layout_add(&body->layout, n, node->guard, stmt->kid[k]);
    }
}

/* Visits selects before the values that they select from, so that a select of a select passes its
 * target on. */
static void find_targets(struct body *body)
{
    for (int n = body->graph->nodes - 1; n >= 0; n--) {
        int select = body->side[n].select;
        body->target[n] = n;
        if (body->in[n] && select >= 0 && body->in[select] &&
            !is_outside(body, body->graph->node[n].var)) {
            body->target[n] = body->target[select];
            body->merged[select] = true;
        }
    }
}

static struct body add_nodes(const struct graph *graph, const bool *in, const struct side *side,
                             int outsides, struct var *const *outside)
{
    struct arena *arena = graph->arena;
    struct body body = {.graph = graph,
                        .in = in,
                        .outside = pointer_map_new(arena),
                        .values = graph_value_nodes(graph),
                        .side = side,
                        .layout = layout_new(graph)};
    body.target = arena_alloc(arena, (size_t)graph->nodes * sizeof(*body.target));
    body.merged = arena_alloc(arena, (size_t)graph->nodes * sizeof(*body.merged));
    for (int v = 0; v < outsides; v++) {
        pointer_map_set(&body.outside, outside[v], v);
    }
    find_targets(&body);
    for (int n = 0; n < graph->nodes; n++) {
        if (in[n]) {
            add_node(&body, n);
        }
    }
    return body;
}

/* ---- where variables are declared ------------------------------------------------------------ */

/* A variable of the body's own: its first definition, and the block that holds all uses. */
struct home {
    struct var *var;
    int node;
    struct scope *scope;
};

struct homes {
    int homes;
    struct home *home;
    struct pointer_map of; /* a variable's */
};

static struct homes homes_new(const struct graph *graph)
{
    size_t room = 0;
    for (int n = 0; n < graph->nodes; n++) {
        room += (size_t)graph->node[n].defines;
    }
    struct homes homes = {.of = pointer_map_new(graph->arena)};
    homes.home = arena_alloc(graph->arena, room * sizeof(*homes.home));
    return homes;
}

/* Variable `var` is set (`sets`) or read at node n. */
static void widen(const struct body *body, struct homes *homes, struct var *var, int n, bool sets)
{
    struct scope *scope = body->layout.of[n];
    int h = pointer_map_get(&homes->of, var);
    if (h < 0 && !sets) {
        return; /* set by another stage */
    }
    if (h < 0) {
        h = homes->homes++;
        homes->home[h] = (struct home){var, n, scope};
        pointer_map_set(&homes->of, var, h);
    }
    homes->home[h].scope = layout_common(homes->home[h].scope, scope);
}

static struct homes find_homes(const struct body *body)
{
    const struct graph *graph = body->graph;
    struct homes homes = homes_new(graph);
    for (int n = 0; n < graph->nodes; n++) {
        const struct node *node = &graph->node[n];
        if (!body->in[n] || body->layout.of[n] == NULL) {
            continue; /* not here, or a region without a statement */
        }
        for (int u = 0; u < node->uses; u++) {
            widen(body, &homes, node->use[u].var, n, false);
        }
        for (int d = 0; d < node->defines; d++) {
            bool value = node->kind == NODE_VALUE;
            widen(body, &homes, value ? target_var(body, n) : node->define[d], n, true);
        }
    }
    return homes;
}

/* ---- initial values -------------------------------------------------------------------------- */

static struct expr *zero_of(struct arena *arena, const struct type *type)
{
    struct expr *expr = arena_alloc(arena, sizeof(*expr));
    expr->type = type;
    if (type->kind != TYPE_RECORD && type->kind != TYPE_ARRAY) {
        expr->kind = type_is_floating(type) ? EXPR_FLOAT : EXPR_INT;
        return expr;
    }
    bool has_first = type->kind == TYPE_ARRAY || type->record->fields > 0;
    expr->kind = EXPR_INIT;
    expr->kids = has_first ? 1 : 0;
    expr->kid = arena_alloc(arena, sizeof(struct expr *));
    if (has_first) {
        expr->kid[0] =
            zero_of(arena, type->kind == TYPE_ARRAY ? type->elem : type->record->field[0].type);
    }
    return expr;
}

/* A variable that is declared before its definition cannot be const. */
static void make_assignable(struct arena *arena, struct var *var)
{
    if (var->type->is_const) {
        struct type *type = arena_alloc(arena, sizeof(*type));
        *type = *var->type;
        type->is_const = false;
        var->type = type;
    }
}

static bool is_constant(const struct expr *expr)
{
    return expr->kind == EXPR_INT || expr->kind == EXPR_FLOAT;
}

/* A select that branches may set begins as its constant kid, which then no branch need set. */
static void begin_select(const struct graph *graph, int n)
{
    const struct node *node = &graph->node[n];
    const struct expr *expr = node->expr;
    node->var->init = is_constant(expr->kid[2])   ? expr->kid[2]
                      : is_constant(expr->kid[1]) ? expr->kid[1]
                                                  : NULL;
}

static struct side *no_sides(const struct graph *graph)
{
    struct side *side = arena_alloc(graph->arena, (size_t)graph->nodes * sizeof(*side));
    for (int n = 0; n < graph->nodes; n++) {
        side[n].select = -1;
    }
    return side;
}

/* Decides for all bodies of a graph alike which variables are declared where they get their value:
 * those for which that works in the body of all nodes, with its selects as they are. In a body of
 * fewer nodes, or with selects that branches set, no block is closed sooner. */
void bodies_prepare(const struct graph *graph)
{
    struct arena *arena = graph->arena;
    bool *all = arena_alloc(arena, (size_t)graph->nodes * sizeof(*all));
    for (int n = 0; n < graph->nodes; n++) {
        struct node *node = &graph->node[n];
        all[n] = true;
        if (node->kind == NODE_VALUE) {
            make_assignable(arena, node->var);
            node->var->init = node->expr;
        }
    }
    struct body body = add_nodes(graph, all, no_sides(graph), 0, NULL);
    struct homes homes = find_homes(&body);
    for (int h = 0; h < homes.homes; h++) {
        const struct home *home = &homes.home[h];
        const struct node *node = &graph->node[home->node];
        if (node->kind == NODE_VALUE && home->scope != body.layout.of[home->node]) {
            home->var->init = zero_of(arena, home->var->type);
        }
    }
    const struct side *side = selects_find(graph);
    for (int n = 0; n < graph->nodes; n++) {
        if (side[n].select >= 0) {
            begin_select(graph, side[n].select);
        }
    }
}

struct stmt *body_build(const struct graph *graph, const bool *in, int outsides,
                        struct var *const *outside)
{
    struct body body = add_nodes(graph, in, selects_find(graph), outsides, outside);
    struct homes homes = find_homes(&body);
    for (int h = 0; h < homes.homes; h++) {
        const struct home *home = &homes.home[h];
        const struct node *node = &graph->node[home->node];
        bool here = node->kind == NODE_VALUE && home->var->init == node->expr;
        if (!here && !is_outside(&body, home->var)) {
            layout_declare(&body.layout, home->scope, home->node, home->var);
        }
    }
    return layout_finish(&body.layout);
}
