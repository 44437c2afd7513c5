/* queue.c: launches on the device that are ready and have not started, in the order of their calls.
 *
 * A call does everything but the launch itself when it is submitted (launch.c): from then on its
 * dats count as written, and its arguments may change. Whoever looks at what launches read or
 * write, or changes it, calls cleave_flush() (base/flush.c), which starts them; operations of the
 * device do so by themselves (gate.c). The queue belongs to whoever holds the state of dats, so
 * that any thread may flush: one that touches dat->data, for instance.
 *
 * Launches wait only where something can come of it, a graph (graph.c). The device starts working
 * with the first launch, and time that it spends idle while the host submits the next is lost. */
#include "runtime/base/machine.h"
#include "runtime/exec/launcher.h"

enum { MOST_QUEUED = 128 };

static struct {
    struct cleave_queued entry[MOST_QUEUED];
    int count;
    int started;  /* of them: entries before this one have been started */
    int starting; /* 1: a launch is being started, which is no reason to start others */
    double last;  /* cleave_seconds() when the last launch had been submitted */
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
        cleave_fatal("loop '%s' (%s:%d): '%s' failed on %s: %s", queued->call->name,
                     queued->call->site->file, queued->call->site->line, queued->variant->name,
                     cleave_device->device(), error);
    }
    return 1;
}

/* Who wants the time of the launch besides its record. */
static struct cleave_timed timed_for(const struct cleave_queued *queued)
{
    return (struct cleave_timed){queued->candidate >= 0 ? cleave_tune_took : NULL, queued->trials,
                                 queued->candidate};
}

/* Starts it under the kernel's name for profilers; some calls are timed. 0: it failed. */
static int start(struct cleave_queued *queued)
{
    cleave_device->range(queued->record->kernel);
    const int timer = queued->timed ? cleave_timer_begin(queued->record) : -1;
    queued->launch.stream = cleave_device->stream();
    queued->variant->run(&queued->launch);
    cleave_timers_launched(1);
    const int launched = is_launched(queued);
    if (launched) {
        cleave_timer_end(queued->record, queued->bytes, timer, timed_for(queued));
    }
    cleave_device->range(NULL);
    return launched;
}

/* An error that the program's handler survives ends one launch; those behind it stay in the queue.
 */
static int start_waiting(void)
{
    int launched = 1;
    queue.starting = 1;
    while (queue.started < queue.count) {
        launched = start(&queue.entry[queue.started++]);
    }
    queue.starting = 0;
    return launched;
}

static void empty(void)
{
    for (int e = 0; e < queue.count; e++) {
        queue.entry[e].call->queued--;
    }
    queue.count = queue.started = 0;
}

static void flush(void)
{
    if (queue.count > 0 && !queue.starting) {
        start_waiting();
        cleave_graph_end(queue.entry, queue.count);
        empty();
    }
}

static void leave(void)
{
    queue.starting = 0;
}

void cleave_queue_start(void)
{
    cleave_flush_by(flush);
    cleave_leave_too(leave);
}

/* ---- submitting -------------------------------------------------------------------------- */

/* Moves a pointer into the launcher's arrays to the copy of these arrays. */
#define MOVE(pointer)                                                                              \
    ((pointer) = (pointer) != NULL ? (void *)(queued->memory +                                     \
                                              ((char *)(uintptr_t)(pointer) - launcher->arrays))   \
                                   : NULL)

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
    for (int v = 0; v < launcher->values; v++) {
        MOVE(((void **)(uintptr_t)launch->data)[launcher->value_arg[v]]);
    }
}

static void append(struct cleave_call *call, const struct cleave_launcher *launcher)
{
    struct cleave_queued *queued = &queue.entry[queue.count];
    copy_launch(queued, launcher);
    queued->call = call;
    queued->launcher = launcher;
    queued->variant = launcher->choice.variant;
    queued->unit = launcher->choice.unit->unit;
    queued->record = call->record;
    queued->bytes = call->bytes;
    queued->trials = launcher->trials;
    queued->candidate = launcher->candidate;
    queued->timed = cleave_record_samples(call->record) || launcher->candidate >= 0;
    queue.count++;
    call->queued++;
}

/* Starts launches that are a graph. 0: they are none after all. */
static int start_graph(void)
{
    queue.starting = 1;
    const int launched = cleave_graph_launch(queue.entry, queue.started, queue.count);
    queue.starting = 0;
    if (launched) {
        cleave_timers_launched(queue.count - queue.started);
    }
    queue.started = launched ? queue.count : queue.started;
    return launched;
}

/* Takes back the last launch, which failed. */
static void take_back(void)
{
    queue.count--;
    queue.started--;
    queue.entry[queue.count].call->queued--;
}

/* A sequence also ends where the host does something else: the next launches may be far away. */
int cleave_queue_add(struct cleave_call *call, const struct cleave_launcher *launcher)
{
    if (queue.count == MOST_QUEUED || call->start - queue.last > cleave_machine.graph_pause) {
        flush();
    }
    append(call, launcher);
    call->unwaited = 1;
    queue.last = call->start;
    const enum cleave_graph_advice advice =
        cleave_graph_next(queue.entry, queue.count, queue.started);
    if (advice == CLEAVE_GRAPH_WAIT) {
        return 1;
    }
    const int launched = (advice == CLEAVE_GRAPH_LAUNCH && start_graph()) || start_waiting();
    queue.last = cleave_seconds(); /* the driver may have waited for room for a launch */
    if (!launched) {
        take_back();
    }
    return launched;
}

int cleave_submit(struct cleave_call *call)
{
    call->launched = cleave_launch_call(call);
    return call->launched;
}

void cleave_queue_forget(void)
{
    empty();
    cleave_graphs_free();
    queue.starting = 0;
}

void cleave_queue_free(void)
{
    cleave_graphs_free();
    for (int e = 0; e < MOST_QUEUED; e++) {
        free(queue.entry[e].memory);
    }
    memset(&queue, 0, sizeof queue);
}
