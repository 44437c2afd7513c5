/* graph_merge.c: which contributions share one value, on graphs made by hand: signs, factors, the
 * order of operands, what must stay apart, and that nodes which only merged contributions needed
 * are gone.
 */
#include "splitter/schedule/schedules.h"

#include "check.h"
#include "hand.h"

/* Two ends: read a, b (4 components each), a direct s, increments of ra, rb. */
enum { A, B, S, RA, RB };

static struct hand *two_ends(void)
{
    struct hand *hand = hand_new();
    hand_arg(hand, "a", 0, 0, 0, 4, ACCESS_READ);
    hand_arg(hand, "b", 0, 0, 1, 4, ACCESS_READ);
    hand_arg(hand, "s", 1, -1, 0, 3, ACCESS_READ);
    hand_arg(hand, "ra", 2, 0, 0, 4, ACCESS_INC);
    hand_arg(hand, "rb", 2, 0, 1, 4, ACCESS_INC);
    return hand;
}

static struct expr *a0(struct hand *hand)
{
    return hand_place(hand, A, 0);
}

static struct expr *b0(struct hand *hand)
{
    return hand_place(hand, B, 0);
}

/* Adds x to ra[0] and y to rb[0]; what is left of the contributions after merging. */
static const struct contribution *merge_two(struct hand *hand, struct expr *x, struct expr *y)
{
    int first = hand_value(hand, "x", x);
    int second = hand_value(hand, "y", y);
    hand_add(hand, RA, 0, first);
    hand_add(hand, RB, 0, second);
    CHECK(graph_check(hand->graph) == NULL);
    graph_merge(hand->graph);
    const char *broken = graph_check(hand->graph);
    CHECK_TEXT(broken == NULL ? "" : broken, "");
    return hand->graph->contribution;
}

static bool are_merged(const struct contribution *c, bool negative)
{
    return c[1].merged == 0 && c[0].update.value->var == c[1].update.value->var &&
           c[1].update.negative == negative && !c[0].update.negative && c[1].update.scale == NULL;
}

static void differences(void)
{
    struct hand *h = two_ends();
    const struct contribution *c =
        merge_two(h, hand_op(h, BINARY_SUB, a0(h), b0(h)), hand_op(h, BINARY_SUB, b0(h), a0(h)));
    CHECK(are_merged(c, true));
    CHECK(h->graph->nodes == 1);
    CHECK(graph_tmp_values(h->graph) == 1);
    hand_free(h);
}

static void commuted(void)
{
    struct hand *h = two_ends();
    struct expr *s = hand_place(h, S, 1);
    CHECK(are_merged(
        merge_two(h, hand_op(h, BINARY_MUL, a0(h), s), hand_op(h, BINARY_MUL, s, a0(h))), false));
    hand_free(h);
    h = two_ends();
    s = hand_place(h, S, 1);
    /* (a + b) + s is not a + (b + s). */
    struct expr *left = hand_op(h, BINARY_ADD, hand_op(h, BINARY_ADD, a0(h), b0(h)), s);
    struct expr *right = hand_op(h, BINARY_ADD, a0(h), hand_op(h, BINARY_ADD, b0(h), s));
    const struct contribution *c = merge_two(h, left, right);
    CHECK(c[1].merged == 1);
    CHECK(graph_tmp_values(h->graph) == 2);
    hand_free(h);
}

/* f - A * (a - b) against -f - A * (b - a): the central flux and its smoothing, from either end. */
static void flux_from_either_end(void)
{
    struct hand *h = two_ends();
    int f = hand_value(
        h, "f", hand_op(h, BINARY_MUL, hand_place(h, S, 0), hand_op(h, BINARY_ADD, a0(h), b0(h))));
    struct expr *factor = hand_place(h, S, 2);
    struct expr *x = hand_op(h, BINARY_SUB, hand_read(h, f),
                             hand_op(h, BINARY_MUL, factor, hand_op(h, BINARY_SUB, a0(h), b0(h))));
    struct expr *y = hand_op(h, BINARY_SUB, hand_neg(h, hand_read(h, f)),
                             hand_op(h, BINARY_MUL, factor, hand_op(h, BINARY_SUB, b0(h), a0(h))));
    CHECK(are_merged(merge_two(h, x, y), true));
    CHECK(h->graph->unmerged == NULL);
    hand_free(h);
}

/* Each end has its own flux: alike, but not equal as written. */
static void alike_is_not_equal(void)
{
    struct hand *h = two_ends();
    struct expr *x = hand_op(h, BINARY_ADD, a0(h), hand_op(h, BINARY_MUL, a0(h), b0(h)));
    struct expr *y = hand_op(h, BINARY_ADD, b0(h), hand_op(h, BINARY_MUL, b0(h), a0(h)));
    const struct contribution *c = merge_two(h, x, y);
    CHECK(c[1].merged == 1);
    CHECK_TEXT(
        h->graph->unmerged,
        "what is added to 'ra[0]' (line 100) and to 'rb[0]' (line 101) has the same form, but is "
        "not the same up to its sign as it is written: 2 contributions are kept where 1 would do");
    hand_free(h);
}

/* Through variables, quotients, selects and functions. */
static void signs_travel(void)
{
    struct hand *h = two_ends();
    int p = hand_value(h, "p", hand_op(h, BINARY_SUB, a0(h), b0(h)));
    int q = hand_value(h, "q", hand_op(h, BINARY_SUB, b0(h), a0(h)));
    struct expr *s = hand_place(h, S, 0);
    struct expr *wet = hand_op(h, BINARY_GT, s, hand_number(h, 0));
    struct expr *x =
        hand_cond(h, wet, hand_op(h, BINARY_DIV, hand_read(h, p), s), hand_number(h, 0));
    struct expr *y =
        hand_cond(h, wet, hand_op(h, BINARY_DIV, hand_read(h, q), s), hand_number(h, 0));
    CHECK(are_merged(merge_two(h, x, y), true));
    CHECK(h->graph->nodes == 2); /* p and x */
    hand_free(h);
    h = two_ends();
    p = hand_value(h, "p", hand_call(h, "fabs", hand_op(h, BINARY_SUB, a0(h), b0(h))));
    CHECK(are_merged(
        merge_two(h, hand_read(h, p), hand_call(h, "fabs", hand_op(h, BINARY_SUB, b0(h), a0(h)))),
        false));
    hand_free(h);
}

/* 1 / (a - b) and 1 / -(b - a) are different infinities where a equals b, and some functions see
 * the sign of a zero. */
static void zeros_keep_their_signs(void)
{
    struct hand *h = two_ends();
    struct expr *plain = hand_op(h, BINARY_SUB, a0(h), b0(h));
    struct expr *minus = hand_neg(h, hand_op(h, BINARY_SUB, b0(h), a0(h)));
    struct expr *x = hand_op(h, BINARY_DIV, hand_number(h, 1), plain);
    CHECK(merge_two(h, x, hand_op(h, BINARY_DIV, hand_number(h, 1), minus))[1].merged == 1);
    hand_free(h);
    h = two_ends();
    plain = hand_op(h, BINARY_SUB, a0(h), b0(h));
    minus = hand_neg(h, hand_op(h, BINARY_SUB, b0(h), a0(h)));
    CHECK(merge_two(h, hand_call(h, "atan", plain), hand_call(h, "atan", minus))[1].merged == 1);
    hand_free(h);
}

static void factors(void)
{
    struct hand *h = two_ends();
    int v = hand_value(h, "v", hand_op(h, BINARY_MUL, a0(h), b0(h)));
    const struct contribution *c =
        merge_two(h, hand_op(h, BINARY_MUL, hand_number(h, 0.3), hand_read(h, v)),
                  hand_op(h, BINARY_DIV, hand_read(h, v), hand_number(h, -4)));
    CHECK(c[1].merged == 0 && c[1].update.negative && !c[0].update.negative);
    CHECK(c[0].update.scale != NULL && c[0].update.scale->value == 0.3);
    CHECK(c[1].update.scale != NULL && c[1].update.scale->value == 0.25);
    CHECK_TEXT(c[0].update.value->var->name, "v");
    CHECK(h->graph->nodes == 1);
    hand_free(h);
    h = two_ends(); /* v / 3 is no product */
    v = hand_value(h, "v", hand_op(h, BINARY_MUL, a0(h), b0(h)));
    c = merge_two(h, hand_read(h, v), hand_op(h, BINARY_DIV, hand_read(h, v), hand_number(h, 3)));
    CHECK(c[1].merged == 1 && c[1].update.scale == NULL);
    hand_free(h);
    h = two_ends(); /* a factor that nobody shares stays where the user has it */
    v = hand_value(h, "v", hand_op(h, BINARY_MUL, a0(h), b0(h)));
    c = merge_two(h, hand_op(h, BINARY_MUL, hand_number(h, 0.3), hand_read(h, v)), b0(h));
    CHECK(c[0].update.scale == NULL);
    CHECK_TEXT(c[0].update.value->var->name, "x");
    hand_free(h);
}

/* A factor that only an unsigned number holds is no small negative one. */
static void large_factor(void)
{
    static const struct type type_ull = {.kind = TYPE_ULLONG, .size = 8};
    struct hand *h = two_ends();
    struct expr largest = {.kind = EXPR_INT, .type = &type_ull, .bits = ~0ULL};
    struct expr *kid = &largest;
    struct expr *difference = hand_op(h, BINARY_SUB, a0(h), b0(h));
    struct expr cast = {.kind = EXPR_CAST, .type = difference->type, .kids = 1, .kid = &kid};
    const struct contribution *c = merge_two(
        h, difference, hand_op(h, BINARY_MUL, hand_op(h, BINARY_SUB, a0(h), b0(h)), &cast));
    CHECK(c[1].merged == 0 && c[1].update.scale != NULL);
    CHECK(c[1].update.scale != NULL && c[1].update.scale->value == 0x1p64);
    hand_free(h);
}

/* Data of the element needs no contribution: updates read it themselves. */
static void direct_data(void)
{
    struct hand *h = two_ends();
    const struct contribution *c =
        merge_two(h, hand_place(h, S, 0), hand_neg(h, hand_place(h, S, 0)));
    CHECK(c[0].node == -1 && c[1].node == -1 && c[1].merged == 0);
    CHECK(c[0].update.value->kind == EXPR_PLACE && c[0].update.value->place.arg == S);
    CHECK(!c[0].update.negative && c[1].update.negative);
    CHECK(h->graph->nodes == 0);
    CHECK(graph_tmp_values(h->graph) == 0);
    hand_free(h);
}

/* Data that the loop modifies may have changed between two reads. */
static void modified_data(void)
{
    struct hand *h = two_ends();
    int rw = hand_arg(h, "w", 3, -1, 0, 1, ACCESS_RW);
    int x = hand_value(h, "x", hand_op(h, BINARY_ADD, hand_place(h, rw, 0), a0(h)));
    int store = hand_store(h, rw, 0, hand_read(h, x), x);
    int y = hand_value(h, "y", hand_op(h, BINARY_ADD, hand_place(h, rw, 0), a0(h)));
    h->graph->node[y].after = arena_alloc(h->arena, sizeof(int));
    h->graph->node[y].after[0] = store;
    h->graph->node[y].afters = 1;
    hand_add(h, RA, 0, x);
    hand_add(h, RB, 0, y);
    graph_merge(h->graph);
    CHECK(graph_check(h->graph) == NULL);
    CHECK(h->graph->contribution[1].merged == 1);
    hand_free(h);
}

/* A minimum has no sign: only equal values are shared. */
static void extrema(void)
{
    struct hand *h = hand_new();
    hand_arg(h, "a", 0, 0, 0, 1, ACCESS_READ);
    int low = hand_arg(h, "low", 1, 0, 0, 3, ACCESS_MIN);
    int x = hand_value(h, "x", hand_call(h, "sqrt", hand_place(h, 0, 0)));
    int y = hand_value(h, "y", hand_neg(h, hand_call(h, "sqrt", hand_place(h, 0, 0))));
    int z = hand_value(h, "z", hand_call(h, "sqrt", hand_place(h, 0, 0)));
    hand_add(h, low, 0, x);
    hand_add(h, low, 1, y);
    hand_add(h, low, 2, z);
    graph_merge(h->graph);
    CHECK(graph_check(h->graph) == NULL);
    CHECK(h->graph->contribution[1].merged == 1);
    CHECK(h->graph->contribution[2].merged == 0);
    hand_free(h);
}

int main(void)
{
    differences();
    commuted();
    flux_from_either_end();
    alike_is_not_equal();
    signs_travel();
    zeros_keep_their_signs();
    factors();
    large_factor();
    direct_data();
    modified_data();
    extrema();
    return CHECK_RESULT();
}
