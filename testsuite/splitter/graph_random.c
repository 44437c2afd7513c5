/* graph_random.c: merging on random bodies. An expression and a rewriting of it that only moves
 * signs and swaps operands get one value; one that is changed in some other way gets that value
 * only if it is equal for every input; and what each update applies is bit for bit what the body
 * added, the sign of zeros aside.
 */
#include <math.h>

#include "splitter/schedule/schedules.h"

#include "check.h"
#include "hand.h"

enum { PLACES = 4, INPUTS = 12, ROUNDS = 4000 };

static unsigned seed = 1;

static int below(int count)
{
    seed = seed * 1664525u + 1013904223u;
    return (int)((seed >> 10) % (unsigned)count);
}

/* ---- expressions
 * --------------------------------------------------------------------------------- */

static struct expr *random_leaf(struct hand *h)
{
    static const double number[] = {0, 1, -2, 0.3, 0.5};
    return below(4) > 0 ? hand_place(h, 0, below(PLACES)) : hand_number(h, number[below(5)]);
}

static struct expr *random_expr(struct hand *h, int depth)
{
    if (depth == 0) {
        return random_leaf(h);
    }
    struct expr *a = random_expr(h, depth - 1);
    struct expr *b = random_expr(h, below(depth));
    switch (below(8)) {
    case 0:
        return hand_neg(h, a);
    case 1:
        return hand_call(h, below(2) ? "fabs" : "atan", a);
    case 2:
        return hand_cond(h, hand_op(h, BINARY_LT, random_leaf(h), random_leaf(h)), a, b);
    case 3:
        return hand_op(h, BINARY_DIV, a, b);
    case 4:
        return hand_op(h, BINARY_ADD, a, b);
    case 5:
        return hand_op(h, BINARY_SUB, a, b);
    default:
        return hand_op(h, BINARY_MUL, a, b);
    }
}

/* Writes an expression, or its negative, in another way. Below fractions and in functions
 * that see the sign of a zero operands are only swapped (`strict`). */
static struct expr *rewrite(struct hand *h, struct expr *e, bool negative, bool strict)
{
    if (strict && negative) {
        return hand_neg(h, rewrite(h, e, false, true));
    }
    if (e->kind == EXPR_UNARY && !strict) {
        return rewrite(h, e->kid[0], !negative, false);
    }
    if (e->kind == EXPR_COND && !strict) {
        return hand_cond(h, e->kid[0], rewrite(h, e->kid[1], negative, false),
                         rewrite(h, e->kid[2], negative, false));
    }
    if (e->kind != EXPR_BINARY ||
        (strict && (e->binary == BINARY_SUB || e->binary == BINARY_DIV))) {
        return negative ? hand_neg(h, e) : e;
    }
    bool swap = below(2);
    bool first = e->binary == BINARY_MUL && swap && !strict;
    bool both = e->binary == BINARY_ADD || e->binary == BINARY_SUB;
    struct expr *a = rewrite(h, e->kid[0], negative != first, strict);
    struct expr *b =
        rewrite(h, e->kid[1], both ? negative : first, strict || e->binary == BINARY_DIV);
    if (e->binary == BINARY_SUB && swap) { /* a - b is -(b - a) */
        return hand_neg(h, hand_op(h, BINARY_SUB, b, a));
    }
    return swap && e->binary != BINARY_DIV && e->binary != BINARY_SUB ? hand_op(h, e->binary, b, a)
                                                                      : hand_op(h, e->binary, a, b);
}

static struct expr *with_kid(struct hand *h, const struct expr *e, int k, struct expr *kid)
{
    struct expr *copy = arena_alloc(h->arena, sizeof(*copy));
    *copy = *e;
    copy->kid = arena_alloc(h->arena, sizeof(struct expr *) * (size_t)e->kids);
    for (int i = 0; i < e->kids; i++) {
        copy->kid[i] = i == k ? kid : e->kid[i];
    }
    return copy;
}

/* Something that is usually another value: somewhere operands are exchanged or regrouped, or a leaf
 * is another. */
static struct expr *change(struct hand *h, struct expr *e)
{
    if (e->kids == 0) {
        return random_leaf(h);
    }
    if (e->kind == EXPR_BINARY && e->binary == BINARY_SUB && below(2)) {
        /* Equal but for the sign of a zero, which shows below a fraction and in functions. */
        return hand_neg(h, hand_op(h, BINARY_SUB, e->kid[1], e->kid[0]));
    }
    if (e->kind == EXPR_BINARY && below(3) == 0) {
        struct expr *left = e->kid[0];
        bool regroup = left->kind == EXPR_BINARY && left->binary == e->binary && below(2);
        return regroup ? hand_op(h, e->binary, left->kid[0],
                                 hand_op(h, e->binary, left->kid[1], e->kid[1]))
                       : hand_op(h, e->binary, e->kid[1], left);
    }
    int k = below(e->kids);
    return with_kid(h, e, k, change(h, e->kid[k]));
}

/* ---- their values
 * ---------------------------------------------------------------------------------- */

static double value_of(const struct hand *h, const struct expr *e, const double *input);

static double binary_value(enum binary_op op, double a, double b)
{
    switch (op) {
    case BINARY_ADD:
        return a + b;
    case BINARY_SUB:
        return a - b;
    case BINARY_MUL:
        return a * b;
    case BINARY_DIV:
        return a / b;
    default:
        return a < b;
    }
}

static double variable_value(const struct hand *h, const struct var *var, const double *input)
{
    for (int n = 0; n < h->graph->nodes; n++) {
        if (h->graph->node[n].var == var) {
            return value_of(h, h->graph->node[n].expr, input);
        }
    }
    return NAN;
}

static double value_of(const struct hand *h, const struct expr *e, const double *input)
{
    double first = e->kids > 0 ? value_of(h, e->kid[0], input) : 0;
    switch (e->kind) {
    case EXPR_PLACE:
        return input[e->place.component];
    case EXPR_FLOAT:
        return e->value;
    case EXPR_VAR:
        return variable_value(h, e->var, input);
    case EXPR_UNARY:
        return -first;
    case EXPR_CALL:
        return strcmp(e->callee->name, "fabs") == 0 ? fabs(first) : copysign(1, first);
    case EXPR_COND:
        return value_of(h, e->kid[first != 0 ? 1 : 2], input);
    default:
        return binary_value(e->binary, first, value_of(h, e->kid[1], input));
    }
}

static void fill(double *input)
{
    static const double odd[] = {0, -0.0, 1, -1, INFINITY, 0.1, 1e-300, 7.25};
    for (int i = 0; i < PLACES; i++) {
        input[i] = below(2) ? odd[below(8)] : (below(2000) - 1000) / 7.0;
    }
}

/* -0.0 == 0.0 in C. */
static bool is_same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static double applied(const struct hand *h, const struct update *update, const double *input)
{
    double value = value_of(h, update->value, input);
    value = update->scale != NULL ? update->scale->value * value : value;
    return update->negative ? -value : value;
}

/* ---- rounds
 * ------------------------------------------------------------------------------------------ */

static int merged_rounds;

static void one_round(bool changed)
{
    struct hand *h = hand_new();
    hand_arg(h, "a", 0, 0, 0, PLACES, ACCESS_READ);
    hand_arg(h, "r", 1, 0, 0, 2, ACCESS_INC);
    struct expr *e = random_expr(h, 4);
    struct expr *x[2];
    x[0] = hand_op(h, BINARY_MUL, hand_place(h, 0, 0), e);
    x[1] = rewrite(h, changed ? change(h, x[0]) : x[0], below(2), false);
    hand_add(h, 1, 0, hand_value(h, "x", x[0]));
    hand_add(h, 1, 1, hand_value(h, "y", x[1]));
    graph_merge(h->graph);
    CHECK(graph_check(h->graph) == NULL);
    bool merged = h->graph->contribution[1].merged == 0;
    merged_rounds += merged;
    for (int i = 0; i < INPUTS; i++) {
        double input[PLACES];
        fill(input);
        for (int c = 0; c < 2; c++) {
            const struct update *update = &h->graph->contribution[c].update;
            CHECK(is_same(applied(h, update, input), value_of(h, x[c], input)));
        }
    }
    hand_free(h);
}

/* All that are only rewritten merge, but for those with an x - x in them: it has no sign to move.
 */
int main(void)
{
    for (int round = 0; round < ROUNDS; round++) {
        one_round(false);
    }
    CHECK(merged_rounds > ROUNDS - ROUNDS / 40);
    merged_rounds = 0;
    for (int round = 0; round < ROUNDS; round++) {
        one_round(true);
    }
    CHECK(merged_rounds > 0 && merged_rounds < ROUNDS - ROUNDS / 4);
    return CHECK_RESULT();
}
