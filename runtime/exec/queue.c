/* queue.c: launches on the device that are ready and have not started, in the order of their calls.
 *
 * A call does everything but the launch itself when it is submitted (launch.c): from then on its
 * dats count as written, and its arguments may change. Whoever looks at what launches read or
 * write, or changes it, calls cleave_flush() (base/flush.c), which starts them; operations of the
 * device do so by themselves (gate.c). The queue belongs to whoever holds the state of dats, so
 * that any thread may flush: one that touches dat->data, for instance.
 *
 * Launches wait only where something can come of it: a group of loops that one kernel runs
 * (group.h), and then a graph (graph.c). The device starts working with the first launch, and time
 * that it spends idle while the host submits the next is lost. */
#include "runtime/base/machine.h"
#include "runtime/base/timeline.h"
#include "runtime/exec/early.h"
#include "runtime/exec/group.h"
#include "runtime/exec/speculate.h"
#include "runtime/exec/tiled.h"

enum { MOST_QUEUED = 128 };

static struct {
    struct cleave_queued entry[MOST_QUEUED];
    int count;
    int started;  /* of them: entries before this one have been started */
    int held;     /* entries from this one on wait for a group; graphs know nothing of them yet */
    int starting; /* 1: a launch is being started, which is no reason to start others */
    int in_range; /* 1: and profilers show it */
    double last;  /* cleave_seconds() when the last launch had been submitted */
    unsigned long flushes;
    unsigned long sequences;     /* that have ended */
    char to_mark[TARGET_MARKS];  /* 1: the mark is to be set before the next start, */
    int marks;                   /* as so many are */
    struct cleave_queued joined; /* the launch of a group, before it takes its place */
    struct cleave_queued member[CLEAVE_MAX_MEMBERS]; /* of the group that was launched last */
} queue;

/* ---- starting ---------------------------------------------------------------------------- */

/* 0: it failed, and does not run. */
static int is_launched(const struct cleave_queued *queued)
{
    const char *error = cleave_launch_failure(queued->unit);
    if (error != NULL && cleave_turn_back(queued)) {
        return 0;
    }
    if (error != NULL) {
        char members[1024];
        cleave_fatal("loop '%s' (%s:%d)%s: '%s' failed on %s: %s", queued->call->name,
                     queued->call->site->file, queued->call->site->line,
                     cleave_group_text(queued->member, queued->members, members, sizeof members),
                     queued->variant->name, cleave_device->device(), error);
    }
    return 1;
}

/* Who wants the time of the launch besides its record. */
static struct cleave_timed timed_for(const struct cleave_queued *queued)
{
    if (queued->measured != NULL && queued->candidate < 0) {
        return (struct cleave_timed){cleave_group_took, queued->measured, queued->which};
    }
    return (struct cleave_timed){queued->candidate >= 0 ? cleave_tune_took : NULL, queued->trials,
                                 queued->candidate};
}

/* Sets the marks that wait for the next start. */
static void set_marks(const struct cleave_queued *queued)
{
    for (int m = 0; queue.marks > 0 && m < TARGET_MARKS; m++) {
        if (queue.to_mark[m]) {
            cleave_queue_unmark(m);
            if (cleave_device->mark(m) != 0) {
                cleave_fatal("loop '%s' cannot be timed on %s: %s", queued->record->name,
                             cleave_device->device(), cleave_device->last_error());
            }
        }
    }
}

/* Starts it under the kernel's name for profilers; some calls are timed. 0: it failed. */
static int start(struct cleave_queued *queued)
{
    if (queue.marks > 0 || queued->timed || queued->fills) {
        cleave_early_stop(queued);
        cleave_speculate_stop(queued);
    }
    set_marks(queued);
    cleave_device->range(queued->record->kernel);
    queue.in_range = 1;
    const int timer = queued->timed ? cleave_timer_begin(queued->record) : -1;
    cleave_launch_fill(queued); /* its time is that of the variant, which cannot do without */
    queued->launch.stream = cleave_device->stream();
    const double begun = cleave_moment_begin();
    if (!cleave_early_takes(queued) && !cleave_speculate_takes(queued)) {
        queued->variant->run(&queued->launch);
    }
    cleave_moment_end("launch", queued->record->name, begun);
    cleave_timers_launched(1);
    const int launched = is_launched(queued);
    if (launched) {
        cleave_timer_end(queued->record, queued->bytes, timer, timed_for(queued));
    }
    cleave_device->range(NULL);
    queue.in_range = 0;
    return launched;
}

/* Starts all launches that wait for no group. An error that the program's handler survives ends one
 * launch; those behind it stay in the queue. */
static int start_waiting(void)
{
    int launched = 1;
    queue.starting = 1;
    while (queue.started < queue.held) {
        launched = start(&queue.entry[queue.started++]);
    }
    queue.starting = 0;
    return launched;
}

/* ---- places ------------------------------------------------------------------------------ */

static void swap(struct cleave_queued *a, struct cleave_queued *b)
{
    const struct cleave_queued other = *a;
    *a = *b;
    *b = other;
}

/* Moves the launches from `from` on to `to`; those in between change places with them, because each
 * keeps its memory. */
static void move(int from, int to)
{
    if (to < from) {
        for (int e = from; e < queue.count; e++) {
            swap(&queue.entry[e], &queue.entry[e - from + to]);
        }
    } else {
        for (int e = queue.count - 1; e >= from; e--) {
            swap(&queue.entry[e], &queue.entry[e - from + to]);
        }
    }
    queue.count += to - from;
}

/* Forgets the first `count` launches. */
static void forget(int count)
{
    for (int e = 0; e < count; e++) {
        queue.entry[e].call->queued--;
    }
    move(count, 0);
    queue.held -= MIN(count, queue.held);
    queue.started -= MIN(count, queue.started);
}

/* A sequence of launches has ended; those that wait for a group begin another one. */
static void end_sequence(void)
{
    start_waiting();
    queue.sequences += queue.held > 0;
    cleave_graph_end(queue.entry, queue.held);
    forget(queue.held);
}

static void flush(void)
{
    cleave_tiled_flush();
    if (queue.count > 0 && !queue.starting) {
        cleave_group_ends();
        cleave_queue_release(queue.count - queue.held);
        end_sequence();
        queue.flushes++;
    }
    if (!queue.starting) {
        cleave_early_revoke();
        cleave_speculate_revoke();
    }
}

/* Launches the groups that are complete, as far as launches wait for more. */
static void flush_groups(void)
{
    if (queue.count > queue.held && !queue.starting) {
        cleave_group_covers();
    }
}

/* An error has left the runtime. */
static void leave(void)
{
    if (queue.in_range && cleave_device != NULL) {
        cleave_device->range(NULL);
    }
    queue.starting = queue.in_range = 0;
    cleave_tiled_left();
}

void cleave_queue_mark(int mark)
{
    queue.marks += !queue.to_mark[mark];
    queue.to_mark[mark] = 1;
}

int cleave_queue_is_to_mark(int mark)
{
    return queue.to_mark[mark];
}

void cleave_queue_unmark(int mark)
{
    queue.marks -= queue.to_mark[mark];
    queue.to_mark[mark] = 0;
}

unsigned long cleave_queue_sequences(void)
{
    return queue.sequences;
}

unsigned long cleave_queue_flushes(void)
{
    return queue.flushes;
}

void cleave_queue_start(void)
{
    cleave_groups_start();
    cleave_tiled_forget();
    cleave_unstored_start();
    cleave_flush_by(flush, flush_groups);
    cleave_leave_too(leave);
}

/* ---- submitting -------------------------------------------------------------------------- */

/* Moves a pointer into some arrays to a copy of these arrays. */
#define MOVE(pointer)                                                                              \
    ((pointer) = (pointer) != NULL ? (void *)(to + ((char *)(uintptr_t)(pointer) - from)) : NULL)

void cleave_launch_move(struct cleave_launch *launch, const struct cleave_launcher *launcher,
                        const char *from, char *to)
{
    MOVE(launch->data);
    MOVE(launch->map);
    MOVE(launch->map_dim);
    MOVE(launch->number);
    MOVE(launch->partial);
    MOVE(launch->best_elements);
    MOVE(launch->result);
    MOVE(launch->result_elements);
    MOVE(launch->stride);
    MOVE(launch->copy);
    MOVE(launch->next);
    MOVE(launch->zeros);
    for (int v = 0; v < launcher->values; v++) {
        MOVE(((void **)(uintptr_t)launch->data)[launcher->value_arg[v]]);
    }
}

static void copy_launch(struct cleave_queued *queued, const struct cleave_launcher *launcher)
{
    struct cleave_launch *launch = &queued->launch;
    if (queued->capacity < launcher->array_bytes) {
        free(queued->memory);
        queued->capacity = 0;
        queued->memory = cleave_alloc(launcher->array_bytes, "the queue of launches");
        queued->capacity = launcher->array_bytes;
    }
    memcpy(queued->memory, launcher->arrays, launcher->array_bytes);
    queued->args = launcher->args;
    queued->fixed_bytes = launcher->fixed_bytes;
    queued->array_bytes = launcher->array_bytes;
    *launch = launcher->launch;
    cleave_launch_move(launch, launcher, launcher->arrays, queued->memory);
}

static void describe(struct cleave_queued *queued, struct cleave_call *call,
                     const struct cleave_launcher *launcher)
{
    copy_launch(queued, launcher);
    queued->call = call;
    queued->launcher = launcher;
    queued->variant = launcher->choice.variant;
    queued->unit = launcher->choice.unit->unit;
    queued->record = call->record;
    queued->bytes = call->bytes;
    queued->trials = launcher->trials;
    queued->candidate = launcher->candidate;
    queued->timed = 0;
    queued->members = 0;
    queued->measured = NULL;
    call->queued++;
    cleave_launch_queued(queued);
}

/* Starts launches that are a graph. 0: they are none after all. */
static int start_graph(void)
{
    queue.starting = 1;
    cleave_early_revoke();
    cleave_speculate_revoke();
    for (int e = queue.started; e < queue.held; e++) {
        cleave_speculate_settle(&queue.entry[e]);
    }
    set_marks(&queue.entry[queue.started]);
    const int launched = cleave_graph_launch(queue.entry, queue.started, queue.held);
    queue.starting = 0;
    if (launched) {
        cleave_timers_launched(queue.held - queue.started);
    }
    queue.started = launched ? queue.held : queue.started;
    return launched;
}

/* The first launch that has waited for a group waits for none any more: starts it, or lets it wait
 * for a graph. 0: it failed, and has not run. */
static int release(void)
{
    struct cleave_queued *queued = &queue.entry[queue.held++];
    queued->timed =
        cleave_record_samples(queued->record) || queued->candidate >= 0 || queued->measured != NULL;
    const enum cleave_graph_advice advice =
        cleave_graph_next(queue.entry, queue.held, queue.started);
    cleave_early_saw(queued);
    cleave_speculate_saw(queued);
    const int has_started = queue.started == queue.held - 1 &&
                            (cleave_early_expects(queued) || cleave_speculate_expects(queued));
    if (advice == CLEAVE_GRAPH_WAIT && !has_started) {
        return 1;
    }
    return (advice == CLEAVE_GRAPH_LAUNCH && start_graph()) || start_waiting();
}

int cleave_queue_release(int count)
{
    int launched = 1;
    for (int n = 0; n < count; n++) {
        launched = release();
    }
    return launched;
}

int cleave_queue_release_some(unsigned which)
{
    int count = 0;
    for (int e = queue.held; which != 0; e++, which >>= 1) {
        if ((which & 1) != 0) {
            for (int to = e; to > queue.held + count; to--) {
                cleave_launch_pass(&queue.entry[to - 1], &queue.entry[to]);
                swap(&queue.entry[to], &queue.entry[to - 1]);
            }
            count++;
        }
    }
    cleave_queue_release(count);
    return count;
}

const struct cleave_queued *cleave_queue_held(int *count)
{
    *count = queue.count - queue.held;
    return &queue.entry[queue.held];
}

/* Takes back the last launch, which failed. */
static void take_back(void)
{
    queue.count--;
    queue.held--;
    queue.started--;
    queue.entry[queue.count].call->queued--;
}

/* A sequence also ends where the host does something else: the next launches may be far away. */
static void make_room(const struct cleave_call *call)
{
    if (queue.count == MOST_QUEUED || call->start - queue.last > cleave_machine.graph_pause) {
        end_sequence();
    }
}

int cleave_queue_add(struct cleave_call *call, const struct cleave_launcher *launcher)
{
    make_room(call);
    describe(&queue.entry[queue.count++], call, launcher);
    call->unwaited = 1;
    queue.last = call->start;
    if (cleave_group_holds(&queue.entry[queue.count - 1])) {
        return 1;
    }
    const int launched = cleave_queue_release(queue.count - queue.held);
    if (queue.started == queue.count) {
        queue.last = cleave_seconds(); /* the driver may have waited for room for a launch */
    }
    if (!launched) {
        take_back();
    }
    return launched;
}

/* ---- groups ------------------------------------------------------------------------------ */

/* Puts the joined launch in the place of the first `count` launches that wait. */
static void replace(int count)
{
    for (int m = 0; m < count; m++) {
        swap(&queue.member[m], &queue.entry[queue.held + m]);
        queue.member[m].call->queued--;
    }
    swap(&queue.joined, &queue.entry[queue.held]);
    move(queue.held + count, queue.held + 1);
}

/* The joined launch, which was started last, has failed: its members are launched as usual. */
static void undo(int count)
{
    queue.started--;
    queue.held--;
    queue.entry[queue.held].call->queued--;
    move(queue.held + 1, queue.held + count);
    for (int m = 0; m < count; m++) {
        swap(&queue.member[m], &queue.entry[queue.held + m]);
        queue.entry[queue.held + m].call->queued++;
    }
    cleave_queue_release(count);
}

void cleave_queue_measure(struct cleave_group_trial *measured)
{
    for (int e = queue.held; e < queue.count; e++) {
        queue.entry[e].measured = measured;
        queue.entry[e].which = e - queue.held;
    }
}

const struct cleave_queued *cleave_queue_join(struct cleave_call *call,
                                              const struct cleave_launcher *launcher, int count,
                                              const struct cleave_site **site, int members,
                                              struct cleave_group_trial *measured, int which)
{
    describe(&queue.joined, call, launcher);
    queue.joined.members = members;
    queue.joined.measured = measured;
    queue.joined.which = which;
    memcpy(queue.joined.member, site, (size_t)members * sizeof *site);
    replace(count);
    if (!release()) {
        undo(count);
        return NULL;
    }
    queue.last = call->start;
    if (queue.started == queue.held) {
        queue.last = cleave_seconds();
    }
    return queue.member;
}

int cleave_submit(struct cleave_call *call)
{
    call->launched = cleave_launch_call(call);
    return call->launched;
}

void cleave_queue_forget(void)
{
    forget(queue.count);
    cleave_graphs_free();
    cleave_early_lost();
    cleave_speculate_lost();
    cleave_group_forget();
    queue.starting = 0;
}

void cleave_queue_free(void)
{
    cleave_early_free();
    cleave_speculate_forget();
    cleave_graphs_free();
    cleave_group_forget();
    cleave_tiled_forget();
    for (int e = 0; e < MOST_QUEUED; e++) {
        free(queue.entry[e].memory);
    }
    for (int m = 0; m < CLEAVE_MAX_MEMBERS; m++) {
        free(queue.member[m].memory);
    }
    free(queue.joined.memory);
    memset(&queue, 0, sizeof queue);
}
