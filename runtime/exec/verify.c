/* verify.c: CLEAVE_VERIFY=1: every loop that has a compiled variant runs twice from the same data,
 * first as the reference and then as the variant, and the first difference ends the program with
 * its place.
 *
 * When two results differ: integers always, when they are not equal. Floating numbers a (variant)
 * and b (reference), when |a - b| > tolerance * max(|a|, |b|) + rounding, where tolerance is 1e-10
 * for double and 1e-4 for float (CLEAVE_VERIFY_TOLERANCE replaces both) and
 *
 *     rounding = epsilon * (n * max(|a|, |b|) + max(32, sqrt(n)) * max(n * m, s))
 *
 * because increments are added in another order, and hardware that multiplies and adds at once
 * rounds less often. n is the number of terms: how often the loop increments one value, at most; 1
 * for what it does not increment. m is the largest magnitude among the loop's floating data: a term
 * that cancels is only as exact as what it is computed from. s is the sum of the magnitudes of this
 * value's increments: a sum that cancels is only as exact as its terms and its sums on the way.
 * Bodies whose reciprocals were merged round a quotient up to nine times instead of once, which is
 * within both. What differs by more has its kernel run again on data that differ in their last bits
 * (verify_moved.c): a kernel may multiply its data by far more than m. Magnitudes above 1e12 are
 * taken for marks such as "not set" and do not count. NaN equals NaN. */
#include "runtime/exec/group.h"
#include "runtime/exec/verify.h"
#include "runtime/exec/tiled.h"

#include <float.h>

static long verified;

/* ---- before ------------------------------------------------------------------------------ */

static int is_changed(const op_arg *arg)
{
    return arg->argtype == CLEAVE_ARG_INFO ||
           (cleave_arg_on(arg) && arg->acc != OP_READ && arg->acc != OP_WORK &&
            (arg->argtype == CLEAVE_ARG_DAT || arg->argtype == CLEAVE_ARG_GBL));
}

char *cleave_verify_memory(const op_arg *arg)
{
    return arg->argtype == CLEAVE_ARG_DAT ? cleave_dat_current(arg->dat, COPY_USER) : arg->data;
}

static size_t memory_bytes(const op_arg *arg)
{
    return arg->argtype == CLEAVE_ARG_DAT ? cleave_dat_bytes(arg->dat) : (size_t)arg->size;
}

/* 1: an item already keeps all of the argument's memory. */
static int is_kept(const struct cleave_call *call, const op_arg *arg)
{
    for (int i = 0; i < call->check->items; i++) {
        const op_arg *other = &call->arg[call->check->item[i].arg];
        if (other->argtype == arg->argtype && other->dat == arg->dat && other->data == arg->data &&
            call->check->item[i].bytes >= memory_bytes(arg)) {
            return 1;
        }
    }
    return 0;
}

static void *copy_of(const void *memory, size_t bytes)
{
    return memcpy(cleave_alloc(bytes, "CLEAVE_VERIFY"), memory, bytes);
}

void cleave_verify_begin(struct cleave_call *call)
{
    call->check = cleave_alloc_zero(sizeof *call->check, "CLEAVE_VERIFY");
    for (int a = 0; a < call->args; a++) {
        const op_arg *arg = &call->arg[a];
        if (!is_changed(arg) || is_kept(call, arg)) {
            continue;
        }
        struct cleave_check_item *item = &call->check->item[call->check->items++];
        item->arg = a;
        item->bytes = memory_bytes(arg);
        item->before = copy_of(cleave_verify_memory(arg), item->bytes);
    }
    cleave_verify_group_begin(call);
    cleave_tiled_verify_begin(call);
}

/* ---- magnitude of the data --------------------------------------------------------------- */

static double largest(enum cleave_base base, const char *memory, size_t bytes, int *has_nan)
{
    double most = 0.0;
    size_t component = base == BASE_DOUBLE ? sizeof(double) : sizeof(float);
    if (base != BASE_DOUBLE && base != BASE_FLOAT) {
        return 0.0;
    }
    for (size_t at = 0; at + component <= bytes; at += component) {
        double value = fabs(cleave_type_value(base, memory + at));
        *has_nan |= isnan(value);
        if (value > most && value <= 1e12) {
            most = value;
        }
    }
    return most;
}

enum cleave_base cleave_verify_base(const op_arg *arg)
{
    const struct cleave_type *type = arg->type != NULL ? cleave_type_find(arg->type) : NULL;
    return type != NULL ? type->base : BASE_OTHER;
}

/* After the reference has run: over what it read, what it changed and what it made of that.
 * *has_nan: something of it is not a number. */
static double magnitude_of(const struct cleave_call *call, int *has_nan)
{
    double most = 0.0;
    for (int a = 0; a < call->args; a++) {
        const op_arg *arg = &call->arg[a];
        if (!cleave_arg_on(arg) || arg->argtype == CLEAVE_ARG_IDX) {
            continue;
        }
        most = MAX(most, largest(cleave_verify_base(arg), cleave_verify_memory(arg),
                                 memory_bytes(arg), has_nan));
    }
    for (int i = 0; i < call->check->items; i++) {
        const struct cleave_check_item *item = &call->check->item[i];
        most = MAX(most, largest(cleave_verify_base(&call->arg[item->arg]), item->before,
                                 item->bytes, has_nan));
    }
    return most;
}

/* ---- terms of the sums ------------------------------------------------------------------- */

/* Counts, for each point, the increments through the map of one argument. */
static void count_increments(const op_arg *arg, int *count)
{
    int first = arg->idx < 0 ? 0 : arg->idx;
    int last = arg->idx < 0 ? -arg->idx - 1 : arg->idx;
    for (int e = 0; e < arg->map->from->size; e++) {
        const int *row = arg->map->map + (size_t)e * (size_t)arg->map->dim;
        for (int c = first; c <= last; c++) {
            count[row[c]]++;
        }
    }
}

/* Returns the largest number of increments that one point of the dat gets from the loop. */
static double terms_of_dat(const struct cleave_call *call, op_dat dat)
{
    int *count = cleave_alloc_zero((size_t)dat->set->size * sizeof *count, "CLEAVE_VERIFY");
    int most = 1;
    for (int a = 0; a < call->args; a++) {
        const op_arg *arg = &call->arg[a];
        if (cleave_arg_uses_dat(arg) && arg->dat == dat && arg->map != NULL && arg->acc == OP_INC) {
            count_increments(arg, count);
        }
    }
    for (int p = 0; p < dat->set->size; p++) {
        most = MAX(most, count[p]);
    }
    free(count);
    return most;
}

/* Each element adds to it through every argument that shares its memory. */
static double terms_of_global(const struct cleave_call *call, const op_arg *arg)
{
    double terms = 0.0;
    for (int a = 0; a < call->args; a++) {
        const op_arg *other = &call->arg[a];
        if (other->argtype == CLEAVE_ARG_GBL && other->acc == OP_INC &&
            other->data < arg->data + arg->size && arg->data < other->data + other->size) {
            terms += call->set->size;
        }
    }
    return terms;
}

static double terms_of(const struct cleave_call *call, const op_arg *arg)
{
    if (arg->argtype == CLEAVE_ARG_DAT) {
        return terms_of_dat(call, arg->dat);
    }
    return arg->acc == OP_INC ? terms_of_global(call, arg) : 1.0;
}

/* ---- comparison -------------------------------------------------------------------------- */

/* The largest difference by rounding between two sums of a value, relative to epsilon. `added`: the
 * sum of the magnitudes that the loop adds to it; `magnitude`: that of the loop's data. */
static double rounded(double terms, double largest_value, double magnitude, double added)
{
    return terms * largest_value + fmax(32.0, sqrt(terms)) * fmax(terms * magnitude, added);
}

int cleave_verify_differ(enum cleave_base base, double a, double b, double terms, double magnitude,
                         double added)
{
    double epsilon = base == BASE_DOUBLE ? DBL_EPSILON : (double)FLT_EPSILON;
    double tolerance = base == BASE_DOUBLE ? 1e-10 : 1e-4;
    double largest_value = fmax(fabs(a), fabs(b));
    double rounding = epsilon * rounded(terms, largest_value, magnitude, added);
    if (cleave_settings.tolerance >= 0.0) {
        tolerance = cleave_settings.tolerance;
    }
    if (a == b || (isnan(a) && isnan(b))) {
        return 0;
    }
    if (!isfinite(a) || !isfinite(b)) {
        return 1;
    }
    return fabs(a - b) > tolerance * largest_value + rounding;
}

static void report(const struct cleave_call *call, const op_arg *arg, size_t at, double actual,
                   double expected)
{
    int is_dat = arg->argtype == CLEAVE_ARG_DAT;
    char place[96];
    if (is_dat) {
        snprintf(place, sizeof place, "element %zu component %zu", at / (size_t)arg->dim,
                 at % (size_t)arg->dim);
    } else {
        snprintf(place, sizeof place, "global of argument %d component %zu",
                 (int)(arg - call->arg) + 1, at);
    }
    cleave_fatal(
        "CLEAVE_VERIFY: loop '%s' (%s:%d), variant '%s' on %s: %s%s%s%s is %.17g, the sequential "
        "reference gives %.17g",
        call->name, call->site->file, call->site->line, call->record->variant, call->record->target,
        is_dat ? "dat '" : "", is_dat ? arg->dat->name : "", is_dat ? "' " : "", place, actual,
        expected);
}

/* i: the value's number in the item's memory. */
static int values_differ(const struct cleave_call *call, const struct cleave_check_item *item,
                         size_t i, const char *a, const char *b, size_t component)
{
    enum cleave_base base = cleave_verify_base(&call->arg[item->arg]);
    if (base != BASE_DOUBLE && base != BASE_FLOAT) {
        return memcmp(a, b, component) != 0;
    }
    const double actual = cleave_type_value(base, a);
    const double expected = cleave_type_value(base, b);
    return cleave_verify_differ(base, actual, expected, item->terms, call->check->magnitude,
                                item->magnitudes != NULL ? item->magnitudes[i] : 0.0) &&
           !cleave_verify_has_moved(item, i, fabs(actual - expected));
}

/* Returns the number of the item's first value that differs, or -1. */
static long first_difference(const struct cleave_call *call, struct cleave_check_item *item)
{
    const op_arg *arg = &call->arg[item->arg];
    const char *actual = cleave_verify_memory(arg);
    const char *expected = item->expected;
    size_t component = arg->argtype == CLEAVE_ARG_DAT ? cleave_dat_of(arg->dat)->component
                                                      : (size_t)(arg->size / arg->dim);
    for (size_t i = 0; i < item->bytes / component; i++) {
        size_t at = i * component;
        cleave_verify_zero(call, arg, actual + at, expected + at);
        if (values_differ(call, item, i, actual + at, expected + at, component) &&
            !cleave_verify_excused(call, item,
                                   arg->argtype == CLEAVE_ARG_DAT ? i / (size_t)arg->dim : 0)) {
            return (long)i;
        }
    }
    return -1;
}

/* Ends the program if a value of the item differs. */
static void compare(const struct cleave_call *call, struct cleave_check_item *item)
{
    const op_arg *arg = &call->arg[item->arg];
    const enum cleave_base base = cleave_verify_base(arg);
    const long i = first_difference(call, item);
    if (i >= 0) {
        const size_t at = (size_t)i * (size_t)(arg->size / arg->dim);
        report(call, arg, (size_t)i, cleave_type_value(base, cleave_verify_memory(arg) + at),
               cleave_type_value(base, (const char *)item->expected + at));
    }
}

/* ---- after ------------------------------------------------------------------------------- */

void cleave_verify_put_back(const op_arg *arg, const void *memory, size_t bytes)
{
    char *to = cleave_verify_memory(arg);
    if (arg->argtype == CLEAVE_ARG_DAT) {
        cleave_dat_open(arg->dat, COPY_USER);
    }
    memcpy(to, memory, bytes);
    if (arg->argtype == CLEAVE_ARG_DAT) {
        cleave_dat_written(arg->dat, COPY_USER);
    }
}

static void keep_expected(struct cleave_call *call)
{
    call->check->magnitude = magnitude_of(call, &call->check->has_nan);
    for (int i = 0; i < call->check->items; i++) {
        struct cleave_check_item *item = &call->check->item[i];
        const op_arg *arg = &call->arg[item->arg];
        item->expected = copy_of(cleave_verify_memory(arg), item->bytes);
        item->terms = terms_of(call, arg);
    }
    for (int i = 0; i < call->check->items;
         i++) { /* items may share memory: not before all are copied */
        const struct cleave_check_item *item = &call->check->item[i];
        cleave_verify_put_back(&call->arg[item->arg], item->before, item->bytes);
    }
}

/* Runs a variant on what the reference began with. */
static void run_variant(struct cleave_call *call)
{
    cleave_verify_unwatch(call);
    keep_expected(call);
    int quiet = cleave_verify_quiet(call);
    call->check->has_run = 1;
    call->check->launched = cleave_submit(call);
    cleave_flush();
    cleave_verify_loud(quiet);
}

/* 1: a floating value differs by more than is known to be rounding. */
static int is_suspect(const struct cleave_call *call)
{
    for (int i = 0; i < call->check->items; i++) {
        struct cleave_check_item *item = &call->check->item[i];
        const enum cleave_base base = cleave_verify_base(&call->arg[item->arg]);
        if ((base == BASE_DOUBLE || base == BASE_FLOAT) && first_difference(call, item) >= 0) {
            return 1;
        }
    }
    return 0;
}

int cleave_verify_again(struct cleave_call *call)
{
    if (call->check->moved != NULL) {
        if (cleave_verify_moved_next(call)) {
            return 1;
        }
        cleave_verify_moved_end(call);
        return 0;
    }
    run_variant(call);
    if (!call->check->launched || !is_suspect(call)) {
        return 0;
    }
    cleave_verify_moved_begin(call);
    return 1;
}

void cleave_verify_end(struct cleave_call *call)
{
    if (!call->check->has_run) { /* an exception has left the reference */
        run_variant(call);
    }
    if (call->check->moved != NULL) {
        cleave_verify_moved_end(call);
    }
    const int launched = call->check->launched;
    for (int i = 0; i < call->check->items; i++) {
        struct cleave_check_item *item = &call->check->item[i];
        if (launched) {
            compare(call, item);
        } else {
            cleave_verify_put_back(&call->arg[item->arg], item->expected, item->bytes);
        }
    }
    cleave_verify_group_end(call, launched);
    cleave_tiled_verify_end();
    for (int i = 0; i < call->check->items; i++) {
        free(call->check->item[i].before);
        free(call->check->item[i].expected);
        free(call->check->item[i].near_nan);
        free(call->check->item[i].magnitudes);
        free(call->check->item[i].moved);
    }
    verified += launched;
    free(call->check);
    call->check = NULL;
}

void cleave_verify_summary(void)
{
    if (cleave_settings.verify && verified == 0) {
        cleave_note("CLEAVE_VERIFY: no compiled loop ran, so nothing was compared");
    } else if (cleave_settings.verify) {
        cleave_note("CLEAVE_VERIFY: %ld calls of compiled loops agree with the reference",
                    verified);
    }
    if (cleave_settings.verify && cleave_groups_go_ahead()) {
        cleave_note("CLEAVE_VERIFY: no loop was computed ahead of its call, as loops are without "
                    "CLEAVE_VERIFY");
    }
    const long groups = cleave_verify_groups();
    if (groups > 0) {
        cleave_note("CLEAVE_VERIFY: %ld groups of loops that run as one kernel agree with the "
                    "same loops one by one",
                    groups);
    }
    const long tiled = cleave_tiled_verified();
    if (tiled > 0) {
        cleave_note(
            "CLEAVE_VERIFY: %ld sequences of loops in tiles give the bits of the same loops "
            "one by one",
            tiled);
    }
    verified = 0;
}
