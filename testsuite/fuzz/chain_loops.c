/* chain_loops.c: sets and arguments of the random loops of a chain. See fuzz.h.
 *
 * Most loops run over the set of the one before, or over the points that it increments. */
#include "testsuite/fuzz/chain.h"

const struct part *chain_use(const struct chain *chain, const struct chain_loop *loop, int set,
                             int dat)
{
    for (int p = 0; p < loop->parts; p++) {
        const struct part *part = &loop->part[p];
        if (part->kind != GLOBAL && part->set == set &&
            chain->dat[set][part->dat].is == chain->dat[set][dat].is) {
            return part;
        }
    }
    return NULL;
}

void chain_add(struct chain_loop *loop, struct part part)
{
    if (loop->parts < (int)(sizeof(loop->part) / sizeof(loop->part[0]))) {
        loop->part[loop->parts++] = part;
    }
}

struct part chain_part(const struct chain *chain, enum argument_kind kind, enum access access,
                       int set, int dat)
{
    const struct chain_dat *of = &chain->dat[set][dat];
    return (struct part){
        .kind = kind, .access = access, .set = set, .dat = dat, .dim = of->dim, .type = of->type};
}

void chain_add_columns(struct generator *g, const struct chain *chain, struct chain_loop *loop,
                       struct part part, int percent)
{
    for (int c = 0; c < chain->map[part.map].columns; c++) {
        if (c == 0 || percent == 100 || chance(g, percent)) {
            part.columns = c;
            chain_add(loop, part);
        }
    }
}

void chain_add_global(struct chain_loop *loop, enum access access, int number)
{
    chain_add(loop, (struct part){GLOBAL, access, 0, number, 0, 0, 1, SCALAR_DOUBLE});
}

void chain_add_direct(struct generator *g, const struct chain *chain, struct chain_loop *loop)
{
    static const enum access accesses[] = {READ, READ, WRITE, RW, RW, INC};
    const int dat = pick(g, DATS);

    if (chain_use(chain, loop, loop->set, dat) == NULL) {
        chain_add(loop, chain_part(chain, DIRECT, accesses[pick(g, 6)], loop->set, dat));
    }
}

static void add_indirect(struct generator *g, const struct chain *chain, struct chain_loop *loop)
{
    const int m = pick(g, 3);
    const int dat = pick(g, DATS);
    const struct chain_map *map = &chain->map[m];
    const int roll = pick(g, 20);
    const enum access access = roll < 9 ? READ : roll < 18 ? INC : roll == 18 ? MINIMUM : MAXIMUM;

    if (map->from != loop->set || chain_use(chain, loop, map->to, dat) != NULL) {
        return;
    }
    struct part part = chain_part(chain, INDIRECT, access, map->to, dat);
    part.map = m;
    if (chance(g, 15)) {
        part.kind = VECTOR;
        part.columns = map->columns;
        chain_add(loop, part);
        return;
    }
    chain_add_columns(g, chain, loop, part, 70);
}

/* The loop's first argument is one that it changes. */
static void add_changed(struct generator *g, const struct chain *chain, struct chain_loop *loop)
{
    static const enum access accesses[] = {WRITE, RW, RW, INC};

    for (int tries = 0; tries < 4 && loop->set != 1 && chance(g, 50); tries++) {
        add_indirect(g, chain, loop);
        if (loop->parts > 0 && loop->part[0].access != READ) {
            return;
        }
        loop->parts = 0;
    }
    chain_add(loop, chain_part(chain, DIRECT, accesses[pick(g, 4)], loop->set, pick(g, DATS)));
}

/* A loop that adds through one map and reads through it: the first of a group that gathers, if the
 * next loop uses the sums. */
static void make_adding(struct generator *g, struct chain *chain, struct chain_loop *loop)
{
    const int m = pick(g, 3);
    const struct chain_map *map = &chain->map[m];

    loop->set = chain->last_set = map->from;
    chain->target = map->to;
    chain->sums = pick(g, DATS);
    struct part part = chain_part(chain, INDIRECT, INC, map->to, chain->sums);
    part.map = m;
    chain_add_columns(g, chain, loop, part, 100);
    for (int n = 1 + pick(g, 2); n > 0; n--) {
        const int dat = pick(g, DATS);
        if (chain_use(chain, loop, map->to, dat) == NULL) {
            part = chain_part(chain, INDIRECT, READ, map->to, dat);
            part.map = m;
            part.columns = pick(g, map->columns);
            chain_add(loop, part);
        }
    }
    if (chance(g, 40)) {
        chain_add(loop, chain_part(chain, DIRECT, READ, loop->set, pick(g, DATS)));
    }
}

/* The loop behind it. */
static void make_using(struct generator *g, struct chain *chain, struct chain_loop *loop)
{
    loop->set = chain->last_set = chain->target;
    chain_add(loop, chain_part(chain, DIRECT, RW, loop->set, chain->sums));
    for (int n = 1 + pick(g, 3); n > 0; n--) {
        chain_add_direct(g, chain, loop);
    }
    if (chance(g, 30)) {
        chain_add_global(loop, INC, 2);
    }
    chain->target = chain->sums = -1;
}

void chain_make_parts(struct generator *g, struct chain *chain, struct chain_loop *loop)
{
    if (chain->sums >= 0) {
        make_using(g, chain, loop);
        return;
    }
    if (chance(g, 20)) {
        make_adding(g, chain, loop);
        return;
    }
    /* Most loops run over the set of the one before, or over the points that it increments, so that
     * there are groups. */
    loop->set = chain->loops == 0 || chance(g, 25)    ? pick(g, SETS)
                : chain->target >= 0 && chance(g, 50) ? chain->target
                                                      : chain->last_set;
    chain->last_set = loop->set;
    add_changed(g, chain, loop);
    chain->target =
        loop->part[0].kind != DIRECT && loop->part[0].access == INC ? loop->part[0].set : -1;
    for (int n = pick(g, 4); n > 0; n--) {
        if (loop->set == 1 || chance(g, 50)) {
            chain_add_direct(g, chain, loop);
        } else {
            add_indirect(g, chain, loop);
        }
    }
    if (chance(g, 50)) {
        chain_add_global(loop, READ, chance(g, 25));
    }
    if (chance(g, 12)) {
        static const enum access accesses[] = {INC, INC, MINIMUM, MAXIMUM};
        chain_add_global(loop, accesses[pick(g, 4)], 2);
    }
}
