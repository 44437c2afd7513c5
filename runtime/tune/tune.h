/* tune.h: finds the fastest variant and block size of each loop by measuring candidates in the
 * program's own calls. Each call does real work, whichever candidate runs it; nothing waits for a
 * time. README.md explains the rules.
 *
 * exec/ asks cleave_tune_choose() what runs a call like this one. While its trials are not settled,
 * it asks cleave_tune_turn() before each call which candidate runs it, cleave_tune_choice() for
 * this candidate as a choice, and hands its time to cleave_tune_took() when it is known.
 */
#ifndef CLEAVE_TUNE_H
#define CLEAVE_TUNE_H

#include "runtime/choose/choose.h"
#include "runtime/store/store.h"

/* Most samples of a candidate that its time is made of, those of short loops with CLEAVE_TUNE=full.
 */
enum { CLEAVE_TRIAL_SAMPLES = 25 };

enum cleave_trial_state {
    CLEAVE_TRIAL_UNTRIED, /* its turn has not come, or never will */
    CLEAVE_TRIAL_OPEN,    /* calls measure it in turns with others */
    CLEAVE_TRIAL_WAITING, /* its plan is being made in the background */
    CLEAVE_TRIAL_DROPPED, /* it is slower than another, or cannot run */
    CLEAVE_TRIAL_CHOSEN   /* it is the fastest, and runs all calls */
};
/* "untried", "candidate", "waiting for plan", "dropped", "chosen" */
const char *cleave_trial_state_word(enum cleave_trial_state state);

/* A candidate: a variant with a block size, and on the host with a number of threads. */
struct cleave_trial {
    char *variant;    /* its name: an own copy */
    int block_size;   /* elements per block, or points, as in struct cleave_choice */
    int threads;      /* of the host, as in struct cleave_choice */
    int first;        /* 1: its block size is the variant's by rule: measured before the others */
    double guess;     /* what it is expected to lose if nothing else is known, in calls */
    double predicted; /* seconds of a call that the model expects; 0: unknown */
    double setup;     /* seconds that preparing it would make the loop wait; 0: none, or done */
    int samples;      /* calls that measured it */
    double seconds;   /* of a call: mean of the latest of them without the largest third, with
                         CLEAVE_TUNE=full without the largest and the smallest quarter; 0: none */
    double spread;    /* seconds between the quartiles of these samples; 0: unknown */
    enum cleave_trial_state state;
    const char *why; /* DROPPED: the reason; else NULL */
    int asked;       /* measured calls whose times are not known yet */
    int recent;      /* samples of this phase: entries of `sample`, at most CLEAVE_TRIAL_SAMPLES */
    double sample[CLEAVE_TRIAL_SAMPLES]; /* seconds */
};

/* Settings of the trials. */
struct cleave_trial_limits {
    double least_seconds; /* a loop that takes less is not tuned */
    double short_seconds; /* candidates of a loop that takes less are fewer, and measured more often
                           */
    double hopeless; /* one sample above this ratio to the best is enough to drop a candidate; 0:
                        never */
    int plans_later; /* 1: plans of candidates are made in the background */
    int exhaustive;  /* 1: CLEAVE_TUNE=full: all candidates, as often, at any cost */
};

/* The program's account, which the trials of all its loops share: what its loops have taken in this
 * run, and what trials have cost beside that. budget.c says what they may cost. */
struct cleave_account {
    double taken; /* seconds of all loops so far */
    double spent; /* seconds that trials have cost: what calls took longer, their measuring, and
                     the preparing of candidates */
    double
        promised; /* seconds that measured calls are expected to cost whose times are not known */
    double overhead;  /* seconds that measuring a call costs, beside what the call takes */
    double apart;     /* seconds that the first measured call of a sequence of launches costs, which
                         are no graph then; 0: there are no graphs */
    double preparing; /* seconds that preparing a candidate took, on average */
    long prepared;    /* candidates so far */
    int goes_on;      /* 1: trials of an earlier run go on in this one */
    long calls;       /* of loops that are being tuned */
    long next_sum;    /* the next of them at which `taken` is summed up anew */
    /* Batches of measured calls: where there are graphs, loops measure in the same sequences. */
    unsigned long sequence;  /* the number of the present sequence of launches */
    unsigned long disturbed; /* that of the latest with a measured call, plus 1; 0: none */
    unsigned long changed;   /* that in which a loop changed its usual candidate, plus 1; 0: none */
    unsigned long asked_in;  /* the sequence in which a loop has asked for a batch, */
    unsigned long lasts;     /* which the so many sequences behind it are; 0: none has */
    struct cleave_trials *first; /* the trials of all loops */
};

/* The candidates of a loop on a mesh: all calls share them whose kernel, arguments' shapes, sets,
 * maps and target are equal. They live until op_exit. */
struct cleave_trials {
    const char *loop;   /* own copies */
    const char *kernel; /* the user's */
    const char *target; /* "cuda": borrowed from cleave_target_row */
    int elements;       /* of the set */
    int count;
    struct cleave_trial *trial; /* [count] in the order in which they are tried first */
    int by_rule;                /* the candidate that the rule chose in this run */
    int chosen;                 /* the fastest so far */
    int runs;    /* the candidate that runs calls which try no other: `chosen`, or where there are
                    graphs the one before until making them anew pays */
    int settled; /* 1: trials have ended with `chosen` */
    int from_store;     /* 1: an earlier run settled it */
    int rests;          /* 1: an earlier run ended before its trials did: they only go on
                           when the loops of this run have taken enough time */
    double ended_after; /* seconds that the loops of that run took, 0: there was none */
    int is_complete;    /* 1: all candidates that the program holds are measured; others may come */
    int variants;       /* that the call had when they were listed */
    double further_gain;  /* share of a call that variants which the program does not hold would
                             save,  by the model; 0: nothing, or they were asked for in vain */
    int listed;           /* 1: `trial` has all candidates; 0: the rule's, and those of an
                             earlier run */
    long calls;           /* calls so far while it was not settled, in earlier runs, too */
    long calls_now;       /* in this run */
    long measured_now;    /* of them, calls that measured a candidate */
    long next_look;       /* the next of calls_now at which the account is brought up to date */
    double usual_seconds; /* of a call that nobody measured, in this run; 0: unknown */
    double lost_seconds;  /* what measured calls took longer than the chosen candidate would have */
    double measuring_seconds; /* what measuring them cost, in this run */
    double setup_seconds;     /* spent on preparing candidates, in this run */
    double promised;          /* its part of the account's */
    struct cleave_account *account;
    struct cleave_trial_limits limits;
    /* turns.c: */
    int blocks_open; /* 1: block sizes are being tried, after the variants */
    int *turn;       /* [2 * count] candidates of this round, in their order */
    int turns;       /* how many */
    int place;       /* the next */
    int current;     /* the candidate that the present call measures; -1: none */
    int pauses;      /* 1: the account has nothing for the rest of the round until the next look */
    int is_next;     /* 1: no loop that takes more time needs the account */
    int lacks_time;  /* 1: it is worth listing when the account has enough */
    long called_at;  /* the account's calls at its latest call */
    unsigned long latest; /* the sequence of its latest call, */
    unsigned long period; /* and how many sequences that was behind the call before; 0: unknown */
    int unread;           /* measured calls whose times are not known yet */
    unsigned long long random; /* state of the generator that shuffles rounds */
    /* trials.c: */
    struct store_key key;
    unsigned long plans_arrived; /* cleave_plans_arrived at the latest turn */
    int kept;                    /* 1: the store has what was found */
    struct cleave_trials *next;
};

/* ---- trials.c ------------------------------------------------------------------------------- */

/* Chooses what runs the call: what its trials have found, in this run or in an earlier one, else by
 * rule as cleave_choose() does; 0 as there. Sets *trials to the loop's trials as long as they go
 * on or rest, which is until op_exit at most; NULL: there are none. */
int cleave_tune_choose(struct cleave_call *call, struct cleave_choice *choice,
                       struct cleave_trials **trials);
/* Counts a call of trials that rest. 1: it is time for cleave_tune_wake(). */
static inline int cleave_tune_rested(struct cleave_trials *trials)
{
    return trials->rests && ++trials->calls_now >= trials->next_look;
}
/* Lets trials that rest go on if the loops of this run have taken enough time. 1: they do, and the
 * call is to be chosen anew. */
int cleave_tune_wake(struct cleave_trials *trials);
/* 1: the next call is one before which cleave_tune_look() is asked for. */
int cleave_tune_looks(const struct cleave_trials *trials);
/* 1: the account's sums are old: cleave_tune_sums() is asked for. taken: seconds of all loops in
 * this run so far; overhead: what it costs to measure a call; apart: what it costs besides if it is
 * the first in its sequence. */
int cleave_tune_sums_are_old(void);
void cleave_tune_sums(double taken, double overhead, double apart);
/* Looks whether the loop has become worth trials, and lists its candidates then. usual: seconds of
 * a call like the next one, 0: unknown; choice: what runs the call now. Settles trials of loops
 * that never will. */
void cleave_tune_look(struct cleave_trials *trials, struct cleave_call *call,
                      const struct cleave_choice *choice, double usual);
/* Returns the candidate that runs the next call. *measured becomes 1 if the call is to be timed:
 * then one call of cleave_tune_took(), cleave_tune_missed() or cleave_tune_failed() must follow.
 * sequence: the number of the sequence of launches that the call is in. If trials->settled is 1
 * afterwards and the candidate is trials->chosen, it runs all calls from now on. */
int cleave_tune_turn(struct cleave_trials *trials, unsigned long sequence, int *measured);
/* The host has spent so many seconds on preparing a candidate. */
void cleave_tune_prepared(struct cleave_trials *trials, double seconds);
/* Fills the choice for candidate n; in: unit, loop, target and device. Makes its plan, or
 * asks the worker for it. 0: it cannot run, and is dropped or waits for its plan. */
int cleave_tune_choice(struct cleave_trials *trials, int n, struct cleave_call *call,
                       struct cleave_choice *choice);
/* The measured call of candidate n took so many seconds. trials: struct cleave_trials. */
void cleave_tune_took(void *trials, int n, double seconds);
/* The call of candidate n was not timed after all. */
void cleave_tune_missed(struct cleave_trials *trials, int n);
/* Candidate n cannot run. why: a text that lives as long as the trials. */
void cleave_tune_failed(struct cleave_trials *trials, int n, const char *why);
/* ---- kept_group.c: groups of loops that one kernel may run (exec/group.h) --------------------
 */

/* The key of what was measured of a group: a hash of all that decides whether it is faster as one
 * kernel. kernel, signature: of the joined loop. call, choice: [members] of members of it that have
 * been prepared, and what they run by. */
struct store_key cleave_tune_group_key(const char *kernel, const char *signature, int members,
                                       struct cleave_call *const *call,
                                       const struct cleave_choice *const *choice);
/* 1: an earlier run has found in which way they are fastest: *way is what that run kept, a number
 * of the caller's. 0: none has found anything. */
int cleave_tune_group_read(const struct store_key *key, int *way);
/* Keeps it for later runs. */
void cleave_tune_group_keep(const struct store_key *key, int way);

/* ---- the end --------------------------------------------------------------------------------- */

/* In a child of fork(): no loop is tuned from now on. */
void cleave_tune_forked(void);
/* At op_exit: keeps what was found for the next run, and frees all trials. taken: seconds of all
 * loops in this run. */
void cleave_tune_end(double taken);

/* The trials of a loop (name of the call and of the kernel); `after`: NULL, or the latest answer,
 * for the next: a loop has several on several meshes. NULL: there are no more. Valid until
 * op_exit. */
const struct cleave_trials *cleave_trials_of(const char *loop, const char *kernel,
                                             const struct cleave_trials *after);

/* The account of this run; valid until op_exit. */
const struct cleave_account *cleave_tune_account(void);

/* Seconds that trials have cost so far, without preparing candidates. */
static inline double cleave_trials_lost(const struct cleave_trials *trials)
{
    return trials->lost_seconds + trials->measuring_seconds;
}

#endif
