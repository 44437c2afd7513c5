/* point_values.c: which values of one point a block of points computes once for each, and where
 * they go: in the place of what nothing else needs, or beside it; and when it is not worth it.
 */
#include "splitter/schedule/schedules.h"

#include "check.h"
#include "hand.h"

/* Two points q1, q2 of one dat, read through columns 0 and 1, and what is added to both. */
enum { Q1, Q2, R1, R2 };

static struct hand *two_ends(int second_column)
{
    struct hand *h = hand_new();
    hand_arg(h, "q1", 0, 0, 0, 3, ACCESS_READ);
    hand_arg(h, "q2", 0, 0, second_column, 3, ACCESS_READ);
    hand_arg(h, "r1", 1, 0, 0, 1, ACCESS_INC);
    hand_arg(h, "r2", 1, 0, 1, 1, ACCESS_INC);
    return h;
}

/* f is added to both ends. */
static const struct point_values *computed_added(struct hand *h, int f)
{
    hand_add(h, R1, 0, f);
    hand_add(h, R2, 0, f);
    h->loop->graph = h->graph;
    schedules_build(h->arena, h->loop);
    const struct schedule *owner = &h->loop->schedule[AT_OWNER_GATHER];
    CHECK(owner->legal && owner->stages == 1);
    return owner->stage[0].point_values;
}

/* Finds computed values of f = a * q2[component] + b * q1[component]. */
static const struct point_values *computed_of(struct hand *h, int a, int b, int component)
{
    int f =
        hand_value(h, "f",
                   hand_op(h, BINARY_ADD,
                           hand_op(h, BINARY_MUL, hand_read(h, a), hand_place(h, Q2, component)),
                           hand_op(h, BINARY_MUL, hand_read(h, b), hand_place(h, Q1, component))));
    return computed_added(h, f);
}

static int root_of(struct hand *h, const char *name, int arg)
{
    return hand_value(h, name, hand_call(h, "sqrt", hand_place(h, arg, 0)));
}

static int root_of_root(struct hand *h, const char *name, int arg)
{
    return hand_value(h, name, hand_call(h, "sqrt", hand_call(h, "sqrt", hand_place(h, arg, 0))));
}

/* Nothing but the root needs q[0]: it takes its place, and elements compute no root. */
static void in_place(void)
{
    struct hand *h = two_ends(1);
    int a = root_of(h, "a", Q1);
    const struct point_values *computed = computed_of(h, a, root_of(h, "b", Q2), 1);
    CHECK(computed != NULL);
    if (computed != NULL) {
        CHECK(computed->values == 1 && computed->extras == 0 && computed->points->kids == 1);
        CHECK_TEXT(computed->value[0].var->name, "a");
        CHECK(computed->value[0].var->init->kind == EXPR_CALL);
        CHECK(computed->value[0].place.arg == Q1 && computed->value[0].place.component == 0);
        CHECK(computed->elements->kids == 3);
        const struct expr *b = computed->elements->kid[1]->var->init;
        CHECK(b->kind == EXPR_PLACE && b->place.arg == Q2 && b->place.component == 0);
    }
    hand_free(h);
}

/* The elements need q[0] too, so that the root has a record of its own, for which one root alone
 * would save too little. */
static void beside(void)
{
    struct hand *h = two_ends(1);
    int a = root_of_root(h, "a", Q1);
    const struct point_values *computed = computed_of(h, a, root_of_root(h, "b", Q2), 0);
    CHECK(computed != NULL);
    if (computed != NULL) {
        CHECK(computed->values == 1 && computed->extras == 1 && computed->value[0].place.arg == -1);
        CHECK(computed->extra[0] != NULL && computed->extra[1] != NULL &&
              computed->extra[2] == NULL);
        const struct expr *b = computed->elements->kid[1]->var->init;
        CHECK(b->kind == EXPR_INDEX && b->kid[0]->var == computed->extra[1] &&
              b->kid[1]->bits == 0);
    }
    hand_free(h);
}

/* For a thread's own point, which needs no shared memory, one root saves enough. */
static void own(void)
{
    struct hand *h = two_ends(1);
    int a = root_of(h, "a", Q1);
    CHECK(computed_of(h, a, root_of(h, "b", Q2), 0) == NULL);
    const struct point_values *computed = h->loop->schedule[AT_OWNER_GATHER].stage[0].own_values;
    CHECK(computed != NULL);
    if (computed != NULL) {
        CHECK(computed->values == 1 && computed->extras == 1 && computed->extra[1] != NULL);
        CHECK_TEXT(computed->value[0].var->name, "a");
    }
    hand_free(h);
}

/* A root is computed per point with its operands, and elements no longer compute these. */
static void chain(void)
{
    struct hand *h = two_ends(1);
    int root[2];
    for (int end = 0; end < 2; end++) {
        int sum = hand_value(h, end == 0 ? "s1" : "s2",
                             hand_op(h, BINARY_ADD, hand_place(h, end, 0), hand_place(h, end, 2)));
        root[end] = hand_value(h, end == 0 ? "a" : "b", hand_call(h, "sqrt", hand_read(h, sum)));
    }
    const struct point_values *computed = computed_of(h, root[0], root[1], 1);
    CHECK(computed != NULL);
    if (computed != NULL) {
        CHECK(computed->values == 1 && computed->extras == 0 && computed->points->kids == 2);
        CHECK_TEXT(computed->points->kid[0]->var->name, "s1");
        CHECK(computed->elements->kids == 3);
    }
    hand_free(h);
}

/* A product that is added stays where the addition is, with which compilers fuse it. */
static void product_in_sum(void)
{
    struct hand *h = two_ends(1);
    int root[2] = {root_of(h, "a", Q1), root_of(h, "b", Q2)};
    struct expr *product[2];
    for (int end = 0; end < 2; end++) {
        product[end] =
            hand_op(h, BINARY_MUL, hand_read(h, root[end]), hand_place(h, end == 0 ? Q1 : Q2, 1));
    }
    int f = hand_value(h, "f", hand_op(h, BINARY_ADD, product[0], product[1]));
    const struct point_values *computed = computed_added(h, f);
    CHECK(computed != NULL);
    if (computed != NULL) {
        CHECK(computed->values == 1 && computed->value[0].var->init->kind == EXPR_CALL);
    }
    hand_free(h);
}

/* A product is no reason for a loop over the points. */
static void too_little(void)
{
    struct hand *h = two_ends(1);
    int a = hand_value(h, "a", hand_op(h, BINARY_MUL, hand_place(h, Q1, 0), hand_place(h, Q1, 2)));
    int b = hand_value(h, "b", hand_op(h, BINARY_MUL, hand_place(h, Q2, 0), hand_place(h, Q2, 2)));
    CHECK(computed_of(h, a, b, 1) == NULL);
    hand_free(h);
}

/* A root of both ends is not a value of one point; for a root of one end points gain nothing. */
static void not_of_one_point(void)
{
    struct hand *h = two_ends(1);
    struct expr *sum = hand_op(h, BINARY_ADD, hand_place(h, Q1, 0), hand_place(h, Q2, 0));
    int a = hand_value(h, "a", hand_call(h, "sqrt", sum));
    CHECK(computed_of(h, a, a, 1) == NULL);
    hand_free(h);
    h = two_ends(0);
    a = root_of(h, "a", Q1);
    CHECK(computed_of(h, a, root_of(h, "b", Q2), 1) == NULL);
    hand_free(h);
}

int main(void)
{
    in_place();
    beside();
    own();
    chain();
    product_in_sum();
    too_little();
    not_of_one_point();
    return CHECK_RESULT();
}
