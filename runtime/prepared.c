/* prepared.c: calls of op_par_loop that have been seen. What follows from the arguments alone (that
 * they are right, the record of times, the pattern and what was compiled for it, the bytes they
 * move, the variant that runs) is found once and kept with the call site, so that another call with
 * the same arguments costs no more than comparing them.
 *
 * In: a call. Out: its cleave_prepared. A site has one for every combination of arguments that it
 * was called with, the latest first; when there are too many, the oldest goes. */
#include "cleave_impl.h"

/* Programs that make dats in every time step come with new ones for ever. */
#define MAX_PREPARED 32

unsigned long cleave_generation = 1;

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
static int same_arg(const struct cleave_prepared_arg *known, const op_arg *arg)
{
    const op_arg *a = &known->arg;
    return a->argtype == arg->argtype && a->map == arg->map && a->idx == arg->idx &&
           a->dim == arg->dim && a->size == arg->size && a->opt == arg->opt &&
           a->option == arg->option && a->acc == arg->acc &&
           (a->data == NULL) == (arg->data == NULL) && same_dat(known, arg) &&
           a->pointer_type == arg->pointer_type && same_type(a->type, arg->type);
}

static int is_same(const struct cleave_prepared *prepared, const struct cleave_call *call)
{
    if (prepared->set != call->set || prepared->args != call->args ||
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
        known->dat_index = cleave_arg_uses_dat(&call->arg[a]) ? call->arg[a].dat->index : -1;
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

struct cleave_prepared *cleave_prepared_get(const struct cleave_call *call)
{
    struct cleave_prepared **first = cleave_site_prepared(call->site);
    struct cleave_prepared **link = first;
    while (*link != NULL && !is_same(*link, call)) {
        link = &(*link)->next;
    }
    struct cleave_prepared *prepared = *link;
    if (prepared != NULL) {
        *link = prepared->next;
    } else {
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
