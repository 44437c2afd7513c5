/* verify_excuse.c: differences from the reference that CLEAVE_VERIFY=1 reports as notes, because
 * the kernel leaves them to the order of elements: the payload of an extremum that rounding has
 * moved, extrema of values that are not numbers, and of zeros of both signs. Each is said once for
 * each loop.
 */
#include "runtime/exec/verify.h"

enum { SAID_ROUNDING = 1, SAID_NAN = 2, SAID_ZERO = 4 };

static int is_floating(const op_arg *arg)
{
    const enum cleave_base base = cleave_verify_base(arg);
    return base == BASE_DOUBLE || base == BASE_FLOAT;
}

static int is_extremum(const op_arg *arg)
{
    return arg->argtype != CLEAVE_ARG_INFO && (arg->acc == OP_MIN || arg->acc == OP_MAX) &&
           is_floating(arg);
}

static void say(const struct cleave_call *call, const op_arg *arg, unsigned what, const char *text)
{
    const int is_dat = arg->argtype == CLEAVE_ARG_DAT;
    if ((call->record->first->said & what) == 0) {
        cleave_note("CLEAVE_VERIFY: loop '%s' (%s:%d), argument %d (%s%s%s): %s", call->name,
                    call->site->file, call->site->line, (int)(arg - call->arg) + 1,
                    is_dat ? "dat '" : "a global", is_dat ? arg->dat->name : "", is_dat ? "'" : "",
                    text);
    }
    call->record->first->said |= what;
}

/* 1: some component differs. */
static int is_other(const struct cleave_call *call, const struct cleave_check_item *item)
{
    const op_arg *arg = &call->arg[item->arg];
    const size_t component = (size_t)(arg->size / arg->dim);
    for (size_t at = 0; at < item->bytes; at += component) {
        const char *actual = (const char *)arg->data + at;
        const char *expected = (const char *)item->expected + at;
        if (cleave_type_value(cleave_verify_base(arg), actual) !=
            cleave_type_value(cleave_verify_base(arg), expected)) {
            return 1;
        }
    }
    return 0;
}

/* 1: rounding made another element the extremum: it is not the reference's number, but was found
 * near enough, and its payload differs. */
static int was_moved(const struct cleave_call *call, const op_arg *arg)
{
    for (int i = 0; i < call->check->items; i++) {
        const struct cleave_check_item *item = &call->check->item[i];
        if (item->arg == arg->idx && is_other(call, item)) {
            return 1;
        }
    }
    return 0;
}

/* ---- values that are not numbers ------------------------------------------------------------ */

/* Floating data that elements get from one argument. */
struct source {
    enum cleave_base base;
    size_t bytes; /* of a record */
    const char
        *state[2];  /* before the loop, and after the reference where that changes it, or NULL */
    int is_global;  /* one record for all elements */
    const int *row; /* the map's row of element 0, from the first column on; NULL: record e */
    int dim;        /* of the map */
    int columns;
};

static const struct cleave_check_item *item_of(const struct cleave_call *call, const op_arg *arg)
{
    for (int i = 0; i < call->check->items; i++) {
        const op_arg *kept = &call->arg[call->check->item[i].arg];
        if (kept->argtype == arg->argtype && kept->dat == arg->dat && kept->data == arg->data) {
            return &call->check->item[i];
        }
    }
    return NULL;
}

/* 0: the argument has no floating values. */
static int source_of(const struct cleave_call *call, const op_arg *arg, struct source *source)
{
    const int is_dat = arg->argtype == CLEAVE_ARG_DAT;
    const struct cleave_check_item *item = item_of(call, arg);
    if (!cleave_arg_on(arg) || !is_floating(arg) || (!is_dat && arg->argtype != CLEAVE_ARG_GBL)) {
        return 0;
    }
    memset(source, 0, sizeof *source);
    source->base = cleave_verify_base(arg);
    source->bytes = (size_t)arg->size;
    source->is_global = !is_dat;
    source->columns = 1;
    if (item != NULL) {
        source->state[0] = item->before;
        source->state[1] = item->expected;
    } else {
        source->state[0] = is_dat ? cleave_dat_current(arg->dat, COPY_USER) : arg->data;
    }
    if (arg->map != NULL) {
        source->row = arg->map->map + (arg->idx < 0 ? 0 : arg->idx);
        source->dim = arg->map->dim;
        source->columns = arg->idx < 0 ? -arg->idx : 1;
    }
    return 1;
}

/* The record that element e gets in a column. */
static size_t record_of(const struct source *source, int e, int column)
{
    if (source->is_global) {
        return 0;
    }
    return source->row == NULL
               ? (size_t)e
               : (size_t)source->row[(size_t)e * (size_t)source->dim + (size_t)column];
}

static int has_nan(const struct source *source, size_t record)
{
    const size_t component = source->base == BASE_DOUBLE ? sizeof(double) : sizeof(float);
    for (int s = 0; s < 2 && source->state[s] != NULL; s++) {
        const char *at = source->state[s] + record * source->bytes;
        for (size_t b = 0; b < source->bytes; b += component) {
            if (isnan(cleave_type_value(source->base, at + b))) {
                return 1;
            }
        }
    }
    return 0;
}

static int element_has_nan(const struct source *source, int sources, int e)
{
    for (int s = 0; s < sources; s++) {
        for (int c = 0; c < source[s].columns; c++) {
            if (has_nan(&source[s], record_of(&source[s], e, c))) {
                return 1;
            }
        }
    }
    return 0;
}

/* Marks the points of the item that element e modifies. */
static void mark(const struct cleave_call *call, struct cleave_check_item *item, int e)
{
    for (int a = 0; a < call->args; a++) {
        struct source target;
        if (item_of(call, &call->arg[a]) != item || !source_of(call, &call->arg[a], &target)) {
            continue;
        }
        for (int c = 0; c < target.columns; c++) {
            item->near_nan[record_of(&target, e, c)] = 1;
        }
    }
}

static void find_nans(const struct cleave_call *call, struct cleave_check_item *item)
{
    const op_arg *arg = &call->arg[item->arg];
    struct source source[CLEAVE_MAX_ARGS];
    int sources = 0;
    const size_t points = arg->argtype == CLEAVE_ARG_DAT ? (size_t)arg->dat->set->size : 1;
    item->near_nan = cleave_alloc_zero(points, "CLEAVE_VERIFY");
    for (int a = 0; a < call->args; a++) {
        sources += source_of(call, &call->arg[a], &source[sources]);
    }
    for (int e = 0; e < call->set->size; e++) {
        if (element_has_nan(source, sources, e)) {
            mark(call, item, e);
        }
    }
}

/* 1: the point holds an extremum to which an element with a NaN contributes. */
static int takes_nan(const struct cleave_call *call, struct cleave_check_item *item, size_t point)
{
    if (!call->check->has_nan || !is_extremum(&call->arg[item->arg])) {
        return 0;
    }
    if (item->near_nan == NULL) {
        find_nans(call, item);
    }
    return item->near_nan[point];
}

int cleave_verify_excused(const struct cleave_call *call, struct cleave_check_item *item,
                          size_t point)
{
    const op_arg *arg = &call->arg[item->arg];
    if (arg->argtype == CLEAVE_ARG_INFO && was_moved(call, arg)) {
        say(call, arg, SAID_ROUNDING,
            "what op_arg_info carries is that of another element than in the sequential reference; "
            "the extremum itself differs from the reference's by rounding only");
        return 1;
    }
    if (takes_nan(call, item, point)) {
        say(call, arg, SAID_NAN,
            "the extremum is not what the sequential reference gives; among the values of "
            "its elements are some that are not numbers (NaN), and 'a < x ? a : x' makes of them "
            "what the order of "
            "elements decides; 'fmin(a, x)' and 'x < a ? x : a' leave them out");
        return 1;
    }
    return 0;
}

void cleave_verify_zero(const struct cleave_call *call, const op_arg *arg, const char *actual,
                        const char *expected)
{
    if (!is_extremum(arg)) {
        return;
    }
    const double a = cleave_type_value(cleave_verify_base(arg), actual);
    const double b = cleave_type_value(cleave_verify_base(arg), expected);
    if (a == 0.0 && b == 0.0 && signbit(a) != signbit(b)) {
        say(call, arg, SAID_ZERO,
            "the extremum is a zero of another sign than the sequential reference's: which of "
            "equal zeros it is depends on the order of elements");
    }
}
