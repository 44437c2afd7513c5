/* rcb.h: the steps of recursive coordinate bisection that rcb.c and rcb_split.c share. */
#ifndef CLEAVE_BLOCKS_RCB_H
#define CLEAVE_BLOCKS_RCB_H

#include "runtime/planner/blocks/blocks.h"

/* The direction, 0..2, in which the box around the places is longest. */
int planner_rcb_longest_axis(const struct place *place, int count);

/* Puts the `nth` smallest place along an axis at place[nth], smaller ones before it, larger ones
 * behind. */
void planner_rcb_select(struct place *place, int count, int nth, int axis);

/* How many leaves hold `count` places, about `wanted` and at most `limit` each. */
int planner_rcb_leaves_of(int64_t count, double wanted, int limit);

/* Bisects place[count] into so many leaves. flip: bit d is set where the leaves run backwards in
 * direction d. Writes the end of each leaf to end[leaves], as a number from `first` on. */
void planner_rcb_bisect(struct place *place, int count, int leaves, unsigned flip, int first,
                        int *end);

#endif
