/* graph_check.c: the invariants of graph.h, node by node, then those of the contributions.
 *
 * In: a graph from lower.c, merged or not. Out: NULL, or which node breaks which rule.
 */
#include "splitter/graph/graph_impl.h"

struct check {
    const struct graph *graph;
    const struct node *node; /* that is checked; NULL: a contribution */
    int number;              /* of it */
    struct pointer_map values;
    struct pointer_map guards; /* that were looked at */
    struct pointer_map inside; /* variables that the node's statement declares */
    const char *message;       /* the first broken rule */
};

static void fail(struct check *check, const char *rule, const char *name)
{
    if (check->message == NULL) {
        check->message = arena_format(
            check->graph->arena, "%s %d (line %d): %s%s%s%s",
            check->node != NULL ? "node" : "contribution", check->number,
            check->node != NULL ? check->node->loc.line
                                : check->graph->contribution[check->number].loc.line,
            rule, name != NULL ? " '" : "", name != NULL ? name : "", name != NULL ? "'" : "");
    }
}

static void require(struct check *check, bool holds, const char *rule)
{
    if (!holds) {
        fail(check, rule, NULL);
    }
}

/* ---- what trees read ---------------------------------------------------------------------------
 */

static bool covers(int set, int one)
{
    return set < 0 || set == one;
}

static bool reads_place(const struct node *node, const struct place *place)
{
    for (int p = 0; p < node->places; p++) {
        const struct place *known = &node->place[p];
        if (known->arg == place->arg && covers(known->column, place->column) &&
            covers(known->component, place->component)) {
            return true;
        }
    }
    return false;
}

static bool reads_argument(const struct node *node, int arg)
{
    for (int p = 0; p < node->places; p++) {
        if (node->place[p].arg == arg) {
            return true;
        }
    }
    return false;
}

static bool is_parameter(const struct loop *loop, const struct var *var)
{
    return var->index >= 0 && var->index < loop->kernel->params &&
           loop->kernel->param[var->index] == var;
}

static bool sets(const struct node *node, const struct var *var)
{
    for (int d = 0; d < node->defines; d++) {
        if (node->define[d] == var) {
            return true;
        }
    }
    return false;
}

static bool uses(const struct node *node, const struct var *var)
{
    for (int u = 0; u < node->uses; u++) {
        if (node->use[u].var == var) {
            return true;
        }
    }
    return false;
}

static void check_variable(struct check *check, const struct var *var)
{
    const struct node *node = check->node;
    if (var->storage == STORAGE_GLOBAL || var->storage == STORAGE_TABLE) {
        return;
    }
    if (is_parameter(check->graph->loop, var)) {
        if (!reads_argument(node, var->index)) {
            fail(check, "none of its places is of the argument that it reads:", var->name);
        }
        return;
    }
    bool own = node->kind == NODE_REGION && sets(node, var);
    if (!own && !uses(node, var) && pointer_map_get(&check->inside, var) < 0) {
        fail(check, "its uses lack a variable that it reads:", var->name);
    }
}

static bool has_side_effect(const struct expr *expr)
{
    return expr->kind == EXPR_ASSIGN ||
           (expr->kind == EXPR_UNARY && expr->unary >= UNARY_PRE_INC) ||
           (expr->kind == EXPR_CALL && expr->callee->kind == FUNCTION_PRINT);
}

/* `target`: expr is assigned to, so that only its subscripts are read. */
static void check_reads(struct check *check, const struct expr *expr, bool target)
{
    if (expr == NULL) {
        return;
    }
    if (check->node->kind == NODE_VALUE) {
        require(check, !has_side_effect(expr), "a value has a side effect");
    }
    if (expr->kind == EXPR_PLACE && !target && !reads_place(check->node, &expr->place)) {
        fail(check, "its places lack what it reads:",
             place_text(check->graph->arena, check->graph->loop, &expr->place));
    }
    if (expr->kind == EXPR_VAR && !target) {
        check_variable(check, expr->var);
    }
    for (int k = 0; k < expr->kids; k++) {
        bool assigned = expr->kind == EXPR_ASSIGN && !expr->compound && k == 0;
        bool part = target && k == 0 && (expr->kind == EXPR_INDEX || expr->kind == EXPR_MEMBER);
        check_reads(check, expr->kid[k], assigned || part);
    }
}

static void check_statement(struct check *check, const struct stmt *stmt)
{
    if (stmt->kind == STMT_DECL) {
        pointer_map_set(&check->inside, stmt->var, 0);
        check_reads(check, stmt->var->init, false);
    }
    /* Check the start of a for first: it declares the variables of the condition. */
    for (int k = 0; k < stmt->kids; k++) {
        check_statement(check, stmt->kid[k]);
    }
    check_reads(check, stmt->expr, false);
    check_reads(check, stmt->step, false);
    require(check, stmt->kind != STMT_RETURN, "it returns");
}

/* ---- nodes ------------------------------------------------------------------------------- */

static void check_kind(struct check *check)
{
    const struct node *node = check->node;
    if (node->kind == NODE_VALUE) {
        require(check, node->var != NULL && node->expr != NULL && node->stmt == NULL,
                "a value has a variable and an expression");
        require(check, node->defines == 1 && node->define[0] == node->var,
                "a value defines its variable alone");
        require(check, !node->once, "a value may be recomputed");
        return;
    }
    require(check, node->stmt != NULL && node->expr == NULL && node->var == NULL,
            "what is not a value has a statement");
    require(check, node->kind == NODE_REGION || node->once, "a store or an effect runs once");
    require(check, node->kind == NODE_REGION || node->defines == 0,
            "a store or an effect defines no variable");
}

static void check_defines(struct check *check)
{
    for (int d = 0; d < check->node->defines; d++) {
        int only = pointer_map_get(&check->values, check->node->define[d]);
        if (only >= 0 && only != check->number) {
            fail(check,
                 "a variable of a value has a second definition:", check->node->define[d]->name);
        }
    }
}

static void check_uses(struct check *check)
{
    const struct node *node = check->node;
    for (int u = 0; u < node->uses; u++) {
        const struct use *use = &node->use[u];
        if (use->node < 0 || use->node >= check->number) {
            fail(check, "it uses a node that does not run before it, for", use->var->name);
        } else if (!sets(&check->graph->node[use->node], use->var)) {
            fail(check, "it uses a node that does not set", use->var->name);
        }
        require(check, u == 0 || node->use[u - 1].node <= use->node, "its uses are not ordered");
        for (int v = u - 1; v >= 0 && node->use[v].node == use->node; v--) {
            require(check, node->use[v].var != use->var, "a use stands twice");
        }
    }
    for (int a = 0; a < node->afters; a++) {
        require(check, node->after[a] >= 0 && node->after[a] < check->number,
                "it runs after a node that comes later");
        require(check, a == 0 || node->after[a - 1] < node->after[a],
                "the nodes that it runs after are not ordered");
    }
}

static bool guard_has(const struct guard *guard, const struct guard *part)
{
    for (; guard != NULL; guard = guard->outer) {
        if (guard->condition == part->condition && guard->when == part->when) {
            return true;
        }
    }
    return false;
}

/* Nodes share guards: each is looked at once. */
static void check_condition(struct check *check, const struct guard *guard,
                            const struct node *condition)
{
    if (pointer_map_get(&check->guards, guard) >= 0) {
        return;
    }
    pointer_map_set(&check->guards, guard, 1);
    for (const struct guard *c = condition->guard; c != NULL; c = c->outer) {
        require(check, guard_has(guard->outer, c),
                "a condition of its guard is not computed wherever the guard asks for it");
    }
}

static void check_guard(struct check *check)
{
    for (const struct guard *g = check->node->guard; g != NULL; g = g->outer) {
        if (g->condition < 0 || g->condition >= check->number) {
            fail(check, "a condition of its guard does not run before it", NULL);
            return;
        }
        const struct node *condition = &check->graph->node[g->condition];
        if (condition->kind != NODE_VALUE || condition->var == NULL) {
            fail(check, "a condition of its guard is no value", NULL);
            return;
        }
        enum type_kind kind = condition->var->type->kind;
        require(check, kind != TYPE_ARRAY && kind != TYPE_RECORD && kind != TYPE_VOID,
                "a condition of its guard is no scalar");
        if (!uses(check->node, condition->var)) {
            fail(check, "its uses lack a condition of its guard:", condition->var->name);
        }
        check_condition(check, g, condition);
    }
}

static void check_places(struct check *check)
{
    const struct node *node = check->node;
    const struct loop *loop = check->graph->loop;
    for (int p = 0; p < node->places; p++) {
        const struct place *place = &node->place[p];
        if (place->arg < 0 || place->arg >= loop->args) {
            fail(check, "a place is of no argument", NULL);
            return;
        }
        const struct arg *arg = &loop->arg[place->arg];
        require(check, place->column >= -1 && place->column < arg->columns,
                "a place's column is out of range");
        require(check, place->component >= -1 && (arg->dim < 0 || place->component < arg->dim),
                "a place's component is out of range");
        require(check, p == 0 || place_compare(place - 1, place) < 0, "its places are not ordered");
    }
}

static void check_node(struct check *check, int n)
{
    check->node = &check->graph->node[n];
    check->number = n;
    check->inside = pointer_map_new(check->graph->arena);
    check_kind(check);
    if (check->message != NULL) {
        return;
    }
    check_defines(check);
    check_uses(check);
    check_guard(check);
    check_places(check);
    require(check, check->node->flops >= 0, "its flops are negative");
    if (check->message == NULL && check->node->kind == NODE_VALUE) {
        check_reads(check, check->node->expr, false);
    } else if (check->message == NULL) {
        check_statement(check, check->node->stmt);
    }
}

/* ---- contributions ----------------------------------------------------------------------- */

static bool is_constant(const struct expr *expr)
{
    return expr->kind == EXPR_INT || expr->kind == EXPR_FLOAT ||
           ((expr->kind == EXPR_CAST ||
             (expr->kind == EXPR_UNARY &&
              (expr->unary == UNARY_NEG || expr->unary == UNARY_PLUS))) &&
            is_constant(expr->kid[0]));
}

/* Whether an update can still read the value after the body has run. */
static bool is_update_value(const struct loop *loop, const struct expr *value)
{
    if (value->kind != EXPR_PLACE) {
        return value->kind == EXPR_VAR || is_constant(value);
    }
    const struct arg *arg = &loop->arg[value->place.arg];
    return !arg->is_indirect && arg->access == ACCESS_READ &&
           (arg->kind == ARG_DAT || arg->kind == ARG_GLOBAL);
}

static void check_value(struct check *check, const struct contribution *contribution)
{
    const struct graph *graph = check->graph;
    const struct expr *value = contribution->update.value;
    require(check, is_update_value(graph->loop, value), "an update cannot read its value");
    bool is_local = value->kind == EXPR_VAR && value->var->storage == STORAGE_LOCAL;
    require(check, is_local == (contribution->node >= 0),
            "it names a node where its value is no variable, or none where it is");
    if (contribution->node >= graph->nodes) {
        fail(check, "it names a node that does not exist", NULL);
    } else if (is_local && contribution->node >= 0) {
        const struct node *node = &graph->node[contribution->node];
        require(check, sets(node, value->var), "its node does not set its value");
        require(check, node->guard == NULL, "its value is not made for every element");
    }
}

static bool may_be_updated(const struct arg *arg)
{
    return arg->kind == ARG_DAT && arg->is_indirect &&
           (arg->access == ACCESS_INC || arg->access == ACCESS_MIN || arg->access == ACCESS_MAX);
}

static void check_merged(struct check *check, const struct contribution *contribution)
{
    const struct graph *graph = check->graph;
    int first = contribution->merged;
    if (first < 0 || first > check->number || graph->contribution[first].merged != first) {
        fail(check, "it is merged with what is not a first contribution", NULL);
        return;
    }
    require(check, graph->contribution[first].node == contribution->node,
            "it is merged with a contribution of another value");
}

static void check_contribution(struct check *check, int c)
{
    const struct contribution *contribution = &check->graph->contribution[c];
    const struct update *update = &contribution->update;
    const struct loop *loop = check->graph->loop;
    check->node = NULL;
    check->number = c;
    if (update->place.arg < 0 || update->place.arg >= loop->args || update->value == NULL) {
        fail(check, "it has no argument or no value", NULL);
        return;
    }
    const struct arg *arg = &loop->arg[update->place.arg];
    require(check, may_be_updated(arg), "its argument is not incremented through a map");
    require(check,
            update->place.column >= 0 && update->place.column < arg->columns &&
                update->place.component >= 0 && update->place.component < arg->dim,
            "its place is out of range");
    require(check, c == 0 || place_compare(&update[0].place, &contribution[-1].update.place) > 0,
            "contributions are not ordered by place, each once");
    require(check, arg->access == ACCESS_INC || (!update->negative && update->scale == NULL),
            "a minimum or maximum has a sign or a scale");
    require(check, update->scale == NULL || is_constant(update->scale), "its scale is no constant");
    check_value(check, contribution);
    check_merged(check, contribution);
}

const char *graph_check(const struct graph *graph)
{
    struct check check = {.graph = graph,
                          .values = graph_value_nodes(graph),
                          .guards = pointer_map_new(graph->arena)};
    bool effects = false;
    for (int n = 0; n < graph->nodes && check.message == NULL; n++) {
        check_node(&check, n);
        effects = effects || graph->node[n].once;
    }
    for (int c = 0; c < graph->contributions && check.message == NULL; c++) {
        check_contribution(&check, c);
    }
    if (check.message == NULL && graph->effects != effects) {
        check.message = "'effects' does not say whether some node runs once";
    }
    return check.message;
}
