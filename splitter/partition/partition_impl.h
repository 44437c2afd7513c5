/* partition_impl.h: shared by the files of the search.
 *
 * The search works on *items*: nodes whose separation gains nothing are one item
 * (partition_condense.c). A node that can be computed anywhere at next to no cost is *free*: no
 * item, placed when the rest is known.
 */
#ifndef CLEAVE_SPLITTER_PARTITION_IMPL_H
#define CLEAVE_SPLITTER_PARTITION_IMPL_H

#include <stdint.h>

#include "splitter/partition/cost_impl.h"

/* Rows of numbers: row i is of[first[i]] to of[first[i + 1] - 1]. */
struct rows {
    int *first;
    int *of;
};

struct problem {
    const struct cost_graph *base;
    struct arena *scratch;
    int cuts;
    int items;          /* in an order in which they can run */
    int *item_of;       /* [nodes] or NODE_IS_FREE */
    int words;          /* of 64 units */
    uint64_t *units;    /* [items*words] staged when the item is computed */
    struct rows before; /* items that must be in the same or an earlier stage */
    struct rows after;
    /* For each variable of base: */
    int *var_bytes;
    bool *var_kept;
    struct rows makers; /* items */
    struct rows readers;
    int vars; /* those that may cross: var[0..vars-1] */
    int *var;
    double whole_shared;    /* bytes per block of a single stage with the whole body */
    double whole_footprint; /* whole_shared and tmp(e) */
    /* Upper bound, exclusive, of the bytes per point that the largest stage may stage; 0: none. */
    size_t bytes_below;
    /* Steps of the search. Their number is bounded, instead of the time, so that results are the
     * same on every machine. */
    long long steps;
    long long most_steps;
};
enum { NODE_IS_FREE = -1 };

/* Quality of an assignment of items to stages. It is unacceptable without `gained`: its largest
 * stage stages everything, or as much as with fewer stages; or its crossing values take more
 * registers than it saves in shared memory; or a stage stages nothing. */
struct rank {
    bool gained;
    /* Distance from `gained`: the worst violation, relative to a single stage with the whole
     * body. */
    double excess;
    double time;
    double
        footprint; /* bytes per block, of shared memory and of values that cross, largest stage */
};
bool rank_better(const struct rank *a, const struct rank *b);

/* Limit in flops up to which a value is recomputed instead of kept, including the operands that
 * must be recomputed with it. */
#define CHEAP_FLOPS 8.0

/* The node may be recomputed in other stages: it sets one value, has no side effect, and reads only
 * arguments that do not change. */
bool node_may_repeat(const struct cost_graph *base, int n);

/* partition_condense.c. Items, their units, order and variables; cuts and steps are left zero. */
struct problem *problem_new(struct arena *scratch, const struct cost_graph *base);

/* partition_settle.c: the settled partition (partition.h) of the nodes when item i is in stage[i]:
 * free nodes are where they are read, and cheap values are recomputed. In the graph's arena; not
 * exact. */
struct partition *partition_expand(const struct problem *problem, const int *stage);

/* All nodes in stage 0 of `stages`, none recomputed; in the graph's arena. */
struct partition *partition_new(const struct graph *graph, int stages);

/* Settles a partition that keeps all other rules of partition.h. Drops recomputations that nothing
 * needs, or whose value crosses anyway. If a value is read only where it is recomputed, the first
 * of these stages becomes its own stage; if it must not move there, its value crosses. Adds no
 * recomputation. */
void partition_settle(const struct cost_graph *base, struct partition *partition);

/* partition_rank.c: stage[i] is that of item i; -1: not assigned yet, so that the rank is a lower
 * bound. */
struct rank problem_rank(struct problem *problem, const int *stage);

/* partition_exact.c: improves best[], *rank; false: steps ran out, so that better ones may exist.
 */
bool search_exact(struct problem *problem, int *best, struct rank *rank);

/* partition_orders.c, partition_climb.c: fills best[] with a partition in which each stage has
 * items, and *rank. */
void search_heuristic(struct problem *problem, int *best, struct rank *rank);
/* An order in which items can run, that stages little at a time; `start` marks units that are there
 * from the beginning (NULL: none). */
void order_items(struct problem *problem, bool backward, const uint64_t *start, int *order);
/* Best boundaries between the stages in that order. */
void cut_order(struct problem *problem, const int *order, int *stage);
/* Moves items, one and many together, while that improves stage[] and *rank. */
void climb(struct problem *problem, int *stage, struct rank *rank);

#endif
