/* graph.h: the dependence graph of a kernel body, on places.
 *
 * lower.c takes a body apart into nodes: every value that is computed is a node with one definition
 * (static single assignment), so that reusing a local for different values creates no dependence; a
 * statement that cannot be taken apart (a loop whose trip count is not known) is one node. Control
 * flow is in the guards: a node runs when all conditions of its guard hold. Increments are not
 * nodes: the amount added to each place is a value, a *contribution*, and contributions.c merges
 * those that are equal up to sign and a constant factor (R. Tohid et al., "Effective
 * Resource-Driven Loop Splitting for Large Unstructured Mesh Applications on GPUs", take this step
 * by hand).
 *
 * All of it lives in the program's arena. Nodes are in an order in which they can run: that of the
 * user's body, after helpers are inlined and loops with constant bounds are unrolled.
 */
#ifndef CLEAVE_SPLITTER_GRAPH_H
#define CLEAVE_SPLITTER_GRAPH_H

#include "pass/ir/arena.h"
#include "pass/ir/loop_ir.h"

/* `condition` (a NODE_VALUE of scalar type) is true or false, and `outer` holds; `outer` holds also
 * where the condition itself is computed. Shared between nodes. */
struct guard {
    int condition; /* node */
    bool when;
    const struct guard *outer; /* NULL: none */
};

enum node_kind {
    NODE_VALUE,  /* var = expr, the only definition of var; no side effect */
    NODE_STORE,  /* stmt: sets a place of a direct argument, or a global's private copy */
    NODE_REGION, /* stmt: kept whole, sets `define`, perhaps several (a loop, a call that gets the
                    address of a local) or a part of one (an element of a local array) */
    NODE_EFFECT  /* stmt: printf and its kind: once for each element, in the user's order */
};

/* A value that a node reads: `var`, as `node` left it. */
struct use {
    int node;
    struct var *var;
};

struct node {
    enum node_kind kind;
    struct loc loc;
    const struct guard *guard; /* NULL: always */
    struct var *var;           /* VALUE */
    struct expr *expr;         /* VALUE */
    struct stmt *stmt;         /* the others; without its guard */
    int defines;               /* variables that it sets, wholly or in part; VALUE: var alone */
    struct var **define;
    /* Values read, including the guard's conditions; ordered by node, each pair once. A node that
     * sets a part of a variable reads it too. */
    int uses;
    struct use *use;
    /* Nodes that must run before this one although no value flows: this one stores where they read
     * or store, or both have side effects. Ascending. */
    int afters;
    int *after;
    /* Places of arguments that it reads, each once, ordered by argument, column, component.
     * Component -1: all components, because the subscript is not constant; column -1: all columns,
     * likewise. Includes places that the node modifies, ARG_INDEX and global arguments. */
    int places;
    struct place *place;
    bool once; /* must not be recomputed: STORE, EFFECT, or a REGION that contains one */
    /* Calls of helpers that the kernel itself, not a helper, has made up to here: in a joined loop,
     * whose kernel calls its members', the member that the node belongs to, from 1. */
    int member;
    double flops; /* of one execution: add, mul, div, sqrt, functions of libm: 1 each; integer and
                     logical operations: 0; a loop that is not unrolled counts its body 16 times */
};

/* The value that the body adds to one place, or takes the minimum or maximum of the place with.
 * `update.value` is one of: EXPR_VAR of a version, a constant, a READ global's place, a direct READ
 * place. */
struct contribution {
    struct update update;
    int node;       /* that defines the value's variable; -1: the value is no variable */
    int merged;     /* the first contribution with an equal value up to sign and scale, or itself */
    struct loc loc; /* of the first increment */
};

/* The divisions and roots of a body; constant ones, and quotients that are exact as a product, are
 * not counted. */
struct quotient_count {
    int divisions;
    int roots;
    int reciprocal_roots; /* 1 / sqrt(x) as one function */
};

struct graph {
    struct arena *arena;
    const struct loop *loop;
    int nodes;
    struct node *node;
    int contributions; /* of indirect arguments, ordered by place; for places incremented only */
    struct contribution *contribution;
    bool effects; /* some node is `once`: the whole body cannot be recomputed */
    /* Why contributions that look alike are not merged, for the reader; or NULL. */
    const char *unmerged;
    bool quotients_merged;         /* by graph_merge_quotients() */
    struct quotient_count written; /* before that */
    struct quotient_count left;    /* after it */
};

enum {
    GRAPH_MAX_NODES = 20000,
    GRAPH_MAX_GUARDS = 100 /* around one another: each node lists all those that it runs under */
};

/* contributions.c: sets `merged` and, in merged contributions, the update's value, negative and
 * scale, so that equal contributions share one value: v and -v (x - y is -(y - x), a sign moves
 * through products and quotients, exactly), and c*v for a constant c. Then drops nodes that nothing
 * needs. */
void graph_merge(struct graph *graph);

/* quotients.c: divides less often, which changes rounding: quotients with one denominator become
 * products with its reciprocal; 1 / sqrt(x) is one function, and so is the root beside it; up to
 * four reciprocals that are made under one guard, of doubles, are made by one division. Quotients
 * in loops that were not unrolled stay. keep_points: reciprocals of what belongs to one point's
 * record are made apart, since schedule/point_values.h makes them once for each point.
 *
 * requires: graph_merge(), and not bodies_prepare().
 * ensures:  graph_check() passes; `written` and `left` count. Where a denominator that the body
 * does not compare with anything is zero or not finite, or a product of them is not in the range of
 *           double, quotients that were finite may not be. */
void graph_merge_quotients(struct graph *graph, bool keep_points);

/* graph_flops.c: of one evaluation, as in struct node. */
double graph_flops(const struct expr *expr);
double graph_flops_stmt(const struct stmt *stmt);

/* Floating-point operations of one evaluation, by what they cost a processor. */
struct operation_count {
    double simple;    /* additions, multiplications, comparisons by fmin and its kind */
    double divisions; /* and roots */
    double functions; /* of libm, other than these */
};
struct graph_operations {
    struct operation_count in_double;
    struct operation_count in_float;
};
/* Adds those of the statement; their sum is graph_flops_stmt(). */
void graph_operations_add(const struct stmt *stmt, struct graph_operations *sum);
/* Adds those of the whole body, whose loops of known trip counts are unrolled. */
void graph_operations_of(const struct graph *graph, struct graph_operations *sum);

/* Nodes that no contribution and no `once` node needs are dropped; indices are renumbered. */
void graph_drop_dead(struct graph *graph);

/* graph_overwritten.c: drops stores of a component that a later store replaces whenever they run,
 * if nothing between both may read it; then nodes that nothing needs any more.
 *
 * requires: dead nodes were dropped: a value that nobody needs counts as read. */
void graph_drop_overwritten(struct graph *graph);

/* Distinct values among the contributions that cross to the updates: those that are variables. */
int graph_tmp_values(const struct graph *graph);

/* Names of the functions of generated code that return their argument, a float or a double, as
 * reading it from memory would: a compiler cannot contract the multiplication that makes the
 * argument with an addition that takes the result. A joined loop (splitter/group/) has them between
 * its members, and so gives the bits that the members give. */
#define GRAPH_STORED_FLOAT "cleave_storedf"
#define GRAPH_STORED_DOUBLE "cleave_stored"
/* graph_flops.c. Whether the function is one of them. */
bool graph_is_stored(const struct function *function);

/* graph_parts.c: groups of contributions that can be computed apart. Two contributions belong to
 * one part when their cones (the nodes they need) share a node that is not cheap, cheap meaning
 * that it and all it needs take at most `cheap` flops. part[c] for each contribution, numbered from
 * 0 in order of first appearance; returns how many. A contribution that is a sum may meet several
 * parts; see graph_print's "terms". */
int graph_parts(const struct graph *graph, double cheap, int *part);

/* graph_live.c: the most bytes of values and of components of arguments that are needed at a time,
 * with nodes in their order; contributions are needed to the end. A bound of what a compiler keeps
 * in registers, which may change the order. */
int graph_live_bytes(const struct graph *graph);

/* graph_check.c: the invariants above. NULL, or a message in the arena naming node and rule. */
const char *graph_check(const struct graph *graph);

/* graph_print.c: the text of --cleave-dump=graph, and the same as a Graphviz digraph. */
void graph_print(FILE *out, const struct loop *loop);
void graph_print_dot(FILE *out, const struct loop *loop);
/* Prints the graphs of all loops that have one. */
void graph_print_all(FILE *out, const struct program *program);
void graph_print_dot_all(FILE *out, const struct program *program);

/* graph_walk.c: helpers that several files need. */
/* needed[nodes]: adds all nodes that the marked ones need, directly or not; with `order`, also
 * those that they only have to follow. */
void graph_cone(const struct graph *graph, bool *needed, bool order);
/* marked[nodes]: marks the nodes whose values updates take. */
void graph_mark_taken(const struct graph *graph, bool *marked);
/* marked[nodes]: marks the nodes that an update or a `once` node needs, directly or not; all of a
 * graph that dead nodes were dropped from. */
void graph_mark_alive(const struct graph *graph, bool *marked);
/* The variable that an update takes its value from; NULL: it takes a constant or a place. */
struct var *update_var(const struct update *update);
int place_compare(const struct place *a, const struct place *b);
/* Puts uses, places and afters of a node into the order that struct node says. */
void node_sort(struct node *node);
/* The node reads or sets a place of the argument. */
bool node_touches(const struct node *node, int arg);
/* A global, or a payload, whose private copy the body reads and sets. Elements share the copy, so
 * all nodes that touch it are in one stage. */
bool arg_is_read_back(const struct arg *arg);
/* The extremum that a payload goes with, so that they change together; any other argument itself.
 */
int arg_copied_with(const struct loop *loop, int arg);
/* The node reads or sets a place of the argument, or of a payload that goes with it. */
bool node_touches_copy(const struct loop *loop, const struct node *node, int arg);
/* Bytes of one component of the place's argument. */
size_t place_bytes(const struct loop *loop, const struct place *place);
/* The place is accessed through a map and not modified in place, so stages stage it. */
bool place_is_staged(const struct loop *loop, const struct place *place);

#endif
