/* chains.c: a chain: a random program part of some loops over several sets that share dats, with
 * the host in between: groups of loops are found in it and run, or must not. See fuzz.h.
 *
 * Loops come again with small changes: conditional calls, dats that change places, globals that
 * change. One dat may have two names. */
#include "testsuite/fuzz/chain.h"

enum { MOST_LOOPS = 10, MOST_DIM = 3, GATHER_MOST_DIM = 6 };

/* ---- calls ----------------------------------------------------------------------------------- */

static const char *const access_name[] = {"OP_READ", "OP_WRITE", "OP_RW",
                                          "OP_INC",  "OP_MIN",   "OP_MAX"};

static struct piece *argument(struct generator *g, const struct chain *chain,
                              const struct part *part)
{
    const char *type = scalar_name[part->type];
    const char *access = access_name[part->access];

    switch (part->kind) {
    case GLOBAL:
        return word(g, "op_arg_gbl(&g%d, 1, \"double\", %s)", part->dat, access);
    case DIRECT:
        return word(g, "op_arg_dat(d%d_%d, -1, OP_ID, %d, \"%s\", %s)", part->set, part->dat,
                    part->dim, type, access);
    default:
        return word(g, "op_arg_dat(d%d_%d, %d, m%d, %d, \"%s\", %s)", part->set, part->dat,
                    part->kind == VECTOR ? -chain->map[part->map].columns : part->columns,
                    part->map, part->dim, type, access);
    }
}

struct piece *chain_call(struct generator *g, struct chain *chain, const struct chain_loop *loop)
{
    struct piece *arguments = piece_list(g->arena, NULL);
    const int number = chain->loops;

    chain_add_kernel(g, chain, loop);
    for (int p = 0; p < loop->parts; p++) {
        piece_add(g->arena, arguments, piece(g, ",\n    @", argument(g, chain, &loop->part[p])));
    }
    chain->loops++;
    return piece(g,
                 arena_format(g->arena, "op_par_loop(chain_%d_%d, \"chain_%d_%d\", s%d@);\n",
                              g->kernel, number, g->kernel, number, loop->set),
                 arguments);
}

struct piece *chain_host(struct generator *g, const struct chain *chain)
{
    const int set = pick(g, SETS);
    const int dat = pick(g, DATS);
    const char *name = arena_format(g->arena, "d%d_%d", set, dat);
    const char *type = scalar_name[chain->dat[set][dat].type];

    switch (pick(g, 8)) {
    case 0:
        return word(g, "fuzz_show(%d, %s);\n", g->kernel, name);
    case 1:
        return word(g, "fuzz_show_double(%d, \"g2\", &g2, 1);\n", g->kernel);
    case 2:
        return word(g, "if (s%d->size > 0) {\n((%s *)(void *)%s->data)[0] = (%s)turn;\n}\n", set,
                    type, name, type);
    case 3:
        return word(g,
                    "if (s%d->size > 0) {\nop_get_data(%s);\n((%s *)(void *)%s->data)[0] += 1;\n"
                    "op_put_data(%s);\n}\n",
                    set, name, type, name, name);
    case 4:
        return word(g, "gain = 0.5 * turn;\nop_decl_const(1, \"double\", &gain);\n");
    default:
        return word(g, "g%d = %s;\n", pick(g, 2), chance(g, 50) ? "turn - 2.0" : "3.0");
    }
}

/* Two dats of one shape change places. */
static struct piece *exchange(struct generator *g, const struct chain *chain)
{
    const int set = pick(g, SETS);

    for (int a = 0; a < DATS; a++) {
        for (int b = a + 1; b < DATS; b++) {
            const struct chain_dat *x = &chain->dat[set][a];
            const struct chain_dat *y = &chain->dat[set][b];
            if (x->is == a && y->is == b && x->type == y->type && x->dim == y->dim) {
                return word(g, "{\nop_dat other = d%d_%d;\nd%d_%d = d%d_%d;\nd%d_%d = other;\n}\n",
                            set, a, set, a, set, b, set, b);
            }
        }
    }
    return piece(g, "");
}

static struct piece *step(struct generator *g, struct chain *chain)
{
    struct chain_loop loop = {.parts = 0};

    chain_make_parts(g, chain, &loop);
    struct piece *call = optional(g, "", chain_call(g, chain, &loop));
    if (chance(g, 8)) {
        return optional_kid(g, 0, piece(g, "if (turn % 3 != 1) {\n@}\n", call));
    }
    if (chance(g, 6)) {
        return optional_kid(g, 0,
                            piece(g, "for (int twice = 0; twice < 2; twice++) {\n@}\n", call));
    }
    return call;
}

static struct piece *steps(struct generator *g, struct chain *chain)
{
    struct piece *all = piece_list(g->arena, NULL);
    const int loops = 3 + pick(g, MOST_LOOPS - 2);

    for (int n = 0; n < loops; n++) {
        piece_add(g->arena, all, step(g, chain));
        if (chance(g, 10)) {
            piece_add(g->arena, all, optional(g, "", chain_host(g, chain)));
        }
        if (chance(g, 12)) { /* joined loops take the values of their members' calls */
            piece_add(g->arena, all, optional(g, "", word(g, "g0 += turn;\n")));
        }
    }
    if (chance(g, 15)) {
        piece_add(g->arena, all, optional(g, "", exchange(g, chain)));
    }
    return all;
}

/* One sequence that gathers, or two. */
static struct piece *gathering_steps(struct generator *g, struct chain *chain)
{
    struct piece *all = piece_list(g->arena, NULL);

    for (int n = chance(g, 20); n >= 0; n--) {
        piece_add(g->arena, all, chain_gathering(g, chain));
        if (chance(g, 20)) {
            piece_add(g->arena, all, optional(g, "", word(g, "g0 += turn;\n")));
        }
    }
    if (chance(g, 15)) {
        piece_add(g->arena, all, optional(g, "", exchange(g, chain)));
    }
    return all;
}

/* Some that pass values on. */
static struct piece *passing_steps(struct generator *g, struct chain *chain)
{
    struct piece *all = piece_list(g->arena, NULL);

    for (int n = pick(g, 3); n >= 0; n--) {
        piece_add(g->arena, all, chain_passing(g, chain));
    }
    return all;
}

/* ---- mesh and data --------------------------------------------------------------------------- */

static enum scalar type_of_dat(struct generator *g, const struct chain *chain)
{
    if (g->inexact) {
        return chain->has_floats && chance(g, 50) ? SCALAR_FLOAT : SCALAR_DOUBLE;
    }
    return chance(g, 60) ? SCALAR_DOUBLE : (enum scalar)pick(g, SCALARS);
}

static void make_shapes(struct generator *g, struct chain *chain)
{
    static const int from[MAPS] = {0, 0, 2, 1};
    static const int to[MAPS] = {1, 2, 1, 2};
    const int dims = g->gathers ? GATHER_MOST_DIM : MOST_DIM;

    chain->has_floats = chance(g, 25);

    chain->maps = g->gathers ? MAPS : MAPS - 1;
    for (int m = 0; m < chain->maps; m++) {
        chain->map[m] = (struct chain_map){from[m], to[m], 1 + pick(g, m == 0 ? 4 : 2)};
    }
    for (int set = 0; set < SETS; set++) {
        for (int d = 0; d < DATS; d++) {
            chain->dat[set][d] = (struct chain_dat){type_of_dat(g, chain), 1 + pick(g, dims), d};
        }
        if (chance(g, g->gathers ? 6 : 15)) { /* another name of the first */
            chain->dat[set][DATS - 1] = chain->dat[set][0];
        }
    }
}

/* A set may be empty if no map leads to it from others. Some second buffers take more than a MiB.
 */
static void pick_sizes(struct generator *g, int size[SETS])
{
    static const int sizes[] = {1, 7, 33, 120, 150, 300};
    static const int gather_sizes[] = {1, 31, 129, 129, 300, 2};

    for (int set = 0; set < SETS; set++) {
        size[set] = (g->gathers ? gather_sizes : sizes)[pick(g, 6)];
    }
    if (!g->gathers) {
        return;
    }
    const int roll = pick(g, 100);
    if (roll < 4) {
        size[0] = 0;
    }
    if (roll == 0) {
        size[1] = size[2] = 0;
    }
    if (roll == 50) {
        size[1] = 24000;
    }
}

static struct piece *declarations(struct generator *g, const struct chain *chain)
{
    struct piece *all = piece_list(g->arena, NULL);
    int size[SETS];

    if (g->inexact) {
        piece_add(
            g->arena, all,
            word(g, "fuzz_tolerance(%d, %s);\n", g->kernel, chain->has_floats ? "1e-3" : "1e-9"));
    }
    pick_sizes(g, size);
    if (g->gathers) {
        piece_add(g->arena, all, word(g, "const int variation = fuzz_variation();\n"));
    }
    for (int set = 0; set < SETS; set++) {
        piece_add(g->arena, all,
                  g->gathers
                      ? word(g, "op_set s%d = op_decl_set(fuzz_varied_size(%d, %d), \"s%d\");\n",
                             set, size[set], pick(g, 1000), set)
                      : word(g, "op_set s%d = op_decl_set(%d, \"s%d\");\n", set, size[set], set));
    }
    for (int m = 0; m < chain->maps; m++) {
        const struct chain_map *map = &chain->map[m];
        piece_add(g->arena, all,
                  word(g, "op_map m%d = fuzz_map(s%d, s%d, %d, %d%s, \"m%d\");\n", m, map->from,
                       map->to, map->columns, pick(g, 1000), g->gathers ? " + variation" : "", m));
    }
    for (int set = 0; set < SETS; set++) {
        for (int d = 0; d < DATS; d++) {
            const struct chain_dat *dat = &chain->dat[set][d];
            piece_add(g->arena, all,
                      dat->is != d
                          ? word(g, "op_dat d%d_%d = d%d_%d;\n", set, d, set, dat->is)
                          : word(g, "op_dat d%d_%d = fuzz_dat_%s(s%d, %d, %d, %s, \"d%d_%d\");\n",
                                 set, d, scalar_name[dat->type], set, dat->dim, pick(g, 1000),
                                 g->inexact ? "0.1" : "1.0", set, d));
        }
    }
    piece_add(g->arena, all, word(g, "double g0 = 1.5;\ndouble g1 = -2.0;\ndouble g2 = 0.0;\n"));
    return all;
}

static struct piece *shows(struct generator *g)
{
    struct piece *all = piece_list(g->arena, NULL);

    for (int set = 0; set < SETS; set++) {
        for (int d = 0; d < DATS; d++) {
            piece_add(g->arena, all,
                      optional(g, "", word(g, "fuzz_show(%d, d%d_%d);\n", g->kernel, set, d)));
        }
    }
    piece_add(g->arena, all, word(g, "fuzz_show_double(%d, \"g2\", &g2, 1);\n", g->kernel));
    piece_add(g->arena, all,
              word(g,
                   "gain = 1.25;\nop_decl_const(1, \"double\", &gain);\n"
                   "(void)m0;\n(void)m1;\n(void)m2;\n%s(void)g0;\n(void)g1;\n",
                   g->gathers ? "(void)m3;\n(void)variation;\n" : ""));
    return all;
}

struct piece *chain_generate(struct generator *g, uint64_t seed, int number)
{
    struct chain chain = {.kernels = piece_list(g->arena, NULL), .target = -1, .sums = -1};
    struct piece *declare;
    struct piece *inside;

    generator_begin(g, seed, number);
    make_shapes(g, &chain);
    declare = declarations(g, &chain);
    inside = g->gathers  ? gathering_steps(g, &chain)
             : g->passes ? passing_steps(g, &chain)
                         : steps(g, &chain);
    /* The first turn makes plans, for which groups that gather do not wait. */
    inside = piece(g, arena_format(g->arena, "for (int turn = 0; turn < @; turn++) {\n@}\n"),
                   optional(g, "1",
                            word(g, "%d",
                                 (g->passes    ? 9
                                  : g->gathers ? 4
                                               : 2) +
                                     pick(g, 6))),
                   inside);
    return piece(g, arena_format(g->arena, "@static void run_%d(void)\n{\n@@@}\n\n", g->kernel),
                 chain.kernels, declare, inside, shows(g));
}
