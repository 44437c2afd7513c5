/* partition.h: which contribution stage each node of a graph belongs to.
 *
 * The search of paper 001's last section ("an optimum cut of the user kernel's dataflow graph"): an
 * acyclic partition into at most `cuts` stages that minimises predicted time (cost.h).
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

/* What of a stage's inputs and outputs follows from a partition. All arrays in the graph's arena. */
struct partition_stage {
    int places; /* that its nodes read, as in struct node, unique; computed-again nodes included */
    struct place *place;
    int uses; /* variables made in earlier stages and read here */
    struct var **use;
    int makes; /* variables made here and read in later stages or by updates */
    struct var **make;
    size_t staged_bytes; /* per unique point: IN groups, the union of components per group */
};
void partition_stage(const struct graph *graph, const struct partition *partition, int s,
                     struct partition_stage *out);

/* Partitions into exactly `cuts` stages that all stage something (1..MAX_CUTS); NULL when there is no
 * such partition, or none that gains anything, and *reason says so. A gain is that the largest stage
 * stages less than the graph as a whole does, and less by more than the values that cross take in
 * registers. Every value flows forward: stage[use.node] <= stage[n], likewise for order-only edges; nodes
 * that set one variable in parts may lie in several stages, those that touch a global's private copy
 * (arg_is_read_back) in one. No stage computes what nothing needs there.
 * Deterministic. Exhaustive for up to PARTITION_EXACT condensed nodes, as far as a bounded number of steps
 * goes (`exact` says whether it did), else a heuristic; a body of 1,000 statements takes well under a
 * second. */
struct partition *partition_find(const struct graph *graph, int cuts, const char **reason);
/* The same where the largest stage has to stage less than `bytes` per point: what fewer cuts reach. */
struct partition *partition_find_below(const struct graph *graph, int cuts, size_t bytes,
                                       const char **reason);
enum { PARTITION_EXACT = 16 };

/* NULL, or which of the rules above is broken where. */
const char *partition_check(const struct graph *graph, const struct partition *partition);

#endif
