/* crossings.h: variables that live across stages; between schedules.c and crossings.c. */
#ifndef CLEAVE_SPLITTER_CROSSINGS_H
#define CLEAVE_SPLITTER_CROSSINGS_H

#include "splitter/schedule/stages.h"

/* Sets the schedule's crossings and tmp(e), and each stage's makes and uses. in[s]: the nodes that stage
 * s computes; NULL: none. */
void crossings_find(const struct build *build, struct schedule *schedule, bool *const *in);

/* Takes back what is computed again although it crosses to another stage all the same: where a variable
 * lives across stages there is one definition of it. */
void crossings_settle(const struct graph *graph, struct partition *partition);

#endif
