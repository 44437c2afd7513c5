/* contributions.c: contributions that are equal up to sign and a constant factor get one value.
 *
 * In: a graph from lower.c. Out: the same graph, where equal contributions share the value of the
 * first (v and -v; 2 * v and 0.5 * v), and the nodes that only the others needed are gone. Which
 * values are equal: value_number.h. Exact: a factor is applied to the value where it would have
 * been applied, only later.
 */
#include <math.h>
#include <stdlib.h>

#include "splitter/graph/graph.h"
#include "splitter/graph/value_number.h"

/* The value of a contribution: (negative) scale * value number `id`. */
struct shape {
    struct value_ref value; /* as written */
    int root;               /* number of the value that crosses */
    bool scaled;
    double scale;
    bool negative;
};

struct merge {
    struct graph *graph;
    struct value_numbers *numbers;
    struct shape *shape; /* of each contribution */
};

static bool is_increment(const struct merge *merge, int c)
{
    int arg = merge->graph->contribution[c].update.place.arg;
    return merge->graph->loop->arg[arg].access == ACCESS_INC;
}

/* ---- constant factors --------------------------------------------------------------------------
 */

static struct expr *constant(struct graph *graph, const struct type *type, double value)
{
    struct expr *expr = arena_alloc(graph->arena, sizeof(*expr));
    expr->kind = EXPR_FLOAT;
    expr->type = type;
    expr->value = value;
    return expr;
}

/* A division is a product only where the divisor's reciprocal is exact. */
static bool is_power_of_two(double value)
{
    int exponent;
    return isfinite(value) && fabs(frexp(value, &exponent)) == 0.5 && abs(exponent) < 100;
}

/* Takes a constant factor off value number `id`: the other factor, or -1; *scale: the factor. */
static int without_factor(const struct merge *merge, int id, double *scale)
{
    const struct value_op *op = &merge->numbers->op[id];
    double value;
    if (op->kind != EXPR_BINARY || !type_is_floating(op->type) ||
        (op->op != BINARY_MUL && op->op != BINARY_DIV)) {
        return -1;
    }
    for (int k = 0; k < 2; k++) {
        int other = op->kid[1 - k].id;
        double rest;
        if (!value_is_constant(merge->numbers, op->kid[k].id, &value) ||
            value_is_constant(merge->numbers, other, &rest)) {
            continue;
        }
        if (op->op == BINARY_MUL) {
            *scale = value;
            return other;
        }
        if (k == 1 && is_power_of_two(value)) {
            *scale = 1 / value;
            return other;
        }
    }
    return -1;
}

/* Whether an update can read the value without a variable: a constant, or data that belongs to the
 * element. */
static bool is_readable_leaf(const struct merge *merge, int id)
{
    const struct value_op *op = &merge->numbers->op[id];
    const struct expr *expr = op->expr;
    if (expr->kind == EXPR_INT || expr->kind == EXPR_FLOAT) {
        return op->kind == expr->kind;
    }
    if (expr->kind != EXPR_PLACE) {
        return false;
    }
    const struct loop *loop = merge->graph->loop;
    const struct arg *arg = &loop->arg[expr->place.arg];
    return op->kind == EXPR_PLACE && !arg->is_indirect && arg->access == ACCESS_READ &&
           (arg->kind == ARG_DAT || arg->kind == ARG_GLOBAL) &&
           arg_is_constant(loop, expr->place.arg);
}

static bool can_cross(const struct merge *merge, int id)
{
    return merge->numbers->op[id].home >= 0 || is_readable_leaf(merge, id);
}

/* Whether a contribution other than c has the value `base`, or a multiple of it that is not c's. */
static bool is_shared(const struct merge *merge, int c, int base)
{
    int own = merge->shape[c].value.id;
    for (int d = 0; d < merge->graph->contributions; d++) {
        int id = merge->shape[d].value.id;
        double scale;
        if (is_increment(merge, d) && id != own &&
            (id == base || without_factor(merge, id, &scale) == base)) {
            return true;
        }
    }
    return false;
}

static void find_root(struct merge *merge, int c)
{
    struct shape *shape = &merge->shape[c];
    double scale;
    shape->root = shape->value.id;
    shape->negative = shape->value.negative;
    int base = is_increment(merge, c) ? without_factor(merge, shape->root, &scale) : -1;
    if (base >= 0 && can_cross(merge, base) && is_shared(merge, c, base)) {
        shape->root = base;
        shape->scaled = true;
        shape->scale = scale;
    }
}

/* ---- groups ------------------------------------------------------------------------------ */

static bool are_equal(const struct merge *merge, int c, int d)
{
    const struct shape *a = &merge->shape[c];
    const struct shape *b = &merge->shape[d];
    bool increments = is_increment(merge, c);
    return a->root == b->root && increments == is_increment(merge, d) &&
           (increments || a->negative == b->negative);
}

/* The value that the group of `first` shares, and the sign of it against the root. */
struct shared {
    struct expr *value;
    int node;
    bool negative;
};

static struct expr *variable(struct graph *graph, const struct node *node)
{
    struct expr *expr = arena_alloc(graph->arena, sizeof(*expr));
    expr->kind = EXPR_VAR;
    expr->type = node->var->type;
    expr->loc = node->loc;
    expr->var = node->var;
    return expr;
}

/* The user's own variable where one of the group has it; else one that holds the root. */
static struct shared shared_value(const struct merge *merge, int first)
{
    const struct shape *shape = merge->shape;
    struct graph *graph = merge->graph;
    const struct value_op *root = &merge->numbers->op[shape[first].root];
    if (is_readable_leaf(merge, shape[first].root) &&
        (is_increment(merge, first) || !shape[first].negative)) {
        struct expr *copy = arena_alloc(graph->arena, sizeof(*copy));
        *copy = *root->expr;
        return (struct shared){copy, -1, false};
    }
    for (int c = first; c < graph->contributions; c++) {
        if (are_equal(merge, first, c) && !shape[c].scaled) {
            const struct contribution *own = &graph->contribution[c];
            return (struct shared){own->update.value, own->node, shape[c].negative};
        }
    }
    return (struct shared){variable(graph, &graph->node[root->home]), root->home,
                           root->home_negative};
}

static void share(struct merge *merge, int first)
{
    struct shared shared = shared_value(merge, first);
    for (int c = first; c < merge->graph->contributions; c++) {
        struct contribution *contribution = &merge->graph->contribution[c];
        struct update *update = &contribution->update;
        if (!are_equal(merge, first, c)) {
            continue;
        }
        const struct shape *shape = &merge->shape[c];
        contribution->merged = first;
        contribution->node = shared.node;
        update->value = shared.value;
        update->negative = update->negative != (shape->negative != shared.negative);
        if (shape->scaled) {
            update->scale = constant(merge->graph, shared.value->type, shape->scale);
        }
    }
}

/* ---- what looks alike and is not merged -------------------------------------------------- */

static bool is_other_end(const struct graph *graph, int c, int d)
{
    const struct loop *loop = graph->loop;
    const struct place *a = &graph->contribution[c].update.place;
    const struct place *b = &graph->contribution[d].update.place;
    return a->component == b->component && args_share_group(loop, a->arg, b->arg);
}

/* The contribution to the other end, where there are two; -1. */
static int other_end(const struct graph *graph, int c)
{
    int found = -1;
    for (int d = 0; d < graph->contributions; d++) {
        if (d != c && is_other_end(graph, c, d)) {
            if (found >= 0) {
                return -1;
            }
            found = d;
        }
    }
    return found;
}

static void note_unmerged(struct merge *merge, const int *first_value)
{
    struct graph *graph = merge->graph;
    int alike = 0;
    int c = -1;
    int d = -1;
    for (int i = 0; i < graph->contributions; i++) {
        int j = other_end(graph, i);
        const struct contribution *own = &graph->contribution[i];
        if (j < i || own->node < 0 || graph->contribution[j].node < 0 || !is_increment(merge, i) ||
            own->merged == graph->contribution[j].merged ||
            merge->numbers->op[first_value[i]].shape != merge->numbers->op[first_value[j]].shape) {
            continue;
        }
        c = alike++ == 0 ? i : c;
        d = alike == 1 ? j : d;
    }
    if (alike == 0) {
        return;
    }
    int values = graph_tmp_values(graph);
    graph->unmerged = arena_format(
        graph->arena,
        "what is added to '%s' (line %d) and to '%s' (line %d) has the same form, but is not the "
        "same up to its sign as it is written: %d contributions are kept where %d would do",
        place_text(graph->arena, graph->loop, &graph->contribution[c].update.place),
        graph->contribution[c].loc.line,
        place_text(graph->arena, graph->loop, &graph->contribution[d].update.place),
        graph->contribution[d].loc.line, values, values - alike);
}

/* ---- the whole --------------------------------------------------------------------------- */

void graph_merge(struct graph *graph)
{
    int count = graph->contributions;
    struct merge merge = {.graph = graph, .numbers = value_numbers_new(graph)};
    int *number = arena_alloc(graph->arena, sizeof(*number) * (size_t)count);
    merge.shape = arena_alloc(graph->arena, sizeof(*merge.shape) * (size_t)count);
    for (int c = 0; c < count; c++) {
        merge.shape[c].value = value_number(merge.numbers, graph->contribution[c].update.value);
        number[c] = merge.shape[c].value.id;
    }
    for (int c = 0; c < count; c++) {
        find_root(&merge, c);
    }
    for (int c = 0; c < count; c++) {
        if (graph->contribution[c].merged == c) {
            share(&merge, c);
        }
    }
    note_unmerged(&merge, number);
    graph_drop_dead(graph);
}

int graph_tmp_values(const struct graph *graph)
{
    return graph_vars_taken(graph, graph->arena).vars;
}
