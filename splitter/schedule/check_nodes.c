/* check_nodes.c: checks which nodes of the graph a schedule's bodies compute, how often and in
 * which order.
 *
 * A VALUE is known by its variable, another node by its expressions, which bodies share with the
 * graph. Rules: nothing is left out; nothing is computed twice in one stage, or in a stage where
 * nothing needs it; only SPLIT and owner gather compute something in several stages, and nothing
 * that has effects; the order of the graph is kept.
 */
#include "pass/ir/arena.h"
#include "splitter/schedule/check_impl.h"

static const struct expr *first_expr(const struct stmt *stmt)
{
    const struct expr *found = stmt->expr;
    if (found == NULL && stmt->kind == STMT_DECL && stmt->var->init != NULL) {
        found = stmt->var->init;
    }
    for (int k = 0; k < stmt->kids && found == NULL; k++) {
        found = first_expr(stmt->kid[k]);
    }
    return found;
}

static bool is_assignment(const struct stmt *stmt)
{
    const struct expr *expr = stmt->expr;
    return stmt->kind == STMT_EXPR && expr->kind == EXPR_ASSIGN && !expr->compound &&
           expr->kid[0]->kind == EXPR_VAR;
}

/* A block may stand in a body without its braces: each of its statements leads to the node. */
static void note_statement(struct pointer_map *statement, const struct stmt *stmt, int n)
{
    const struct expr *expr = first_expr(stmt);
    if (expr != NULL) {
        pointer_map_set(statement, expr, n);
    }
    for (int k = 0; stmt->kind == STMT_BLOCK && k < stmt->kids; k++) {
        expr = first_expr(stmt->kid[k]);
        if (expr != NULL) {
            pointer_map_set(statement, expr, n);
        }
    }
}

struct occurrences occurrences_new(struct check *check)
{
    const struct graph *graph = check->loop->graph;
    size_t bytes = (size_t)graph->nodes * sizeof(int);
    struct occurrences occurrences = {.value = graph_value_nodes(graph),
                                      .statement = pointer_map_new(check->arena),
                                      .side = selects_find(graph)};
    int **list[] = {&occurrences.times,     &occurrences.first, &occurrences.last,
                    &occurrences.stage,     &occurrences.taken, &occurrences.within,
                    &occurrences.within_kid};
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        *list[i] = arena_alloc(check->arena, bytes);
    }
    for (int n = 0; n < graph->nodes; n++) {
        if (graph->node[n].kind != NODE_VALUE) {
            note_statement(&occurrences.statement, graph->node[n].stmt, n);
        }
    }
    return occurrences;
}

/* A statement that sets a select's variable to `value` under `guard`; not strict: under any. */
struct part {
    const struct expr *value;
    const struct guard *guard;
    bool strict;
    struct occurrence met;
};

static bool part_is(struct part *part, int node, const struct guard *guard, bool begins)
{
    part->met.node = node;
    part->met.guard = guard;
    part->met.begins = begins;
    return !part->strict || guards_equal(guard, part->guard);
}

/* Select n is set to the value: one of its kids, or the value of a node or another select that
 * stands for one. */
static bool find_part(struct check *check, struct occurrences *occurrences, int n,
                      struct part *part)
{
    const struct graph *graph = check->loop->graph;
    const struct expr *expr = graph->node[n].expr;
    for (int kid = 1; kid <= 2 && select_condition(graph, &occurrences->value, n) >= 0; kid++) {
        const struct expr *name = expr->kid[kid];
        int from = name->kind == EXPR_VAR ? pointer_map_get(&occurrences->value, name->var) : -1;
        const struct guard *guard = select_guard(graph, &occurrences->value, n, kid);
        bool is_kid = name == part->value && part_is(part, n, guard, false);
        bool is_side = from >= 0 && occurrences->side[from].select == n;
        bool is_made = !is_kid && is_side && graph->node[from].expr == part->value &&
                       part_is(part, from, graph->node[from].guard, true);
        if (is_kid || is_made) {
            part->met.select = n;
            part->met.kid = kid;
            return true;
        }
        if (is_side && find_part(check, occurrences, from, part)) {
            occurrences->within[from] = n;
            occurrences->within_kid[from] = kid;
            return true;
        }
    }
    return false;
}

/* A statement that sets a VALUE's variable. */
static struct occurrence find_value(struct check *check, struct occurrences *occurrences,
                                    const struct stmt *stmt, const struct guard *guard)
{
    const struct graph *graph = check->loop->graph;
    const struct var *var = NULL;
    const struct expr *value = NULL;
    if (stmt->kind == STMT_DECL) {
        var = stmt->var;
        value = stmt->var->init;
    } else if (is_assignment(stmt)) {
        var = stmt->expr->kid[0]->var;
        value = stmt->expr->kid[1];
    }
    int n = var != NULL ? pointer_map_get(&occurrences->value, var) : -1;
    if (n >= 0 && value == graph->node[n].expr) {
        return (struct occurrence){n, graph->node[n].guard, true, -1, 0};
    }
    struct part part = {.value = value, .guard = guard, .strict = true};
    bool found = n >= 0 && stmt->kind != STMT_DECL && find_part(check, occurrences, n, &part);
    if (!found && n >= 0 && stmt->kind != STMT_DECL) {
        part.strict = false;
        found = find_part(check, occurrences, n, &part);
    }
    if (found) {
        return part.met;
    }
    return (struct occurrence){.node = -1, .select = -1};
}

struct occurrence occurrences_find(struct check *check, struct occurrences *occurrences,
                                   const struct stmt *stmt, const struct guard *guard)
{
    const struct graph *graph = check->loop->graph;
    const struct expr *expr = first_expr(stmt);
    int n = expr != NULL ? pointer_map_get(&occurrences->statement, expr) : -1;
    if (n < 0) {
        return find_value(check, occurrences, stmt, guard);
    }
    bool begins = expr == first_expr(graph->node[n].stmt);
    return (struct occurrence){n, graph->node[n].guard, begins, -1, 0};
}

static void add(struct check *check, struct occurrences *occurrences, int n)
{
    if (occurrences->times[n] > 0 && occurrences->stage[n] == check->stage) {
        broken(check, "node %d is computed twice", n);
    }
    occurrences->last[n] = ++occurrences->sequence;
    if (occurrences->times[n]++ == 0) {
        occurrences->first[n] = occurrences->last[n];
    }
    occurrences->stage[n] = check->stage;
}

static void take(struct check *check, struct occurrences *occurrences, int select, int kid)
{
    if ((occurrences->taken[select] & 1 << kid) != 0) {
        broken(check, "a branch sets '%s' twice", check->loop->graph->node[select].var->name);
    }
    occurrences->taken[select] |= 1 << kid;
}

void occurrences_add(struct check *check, struct occurrences *occurrences,
                     const struct occurrence *met)
{
    if (met->begins) {
        add(check, occurrences, met->node);
    }
    if (met->select >= 0) {
        take(check, occurrences, met->select, met->kid);
    }
}

/* Whether another stage, or an update, reads a variable that the node sets. */
static bool leaves_stage(const struct check *check, const struct node *node)
{
    const struct stage *stage = checked_stage(check);
    for (int m = 0; m < stage->makes; m++) {
        for (int d = 0; d < node->defines; d++) {
            if (stage->make[m] == node->define[d]) {
                return true;
            }
        }
    }
    return false;
}

/* Every value that a stage computes is read in it, leaves it, or has effects. */
static void check_needed(struct check *check, const struct occurrences *occurrences)
{
    const struct graph *graph = check->loop->graph;
    bool *read = arena_alloc(check->arena, (size_t)graph->nodes * sizeof(*read));
    for (int n = graph->nodes - 1; n >= 0; n--) {
        const struct node *node = &graph->node[n];
        if (occurrences->times[n] == 0 || occurrences->stage[n] != check->stage) {
            continue;
        }
        if (!node->once && !read[n] && !leaves_stage(check, node)) {
            broken(check, "node %d (line %d) is computed, and nothing needs it there", n,
                   node->loc.line);
        }
        for (int u = 0; u < node->uses; u++) {
            read[node->use[u].node] = true;
        }
    }
}

/* For a select of which a branch set one kid: the other kid is its variable's initial value. */
static bool begins_as_other(const struct graph *graph, const struct occurrences *occurrences, int n)
{
    int other = (occurrences->taken[n] & 1 << 1) != 0 ? 2 : 1;
    return graph->node[n].var->init == graph->node[n].expr->kid[other];
}

void occurrences_leave_stage(struct check *check, struct occurrences *occurrences,
                             const bool *declared)
{
    const struct graph *graph = check->loop->graph;
    for (int n = 0; n < graph->nodes; n++) {
        if (occurrences->taken[n] == 0) {
            continue;
        }
        if (occurrences->taken[n] != (1 << 1 | 1 << 2) &&
            !(declared[n] && begins_as_other(graph, occurrences, n))) {
            broken(check, "only one branch sets '%s'", graph->node[n].var->name);
        }
        add(check, occurrences, n);
        if (occurrences->within_kid[n] != 0) {
            take(check, occurrences, occurrences->within[n], occurrences->within_kid[n]);
        }
        occurrences->taken[n] = 0;
        occurrences->within_kid[n] = 0;
    }
    check_needed(check, occurrences);
}

/* ---- rules ----------------------------------------------------------------------------------- */

/* A node that computes nothing, such as an empty statement, is nowhere. */
static bool is_visible(const struct node *node)
{
    return node->kind == NODE_VALUE || first_expr(node->stmt) != NULL;
}

static void check_times(struct check *check, const struct occurrences *occurrences, int n)
{
    const struct node *node = &check->loop->graph->node[n];
    enum schedule_kind kind = check->schedule->kind;
    bool may_recompute = kind == SCHEDULE_SPLIT || kind == SCHEDULE_OWNER_GATHER;
    if (occurrences->times[n] == 0) {
        broken(check, "node %d (line %d) is not computed", n, node->loc.line);
    }
    if (occurrences->times[n] > 1 && (node->once || !may_recompute)) {
        broken(check, "node %d (line %d) is computed in two stages", n, node->loc.line);
    }
    if (node->once && kind == SCHEDULE_OWNER_GATHER && occurrences->stage[n] != 0) {
        broken(check, "node %d (line %d) has effects, and points compute it", n, node->loc.line);
    }
}

/* Points compute their own copies of values, so the order holds within each stage. */
static void check_order(struct check *check, const struct occurrences *occurrences, int n)
{
    const struct node *node = &check->loop->graph->node[n];
    bool copies = check->schedule->kind == SCHEDULE_OWNER_GATHER;
    for (int a = 0; a < node->afters; a++) {
        int before = node->after[a];
        int now = copies ? occurrences->last[n] : occurrences->first[n];
        bool compared = !copies || occurrences->stage[before] == occurrences->stage[n];
        if (occurrences->times[before] > 0 && compared && occurrences->last[before] > now) {
            broken(check, "node %d must run after node %d, and does not", n, before);
        }
    }
}

void occurrences_check(struct check *check, const struct occurrences *occurrences)
{
    const struct graph *graph = check->loop->graph;
    for (int n = 0; n < graph->nodes && check->error == NULL; n++) {
        if (is_visible(&graph->node[n])) {
            check_times(check, occurrences, n);
            check_order(check, occurrences, n);
        }
    }
}
