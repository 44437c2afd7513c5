/* timeline.h: where the time of the thread that calls op_init goes until op_exit, and what the
 * runtime moves and waits for meanwhile: for CLEAVE_REPORT. See timeline.c. */
#ifndef CLEAVE_TIMELINE_H
#define CLEAVE_TIMELINE_H

#include <stddef.h>

/* Activities of the program's thread. */
enum cleave_doing {
    CLEAVE_DOING_PROGRAM,   /* nothing: the program's own code runs, or a function that is not below
                             */
    CLEAVE_DOING_CALLS,     /* calls of op_par_loop, without what follows */
    CLEAVE_DOING_KERNELS,   /* loops that run on the host */
    CLEAVE_DOING_PLANS,     /* orders of the mesh and plans */
    CLEAVE_DOING_ADOPTION,  /* taking over orders and plans that were made in the background */
    CLEAVE_DOING_UPLOADS,   /* data goes to the device */
    CLEAVE_DOING_DOWNLOADS, /* data comes from the device */
    CLEAVE_DOING_WAITS,     /* for the device */
    CLEAVE_DOINGS
};

/* Totals of one kind. */
struct cleave_total {
    long count;
    double bytes;   /* transfers */
    double seconds; /* from begin to end, whatever the thread */
    double own; /* of the thread that called op_init, without other kinds inside: the sum over all
                   kinds is the time of that thread */
};

/* A part of the program's start: of the time from op_init until CLEAVE_FIRST_LAUNCHES loops have
 * been launched. Parts may lie inside others. */
struct cleave_moment {
    const char *what;
    char about[48]; /* the name of what it was done for, shortened to fit; "": nothing in particular
                     */
    double begin;   /* seconds since op_init */
    double seconds;
    int beside; /* 1: by a thread of the runtime's own, which the program does not wait for */
};
/* MOMENTS: that are kept. Later ones are dropped. */
enum { CLEAVE_FIRST_LAUNCHES = 8, CLEAVE_MOMENTS = 160 };

/* From cleave_span_begin() to cleave_span_end(). */
struct cleave_span {
    enum cleave_doing doing;
    int before; /* what the thread was doing; negative: there is nothing to end */
    double begun;
};

/* Begins to count for this thread, from 0. */
void cleave_timeline_start(void);
/* Stops, and forgets all. Until the next start a span costs one comparison. */
void cleave_timeline_stop(void);
/* In a child of fork(): another thread of the parent may have been counting. */
void cleave_timeline_forked(void);
/* 1: between start and stop. */
int cleave_timeline_runs(void);
/* Sets total[CLEAVE_DOINGS] to what was counted until now. */
void cleave_timeline_read(struct cleave_total *total);
/* Call at the end of a declaration (op_decl_set, op_decl_map, op_decl_dat), before a loop is
 * launched, and after. */
void cleave_timeline_declared(void);
void cleave_timeline_launches(void);
void cleave_timeline_launched(void);
/* Returns the seconds from the last declaration before the first loop to its launch; negative:
 * there was none of either. */
double cleave_timeline_first_loop(void);
/* Returns when a part of the start begins, for cleave_moment_end(). Any thread may call both; they
 * cost one comparison without a report, and after the start. */
double cleave_moment_begin(void);
/* what: text that stays. about: copied; NULL: "". */
void cleave_moment_end(const char *what, const char *about, double begun);
/* Copies the parts of the start to moment[CLEAVE_MOMENTS], in the order in which they ended.
 * Returns their number. */
int cleave_moments_read(struct cleave_moment *moment);
/* Spans may be nested; CLEAVE_DOING_CALLS stands alone, so that a call which an exception or the
 * program's error handler has left ends with the next one. */
struct cleave_span cleave_span_begin(enum cleave_doing doing);
/* bytes: that were moved. */
void cleave_span_end(struct cleave_span span, size_t bytes);

#endif
