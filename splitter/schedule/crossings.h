/* crossings.h: variables that live across stages; between schedules.c and crossings.c. */
#ifndef CLEAVE_SPLITTER_CROSSINGS_H
#define CLEAVE_SPLITTER_CROSSINGS_H

#include "splitter/schedule/stages.h"

/* Sets the schedule's crossings and tmp(e), and each stage's makes and uses, in the build's arena.
 * All stages are there, with their updates. in[s]: the nodes that stage s computes; NULL: none, or
 * the kernel is called whole. */
void crossings_find(const struct build *build, struct schedule *schedule, bool *const *in);

#endif
