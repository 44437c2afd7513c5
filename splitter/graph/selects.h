/* selects.h: values that are made in the branches of an if; between bodies.c and selects.c. */
#ifndef CLEAVE_SPLITTER_SELECTS_H
#define CLEAVE_SPLITTER_SELECTS_H

#include "splitter/graph/graph_impl.h"

/* The side of a select (kid 1 or 2) for which alone a value in a branch is computed. */
struct side {
    int select; /* node of the select; -1: none */
    int kid;
};

/* Returns the side of each node. A select is a VALUE c ? a : b of a condition's variable. */
struct side *selects_find(const struct graph *graph);
/* Node of a select's condition; -1: the node is no select. */
int select_condition(const struct graph *graph, const struct pointer_map *values, int n);
/* The guard under which a select takes its kid 1 or 2. */
const struct guard *select_guard(const struct graph *graph, const struct pointer_map *values, int n,
                                 int kid);
bool guards_equal(const struct guard *a, const struct guard *b);

#endif
