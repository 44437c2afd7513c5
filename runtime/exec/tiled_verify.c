/* tiled_verify.c: CLEAVE_VERIFY=1 for sequences that run tile by tile: calls run one by one then,
 * each beside the reference (verify.c). Where they complete a sequence, it runs once more in tiles,
 * from the data that it began with, and must come to the same bits. The first difference ends the
 * program. */
#include "runtime/exec/tiled.h"
#include "runtime/exec/verify.h"

/* A dat that a call changes, or a global that the last one reduces. */
struct kept {
    op_arg arg;
    size_t bytes;
    void *before; /* the first call that changes it */
    void *after;  /* the last one */
};

static struct {
    struct kept *kept;
    int count;
    int capacity;
    int calls;
    char
        *values[CLEAVE_MAX_MEMBERS]; /* of the globals that each call reads, one behind the other */
} sequence;

static long verified;

/* ---- what the calls begin with ------------------------------------------------------------- */

void cleave_tiled_verify_forget(void)
{
    for (int k = 0; k < sequence.count; k++) {
        free(sequence.kept[k].before);
        free(sequence.kept[k].after);
    }
    for (int c = 0; c < sequence.calls; c++) {
        free(sequence.values[c]);
    }
    free(sequence.kept);
    memset(&sequence, 0, sizeof sequence);
}

static int is_kept(const op_arg *arg)
{
    for (int k = 0; k < sequence.count; k++) {
        const op_arg *other = &sequence.kept[k].arg;
        if (other->argtype == arg->argtype && other->dat == arg->dat && other->data == arg->data) {
            return 1;
        }
    }
    return 0;
}

static void *copy_of(const void *memory, size_t bytes)
{
    return memcpy(cleave_alloc(bytes, "CLEAVE_VERIFY"), memory, bytes);
}

static void keep(const op_arg *arg, const struct cleave_check_item *item)
{
    if (sequence.count == sequence.capacity) {
        const int capacity = 2 * sequence.capacity + 8;
        struct kept *more = cleave_alloc((size_t)capacity * sizeof *more, "CLEAVE_VERIFY");
        if (sequence.count > 0) {
            memcpy(more, sequence.kept, (size_t)sequence.count * sizeof *more);
        }
        free(sequence.kept);
        sequence.kept = more;
        sequence.capacity = capacity;
    }
    sequence.kept[sequence.count++] =
        (struct kept){*arg, item->bytes, copy_of(item->before, item->bytes), NULL};
}

/* 1: the call reads a global there. */
static int is_value(const op_arg *arg)
{
    return arg->argtype == CLEAVE_ARG_GBL && cleave_arg_on(arg) && arg->acc == OP_READ;
}

enum { ALIGNED = 16 };

static size_t value_bytes(const op_arg *arg)
{
    return ((size_t)arg->size + ALIGNED - 1) / ALIGNED * ALIGNED;
}

static char *values_of(const struct cleave_call *call)
{
    size_t bytes = 0;
    for (int a = 0; a < call->args; a++) {
        bytes += is_value(&call->arg[a]) ? value_bytes(&call->arg[a]) : 0;
    }
    char *values = cleave_alloc(bytes, "CLEAVE_VERIFY");
    size_t at = 0;
    for (int a = 0; a < call->args; a++) {
        if (is_value(&call->arg[a])) {
            memcpy(values + at, call->arg[a].data, (size_t)call->arg[a].size);
            at += value_bytes(&call->arg[a]);
        }
    }
    return values;
}

void cleave_tiled_verify_begin(struct cleave_call *call)
{
    if (!cleave_tiled_goes_on(call)) {
        cleave_tiled_verify_forget();
        if (!cleave_tiled_begins(call)) {
            return;
        }
    }
    for (int i = 0; i < call->check->items; i++) {
        const struct cleave_check_item *item = &call->check->item[i];
        if (!is_kept(&call->arg[item->arg])) {
            keep(&call->arg[item->arg], item);
        }
    }
    sequence.values[sequence.calls++] = values_of(call);
}

/* ---- in tiles ------------------------------------------------------------------------------ */

static void report(const struct cleave_tiled_member *member, int members, const struct kept *kept,
                   size_t at, double actual, double expected)
{
    const struct cleave_call *first = member[0].call;
    const struct cleave_call *last = member[members - 1].call;
    const int is_dat = kept->arg.argtype == CLEAVE_ARG_DAT;
    const size_t dim = (size_t)kept->arg.dim;
    cleave_fatal("CLEAVE_VERIFY: loops '%s' (%s:%d) to '%s' (%s:%d) in tiles: %s%s%s element %zu "
                 "component %zu is %.17g, one after the other they give %.17g",
                 first->name, first->site->file, first->site->line, last->name, last->site->file,
                 last->site->line, is_dat ? "dat '" : "a global", is_dat ? kept->arg.dat->name : "",
                 is_dat ? "'" : "", is_dat ? at / dim : 0, at % dim, actual, expected);
}

/* 1: zeros of different signs. C leaves open which of them fmin and fmax give, and an element may
 * be computed in a vector, or by itself at the end of a tile. */
static int are_zeros(enum cleave_base base, const char *a, const char *b)
{
    return cleave_type_value(base, a) == 0.0 && cleave_type_value(base, b) == 0.0;
}

static void compare(const struct cleave_tiled_member *member, int members, const struct kept *kept)
{
    const op_arg *arg = &kept->arg;
    const size_t component = arg->argtype == CLEAVE_ARG_DAT ? cleave_dat_of(arg->dat)->component
                                                            : (size_t)(arg->size / arg->dim);
    const enum cleave_base base = cleave_verify_base(arg);
    const char *actual = cleave_verify_memory(arg);
    const char *expected = kept->after;
    for (size_t i = 0; i < kept->bytes / component; i++) {
        const char *a = actual + i * component;
        const char *b = expected + i * component;
        if (memcmp(a, b, component) != 0 && !are_zeros(base, a, b)) {
            report(member, members, kept, i, cleave_type_value(base, a),
                   cleave_type_value(base, b));
        }
    }
}

/* Gathers the calls' launches again, with the globals that they read when they were called. 0: one
 * cannot run. */
static int prepare(struct cleave_tiled_member *member, int members)
{
    for (int m = 0; m < members; m++) {
        const struct cleave_call *call = member[m].call;
        char *values = sequence.values[m];
        member[m].launcher = cleave_launch_prepare(member[m].call, NULL, NULL, NULL);
        if (member[m].launcher == NULL) {
            return 0;
        }
        for (int a = 0; a < call->args; a++) {
            if (is_value(&call->arg[a])) {
                member[m].launcher->data[a] = values;
                values += value_bytes(&call->arg[a]);
            }
        }
        cleave_tiled_mark(call);
    }
    return 1;
}

static void run(const struct tile_schedule *schedule, struct cleave_tiled_member *member,
                int members)
{
    double seconds[CLEAVE_MAX_MEMBERS];
    struct cleave_call *last = member[members - 1].call;
    for (int k = 0; k < sequence.count; k++) {
        struct kept *kept = &sequence.kept[k];
        kept->after = copy_of(cleave_verify_memory(&kept->arg), kept->bytes);
    }
    for (int k = 0; k < sequence.count; k++) {
        cleave_verify_put_back(&sequence.kept[k].arg, sequence.kept[k].before,
                               sequence.kept[k].bytes);
    }
    if (prepare(member, members)) {
        const struct cleave_launcher *launcher = member[members - 1].launcher;
        cleave_tiled_run(schedule, member, seconds);
        cleave_partials_combine(last, NULL, launcher->choice.loop, &launcher->launch);
        for (int k = 0; k < sequence.count; k++) {
            compare(member, members, &sequence.kept[k]);
        }
        verified++;
    }
    for (int k = 0; k < sequence.count; k++) {
        cleave_verify_put_back(&sequence.kept[k].arg, sequence.kept[k].after,
                               sequence.kept[k].bytes);
    }
}

void cleave_tiled_verify_end(void)
{
    struct cleave_tiled_member *member;
    int members;
    const struct tile_schedule *schedule = cleave_tiled_completed(&member, &members);
    if (schedule == NULL || sequence.calls != members) {
        return;
    }
    CLEAVE_HOLD_DATS;
    run(schedule, member, members);
    cleave_tiled_verify_forget();
}

long cleave_tiled_verified(void)
{
    const long count = verified;
    cleave_tiled_verify_forget();
    verified = 0;
    return count;
}
