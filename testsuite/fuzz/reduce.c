/* reduce.c: makes a program that shows a fault smaller, by delta debugging (A. Zeller, R.
 * Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", 2002): runs of units are dropped
 * while the fault stays, first long ones, at last one by one until nothing more can go. See fuzz.h.
 */
#include "testsuite/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

struct search {
    const struct piece *program;
    const char *path;
    const char *command;
    struct selection selection;
    bool *found; /* dropped in the smallest program so far */
    int tries;
};

static void write_program(struct search *search)
{
    FILE *out = fopen(search->path, "w");

    if (out == NULL) {
        perror(search->path);
        exit(2);
    }
    piece_print(out, search->program, &search->selection);
    fclose(out);
}

static bool fails(struct search *search)
{
    write_program(search);
    search->tries++;
    return system(search->command) == 0;
}

static size_t bytes(const struct search *search)
{
    return (size_t)search->selection.units * sizeof(bool);
}

/* Drops the next `length` units from `*from` on that are there to be dropped. */
static bool drop_some(struct search *search, const bool *there, int *from, int length)
{
    bool any = false;

    memcpy(search->selection.dropped, search->found, bytes(search));
    for (; *from < search->selection.units && length > 0; ++*from) {
        if (there[*from] && !search->found[*from]) {
            search->selection.dropped[*from] = true;
            any = true;
            length--;
        }
    }
    return any;
}

/* One pass with runs of a length; true when something went. */
static bool pass(struct search *search, int length)
{
    bool *there = malloc(bytes(search) + 1);
    bool progress = false;
    int from = 0;

    if (there == NULL) {
        abort();
    }
    memcpy(there, search->selection.met, bytes(search));
    while (drop_some(search, there, &from, length)) {
        if (fails(search)) {
            memcpy(search->found, search->selection.dropped, bytes(search));
            memcpy(there, search->selection.met, bytes(search));
            progress = true;
        }
    }
    free(there);
    return progress;
}

static void search_all(struct search *search)
{
    bool progress;

    for (int length = search->selection.units / 4 + 1; length > 1; length /= 2) {
        pass(search, length);
    }
    do {
        progress = pass(search, 1);
    } while (progress);
}

bool reduce(struct generator *g, const struct piece *program, const char *path, const char *command)
{
    size_t size = (size_t)g->units * sizeof(bool);
    struct search search = {.program = program,
                            .path = path,
                            .command = command,
                            .selection = {.units = g->units,
                                          .dropped = arena_alloc(g->arena, size),
                                          .met = arena_alloc(g->arena, size)},
                            .found = arena_alloc(g->arena, size)};

    if (!fails(&search)) {
        return false;
    }
    search_all(&search);
    memcpy(search.selection.dropped, search.found, bytes(&search));
    write_program(&search);
    fprintf(stderr, "fuzz_generate: reduced in %d tries\n", search.tries);
    return true;
}
