/* graph_gain.h: whether a sequence of launches (graph.c) is faster as graphs; private to exec/. */
#ifndef CLEAVE_GRAPH_GAIN_H
#define CLEAVE_GRAPH_GAIN_H

#include "runtime/exec/launcher.h"

/* A launch of a sequence as the device and graphs see it. */
struct cleave_paced {
    int changes;    /* 1: values that it reads differ from one time to the next */
    double seconds; /* that the device works on it; negative: not known yet */
    int first;      /* of its segment, in the sequence; -1: it is launched by itself */
    int last;
};

/* Divides the sequence into segments of launches that do not change: sets first and last. */
void cleave_paced_divide(struct cleave_paced *launch, int count);

/* Sets the seconds of launches queued[count] from the times of their loops that were sampled. */
void cleave_paced_time(struct cleave_paced *launch, const struct cleave_queued *queued, int count);

/* Returns the seconds from the first call of a sequence of `count` launches, on an idle device, to
 * the end of the last: one launch after the other, or with its segments as graphs. */
double cleave_paced_seconds(const struct cleave_paced *launch, int count, int as_graphs);

/* Returns what one run of the sequence is expected to save by graphs, in seconds, 0 if nothing or
 * if a launch's seconds are not known. */
double cleave_paced_gain(const struct cleave_paced *launch, int count);

/* Returns the seconds that making the sequence's graphs takes the host. */
double cleave_paced_cost(const struct cleave_paced *launch, int count);

enum { CLEAVE_GRAPH_SAMPLES = 8 };

/* Measures whole runs of a sequence with and without graphs, in turns. All 0: it has not begun. */
struct cleave_graph_trial {
    int runs;
    int samples[2];                          /* [1]: with graphs */
    double seconds[2][CLEAVE_GRAPH_SAMPLES]; /* of a run, from its first call to that of the next */
    int settled;
    int loses; /* settled: 1 if graphs took longer */
};

/* 1: the next run uses graphs. */
int cleave_graph_trial_uses(const struct cleave_graph_trial *trial);
/* A run has taken so many seconds; returns 1 if that settles the trial. */
int cleave_graph_trial_took(struct cleave_graph_trial *trial, double seconds);
/* Returns the median seconds of a run, with or without graphs, of a trial that is settled. */
double cleave_graph_trial_median(const struct cleave_graph_trial *trial, int with_graphs);

#endif
