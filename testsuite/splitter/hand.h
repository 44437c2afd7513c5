/* hand.h: loops and graphs made by hand, for tests that need no source.
 *
 * hand_new(), then arguments, then nodes in their order, then contributions in the order of their
 * places; hand_graph() gives the graph, whose loop is hand->loop. Expressions that name places or
 * earlier nodes make the nodes' uses, places and flops.
 */
#ifndef CLEAVE_HAND_H
#define CLEAVE_HAND_H

#include "splitter/graph/graph.h"

struct hand {
    struct arena *arena;
    struct loop *loop;
    struct graph *graph;
    int node_capacity;
    int contribution_capacity;
    const struct guard *guard; /* of the nodes that are made next */
};

struct hand *hand_new(void);
void hand_free(struct hand *hand);

/* `map` < 0: direct. Returns the argument's number. */
int hand_arg(struct hand *hand, const char *name, int dat, int map, int column, int dim,
             enum access access);
struct expr *hand_place(struct hand *hand, int arg, int component);
struct expr *hand_number(struct hand *hand, double value);
struct expr *hand_read(struct hand *hand, int node); /* the variable of a VALUE */
struct expr *hand_neg(struct hand *hand, struct expr *kid);
struct expr *hand_op(struct hand *hand, enum binary_op op, struct expr *a, struct expr *b);
struct expr *hand_cond(struct hand *hand, struct expr *c, struct expr *a, struct expr *b);
struct expr *hand_call(struct hand *hand, const char *name, struct expr *kid);

int hand_value(struct hand *hand, const char *name, struct expr *expr);
/* Stores into a direct argument; after: the node that it must follow, or -1. */
int hand_store(struct hand *hand, int arg, int component, struct expr *value, int after);
/* An update of place (arg, component) with a node's variable. */
void hand_add(struct hand *hand, int arg, int component, int node);
/* Adds a contribution that is a place or a constant. */
void hand_add_leaf(struct hand *hand, int arg, int component, struct expr *value, bool negative);

#endif
