/* launcher.h: what a loop call is launched with, for the files of exec/ that launch: launch.c,
 * launch_args.c, queue.c, group.h and its files, graph.c and gate.c. */
#ifndef CLEAVE_LAUNCHER_H
#define CLEAVE_LAUNCHER_H

#include "runtime/exec/exec.h"

/* Notes in cleave_launch.zeros, beside the CLEAVE_ZEROS_ bits. */
enum cleave_fills {
    CLEAVE_FILLS_ZEROS = 4,  /* the argument's dat is filled with zeros before the launch starts */
    CLEAVE_FILLS_SPARE = 8,  /* data[] is a spare buffer that the dat adopts behind the launch */
    CLEAVE_FILLS_BLANK = 16, /* no copy held the zeros of the argument's dat */
    CLEAVE_FILLS_KEPT = 32,  /* the dat is copied for a recipe before the launch starts */
    CLEAVE_FILLS_ITSELF = 64 /* the launch goes by CLEAVE_ZEROS_KNOWN for the argument: no memory
                                is filled. Where a launch takes its place, that may be needed */
};

/* Made at a loop call's first launch and kept with it: one piece of memory, which also holds the
 * arrays that `launch` points to. */
struct cleave_launcher {
    struct cleave_choice choice;
    struct cleave_load load; /* what the choice takes, for the report */
    unsigned long chosen_at; /* the cleave_generation in which the choice was made; 0: none was */
    const char *variant;     /* name of the chosen variant, for the records */
    /* cleave_constants_version() when the loop last got its constants, plus 1; 0: never. */
    unsigned long constants;
    struct cleave_trials *trials; /* that are going on, or rest; NULL: there are none */
    int candidate;                /* its number in the trials that the present call measures; -1:
                                     the call is not measured */
    double began; /* cleave_seconds() when a new candidate began to be prepared; 0: it is not new */
    double found; /* and when its plan had been found */
    double most;  /* seconds that gathering its call costs at most; 0: no limit */
    struct cleave_pace pace;
    struct cleave_launch launch;
    /* [args] the arrays that `launch` points to, writable here. */
    void **data;
    const int **map;
    int *map_dim;
    const int **number;
    int *stride;
    struct cleave_parts partial;
    struct cleave_parts result;
    void **next;
    unsigned char *zeros;         /* CLEAVE_ZEROS_ bits, and those of enum cleave_fills */
    const unsigned char *records; /* [args] CLEAVE_RECORD_ bits of the choice; NULL: all 0 */
    int has_points;               /* 1: cleave_arg_is_point() of an argument */
    const void **copies;          /* [copies of the variant that has most] */
    /* Globals that a variant on the device reads, MIN and MAX included: launches get the values
     * that they have when the loop is called. */
    int args;
    int values;
    int *value_arg;     /* [values] the arguments */
    char **value;       /* [values] copies of their values */
    char *arrays;       /* all of these arrays and values: one piece of memory, `data` first */
    size_t fixed_bytes; /* of it, all but the values, which come last */
    size_t array_bytes; /* all of it */
};

/* A launch on the device that is ready: all but starting it is done. It owns copies of the arrays
 * that `launch` points to, because the launcher's own change with the next call. */
struct cleave_queued {
    struct cleave_call *call;
    const struct cleave_launcher *launcher;
    const struct cleave_variant *variant;
    const struct cleave_unit *unit;
    struct cleave_record *record;
    double bytes; /* useful ones */
    int timed;
    int fills;                    /* 1: it fills dats with zeros before it starts */
    struct cleave_trials *trials; /* of the launcher */
    int candidate;
    struct cleave_launch launch;
    int args;
    char *memory; /* the arrays, as the launcher has them; kept for later launches */
    size_t fixed_bytes;
    size_t array_bytes;
    size_t capacity;                     /* of the memory */
    int members;                         /* loops that it runs as one; 0: it is no group */
    struct cleave_group_trial *measured; /* that wants its time, as that of `which`; or NULL */
    int which;
    const struct cleave_site *member[CLEAVE_MAX_MEMBERS]; /* where they are called, for messages */
};

/* ---- launch.c ------------------------------------------------------------------------------- */

/* Chooses and gathers all that a launch of the call needs, but starts nothing. against: NULL, or
 * returns why a choice must not run, else NULL. NULL: nothing can run, or *reason says why the
 * choice must not. reason may be NULL for a call that joins none. */
struct cleave_launcher *
cleave_launch_prepare(struct cleave_call *call,
                      const char *(*against)(const void *about, const struct cleave_choice *choice),
                      const void *about, const char **reason);

/* The reason of a joined loop that does not run yet. */
extern const char cleave_awaits_plan[];

/* ---- launch_args.c -------------------------------------------------------------------------- */

/* 1: the device may not have the memory for the plan and the contributions that a launch by this
 * choice needs and that are not there yet. It asks the device only if there are any. */
int cleave_launch_lacks_memory(const struct cleave_call *call, const struct cleave_choice *choice);
struct cleave_launcher *cleave_launcher_new(const struct cleave_call *call);
/* Copies the values of globals for a launch on the device. Reading them may fetch an old dat->data,
 * which flushes: call it before anything is gathered. */
void cleave_launch_read(const struct cleave_call *call, struct cleave_launcher *launcher);
/* Sets the parts of launcher->launch that stay as long as the choice. */
void cleave_launch_choose(const struct cleave_call *call, struct cleave_launcher *launcher);
/* Sets the other parts and makes the data current where the variant runs. Returns 0 if there is no
 * memory for the copies that the variant reads: choose another variant. */
int cleave_launch_gather(struct cleave_call *call, struct cleave_launcher *launcher);

/* The second buffer of a dat that cleave_arg_is_doubled(); NULL: there is no memory for it. */
void *cleave_launch_second(const struct cleave_call *call, int a);

/* ---- launch_records.c ----------------------------------------------------------------------- */

/* Sets data[a] and zeros[a] for a dat on the device whose values need not be where they are stored:
 * for one that is known to be zero, or one whose records the loop replaces while other dats share
 * its buffer. Gives any other dat that the loop modifies a buffer of its own. 0: data[a] has not
 * been set. Call it for the arguments in their order. */
int cleave_launch_record(const struct cleave_call *call, struct cleave_launcher *launcher, int a);
/* Sets CLEAVE_ZEROS_LEAVE where the zeros that the launch leaves need not be stored. */
void cleave_launch_leave(const struct cleave_call *call, struct cleave_launcher *launcher);
/* A launch has been queued: dats that it fills before it starts count as filled. */
void cleave_launch_queued(struct cleave_queued *queued);
/* It is not launched after all, because another one takes its place: takes back what it counts for
 * reports. */
void cleave_launch_unqueued(const struct cleave_queued *queued);
/* The notes of an argument as a launch in its place begins with them, which may not fill the dat by
 * itself. */
unsigned cleave_launch_begins(unsigned notes);
/* Before it starts: fills them. */
void cleave_launch_fill(const struct cleave_queued *queued);
/* A later launch, `other`, starts before it: where both use a dat that is zero, that one fills it
 * if need be, and this one knows nothing of its values any more. */
void cleave_launch_pass(struct cleave_queued *queued, struct cleave_queued *other);
/* Behind the launch of a call, or its place in the queue: marks what it has written, on the target
 * that the choice names. */
void cleave_launch_written(const struct cleave_call *call, const struct cleave_launcher *launcher);
/* The unit's row about all records of the dats of one of its loops; NULL: it has none. */
const struct cleave_records *cleave_records_of(const struct cleave_unit *unit,
                                               const struct cleave_loop *loop);
/* 1: the call replaces all records of argument a's dat, and reads none of them, wherever it runs.
 */
int cleave_launch_replaces(const struct cleave_call *call, int a);
/* Runs a call of a loop that only copies a dat, or only leaves zeros, without a launch. 0: it needs
 * one. */
int cleave_launch_is_spared(struct cleave_call *call);

/* ---- turn.c --------------------------------------------------------------------------------- */

/* Fills a launcher for a choice. */
void cleave_launcher_set(const struct cleave_call *call, struct cleave_launcher *launcher,
                         const struct cleave_choice *choice);
/* 1: trials that rested go on from this call on, which is to be chosen anew. */
int cleave_turn_wakes(const struct cleave_launcher *usual);
/* Returns the launcher that the present call runs: usual, or that of a candidate. Replaces
 * call->launcher when its trials have settled. */
struct cleave_launcher *cleave_launch_turn(struct cleave_call *call, struct cleave_launcher *usual);
/* The launcher's call has been gathered, and is about to be launched or to run: ends what prepares
 * a candidate. In a launch the driver may wait for room, which costs nothing: the device is at
 * work.
 */
void cleave_turn_prepared(struct cleave_launcher *launcher);
/* The launch of a candidate has failed, and nothing of it has run: drops the candidate if there is
 * one and if that is sure. 0: the error must end the program. */
int cleave_turn_back(const struct cleave_queued *queued);

/* ---- queue.c -------------------------------------------------------------------------------- */

/* Moves the pointers of a launch into the launcher's arrays `from` to their copy `to`. */
void cleave_launch_move(struct cleave_launch *launch, const struct cleave_launcher *launcher,
                        const char *from, char *to);

/* Appends a launch on the device, which is gathered and described; starts it now or at the next
 * flush. The call must not be freed while call->queued is not 0. Launches of candidates that are
 * measured start now. 0: such a launch failed, and has not run: run another candidate. */
int cleave_queue_add(struct cleave_call *call, const struct cleave_launcher *launcher);
/* Returns the launches that wait for a group, in their order. Valid until one is released. */
const struct cleave_queued *cleave_queue_held(int *count);
/* Starts the first `count` of them, or lets them wait for a graph. */
int cleave_queue_release(int count);
/* Puts the launch of a joined loop, which is prepared, in the place of the first `count` of them.
 * site: [members] where its members are called. Returns these launches, valid until the next call;
 * NULL: the joined launch is of a candidate and failed, and the launches that waited were released.
 * measured: the trial that wants its time, or NULL; which: as whose. */
const struct cleave_queued *cleave_queue_join(struct cleave_call *call,
                                              const struct cleave_launcher *launcher, int count,
                                              const struct cleave_site **site, int members,
                                              struct cleave_group_trial *measured, int which);
/* The trial wants the times of the launches that wait. */
void cleave_queue_measure(struct cleave_group_trial *measured);
/* Sets a mark on the device before the next launch that starts, alone or in a graph. */
void cleave_queue_mark(int mark);
/* 1: it has not been set yet. */
int cleave_queue_is_to_mark(int mark);
/* It need not be set any more. */
void cleave_queue_unmark(int mark);
/* Grows with each flush that empties the queue. */
unsigned long cleave_queue_flushes(void);
/* The number of sequences of launches that have ended: the present one's. */
unsigned long cleave_queue_sequences(void);

/* Starts some of the launches that wait for a group before the others: bit n of `which` stands for
 * the n-th of them. Returns how many were started. */
int cleave_queue_release_some(unsigned which);

/* ---- graph.c -------------------------------------------------------------------------------- */

/* Tells the queue what to do with its launches that have not been started. */
enum cleave_graph_advice {
    CLEAVE_GRAPH_GO,    /* start them one by one */
    CLEAVE_GRAPH_WAIT,  /* they are the beginning of a segment */
    CLEAVE_GRAPH_LAUNCH /* they are a segment: cleave_graph_launch() */
};
/* A launch was appended to the queue: queued[count], of which `started` have been started. */
enum cleave_graph_advice cleave_graph_next(const struct cleave_queued *queued, int count,
                                           int started);
/* Starts queued[first..count-1] as one graph, which is captured if it has not been; 0: that cannot
 * be done. */
int cleave_graph_launch(struct cleave_queued *queued, int first, int count);
/* 1: the sequence that ended last may still become graphs, or is tried with and without them. */
int cleave_graphs_settle(void);
/* The queue is flushed: all of queued[count] have been started, and the sequence has ended. */
void cleave_graph_end(const struct cleave_queued *queued, int count);
/* Forgets all sequences. Without a device, as in a child of fork(), their graphs are left alone. */
void cleave_graphs_free(void);

/* ---- gate.c --------------------------------------------------------------------------------- */

/* Returns the device's operations, those that queued launches could notice behind a flush. Kept
 * until the next call. */
const struct target_ops *cleave_gate(const struct target_ops *device);

#endif
