/* chains.c: a chain: a random program part of three to ten loops over several sets that share dats,
 * with the host in between: groups of loops are found in it and run, or must not. See fuzz.h.
 *
 * Loops come again with small changes: conditional calls, dats that change places, globals that
 * change. One dat may have two names. Dats hold whole numbers, so that all orders of elements, and
 * joined loops, give the same bits.
 *
 * An *inexact* chain rounds: its values have fractions, divisions and roots. What it computes then
 * depends on its values continuously (no value decides a branch) and stays small, so that another
 * order of additions changes results by little. */
#include "testsuite/fuzz/fuzz.h"

#include <limits.h>

enum { SETS = 3, DATS = 4, MOST_LOOPS = 10, MOST_DIM = 3 };

/* Set 0 has maps to both others, set 2 to set 1. */
struct chain_map {
    int from;
    int to;
    int columns;
};

struct chain_dat {
    enum scalar type;
    int dim;
    int is; /* the dat of the set that it is another name of; its own number: none */
};

struct chain {
    struct chain_map map[3];
    struct chain_dat dat[SETS][DATS];
    bool has_floats; /* besides doubles, in an inexact chain */
    int loops;
    int last_set;
    int target; /* the set that the latest loop adds to through a map; -1: none */
    int sums;   /* the dat there that the next loop uses, point by point; -1: any loop comes next */
    struct piece *kernels;
};

/* An argument of a loop, and what its kernel does with it. */
struct part {
    enum argument_kind kind;
    enum access access;
    int set; /* of the dat */
    int dat;
    int map;     /* INDIRECT */
    int columns; /* INDIRECT: 1, or VECTOR */
    int dim;
    enum scalar type;
};

struct chain_loop {
    int set;
    struct part part[16];
    int parts;
};

/* ---- parts of a loop ------------------------------------------------------------------------- */

/* Returns the use that the loop makes of a dat already, by any name; NULL: none. */
static const struct part *use_of(const struct chain *chain, const struct chain_loop *loop, int set,
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

static void add_part(struct chain_loop *loop, struct part part)
{
    if (loop->parts < (int)(sizeof(loop->part) / sizeof(loop->part[0]))) {
        loop->part[loop->parts++] = part;
    }
}

static struct part part_of(const struct chain *chain, enum argument_kind kind, enum access access,
                           int set, int dat)
{
    const struct chain_dat *of = &chain->dat[set][dat];
    return (struct part){
        .kind = kind, .access = access, .set = set, .dat = dat, .dim = of->dim, .type = of->type};
}

static void add_direct(struct generator *g, const struct chain *chain, struct chain_loop *loop)
{
    static const enum access accesses[] = {READ, READ, WRITE, RW, RW, INC};
    const int dat = pick(g, DATS);

    if (use_of(chain, loop, loop->set, dat) == NULL) {
        add_part(loop, part_of(chain, DIRECT, accesses[pick(g, 6)], loop->set, dat));
    }
}

static void add_indirect(struct generator *g, const struct chain *chain, struct chain_loop *loop)
{
    const int m = pick(g, 3);
    const int dat = pick(g, DATS);
    const struct chain_map *map = &chain->map[m];
    const int roll = pick(g, 20);
    const enum access access = roll < 9 ? READ : roll < 18 ? INC : roll == 18 ? MINIMUM : MAXIMUM;

    if (map->from != loop->set || use_of(chain, loop, map->to, dat) != NULL) {
        return;
    }
    struct part part = part_of(chain, INDIRECT, access, map->to, dat);
    part.map = m;
    if (chance(g, 15)) {
        part.kind = VECTOR;
        part.columns = map->columns;
        add_part(loop, part);
        return;
    }
    for (int c = 0; c < map->columns; c++) {
        if (c == 0 || chance(g, 70)) {
            part.columns = c;
            add_part(loop, part);
        }
    }
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
    add_part(loop, part_of(chain, DIRECT, accesses[pick(g, 4)], loop->set, pick(g, DATS)));
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
    struct part part = part_of(chain, INDIRECT, INC, map->to, chain->sums);
    part.map = m;
    for (int c = 0; c < map->columns; c++) {
        part.columns = c;
        add_part(loop, part);
    }
    for (int n = 1 + pick(g, 2); n > 0; n--) {
        const int dat = pick(g, DATS);
        if (use_of(chain, loop, map->to, dat) == NULL) {
            part = part_of(chain, INDIRECT, READ, map->to, dat);
            part.map = m;
            part.columns = pick(g, map->columns);
            add_part(loop, part);
        }
    }
    if (chance(g, 40)) {
        add_part(loop, part_of(chain, DIRECT, READ, loop->set, pick(g, DATS)));
    }
}

/* The loop behind it. */
static void make_using(struct generator *g, struct chain *chain, struct chain_loop *loop)
{
    loop->set = chain->last_set = chain->target;
    add_part(loop, part_of(chain, DIRECT, RW, loop->set, chain->sums));
    for (int n = 1 + pick(g, 3); n > 0; n--) {
        add_direct(g, chain, loop);
    }
    if (chance(g, 30)) {
        add_part(loop, (struct part){GLOBAL, INC, 0, 2, 0, 0, 1, SCALAR_DOUBLE});
    }
    chain->target = chain->sums = -1;
}

static void make_parts(struct generator *g, struct chain *chain, struct chain_loop *loop)
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
            add_direct(g, chain, loop);
        } else {
            add_indirect(g, chain, loop);
        }
    }
    if (chance(g, 50)) {
        add_part(loop, (struct part){GLOBAL, READ, 0, chance(g, 25), 0, 0, 1, SCALAR_DOUBLE});
    }
    if (chance(g, 12)) {
        static const enum access accesses[] = {INC, INC, MINIMUM, MAXIMUM};
        add_part(loop, (struct part){GLOBAL, accesses[pick(g, 4)], 0, 2, 0, 0, 1, SCALAR_DOUBLE});
    }
}

/* ---- kernels --------------------------------------------------------------------------------- */

/* A component of a part; VECTOR parts have a column. */
static struct piece *component(struct generator *g, const struct part *part, int p)
{
    const int c = pick(g, part->dim);

    return part->kind == VECTOR ? word(g, "a%d[%d][%d]", p, pick(g, part->columns), c)
                                : word(g, "a%d[%d]", p, c);
}

/* A condition that holds in all orders of elements: on globals and constants, which are exact, or
 * on whole numbers. */
static struct piece *test(struct generator *g, const struct chain_loop *loop);

/* Something that the kernel may read, always a number below a million. */
static struct piece *leaf(struct generator *g, const struct chain_loop *loop)
{
    const int p = pick(g, loop->parts);
    const struct part *part = &loop->part[p];

    if (part->access == READ || (part->access == RW && chance(g, 70))) {
        return component(g, part, p);
    }
    return chance(g, 40)   ? word(g, "%d", pick(g, 9) - 4)
           : chance(g, 50) ? word(g, "gain")
                           : word(g, "x");
}

static struct piece *test(struct generator *g, const struct chain_loop *loop)
{
    if (!g->inexact) {
        return piece(g, "@ < @", leaf(g, loop), leaf(g, loop));
    }
    for (int p = 0; p < loop->parts; p++) {
        if (loop->part[p].kind == GLOBAL && loop->part[p].access == READ && chance(g, 70)) {
            return word(g, "a%d[0] < %d.25", p, pick(g, 8) - 2);
        }
    }
    return word(g, "gain < %d.75", pick(g, 3));
}

/* A value of two others that depends on them continuously. */
static struct piece *smooth(struct generator *g, struct piece *a, struct piece *b)
{
    switch (pick(g, 8)) {
    case 0:
        return piece(g, "(@ - @)", a, b);
    case 1:
        return piece(g, "(0.3 * @ * @)", a, b);
    case 2:
        return piece(g, "OVER(@, @)", a, b);
    case 3:
        return piece(g, "fmax(@, @)", a, b);
    case 4:
        return piece(g, "(@ / sqrt(2.0 + fabs(@)))", a, b);
    case 5:
        return piece(g, "(@ + 0.7 * @)", a, b);
    default:
        return piece(g, "(@ + @)", a, b);
    }
}

static struct piece *value(struct generator *g, const struct chain_loop *loop, int depth)
{
    if (depth == 0) {
        return leaf(g, loop);
    }
    struct piece *a = value(g, loop, depth - 1);
    struct piece *b = value(g, loop, depth - 1);
    if (g->inexact) {
        return smooth(g, a, b);
    }
    switch (pick(g, 8)) {
    case 0:
        return piece(g, "(@ - @)", a, b);
    case 1:
        return piece(g, "(0.5 * @ * @)", a, b);
    case 2:
        return piece(g, "OVER(@, @)", a, b);
    case 3:
        return piece(g, "fmax(@, @)", a, b);
    case 4:
        return piece(g, "mix(@, @)", a, b);
    case 5:
        return piece(g, "(@ < @ ? x : 1.5)", a, b);
    default:
        return piece(g, "(@ + @)", a, b);
    }
}

/* A statement that changes one component of a part. */
static struct piece *change(struct generator *g, const struct chain_loop *loop, int p, int column,
                            int c)
{
    const struct part *part = &loop->part[p];
    const char *type = scalar_name[part->type];
    const char *to = part->kind == VECTOR ? arena_format(g->arena, "a%d[%d][%d]", p, column, c)
                                          : arena_format(g->arena, "a%d[%d]", p, c);
    struct piece *whole = value(g, loop, 1 + pick(g, 2));
    const char *kept = g->inexact ? "SOFT" : "WHOLE";

    switch (part->access) {
    case INC:
        return piece(g, arena_format(g->arena, "%s += (%s)%s(@);\n", to, type, kept), whole);
    case MINIMUM:
        return piece(g, arena_format(g->arena, "%s = (%s)fmin(%s, %s(@));\n", to, type, to, kept),
                     whole);
    case MAXIMUM:
        return piece(g, arena_format(g->arena, "%s = (%s)fmax(%s, %s(@));\n", to, type, to, kept),
                     whole);
    default:
        return piece(g, arena_format(g->arena, "%s = (%s)%s(@);\n", to, type, kept), whole);
    }
}

static struct piece *changes_of(struct generator *g, const struct chain_loop *loop, int p)
{
    const struct part *part = &loop->part[p];
    struct piece *all = piece_list(g->arena, NULL);

    for (int column = 0; column < (part->kind == VECTOR ? part->columns : 1); column++) {
        for (int c = 0; c < part->dim; c++) {
            struct piece *one = change(g, loop, p, column, c);
            if (part->access == WRITE) { /* always, and all of it */
                piece_add(g->arena, all, one);
            } else if (chance(g, 85)) {
                piece_add(g->arena, all, optional(g, "", one));
            }
        }
    }
    return part->access != WRITE && chance(g, 15) ? piece(g, "if (@) {\n@}\n", test(g, loop), all)
                                                  : all;
}

static struct piece *body_of(struct generator *g, const struct chain_loop *loop)
{
    struct piece *all = piece_list(g->arena, NULL);
    bool may_return = chance(g, 12);

    for (int p = 0; p < loop->parts; p++) {
        if (loop->part[p].access == WRITE) {
            may_return = false;
        }
    }
    piece_add(g->arena, all, word(g, "double x = %d.0;\n", pick(g, 5)));
    piece_add(g->arena, all, optional(g, "", piece(g, "x = @;\n", value(g, loop, 2))));
    if (may_return) {
        piece_add(g->arena, all,
                  optional(g, "",
                           g->inexact ? piece(g, "if (@) {\nreturn;\n}\n", test(g, loop))
                                      : piece(g, "if (x > @) {\nreturn;\n}\n", leaf(g, loop))));
    }
    if (chance(g, 15)) {
        piece_add(
            g->arena, all,
            optional(g, "",
                     piece(g, "for (int i = 0; i < 3; i++) {\nx += i * @;\n}\n", leaf(g, loop))));
    }
    for (int p = 0; p < loop->parts; p++) {
        if (loop->part[p].access != READ) {
            piece_add(g->arena, all, changes_of(g, loop, p));
        }
    }
    piece_add(g->arena, all, word(g, "(void)x;\n"));
    return all;
}

static struct piece *parameter(struct generator *g, const struct part *part, int p)
{
    const char *is_const = part->access == READ ? "const " : "";
    const char *type = scalar_name[part->type];

    return part->kind == VECTOR ? word(g, "%s%s **a%d", is_const, type, p)
                                : word(g, "%s%s *a%d", is_const, type, p);
}

static void add_kernel(struct generator *g, struct chain *chain, const struct chain_loop *loop)
{
    struct piece *parameters = piece_list(g->arena, ", ");

    for (int p = 0; p < loop->parts; p++) {
        piece_add(g->arena, parameters, parameter(g, &loop->part[p], p));
    }
    piece_add(g->arena, chain->kernels,
              piece(g,
                    arena_format(g->arena, "static inline void chain_%d_%d(@)\n{\n@}\n", g->kernel,
                                 chain->loops),
                    parameters, body_of(g, loop)));
}

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

/* A call of a new loop. */
static struct piece *new_call(struct generator *g, struct chain *chain)
{
    struct chain_loop loop = {.parts = 0};
    struct piece *arguments = piece_list(g->arena, NULL);

    make_parts(g, chain, &loop);
    add_kernel(g, chain, &loop);
    for (int p = 0; p < loop.parts; p++) {
        piece_add(g->arena, arguments, piece(g, ",\n    @", argument(g, chain, &loop.part[p])));
    }
    return piece(g,
                 arena_format(g->arena, "op_par_loop(chain_%d_%d, \"chain_%d_%d\", s%d@);\n",
                              g->kernel, chain->loops, g->kernel, chain->loops, loop.set),
                 arguments);
}

/* Things that the host does between two loops. */
static struct piece *host(struct generator *g, const struct chain *chain)
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
        return word(g, "((%s *)(void *)%s->data)[0] = (%s)turn;\n", type, name, type);
    case 3:
        return word(g, "op_get_data(%s);\n((%s *)(void *)%s->data)[0] += 1;\nop_put_data(%s);\n",
                    name, type, name, name);
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
    struct piece *call = optional(g, "", new_call(g, chain));

    chain->loops++;
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
            piece_add(g->arena, all, optional(g, "", host(g, chain)));
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
    static const int from[] = {0, 0, 2};
    static const int to[] = {1, 2, 1};

    chain->has_floats = chance(g, 25);

    for (int m = 0; m < 3; m++) {
        chain->map[m] = (struct chain_map){from[m], to[m], 1 + pick(g, m == 0 ? 4 : 2)};
    }
    for (int set = 0; set < SETS; set++) {
        for (int d = 0; d < DATS; d++) {
            chain->dat[set][d] =
                (struct chain_dat){type_of_dat(g, chain), 1 + pick(g, MOST_DIM), d};
        }
        if (chance(g, 15)) { /* another name of the first */
            chain->dat[set][DATS - 1] = chain->dat[set][0];
        }
    }
}

static struct piece *declarations(struct generator *g, const struct chain *chain)
{
    static const int sizes[] = {1, 7, 33, 120, 150, 300};
    struct piece *all = piece_list(g->arena, NULL);

    if (g->inexact) {
        piece_add(
            g->arena, all,
            word(g, "fuzz_tolerance(%d, %s);\n", g->kernel, chain->has_floats ? "1e-3" : "1e-9"));
    }
    for (int set = 0; set < SETS; set++) {
        piece_add(g->arena, all,
                  word(g, "op_set s%d = op_decl_set(%d, \"s%d\");\n", set, sizes[pick(g, 6)], set));
    }
    for (int m = 0; m < 3; m++) {
        const struct chain_map *map = &chain->map[m];
        piece_add(g->arena, all,
                  word(g, "op_map m%d = fuzz_map(s%d, s%d, %d, %d, \"m%d\");\n", m, map->from,
                       map->to, map->columns, pick(g, 1000), m));
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
              word(g, "gain = 1.25;\nop_decl_const(1, \"double\", &gain);\n"
                      "(void)m0;\n(void)m1;\n(void)m2;\n(void)g0;\n(void)g1;\n"));
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
    inside = steps(g, &chain);
    inside = piece(g, arena_format(g->arena, "for (int turn = 0; turn < @; turn++) {\n@}\n"),
                   optional(g, "1", word(g, "%d", 2 + pick(g, 6))), inside);
    return piece(g, arena_format(g->arena, "@static void run_%d(void)\n{\n@@@}\n\n", g->kernel),
                 chain.kernels, declare, inside, shows(g));
}
