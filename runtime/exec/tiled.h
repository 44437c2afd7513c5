/* tiled.h: loops on the host that run tile by tile, for the files of exec/ that deal with them:
 *
 *   tiled.c         which sequences the program's calls follow, and which calls wait
 *   tiled_sequence.c the sequences of all units
 *   tiled_problem.c what the members of a sequence read and modify, for runtime/tile/
 *   tiled_run.c     runs the members by a schedule
 *   tiled_trial.c   when a schedule is made, and whether the members are faster with it
 *   tiled_verify.c  CLEAVE_VERIFY=1
 *
 * The compiler has proved that nothing on the host comes between the calls of a sequence (struct
 * cleave_tiled). So they may wait, each with its launch prepared, until the last one comes. All
 * data stay where they are, and every element runs in the same order as far as any value depends on
 * it: results have the same bits. */
#ifndef CLEAVE_TILED_H
#define CLEAVE_TILED_H

#include "cleave_tiled.h"

#include "runtime/exec/launcher.h"
#include "runtime/tile/tile.h"

/* A call of a sequence. */
struct cleave_tiled_member {
    struct cleave_call *call;
    struct cleave_launcher *launcher; /* its launch is gathered */
};

/* ---- tiled.c -------------------------------------------------------------------------------- */

/* At op_init and op_exit: no sequence has been seen yet, and no call waits. */
void cleave_tiled_forget(void);
/* Call before a call is prepared. 1: it waits for those behind it, or it was the last one and all
 * have run: nothing is left to do for it. */
int cleave_tiled_takes(struct cleave_call *call);
/* 1: the call is being prepared as part of a sequence that waits: no candidate is tried. */
int cleave_tiled_expects(const struct cleave_call *call);
/* A call that cleave_tiled_takes() did not take has run. */
void cleave_tiled_ran(const struct cleave_call *call);
/* A call comes that no variant runs, or whose set is empty: what waits runs first. */
void cleave_tiled_break(const struct cleave_call *call);
/* Runs the calls that wait, one after the other. Called with the state of dats held. */
void cleave_tiled_flush(void);
/* An error has left the runtime: what waits runs now. */
void cleave_tiled_left(void);
/* Call when a unit is unloaded: forgets its sequences. */
void cleave_tiled_unload(const struct cleave_unit *unit);

/* 1: the call is the next one of the sequence that is followed. */
int cleave_tiled_goes_on(const struct cleave_call *call);
/* 1: a sequence begins with it. */
int cleave_tiled_begins(const struct cleave_call *call);
/* With CLEAVE_VERIFY=1: the schedule of the sequence that the latest call has completed, once; its
 * calls have run one by one. NULL: it has completed none. Valid until the next call. */
const struct tile_schedule *cleave_tiled_completed(struct cleave_tiled_member **member,
                                                   int *members);
/* The dats that the call modifies count as written. */
void cleave_tiled_mark(const struct cleave_call *call);

/* ---- tiled_problem.c ------------------------------------------------------------------------ */

/* What a schedule depends on; equal problems have equal schedules. */
struct cleave_tiled_problem {
    struct tile_problem tile;
    const struct cleave_set *set[CLEAVE_MAX_MEMBERS * 4]; /* [tile.sets] */
    int points[CLEAVE_MAX_MEMBERS * 4];
    struct tile_loop loop[CLEAVE_MAX_MEMBERS];
    struct tile_access access[CLEAVE_MAX_MEMBERS * 16]; /* of all loops, one after the other */
    int accesses;
    unsigned long generation; /* cleave_generation: plans and numberings are those of then */
};

/* Describes the members. Returns NULL, or why they cannot run tile by tile. */
const char *cleave_tiled_describe(const struct cleave_tiled_member *member, int members,
                                  struct cleave_tiled_problem *problem);
/* Copies a problem. */
void cleave_tiled_copy(struct cleave_tiled_problem *to, const struct cleave_tiled_problem *from);
/* 1: a schedule for one of them is one for the other, too. */
int cleave_tiled_same(const struct cleave_tiled_problem *a, const struct cleave_tiled_problem *b);

/* ---- tiled_sequence.c ----------------------------------------------------------------------- */

/* A sequence of a unit. */
struct cleave_tiled_state {
    const struct cleave_unit *unit;
    const struct cleave_tiled *calls;
    struct cleave_tiled_case *cases;
    int refused; /* how often in a row it could not be described, in this generation: */
    unsigned long generation;
    struct cleave_tiled_state *next;
};

/* The sequence that begins with the call; NULL: none does. */
struct cleave_tiled_state *cleave_tiled_first(const struct cleave_call *call);
/* 1: it is call `number` of the sequence. */
int cleave_tiled_is_call(const struct cleave_tiled_state *at, int number,
                         const struct cleave_call *call);
/* The case that the first call belonged to the last time; NULL: it is new. */
struct cleave_tiled_case *cleave_tiled_case_of(const struct cleave_tiled_state *at,
                                               const struct cleave_call *first);
/* The sequence has run, beginning with `first`; problem NULL: it could not be described. Returns
 * its case, which is made if there is none; NULL: there can be none. */
struct cleave_tiled_case *cleave_tiled_case_found(struct cleave_tiled_state *at,
                                                  const struct cleave_call *first,
                                                  const struct cleave_tiled_problem *problem);
/* 1: following the sequence leads to nothing. tiled: the case of its first call, or NULL. */
int cleave_tiled_is_futile(const struct cleave_tiled_state *at,
                           const struct cleave_tiled_case *tiled);
/* Forgets the sequences of a unit; NULL: of all. */
void cleave_tiled_free(const struct cleave_unit *unit);

/* ---- tiled_run.c ---------------------------------------------------------------------------- */

/* Runs the members' launches on all threads. seconds: [members] gets the part of the time that is
 * each one's. Called with the state of dats held. */
void cleave_tiled_run(const struct tile_schedule *schedule,
                      const struct cleave_tiled_member *member, double *seconds);

/* ---- tiled_trial.c -------------------------------------------------------------------------- */

/* The calls of a sequence with certain sets, maps and plans. */
struct cleave_tiled_case {
    struct cleave_tiled_problem problem;
    const struct cleave_call *first; /* the latest first call that led here; to be compared only */
    struct tile_schedule *schedule;  /* NULL: not made yet, or it cannot be made */
    const char *reason; /* why it is not made, or does not run: a text that stays; or NULL */
    int turns;          /* of the trial, so far */
    int samples[2];     /* apart, in tiles */
    double least[2];    /* seconds of each way */
    double seen;        /* seconds of all runs apart so far */
    double build;       /* seconds that the schedule took */
    int decided;
    int apart; /* 1: the calls are faster one after the other */
    struct cleave_tiled_case *next;
};

/* The next run of the sequence: 1: in tiles, 0: apart. */
int cleave_tiled_turn(const struct cleave_tiled_case *tiled);
/* A run of it took so many seconds. */
void cleave_tiled_took(struct cleave_tiled_case *tiled, const struct cleave_tiled_member *member,
                       int members, int in_tiles, double seconds);
/* Makes the schedule. */
void cleave_tiled_make(struct cleave_tiled_case *tiled, const struct cleave_tiled_member *member,
                       int members);
void cleave_tiled_case_free(struct cleave_tiled_case *tiled);

/* ---- tiled_verify.c ------------------------------------------------------------------------- */

/* Before the reference runs a verified call, whose check is filled; and after its results were
 * compared. */
void cleave_tiled_verify_begin(struct cleave_call *call);
void cleave_tiled_verify_end(void);
void cleave_tiled_verify_forget(void);
/* How many sequences agreed; from then on counts anew. */
long cleave_tiled_verified(void);

#endif
