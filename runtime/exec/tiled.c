/* tiled.c: follows the sequences of calls that may run tile by tile (tiled.h). A path leads from
 * the first call of a sequence to the latest one. Where a schedule is there and it is its turn, the
 * calls on the path wait: their launches are prepared, their dats count as written, and globals
 * that they read are copied. The last call runs them all. Any other call, and whoever flushes, runs
 * them one after the other first. */
#include "runtime/base/timeline.h"
#include "runtime/base/waiting.h"
#include "runtime/exec/tiled.h"

/* Copies of the globals that a member reads. */
struct values {
    char *memory;
    size_t capacity;
};

static struct {
    struct cleave_tiled_state *at;   /* NULL: the latest call is in no sequence */
    int count;                       /* calls so far */
    int held;                        /* 1: they wait */
    int running;                     /* 1: they are being run */
    struct cleave_tiled_case *tiled; /* that the first call belongs to; NULL: none yet */
    struct cleave_tiled_member member[CLEAVE_MAX_MEMBERS];
    struct values values[CLEAVE_MAX_MEMBERS];
    double begin;                          /* when the first call began */
    const struct cleave_call *expects;     /* that is being prepared to wait */
    const struct tile_schedule *completed; /* see cleave_tiled_completed() */
    int members;
} path;

static void leave_path(void)
{
    path.at = NULL;
    path.count = path.held = 0;
}

static int is_on(void)
{
    return cleave_settings.fuse && cleave_device == NULL;
}

int cleave_tiled_goes_on(const struct cleave_call *call)
{
    return path.at != NULL && cleave_tiled_is_call(path.at, path.count, call);
}

void cleave_tiled_forget(void)
{
    leave_path();
    cleave_tiled_verify_forget();
    cleave_tiled_free(NULL);
    for (int m = 0; m < CLEAVE_MAX_MEMBERS; m++) {
        free(path.values[m].memory);
    }
    memset(&path, 0, sizeof path);
}

void cleave_tiled_unload(const struct cleave_unit *unit)
{
    leave_path();
    path.completed = NULL;
    cleave_tiled_verify_forget();
    cleave_tiled_free(unit);
}

/* ---- calls that wait ----------------------------------------------------------------------- */

static void record(struct cleave_call *call, const struct cleave_launcher *launcher)
{
    char text[256];
    snprintf(text, sizeof text, "%s, in tiles", launcher->variant);
    call->record = cleave_record_for(call->record, cleave_record_text(text),
                                     cleave_target_row[launcher->choice.target].word);
}

void cleave_tiled_mark(const struct cleave_call *call)
{
    for (int a = 0; a < call->args; a++) {
        if (cleave_arg_uses_dat(&call->arg[a]) && call->arg[a].acc != OP_READ) {
            cleave_dat_written(call->arg[a].dat, COPY_HOST);
        }
    }
}

/* The launch reads copies of the globals from now on, because the program may change them. */
static void keep_values(struct values *values, const struct cleave_call *call,
                        const struct cleave_launcher *launcher)
{
    enum { ALIGNED = 16 };
    size_t bytes = 0;
    for (int a = 0; a < call->args; a++) {
        bytes += call->arg[a].argtype == CLEAVE_ARG_GBL ? (size_t)call->arg[a].size + ALIGNED : 0;
    }
    if (values->capacity < bytes) {
        free(values->memory);
        values->capacity = 0;
        values->memory = cleave_alloc(bytes, "globals of loops");
        values->capacity = bytes;
    }
    size_t at = 0;
    for (int a = 0; a < call->args; a++) {
        const op_arg *arg = &call->arg[a];
        if (arg->argtype == CLEAVE_ARG_GBL && cleave_arg_on(arg)) {
            launcher->data[a] = memcpy(values->memory + at, arg->data, (size_t)arg->size);
            at += ((size_t)arg->size + ALIGNED - 1) / ALIGNED * ALIGNED;
        }
    }
}

/* Runs one call that has waited. */
static void run_apart(const struct cleave_tiled_member *member)
{
    struct cleave_launcher *launcher = member->launcher;
    const double begin = cleave_seconds();
    cleave_pace_run(&launcher->pace, member->call->set->size, launcher->choice.threads,
                    launcher->choice.variant->run, &launcher->launch);
    cleave_record_took(member->call->record, cleave_seconds() - begin);
}

void cleave_tiled_flush(void)
{
    const int count = path.held && !path.running ? path.count : 0;
    if (count == 0) {
        return;
    }
    path.running = 1;
    cleave_dats_release();
    for (int m = 0; m < count; m++) {
        run_apart(&path.member[m]);
    }
    cleave_dats_hold();
    path.running = 0;
    cleave_tile_use.refused++;
    leave_path();
}

/* 1: the compiled loop reduces, or prints. */
static int is_looked_at(const struct cleave_launcher *launcher)
{
    return launcher->partial.bytes > 0 || launcher->choice.loop->prints;
}

/* Gets the call's launch ready. 0: it cannot run on the host, or not by parts; the calls before it
 * have run then. */
static int prepare(struct cleave_call *call)
{
    struct cleave_tiled_member *member = &path.member[path.count];
    path.expects = call;
    struct cleave_launcher *launcher = cleave_launch_prepare(call, NULL, NULL, NULL);
    path.expects = NULL;
    if (launcher == NULL || path.at == NULL || launcher->choice.device != NULL) {
        cleave_tiled_flush();
        leave_path();
        return 0;
    }
    *member = (struct cleave_tiled_member){call, launcher};
    path.count++;
    return 1;
}

/* Lets the call wait. 0: it does not. */
static int hold(struct cleave_call *call)
{
    if (!prepare(call)) {
        return 0;
    }
    const struct cleave_tiled_member *member = &path.member[path.count - 1];
    if (is_looked_at(member->launcher)) {
        path.count--;
        cleave_tiled_flush();
        leave_path();
        return 0;
    }
    keep_values(&path.values[path.count - 1], call, member->launcher);
    cleave_tiled_mark(call);
    record(call, member->launcher);
    call->held = 1;
    return 1;
}

/* ---- globals in dats ----------------------------------------------------------------------- */

static int are_apart(const char *a, size_t bytes_of_a, const char *b, size_t bytes_of_b)
{
    return a + bytes_of_a <= b || b + bytes_of_b <= a;
}

/* Between two calls of a sequence the program may write globals that later ones pass. If such a
 * global lies in the array of a dat, the calls that wait have not seen it in time. */
static void refuse_inside(const struct cleave_call *call, int a)
{
    const op_arg *global = &call->arg[a];
    for (int m = 0; m < path.count; m++) {
        const struct cleave_call *other = path.member[m].call;
        for (int b = 0; b < other->args; b++) {
            const op_arg *arg = &other->arg[b];
            if (cleave_arg_uses_dat(arg) &&
                !are_apart(global->data, (size_t)global->size, arg->dat->data,
                           cleave_dat_bytes(arg->dat))) {
                leave_path();
                cleave_fatal("loop '%s' (%s:%d), argument %d: the global lies in the array of dat "
                             "'%s', which loop '%s' (%s:%d) uses before: pass a copy, or set "
                             "CLEAVE_FUSE=off",
                             call->name, call->site->file, call->site->line, a + 1, arg->dat->name,
                             other->name, other->site->file, other->site->line);
            }
        }
    }
}

static void check_globals(const struct cleave_call *call)
{
    for (int a = 0; a < call->args && path.held; a++) {
        if (call->arg[a].argtype == CLEAVE_ARG_GBL && cleave_arg_on(&call->arg[a])) {
            refuse_inside(call, a);
        }
    }
}

/* ---- the last call ------------------------------------------------------------------------- */

static void run_in_tiles(struct cleave_call *last)
{
    double seconds[CLEAVE_MAX_MEMBERS];
    const int count = path.count;
    const struct cleave_launcher *launcher = path.member[count - 1].launcher;
    record(last, launcher);
    path.running = 1;
    const struct cleave_span span = cleave_span_begin(CLEAVE_DOING_KERNELS);
    cleave_waiting_look();
    cleave_dats_release();
    cleave_tiled_run(path.tiled->schedule, path.member, seconds);
    cleave_dats_hold();
    cleave_span_end(span, 0);
    path.running = 0;
    cleave_tiled_mark(last);
    cleave_partials_combine(last, NULL, launcher->choice.loop, &launcher->launch);
    for (int m = 0; m + 1 < count; m++) {
        cleave_record_took(path.member[m].call->record, seconds[m]);
        last->start += seconds[m];
    }
    cleave_tile_use.runs++;
    cleave_tile_use.loops += count;
}

/* The last call has come. 1: all have run. 0: those before it have, and it has not. */
static int complete(struct cleave_call *call)
{
    struct cleave_tiled_problem problem;
    struct cleave_tiled_case *tiled = path.tiled;
    if (!prepare(call)) {
        return 0;
    }
    if (cleave_tiled_describe(path.member, path.count, &problem) != NULL ||
        !cleave_tiled_same(&tiled->problem, &problem)) {
        path.count--;
        tiled->first = NULL; /* the calls belong to another case, which is found when they end */
        cleave_tiled_flush();
        return 0;
    }
    run_in_tiles(call);
    cleave_tiled_took(tiled, path.member, path.count, 1, cleave_seconds() - path.begin);
    leave_path();
    return 1;
}

/* ---- calls ------------------------------------------------------------------------------- */

int cleave_tiled_begins(const struct cleave_call *call)
{
    return is_on() && cleave_tiled_first(call) != NULL;
}

static void begin(struct cleave_call *call)
{
    struct cleave_tiled_state *at = cleave_tiled_first(call);
    struct cleave_tiled_case *tiled = at != NULL ? cleave_tiled_case_of(at, call) : NULL;
    leave_path();
    if (at == NULL || cleave_tiled_is_futile(at, tiled)) {
        return;
    }
    path.at = at;
    path.tiled = tiled;
    path.held = !cleave_settings.verify && tiled != NULL && cleave_tiled_turn(tiled);
    path.begin = call->start;
}

int cleave_tiled_takes(struct cleave_call *call)
{
    if (!is_on() || path.running) {
        return 0;
    }
    if (!cleave_tiled_goes_on(call)) {
        cleave_tiled_flush();
        begin(call);
    }
    if (path.at == NULL) {
        return 0;
    }
    if (path.held) {
        check_globals(call);
        return path.count + 1 < path.at->calls->calls ? hold(call) : complete(call);
    }
    path.member[path.count++].call = call;
    return 0;
}

int cleave_tiled_expects(const struct cleave_call *call)
{
    return path.expects == call;
}

/* The calls on the path have run one after the other. */
static void observe(void)
{
    struct cleave_tiled_problem problem;
    struct cleave_tiled_state *at = path.at;
    const int count = path.count;
    const double seconds = cleave_seconds() - path.begin;
    for (int m = 0; m < count; m++) {
        path.member[m].launcher = path.member[m].call->launcher;
    }
    const char *reason = cleave_tiled_describe(path.member, count, &problem);
    struct cleave_tiled_case *tiled =
        cleave_tiled_case_found(at, path.member[0].call, reason == NULL ? &problem : NULL);
    if (tiled != NULL) {
        cleave_tiled_took(tiled, path.member, count, 0, seconds);
        path.completed = cleave_settings.verify ? tiled->schedule : NULL;
        path.members = count;
    }
    leave_path();
}

const struct tile_schedule *cleave_tiled_completed(struct cleave_tiled_member **member,
                                                   int *members)
{
    const struct tile_schedule *schedule = path.completed;
    path.completed = NULL;
    *member = path.member;
    *members = path.members;
    return schedule;
}

void cleave_tiled_ran(const struct cleave_call *call)
{
    if (path.at == NULL || path.held || path.count == 0 ||
        path.member[path.count - 1].call != call) {
        return;
    }
    if (path.count == path.at->calls->calls) {
        observe();
    }
}

static void run_all_apart(void)
{
    CLEAVE_HOLD_DATS;
    cleave_tiled_flush();
    leave_path();
}

void cleave_tiled_break(const struct cleave_call *call)
{
    check_globals(call);
    if (path.held) {
        run_all_apart();
    }
}

/* The handler of errors may look at dats. */
void cleave_tiled_left(void)
{
    path.running = 0;
    path.expects = NULL;
    run_all_apart();
}
