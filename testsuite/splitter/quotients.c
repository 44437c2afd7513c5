/* quotients.c: what merged quotients make of graphs made by hand: which divisions and roots are
 * made once, which by one division, and which stay apart, as they are written. */
#include "splitter/schedule/schedules.h"

#include <string.h>

#include "check.h"
#include "hand.h"

#include "splitter/graph/graph_impl.h"

/* Reads a and b of two ends and a direct s; modifies a direct w; increments ra and rb. */
enum { A, B, S, W, RA, RB };

static struct hand *two_ends(void)
{
    struct hand *hand = hand_new();
    hand_arg(hand, "a", 0, 0, 0, 6, ACCESS_READ);
    hand_arg(hand, "b", 0, 0, 1, 6, ACCESS_READ);
    hand_arg(hand, "s", 1, -1, 0, 6, ACCESS_READ);
    hand_arg(hand, "w", 3, -1, 0, 2, ACCESS_RW);
    hand_arg(hand, "ra", 2, 0, 0, 6, ACCESS_INC);
    hand_arg(hand, "rb", 2, 0, 1, 6, ACCESS_INC);
    return hand;
}

static struct expr *s(struct hand *hand, int component)
{
    return hand_place(hand, S, component);
}

static struct expr *over(struct hand *hand, struct expr *a, struct expr *b)
{
    return hand_op(hand, BINARY_DIV, a, b);
}

static struct expr *plus(struct hand *hand, struct expr *a, struct expr *b)
{
    return hand_op(hand, BINARY_ADD, a, b);
}

static struct expr *one_over(struct hand *hand, struct expr *b)
{
    return over(hand, hand_number(hand, 1), b);
}

/* Under the guard that a node's value is true or false. */
static void begin_branch(struct hand *hand, int condition, bool when)
{
    struct guard *guard = arena_alloc(hand->arena, sizeof(*guard));
    *guard = (struct guard){condition, when, hand->guard};
    hand->guard = guard;
}

/* Returns what the graph computes after merging, one node per line: "[guard] node". */
static char *merged(struct hand *hand, bool keep_points)
{
    char *text = "";
    CHECK_TEXT(graph_check(hand->graph) == NULL ? "" : graph_check(hand->graph), "");
    graph_merge(hand->graph);
    graph_merge_quotients(hand->graph, keep_points);
    const char *rule = graph_check(hand->graph);
    CHECK_TEXT(rule == NULL ? "" : rule, "");
    for (int n = 0; n < hand->graph->nodes; n++) {
        const struct node *node = &hand->graph->node[n];
        const char *guard = guard_text(hand->graph, node->guard);
        text = arena_format(hand->arena, "%s%s%s%s%s\n", text, guard[0] != '\0' ? "[" : "", guard,
                            guard[0] != '\0' ? "] " : "", node_text(hand->graph, node));
    }
    return text;
}

#define CHECK_MERGED(hand, expected) check_merged((hand), false, (expected))

static void check_merged(struct hand *hand, bool keep_points, const char *expected)
{
    CHECK_TEXT(merged(hand, keep_points), expected);
    hand_free(hand);
}

/* ---- one denominator ------------------------------------------------------------------------- */

static void shared_denominator(void)
{
    struct hand *h = two_ends();
    hand_add(h, RA, 0, hand_value(h, "x", over(h, s(h, 0), plus(h, s(h, 1), s(h, 2)))));
    hand_add(h, RB, 0, hand_value(h, "y", over(h, s(h, 3), plus(h, s(h, 2), s(h, 1)))));
    CHECK_MERGED(h, "reciprocal_0 = 1.0 / (s[1] + s[2])\nx = s[0] * reciprocal_0\n"
                    "y = s[3] * reciprocal_0\n");
}

/* The user's own reciprocal keeps its name, and one quotient stays a quotient. */
static void names(void)
{
    struct hand *h = two_ends();
    int r = hand_value(h, "r", one_over(h, s(h, 0)));
    hand_add(h, RA, 0, r);
    hand_add(h, RB, 0, hand_value(h, "x", over(h, s(h, 1), s(h, 0))));
    CHECK_MERGED(h, "r = 1.0 / s[0]\nx = s[1] * r\n");
    h = two_ends();
    hand_add(h, RA, 0, hand_value(h, "x", over(h, s(h, 1), s(h, 0))));
    CHECK_MERGED(h, "x = s[1] / s[0]\n");
    h = two_ends();
    int taken = hand_value(h, "reciprocal_7", over(h, s(h, 1), s(h, 0)));
    hand_add(h, RA, 0, taken);
    hand_add(h, RB, 0, hand_value(h, "y", over(h, s(h, 2), s(h, 0))));
    CHECK_MERGED(h, "reciprocal__0 = 1.0 / s[0]\nreciprocal_7 = s[1] * reciprocal__0\n"
                    "y = s[2] * reciprocal__0\n");
}

/* A reciprocal under a condition is used under that condition only. */
static void branches(void)
{
    struct hand *h = two_ends();
    int c = hand_value(h, "c", hand_op(h, BINARY_GT, s(h, 4), hand_number(h, 0)));
    begin_branch(h, c, true);
    int x = hand_value(h, "x", over(h, s(h, 1), s(h, 0)));
    h->guard = NULL;
    begin_branch(h, c, false);
    int y = hand_value(h, "y", over(h, s(h, 2), s(h, 0)));
    h->guard = NULL;
    hand_add(h, RA, 0,
             hand_value(h, "z", hand_cond(h, hand_read(h, c), hand_read(h, x), hand_read(h, y))));
    CHECK_MERGED(h,
                 "c = s[4] > 0.0\n[c] x = s[1] / s[0]\n[not c] y = s[2] / s[0]\nz = c ? x : y\n");

    h = two_ends();
    c = hand_value(h, "c", hand_op(h, BINARY_GT, s(h, 4), hand_number(h, 0)));
    y = hand_value(h, "y", over(h, s(h, 2), s(h, 0)));
    begin_branch(h, c, true);
    x = hand_value(h, "x", over(h, s(h, 1), s(h, 0)));
    h->guard = NULL;
    hand_add(h, RA, 0,
             hand_value(h, "z", hand_cond(h, hand_read(h, c), hand_read(h, x), hand_read(h, y))));
    CHECK_MERGED(h, "c = s[4] > 0.0\nreciprocal_0 = 1.0 / s[0]\ny = s[2] * reciprocal_0\n"
                    "[c] x = s[1] * reciprocal_0\nz = c ? x : y\n");
}

/* A select computes one of its sides: what is divided there is divided nowhere else for it. */
static void selects(void)
{
    struct hand *h = two_ends();
    struct expr *c = hand_op(h, BINARY_GT, s(h, 4), hand_number(h, 0));
    struct expr *x = over(h, s(h, 1), s(h, 0));
    struct expr *y = over(h, s(h, 2), s(h, 0));
    hand_add(h, RA, 0, hand_value(h, "z", hand_cond(h, c, x, y)));
    CHECK_MERGED(h, "z = s[4] > 0.0 ? s[1] / s[0] : s[2] / s[0]\n");

    h = two_ends();
    c = hand_op(h, BINARY_GT, s(h, 4), hand_number(h, 0));
    hand_add(h, RB, 0, hand_value(h, "y", over(h, s(h, 2), s(h, 0))));
    hand_add(h, RB, 1, hand_value(h, "z", hand_cond(h, c, over(h, s(h, 1), s(h, 0)), s(h, 5))));
    CHECK_MERGED(h, "reciprocal_0 = 1.0 / s[0]\ny = s[2] * reciprocal_0\n"
                    "z = s[4] > 0.0 ? s[1] * reciprocal_0 : s[5]\n");
}

static void constants(void)
{
    struct hand *h = two_ends();
    struct expr *third = over(h, s(h, 0), hand_number(h, 5));
    struct expr *half = over(h, s(h, 0), hand_number(h, 2));
    struct expr *known = over(h, hand_number(h, 2), hand_number(h, 3));
    struct expr *tiny = over(h, s(h, 0), hand_number(h, 1e-310));
    hand_add(h, RA, 0, hand_value(h, "x", third));
    hand_add(h, RA, 1, hand_value(h, "y", half));
    hand_add(h, RA, 2, hand_value(h, "z", hand_op(h, BINARY_MUL, s(h, 0), known)));
    hand_add(h, RA, 3, hand_value(h, "t", tiny));
    CHECK(merged(h, false) != NULL);
    CHECK(h->graph->node[0].expr->binary == BINARY_MUL &&
          h->graph->node[0].expr->kid[1]->value == 1 / 5.0);
    CHECK_TEXT(node_text(h->graph, &h->graph->node[1]), "y = s[0] / 2.0");
    CHECK_TEXT(node_text(h->graph, &h->graph->node[2]), "z = s[0] * (2.0 / 3.0)");
    CHECK_TEXT(node_text(h->graph, &h->graph->node[3]), "t = s[0] / 1e-310");
    hand_free(h);
}

/* Data that the loop modifies is read where the body has it; integers are divided as they are. */
static void left_alone(void)
{
    static const struct type integer = {.kind = TYPE_INT, .size = 4};
    struct hand *h = two_ends();
    int x = hand_value(h, "x", over(h, s(h, 0), hand_place(h, W, 0)));
    int y = hand_value(h, "y", over(h, s(h, 1), hand_place(h, W, 0)));
    hand_add(h, RA, 0, x);
    hand_add(h, RB, 0, y);
    CHECK_MERGED(h, "x = s[0] / w[0]\ny = s[1] / w[0]\n");
    h = two_ends();
    struct expr *first = over(h, s(h, 0), s(h, 1));
    struct expr *second = over(h, s(h, 2), s(h, 1));
    first->type = second->type = &integer;
    hand_add(h, RA, 0, hand_value(h, "x", first));
    hand_add(h, RB, 0, hand_value(h, "y", second));
    CHECK_MERGED(h, "x = s[0] / s[1]\ny = s[2] / s[1]\n");
}

/* ---- roots ----------------------------------------------------------------------------------- */

static struct expr *square(struct hand *h)
{
    return plus(h, s(h, 0), s(h, 1));
}

static void reciprocal_roots(void)
{
    struct hand *h = two_ends();
    int r = hand_value(h, "r", one_over(h, hand_call(h, "sqrt", square(h))));
    hand_add(h, RA, 0, r);
    CHECK_MERGED(h, "square_0 = s[0] + s[1]\nr = cleave_rsqrt(square_0)\n");

    /* The root itself, which is needed too. */
    h = two_ends();
    int root = hand_value(h, "root", hand_call(h, "sqrt", square(h)));
    hand_add(h, RA, 0, root);
    hand_add(h, RB, 0, hand_value(h, "x", over(h, s(h, 2), hand_read(h, root))));
    CHECK_TEXT(merged(h, false),
               "square_1 = s[0] + s[1]\nreciprocal_0 = cleave_rsqrt(square_1)\n"
               "root = cleave_root(square_1, reciprocal_0)\nx = s[2] * reciprocal_0\n");
    CHECK(h->graph->written.divisions == 1 && h->graph->written.roots == 1);
    CHECK(h->graph->left.divisions == 0 && h->graph->left.roots == 0 &&
          h->graph->left.reciprocal_roots == 1);
    hand_free(h);

    /* A root alone, and one of which a branch alone wants the reciprocal. */
    h = two_ends();
    root = hand_value(h, "root", hand_call(h, "sqrt", s(h, 0)));
    hand_add(h, RA, 0, root);
    CHECK_MERGED(h, "root = sqrt(s[0])\n");
    h = two_ends();
    int c = hand_value(h, "c", hand_op(h, BINARY_GT, s(h, 4), hand_number(h, 0)));
    root = hand_value(h, "root", hand_call(h, "sqrt", s(h, 0)));
    begin_branch(h, c, true);
    int x = hand_value(h, "x", one_over(h, hand_read(h, root)));
    h->guard = NULL;
    hand_add(h, RA, 0, root);
    hand_add(h, RB, 0, hand_value(h, "z", hand_cond(h, hand_read(h, c), hand_read(h, x), s(h, 5))));
    CHECK_MERGED(h, "c = s[4] > 0.0\nroot = sqrt(s[0])\n[c] x = 1.0 / root\nz = c ? x : s[5]\n");
}

/* ---- one division for several ---------------------------------------------------------------- */

/* The sum of 1 / denominator[0], 1 / denominator[1], ... */
static struct hand *sum_of(int count, bool of_points)
{
    struct hand *h = two_ends();
    struct expr *sum = s(h, 5);
    for (int i = 0; i < count; i++) {
        struct expr *below = of_points ? hand_place(h, i % 2 == 0 ? A : B, i / 2) : s(h, i);
        sum = plus(h, sum, over(h, hand_place(h, A, 5), below));
    }
    hand_add(h, RA, 0, hand_value(h, "sum", sum));
    return h;
}

static void groups(void)
{
    CHECK_MERGED(sum_of(1, false), "sum = s[5] + a[5] / s[0]\n");
    CHECK_MERGED(sum_of(2, false),
                 "reciprocal_2 = 1.0 / (s[0] * s[1])\nreciprocal_0 = reciprocal_2 * s[1]\n"
                 "reciprocal_1 = reciprocal_2 * s[0]\n"
                 "sum = s[5] + a[5] * reciprocal_0 + a[5] * reciprocal_1\n");
    CHECK_MERGED(sum_of(3, false),
                 "product_3 = s[1] * s[2]\nreciprocal_4 = 1.0 / (s[0] * product_3)\n"
                 "reciprocal_0 = reciprocal_4 * product_3\nreciprocal_5 = reciprocal_4 * s[0]\n"
                 "reciprocal_1 = reciprocal_5 * s[2]\nreciprocal_2 = reciprocal_5 * s[1]\n"
                 "sum = s[5] + a[5] * reciprocal_0 + a[5] * reciprocal_1 + a[5] * reciprocal_2\n");
    struct hand *h = sum_of(4, false);
    CHECK(strstr(merged(h, false), "1.0 / (product_4 * product_5)") != NULL);
    CHECK(h->graph->left.divisions == 1);
    hand_free(h);
    h = sum_of(5, false); /* the fifth is divided by alone */
    CHECK(strstr(merged(h, false), "+ a[5] / s[4]\n") != NULL);
    CHECK(h->graph->left.divisions == 2);
    hand_free(h);
}

/* Owner gathers compute what belongs to one point once for each. */
static void points(void)
{
    struct hand *h = sum_of(2, true);
    CHECK(strstr(merged(h, false), "1.0 / (a[0] * b[0])") != NULL);
    hand_free(h);
    check_merged(sum_of(2, true), true, "sum = s[5] + a[5] / a[0] + a[5] / b[0]\n");
    check_merged(sum_of(2, false), true,
                 "reciprocal_2 = 1.0 / (s[0] * s[1])\nreciprocal_0 = reciprocal_2 * s[1]\n"
                 "reciprocal_1 = reciprocal_2 * s[0]\n"
                 "sum = s[5] + a[5] * reciprocal_0 + a[5] * reciprocal_1\n");
}

/* x waits for y, directly or through a third; z does not. */
static void chains(void)
{
    struct hand *h = two_ends();
    int y = hand_value(h, "y", over(h, s(h, 0), s(h, 1)));
    int x = hand_value(h, "x", over(h, s(h, 2), plus(h, hand_read(h, y), s(h, 3))));
    hand_add(h, RA, 0, x);
    CHECK_MERGED(h, "y = s[0] / s[1]\nx = s[2] / (y + s[3])\n");
    h = two_ends();
    y = hand_value(h, "y", over(h, s(h, 0), s(h, 1)));
    x = hand_value(h, "x", over(h, s(h, 2), plus(h, hand_read(h, y), s(h, 3))));
    int z = hand_value(h, "z", over(h, hand_read(h, x), s(h, 4)));
    hand_add(h, RA, 0, z);
    CHECK_MERGED(h, "reciprocal_2 = 1.0 / (s[1] * s[4])\nreciprocal_0 = reciprocal_2 * s[4]\n"
                    "y = s[0] * reciprocal_0\nx = s[2] / (y + s[3])\n"
                    "reciprocal_1 = reciprocal_2 * s[1]\nz = x * reciprocal_1\n");
    /* Two pairs: the second of either waits for the first of the other. */
    h = two_ends();
    x = hand_value(h, "x", over(h, s(h, 0), s(h, 1)));
    y = hand_value(h, "y", over(h, s(h, 0), s(h, 2)));
    int p = hand_value(h, "p", over(h, hand_read(h, y), plus(h, hand_read(h, x), s(h, 3))));
    int q = hand_value(h, "q", over(h, hand_read(h, x), plus(h, hand_read(h, y), s(h, 4))));
    hand_add(h, RA, 0, hand_value(h, "sum", plus(h, hand_read(h, p), hand_read(h, q))));
    CHECK(strstr(merged(h, false), "1.0 / (s[1] * s[2])") != NULL);
    CHECK(h->graph->left.divisions == 2);
    hand_free(h);
}

/* The statement that sets a variable is no value: its node is kept whole. */
static void make_region(struct hand *h, int n)
{
    struct node *node = &h->graph->node[n];
    struct expr *assign = hand_op(h, BINARY_ADD, hand_read(h, n), node->expr);
    assign->kind = EXPR_ASSIGN;
    node->kind = NODE_REGION;
    node->stmt = arena_alloc(h->arena, sizeof(*node->stmt));
    *node->stmt = (struct stmt){.kind = STMT_EXPR, .expr = assign};
    node->expr = NULL;
    node->var = NULL;
}

/* x waits for y through a statement that is kept whole. */
static void chain_through_region(void)
{
    struct hand *h = two_ends();
    int y = hand_value(h, "y", over(h, s(h, 0), s(h, 1)));
    int kept = hand_value(h, "kept", plus(h, hand_read(h, y), s(h, 3)));
    int below = hand_value(h, "below", plus(h, hand_read(h, kept), s(h, 4)));
    int x = hand_value(h, "x", over(h, s(h, 2), hand_read(h, below)));
    make_region(h, kept);
    hand_add(h, RA, 0, x);
    CHECK_MERGED(h, "y = s[0] / s[1]\nkept = y + s[3]\nbelow = kept + s[4]\nx = s[2] / below\n");
}

/* Under other conditions, of a select, of other increments, of what the body asks about, of float.
 */
static void kept_apart(void)
{
    struct hand *h = two_ends();
    int c = hand_value(h, "c", hand_op(h, BINARY_GT, s(h, 4), hand_number(h, 0)));
    int y = hand_value(h, "y", over(h, s(h, 2), s(h, 0)));
    begin_branch(h, c, true);
    int x = hand_value(h, "x", over(h, hand_read(h, y), s(h, 1)));
    h->guard = NULL;
    hand_add(h, RA, 0,
             hand_value(h, "z", hand_cond(h, hand_read(h, c), hand_read(h, x), hand_read(h, y))));
    CHECK_MERGED(h, "c = s[4] > 0.0\ny = s[2] / s[0]\n[c] x = y / s[1]\nz = c ? x : y\n");

    h = two_ends();
    struct expr *asks = hand_op(h, BINARY_NE, s(h, 1), hand_number(h, 0));
    struct expr *sum =
        plus(h, over(h, s(h, 2), s(h, 0)), hand_cond(h, asks, over(h, s(h, 3), s(h, 1)), s(h, 5)));
    hand_add(h, RA, 0, hand_value(h, "z", sum));
    CHECK_MERGED(h, "z = s[2] / s[0] + (s[1] != 0.0 ? s[3] / s[1] : s[5])\n");

    h = two_ends();
    asks = hand_op(h, BINARY_LT, hand_call(h, "fabs", s(h, 1)), s(h, 5));
    x = hand_value(h, "x", over(h, s(h, 2), s(h, 0)));
    y = hand_value(h, "y", over(h, hand_read(h, x), s(h, 1)));
    hand_add(h, RA, 0, hand_value(h, "z", hand_cond(h, asks, hand_read(h, x), hand_read(h, y))));
    CHECK_MERGED(h, "x = s[2] / s[0]\ny = x / s[1]\nz = fabs(s[1]) < s[5] ? x : y\n");

    h = two_ends();
    hand_add(h, RA, 0, hand_value(h, "x", over(h, hand_place(h, A, 0), s(h, 0))));
    hand_add(h, RA, 1, hand_value(h, "y", over(h, hand_place(h, B, 1), s(h, 1))));
    CHECK_MERGED(h, "x = a[0] / s[0]\ny = b[1] / s[1]\n");

    static const struct type single = {.kind = TYPE_FLOAT, .size = 4};
    h = sum_of(2, false);
    struct expr *last = h->graph->node[0].expr->kid[1];
    last->type = last->kid[1]->type = &single;
    last = h->graph->node[0].expr->kid[0]->kid[1];
    last->type = last->kid[1]->type = &single;
    CHECK_MERGED(h, "sum = s[5] + a[5] / s[0] + a[5] / s[1]\n");
}

int main(void)
{
    shared_denominator();
    names();
    branches();
    selects();
    constants();
    left_alone();
    reciprocal_roots();
    groups();
    points();
    chains();
    chain_through_region();
    kept_apart();
    return CHECK_RESULT();
}
