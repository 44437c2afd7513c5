/* prepared.c: calls of op_par_loop that have been seen. What follows from the arguments alone (that
 * they are right, the record of times, the pattern and what was compiled for it, the bytes they
 * move, the variant that runs) is found once and kept with the call site, so that another call with
 * the same arguments costs no more than comparing them.
 *
 * In: a call. Out: its cleave_prepared. A site has one for every combination of arguments that it
 * was called with, the latest first; when there are too many, the oldest goes. */
#include "runtime/call/call.h"
#include "runtime/exec/exec.h"
#include "runtime/report/report.h"

/* Programs that make dats in every time step come with new ones for ever. */
#define MAX_PREPARED 32


/* ---- comparing --------------------------------------------------------------------------- */

/* Types are short: a call of strcmp would take longer. */
static int same_type(const char *a, const char *b)
{
    if (a == NULL || b == NULL) {
        return a == b;
    }
    while (*a == *b && *a != '\0') {
        a++;
        b++;
    }
    return *a == *b;
}

/* The memory of a dat that was freed may be another dat's by now: their numbers differ. */
static int same_dat(const struct cleave_prepared_arg *known, const op_arg *arg)
{
    return known->arg.dat == arg->dat &&
           (!cleave_arg_uses_dat(arg) ||
            (known->dat_index == arg->dat->index && !cleave_dat_of(arg->dat)->freed));
}

/* Where a global is does not matter, but it must be somewhere. */
static int same_but_dat(const struct cleave_prepared_arg *known, const op_arg *arg)
{
    const op_arg *a = &known->arg;
    return a->argtype == arg->argtype && a->map == arg->map && a->idx == arg->idx &&
           a->dim == arg->dim && a->size == arg->size && a->opt == arg->opt &&
           a->option == arg->option && a->acc == arg->acc &&
           (a->data == NULL) == (arg->data == NULL) && a->pointer_type == arg->pointer_type &&
           same_type(a->type, arg->type);
}

static int same_arg(const struct cleave_prepared_arg *known, const op_arg *arg)
{
    return same_but_dat(known, arg) && same_dat(known, arg);
}

static int is_same(const struct cleave_prepared *prepared, const struct cleave_call *call)
{
    if (prepared->stale || prepared->set != call->set || prepared->args != call->args ||
        strcmp(prepared->name, call->name) != 0) {
        return 0;
    }
    for (int a = 0; a < call->args; a++) {
        if (!same_arg(&prepared->arg[a], &call->arg[a])) {
            return 0;
        }
    }
    return 1;
}

/* ---- dats that come and go --------------------------------------------------------------- */

/* 1: the argument's dat has the shape of the one that was there, so that all that was checked holds. */
static int same_shape(const struct cleave_prepared_arg *known, const op_arg *arg)
{
    if (!cleave_arg_uses_dat(arg)) {
        return known->arg.dat == arg->dat;
    }
    const struct cleave_dat *dat = cleave_dat_of(arg->dat);
    return known->dat_index >= 0 && !dat->freed && known->set == dat->core.set &&
           known->dim == dat->core.dim && known->size == dat->core.size &&
           known->base == dat->base && dat->base != BASE_OTHER;
}

/* 1: arguments a and b share a dat now as they did then. */
static int same_sharing(const struct cleave_prepared *prepared, const struct cleave_call *call, int a,
                        int b)
{
    return (prepared->arg[a].arg.dat == prepared->arg[b].arg.dat) ==
           (call->arg[a].dat == call->arg[b].dat);
}

/* 1: a call with other dats of the same shapes, one of which was freed: programs that declare and free
 * dats in every time step call with new ones for ever. */
static int is_successor(const struct cleave_prepared *prepared, const struct cleave_call *call)
{
    if (!prepared->stale || prepared->running > 0 || prepared->set != call->set ||
        prepared->args != call->args || strcmp(prepared->name, call->name) != 0) {
        return 0;
    }
    for (int a = 0; a < call->args; a++) {
        if (!same_but_dat(&prepared->arg[a], &call->arg[a]) ||
            !same_shape(&prepared->arg[a], &call->arg[a])) {
            return 0;
        }
        for (int b = 0; b < a; b++) {
            if (!same_sharing(prepared, call, a, b)) {
                return 0;
            }
        }
    }
    return 1;
}

static void take_over(struct cleave_prepared *prepared, const struct cleave_call *call)
{
    for (int a = 0; a < call->args; a++) {
        prepared->arg[a].arg.dat = call->arg[a].dat;
        if (cleave_arg_uses_dat(&call->arg[a])) {
            prepared->arg[a].dat_index = call->arg[a].dat->index;
        }
    }
    prepared->stale = 0;
}

void cleave_prepared_forget(struct cleave_prepared *first, op_dat dat)
{
    for (struct cleave_prepared *prepared = first; prepared != NULL; prepared = prepared->next) {
        for (int a = 0; a < prepared->args && !prepared->stale; a++) {
            prepared->stale = prepared->arg[a].arg.dat == dat;
        }
    }
}

/* ---- making and freeing ------------------------------------------------------------------ */

static char *text_or_null(const char *text)
{
    return text != NULL ? cleave_text_copy(text) : NULL;
}

static struct cleave_prepared *new_prepared(const struct cleave_call *call)
{
    struct cleave_prepared *prepared = cleave_alloc_zero(
        sizeof *prepared + (size_t)call->args * sizeof prepared->arg[0], "a call of a loop");
    prepared->set = call->set;
    prepared->args = call->args;
    prepared->name = cleave_text_copy(call->name);
    for (int a = 0; a < call->args; a++) {
        struct cleave_prepared_arg *known = &prepared->arg[a];
        known->arg = call->arg[a];
        known->arg.type = text_or_null(call->arg[a].type);
        known->dat_index = -1;
        if (cleave_arg_uses_dat(&call->arg[a])) {
            const struct cleave_dat *dat = cleave_dat_of(call->arg[a].dat);
            known->dat_index = dat->core.index;
            known->set = dat->core.set;
            known->dim = dat->core.dim;
            known->size = dat->core.size;
            known->base = dat->base;
        }
    }
    prepared->record = cleave_record_find(call);
    prepared->bytes = cleave_useful_bytes(call);
    return prepared;
}

static void free_prepared(struct cleave_prepared *prepared)
{
    for (int a = 0; a < prepared->args; a++) {
        free((char *)prepared->arg[a].arg.type);
    }
    free(prepared->name);
    free(prepared->choice);
    free(prepared);
}

void cleave_prepared_free(struct cleave_prepared **first)
{
    while (*first != NULL) {
        struct cleave_prepared *prepared = *first;
        *first = prepared->next;
        free_prepared(prepared);
    }
}

/* Frees the last one, unless the list is short or a call of it has not ended. */
static void drop_oldest(struct cleave_prepared **first)
{
    struct cleave_prepared **last = first;
    int count = 1;
    while ((*last)->next != NULL) {
        last = &(*last)->next;
        count++;
    }
    if (count > MAX_PREPARED && (*last)->running == 0) {
        free_prepared(*last);
        *last = NULL;
    }
}

/* ---- finding ----------------------------------------------------------------------------- */

/* The link to the one that serves the call, known or taken over; to NULL when there is none. */
static struct cleave_prepared **find(struct cleave_prepared **first, const struct cleave_call *call)
{
    struct cleave_prepared **link = first;
    while (*link != NULL && !is_same(*link, call)) {
        link = &(*link)->next;
    }
    if (*link != NULL) {
        return link;
    }
    for (link = first; *link != NULL; link = &(*link)->next) {
        if (is_successor(*link, call)) {
            take_over(*link, call);
            return link;
        }
    }
    return link;
}

struct cleave_prepared *cleave_prepared_get(const struct cleave_call *call)
{
    struct cleave_prepared **first = cleave_site_prepared(call->site);
    struct cleave_prepared **link = find(first, call);
    struct cleave_prepared *prepared = *link;
    if (prepared != NULL) {
        *link = prepared->next;
    } else {
        cleave_require_targets();
        cleave_args_check(call);
        prepared = new_prepared(call);
    }
    prepared->next = *first;
    *first = prepared;
    if (prepared->match == NULL) {
        drop_oldest(first);
    }
    return prepared;
}
