/* choose.h: which variants of a loop may run, and which resolution of races is usual. */
#ifndef CLEAVE_CHOOSE_H
#define CLEAVE_CHOOSE_H

#include "runtime/call/call.h"

/* ---- race.c --------------------------------------------------------------------------------- */

/* Default race resolution of a call on a GPU: gather per point, or warps that add by themselves,
 * whichever the compiler lists first; for loops in place global colours while the cache holds what the
 * call moves, else what the compiler lists first. */
enum cleave_race cleave_usual_race(const struct cleave_call *call, const struct cleave_loop *loop);

/* ---- deterministic.c ------------------------------------------------------------------------ */

/* 1: the order in which elements modify points shows in this call's result, and the user wants it
 * to be the same in every run: only variants that are ordered may run. */
int cleave_must_be_ordered(const struct cleave_call *call);
/* 1: elements modify a point in an order that the plan alone decides, or that needs none. */
int cleave_race_is_ordered(enum cleave_race race);
/* Warns where the call must be ordered and no variant of the loop is, as in programs compiled with
 * --cleave-emit=fast. Returns 1 when it warned. device: its name. */
int cleave_say_unordered(const struct cleave_call *call, const struct cleave_loop *loop,
                         const char *device);
/* 1: the points that the call modifies are very many, and its elements name nearly none of them: on
 * a GPU colours are faster than visiting points, and steadier than sums of blocks. */
int cleave_few_points_named(const struct cleave_call *call);
/* 1: elements have so many points that every point summing up its own is slower than colours. */
int cleave_many_points_each(const struct cleave_call *call);
/* 1: it joins values of its elements in a global. */
int cleave_call_reduces(const struct cleave_call *call);
/* 1: results must be the same for all block sizes, and the variant's are not. */
int cleave_blocks_show(const struct cleave_call *call, const struct cleave_variant *variant);
/* 1: results must be the same in every run, but in this call, which its user accepted, elements
 * read what others modify at the same time, whatever the variant. */
int cleave_call_races(const struct cleave_call *call);

#endif
