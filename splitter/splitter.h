/* splitter.h: Program in, Program with schedules out.
 *
 * The splitter decides, for each loop, on its stages, the data that each stages into shared memory,
 * and the values that cross between them. It looks only at the loop IR. Its rooms, in the order of
 * the work:
 *
 *   lower/      a kernel's body becomes a dependence graph (graph/graph.h)
 *   graph/      the graph: equal contributions merged, checks, dumps
 *   partition/  cuts of a graph into contribution stages, and what they cost
 *   schedule/   every way of splitting a loop, with its stages' bodies; the checker;
 *               --cleave-explain
 *   group/      loops that one kernel runs: their joined loop, which is split like any other
 */
#ifndef CLEAVE_SPLITTER_H
#define CLEAVE_SPLITTER_H

#include "pass/ir/loop_ir.h"

struct splitter_options {
    /* Bodies that increment through a map divide less often and round differently:
     * graph_merge_quotients() in graph/graph.h. Targets call other kernels as they are. */
    bool merge_quotients;
    /* Groups of loops get joined loops. */
    bool fuse;
    bool gather;     /* of them also those that gather: GROUP_GATHER, */
    bool gather_all; /* whether or not the cost model expects a gain */
};

/* Appends the joined loops of program->group[] to program->loop[], and their kernels to
 * program->function[]; groups that have none are refused. Fills in_place, graph, gather_graph,
 * written_graph, whole, whole_reason, schedule and predicted of every loop that has a kernel and no
 * sequential_reason.
 *
 * requires: loop_ir_check() passes. options: NULL for none.
 * ensures:  schedule[AT_FUSED] is legal; the others are legal or say why not; splitter_check()
 * passes. A loop is split when it increments (or lowers, raises) through a map and modifies nothing
 * through a map in another way. Where its body cannot be taken apart, tmp(e) is the
 * zero-initialised full increment of each incremented argument, into which the kernel, called
 * whole, adds: right whatever the body looks like, because an OP_INC argument may not be read. */
void splitter_run(struct program *program, const struct splitter_options *options);

/* Verifies the graph of every loop that has one: the invariants of splitter/graph/graph.h. NULL, or
 * a message in the program's arena that names loop, node and rule. Always on, as the next one. */
const char *splitter_check_graphs(const struct program *program);

/* Verifies every schedule against the loop and its graph: each statement is computed once, or
 * recomputed where that is allowed; every read follows its write; data read through a map is staged
 * where it is used and only there; every increment is applied once, in an update stage, after its
 * value is made. NULL, or a message in the program's arena that names loop, schedule, stage and
 * rule. Always on: it takes little time compared with compiling the result. */
const char *splitter_check(const struct program *program);

/* The text of --cleave-dump=stages. */
void splitter_print(FILE *out, const struct program *program);

/* The text of --cleave-dump=graph: the dependence graph of each loop's body; and the same as
 * Graphviz digraphs, one per loop (--cleave-dump=dot). */
void splitter_print_graph(FILE *out, const struct program *program);
void splitter_print_dot(FILE *out, const struct program *program);

/* --cleave-explain: for each loop a table of arguments and bytes, the candidates with their staged
 * and crossing bytes and costs, the preferred one and why, and why others are not possible. */
void splitter_explain(FILE *out, const struct program *program);

#endif
