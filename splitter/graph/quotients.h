/* quotients.h: between the files that let a graph divide less often.
 *
 *   quotients.c        finds quotients with one denominator, and replaces them by products
 *   quotients_merge.c  which reciprocals are made by one division
 *   quotients_nodes.c  nodes for what is new, and an order in which all can run
 */
#ifndef CLEAVE_QUOTIENTS_H
#define CLEAVE_QUOTIENTS_H

#include "splitter/graph/value_number.h"

/* The reciprocal of one denominator, wherever `guard` holds. */
struct reciprocal {
    int id; /* number of the denominator, as it is written */
    const struct guard *guard;
    const struct type *type;
    int node;                 /* of the first quotient */
    const struct expr *first; /* the denominator there */
    int sites;                /* quotients that it serves */
    int root;                 /* node that is the root below the fractions; -1: none */
    bool is_root;             /* the denominator is a root */
    bool chosen;              /* it becomes a new node */
    struct var *var;          /* chosen: that holds it */
    int owner; /* node that is nothing but the reciprocal, under that name; -1: none */
    struct expr *denominator; /* chosen: of the new node; NULL until the first quotient is met */
    /* For sharing a division with other reciprocals (quotients_merge.c): */
    int level;      /* length of the chain of reciprocals that it depends on */
    uint64_t reach; /* a hash: equal if the same increments need the reciprocal */
    bool of_point;  /* it depends on the record of only one point */
    bool is_tested; /* the body compares the denominator with something: it may be zero */
    int group;      /* -1: it is made alone */
};

/* A quotient, in the order in which a walk over its node meets it, outer ones first. */
struct site {
    int node;
    const struct expr *expr;
    int reciprocal; /* -1: it stays, or its denominator is a constant */
    double scale;   /* reciprocal of a constant denominator; 0: it is none */
};

/* Names of new variables: "STEM_0" and so on. `tail` keeps them apart from the user's names. */
struct quotient_names {
    const char *tail;
    int count;
};

struct quotients {
    struct graph *graph;
    struct value_numbers *numbers;
    struct pointer_map values; /* nodes of variables, new ones too */
    int old_nodes;
    int node_capacity;
    struct quotient_names names;
    int sites;
    int site_capacity;
    struct site *site;
    int cursor; /* the next site of a walk */
    int reciprocals;
    int reciprocal_capacity;
    struct reciprocal *reciprocal;
    int groups;
};

enum { QUOTIENTS_MOST_MERGED = 4 };

/* quotients_merge.c: sets level, reach, of_point, is_tested and group of each reciprocal. Those of
 * one group have one guard and type, none needs another, and the same increments need all of them.
 * keep_points: those of one point's record alone are in no group. */
void quotients_group(struct quotients *quotients, bool keep_points);

/* quotients_nodes.c. A variable "STEM_0" that nothing else is called. */
struct var *quotients_var(struct quotients *quotients, const char *stem, const struct type *type);
/* var = expr under a guard, behind all nodes; how others read it. */
struct expr *quotients_node(struct quotients *quotients, struct var *var, struct expr *expr,
                            const struct guard *guard, struct loc loc);
struct expr *quotients_binary(struct quotients *quotients, enum binary_op op, struct expr *a,
                              struct expr *b);
struct expr *quotients_number(struct quotients *quotients, const struct type *type, double value);
struct expr *quotients_call(struct quotients *quotients, const char *name, const struct type *type,
                            struct expr *a, struct expr *b);
/* The expression as a leaf: itself, or a variable of a new node. */
struct expr *quotients_leaf(struct quotients *quotients, const char *stem, struct expr *expr,
                            const struct guard *guard, struct loc loc);
/* Uses and places of all nodes as their expressions are now, the nodes in an order in which they
 * can run, and the dead ones dropped. */
void quotients_settle(struct quotients *quotients);

#endif
