/* schedules.h: every way of splitting a loop, with the bodies of its stages; their checker, their
 * dump, and the page of --cleave-explain. The lower rooms do not know this one.
 */
#ifndef CLEAVE_SPLITTER_SCHEDULE_H
#define CLEAVE_SPLITTER_SCHEDULE_H

#include "splitter/graph/graph.h"
#include "splitter/partition/cost.h"
#include "splitter/partition/partition.h"

/* schedules.c: fills loop->schedule from loop->graph (or for a kernel called whole), and
 * loop->predicted. Legality predicates are in legality.c, one function per kind. */
void schedules_build(struct arena *arena, struct loop *loop);

/* legality.c: NULL when the loop may be scheduled so, else why not, in the user's words. */
const char *legality_split(struct arena *arena, const struct loop *loop);
const char *legality_cuts(struct arena *arena, const struct loop *loop); /* more than one part */
const char *legality_loops(struct arena *arena, const struct loop *loop);
const char *legality_two_pass(struct arena *arena, const struct loop *loop);
const char *legality_owner_gather(struct arena *arena, const struct loop *loop);
/* The reason of all other schedules if the loop has epilogues; NULL: it has none. */
const char *legality_besides_owners(struct arena *arena, const struct loop *loop);

/* bodies.c: the nodes marked in `in`, in order, as a BLOCK that declares the variables that only it
 * uses; variables of `outside` (the schedule's crossings) are assigned, not declared. Nodes with
 * the same guard share an if. */
void bodies_prepare(const struct graph *graph); /* once per graph, before the first body */
struct stmt *body_build(const struct graph *graph, const bool *in, int outsides,
                        struct var *const *outside);

/* Indirect argument of OP_INC, or of OP_MIN/OP_MAX in a loop that is not in_place. */
bool arg_is_updated(const struct loop *loop, int arg);
/* Indirect argument that stages may stage in. */
bool arg_is_staged(const struct loop *loop, int arg);

/* check.c, print.c, explain.c: splitter_check(), splitter_print() and splitter_explain() of
 * splitter.h. */
const char *schedules_check(const struct program *program);
void schedules_print(FILE *out, const struct program *program);
void schedules_explain(FILE *out, const struct program *program);

#endif
