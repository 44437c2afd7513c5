/* sides.c: for which bodies both sides of an element are alike (splitter/graph/sides.h). */
#include "splitter/schedule/schedules.h"

#include "check.h"
#include "hand.h"

/* Two points q1, q2 through map 0, two ends x1, x2 of the element through map 1, a weight of the
 * element, and what is added to both points. */
enum { Q1, Q2, X1, X2, WEIGHT, R1, R2 };

static struct hand *new_element(void)
{
    struct hand *h = hand_new();
    hand_arg(h, "q1", 0, 0, 0, 3, ACCESS_READ);
    hand_arg(h, "q2", 0, 0, 1, 3, ACCESS_READ);
    hand_arg(h, "x1", 1, 1, 0, 2, ACCESS_READ);
    hand_arg(h, "x2", 1, 1, 1, 2, ACCESS_READ);
    hand_arg(h, "weight", 2, -1, 0, 1, ACCESS_READ);
    hand_arg(h, "r1", 3, 0, 0, 1, ACCESS_INC);
    hand_arg(h, "r2", 3, 0, 1, 1, ACCESS_INC);
    return h;
}

static struct expr *product(struct hand *h, struct expr *a, struct expr *b)
{
    return hand_op(h, BINARY_MUL, a, b);
}

static struct expr *sum(struct hand *h, struct expr *a, struct expr *b)
{
    return hand_op(h, BINARY_ADD, a, b);
}

static struct expr *difference(struct hand *h, struct expr *a, struct expr *b)
{
    return hand_op(h, BINARY_SUB, a, b);
}

/* x1 - x2 */
static struct expr *along(struct hand *h)
{
    return difference(h, hand_place(h, X1, 0), hand_place(h, X2, 0));
}

/* q1 * d + q2 * d + q1' * d + q2' * d: the terms of both sides stand in different orders. */
static struct expr *flux(struct hand *h)
{
    const int d = hand_value(h, "d", along(h));
    struct expr *f = product(h, hand_place(h, Q1, 0), hand_read(h, d));
    f = sum(h, f, product(h, hand_place(h, Q2, 0), hand_read(h, d)));
    f = sum(h, f, product(h, hand_read(h, d), hand_place(h, Q1, 1)));
    return sum(h, f, product(h, hand_read(h, d), hand_place(h, Q2, 1)));
}

/* The same, of the second component of one side alone. */
static struct expr *lopsided(struct hand *h)
{
    return sum(h, flux(h), product(h, along(h), hand_place(h, Q1, 2)));
}

static struct expr *weighted_difference(struct hand *h)
{
    struct expr *scaled = product(h, hand_number(h, 0.5), hand_place(h, WEIGHT, 0));
    return product(h, scaled, difference(h, hand_place(h, Q2, 0), hand_place(h, Q1, 0)));
}

/* The weight would have to change its sign. */
static struct expr *weighted_sum(struct hand *h)
{
    return product(h, hand_place(h, WEIGHT, 0), sum(h, hand_place(h, Q1, 0), hand_place(h, Q2, 0)));
}

/* |d| is the same from both sides; -(d / |d|) * q from the other one. */
static struct expr *quotient(struct hand *h)
{
    struct expr *above = product(h, along(h), sum(h, hand_place(h, Q1, 0), hand_place(h, Q2, 0)));
    return hand_op(h, BINARY_DIV, above, hand_call(h, "sqrt", hand_call(h, "fabs", along(h))));
}

/* 1 / (x1 - x2) is another infinity than -1 / (x2 - x1). */
static struct expr *inverse(struct hand *h)
{
    return hand_op(h, BINARY_DIV, hand_number(h, 1.0), along(h));
}

/* q1 + q2 > 0 ? flux : 0.5 * flux; the condition has the same bits on both sides. */
static struct expr *decided(struct hand *h, struct expr *condition)
{
    const int f = hand_value(h, "f", flux(h));
    return hand_cond(h, hand_op(h, BINARY_GT, condition, hand_number(h, 0.0)), hand_read(h, f),
                     product(h, hand_number(h, 0.5), hand_read(h, f)));
}

/* Zero is its own opposite. */
static struct expr *limited(struct hand *h)
{
    struct expr *size = hand_call(h, "fabs", along(h));
    return hand_cond(h, hand_op(h, BINARY_GT, size, hand_number(h, 1.0)), hand_number(h, 0.0),
                     flux(h));
}

static struct expr *decided_by_sum(struct hand *h)
{
    return decided(h, sum(h, hand_place(h, Q1, 0), hand_place(h, Q2, 0)));
}

/* The products may be contracted with the sum, each with that of the other side. */
static struct expr *decided_by_products(struct hand *h)
{
    return decided(h, sum(h, product(h, hand_place(h, Q1, 0), hand_place(h, Q1, 1)),
                          product(h, hand_place(h, Q2, 0), hand_place(h, Q2, 1))));
}

static struct expr *decided_by_three(struct hand *h)
{
    return decided(h, sum(h, sum(h, hand_place(h, Q1, 0), hand_place(h, Q2, 0)),
                          sum(h, hand_place(h, Q1, 1), hand_place(h, Q2, 2))));
}

/* Which of the sides decides would change. */
static struct expr *upwind(struct hand *h)
{
    struct expr *condition = hand_op(h, BINARY_GT, along(h), hand_number(h, 0.0));
    struct expr *chosen = hand_cond(h, condition, hand_place(h, Q1, 0), hand_place(h, Q2, 0));
    return product(h, along(h), chosen);
}

static bool is_alike(struct hand *h)
{
    h->loop->graph = h->graph;
    schedules_build(h->arena, h->loop);
    const struct schedule *owner = &h->loop->schedule[AT_OWNER_GATHER];
    CHECK(owner->legal && owner->stages == 1);
    return owner->stage[0].has_alike_sides;
}

/* The value is added on the first side, and added or subtracted on the second. */
static bool gives(struct expr *(*value)(struct hand *h), bool adds)
{
    struct hand *h = new_element();
    const int f = hand_value(h, "value", value(h));
    hand_add(h, R1, 0, f);
    if (adds) {
        hand_add(h, R2, 0, f);
    } else {
        hand_add_leaf(h, R2, 0, hand_read(h, f), true);
    }
    const bool alike = is_alike(h);
    hand_free(h);
    return alike;
}

static struct expr *symmetric(struct hand *h)
{
    return hand_call(h, "sqrt", sum(h, hand_place(h, Q1, 0), hand_place(h, Q2, 0)));
}

static void test_fluxes(void)
{
    CHECK(gives(flux, false));
    CHECK(!gives(flux, true));
    CHECK(!gives(lopsided, false));
    CHECK(gives(weighted_difference, false));
    CHECK(!gives(weighted_sum, false));
    CHECK(gives(weighted_sum, true));
    CHECK(gives(symmetric, true));
    CHECK(!gives(symmetric, false));
}

static void test_what_decides(void)
{
    CHECK(gives(quotient, false));
    CHECK(!gives(inverse, false));
    CHECK(gives(decided_by_sum, false));
    CHECK(gives(limited, false));
    CHECK(!gives(limited, true));
    CHECK(!gives(decided_by_products, false));
    CHECK(!gives(decided_by_three, false));
    CHECK(!gives(upwind, false));
}

/* Each side has a value of its own: q1 * q1 - q2 for the first, q2 * q2 - q1 for the second. */
static void test_two_values(void)
{
    for (int same = 0; same < 2; same++) {
        struct hand *h = new_element();
        const int mine =
            hand_value(h, "mine",
                       difference(h, product(h, hand_place(h, Q1, 0), hand_place(h, Q1, 0)),
                                  hand_place(h, Q2, 0)));
        const int theirs =
            hand_value(h, "theirs",
                       difference(h, product(h, hand_place(h, Q2, 0), hand_place(h, Q2, 0)),
                                  hand_place(h, same ? Q1 : Q2, 0)));
        hand_add(h, R1, 0, mine);
        hand_add(h, R2, 0, theirs);
        CHECK(is_alike(h) == (same != 0));
        hand_free(h);
    }
}

/* A third column of the ends has no partner, and neither have the others. */
static void test_three_ends(void)
{
    struct hand *h = new_element();
    hand_arg(h, "x3", 1, 1, 2, 2, ACCESS_READ);
    const int f = hand_value(h, "f", flux(h));
    hand_add(h, R1, 0, f);
    hand_add_leaf(h, R2, 0, hand_read(h, f), true);
    CHECK(!is_alike(h));
    hand_free(h);
}

/* A column's number, as op_arg_idx() gives it, is of one side alone. */
static void test_index(void)
{
    struct hand *h = new_element();
    const int index = hand_arg(h, "index", 4, 0, 0, 1, ACCESS_READ);
    h->loop->arg[index].kind = ARG_INDEX;
    const int f = hand_value(h, "f", product(h, flux(h), hand_place(h, index, 0)));
    hand_add(h, R1, 0, f);
    hand_add_leaf(h, R2, 0, hand_read(h, f), true);
    CHECK(!is_alike(h));
    hand_free(h);
}

int main(void)
{
    test_fluxes();
    test_what_decides();
    test_two_values();
    test_three_ends();
    test_index();
    return CHECK_RESULT();
}
