/* graph_overwritten.c: drops stores whose values nobody sees, because a later store of the body
 * replaces them.
 *
 * In: a graph. Out: the same graph without these stores and without values that nothing else needs.
 * A kernel that adds up a record in place, such as "K[i] += x" in an unrolled loop, stores each
 * component once in every turn; the sums are values of the graph, and only the last ones have to
 * reach memory. Compilers find that out only where no call and no store through another pointer
 * stands between two stores.
 */
#include "splitter/graph/graph_impl.h"

/* What the nodes behind the current one do to one component, in one column. */
struct later {
    bool is_stored;            /* one stores it, and none before that one reads it */
    const struct guard *guard; /* of that store */
};

struct overwritten {
    const struct graph *graph;
    struct later *
        *later; /* [args] of a dat: [column * dim + component]; NULL: of other arguments */
};

static struct overwritten overwritten_new(const struct graph *graph)
{
    const struct loop *loop = graph->loop;
    struct overwritten found = {
        graph, arena_alloc(graph->arena, (size_t)loop->args * sizeof(struct later *))};
    for (int a = 0; a < loop->args; a++) {
        const struct arg *arg = &loop->arg[a];
        if (arg->kind == ARG_DAT && arg->access != ACCESS_READ && arg->dim > 0) {
            found.later[a] =
                arena_alloc(graph->arena, (size_t)(arg->columns * arg->dim) * sizeof(struct later));
        }
    }
    return found;
}

/* What is known of the place; NULL: nothing, because it may be any component or column, or is none
 * of a dat. */
static struct later *later_of(const struct overwritten *found, const struct place *place)
{
    const struct arg *arg = &found->graph->loop->arg[place->arg];
    struct later *later = found->later[place->arg];
    bool is_one = later != NULL && place->component >= 0 && place->component < arg->dim &&
                  place->column >= 0 && place->column < arg->columns;
    return is_one ? &later[place->column * arg->dim + place->component] : NULL;
}

/* The place that the node sets to a value which no memory is read for; NULL: it does something
 * else. */
static const struct place *plainly_stored(const struct node *node)
{
    const struct expr *expr =
        node->kind == NODE_STORE && node->stmt->kind == STMT_EXPR ? node->stmt->expr : NULL;
    bool is_plain = expr != NULL && expr->kind == EXPR_ASSIGN && !expr->compound &&
                    expr->kid[0]->kind == EXPR_PLACE &&
                    (expr->kid[1]->kind == EXPR_VAR || expr->kid[1]->kind == EXPR_INT ||
                     expr->kid[1]->kind == EXPR_FLOAT);
    return is_plain ? &expr->kid[0]->place : NULL;
}

/* Whether each condition of `guard` is one of `conditions`, too. */
static bool holds_with(const struct guard *guard, const struct guard *conditions)
{
    for (; guard != NULL; guard = guard->outer) {
        const struct guard *other = conditions;
        while (other != NULL &&
               (other->condition != guard->condition || other->when != guard->when)) {
            other = other->outer;
        }
        if (other == NULL) {
            return false;
        }
    }
    return true;
}

/* Arguments and columns may lead to one record. */
static bool share_dat(const struct loop *loop, int a, int b)
{
    return a == b || (loop->arg[a].kind == ARG_DAT && loop->arg[b].kind == ARG_DAT &&
                      loop->arg[a].dat >= 0 && loop->arg[a].dat == loop->arg[b].dat);
}

/* The place is read: earlier stores of what it may be stay. */
static void note_read(struct overwritten *found, const struct place *place)
{
    const struct loop *loop = found->graph->loop;
    for (int a = 0; a < loop->args; a++) {
        const int dim = loop->arg[a].dim;
        const int places = found->later[a] != NULL && share_dat(loop, a, place->arg)
                               ? loop->arg[a].columns * dim
                               : 0;
        for (int p = 0; p < places; p++) {
            if (place->component < 0 || p % dim == place->component) {
                found->later[a][p].is_stored = false;
            }
        }
    }
}

/* Whether the node stores what a later one surely replaces; the caller goes from the last node to
 * the first. */
static bool is_overwritten(struct overwritten *found, const struct node *node)
{
    const struct place *stored = plainly_stored(node);
    struct later *later = stored != NULL ? later_of(found, stored) : NULL;
    if (later == NULL) {
        for (int p = 0; p < node->places; p++) {
            note_read(found, &node->place[p]);
        }
        return false;
    }
    if (later->is_stored && holds_with(later->guard, node->guard)) {
        return true;
    }
    *later = (struct later){true, node->guard};
    return false;
}

void graph_drop_overwritten(struct graph *graph)
{
    struct overwritten found = overwritten_new(graph);
    bool any = false;
    for (int n = graph->nodes - 1; n >= 0; n--) {
        if (is_overwritten(&found, &graph->node[n])) {
            graph->node[n].once = false; /* so that nothing needs it */
            any = true;
        }
    }
    if (any) {
        graph_drop_dead(graph);
    }
}
