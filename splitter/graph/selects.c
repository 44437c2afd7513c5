/* selects.c: finds the values that an if's branches make for one variable.
 *
 *   [c]  a = x              if (c) { v = x; }
 *   [!c] b = y              else { v = y; }
 *   v = c ? a : b
 *
 * In: a graph. Out: which values are read by one select alone and made in the branch that it takes
 * them from, so that the branch may set the select's variable itself, as the user had it.
 */
#include "pass/ir/arena.h"
#include "splitter/graph/selects.h"

bool guards_equal(const struct guard *a, const struct guard *b)
{
    while (a != b && a != NULL && b != NULL && a->condition == b->condition && a->when == b->when) {
        a = a->outer;
        b = b->outer;
    }
    return a == b;
}

int select_condition(const struct graph *graph, const struct pointer_map *values, int n)
{
    const struct node *node = &graph->node[n];
    if (node->kind != NODE_VALUE || node->expr->kind != EXPR_COND ||
        node->expr->kid[0]->kind != EXPR_VAR) {
        return -1;
    }
    return pointer_map_get(values, node->expr->kid[0]->var);
}

const struct guard *select_guard(const struct graph *graph, const struct pointer_map *values, int n,
                                 int kid)
{
    struct guard *guard = arena_alloc(graph->arena, sizeof(*guard));
    guard->condition = select_condition(graph, values, n);
    guard->when = kid == 1;
    guard->outer = graph->node[n].guard;
    return guard;
}

/* readers[n]: how many nodes and updates read the variable of node n. */
static int *count_readers(const struct graph *graph)
{
    int *readers = arena_alloc(graph->arena, (size_t)graph->nodes * sizeof(*readers));
    for (int n = 0; n < graph->nodes; n++) {
        for (int u = 0; u < graph->node[n].uses; u++) {
            readers[graph->node[n].use[u].node]++;
        }
    }
    for (int c = 0; c < graph->contributions; c++) {
        if (graph->contribution[c].node >= 0) {
            readers[graph->contribution[c].node]++;
        }
    }
    return readers;
}

struct side *selects_find(const struct graph *graph)
{
    struct pointer_map values = graph_value_nodes(graph);
    struct side *side = arena_alloc(graph->arena, (size_t)graph->nodes * sizeof(*side));
    int *readers = count_readers(graph);
    for (int n = 0; n < graph->nodes; n++) {
        side[n] = (struct side){-1, 0};
        int condition = select_condition(graph, &values, n);
        for (int kid = 1; kid <= 2 && condition >= 0; kid++) {
            const struct expr *value = graph->node[n].expr->kid[kid];
            int from = value->kind == EXPR_VAR ? pointer_map_get(&values, value->var) : -1;
            if (from >= 0 && readers[from] == 1 &&
                type_same(value->var->type, graph->node[n].var->type) &&
                guards_equal(graph->node[from].guard, select_guard(graph, &values, n, kid))) {
                side[from] = (struct side){n, kid};
            }
        }
    }
    return side;
}
