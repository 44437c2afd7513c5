/* partition.h: which contribution stage each node of a graph belongs to.
 *
 * The search that R. Tohid et al., "Effective Resource-Driven Loop Splitting for Large Unstructured
 * Mesh Applications on GPUs", name at their end ("an optimum cut of the user kernel's dataflow
 * graph"): an acyclic partition into at most `cuts` stages that minimises predicted time (cost.h).
 */
#ifndef CLEAVE_SPLITTER_PARTITION_H
#define CLEAVE_SPLITTER_PARTITION_H

#include "splitter/graph/graph.h"

/* Node n belongs to stage stage[n] (0..stages-1), and is recomputed in every stage s with
 * recomputed[s*nodes + n]. */
struct partition {
    int stages;
    int *stage; /* [nodes] */
    /* [stages*nodes] recomputed[s*nodes + n]: stage s recomputes node n of an earlier stage instead
     * of loading its value, because the node is cheap, not `once`, and its operands are available
     * in s. */
    bool *recomputed;
    bool exact; /* the search was exhaustive; else a heuristic's result */
};

/* Stage s computes node n, as its own or recomputed. */
bool partition_computes(const struct graph *graph, const struct partition *partition, int s, int n);

/* Partitions into exactly `cuts` stages that all stage something (1..MAX_CUTS); NULL when there is
 * no such partition, or none that gains anything, and *reason says so. A gain is that the largest
 * stage stages less than the graph as a whole does, and less by more than the values that cross
 * take in registers. Every value flows forward: stage[use.node] <= stage[n], likewise for
 * order-only edges; nodes that set one variable in parts may lie in several stages, those that
 * touch a global's private copy (arg_is_read_back) in one. The partition is settled: no stage
 * computes what nothing needs there, and nothing is recomputed that crosses all the same, to
 * another stage or to an update, so that a variable that lives across stages is made in one place.
 * All of it lives in the graph's arena. Deterministic. Exhaustive for up to PARTITION_EXACT
 * condensed nodes, as far as a bounded number of steps goes (`exact` says whether it did), else a
 * heuristic; a body of 1,000 statements takes well under a second. */
struct partition *partition_find(const struct graph *graph, int cuts, const char **reason);
/* partition_find() where the largest stage must stage less than `bytes` per point, the size that
 * fewer cuts reach. */
struct partition *partition_find_below(const struct graph *graph, int cuts, size_t bytes,
                                       const char **reason);
enum { PARTITION_EXACT = 16 };

/* NULL, or which of the rules above is broken where (in the graph's arena). */
const char *partition_check(const struct graph *graph, const struct partition *partition);

#endif
