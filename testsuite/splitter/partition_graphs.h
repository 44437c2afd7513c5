/* partition_graphs.h: dependence graphs built by hand, for the tests of the search for partitions.
 *
 * A graph has the arguments that are added first, then nodes, then contributions. build_random() makes
 * graphs of any size, always the same for a seed.
 */
#ifndef CLEAVE_TEST_PARTITION_GRAPHS_H
#define CLEAVE_TEST_PARTITION_GRAPHS_H

#include "pass/ir/arena.h"
#include "splitter/graph/graph.h"

struct build {
    struct arena *arena;
    struct loop *loop;
    struct graph *graph;
    struct node *open; /* the node that places and uses are added to */
};

struct build build_new(void);
void build_free(struct build *build);

/* Arguments of doubles (ints where `ints`); dat and map are classes; returns the argument's number. */
int build_arg(struct build *build, enum access access, int dat, int map, int column, int dim, bool ints);
/* Arguments of one dat at the two ends of an edge; returns the first, the other is the next. */
int build_two_ends(struct build *build, enum access access, int dat, int map, int dim);
/* A direct argument; a vector argument of `columns` columns. */
int build_direct(struct build *build, enum access access, int dat, int dim);
int build_vector(struct build *build, enum access access, int dat, int map, int columns, int dim);

/* A node that computes a double; then what it reads. build_node returns its number. */
int build_node(struct build *build, double flops);
void build_place(struct build *build, int arg, int column, int component);
void build_use(struct build *build, int node);
void build_after(struct build *build, int node);
/* Components first..first+count-1 of both arguments, which reach the two ends. */
void build_ends(struct build *build, int arg1, int arg2, int first, int count);
/* A node of so many flops that reads those components at both ends; arg is that of the first. */
int build_ends_node(struct build *build, int arg, int first, int count, double flops);

void build_contribution(struct build *build, int arg, int column, int component, int node);

/* Sorts places and uses, as graph.h has them; to be called once at the end. */
void build_finish(struct build *build);

/* A random body of `nodes` nodes on `dats` dats of up to 6 components. */
struct build build_random(unsigned seed, int nodes, int dats);

/* Kernels: airfoil's res_calc; the viscous flux, the gradients of an edge-based code on tetrahedra;
 * forces of a hexahedron on its 8 corners. */
struct build build_airfoil(void);
struct build build_vflux(void);
struct build build_edgecon(void);
struct build build_corners(void);

#endif
