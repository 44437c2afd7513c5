/* lower.h: a kernel's body becomes a dependence graph. */
#ifndef CLEAVE_SPLITTER_LOWER_H
#define CLEAVE_SPLITTER_LOWER_H

#include "splitter/graph/graph.h"

/* Takes the loop's kernel apart.
 *
 * requires: loop has a kernel and no sequential_reason.
 * ensures:  NULL, and *reason, *where say which construct is to blame; or a graph whose
 *           contributions are not merged yet (merged: itself), and for which graph_check() passes.
 *           Nodes that nothing needs are gone, and so are stores that a later one replaces.
 *           Executing all nodes in order and then all updates does what the body does, bit for bit
 *           but for the order in which one place's increments are summed.
 * refuses:  a kernel or a called helper that has no tree (opaque); a pointer that may point into
 *           several arguments; optional arguments; an indirect OP_INC that is incremented in a way
 *           that is not known (only where access checks were turned off); an OP_MIN or OP_MAX
 *           argument through a map that is not only lowered or raised, as in a = fmin(a, x),
 *           if (x < a) a = x, a = x < a ? x : a and their mirrored forms; more than
 *           GRAPH_MAX_NODES nodes, or GRAPH_MAX_GUARDS conditions around one another. */
struct graph *graph_lower(struct arena *arena, const struct loop *loop, const char **reason,
                          struct loc *where);

#endif
