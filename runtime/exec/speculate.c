/* speculate.c: groups that start before the program has called their loops.
 *
 * Behind a reduction the host waits for its result, computes with it, and calls the loops of the
 * next group, which starts with the last of them. The device has nothing to do until then: a step
 * of airfoil, two groups of 50 microseconds, loses 12 of each. Where the same group has come behind
 * the same wait several times, it is therefore launched while the host waits. A group that gathers
 * writes to second buffers (cleave_launch.next), which become the dats' only when its calls have
 * come: until then nobody has lost anything.
 *
 * The launch is known from the last time, but for its buffers: calls on the way there exchange
 * them, as loops that were computed ahead do (ahead.c), or share them, as plain copies do
 * (launch_records.c). So a guess remembers of each argument which buffer of which dat it had, as
 * these were when the host began to wait. When the calls come, their launch is prepared as always,
 * and must be equal in all that it has, values of globals included; and nothing else may have
 * happened on the device since. Else it starts as always: a wrong guess has cost the device the
 * time of a group, and changes no result.
 *
 * Whatever the device is asked to do drops a launch that has started so early and has not been
 * taken: each operation of gate.c flushes first (queue.c), and each launch passes
 * cleave_speculate_takes().
 *
 * A launch that starts so early has memory for its results of its own (a slot, combine.c), since
 * the host still waits for those of the launch before. */
#include "runtime/exec/speculate.h"
#include "runtime/exec/doubt.h"
#include "runtime/exec/group.h"
#include "runtime/exec/graph_step.h"

enum { MOST_GUESSES = 16 };

/* Which buffer of a dat an argument has. */
enum buffer_kind { AS_BEFORE, CURRENT, AHEAD };

struct source {
    enum buffer_kind kind; /* AS_BEFORE: the same memory as the last time */
    int arg;               /* whose dat it is */
};

enum second { NO_SECOND, SECOND_SPARE, SECOND_AHEAD };

/* The launch that came behind the wait for the results of a call, at one place of the program. */
struct guess {
    const struct cleave_call *behind;
    unsigned long long place;
    struct cleave_step step;     /* compared with what comes; step.launch.memory NULL: nothing */
    struct cleave_launch launch; /* as started, with arrays of its own: */
    char *memory;
    struct source source[CLEAVE_MAX_ARGS];
    enum second second[CLEAVE_MAX_ARGS];
    void *seen[CLEAVE_MAX_ARGS][2]; /* the dats' buffers at the latest wait: current, ahead */
    int is_seen;
    int is_complete; /* 1: sources are known, and launch and step are as predicted at that wait */
    struct cleave_doubt doubt;
};

static struct {
    struct guess guess[MOST_GUESSES];
    int used;                        /* entries in use */
    const struct cleave_call *waits; /* the host is about to wait for its results; or NULL */
    struct guess *behind;  /* the first launch from now on comes behind its wait; or NULL */
    struct guess *started; /* and its calls have not come yet; or NULL */
    int slot;              /* of the latest one that was started */
    int dirty[CLEAVE_RESULT_SLOTS];  /* 1: a wrong guess may still write there */
    int cleans[CLEAVE_RESULT_SLOTS]; /* 1: it does not when the host has waited */
    unsigned long generation;        /* cleave_generation for which guesses are right */
} spec;

/* ---- memory ------------------------------------------------------------------------------ */

static void forget_guess(struct guess *guess)
{
    if (guess->memory != NULL) {
        guess->step.launch.call->queued--;
    }
    free(guess->step.launch.memory);
    free(guess->memory);
    guess->step.launch.memory = guess->memory = NULL;
    guess->doubt.times = guess->is_seen = guess->is_complete = 0;
}

static void forget(void)
{
    for (int g = 0; g < spec.used; g++) {
        forget_guess(&spec.guess[g]);
    }
    spec.used = 0;
    spec.waits = NULL;
    spec.behind = spec.started = NULL;
}

void cleave_speculate_forget(void)
{
    cleave_speculate_revoke();
    forget();
}

static int names(const struct cleave_call *call, op_dat dat)
{
    int found = 0;
    for (int a = 0; a < call->args; a++) {
        found |= cleave_arg_uses_dat(&call->arg[a]) && call->arg[a].dat == dat;
    }
    return found;
}

void cleave_speculate_forget_dat(op_dat dat)
{
    for (int g = 0; g < spec.used; g++) {
        struct guess *guess = &spec.guess[g];
        if (guess->memory != NULL && names(guess->step.launch.call, dat)) {
            if (spec.started == guess) {
                cleave_speculate_revoke();
            }
            forget_guess(guess);
        }
    }
}

/* 1: the launch has the memory, whose content it reads or changes. */
static int has_memory(const struct guess *guess, const void *memory)
{
    const struct cleave_launch *launch = &guess->launch;
    int found = launch->tmp == memory || launch->arrived == memory;
    for (size_t at = 0; at < guess->step.launch.fixed_bytes; at += sizeof memory) {
        found |= memcmp(guess->memory + at, &memory, sizeof memory) == 0;
    }
    return found;
}

void cleave_speculate_released(const void *memory)
{
    for (int g = 0; g < spec.used; g++) {
        if (spec.guess[g].memory != NULL && has_memory(&spec.guess[g], memory)) {
            forget_guess(&spec.guess[g]);
        }
    }
}

void cleave_speculate_lost(void)
{
    forget();
    memset(spec.dirty, 0, sizeof spec.dirty);
}

/* ---- guesses ----------------------------------------------------------------------------- */

/* The entry for the place; the one that is least sure makes room for it. */
static struct guess *find(const struct cleave_call *behind, unsigned long long place)
{
    struct guess *least = &spec.guess[0];
    for (int g = 0; g < spec.used; g++) {
        struct guess *guess = &spec.guess[g];
        if (guess->behind == behind && guess->place == place) {
            return guess;
        }
        least = guess->doubt.times < least->doubt.times ? guess : least;
    }
    struct guess *guess = spec.used < MOST_GUESSES ? &spec.guess[spec.used++] : least;
    forget_guess(guess);
    *guess = (struct guess){.behind = behind, .place = place, .doubt.enough = CLEAVE_DOUBT_SURE};
    return guess;
}

static int is_same(const struct guess *guess, const struct cleave_queued *queued)
{
    return guess->is_complete && !cleave_step_is_candidate(queued) &&
           cleave_step_same(&guess->step, queued) && cleave_step_same_values(&guess->step, queued);
}

/* ---- learning ---------------------------------------------------------------------------- */

static enum second second_of(const struct cleave_call *call, int a)
{
    return !cleave_arg_is_doubled(call, a) ? NO_SECOND
           : cleave_arg_is_ahead(call, a)  ? SECOND_AHEAD
                                           : SECOND_SPARE;
}

/* 1: the launch may start though the program may never call its loops: it ends on data that the
 * program does not give it, too, and all that it writes to are second buffers, its results, and
 * memory whose content lasts for one launch. */
static int may_start_early(const struct cleave_queued *queued)
{
    const struct cleave_call *call = queued->call;
    int harmless = queued->members > 0 && queued->launcher->has_points && call->tame &&
                   !queued->fills && queued->measured == NULL && !cleave_step_is_candidate(queued);
    for (int a = 0; harmless && a < call->args; a++) {
        const op_arg *arg = &call->arg[a];
        harmless = !cleave_arg_uses_dat(arg) || arg->acc == OP_READ ||
                   second_of(call, a) != NO_SECOND ||
                   (queued->launch.zeros[a] & CLEAVE_ZEROS_LEAVE) != 0;
    }
    return harmless;
}

static void keep(struct guess *guess, const struct cleave_queued *queued)
{
    const int seen = guess->is_seen && guess->step.launch.call == queued->call;
    forget_guess(guess);
    if (!may_start_early(queued)) {
        return;
    }
    cleave_step_keep(&guess->step, queued);
    guess->memory = memcpy(cleave_alloc(queued->array_bytes, "a group that is expected"),
                           queued->memory, queued->array_bytes);
    guess->launch = queued->launch;
    cleave_launch_move(&guess->launch, queued->launcher, queued->memory, guess->memory);
    queued->call->queued++; /* it is not freed */
    guess->is_seen = seen;
    for (int a = 0; a < queued->args; a++) {
        guess->second[a] = second_of(queued->call, a);
    }
}

/* Which buffer the memory of argument a was when the host began to wait: of the argument's own dat,
 * if it can be. */
static struct source source_of(const struct guess *guess, const void *memory, int a)
{
    const int args = guess->step.launch.args;
    for (int n = 0; n < args; n++) {
        const int b = (a + n) % args;
        for (int kind = CURRENT; kind <= AHEAD; kind++) {
            if (memory != NULL && guess->seen[b][kind - CURRENT] == memory) {
                return (struct source){kind, b};
            }
        }
    }
    return (struct source){AS_BEFORE, a};
}

void cleave_speculate_saw(const struct cleave_queued *queued)
{
    struct guess *guess = spec.behind;
    spec.behind = NULL;
    if (guess == NULL || queued->timed) {
        return;
    }
    if (is_same(guess, queued)) {
        guess->doubt.times++;
        return;
    }
    if (spec.started == guess) {
        cleave_speculate_revoke();
    }
    keep(guess, queued);
    for (int a = 0; guess->is_seen && a < queued->args; a++) {
        guess->source[a] = cleave_arg_uses_dat(&queued->call->arg[a])
                               ? source_of(guess, queued->launch.data[a], a)
                               : (struct source){AS_BEFORE, a};
        guess->is_complete = 1;
    }
}

/* ---- predicting -------------------------------------------------------------------------- */

/* Notes which buffers the dats of the expected launch have now. */
static void look(struct guess *guess)
{
    const struct cleave_call *call = guess->step.launch.call;
    for (int a = 0; a < call->args; a++) {
        guess->seen[a][0] = guess->seen[a][1] = NULL;
        if (cleave_arg_uses_dat(&call->arg[a])) {
            cleave_dat_buffers(call->arg[a].dat, guess->seen[a]);
        }
    }
    guess->is_seen = 1;
}

/* Sets an entry of an array of the launch, and of the step, which is laid out alike. */
static void set(struct guess *guess, void *const *array, int a, void *value)
{
    const size_t at = (size_t)((const char *)&array[a] - guess->memory);
    memcpy(guess->memory + at, &value, sizeof(void *));
    memcpy(guess->step.launch.memory + at, &value, sizeof(void *));
}

/* The memory that the launch would have for the results of its call in the slot. */
static void set_results(struct guess *guess, int slot)
{
    struct cleave_queued *known = &guess->step.launch;
    const struct cleave_launcher *launcher = known->launcher;
    const struct cleave_parts result = {(void **)(uintptr_t)guess->launch.result,
                                        (int **)(uintptr_t)guess->launch.result_elements,
                                        launcher->result.bytes};
    cleave_results_place(known->call, cleave_device, &guess->launch, result, slot);
    for (int a = 0; a < known->args; a++) {
        set(guess, guess->launch.result, a, guess->launch.result[a]);
        set(guess, (void *const *)guess->launch.result_elements, a,
            guess->launch.result_elements[a]);
    }
    known->launch.done = guess->launch.done;
}

/* Gives the launch the buffers that it is expected to have. 0: one of its dats has none now, or
 * there is no memory for second ones. */
static int predict(struct guess *guess)
{
    const struct cleave_call *call = guess->step.launch.call;
    for (int a = 0; a < call->args; a++) {
        const struct source *source = &guess->source[a];
        if (source->kind != AS_BEFORE) {
            void *buffer = guess->seen[source->arg][source->kind - CURRENT];
            if (buffer == NULL) {
                return 0;
            }
            set(guess, guess->launch.data, a, buffer);
        }
        if (guess->second[a] != NO_SECOND) {
            op_dat dat = call->arg[a].dat;
            void *second = guess->second[a] == SECOND_SPARE ? cleave_dat_spare(dat)
                                                            : cleave_dat_next_ahead(dat);
            if (second == NULL) {
                return 0;
            }
            set(guess, guess->launch.next, a, second);
        }
    }
    return 1;
}

/* ---- launching --------------------------------------------------------------------------- */

void cleave_speculate_waits(const struct cleave_call *call)
{
    spec.waits = call;
    memcpy(spec.cleans, spec.dirty, sizeof spec.cleans);
}

void cleave_speculate_waited(void)
{
    for (int slot = 0; slot < CLEAVE_RESULT_SLOTS; slot++) {
        spec.dirty[slot] = spec.dirty[slot] && !spec.cleans[slot];
    }
}

static void start(struct guess *guess, int slot)
{
    const struct cleave_queued *queued = &guess->step.launch;
    set_results(guess, slot);
    cleave_results_reset(&guess->launch);
    guess->launch.stream = cleave_device->stream();
    cleave_device->range(queued->record->kernel);
    queued->variant->run(&guess->launch);
    cleave_device->range(NULL);
    if (cleave_launch_failure(queued->unit) != NULL) {
        spec.dirty[slot] = 1;
        cleave_doubt_wrong(&guess->doubt);
        return;
    }
    spec.started = guess;
    spec.slot = slot;
    cleave_group_use.speculative++;
}

void cleave_speculate_launch(void)
{
    const struct cleave_call *behind = spec.waits;
    spec.waits = NULL;
    if (behind == NULL || cleave_settings.fuse < CLEAVE_FUSE_AUTO ||
        cleave_settings.early == CLEAVE_EARLY_OFF || spec.started != NULL) {
        return;
    }
    if (spec.generation != cleave_generation) {
        forget();
        spec.generation = cleave_generation;
    }
    struct guess *guess = find(behind, cleave_expect_place(0));
    spec.behind = guess;
    if (guess->memory == NULL) {
        return;
    }
    look(guess);
    guess->is_complete = guess->is_complete && predict(guess);
    if (!guess->is_complete) {
        return;
    }
    const int slot = spec.slot == 1 ? 2 : 1;
    /* With CLEAVE_FUSE=on it is launched as soon as its launch can be predicted. */
    const int is_expected =
        guess->doubt.times >= guess->doubt.enough || cleave_settings.fuse == CLEAVE_FUSE_ON;
    if (is_expected && !spec.dirty[slot]) {
        start(guess, slot);
    } else {
        set_results(guess, 0);
    }
}

/* ---- what comes -------------------------------------------------------------------------- */

int cleave_speculate_slot(const struct cleave_call *call)
{
    return spec.started != NULL && spec.started->step.launch.call == call ? spec.slot : 0;
}

static void stop(void)
{
    spec.started = NULL;
    spec.dirty[spec.slot] = 1;
}

void cleave_speculate_revoke(void)
{
    if (spec.started != NULL) {
        cleave_doubt_wrong(&spec.started->doubt);
        stop();
    }
}

void cleave_speculate_stop(const struct cleave_queued *queued)
{
    if (spec.started != NULL && spec.started->step.launch.call == queued->call) {
        stop();
    }
    cleave_speculate_revoke();
    cleave_speculate_settle(queued);
}

static int any_is_dirty(void)
{
    int any = 0;
    for (int slot = 0; slot < CLEAVE_RESULT_SLOTS; slot++) {
        any |= spec.dirty[slot];
    }
    return any;
}

void cleave_speculate_settle(const struct cleave_queued *queued)
{
    if (!cleave_results_are_apart(&queued->launch)) {
        return;
    }
    if (any_is_dirty() && cleave_device->wait() != 0) {
        cleave_fatal("loop '%s' (%s:%d): the launch before it failed on %s: %s", queued->call->name,
                     queued->call->site->file, queued->call->site->line, cleave_device->device(),
                     cleave_device->last_error());
    }
    memset(spec.dirty, 0, sizeof spec.dirty);
    cleave_results_reset(&queued->launch);
}

int cleave_speculate_expects(const struct cleave_queued *queued)
{
    return spec.started != NULL && !queued->timed && !queued->fills &&
           is_same(spec.started, queued);
}

int cleave_speculate_takes(const struct cleave_queued *queued)
{
    struct guess *guess = spec.started;
    if (cleave_speculate_expects(queued)) {
        spec.started = NULL;
        cleave_doubt_right(&guess->doubt);
        cleave_group_use.confirmed++;
        return 1;
    }
    cleave_speculate_revoke();
    cleave_speculate_settle(queued);
    return 0;
}
