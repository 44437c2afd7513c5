/* verify_moved.c: how far a value moves where the loop's data change in their last bits, for
 * CLEAVE_VERIFY=1.
 *
 * A kernel may subtract products that are far larger than its data and its increments: a flux is
 * the difference of two energies times a speed. Another rounding of such a product, by hardware
 * that multiplies and adds at once, looks like a wrong result. So where a value differs from the
 * reference, and only then, the reference runs a few times more on data whose last bits have
 * changed at random. What differs by a small multiple of the largest such change differs by
 * rounding. */
#include "runtime/exec/verify.h"

enum { RUNS = 8 };

/* Differences up to so many times the largest change count as rounding: a kernel rounds some dozens
 * of times between its data and its increments, and changes of several data may cancel. */
static const double multiple = 8.0;

/* A dat that the loop only reads, while its values are changed. */
struct source {
    op_arg arg;
    void *before;
};

struct cleave_check_moved {
    int runs; /* that have ended */
    int quiet;
    uint64_t random;
    int sources;
    struct source source[CLEAVE_MAX_ARGS];
    void *actual[CLEAVE_MAX_ARGS]; /* [items] what the variant gives */
};

static size_t component_of(const op_arg *arg)
{
    return (size_t)(arg->size / arg->dim);
}

static int is_floating(const op_arg *arg)
{
    const enum cleave_base base = cleave_verify_base(arg);
    return base == BASE_DOUBLE || base == BASE_FLOAT;
}

/* ---- change data ----------------------------------------------------------------------------- */

/* 0 to 3, by xorshift64*. */
static int random_steps(struct cleave_check_moved *moved)
{
    moved->random ^= moved->random >> 12;
    moved->random ^= moved->random << 25;
    moved->random ^= moved->random >> 27;
    return (int)((moved->random * UINT64_C(2685821657736338717)) >> 62);
}

/* Increases the magnitudes of the values by up to three units in the last place. They never
 * decrease: a whole number that the kernel converts to int stays what it is. Equal changes of all
 * values would cancel in their quotients. */
static void change(struct cleave_check_moved *moved, enum cleave_base base, char *memory,
                   size_t bytes)
{
    const size_t component = base == BASE_DOUBLE ? sizeof(double) : sizeof(float);
    for (size_t at = 0; at + component <= bytes; at += component) {
        const double value = cleave_type_value(base, memory + at);
        const int steps = value == 0.0 || !isfinite(value) ? 0 : random_steps(moved);
        for (int s = 0; s < steps && base == BASE_DOUBLE; s++) {
            double next;
            memcpy(&next, memory + at, sizeof next);
            next = nextafter(next, copysign(HUGE_VAL, next));
            memcpy(memory + at, &next, sizeof next);
        }
        for (int s = 0; s < steps && base == BASE_FLOAT; s++) {
            float next;
            memcpy(&next, memory + at, sizeof next);
            next = nextafterf(next, copysignf(HUGE_VALF, next));
            memcpy(memory + at, &next, sizeof next);
        }
    }
}

/* Puts memory into the argument; if that is a floating dat, with other last bits. */
static void put_changed(struct cleave_check_moved *moved, const op_arg *arg, const void *memory,
                        size_t bytes)
{
    char *changed = memcpy(cleave_alloc(bytes, "CLEAVE_VERIFY"), memory, bytes);
    if (arg->argtype == CLEAVE_ARG_DAT && is_floating(arg)) {
        change(moved, cleave_verify_base(arg), changed, bytes);
    }
    cleave_verify_put_back(arg, changed, bytes);
    free(changed);
}

static int is_item(const struct cleave_call *call, op_dat dat)
{
    int found = 0;
    for (int i = 0; i < call->check->items; i++) {
        const op_arg *arg = &call->arg[call->check->item[i].arg];
        found |= arg->argtype == CLEAVE_ARG_DAT && arg->dat == dat;
    }
    return found;
}

static int is_source(const struct cleave_check_moved *moved, op_dat dat)
{
    int found = 0;
    for (int s = 0; s < moved->sources; s++) {
        found |= moved->source[s].arg.dat == dat;
    }
    return found;
}

static void keep_sources(const struct cleave_call *call, struct cleave_check_moved *moved)
{
    for (int a = 0; a < call->args; a++) {
        const op_arg *arg = &call->arg[a];
        if (!cleave_arg_uses_dat(arg) || !is_floating(arg) || is_item(call, arg->dat) ||
            is_source(moved, arg->dat)) {
            continue;
        }
        const size_t bytes = cleave_dat_bytes(arg->dat);
        moved->source[moved->sources++] = (struct source){
            *arg, memcpy(cleave_alloc(bytes, "CLEAVE_VERIFY"), cleave_verify_memory(arg), bytes)};
    }
}

static void change_data(struct cleave_call *call)
{
    struct cleave_check_moved *moved = call->check->moved;
    for (int s = 0; s < moved->sources; s++) {
        const op_arg *arg = &moved->source[s].arg;
        put_changed(moved, arg, moved->source[s].before, cleave_dat_bytes(arg->dat));
    }
    for (int i = 0; i < call->check->items; i++) {
        const struct cleave_check_item *item = &call->check->item[i];
        put_changed(moved, &call->arg[item->arg], item->before, item->bytes);
    }
    moved->quiet = cleave_verify_quiet(call);
}

/* ---- runs of the reference ------------------------------------------------------------------- */

void cleave_verify_moved_begin(struct cleave_call *call)
{
    struct cleave_check_moved *moved = cleave_alloc_zero(sizeof *moved, "CLEAVE_VERIFY");
    call->check->moved = moved;
    moved->random = UINT64_C(88172645463325252);
    keep_sources(call, moved);
    for (int i = 0; i < call->check->items; i++) {
        struct cleave_check_item *item = &call->check->item[i];
        const op_arg *arg = &call->arg[item->arg];
        moved->actual[i] = memcpy(cleave_alloc(item->bytes, "CLEAVE_VERIFY"),
                                  cleave_verify_memory(arg), item->bytes);
        if (is_floating(arg)) {
            item->moved = cleave_alloc_zero(item->bytes / component_of(arg) * sizeof *item->moved,
                                            "CLEAVE_VERIFY");
        }
    }
    change_data(call);
}

/* Keeps the largest changes so far of the values that the item holds. */
static void compare(const struct cleave_call *call, struct cleave_check_item *item)
{
    const op_arg *arg = &call->arg[item->arg];
    const enum cleave_base base = cleave_verify_base(arg);
    const size_t component = component_of(arg);
    const char *now = cleave_verify_memory(arg);
    const char *expected = item->expected;
    for (size_t i = 0; item->moved != NULL && i < item->bytes / component; i++) {
        const double by = fabs(cleave_type_value(base, now + i * component) -
                               cleave_type_value(base, expected + i * component));
        item->moved[i] = isfinite(by) ? fmax(item->moved[i], by) : item->moved[i];
    }
}

int cleave_verify_moved_next(struct cleave_call *call)
{
    struct cleave_check_moved *moved = call->check->moved;
    cleave_verify_loud(moved->quiet);
    moved->quiet = -1;
    for (int i = 0; i < call->check->items; i++) {
        compare(call, &call->check->item[i]);
    }
    if (++moved->runs == RUNS) {
        return 0;
    }
    change_data(call);
    return 1;
}

void cleave_verify_moved_end(struct cleave_call *call)
{
    struct cleave_check_moved *moved = call->check->moved;
    cleave_verify_loud(moved->quiet);
    for (int s = 0; s < moved->sources; s++) {
        struct source *source = &moved->source[s];
        cleave_verify_put_back(&source->arg, source->before, cleave_dat_bytes(source->arg.dat));
        free(source->before);
    }
    for (int i = 0; i < call->check->items; i++) {
        const struct cleave_check_item *item = &call->check->item[i];
        cleave_verify_put_back(&call->arg[item->arg], moved->actual[i], item->bytes);
        free(moved->actual[i]);
    }
    free(moved);
    call->check->moved = NULL;
}

int cleave_verify_has_moved(const struct cleave_check_item *item, size_t i, double by)
{
    return item->moved != NULL && by <= multiple * item->moved[i];
}
