/* lower_branch.c: branches. A branch is followed with its condition as guard of every node; at its
 * end all changes are taken back, and where both branches are known, each leaf that differs gets a
 * value selected by the condition.
 */
#include "splitter/lower/lower_impl.h"

/* Whether the value has C's type int, but is always 0 or 1. */
static bool is_logical(const struct expr *expr)
{
    return (expr->kind == EXPR_UNARY && expr->unary == UNARY_NOT) ||
           (expr->kind == EXPR_BINARY &&
            ((expr->binary >= BINARY_LT && expr->binary <= BINARY_NE) ||
             expr->binary == BINARY_LAND || expr->binary == BINARY_LOR));
}

struct expr *branch_condition(struct lower *lower, struct expr *condition, const char *name)
{
    const struct local *local;
    bool truth;

    if (expr_truth(condition, &truth)) {
        return make_bool(lower, truth);
    }
    local = expr_local(condition);
    if (local != NULL && !local->is_inner && local->node >= 0 &&
        lower->graph->node[local->node].kind == NODE_VALUE) {
        return condition;
    }
    if (is_logical(condition)) {
        condition = make_cast(lower, &lower_bool, condition, true);
    }
    return node_version(lower, name, condition);
}

static void limit_guards(struct lower *lower)
{
    int depth = 0;

    for (const struct guard *guard = lower->guard; guard != NULL; guard = guard->outer) {
        depth++;
    }
    if (depth >= GRAPH_MAX_GUARDS) {
        lower_refuse(lower,
                     arena_format(lower->arena, "its conditions are nested more than %d deep",
                                  GRAPH_MAX_GUARDS));
    }
}

struct branch branch_begin(struct lower *lower, struct expr *condition, bool when)
{
    struct branch branch = {lower->changes, lower->leaves, lower->guard};
    struct guard *guard = arena_alloc(lower->arena, sizeof(*guard));

    limit_guards(lower);
    guard->condition = expr_local(condition)->node;
    guard->when = when;
    guard->outer = lower->guard;
    lower->guard = guard;
    return branch;
}

static bool is_same(const struct value *a, const struct value *b)
{
    if (a->target != NULL || b->target != NULL) {
        return a->target != NULL && b->target != NULL && location_same(a->target, b->target);
    }
    if (a->atom == NULL || b->atom == NULL) {
        return a->atom == b->atom;
    }
    return expr_same(a->atom, b->atom);
}

/* The leaves changed since, that were there before, with their values now; then goes back. */
struct join branch_end(struct lower *lower, const struct branch *branch)
{
    struct join join = {0};
    int room = 0;

    for (int c = lower->changes - 1; c >= branch->mark; c--) {
        int leaf = lower->change[c].leaf;
        bool is_known = leaf >= branch->leaves;

        /* The last change of a leaf is met first; only the first one holds the old value. */
        for (int n = 0; n < join.count && !is_known; n++) {
            is_known = join.change[n].leaf == leaf;
        }
        if (!is_known) {
            join.change =
                arena_grow(lower->arena, join.change, join.count, &room, sizeof(*join.change));
            join.change[join.count].leaf = leaf;
            join.change[join.count++].old = lower->leaf[leaf].value;
        }
    }
    for (; lower->changes > branch->mark; lower->changes--) {
        const struct change *change = &lower->change[lower->changes - 1];

        lower->leaf[change->leaf].value = change->old;
    }
    lower->guard = branch->guard;
    return join;
}

static bool is_bool(const struct expr *expr, bool *truth)
{
    return expr->type->kind == TYPE_BOOL && expr_truth(expr, truth);
}

static struct expr *select_bool(struct lower *lower, struct expr *condition, struct expr *yes,
                                struct expr *no)
{
    bool a = false;
    bool b = false;
    bool is_a = is_bool(yes, &a) || expr_same(yes, condition);
    bool is_b = is_bool(no, &b) || expr_same(no, condition);

    a = a || (is_a && expr_same(yes, condition)); /* the condition holds in its own branch */
    if (is_a && is_b && a == b) {
        return make_bool(lower, a);
    }
    if (is_a && is_b && condition->type->kind == TYPE_BOOL) {
        return a ? condition : make_unary(lower, UNARY_NOT, &lower_bool, condition);
    }
    return make_cond(lower, &lower_bool, condition, is_a ? make_bool(lower, a) : yes,
                     is_b ? make_bool(lower, b) : no);
}

struct value branch_select(struct lower *lower, struct expr *condition, struct value yes,
                           struct value no, const struct leaf *leaf)
{
    bool truth;

    if (expr_truth(condition, &truth)) {
        return truth ? yes : no;
    }
    if (is_same(&yes, &no)) {
        return yes;
    }
    if (leaf->role == ROLE_CACHE && (yes.atom == NULL || no.atom == NULL)) {
        return (struct value){0};
    }
    if (leaf->type->kind == TYPE_POINTER) {
        yes.target = location_either(lower, condition, yes.target, no.target);
        return yes;
    }
    yes.atom = yes.atom != NULL ? yes.atom : leaf_default(lower, leaf);
    no.atom = no.atom != NULL ? no.atom : leaf_default(lower, leaf);
    yes.atom = leaf->type->kind == TYPE_BOOL
                   ? select_bool(lower, condition, yes.atom, no.atom)
                   : make_cond(lower, leaf->type, condition, yes.atom, no.atom);
    return yes;
}

static const struct value *find(const struct join *join, int leaf)
{
    for (int n = 0; join != NULL && n < join->count; n++) {
        if (join->change[n].leaf == leaf) {
            return &join->change[n].old;
        }
    }
    return NULL;
}

static void join_leaf(struct lower *lower, struct expr *condition, int leaf, const struct join *yes,
                      const struct join *no)
{
    const struct value *a = find(yes, leaf);
    const struct value *b = find(no, leaf);
    struct value value =
        branch_select(lower, condition, a != NULL ? *a : lower->leaf[leaf].value,
                      b != NULL ? *b : lower->leaf[leaf].value, &lower->leaf[leaf]);

    if (value.atom != NULL) {
        leaf_assign(lower, leaf, value.atom);
    } else {
        leaf_set(lower, leaf, value);
    }
}

void branch_join(struct lower *lower, struct expr *condition, const struct join *yes,
                 const struct join *no)
{
    for (int n = yes != NULL ? yes->count - 1 : -1; n >= 0; n--) {
        join_leaf(lower, condition, yes->change[n].leaf, yes, no);
    }
    for (int n = no != NULL ? no->count - 1 : -1; n >= 0; n--) {
        if (find(yes, no->change[n].leaf) == NULL) {
            join_leaf(lower, condition, no->change[n].leaf, yes, no);
        }
    }
}
