/* verify_excuse.c: differences from the reference that CLEAVE_VERIFY=1 reports as notes, because
 * the kernel leaves them to the order of elements: the payload of an extremum that rounding has
 * moved, extrema of values that are not numbers, and of zeros of both signs. Each is said once for
 * each loop.
 */
#include "verify_impl.h"

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
    if ((call->record->said & what) == 0) {
        cleave_note("CLEAVE_VERIFY: loop '%s' (%s:%d), argument %d (%s%s%s): %s", call->name,
                    call->site->file, call->site->line, (int)(arg - call->arg) + 1,
                    is_dat ? "dat '" : "a global", is_dat ? arg->dat->name : "", is_dat ? "'" : "",
                    text);
    }
    call->record->said |= what;
}

/* 1: some component is another number. */
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

int cleave_verify_excused(const struct cleave_call *call, const op_arg *arg)
{
    if (arg->argtype == CLEAVE_ARG_INFO && was_moved(call, arg)) {
        say(call, arg, SAID_ROUNDING,
            "what op_arg_info carries is that of another element than in the sequential reference; "
            "the extremum itself differs from the reference's by rounding only");
        return 1;
    }
    if (is_extremum(arg) && call->check->has_nan) {
        say(call, arg, SAID_NAN,
            "the extremum is not what the sequential reference gives; among the loop's values are "
            "some that are not numbers (NaN), and 'a < x ? a : x' makes of them what the order of "
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
