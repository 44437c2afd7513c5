/* pace.h: decides from measured times whether a loop runs on one host thread or on all, or on as
 * many as the tuner has found. */
#ifndef CLEAVE_PACE_H
#define CLEAVE_PACE_H

#include "cleave_gen.h"

/* ---- pace.c --------------------------------------------------------------------------------- */

/* Measured times of one call, on one thread and on all; all 0 at first. */
struct cleave_pace {
    double one;    /* seconds on one thread */
    double all;    /* seconds on all threads, a mean of the latest; where all_calls is 1 */
    double spent;  /* seconds of all measured calls */
    double lost;   /* seconds by which calls on all threads were slower than on one */
    int one_calls; /* measured on one thread, up to CLEAVE_PACE_FIRST */
    int all_calls; /* 1: all threads have run it */
    int skipped;   /* calls since it was measured */
    int wait;      /* calls until the machine's load is looked at again */
};
enum { CLEAVE_PACE_FIRST = 3 };

/* Runs the launch of a variant on the host, on one thread or on all; threads: on so many, at least
 * 2 and at most all; 0: as measured times say. */
void cleave_pace_run(struct cleave_pace *pace, int elements, int threads,
                     void (*run)(const struct cleave_launch *), struct cleave_launch *launch);
/* The most threads, besides all of them, that are worth a try for a set of so many elements: half,
 * where cores run two threads each or share their memory; 0: none, as measured times of the calls
 * decide already. */
int cleave_pace_fewer(int elements);

#endif
