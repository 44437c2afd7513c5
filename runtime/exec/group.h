/* group.h: groups of loops that one kernel runs, for the files of exec/ that deal with them:
 *
 *   group.c         the groups of all units as a tree of the loops that are called in turn
 *   group_follow.c  which of them the calls of the program follow, and which launches wait for that
 *   group_expect.c  whether waiting for the rest of a group has been worth it after the same calls
 *   group_join.c    the call of a joined loop, from the calls of its members
 *   group_cross.c   whether members may change their places
 *   group_trial.c   whether the joined loop is faster than its members
 *   ahead.c         loops that a joined loop computes before they are called
 *
 * A launch waits in the queue (queue.c) as long as it and those behind it are the beginning of a
 * group. If the group becomes complete, the launch of its joined loop takes their place. Else they
 * start one by one, as they do without groups. A joined loop is a loop like any other: it is found
 * by its call text and the signature of its arguments, has variants, plans, trials and a row in the
 * tables. */
#ifndef CLEAVE_GROUP_H
#define CLEAVE_GROUP_H

#include "runtime/exec/launcher.h"

/* ---- group.c -------------------------------------------------------------------------------- */

/* Loops that were called one after the other, as groups begin: a node of the tree. */
struct cleave_group_node {
    const struct cleave_loop *loop;   /* the latest of them */
    int depth;                        /* how many */
    struct cleave_group_node *before; /* NULL: this is the first loop */
    struct cleave_group_node *after;  /* the first of the nodes behind this one, or NULL */
    struct cleave_group_node *next;   /* behind the same node */
    /* How often in a row waiting here has cost something, whatever was called before: nothing came
     * of it, or it took long. */
    int missed;
    unsigned long long key; /* of the loops on the way here: equal in all runs of the program */
    /* The group that ends here; NULL: none does, and nothing below holds. */
    const struct cleave_group *group;
    const struct cleave_loop *joined;
    struct cleave_unit_entry *unit;
    struct cleave_site *site; /* where the joined loop is called: no place in the source has it */
    char access[CLEAVE_MAX_ARGS]; /* letters, from the joined loop's signature */
    int args;                     /* of the joined loop */
    int gathers; /* 1: members behind the first run over the points that this one increments */
    int refused; /* how often in a row it could not run */
    int passed;  /* completions since that it was not asked for */
    unsigned long refused_at;          /* state of the runtime when it was refused last */
    const char *said;                  /* the reason that was printed last; NULL: none */
    struct cleave_group_trial *trials; /* one for each set; or NULL */
    struct cleave_ahead *ahead;        /* the group with a loop more, ahead of its call; or NULL */
};

/* A group whose joined loop also computes a loop that the program is expected to call next. */
struct cleave_ahead {
    struct cleave_group_node node; /* of that group: in no tree; it ends where the one without the
                                      loop does, and has none of the members from `after` on */
    const struct cleave_loop *loop;
    int args;                       /* of the loop: dats, none of them optional */
    const int *position;            /* [args] among the joined loop's arguments */
    char modified[CLEAVE_MAX_ARGS]; /* [arguments of the joined loop] 1: the loop modifies it */
    /* The latest call of the loop; arg is NULL if there was none. */
    op_set set;
    op_arg *arg;  /* [args] */
    double bytes; /* useful ones */
    int waits;    /* 1: a launch has computed this call, and none has come since */
    int dropped;  /* guesses in a row that have failed */
    /* The waiting launch: none of this may have changed when the call comes. */
    unsigned long *version; /* [args] of the dats */
    unsigned long stamp;    /* cleave_buffers.ahead_stamp of the dats that the loop modifies */
    unsigned long generation;
    unsigned long constants;   /* cleave_constants_given() */
    struct cleave_ahead *next; /* of the same unit */
};

/* At op_init: no group has been tried yet. */
void cleave_groups_start(void);
/* The node of a call that may be the first of a group; NULL: there is none. */
struct cleave_group_node *cleave_group_first(const struct cleave_call *call);
/* The node behind `node` that the call leads to; NULL: no group goes on with it. */
struct cleave_group_node *cleave_group_after(const struct cleave_group_node *node,
                                             const struct cleave_call *call);
/* 1: a group that ends here and begins with a loop over the set is not tried for now: it could not
 * run the last times, or its members are faster. */
int cleave_group_is_off(const struct cleave_group_node *node, op_set set);
/* 1: launches that have come so far wait for more. set: that of the first; place: where it was
 * called. */
int cleave_group_waits(const struct cleave_group_node *node, op_set set, unsigned long long place);
/* The group that ends here was complete. late: launches have waited for long. place: where its
 * first loop was called. */
void cleave_group_completed(struct cleave_group_node *node, int late, unsigned long long place);
/* The group that ends here was complete, but cannot run; reason: a text that stays. */
void cleave_group_refused(struct cleave_group_node *node, const char *reason);
/* "save_soln+adt_calc" */
const char *cleave_group_name(const struct cleave_group_node *node);

/* Writes ", which runs 'save_soln' (a.c:10) and 'adt_calc' (a.c:12) as one kernel", nothing if
 * there are no members, and returns the text. site: [members] */
const char *cleave_group_text(const struct cleave_site *const *site, int members, char *text,
                              size_t capacity);

/* ---- group_expect.c ------------------------------------------------------------------------- */

/* A place is where a program is when it calls a loop: a number made from the latest calls before
 * that one, from their loops and sets, and equal whenever these are. */

/* A call of a loop for the device comes. */
void cleave_expect_called(struct cleave_call *call);
/* The place of the call that came `ago` calls before the latest one: 0 to CLEAVE_MAX_MEMBERS. */
unsigned long long cleave_expect_place(int ago);
/* 1: launches that have come to the node from this place on are expected to become a group. */
int cleave_expect_waits(const struct cleave_group_node *node, unsigned long long place);
/* Launches that came to the node from this place on have waited in vain. */
void cleave_expect_missed(struct cleave_group_node *node, unsigned long long place);
/* What launches at the node wait for has come, or would have. late: it took long. */
void cleave_expect_came(struct cleave_group_node *node, unsigned long long place, int late);
/* At op_init and op_exit: forgets everything. */
void cleave_expect_forget(void);

/* ---- group_follow.c ------------------------------------------------------------------------- */

/* Call before a call is prepared: starts what waits and does not lead to it. 1: the call was the
 * last one of a group, whose joined loop has been launched: nothing is left to do for it. */
int cleave_group_runs(struct cleave_call *call);
/* Instead of it for a call that launches nothing, while no launch waits: it may be the end of a
 * group for which launches have stopped to wait, and now wait again. */
void cleave_group_passes(struct cleave_call *call);
/* 1: the call, which is being prepared, may be part of a group. */
int cleave_group_expects(const struct cleave_call *call);
/* The launch has been appended to the queue. 1: it waits for the rest of a group. */
int cleave_group_holds(struct cleave_queued *queued);
/* The queue is about to be flushed: no group becomes complete any more. */
void cleave_group_ends(void);
/* The program looks at results between two loops: starts what waits, the groups that are complete
 * as one kernel. */
void cleave_group_covers(void);
/* A loop on the host comes between the launches of a group: starts those that wait. */
void cleave_group_breaks(void);
/* Forgets what was called last. */
void cleave_group_forget(void);

/* ---- group_cross.c -------------------------------------------------------------------------- */

/* 1: a member that is launched before the joined loop (cleave_member.arg is NULL) depends on a
 * member of it that was called earlier, or the other way round. call: [members] */
int cleave_group_crosses(const struct cleave_group *group, struct cleave_call *const *call);
/* 1: the first member increments these points, and the call runs over them, or increments them from
 * another set. */
int cleave_group_gathers(const struct cleave_call *first, op_set points,
                         const struct cleave_call *call);

/* ---- group_model.c -------------------------------------------------------------------------- */

/* Asks the model what the joined loop's call takes beside those of its members, for the trial. 1:
 * the group may be tried. 0: not, or not yet, since a member has not been prepared. */
int cleave_group_ask(struct cleave_group_node *node, struct cleave_group_trial *trial,
                     const struct cleave_call *joined, struct cleave_call *const *member,
                     int members);

/* ---- unstored.c ----------------------------------------------------------------------------- */

/* Makes recipes for the members of a group that is about to be launched, and tells the launcher of
 * the joined loop, the call `joined`, what to leave out. call: [members] of the group; recipe:
 * [members] becomes the recipes; returns how many. */
int cleave_unstored_recipes(const struct cleave_group *group, struct cleave_call *const *call,
                            struct cleave_call *joined, struct cleave_launcher *launcher,
                            struct cleave_recipe **recipe);
/* The launch has been queued, and its dats are marked as written. launched: 0: it failed. */
void cleave_unstored_end(struct cleave_recipe **recipe, int count, int launched);

/* ---- group_trial.c -------------------------------------------------------------------------- */

/* In which way a group runs. The store has these numbers. */
enum cleave_group_turn {
    CLEAVE_GROUP_APART, /* its members one by one */
    CLEAVE_GROUP_JOINED,
    CLEAVE_GROUP_AHEAD /* with the loop that it can compute ahead of its call, if there is one */
};
/* Whose time it is that a trial gets: that of the member with this number, or of a kernel of them
 * all. */
enum { CLEAVE_GROUP_TIME_JOINED = CLEAVE_MAX_MEMBERS, CLEAVE_GROUP_TIME_AHEAD, CLEAVE_GROUP_TIMES };
/* How a group that is complete runs. set: that of its first member; queued: [count] its members
 * that wait. *measured becomes NULL, or the trial that wants the times of its launches. */
enum cleave_group_turn cleave_group_turn(struct cleave_group_node *node, op_set set,
                                         const struct cleave_queued *queued, int count,
                                         struct cleave_group_trial **measured);
/* 1: the trial has measured nothing yet, and nobody has asked the model. */
int cleave_group_is_unasked(const struct cleave_group_trial *trial);
/* The model has been asked. It expects seconds[0] of the joined loop, and seconds[1] of its
 * members; if `loses`, these run one by one. */
void cleave_group_asked(struct cleave_group_node *node, struct cleave_group_trial *trial, int loses,
                        const double seconds[2]);
/* The launches have this trial as cleave_queued.measured. */
void cleave_group_measured(struct cleave_group_trial *trial);
/* The group that ends here could not run in the way that the trial of the set asked for. */
void cleave_group_disturbed(const struct cleave_group_node *node, op_set set);
/* 1: its joined loop may also compute a loop ahead of its call. */
int cleave_group_goes_ahead(const struct cleave_group_node *node, op_set set);
/* A launch took so many seconds. about: the trial; which: whose time that is. */
void cleave_group_took(void *about, int which, double seconds);
/* 1: it has been found that the members are faster. */
int cleave_group_is_apart(const struct cleave_group_node *node, op_set set);
/* Keeps what has been found for later runs, and frees the trials of the node. */
void cleave_group_trials_free(struct cleave_group_node *node);

/* ---- ahead.c -------------------------------------------------------------------------------- */

/* Makes all but the node and the list. group: has a loop ahead of its call */
struct cleave_ahead *cleave_ahead_new(const struct cleave_unit *unit,
                                      const struct cleave_group *group);
void cleave_ahead_free(struct cleave_ahead *ahead);
/* Forgets calls, values that wait, and guesses that failed. */
void cleave_ahead_reset(struct cleave_ahead *ahead);
/* The node to launch in place of this one, whose joined loop also computes a loop ahead of its
 * call; NULL: there is none, or guesses have failed. Drops what waits for a call. */
struct cleave_group_node *cleave_ahead_node(const struct cleave_group_node *node, op_set set);
/* 1: there is such a node, and guesses have not failed. */
int cleave_ahead_may_run(const struct cleave_group_node *node, op_set set);
/* Seconds of a call of the loop that the node can compute ahead, by itself; negative: not known. */
double cleave_ahead_spares(const struct cleave_group_node *node);
/* Its joined loop has been launched, and the dats that its members modify are marked. */
void cleave_ahead_launched(struct cleave_ahead *ahead);
/* Call before a call is prepared. 1: a launch has computed it, and its dats have taken over the
 * values: nothing is left to do for it. */
int cleave_ahead_adopts(struct cleave_call *call);

/* group.c. The first of the unit that the call belongs to, and its loop there; or NULL. */
struct cleave_ahead *cleave_ahead_first(const struct cleave_call *call,
                                        const struct cleave_loop **loop);
/* 1: there is one in some unit. */
int cleave_groups_go_ahead(void);

/* ---- group_join.c --------------------------------------------------------------------------- */

enum cleave_group_joined {
    CLEAVE_GROUP_REFUSED, /* it cannot run now */
    CLEAVE_GROUP_RUNS,
    CLEAVE_GROUP_RUNS_LATER /* the worker makes its plan, or the model is asked the next time */
};
/* Launches the joined loop of the group that ends at the node instead of its members: those of
 * queued[count], which wait, and `last`, which has not been prepared; NULL: all of them wait. If it
 * does not run, the members may have been started, which empties the queue.
 * measured: the trial that wants its time, or NULL. */
enum cleave_group_joined cleave_group_join(struct cleave_group_node *node,
                                           const struct cleave_queued *queued, int count,
                                           struct cleave_call *last,
                                           struct cleave_group_trial *measured);
/* Runs the joined loop of the group that ends at the node, now and by itself. queued: [count] the
 * calls of its members, their launchers, and launch.data with the values of the globals that they
 * read. Returns its call; NULL: it cannot run. */
const struct cleave_call *cleave_group_run_again(struct cleave_group_node *node,
                                                 const struct cleave_queued *queued, int count);

#endif
