/* chain_pass.c: chains in which loops pass values to the next ones that nobody else needs, in most
 * turns: a group of them need not store such values. See fuzz.h.
 *
 *   make dats from others  [use them]  use them  [something else]  [the host, now and then]
 *
 * What stands in brackets is there by chance. What they are made from changes in some chains,
 * before it is read again or after. */
#include "testsuite/fuzz/chain.h"

/* A loop that replaces a dat, or two, from some others. */
static struct chain_loop making(struct generator *g, const struct chain *chain, int set)
{
    struct chain_loop loop = {.set = set};
    const int first = pick(g, DATS);

    chain_add(&loop, chain_part(chain, DIRECT, WRITE, set, first));
    if (chance(g, 35) && chain_use(chain, &loop, set, (first + 1) % DATS) == NULL) {
        chain_add(&loop, chain_part(chain, DIRECT, WRITE, set, (first + 1) % DATS));
    }
    for (int n = 1 + pick(g, 2); n > 0; n--) {
        const int dat = pick(g, DATS);
        if (chain_use(chain, &loop, set, dat) == NULL) {
            chain_add(&loop, chain_part(chain, DIRECT, READ, set, dat));
        }
    }
    for (int m = 0; m < chain->maps; m++) {
        const int dat = pick(g, DATS);
        if (chain->map[m].from == set && chance(g, 40)) {
            struct part part = chain_part(chain, INDIRECT, READ, chain->map[m].to, dat);
            part.map = m;
            part.columns = pick(g, chain->map[m].columns);
            chain_add(&loop, part);
        }
    }
    return loop;
}

/* A loop that reads what the loop has made, and changes another dat. */
static struct chain_loop using(struct generator *g, const struct chain *chain,
                               const struct chain_loop *made)
{
    struct chain_loop loop = {.set = made->set};

    for (int p = 0; p < made->parts && made->part[p].access == WRITE; p++) {
        chain_add(&loop, chain_part(chain, DIRECT, READ, loop.set, made->part[p].dat));
    }
    for (int tries = 0; tries < 8; tries++) {
        const int dat = pick(g, DATS);
        if (chain_use(chain, &loop, loop.set, dat) == NULL &&
            (chance(g, 25) || chain_use(chain, made, loop.set, dat) == NULL)) {
            chain_add(&loop, chain_part(chain, DIRECT, RW, loop.set, dat));
            break;
        }
    }
    chain_add_global(&loop, loop.parts > 0 && chance(g, 80) ? READ : INC, 2);
    return loop;
}

static void add(struct generator *g, struct chain *chain, struct piece *all,
                const struct chain_loop *loop, int percent)
{
    struct piece *call = optional(g, "", chain_call(g, chain, loop));
    piece_add(g->arena, all,
              chance(g, percent) ? piece(g, "if (turn % 5 == 4) {\n@}\n", call) : call);
}

struct piece *chain_passing(struct generator *g, struct chain *chain)
{
    struct piece *all = piece_list(g->arena, NULL);
    const int set = pick(g, SETS);
    const struct chain_loop made = making(g, chain, set);

    add(g, chain, all, &made, 0);
    for (int n = pick(g, 2); n >= 0; n--) {
        const struct chain_loop used = using(g, chain, &made);
        add(g, chain, all, &used, n == 0 ? 0 : 10);
    }
    if (chance(g, 50)) {
        struct chain_loop other = {.parts = 0};
        chain_make_parts(g, chain, &other);
        chain->sums = chain->target = -1;
        add(g, chain, all, &other, 70);
    }
    if (chance(g, 70)) {
        piece_add(g->arena, all,
                  optional(g, "", piece(g, "if (turn % 5 == 3) {\n@}\n", chain_host(g, chain))));
    }
    return all;
}
