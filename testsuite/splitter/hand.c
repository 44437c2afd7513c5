/* hand.c: loops and graphs made by hand, see hand.h. */
#include "hand.h"

#include <string.h>

static const struct type real = {.kind = TYPE_DOUBLE, .size = 8};
static const struct type pointer = {.kind = TYPE_POINTER, .size = 8, .elem = &real};
enum { MAX_ARGS = 32 };

struct hand *hand_new(void)
{
    struct arena *arena = arena_new();
    struct hand *hand = arena_alloc(arena, sizeof(*hand));
    hand->arena = arena;
    hand->loop = arena_alloc(arena, sizeof(*hand->loop));
    hand->loop->name = hand->loop->id = "by_hand";
    hand->loop->loc = (struct loc){"hand.c", 1, 1};
    hand->loop->set_text = "edges";
    hand->loop->arg = arena_alloc(arena, sizeof(struct arg) * MAX_ARGS);
    struct function *kernel = arena_alloc(arena, sizeof(*kernel));
    kernel->name = kernel->user_name = "by_hand";
    kernel->param = arena_alloc(arena, sizeof(struct var *) * MAX_ARGS);
    hand->loop->kernel = kernel;
    hand->graph = arena_alloc(arena, sizeof(*hand->graph));
    hand->graph->arena = arena;
    hand->graph->loop = hand->loop;
    hand->loop->graph = hand->graph;
    return hand;
}

void hand_free(struct hand *hand)
{
    arena_free(hand->arena);
}

static struct var *new_var(struct hand *hand, const char *name, const struct type *type, int index)
{
    struct var *var = arena_alloc(hand->arena, sizeof(*var));
    var->name = arena_text(hand->arena, name);
    var->type = type;
    var->storage = index >= 0 ? STORAGE_PARAM : STORAGE_LOCAL;
    var->index = index;
    return var;
}

int hand_arg(struct hand *hand, const char *name, int dat, int map, int column, int dim,
             enum access access)
{
    struct function *kernel = hand->loop->kernel;
    int number = hand->loop->args++;
    struct arg *arg = &hand->loop->arg[number];
    *arg = (struct arg){.kind = ARG_DAT,
                        .declared = access,
                        .access = access,
                        .type = &real,
                        .type_name = "double",
                        .dim = dim,
                        .is_indirect = map >= 0,
                        .map_index = map >= 0 ? column : 0,
                        .columns = 1,
                        .dat = dat,
                        .map = map,
                        .info_of = -1};
    arg->dat_text = arena_format(hand->arena, "p_%s", name);
    arg->map_text = map >= 0 ? arena_format(hand->arena, "map%d", map) : NULL;
    kernel->param[kernel->params++] = new_var(hand, name, &pointer, number);
    return number;
}

/* ---- expressions -------------------------------------------------------------------------------
 */

static struct expr *new_expr(struct hand *hand, enum expr_kind kind, int kids)
{
    struct expr *expr = arena_alloc(hand->arena, sizeof(*expr));
    expr->kind = kind;
    expr->type = &real;
    expr->kids = kids;
    expr->kid = arena_alloc(hand->arena, sizeof(struct expr *) * (size_t)kids);
    return expr;
}

struct expr *hand_place(struct hand *hand, int arg, int component)
{
    struct expr *expr = new_expr(hand, EXPR_PLACE, 0);
    expr->var = hand->loop->kernel->param[arg];
    expr->place = (struct place){arg, 0, component};
    return expr;
}

struct expr *hand_number(struct hand *hand, double value)
{
    struct expr *expr = new_expr(hand, EXPR_FLOAT, 0);
    expr->value = value;
    return expr;
}

struct expr *hand_read(struct hand *hand, int node)
{
    struct expr *expr = new_expr(hand, EXPR_VAR, 0);
    expr->var = hand->graph->node[node].var;
    return expr;
}

struct expr *hand_neg(struct hand *hand, struct expr *kid)
{
    struct expr *expr = new_expr(hand, EXPR_UNARY, 1);
    expr->unary = UNARY_NEG;
    expr->kid[0] = kid;
    return expr;
}

struct expr *hand_op(struct hand *hand, enum binary_op op, struct expr *a, struct expr *b)
{
    struct expr *expr = new_expr(hand, EXPR_BINARY, 2);
    expr->binary = op;
    expr->kid[0] = a;
    expr->kid[1] = b;
    return expr;
}

struct expr *hand_cond(struct hand *hand, struct expr *c, struct expr *a, struct expr *b)
{
    struct expr *expr = new_expr(hand, EXPR_COND, 3);
    expr->kid[0] = c;
    expr->kid[1] = a;
    expr->kid[2] = b;
    return expr;
}

/* Calls of one name call one function. */
static struct function *function_of(struct hand *hand, const char *name)
{
    struct function *kernel = hand->loop->kernel;
    for (int f = 0; f < kernel->callees; f++) {
        if (strcmp(kernel->callee[f]->name, name) == 0) {
            return kernel->callee[f];
        }
    }
    struct function *function = arena_alloc(hand->arena, sizeof(*function));
    function->name = function->user_name = name;
    function->kind = FUNCTION_MATH;
    function->result = &real;
    if (kernel->callee == NULL) {
        kernel->callee = arena_alloc(hand->arena, sizeof(struct function *) * MAX_ARGS);
    }
    kernel->callee[kernel->callees++] = function;
    return function;
}

struct expr *hand_call(struct hand *hand, const char *name, struct expr *kid)
{
    struct expr *expr = new_expr(hand, EXPR_CALL, 1);
    expr->callee = function_of(hand, name);
    expr->kid[0] = kid;
    return expr;
}

/* ---- nodes ------------------------------------------------------------------------------- */

static void add_use(struct hand *hand, struct node *node, int from)
{
    struct var *var = hand->graph->node[from].var;
    int at = 0;
    while (at < node->uses && node->use[at].node < from) {
        at++;
    }
    if (at < node->uses && node->use[at].node == from) {
        return;
    }
    struct use *use = arena_alloc(hand->arena, sizeof(*use) * (size_t)(node->uses + 1));
    for (int u = 0; u <= node->uses; u++) {
        use[u] = u == at ? (struct use){from, var} : node->use[u > at ? u - 1 : u];
    }
    node->use = use;
    node->uses++;
}

static void add_place(struct hand *hand, struct node *node, struct place add)
{
    int at = 0;
    while (at < node->places && place_compare(&node->place[at], &add) < 0) {
        at++;
    }
    if (at < node->places && place_compare(&node->place[at], &add) == 0) {
        return;
    }
    struct place *place = arena_alloc(hand->arena, sizeof(*place) * (size_t)(node->places + 1));
    for (int p = 0; p <= node->places; p++) {
        place[p] = p == at ? add : node->place[p > at ? p - 1 : p];
    }
    node->place = place;
    node->places++;
}

static void add_reads(struct hand *hand, struct node *node, const struct expr *expr)
{
    if (expr->kind == EXPR_PLACE) {
        add_place(hand, node, expr->place);
    }
    for (int n = 0; expr->kind == EXPR_VAR && n < hand->graph->nodes; n++) {
        if (hand->graph->node[n].var == expr->var) {
            add_use(hand, node, n);
        }
    }
    node->flops += expr->kind == EXPR_BINARY || expr->kind == EXPR_CALL;
    for (int k = 0; k < expr->kids; k++) {
        add_reads(hand, node, expr->kid[k]);
    }
}

/* The node is added by the caller once it is complete: an expression may not name it. */
static struct node new_node(struct hand *hand, enum node_kind kind, const struct expr *expr)
{
    struct node node = {.kind = kind, .guard = hand->guard, .loc = {"hand.c", 0, 1}};
    node.loc.line = hand->graph->nodes + 1;
    add_reads(hand, &node, expr);
    for (const struct guard *g = node.guard; g != NULL; g = g->outer) {
        add_use(hand, &node, g->condition);
    }
    return node;
}

static int add_node(struct hand *hand, struct node node)
{
    struct graph *graph = hand->graph;
    graph->node = arena_grow(hand->arena, graph->node, graph->nodes, &hand->node_capacity,
                             sizeof(*graph->node));
    graph->node[graph->nodes] = node;
    return graph->nodes++;
}

int hand_value(struct hand *hand, const char *name, struct expr *expr)
{
    struct node node = new_node(hand, NODE_VALUE, expr);
    node.var = new_var(hand, name, expr->type, -1);
    node.expr = expr;
    node.define = arena_alloc(hand->arena, sizeof(*node.define));
    node.define[0] = node.var;
    node.defines = 1;
    return add_node(hand, node);
}

int hand_store(struct hand *hand, int arg, int component, struct expr *value, int after)
{
    struct node node = new_node(hand, NODE_STORE, value);
    struct expr *assign = new_expr(hand, EXPR_ASSIGN, 2);
    assign->kid[0] = hand_place(hand, arg, component);
    assign->kid[1] = value;
    node.stmt = arena_alloc(hand->arena, sizeof(*node.stmt));
    node.stmt->kind = STMT_EXPR;
    node.stmt->expr = assign;
    node.once = true;
    hand->graph->effects = true;
    if (after >= 0) {
        node.after = arena_alloc(hand->arena, sizeof(*node.after));
        node.after[0] = after;
        node.afters = 1;
    }
    return add_node(hand, node);
}

static struct contribution *add_contribution(struct hand *hand, int arg, int component)
{
    struct graph *graph = hand->graph;
    graph->contribution = arena_grow(hand->arena, graph->contribution, graph->contributions,
                                     &hand->contribution_capacity, sizeof(*graph->contribution));
    struct contribution *own = &graph->contribution[graph->contributions];
    own->update.place = (struct place){arg, 0, component};
    own->loc = (struct loc){"hand.c", 100 + graph->contributions, 1};
    own->merged = graph->contributions++;
    return own;
}

void hand_add(struct hand *hand, int arg, int component, int node)
{
    struct contribution *own = add_contribution(hand, arg, component);
    own->update.value = hand_read(hand, node);
    own->node = node;
}

void hand_add_leaf(struct hand *hand, int arg, int component, struct expr *value, bool negative)
{
    struct contribution *own = add_contribution(hand, arg, component);
    own->update.value = value;
    own->update.negative = negative;
    own->node = -1;
}
