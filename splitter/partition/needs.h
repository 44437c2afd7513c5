/* needs.h: which value is needed in which stage, and where it comes from.
 *
 * A stage computes some of a graph's nodes. What they read, conditions of their guards included
 * (those are uses like any other), is *read* in the stage. It comes from the stage itself if that
 * computes it too, else it is *brought* there from the stage before that does. Updates *take* their
 * values from wherever stages leave them. A value that is brought to some stage, or taken,
 * *crosses*: it lives across stages.
 *
 * The table is filled node by node, in time that is linear in nodes and operands. Nodes read only
 * nodes before them, so that a sweep from the last node to the first may decide where node n is
 * computed when it comes to it: what is read of n is known by then.
 */
#ifndef CLEAVE_SPLITTER_NEEDS_H
#define CLEAVE_SPLITTER_NEEDS_H

#include "splitter/graph/graph_impl.h"
#include "splitter/partition/partition.h"

struct needs {
    const struct graph *graph;
    int stages;
    /* [stages*nodes], node n of stage s at s*nodes + n: */
    bool *computed; /* the stage computes the node */
    bool *read;     /* a node that the stage computes reads a variable that this node sets */
    bool *taken;    /* [nodes] an update takes a variable that the node sets */
};

/* A table for stages 0..stages-1 in which no stage computes anything yet. It lives in `arena`,
 * refers to the graph, and is valid while the graph's nodes and contributions do not change. */
struct needs needs_new(struct arena *arena, const struct graph *graph, int stages);

/* Records that stage s (0..stages-1) computes node n (0..nodes-1). Idempotent. */
void needs_add(struct needs *needs, int s, int n);

/* Records every stage of the partition that computes node n, in its own stage or recomputed. */
void needs_add_node(struct needs *needs, const struct partition *partition, int n);

/* The table of all nodes of a partition of the graph. */
struct needs needs_of_partition(struct arena *arena, const struct graph *graph,
                                const struct partition *partition);

/* The table of any stages: in[s][n] says that stage s computes node n; in[s] may be NULL, for a
 * stage that computes none. */
struct needs needs_of_stages(struct arena *arena, const struct graph *graph, int stages,
                             bool *const *in);

/* The three answers of the table for stage s and node n: see above. */
bool needs_computed(const struct needs *needs, int s, int n);
bool needs_read(const struct needs *needs, int s, int n);
bool needs_brought(const struct needs *needs, int s, int n);
/* Whether a variable that node n sets lives across stages. */
bool needs_crosses(const struct needs *needs, int n);

/* The functions below list variables instead of nodes: one node may set several variables, or only
 * a part of one. The lists live in `arena`. */
/* Returns the variables that stage s reads as other stages left them, in the order of the nodes
 * that read them. */
struct var_list needs_vars_brought(const struct needs *needs, struct arena *arena, int s);
/* Returns the variables that live across stages, in the order of the nodes that set them. */
struct var_list needs_vars_crossing(const struct needs *needs, struct arena *arena);
/* Returns the variables of `crossing` that stage s sets, in the same order. */
struct var_list needs_vars_made(const struct needs *needs, struct arena *arena, int s,
                                const struct var_list *crossing);

#endif
