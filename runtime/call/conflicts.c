/* conflicts.c: arguments that keep a call from running compiled: variants work on copies of globals
 * and on all elements at once, so two arguments must not share memory in a way that the sequential
 * loop would show. */
#include "runtime/call/call.h"

/* 1: *said becomes 1 now, as cleavecc compiled the site for a machine. */
static int says(const struct cleave_call *call, int *said)
{
    if (*said || call->site->unit == NULL || cleave_settings.backend == BACKEND_SEQ) {
        return 0;
    }
    *said = 1;
    return 1;
}

/* ---- shared memory ------------------------------------------------------------------------- */

static int is_global(const op_arg *arg)
{
    return (arg->argtype == CLEAVE_ARG_GBL && cleave_arg_on(arg)) ||
           arg->argtype == CLEAVE_ARG_INFO;
}

static int are_joined_alike(const op_arg *x, const op_arg *y)
{
    return x->acc == y->acc && x->argtype == CLEAVE_ARG_GBL && y->argtype == CLEAVE_ARG_GBL;
}

/* 1: another argument's memory may be the same: a global, a dat that is or has an overlay, or one
 * that shares the program's array with another. Few arguments are such, so that long lists of
 * arguments need not be compared pair by pair. */
static int may_share(const op_arg *arg)
{
    return is_global(arg) ||
           (cleave_arg_uses_dat(arg) &&
            (cleave_dat_of(arg->dat)->overlay != NULL || cleave_dat_of(arg->dat)->shares_array));
}

/* 1: two globals, or two dats by overlay or in one array of the program, hold the same values. */
static int share_values(const op_arg *x, const op_arg *y)
{
    if (cleave_arg_uses_dat(x) && cleave_arg_uses_dat(y)) {
        const struct cleave_dat *a = cleave_dat_of(x->dat);
        const struct cleave_dat *b = cleave_dat_of(y->dat);
        return a != b && (cleave_overlay_same(a, b) || cleave_dat_arrays_meet(a, b));
    }
    return is_global(x) && is_global(y) && x->data < y->data + y->size &&
           y->data < x->data + x->size;
}

/* 1: both may work on the same memory at once: they only read, or all add or all lower, and are
 * joined at the end. */
static int may_meet(const op_arg *x, const op_arg *y)
{
    return is_global(x) ? are_joined_alike(x, y) : x->acc == OP_READ && y->acc == OP_READ;
}

/* 1: the global is in the dat's own array, and one of the two is modified. */
static int is_inside(const op_arg *global, const op_arg *arg)
{
    return cleave_arg_uses_dat(arg) && (global->acc != OP_READ || arg->acc != OP_READ) &&
           global->data < arg->dat->data + cleave_dat_bytes(arg->dat) &&
           arg->dat->data < global->data + global->size;
}

static int has_global_inside(const struct cleave_call *call, int *first, int *second)
{
    for (int a = 0; a < call->args; a++) {
        for (int b = 0; b < call->args && is_global(&call->declared[a]); b++) {
            if (is_inside(&call->declared[a], &call->declared[b])) {
                *first = MAX(a, b);
                *second = MIN(a, b);
                return 1;
            }
        }
    }
    return 0;
}

/* 1: arguments *first and *second (the lower number) are in conflict. */
static int overlap(const struct cleave_call *call, int *first, int *second)
{
    int shared[CLEAVE_MAX_ARGS];
    int count = 0;
    for (int a = 0; a < call->args; a++) {
        const op_arg *x = &call->declared[a];
        if (!may_share(x)) {
            continue;
        }
        for (int i = 0; i < count; i++) {
            const op_arg *y = &call->declared[shared[i]];
            if (!may_meet(x, y) && share_values(x, y)) {
                *first = a;
                *second = shared[i];
                return 1;
            }
        }
        shared[count++] = a;
    }
    return has_global_inside(call, first, second);
}

static const char *shared_kind(const op_arg *x, const op_arg *y)
{
    const int dats = (x->argtype == CLEAVE_ARG_DAT) + (y->argtype == CLEAVE_ARG_DAT);
    static const char *const kinds[] = {"global", "values (op_arg_gbl of a part of dat->data)",
                                        "values (op_decl_dat_overlay)",
                                        "array, in which two dats lie (OP_NO_REALLOC)"};
    const int in_array =
        dats == 2 && cleave_dat_arrays_meet(cleave_dat_of(x->dat), cleave_dat_of(y->dat));
    return kinds[dats + in_array];
}

int cleave_args_conflict(const struct cleave_call *call, int *said)
{
    int a;
    int b;
    if (!overlap(call, &a, &b)) {
        return 0;
    }
    if (says(call, said)) {
        const op_arg *x = &call->declared[a];
        const op_arg *y = &call->declared[b];
        cleave_sequential_because(call, CLEAVE_WARNING,
                                  "arguments %d and %d are the same %s, %s and %s; pass a copy",
                                  b + 1, a + 1, shared_kind(x, y), cleave_access_name(y->acc),
                                  cleave_access_name(x->acc));
    }
    return 1;
}

/* ---- races --------------------------------------------------------------------------------- */

/* 1: elements may read through argument b values that other elements modify through argument a at
 * the same time. Colours prevent this if both are modified through maps; for all other pairs the
 * compiler reports an order dependence, unless the user accepts it (--cleave-alias=accept). */
static int is_seen(const op_arg *a, const op_arg *b)
{
    if (!cleave_arg_uses_dat(a) || !cleave_arg_uses_dat(b) || a->dat != b->dat ||
        a->acc == OP_READ || (a->map == NULL && b->map == NULL)) {
        return 0;
    }
    return b->acc == OP_READ || a->map == NULL || b->map == NULL;
}

static int races(const struct cleave_call *call)
{
    for (int a = 0; a < call->args && cleave_settings.deterministic; a++) {
        for (int b = 0; b < call->args; b++) {
            if (a != b && is_seen(&call->arg[a], &call->arg[b])) {
                return 1;
            }
        }
    }
    return 0;
}

int cleave_args_race(const struct cleave_call *call, int *said)
{
    if (!races(call)) {
        return 0;
    }
    if (says(call, said)) {
        cleave_sequential_because(call, CLEAVE_NOTE,
                                  "it reads a dat that it modifies through a map, and "
                                  "CLEAVE_DETERMINISTIC=1 is set");
    }
    return 1;
}
