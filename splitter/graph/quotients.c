/* quotients.c: fewer divisions and roots, at the price of rounding.
 *
 *   a / d, b / d             r = 1 / d;  a * r, b * r
 *   1 / sqrt(x), a / sqrt(x) r = 1 / sqrt(x), as one function;  r, a * r; the root itself: x * r
 *   1 / a, 1 / b             t = 1 / (a * b);  t * b, t * a (quotients_merge.c)
 *   a / 24.0                 a * (1 / 24.0)
 *
 * In: a graph with its contributions merged. Out: the same graph with other nodes, in two passes:
 * roots first, since a reciprocal of a root makes the root too, so that others wait for it. What
 * stands in a loop that was not unrolled stays as it is.
 */
#include <math.h>
#include <string.h>

#include "splitter/graph/quotients.h"
#include "splitter/graph/selects.h"

/* ---- counting -------------------------------------------------------------------------------- */

static bool is_number(const struct expr *expr)
{
    while (expr->kind == EXPR_CAST ||
           (expr->kind == EXPR_UNARY && (expr->unary == UNARY_NEG || expr->unary == UNARY_PLUS))) {
        expr = expr->kid[0];
    }
    return expr->kind == EXPR_INT || expr->kind == EXPR_FLOAT;
}

static bool is_one(const struct expr *expr)
{
    return expr->kind == EXPR_FLOAT && expr->value == 1;
}

static bool is_power_of_two(double value)
{
    int exponent;
    return isfinite(value) && fabs(frexp(value, &exponent)) == 0.5;
}

/* A division that costs one at run time: compilers fold constants, and multiply where that is
 * exact. */
static bool is_quotient(const struct expr *expr)
{
    return expr->kind == EXPR_BINARY && expr->binary == BINARY_DIV &&
           type_is_floating(expr->type) && !(is_number(expr->kid[0]) && is_number(expr->kid[1])) &&
           !(expr->kid[1]->kind == EXPR_FLOAT && is_power_of_two(expr->kid[1]->value));
}

static bool calls(const struct expr *expr, const char *name)
{
    return expr->kind == EXPR_CALL && expr->callee->kind == FUNCTION_MATH &&
           strcmp(expr->callee->name, name) == 0;
}

static bool is_root(const struct expr *expr)
{
    return calls(expr, "sqrt") || calls(expr, "sqrtf");
}

static void count_expr(struct expr *expr, void *user)
{
    struct quotient_count *count = user;
    count->divisions += is_quotient(expr);
    count->roots += is_root(expr);
    count->reciprocal_roots += calls(expr, "cleave_rsqrt") || calls(expr, "cleave_rsqrtf");
}

static struct quotient_count count_all(const struct graph *graph)
{
    struct quotient_count count = {0, 0, 0};
    for (int n = 0; n < graph->nodes; n++) {
        const struct node *node = &graph->node[n];
        if (node->kind == NODE_VALUE) {
            expr_visit(node->expr, count_expr, &count);
        } else {
            stmt_visit(node->stmt, NULL, count_expr, &count);
        }
    }
    return count;
}

/* ---- finding --------------------------------------------------------------------------------- */

/* A new node may compute the expression: it reads only values and data that nothing changes. */
static bool can_move(const struct quotients *quotients, const struct expr *expr)
{
    switch (expr->kind) {
    case EXPR_PLACE:
        return arg_is_constant(quotients->graph->loop, expr->place.arg);
    case EXPR_VAR:
        return expr->var->storage == STORAGE_GLOBAL || expr->var->storage == STORAGE_TABLE ||
               pointer_map_get(&quotients->values, expr->var) >= 0;
    case EXPR_INT:
    case EXPR_FLOAT:
        return true;
    case EXPR_UNARY:
        if (expr->unary != UNARY_NEG && expr->unary != UNARY_PLUS) {
            return false;
        }
        break;
    case EXPR_CALL:
        if (expr->callee->kind != FUNCTION_MATH) {
            return false;
        }
        break;
    case EXPR_BINARY:
    case EXPR_CAST:
    case EXPR_COND:
        break;
    default:
        return false;
    }
    for (int k = 0; k < expr->kids; k++) {
        if (!can_move(quotients, expr->kid[k])) {
            return false;
        }
    }
    return true;
}

/* `outer` holds wherever `guard` does. */
static bool holds_within(const struct guard *outer, const struct guard *guard)
{
    while (guard != NULL && !guards_equal(outer, guard)) {
        guard = guard->outer;
    }
    return outer == NULL || guard != NULL;
}

/* A reciprocal that is there where the quotient is; -1. */
static int find_reciprocal(const struct quotients *quotients, int id, const struct guard *guard)
{
    for (int r = 0; r < quotients->reciprocals; r++) {
        const struct reciprocal *reciprocal = &quotients->reciprocal[r];
        if (reciprocal->id == id && holds_within(reciprocal->guard, guard)) {
            return r;
        }
    }
    return -1;
}

/* The root below a fraction: in the denominator itself, or made by a node under the same guard. */
static void find_root(const struct quotients *quotients, struct reciprocal *reciprocal)
{
    const struct expr *below = reciprocal->first;
    int n = below->kind == EXPR_VAR ? pointer_map_get(&quotients->values, below->var) : -1;
    const struct node *node = n >= 0 ? &quotients->graph->node[n] : NULL;
    if (is_root(below)) {
        reciprocal->is_root = true;
    } else if (node != NULL && is_root(node->expr) && can_move(quotients, node->expr) &&
               guards_equal(node->guard, reciprocal->guard)) {
        reciprocal->is_root = true;
        reciprocal->root = n;
    }
}

static int new_reciprocal(struct quotients *quotients, int n, const struct expr *below, int id)
{
    struct graph *graph = quotients->graph;
    quotients->reciprocal =
        arena_grow(graph->arena, quotients->reciprocal, quotients->reciprocals,
                   &quotients->reciprocal_capacity, sizeof(*quotients->reciprocal));
    struct reciprocal *reciprocal = &quotients->reciprocal[quotients->reciprocals];
    *reciprocal = (struct reciprocal){.id = id,
                                      .guard = graph->node[n].guard,
                                      .type = below->type,
                                      .node = n,
                                      .first = below,
                                      .root = -1,
                                      .owner = -1,
                                      .level = -1,
                                      .group = -1};
    find_root(quotients, reciprocal);
    return quotients->reciprocals++;
}

/* `lazy`: computed only where another operand asks for it. */
static void add_site(struct quotients *quotients, int n, const struct expr *expr, bool lazy)
{
    struct graph *graph = quotients->graph;
    const struct expr *below = expr->kid[1];
    struct site site = {n, expr, -1, 0};
    struct value_ref ref = value_number_strict(quotients->numbers, below);
    double value;
    if (value_is_constant(quotients->numbers, ref.id, &value)) {
        double scale = 1 / (ref.negative ? -value : value);
        scale = expr->type->kind == TYPE_FLOAT ? (double)(float)scale : scale;
        site.scale = isnormal(scale) && (expr->type->kind != TYPE_FLOAT || isnormal((float)scale))
                         ? scale
                         : 0;
    } else if (can_move(quotients, below) && type_same(below->type, expr->type)) {
        site.reciprocal = find_reciprocal(quotients, ref.id, graph->node[n].guard);
        if (site.reciprocal < 0 && !lazy) {
            site.reciprocal = new_reciprocal(quotients, n, below, ref.id);
        }
    }
    if (site.reciprocal >= 0) {
        struct reciprocal *reciprocal = &quotients->reciprocal[site.reciprocal];
        bool is_whole = graph->node[n].expr == expr && is_one(expr->kid[0]);
        reciprocal->owner = reciprocal->sites++ == 0 && is_whole ? n : reciprocal->owner;
    }
    quotients->site = arena_grow(graph->arena, quotients->site, quotients->sites,
                                 &quotients->site_capacity, sizeof(*quotients->site));
    quotients->site[quotients->sites++] = site;
}

static void find_sites(struct quotients *quotients, int n, const struct expr *expr, bool lazy)
{
    bool chooses =
        expr->kind == EXPR_COND ||
        (expr->kind == EXPR_BINARY && (expr->binary == BINARY_LAND || expr->binary == BINARY_LOR));
    if (is_quotient(expr)) {
        add_site(quotients, n, expr, lazy);
    }
    for (int k = 0; k < expr->kids; k++) {
        find_sites(quotients, n, expr->kid[k], lazy || (chooses && k > 0));
    }
}

/* ---- replacing ------------------------------------------------------------------------------- */

static struct expr *rewritten(struct quotients *quotients, int n, struct expr *expr);

static struct expr *read_var(struct quotients *quotients, const struct reciprocal *reciprocal,
                             struct loc loc)
{
    struct expr *expr = arena_alloc(quotients->graph->arena, sizeof(*expr));
    expr->kind = EXPR_VAR;
    expr->type = reciprocal->var->type;
    expr->loc = loc;
    expr->var = reciprocal->var;
    return expr;
}

static struct expr *as_product(struct quotients *quotients, const struct site *site)
{
    int n = site->node;
    struct expr *above = rewritten(quotients, n, site->expr->kid[0]);
    struct expr *below = rewritten(quotients, n, site->expr->kid[1]);
    if (site->reciprocal < 0) {
        return quotients_binary(quotients, BINARY_MUL, above,
                                quotients_number(quotients, site->expr->type, site->scale));
    }
    struct reciprocal *reciprocal = &quotients->reciprocal[site->reciprocal];
    if (reciprocal->denominator == NULL) {
        reciprocal->denominator = below;
    }
    struct expr *read = read_var(quotients, reciprocal, site->expr->loc);
    return is_one(above) ? read : quotients_binary(quotients, BINARY_MUL, above, read);
}

/* The expression of node n with products for quotients; shared ones are not changed. */
static struct expr *rewritten(struct quotients *quotients, int n, struct expr *expr)
{
    const struct site *site =
        quotients->cursor < quotients->sites ? &quotients->site[quotients->cursor] : NULL;
    if (site != NULL && site->node == n && site->expr == expr) {
        quotients->cursor++;
        bool chosen = site->reciprocal >= 0 && quotients->reciprocal[site->reciprocal].chosen;
        if (chosen || site->scale != 0) {
            return as_product(quotients, site);
        }
    }
    struct expr *copy = arena_alloc(quotients->graph->arena, sizeof(*copy));
    *copy = *expr;
    copy->kid = arena_alloc(quotients->graph->arena, sizeof(struct expr *) * (size_t)expr->kids);
    for (int k = 0; k < expr->kids; k++) {
        copy->kid[k] = rewritten(quotients, n, expr->kid[k]);
    }
    return copy;
}

/* ---- what is new ----------------------------------------------------------------------------- */

static struct loc loc_of(const struct quotients *quotients, const struct reciprocal *reciprocal)
{
    return quotients->graph->node[reciprocal->node].loc;
}

static struct expr *one_over(struct quotients *quotients, struct expr *below)
{
    return quotients_binary(quotients, BINARY_DIV, quotients_number(quotients, below->type, 1),
                            below);
}

/* The reciprocal's value; how others read it. */
static struct expr *set_reciprocal(struct quotients *quotients, const struct reciprocal *reciprocal,
                                   struct expr *value)
{
    struct loc loc = loc_of(quotients, reciprocal);
    if (reciprocal->owner < 0) {
        return quotients_node(quotients, reciprocal->var, value, reciprocal->guard, loc);
    }
    quotients->graph->node[reciprocal->owner].expr = value;
    return read_var(quotients, reciprocal, loc);
}

/* r = 1 / sqrt(x), and x * r for who reads the root. */
static void add_root(struct quotients *quotients, const struct reciprocal *reciprocal)
{
    struct graph *graph = quotients->graph;
    bool is_float = reciprocal->type->kind == TYPE_FLOAT;
    const struct expr *call =
        reciprocal->root >= 0 ? graph->node[reciprocal->root].expr : reciprocal->denominator;
    struct loc loc = loc_of(quotients, reciprocal);
    struct expr *square = quotients_leaf(quotients, "square", call->kid[0], reciprocal->guard, loc);
    struct expr *read =
        set_reciprocal(quotients, reciprocal,
                       quotients_call(quotients, is_float ? "cleave_rsqrtf" : "cleave_rsqrt",
                                      reciprocal->type, square, NULL));
    if (reciprocal->root >= 0) {
        graph->node[reciprocal->root].expr = quotients_call(
            quotients, is_float ? "cleave_rootf" : "cleave_root", reciprocal->type, square, read);
    }
}

/* Members of a group, and products of the denominators of consecutive ones. */
struct members {
    struct quotients *quotients;
    int count;
    struct reciprocal *member[QUOTIENTS_MOST_MERGED];
    struct expr *product[QUOTIENTS_MOST_MERGED][QUOTIENTS_MOST_MERGED + 1]; /* [from][to) */
};

static struct expr *product_of(struct members *members, int from, int to)
{
    struct expr **product = &members->product[from][to];
    const struct reciprocal *first = members->member[0];
    if (*product == NULL) {
        int half = from + (to - from) / 2;
        struct expr *left = product_of(members, from, half);
        struct expr *right = product_of(members, half, to);
        *product = quotients_leaf(members->quotients, "product",
                                  quotients_binary(members->quotients, BINARY_MUL, left, right),
                                  first->guard, loc_of(members->quotients, first));
    }
    return *product;
}

/* Gives each member its reciprocal; `all`: that of the product of their denominators. */
static void share_out(struct members *members, int from, int to, struct expr *all)
{
    struct quotients *quotients = members->quotients;
    const struct reciprocal *first = members->member[from];
    if (to - from == 1) {
        set_reciprocal(quotients, first, all);
        return;
    }
    int half = from + (to - from) / 2;
    struct expr *leaf =
        quotients_leaf(quotients, "reciprocal", all, first->guard, loc_of(quotients, first));
    struct expr *left = product_of(members, from, half);
    struct expr *right = product_of(members, half, to);
    share_out(members, from, half, quotients_binary(quotients, BINARY_MUL, leaf, right));
    share_out(members, half, to, quotients_binary(quotients, BINARY_MUL, leaf, left));
}

static void add_group(struct quotients *quotients, int group)
{
    struct members members = {.quotients = quotients};
    for (int r = 0; r < quotients->reciprocals; r++) {
        struct reciprocal *reciprocal = &quotients->reciprocal[r];
        if (reciprocal->group == group) {
            int m = members.count++;
            members.member[m] = reciprocal;
            members.product[m][m + 1] =
                quotients_leaf(quotients, "denominator", reciprocal->denominator, reciprocal->guard,
                               loc_of(quotients, reciprocal));
        }
    }
    int half = members.count / 2;
    struct expr *left = product_of(&members, 0, half);
    struct expr *right = product_of(&members, half, members.count);
    share_out(&members, 0, members.count,
              one_over(quotients, quotients_binary(quotients, BINARY_MUL, left, right)));
}

static void add_alone(struct quotients *quotients, const struct reciprocal *reciprocal)
{
    set_reciprocal(quotients, reciprocal, one_over(quotients, reciprocal->denominator));
}

static void add_reciprocals(struct quotients *quotients)
{
    for (int r = 0; r < quotients->reciprocals; r++) {
        const struct reciprocal *reciprocal = &quotients->reciprocal[r];
        if (reciprocal->chosen && reciprocal->is_root) {
            add_root(quotients, reciprocal);
        } else if (reciprocal->chosen && reciprocal->group < 0) {
            add_alone(quotients, reciprocal);
        }
    }
    for (int group = 0; group < quotients->groups; group++) {
        add_group(quotients, group);
    }
}

/* ---- the whole ------------------------------------------------------------------------------- */

enum pass { PASS_ROOTS, PASS_QUOTIENTS };

static void choose(struct quotients *quotients, enum pass pass)
{
    for (int r = 0; r < quotients->reciprocals; r++) {
        struct reciprocal *reciprocal = &quotients->reciprocal[r];
        reciprocal->chosen = pass == PASS_ROOTS ? reciprocal->is_root
                                                : reciprocal->sites > 1 || reciprocal->group >= 0;
        if (reciprocal->chosen && reciprocal->owner >= 0) {
            reciprocal->var = quotients->graph->node[reciprocal->owner].var;
        } else if (reciprocal->chosen) {
            reciprocal->var = quotients_var(quotients, "reciprocal", reciprocal->type);
        }
    }
    for (int s = 0; s < quotients->sites; s++) {
        quotients->site[s].scale = pass == PASS_ROOTS ? 0 : quotients->site[s].scale;
    }
}

static void run(struct graph *graph, enum pass pass, bool keep_points, struct quotient_names *names)
{
    struct quotients quotients = {.graph = graph,
                                  .names = *names,
                                  .numbers = value_numbers_new(graph),
                                  .values = graph_value_nodes(graph),
                                  .old_nodes = graph->nodes,
                                  .node_capacity = graph->nodes};
    for (int n = 0; n < graph->nodes; n++) {
        if (graph->node[n].kind == NODE_VALUE) {
            find_sites(&quotients, n, graph->node[n].expr, false);
        }
    }
    if (pass == PASS_QUOTIENTS) {
        quotients_group(&quotients, keep_points);
    }
    choose(&quotients, pass);
    quotients.cursor = 0;
    for (int n = 0; n < quotients.old_nodes; n++) {
        if (graph->node[n].kind == NODE_VALUE) {
            graph->node[n].expr = rewritten(&quotients, n, graph->node[n].expr);
        }
    }
    add_reciprocals(&quotients);
    quotients_settle(&quotients);
    *names = quotients.names;
}

void graph_merge_quotients(struct graph *graph, bool keep_points)
{
    struct quotient_names names = {NULL, 0};
    graph->written = count_all(graph);
    run(graph, PASS_ROOTS, keep_points, &names);
    run(graph, PASS_QUOTIENTS, keep_points, &names);
    graph->left = count_all(graph);
    graph->quotients_merged = true;
}
