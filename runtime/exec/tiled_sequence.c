/* tiled_sequence.c: the sequences of units that may run tile by tile: which one a call belongs to,
 * and what is known of each with certain sets, maps and plans. */
#include "runtime/exec/tiled.h"

/* A sequence is left alone if it could not be described so often in a row; it has so many cases at
 * most. */
enum { MOST_REFUSED = 3, MOST_CASES = 16 };

static struct cleave_tiled_state *sequences;

/* ---- calls --------------------------------------------------------------------------- */

/* 1: the call is the one at which a loop of that location and line is called. Paths may be spelled
 * in two ways, names of files are not. */
static int is_at(const struct cleave_site *site, const char *location, int line)
{
    const char *end = strrchr(location, ':');
    const char *name = strrchr(location, '/');
    const char *file = strrchr(site->file, '/');
    name = name != NULL ? name + 1 : location;
    file = file != NULL ? file + 1 : site->file;
    const size_t length = end != NULL && end > name ? (size_t)(end - name) : strlen(name);
    return site->line == line && strncmp(file, name, length) == 0 && file[length] == '\0';
}

static int is_call(const struct cleave_unit *unit, const int *expected,
                   const struct cleave_loop *loop, const struct cleave_call *call)
{
    return loop == &unit->loop[expected[0]] && is_at(call->site, loop->location, expected[1]);
}

/* The place of the call among the units of its match that has sequences; -1: none has. */
static int place_of(const struct cleave_call *call)
{
    for (int l = 0; l < call->match->loops; l++) {
        if (call->match->unit[l]->unit->tiled > 0) {
            return l;
        }
    }
    return -1;
}

static struct cleave_tiled_state *require(const struct cleave_unit *unit,
                                          const struct cleave_tiled *calls)
{
    struct cleave_tiled_state *tiled = sequences;
    while (tiled != NULL && tiled->calls != calls) {
        tiled = tiled->next;
    }
    if (tiled == NULL) {
        tiled = cleave_alloc_zero(sizeof *tiled, "a sequence of loops");
        tiled->unit = unit;
        tiled->calls = calls;
        tiled->next = sequences;
        sequences = tiled;
    }
    return tiled;
}

struct cleave_tiled_state *cleave_tiled_first(const struct cleave_call *call)
{
    const int place = place_of(call);
    if (place < 0) {
        return NULL;
    }
    const struct cleave_unit *unit = call->match->unit[place]->unit;
    for (int t = 0; t < unit->tiled; t++) {
        const struct cleave_tiled *calls = &unit->tiled_calls[t];
        if (is_call(unit, calls->call[0], call->match->loop[place], call)) {
            return require(unit, calls);
        }
    }
    return NULL;
}

int cleave_tiled_is_call(const struct cleave_tiled_state *at, int number,
                         const struct cleave_call *call)
{
    const int place = place_of(call);
    return place >= 0 && number < at->calls->calls && call->match->unit[place]->unit == at->unit &&
           is_call(at->unit, at->calls->call[number], call->match->loop[place], call);
}

static void free_sequence(struct cleave_tiled_state *tiled)
{
    cleave_tiled_case_free(tiled->cases);
    free(tiled);
}

void cleave_tiled_free(const struct cleave_unit *unit)
{
    struct cleave_tiled_state **link = &sequences;
    while (*link != NULL) {
        struct cleave_tiled_state *at = *link;
        if (unit == NULL || at->unit == unit) {
            *link = at->next;
            free_sequence(at);
        } else {
            link = &at->next;
        }
    }
}

/* ---- cases ------------------------------------------------------------------------------- */

struct cleave_tiled_case *cleave_tiled_case_of(const struct cleave_tiled_state *at,
                                               const struct cleave_call *first)
{
    struct cleave_tiled_case *tiled = at->cases;
    while (tiled != NULL &&
           (tiled->first != first || tiled->problem.generation != cleave_generation)) {
        tiled = tiled->next;
    }
    return tiled;
}

/* Forgets the cases of earlier generations, whose plans may be gone. */
static void forget_old(struct cleave_tiled_state *at)
{
    struct cleave_tiled_case **link = &at->cases;
    while (*link != NULL) {
        struct cleave_tiled_case *tiled = *link;
        if (tiled->problem.generation != cleave_generation) {
            *link = tiled->next;
            tiled->next = NULL;
            cleave_tiled_case_free(tiled);
        } else {
            link = &tiled->next;
        }
    }
}

static struct cleave_tiled_case *require_case(struct cleave_tiled_state *at,
                                              const struct cleave_tiled_problem *problem)
{
    int count = 0;
    forget_old(at);
    struct cleave_tiled_case *tiled = at->cases;
    for (; tiled != NULL && !cleave_tiled_same(&tiled->problem, problem); tiled = tiled->next) {
        count++;
    }
    if (tiled == NULL && count < MOST_CASES) {
        tiled = cleave_alloc_zero(sizeof *tiled, "a sequence of loops");
        cleave_tiled_copy(&tiled->problem, problem);
        tiled->next = at->cases;
        at->cases = tiled;
    }
    return tiled;
}

struct cleave_tiled_case *cleave_tiled_case_found(struct cleave_tiled_state *at,
                                                  const struct cleave_call *first,
                                                  const struct cleave_tiled_problem *problem)
{
    if (at->generation != cleave_generation) {
        at->refused = 0;
        at->generation = cleave_generation;
    }
    at->refused = problem == NULL ? at->refused + 1 : 0;
    struct cleave_tiled_case *tiled = problem != NULL ? require_case(at, problem) : NULL;
    if (tiled != NULL) {
        tiled->first = first;
    }
    return tiled;
}

int cleave_tiled_is_futile(const struct cleave_tiled_state *at,
                           const struct cleave_tiled_case *tiled)
{
    return (tiled != NULL && tiled->schedule == NULL && tiled->reason != NULL) ||
           (at->refused >= MOST_REFUSED && at->generation == cleave_generation);
}
