/* chain_gather.c: sequences of loops that become groups which gather (splitter/group/gather.c). See
 * fuzz.h.
 *
 *   [clear the sums]  [copy a dat]  add through a map  [add from another set]  [a passenger]
 *   use the sums, point by point  [and again]  [reduce]  [the host]  [a loop computed ahead]
 *
 * What stands in brackets is there by chance; and something may come between. Loops over the points
 * modify what the first loop reads through its map, so that dats get second buffers. */
#include "testsuite/fuzz/chain.h"

/* Appends a call of the loop, which a smaller program may lack, and now and then a condition. */
static void add_call(struct generator *g, struct chain *chain, struct piece *all,
                     const struct chain_loop *loop, int conditional)
{
    struct piece *call = optional(g, "", chain_call(g, chain, loop));

    piece_add(g->arena, all,
              chance(g, conditional)
                  ? optional_kid(g, 0, piece(g, "if ((turn + variation) % 4 != 2) {\n@}\n", call))
                  : call);
}

/* Returns a dat of the set that the loop does not use, or -1. */
static int unused(struct generator *g, const struct chain *chain, const struct chain_loop *loop,
                  int set)
{
    const int first = pick(g, DATS);

    for (int d = 0; d < DATS; d++) {
        if (chain_use(chain, loop, set, (first + d) % DATS) == NULL) {
            return (first + d) % DATS;
        }
    }
    return -1;
}

/* Reads one dat of the map's points, by all columns or some. */
static void read_through(struct generator *g, const struct chain *chain, struct chain_loop *loop,
                         int map)
{
    const int set = chain->map[map].to;
    const int dat = unused(g, chain, loop, set);

    if (dat >= 0) {
        struct part part = chain_part(chain, INDIRECT, READ, set, dat);
        part.map = map;
        chain_add_columns(g, chain, loop, part, 60);
    }
}

/* A loop that adds to the sums through the map, and reads through it. */
static struct chain_loop adding(struct generator *g, const struct chain *chain, int map)
{
    struct chain_loop loop = {.set = chain->map[map].from};
    struct part part = chain_part(chain, INDIRECT, INC, chain->target, chain->sums);

    part.map = map;
    if (chance(g, 15)) {
        part.kind = VECTOR;
        part.columns = chain->map[map].columns;
        chain_add(&loop, part);
    } else {
        chain_add_columns(g, chain, &loop, part, 90);
    }
    for (int n = 1 + pick(g, 2); n > 0; n--) {
        read_through(g, chain, &loop, map);
    }
    for (int m = 0; m < chain->maps; m++) { /* another map reads other points */
        if (m != map && chain->map[m].from == loop.set && chance(g, 25)) {
            read_through(g, chain, &loop, m);
        }
    }
    if (chance(g, 40)) {
        chain_add(&loop, chain_part(chain, DIRECT, READ, loop.set, pick(g, DATS)));
    }
    if (chance(g, 25)) {
        chain_add_global(&loop, READ, 0);
    }
    return loop;
}

/* A loop over the points that uses the sums, and clears them now and then. */
static struct chain_loop using(struct generator *g, const struct chain *chain, bool last)
{
    struct chain_loop loop = {.set = chain->target};

    chain_add(&loop, chain_part(chain, DIRECT, RW, loop.set, chain->sums));
    loop.clears = last && chance(g, 50);
    for (int n = 1 + pick(g, 3); n > 0; n--) {
        chain_add_direct(g, chain, &loop);
    }
    for (int m = 0; m < chain->maps; m++) {
        if (chain->map[m].from == loop.set && chance(g, 20)) {
            read_through(g, chain, &loop, m);
        }
    }
    if (chance(g, 25)) {
        chain_add_global(&loop, READ, 1);
    }
    if (last && chance(g, 40)) {
        static const enum access accesses[] = {INC, INC, INC, MINIMUM, MAXIMUM};
        chain_add_global(&loop, accesses[pick(g, 5)], 2);
    }
    return loop;
}

/* A loop that reads and writes the points' records, and may run ahead of its call. */
static struct chain_loop ahead(struct generator *g, const struct chain *chain)
{
    struct chain_loop loop = {.set = chain->target, .body = BODY_PLAIN};

    for (int n = 0; n < 2; n++) {
        const int dat = unused(g, chain, &loop, loop.set);
        if (dat >= 0) {
            chain_add(&loop, chain_part(chain, DIRECT, n == 0 ? WRITE : READ, loop.set, dat));
        }
    }
    return loop;
}

/* Sets the sums to zero, or copies a dat of the points to another one of the same shape. Its body
 * is BODY_ANY if no dats have the same shape. */
static struct chain_loop clearing(const struct chain *chain)
{
    struct chain_loop loop = {.set = chain->target, .body = BODY_ZERO};

    chain_add(&loop, chain_part(chain, DIRECT, WRITE, loop.set, chain->sums));
    return loop;
}

static struct chain_loop copying(struct generator *g, const struct chain *chain)
{
    struct chain_loop loop = {.set = chain->target};
    const int to = pick(g, DATS);
    const struct chain_dat *x = &chain->dat[loop.set][to];

    for (int from = 0; from < DATS; from++) {
        const struct chain_dat *y = &chain->dat[loop.set][from];
        if (x->is != y->is && x->type == y->type && x->dim == y->dim) {
            chain_add(&loop, chain_part(chain, DIRECT, WRITE, loop.set, to));
            chain_add(&loop, chain_part(chain, DIRECT, READ, loop.set, from));
            loop.body = BODY_COPY;
            return loop;
        }
    }
    return loop;
}

/* Loops before the sums are added up. */
static void add_before(struct generator *g, struct chain *chain, struct piece *all)
{
    if (chance(g, 30)) {
        const struct chain_loop loop = clearing(chain);
        add_call(g, chain, all, &loop, 10);
    }
    if (chance(g, 40)) {
        const struct chain_loop loop = copying(g, chain);
        if (loop.body == BODY_COPY) {
            add_call(g, chain, all, &loop, 15);
        }
    }
}

/* Other maps that lead to the points add to the sums, too. */
static void add_phases(struct generator *g, struct chain *chain, struct piece *all, int first)
{
    for (int m = 0; m < chain->maps; m++) {
        if (m != first && chain->map[m].to == chain->target && chance(g, 50)) {
            const struct chain_loop loop = adding(g, chain, m);
            add_call(g, chain, all, &loop, 8);
        }
    }
    if (chance(g, 8)) { /* a random one: a passenger, or the end of the group */
        const int target = chain->target;
        const int sums = chain->sums;
        struct chain_loop loop = {.parts = 0};
        chain->sums = -1;
        chain_make_parts(g, chain, &loop);
        chain->target = target;
        chain->sums = sums;
        add_call(g, chain, all, &loop, 0);
    }
}

static void add_host(struct generator *g, struct chain *chain, struct piece *all, int percent)
{
    if (chance(g, percent)) {
        struct piece *host = chain_host(g, chain);
        piece_add(g->arena, all,
                  optional(g, "",
                           chance(g, 60)
                               ? piece(g, "if ((turn + variation) % 3 == 1) {\n@}\n", host)
                               : host));
    }
}

struct piece *chain_gathering(struct generator *g, struct chain *chain)
{
    struct piece *all = piece_list(g->arena, NULL);
    const int first = pick(g, chain->maps);

    chain->target = chain->last_set = chain->map[first].to;
    chain->sums = pick(g, DATS);
    add_before(g, chain, all);
    add_host(g, chain, all, 15);
    const struct chain_loop loop = adding(g, chain, first);
    add_call(g, chain, all, &loop, 0);
    add_phases(g, chain, all, first);
    for (int n = pick(g, 3); n >= 0; n--) {
        const struct chain_loop direct = using(g, chain, n == 0);
        add_host(g, chain, all, 4);
        add_call(g, chain, all, &direct, n == 0 ? 0 : 6);
    }
    add_host(g, chain, all, 25);
    if (chance(g, 50)) {
        const struct chain_loop next = ahead(g, chain);
        add_call(g, chain, all, &next, 10);
    }
    chain->target = chain->sums = -1;
    return all;
}
