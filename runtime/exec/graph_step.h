/* graph_step.h: a launch of a sequence that may become a graph (graph.c); private to exec/. */
#ifndef CLEAVE_GRAPH_STEP_H
#define CLEAVE_GRAPH_STEP_H

#include "runtime/exec/launcher.h"

struct cleave_step {
    struct cleave_queued launch; /* pointers to its own memory and to values are NULL */
    void *graph;                 /* of the segment that begins here; NULL: not captured yet */
    int fixed;                   /* 1: its values in a graph cannot change; 0: they may */
    void *captured;              /* the launch in its graph; NULL: not captured yet, or fixed */
};

/* Makes a step of a launch; step->launch.memory is its own. */
void cleave_step_keep(struct cleave_step *step, const struct cleave_queued *queued);

/* 1: the launch measures a candidate of a loop that is being tuned. */
int cleave_step_is_candidate(const struct cleave_queued *queued);
/* 1: the launch gets what the step gets, but maybe for values of globals; a candidate takes the
 * place of the usual launch for this time, so that those behind it still follow the sequence. */
int cleave_step_same(const struct cleave_step *step, const struct cleave_queued *queued);
/* 1: the values are equal, too. */
int cleave_step_same_values(const struct cleave_step *step, const struct cleave_queued *queued);

/* Captures queued[count] as a graph, which are the steps step[count]. NULL: that failed. */
void *cleave_step_capture(struct cleave_step *step, struct cleave_queued *queued, int count);
/* Brings the values of a graph's launches up to date. 0: that failed. */
int cleave_step_change(void *graph, struct cleave_step *step, const struct cleave_queued *queued,
                       int count);

#endif
