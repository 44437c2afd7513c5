/* graph_check.c: the checker finds each broken rule when it is planted in a good graph; cones; and
 * nodes that nothing needs are dropped with what names them renumbered.
 */
#include "splitter/schedule/schedules.h"
#include "splitter/splitter.h"

#include "check.h"
#include "hand.h"

enum { A, S, W, R, NODE_X = 0, NODE_C, NODE_Y, NODE_STORE_W, NODE_SUM, NODES };

/* x = a[0] * s[0]; c = x > 0; if (c) y = a[1] + x; w[0] = x; sum = c ? y : 0; r[0] += sum, r[1] +=
 * s. */
static struct hand *good(void)
{
    struct hand *h = hand_new();
    hand_arg(h, "a", 0, 0, 0, 2, ACCESS_READ);
    hand_arg(h, "s", 1, -1, 0, 1, ACCESS_READ);
    hand_arg(h, "w", 2, -1, 0, 1, ACCESS_WRITE);
    hand_arg(h, "r", 3, 0, 0, 2, ACCESS_INC);
    int x = hand_value(h, "x", hand_op(h, BINARY_MUL, hand_place(h, A, 0), hand_place(h, S, 0)));
    int c = hand_value(h, "c", hand_op(h, BINARY_GT, hand_read(h, x), hand_number(h, 0)));
    struct guard *guard = arena_alloc(h->arena, sizeof(*guard));
    guard->condition = c;
    guard->when = true;
    h->guard = guard;
    int y = hand_value(h, "y", hand_op(h, BINARY_ADD, hand_place(h, A, 1), hand_read(h, x)));
    h->guard = NULL;
    hand_store(h, W, 0, hand_read(h, x), -1);
    int sum =
        hand_value(h, "sum", hand_cond(h, hand_read(h, c), hand_read(h, y), hand_number(h, 0)));
    hand_add(h, R, 0, sum);
    hand_add_leaf(h, R, 1, hand_place(h, S, 0), false);
    return h;
}

/* Breaks a good graph in one way and asks for the message, and for what is said of the program. */
static void planted(void (*plant)(struct hand *h), const char *expected)
{
    struct hand *h = good();
    struct program program = {.arena = h->arena, .loops = 1, .loop = h->loop};
    h->loop->graph = h->graph;
    CHECK(graph_check(h->graph) == NULL);
    CHECK(splitter_check_graphs(&program) == NULL);
    plant(h);
    CHECK_TEXT(graph_check(h->graph), expected);
    CHECK_TEXT(splitter_check_graphs(&program),
               arena_format(h->arena, "loop %s, graph: %s", h->loop->id, expected));
    hand_free(h);
}

static void lose_use(struct hand *h)
{
    h->graph->node[NODE_SUM].uses = 1;
}

static void lose_place(struct hand *h)
{
    h->graph->node[NODE_Y].places = 0;
}

static void use_later(struct hand *h)
{
    h->graph->node[NODE_C].use[0].node = NODE_SUM;
}

static void use_wrong_node(struct hand *h)
{
    h->graph->node[NODE_SUM].use[0].node = NODE_X;
}

static void unorder_places(struct hand *h)
{
    struct node *node = &h->graph->node[NODE_X];
    struct place first = node->place[0];
    node->place[0] = node->place[1];
    node->place[1] = first;
}

static void define_twice(struct hand *h)
{
    struct node *node = &h->graph->node[NODE_SUM];
    node->var = node->define[0] = h->graph->node[NODE_X].var;
}

static void repeat_store(struct hand *h)
{
    h->graph->node[NODE_STORE_W].once = false;
}

static void guard_value(struct hand *h)
{
    h->graph->node[NODE_SUM].guard = h->graph->node[NODE_Y].guard;
}

static void lose_condition(struct hand *h)
{
    h->graph->node[NODE_STORE_W].guard = h->graph->node[NODE_Y].guard;
}

static void guard_condition(struct hand *h)
{
    struct guard *inner = arena_alloc(h->arena, sizeof(*inner));
    inner->condition = NODE_Y; /* made only where c holds */
    h->graph->node[NODE_SUM].guard = inner;
}

static void effect_in_value(struct hand *h)
{
    h->graph->node[NODE_SUM].expr = h->graph->node[NODE_STORE_W].stmt->expr;
}

static void wrong_effects(struct hand *h)
{
    h->graph->effects = false;
}

static void repeat_contribution(struct hand *h)
{
    h->graph->contribution[1].update.place.component = 0;
}

static void update_of_read(struct hand *h)
{
    h->graph->contribution[0].update.place.arg = A;
}

static void indirect_value(struct hand *h)
{
    h->graph->contribution[1].update.value = hand_place(h, A, 0);
}

static void merged_forward(struct hand *h)
{
    h->graph->contribution[0].merged = 1;
}

static void check_rules(void)
{
    planted(lose_use, "node 4 (line 5): its uses lack a variable that it reads: 'y'");
    planted(lose_place, "node 2 (line 3): its places lack what it reads: 'a[1]'");
    planted(use_later, "node 1 (line 2): it uses a node that does not run before it, for 'x'");
    planted(use_wrong_node, "node 4 (line 5): it uses a node that does not set 'c'");
    planted(unorder_places, "node 0 (line 1): its places are not ordered");
    planted(define_twice, "node 0 (line 1): a variable of a value has a second definition: 'x'");
    planted(repeat_store, "node 3 (line 4): a store or an effect runs once");
    planted(guard_value, "contribution 0 (line 100): its value is not made for every element");
    planted(lose_condition, "node 3 (line 4): its uses lack a condition of its guard: 'c'");
    planted(
        guard_condition,
        "node 4 (line 5): a condition of its guard is not computed wherever the guard asks for it");
    planted(effect_in_value, "node 4 (line 5): a value has a side effect");
    planted(wrong_effects, "'effects' does not say whether some node runs once");
    planted(repeat_contribution,
            "contribution 1 (line 101): contributions are not ordered by place, each once");
    planted(update_of_read,
            "contribution 0 (line 100): its argument is not incremented through a map");
    planted(indirect_value, "contribution 1 (line 101): an update cannot read its value");
    planted(merged_forward,
            "contribution 0 (line 100): it is merged with what is not a first contribution");
}

static void cones(void)
{
    struct hand *h = good();
    bool needed[NODES] = {[NODE_Y] = true};
    graph_cone(h->graph, needed, false);
    CHECK(needed[NODE_X] && needed[NODE_C] && needed[NODE_Y]);
    CHECK(!needed[NODE_STORE_W] && !needed[NODE_SUM]);
    bool ordered[NODES] = {[NODE_SUM] = true};
    h->graph->node[NODE_SUM].afters = 1;
    h->graph->node[NODE_SUM].after = (int[]){NODE_STORE_W};
    graph_cone(h->graph, ordered, true);
    CHECK(ordered[NODE_STORE_W]);
    hand_free(h);
}

/* An unused value before the condition, and an unused read between two stores: the guard and the
 * order of the stores survive. */
static void drops(void)
{
    struct hand *h = hand_new();
    hand_arg(h, "w", 0, -1, 0, 1, ACCESS_RW);
    hand_arg(h, "s", 1, -1, 0, 1, ACCESS_READ);
    hand_value(h, "unused", hand_number(h, 1));
    int c = hand_value(h, "c", hand_op(h, BINARY_GT, hand_place(h, 1, 0), hand_number(h, 0)));
    int first = hand_store(h, 0, 0, hand_number(h, 1), -1);
    int load = hand_value(h, "load", hand_place(h, 0, 0));
    h->graph->node[load].afters = 1;
    h->graph->node[load].after = (int[]){first};
    struct guard guard = {c, true, NULL};
    h->guard = &guard;
    hand_store(h, 0, 0, hand_number(h, 2), load);
    CHECK(graph_check(h->graph) == NULL);
    graph_drop_dead(h->graph);
    CHECK(graph_check(h->graph) == NULL);
    CHECK(h->graph->nodes == 3);
    CHECK_TEXT(h->graph->node[0].var->name, "c");
    CHECK(h->graph->node[2].guard->condition == 0);
    CHECK(h->graph->node[2].use[0].node == 0);
    CHECK(h->graph->node[2].afters == 1 && h->graph->node[2].after[0] == 1);
    CHECK(guard.condition == c); /* shared with others: not changed in place */
    hand_free(h);
}

/* Stores one value in component 0 of w, then, perhaps behind a read or under a guard, another one.
 * Returns how many stores are left. */
static int stores_left(bool reads, bool is_guarded, bool first_is_guarded)
{
    struct hand *h = hand_new();
    int stores = 0;
    int after[1];
    hand_arg(h, "w", 0, -1, 0, 2, ACCESS_RW);
    hand_arg(h, "s", 1, -1, 0, 1, ACCESS_READ);
    int c = hand_value(h, "c", hand_op(h, BINARY_GT, hand_place(h, 1, 0), hand_number(h, 0)));
    struct guard guard = {c, true, NULL};
    h->guard = first_is_guarded ? &guard : NULL;
    int last = hand_store(h, 0, 0, hand_number(h, 1), -1);
    h->guard = NULL;
    hand_store(h, 0, 1, hand_number(h, 1), -1); /* another component */
    if (reads) {
        int load = hand_value(h, "load", hand_place(h, 0, 0));
        h->graph->node[load].afters = 1;
        after[0] = last;
        h->graph->node[load].after = after;
        hand_store(h, 0, 1, hand_read(h, load), -1);
        last = load;
    }
    h->guard = is_guarded ? &guard : NULL;
    hand_store(h, 0, 0, hand_number(h, 2), last);
    CHECK(graph_check(h->graph) == NULL);
    graph_drop_overwritten(h->graph);
    CHECK(graph_check(h->graph) == NULL);
    for (int n = 0; n < h->graph->nodes; n++) {
        const struct node *node = &h->graph->node[n];
        stores += node->kind == NODE_STORE && node->stmt->expr->kid[0]->place.component == 0;
    }
    hand_free(h);
    return stores;
}

/* A store that a later one replaces on every path is dropped, unless the record is read between. */
static void drops_overwritten(void)
{
    CHECK(stores_left(false, false, false) == 1);
    CHECK(stores_left(false, false, true) == 1);
    CHECK(stores_left(false, true, true) == 1);
    CHECK(stores_left(false, true, false) == 2);
    CHECK(stores_left(true, false, false) == 2);
}

/* Other columns and other arguments of the dat may lead to the record that was stored. */
static void keeps_what_others_read(void)
{
    for (int dat = 0; dat < 2; dat++) { /* of the other argument */
        struct hand *h = hand_new();
        hand_arg(h, "w", 0, -1, 0, 1, ACCESS_RW);
        hand_arg(h, "x", dat, 0, 0, 1, ACCESS_RW);
        int first = hand_store(h, 0, 0, hand_number(h, 1), -1);
        int load = hand_value(h, "load", hand_place(h, 1, 0));
        h->graph->node[load].afters = dat == 0;
        h->graph->node[load].after = (int[]){first};
        hand_store(h, 1, 0, hand_read(h, load), -1);
        hand_store(h, 0, 0, hand_number(h, 2), dat == 0 ? load : first);
        graph_drop_overwritten(h->graph);
        CHECK(h->graph->nodes == (dat == 0 ? 4 : 3));
        hand_free(h);
    }
}

int main(void)
{
    check_rules();
    cones();
    drops();
    drops_overwritten();
    keeps_what_others_read();
    return CHECK_RESULT();
}
