/* cost_impl.h: the parts of the cost model that the search for partitions needs too.
 *
 * A *unit* is the smallest piece of data that is staged or not: one component of the dats that
 * share a group (args_share_group). A partition is priced by struct cost_sums, which can only grow
 * when a node is added to a stage or a value lives longer: the exhaustive search prunes by this.
 */
#ifndef CLEAVE_SPLITTER_COST_IMPL_H
#define CLEAVE_SPLITTER_COST_IMPL_H

#include "splitter/partition/cost.h"

struct cost_unit {
    int arg; /* the group's first argument */
    int component;
    size_t bytes;
    double shared; /* bytes in shared memory per block, when a stage stages it */
    double loaded; /* bytes per element from memory or L2 into shared memory, per stage that does */
    double fast;   /* bytes per element into and out of shared memory */
};

/* A variable that nodes define and that may cross between stages. */
struct cost_var {
    struct var *var;
    int bytes;
    bool kept; /* a value of tmp(e): it lives until the updates */
};

/* The weights of a graph's nodes, made once per search. Node n has the units unit_of[first_unit[n]]
 * to unit_of[first_unit[n + 1] - 1], defines the variables var_of[first_var[n]]..., and the
 * variable of its use u is number use_var[first_use[n] + u]. */
struct cost_graph {
    const struct graph *graph;
    int units;
    struct cost_unit *unit;
    int *first_unit;
    int *unit_of;
    int vars;
    struct cost_var *var;
    int *first_var;
    int *var_of;
    int *first_use;
    int *use_var;
    double update_trips;
    double update_shared; /* per block, the largest update stage */
    double update_loaded; /* per element, all update stages: increments leaving shared memory */
    double update_fast;
    double memory; /* per element, to and from device memory */
    double flops;  /* of the body, and of its updates */
};

/* Costs of one way to run a loop, summed over its stages except for the maxima. */
struct cost_sums {
    double trips;   /* memory latencies that a block waits for one after another */
    double shared;  /* bytes per block, largest stage */
    double memory;  /* bytes per element, device memory */
    double loaded;  /* bytes per element that L2 serves in addition */
    double fast;    /* bytes per element into and out of shared memory */
    double flops;   /* per element */
    int live_bytes; /* of values that live across stages, per element, maximum of all stages */
};

/* Per element in ns. Fills the fields of estimate that follow from sums, unless it is NULL. */
double cost_time(const struct cost_sums *sums, struct estimate *estimate);

/* Trips that it takes to compute the body, and to add to `added` places of each element in
 * turns. */
double cost_body_trips(double flops);
double cost_turns_trips(int added);

/* In scratch, which the caller frees. */
struct cost_graph *cost_graph_new(struct arena *scratch, const struct graph *graph);

/* staged[units]: marks the units that stage s stages, which its own nodes read; recomputed nodes
 * read no others. Returns the number of marked units. */
int cost_mark_staged(const struct cost_graph *base, const struct partition *partition, int s,
                     bool *staged);
/* Everything that node n reads through maps is marked in staged[units]. */
bool cost_is_staged(const struct cost_graph *base, int n, const bool *staged);
/* Bytes per unique point that stage s stages: of each group the union of the components. */
size_t cost_staged_bytes(const struct cost_graph *base, const struct partition *partition, int s);

/* Sums of the whole that no partition changes; stages: contribution stages. */
struct cost_sums cost_start(const struct cost_graph *base, int stages);

/* Sums of a partition; *recomputed_flops: the recomputed part of its flops (NULL: not wanted). */
struct cost_sums cost_sum(const struct cost_graph *base, const struct partition *partition,
                          double *recomputed_flops);

/* Unique points of a block per element, through `columns` columns of one map: the average, and the
 * most that shared memory must hold. COST_BLOCK: elements of a block. */
double cost_points(int columns);
double cost_points_largest(int columns);
enum { COST_BLOCK = 128 };
/* Points of the mesh per element, for a map with `columns` columns in use. */
double cost_mesh_points(int columns);

/* Columns of map `map` that the loop's arguments use, each counted once. */
int cost_columns(const struct loop *loop, int map);

#endif
