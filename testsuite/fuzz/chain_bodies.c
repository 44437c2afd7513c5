/* chain_bodies.c: kernels of chains. See fuzz.h.
 *
 * Dats hold whole numbers, so that all orders of elements, and joined loops, give the same bits. An
 * *inexact* chain rounds: its values have fractions, divisions and roots. What it computes then
 * depends on its values continuously (no value decides a branch) and stays small, so that another
 * order of additions changes results by little. */
#include "testsuite/fuzz/chain.h"

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

/* Values of two others. Those of inexact chains depend on them continuously. */
enum { FORMS = 8 };
static const char *const exact_form[FORMS] = {"(@ - @)",    "(0.5 * @ * @)", "OVER(@, @)",
                                              "fmax(@, @)", "mix(@, @)",     "(@ < @ ? x : 1.5)",
                                              "(@ + @)",    "(@ + @)"};
static const char *const plain_form[FORMS] = {
    "(@ - @)",           "(0.5 * @ * @)", "fmin(@, @)", "fmax(@, @)", "(@ / (3.0 + fabs(@)))",
    "(@ < @ ? x : 1.5)", "(@ + @)",       "(@ + @)"};
static const char *const smooth_form[FORMS] = {
    "(@ - @)",       "(0.3 * @ * @)", "OVER(@, @)", "fmax(@, @)", "(@ / sqrt(2.0 + fabs(@)))",
    "(@ + 0.7 * @)", "(@ + @)",       "(@ + @)"};
static const char *const smooth_plain_form[FORMS] = {
    "(@ - @)",       "(0.3 * @ * @)", "fmin(@, @)", "fmax(@, @)", "(@ / sqrt(2.0 + fabs(@)))",
    "(@ + 0.7 * @)", "(@ + @)",       "(@ + @)"};

static struct piece *value(struct generator *g, const struct chain_loop *loop, int depth)
{
    if (depth == 0) {
        return leaf(g, loop);
    }
    const bool plain = loop->body == BODY_PLAIN;
    const char *const *form =
        g->inexact ? (plain ? smooth_plain_form : smooth_form) : (plain ? plain_form : exact_form);
    struct piece *a = value(g, loop, depth - 1);
    struct piece *b = value(g, loop, depth - 1);
    return piece(g, form[pick(g, FORMS)], a, b);
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

/* A statement for each component of argument 0. */
static struct piece *all_of(struct generator *g, const struct chain_loop *loop, const char *format)
{
    struct piece *all = piece_list(g->arena, NULL);

    for (int c = 0; c < loop->part[0].dim; c++) {
        piece_add(g->arena, all, word(g, format, c, c));
    }
    return all;
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
    if (chance(g, 15) && loop->body != BODY_PLAIN) {
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
    if (loop->clears) {
        piece_add(g->arena, all, optional(g, "", all_of(g, loop, "a0[%d] = 0;\n")));
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

void chain_add_kernel(struct generator *g, struct chain *chain, const struct chain_loop *loop)
{
    struct piece *parameters = piece_list(g->arena, ", ");

    for (int p = 0; p < loop->parts; p++) {
        piece_add(g->arena, parameters, parameter(g, &loop->part[p], p));
    }
    piece_add(g->arena, chain->kernels,
              piece(g,
                    arena_format(g->arena, "static inline void chain_%d_%d(@)\n{\n@}\n", g->kernel,
                                 chain->loops),
                    parameters,
                    loop->body == BODY_COPY   ? all_of(g, loop, "a0[%d] = a1[%d];\n")
                    : loop->body == BODY_ZERO ? all_of(g, loop, "a0[%d] = 0;\n")
                                              : body_of(g, loop)));
}
