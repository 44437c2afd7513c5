/* calls.c: the loop calls that a site has seen. What follows from the arguments alone (that they
 * are right, what was compiled for them, the bytes they move, the variant that runs and what it is
 * launched with) is found once and kept, so that another call with the same arguments costs no more
 * than comparing them. A loop call owns copies of its arguments: nothing of the caller's is needed
 * after op_par_loop has returned but the memory of globals that the loop changes.
 *
 * In: what a site is called with. Out: its loop call. A site has one for each combination of
 * arguments, the latest first; when there are too many, the oldest goes. */
#include "runtime/call/call.h"

/* Calls kept per site: programs that declare dats in every time step would add calls for ever. */
#define MAX_CALLS 32

/* ---- comparing --------------------------------------------------------------------------- */

/* Compares type names without strcmp: they are short, and a call would take longer. */
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
static int same_dat(const struct cleave_call *call, int a, const op_arg *arg)
{
    return call->declared[a].dat == arg->dat &&
           (!cleave_arg_uses_dat(arg) ||
            (call->shape[a].index == arg->dat->index && !cleave_dat_of(arg->dat)->freed));
}

/* The address of a global does not matter, but it must not be NULL. */
static int same_but_dat(const op_arg *a, const op_arg *arg)
{
    return a->argtype == arg->argtype && a->map == arg->map && a->idx == arg->idx &&
           a->dim == arg->dim && a->size == arg->size && a->opt == arg->opt &&
           a->option == arg->option && a->acc == arg->acc &&
           (a->data == NULL) == (arg->data == NULL) && a->pointer_type == arg->pointer_type &&
           same_type(a->type, arg->type);
}

static int same_head(const struct cleave_call *call, const struct cleave_asked *asked)
{
    return call->set == asked->set && call->args == asked->args &&
           strcmp(call->name, asked->name) == 0;
}

static int is_same(const struct cleave_call *call, const struct cleave_asked *asked)
{
    if (call->stale || !same_head(call, asked)) {
        return 0;
    }
    for (int a = 0; a < asked->args; a++) {
        if (!same_but_dat(&call->declared[a], &asked->arg[a]) ||
            !same_dat(call, a, &asked->arg[a])) {
            return 0;
        }
    }
    return 1;
}

/* ---- dats that come and go --------------------------------------------------------------- */

/* 1: the argument's dat has the shape of the one that was there, so that all that was checked
 * holds. */
static int same_shape(const struct cleave_call *call, int a, const op_arg *arg)
{
    if (!cleave_arg_uses_dat(arg)) {
        return call->declared[a].dat == arg->dat;
    }
    const struct cleave_dat *dat = cleave_dat_of(arg->dat);
    const struct cleave_dat_shape *shape = &call->shape[a];
    return shape->index >= 0 && !dat->freed && shape->set == dat->core.set &&
           shape->dim == dat->core.dim && shape->size == dat->core.size &&
           shape->base == dat->base && dat->base != BASE_OTHER;
}

/* 1: arguments a and b share a dat in both argument lists, or in neither. */
static int same_sharing(const struct cleave_call *call, const struct cleave_asked *asked, int a,
                        int b)
{
    return (call->declared[a].dat == call->declared[b].dat) ==
           (asked->arg[a].dat == asked->arg[b].dat);
}

/* 1: the site is called with other dats of the same shapes, after one of this call's was freed:
 * programs that declare and free dats in every time step call with new ones for ever. */
static int is_successor(const struct cleave_call *call, const struct cleave_asked *asked)
{
    if (!call->stale || call->running || !same_head(call, asked)) {
        return 0;
    }
    for (int a = 0; a < asked->args; a++) {
        if (!same_but_dat(&call->declared[a], &asked->arg[a]) ||
            !same_shape(call, a, &asked->arg[a])) {
            return 0;
        }
        for (int b = 0; b < a; b++) {
            if (!same_sharing(call, asked, a, b)) {
                return 0;
            }
        }
    }
    return 1;
}

static void take_over(struct cleave_call *call, const struct cleave_asked *asked)
{
    for (int a = 0; a < call->args; a++) {
        call->declared[a].dat = call->arg[a].dat = asked->arg[a].dat;
        call->declared[a].data = call->arg[a].data = asked->arg[a].data;
        if (cleave_arg_uses_dat(&asked->arg[a])) {
            call->shape[a].index = asked->arg[a].dat->index;
        }
    }
    call->stale = 0;
}

void cleave_calls_forget(struct cleave_call *first, op_dat dat)
{
    for (struct cleave_call *call = first; call != NULL; call = call->next) {
        for (int a = 0; a < call->args && !call->stale; a++) {
            call->stale = call->declared[a].dat == dat;
        }
    }
}

/* ---- making and freeing ------------------------------------------------------------------ */

static void note_shape(struct cleave_dat_shape *shape, const op_arg *arg)
{
    shape->index = -1;
    if (cleave_arg_uses_dat(arg)) {
        const struct cleave_dat *dat = cleave_dat_of(arg->dat);
        *shape = (struct cleave_dat_shape){.index = dat->core.index,
                                           .set = dat->core.set,
                                           .dim = dat->core.dim,
                                           .size = dat->core.size,
                                           .base = dat->base};
    }
}

/* Makes a call. Checks the arguments before it uses any of their values. */
static struct cleave_call *new_call(struct cleave_site *site, const struct cleave_asked *asked)
{
    struct cleave_call *call = cleave_alloc_zero(sizeof *call, "a call of a loop");
    const size_t args = (size_t)asked->args;
    call->site = site;
    call->set = asked->set;
    call->args = asked->args;
    call->name = cleave_text_copy(asked->name);
    call->declared = cleave_alloc(args * sizeof *call->declared, "a call of a loop");
    for (int a = 0; a < call->args; a++) {
        call->declared[a] = asked->arg[a];
    }
    call->arg = call->declared;
    cleave_args_check(call);
    call->shape = cleave_alloc_zero(args * sizeof *call->shape, "a call of a loop");
    for (int a = 0; a < call->args; a++) {
        const char *type = asked->arg[a].type;
        call->declared[a].type = type != NULL ? cleave_text_copy(type) : NULL;
        note_shape(&call->shape[a], &asked->arg[a]);
    }
    call->bytes = cleave_useful_bytes(call);
    return call;
}

static void free_call(struct cleave_call *call)
{
    for (int a = 0; a < call->args; a++) {
        free((char *)call->declared[a].type);
    }
    if (call->arg != call->declared) {
        free(call->arg);
    }
    free(call->declared);
    free(call->shape);
    free((char *)call->name);
    free(call->launcher);
    free(call->fate);
    for (int c = 0; c < call->candidates; c++) {
        free(call->candidate[c]);
    }
    free(call->candidate);
    free(call);
}

void cleave_calls_free(struct cleave_call **first)
{
    while (*first != NULL) {
        struct cleave_call *call = *first;
        *first = call->next;
        free_call(call);
    }
}

/* Frees the call used longest ago of those that neither run nor are queued, unless the list is
 * short. The first one is in use. */
static void drop_oldest(struct cleave_call **first)
{
    struct cleave_call **oldest = NULL;
    int count = 1;
    for (struct cleave_call **link = &(*first)->next; *link != NULL; link = &(*link)->next) {
        oldest = !(*link)->running && (*link)->queued == 0 ? link : oldest;
        count++;
    }
    if (count > MAX_CALLS && oldest != NULL) {
        cleave_recipes_settle(); /* they run calls, and note in others what became of dats */
        struct cleave_call *call = *oldest;
        *oldest = call->next;
        free_call(call);
    }
}

/* ---- finding ----------------------------------------------------------------------------- */

/* Returns the link to the call with these arguments, or to a stale one that is adapted to them; a
 * link to NULL if there is none. */
static struct cleave_call **find(struct cleave_call **first, const struct cleave_asked *asked)
{
    struct cleave_call **link = first;
    while (*link != NULL && !is_same(*link, asked)) {
        link = &(*link)->next;
    }
    if (*link != NULL) {
        return link;
    }
    for (link = first; *link != NULL; link = &(*link)->next) {
        if (is_successor(*link, asked)) {
            take_over(*link, asked);
            return link;
        }
    }
    return link;
}

struct cleave_call *cleave_call_find(struct cleave_site *site, const struct cleave_asked *asked)
{
    struct cleave_call **first = cleave_site_calls(site);
    struct cleave_call **link = find(first, asked);
    struct cleave_call *call = *link;
    if (call == NULL) {
        return NULL;
    }
    *link = call->next;
    call->next = *first;
    *first = call;
    for (int a = 0; a < call->args; a++) {
        if (asked->arg[a].argtype != CLEAVE_ARG_DAT) {
            call->declared[a].data = call->arg[a].data = asked->arg[a].data;
        }
    }
    return call;
}

struct cleave_call *cleave_call_new(struct cleave_site *site, const struct cleave_asked *asked)
{
    struct cleave_call **first = cleave_site_calls(site);
    struct cleave_call *call = new_call(site, asked);
    call->next = *first;
    *first = call;
    drop_oldest(first);
    return call;
}

void cleave_call_access(struct cleave_call *call, const char *access)
{
    if (call->arg == call->declared) {
        const size_t bytes = (size_t)call->args * sizeof *call->arg;
        call->arg = memcpy(cleave_alloc(bytes, "a call of a loop"), call->declared, bytes);
    }
    for (int a = 0; a < call->args; a++) {
        call->arg[a].acc = cleave_access_of_letter(access[a]);
    }
}
