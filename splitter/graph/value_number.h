/* value_number.h: which values of a graph are equal, whatever the mesh and the data.
 *
 * Every expression gets the number of an operation; operations that are alike and work on values
 * that are alike have one number. A negative reference stands for the value with its sign changed.
 * What is called equal is equal in floating point: nothing is reassociated or distributed, `+` and
 * `*` commute, and a sign moves through sums, products, quotients and casts. Only the sign of a
 * zero may differ, as it does between x - y and -(y - x); where that can be seen (below a fraction,
 * in most functions) the operands must be alike as they are written.
 */
#ifndef CLEAVE_VALUE_NUMBER_H
#define CLEAVE_VALUE_NUMBER_H

#include <stdint.h>

#include "splitter/graph/graph_impl.h"

struct value_ref {
    int id;
    bool negative;
};

struct value_op {
    enum expr_kind kind;
    int op; /* unary or binary operator */
    const struct type *type;
    const void *what;   /* variable, function, argument, text */
    const char *text;   /* of EXPR_MEMBER, compared as text */
    uint64_t bits;      /* constant, or another key that distinguishes leaves */
    struct place place; /* EXPR_PLACE: of dat, map and column instead of an argument's, or zero */
    int kids;
    struct value_ref *kid;
    uint64_t shape;          /* hash of the tree, blind to signs and columns */
    const struct expr *expr; /* one that has this value; constants: not negative */
    /* A node that has this value or its negative for every element; -1: none. */
    int home;
    bool home_negative;
    int next; /* in its bucket */
};

struct value_numbers {
    const struct graph *graph;
    struct pointer_map values;  /* variables of NODE_VALUEs to nodes */
    struct pointer_map setters; /* other variables to the last node so far that sets them */
    int ops;
    int capacity;
    struct value_op *op;
    int buckets;
    int *bucket;
    struct value_ref *loose;  /* of each node, the sign of a zero aside */
    struct value_ref *strict; /* of each node, as it is written */
};

/* Numbers all nodes. */
struct value_numbers *value_numbers_new(const struct graph *graph);
/* The number of an expression that is evaluated after all nodes. */
struct value_ref value_number(struct value_numbers *numbers, const struct expr *expr);
/* Strict number of the expression as it is written: values with equal numbers are equal to the last
 * bit, including the sign of zero. */
struct value_ref value_number_strict(struct value_numbers *numbers, const struct expr *expr);

/* A floating constant, or an integer one; casts of one count. *value: what it is. */
bool value_is_constant(const struct value_numbers *numbers, int id, double *value);

#endif
