/* exact.c: whether a joined loop rounds as its members do.
 *
 * In: a joined loop with its graph. Out: yes, or perhaps not. Values that pass from one member to
 * another are rounded as memory rounds them (join.c). Contraction is the other way in which members
 * could meet: compilers contract a product with the addition that takes it, but a product that is
 * used twice may stay apart. So no two members may have a product in common, and none may add up
 * floating-point values of all elements.
 */
#include "splitter/graph/value_number.h"
#include "splitter/group/join.h"

struct products {
    struct value_numbers *numbers;
    int member;  /* that the current node belongs to */
    int room;    /* of owner[] */
    int *owner;  /* [number of a value] 1 + the member that has this product; 0: none so far */
    bool shared; /* two members have one */
};

static void note_product(struct products *products, const struct expr *expr)
{
    int id = value_number(products->numbers, expr).id;
    while (id >= products->room) {
        products->owner = arena_grow(products->numbers->graph->arena, products->owner,
                                     products->room, &products->room, sizeof(int));
    }
    int *owner = &products->owner[id];
    products->shared = products->shared || (*owner != 0 && *owner != 1 + products->member);
    *owner = 1 + products->member;
}

/* A user's function that is not inlined may have any product. */
static void note_expr(struct expr *expr, void *user)
{
    struct products *products = user;
    if (expr->kind == EXPR_BINARY && expr->binary == BINARY_MUL && type_is_floating(expr->type)) {
        note_product(products, expr);
    }
    products->shared =
        products->shared || (expr->kind == EXPR_CALL && expr->callee->kind == FUNCTION_USER);
}

static bool shares_products(const struct graph *graph)
{
    struct products products = {.numbers = value_numbers_new(graph)};
    for (int n = 0; n < graph->nodes && !products.shared; n++) {
        const struct node *node = &graph->node[n];
        products.member = node->member;
        products.shared = node->kind == NODE_REGION; /* its products have no numbers */
        expr_visit(node->expr, note_expr, &products);
        stmt_visit(node->stmt, NULL, note_expr, &products);
    }
    return products.shared;
}

/* Modifies nothing through a map: then it has one variant, and adds up nothing in another order. */
static bool is_direct(const struct loop *loop)
{
    for (int a = 0; a < loop->args; a++) {
        if (loop->arg[a].is_indirect && loop->arg[a].access != ACCESS_READ) {
            return false;
        }
    }
    return true;
}

/* Adds up floating-point values of all elements: how many of them a thread and a block add up first
 * depends on what else the loop does (CLEAVE_FEW_BLOCKS, CLEAVE_AT_ONCE of the device). */
static bool sums_up(const struct loop *loop)
{
    for (int a = 0; a < loop->args; a++) {
        const struct arg *arg = &loop->arg[a];
        if (arg->kind == ARG_GLOBAL && arg->access == ACCESS_INC && type_is_floating(arg->type)) {
            return true;
        }
    }
    return false;
}

/* A component that the kernel finds by a subscript does not pass cleave_stored(), though a compiler
 * may find out which one it is. */
static bool finds_components(const struct graph *graph)
{
    for (int n = 0; n < graph->nodes; n++) {
        const struct node *node = &graph->node[n];
        for (int p = 0; p < node->places; p++) {
            const struct arg *arg = &graph->loop->arg[node->place[p].arg];
            if (node->place[p].component < 0 && arg->kind == ARG_DAT && !arg->is_indirect &&
                arg->access != ACCESS_READ && type_is_floating(arg->type)) {
                return true;
            }
        }
    }
    return false;
}

bool group_is_exact(const struct loop *joined)
{
    const struct graph *graph = joined->graph;
    return is_direct(joined) && !sums_up(joined) && !graph->quotients_merged &&
           !finds_components(graph) && !shares_products(graph);
}
