/* partition.h: which contribution stage each node of a graph belongs to.
 *
 * The search that R. Tohid et al., "Effective Resource-Driven Loop Splitting for Large Unstructured
 * Mesh Applications on GPUs", name at their end ("an optimum cut of the user kernel's dataflow
 * graph"): an acyclic partition into at most `cuts` stages that minimises predicted time (cost.h).
 */
#ifndef CLEAVE_SPLITTER_PARTITION_H
#define CLEAVE_SPLITTER_PARTITION_H

#include "splitter/graph/graph.h"

/* Nodes are in stage stage[n], 0..stages-1; in stage[again] too where `again` says so. */
struct partition {
    int stages;
    int *stage; /* [nodes] */
    /* [stages*nodes] again[s*nodes + n]: node n, of an earlier stage, is computed again in stage s
     * instead of crossing to it: it is cheap, not `once`, and what it reads is there anyway. */
    bool *again;
    bool exact; /* the search was exhaustive; else a heuristic's result */
};

/* Stage s computes node n: at home or again. */
bool partition_computes(const struct graph *graph, const struct partition *partition, int s, int n);

/* Partitions into exactly `cuts` stages that all stage something (1..MAX_CUTS); NULL when there is
 * no such partition, or none that gains anything, and *reason says so. A gain is that the largest
 * stage stages less than the graph as a whole does, and less by more than the values that cross
 * take in registers. Every value flows forward: stage[use.node] <= stage[n], likewise for
 * order-only edges; nodes that set one variable in parts may lie in several stages, those that
 * touch a global's private copy (arg_is_read_back) in one. The partition is settled: no stage
 * computes what nothing needs there, and nothing is computed again that crosses all the same, to
 * another stage or to an update, so that a variable that lives across stages is made in one place.
 * All of it lives in the graph's arena. Deterministic. Exhaustive for up to PARTITION_EXACT
 * condensed nodes, as far as a bounded number of steps goes (`exact` says whether it did), else a
 * heuristic; a body of 1,000 statements takes well under a second. */
struct partition *partition_find(const struct graph *graph, int cuts, const char **reason);
/* Likewise, if the largest stage must stage less than `bytes` per point, which is what fewer cuts
 * reach. */
struct partition *partition_find_below(const struct graph *graph, int cuts, size_t bytes,
                                       const char **reason);
enum { PARTITION_EXACT = 16 };

/* NULL, or which of the rules above is broken where (in the graph's arena). */
const char *partition_check(const struct graph *graph, const struct partition *partition);

#endif
