/* expressions.c: random expressions, of which none has a side effect or depends on how a compiler
 * rounds: the functions of libm that are used are exact. See fuzz.h. */
#include "testsuite/fuzz/fuzz.h"

#include <stddef.h>

const char *const scalar_name[SCALARS] = {"double", "float", "int"};

/* ---- places ---------------------------------------------------------------------------------- */

/* A variable that is always below count; NULL: none. */
static const struct variable *index_variable(struct generator *g, int count)
{
    for (int tries = 0; tries < 3 && g->variables > 0; tries++) {
        const struct variable *variable = &g->variable[pick(g, g->variables)];
        if (variable->below > 0 && variable->below <= count) {
            return variable;
        }
    }
    return NULL;
}

struct piece *subscript(struct generator *g, int count, bool plain)
{
    const struct variable *variable = index_variable(g, count);

    if (variable != NULL) {
        return optional(g, "0", word(g, "%s", variable->name));
    }
    bool often = g->for_lanes && !g->in_subscript;
    if (plain || chance(g, often ? 50 : 85)) {
        return word(g, "%d", pick(g, count));
    }
    bool outer = g->in_subscript;
    g->in_subscript = true;
    struct piece *number = expression(g, SCALAR_INT, 1);
    g->in_subscript = outer;
    return optional(g, "0", piece(g, arena_format(g->arena, "(@ & 0x3ff) %% %d", count), number));
}

struct piece *place(struct generator *g, const struct argument *argument, bool plain)
{
    const char *name = argument->name;

    if (argument->is_reference) {
        return word(g, "%s", name);
    }
    if (argument->kind == VECTOR) {
        struct piece *column = subscript(g, argument->columns, plain);
        return piece(g, arena_format(g->arena, "%s[@][@]", name), column,
                     subscript(g, argument->dim, plain));
    }
    if (argument->rows > 0) {
        struct piece *row = subscript(g, argument->rows, plain);
        return piece(g, arena_format(g->arena, "%s[@][@]", name), row,
                     subscript(g, argument->dim / argument->rows, plain));
    }
    if (argument->dim == 1 && chance(g, 50)) {
        return word(g, "(*%s)", name);
    }
    if (chance(g, 8)) {
        return piece(g, arena_format(g->arena, "(*(%s + @))", name),
                     subscript(g, argument->dim, true));
    }
    return piece(g, arena_format(g->arena, "%s[@]", name), subscript(g, argument->dim, plain));
}

/* ---- leaves ---------------------------------------------------------------------------------- */

static struct piece *literal(struct generator *g, enum scalar type)
{
    static const char *const doubles[] = {"0.0", "1.0", "0.5",  "(-2.25)",
                                          "3.0", "0.1", "1e-3", "7.5"};
    static const char *const floats[] = {"0.0f", "1.0f", "0.5f", "(-1.25f)", "2.0f", "0.1f"};

    if (type == SCALAR_INT) {
        return chance(g, 15) ? word(g, "%s", chance(g, 50) ? "LOW" : "HIGH")
                             : word(g, "%d", pick(g, 9));
    }
    return type == SCALAR_DOUBLE ? word(g, "%s", doubles[pick(g, 8)])
                                 : word(g, "%s", floats[pick(g, 6)]);
}

static struct piece *read_variable(struct generator *g, enum scalar type)
{
    for (int tries = 0; tries < 8 && g->variables > 0; tries++) {
        const struct variable *variable = &g->variable[pick(g, g->variables)];
        if (variable->is_struct) {
            if (type == SCALAR_FLOAT) {
                continue;
            }
            return word(g, "%s.%s", variable->name,
                        type == SCALAR_INT ? "n"
                        : chance(g, 50)    ? "x"
                                           : "y");
        }
        if (variable->type != type) {
            continue;
        }
        if (variable->length == 0) {
            return word(g, "%s", variable->name);
        }
        return piece(g, arena_format(g->arena, "%s[@]", variable->name),
                     subscript(g, variable->length, false));
    }
    return NULL;
}

static struct piece *read_argument(struct generator *g, enum scalar type)
{
    for (int tries = 0; tries < 8 && g->arguments > 0; tries++) {
        const struct argument *argument = &g->argument[pick(g, g->arguments)];
        bool is_direct = argument->kind == DIRECT;
        if (argument->type == type &&
            (argument->access == READ || (is_direct && argument->access == RW))) {
            return place(g, argument, false);
        }
    }
    return NULL;
}

static struct piece *read_constant(struct generator *g, enum scalar type)
{
    switch (type) {
    case SCALAR_DOUBLE:
        return chance(g, 50)
                   ? word(g, "gain")
                   : piece(g, "table[@][@]", subscript(g, 3, false), subscript(g, 4, false));
    case SCALAR_FLOAT:
        return piece(g, "weights[@]", subscript(g, 4, false));
    default:
        return chance(g, 50) ? word(g, "limit") : piece(g, "corner[@]", subscript(g, 8, false));
    }
}

static struct piece *leaf(struct generator *g, enum scalar type)
{
    int roll = pick(g, 100);
    struct piece *found = NULL;

    if (roll < 60) {
        found = read_argument(g, type);
    }
    if (found == NULL && roll < 85) {
        found = read_variable(g, type);
    }
    if (found == NULL && roll < 85) {
        found = read_argument(g, type);
    }
    if (found == NULL && roll < 93) {
        found = read_constant(g, type);
    }
    return found != NULL ? found : literal(g, type);
}

/* ---- operators ------------------------------------------------------------------------------- */

struct piece *condition(struct generator *g, int depth)
{
    static const char *const compare[] = {"@ < @", "@ > @", "@ <= @", "@ >= @"};
    enum scalar type = pick(g, SCALARS);
    int roll = pick(g, 10);
    struct piece *made;

    if (depth > 0 && roll == 0) {
        made = piece(g, "!(@)", condition(g, depth - 1));
    } else if (depth > 0 && roll < 3) {
        made = piece(g, roll == 1 ? "(@) && (@)" : "(@) || (@)", condition(g, depth - 1),
                     condition(g, depth - 1));
    } else if (roll < 5) {
        made =
            piece(g, "(@ & @) != 0", expression(g, SCALAR_INT, depth - 1), literal(g, SCALAR_INT));
    } else if (roll == 5) {
        made = piece(g, "@ == @", expression(g, SCALAR_INT, depth - 1), literal(g, SCALAR_INT));
    } else {
        made = piece(g, compare[pick(g, 4)], expression(g, type, depth - 1),
                     expression(g, type, depth - 1));
    }
    return optional(g, "1", made);
}

static struct piece *helper_call(struct generator *g, int depth)
{
    int h = g->helpers > 0 ? pick(g, g->helpers) : 0;

    if (g->helpers > 0 && !g->helper[h].is_push && chance(g, 60)) {
        return piece(g, arena_format(g->arena, "%s(@, @, @)", g->helper[h].name),
                     expression(g, SCALAR_DOUBLE, depth), expression(g, SCALAR_DOUBLE, depth),
                     expression(g, SCALAR_INT, depth));
    }
    if (chance(g, 30)) {
        return piece(g, "pair_area(pair_make(@, @))", expression(g, SCALAR_DOUBLE, depth),
                     expression(g, SCALAR_DOUBLE, depth));
    }
    return piece(g, "mix(@, @)", expression(g, SCALAR_DOUBLE, depth),
                 expression(g, SCALAR_DOUBLE, depth));
}

/* fmin and fmax may give either zero of two, so 0.0 is added. */
static struct piece *of_doubles(struct generator *g, int depth)
{
    static const char *const binary[] = {"(@ + @)",
                                         "(@ - @)",
                                         "(@ * @)",
                                         "OVER(@, @)",
                                         "(@ + 0.5 * @)",
                                         "(fmin(@, @) + 0.0)",
                                         "(fmax(@, @) + 0.0)",
                                         "MAX(@, @)",
                                         "MIN(@, @)"};
    static const char *const binary_cxx[] = {"std::max(@, @)", "std::min<double>(@, @)",
                                             "larger<double>(@, @)", "nearer(@, @)"};
    static const char *const unary[] = {"(-@)", "fabs(@)", "ROOT(@)", "floor(@)", "TWICE(@)"};
    static const char *const unary_cxx[] = {"std::abs(@)", "static_cast<double>(@)",
                                            "ROOT(std::fabs(@))"};
    const enum scalar type = SCALAR_DOUBLE;
    int roll = pick(g, 100);

    if (roll < 50) {
        bool own = g->is_cxx && chance(g, 20);
        return piece(g, own ? binary_cxx[chance(g, 95) ? pick(g, 3) : 3] : binary[pick(g, 9)],
                     expression(g, type, depth), expression(g, type, depth));
    }
    if (roll < 65) {
        bool own = g->is_cxx && chance(g, 30);
        return piece(g, own ? unary_cxx[pick(g, 3)] : unary[pick(g, 5)],
                     expression(g, type, depth));
    }
    if (roll < 78) {
        return piece(g, "(@ ? @ : @)", condition(g, depth), expression(g, type, depth),
                     expression(g, type, depth));
    }
    if (roll < 88) {
        return helper_call(g, depth);
    }
    return roll < 94 ? piece(g, "(double)@", expression(g, SCALAR_INT, depth))
                     : piece(g, "(@ * @)", expression(g, SCALAR_FLOAT, depth),
                             expression(g, type, depth));
}

static struct piece *of_floats(struct generator *g, int depth)
{
    static const char *const binary[] = {"(@ + @)", "(@ - @)", "(@ * @)", "MAX(@, @)",
                                         "OVERF(@, @)"};
    static const char *const unary[] = {"(-@)", "fabsf(@)", "ROOTF(@)", "(float)fabs(@)",
                                        "(float)ROOT(@)"};
    const enum scalar type = SCALAR_FLOAT;
    int roll = pick(g, 100);

    if (roll < 50) {
        return piece(g, binary[pick(g, 5)], expression(g, type, depth), expression(g, type, depth));
    }
    if (roll < 70) {
        return piece(g, unary[pick(g, 5)], expression(g, type, depth));
    }
    if (roll < 80) {
        return piece(g, "(@ ? @ : @)", condition(g, depth), expression(g, type, depth),
                     expression(g, type, depth));
    }
    return roll < 92 ? piece(g, "(float)@", expression(g, SCALAR_DOUBLE, depth))
                     : piece(g, "narrow(@, @)", expression(g, type, depth),
                             expression(g, SCALAR_DOUBLE, depth));
}

/* Factors are kept small, so that no sum overflows. */
static struct piece *of_ints(struct generator *g, int depth)
{
    static const char *const binary[] = {
        "(@ + @)", "(@ - @)", "(@ * (@ % 8))", "(@ ^ @)", "((@ & 15) << (@ & 3))", "(@ | (@ & 6))"};
    static const char *const unary[] = {"(-@)", "(@ % 5)", "(@ / 3)",
                                        "(~@)", "abs(@)",  "bump_int(@)"};
    const enum scalar type = SCALAR_INT;
    int roll = pick(g, 100);

    if (roll < 50) {
        return piece(g, binary[pick(g, 6)], expression(g, type, depth), expression(g, type, depth));
    }
    if (roll < 65) {
        return piece(g, unary[pick(g, 6)], expression(g, type, depth));
    }
    return roll < 80 ? piece(g, "to_int(@)", expression(g, SCALAR_DOUBLE, depth))
                     : piece(g, "(@ ? @ : @)", condition(g, depth), expression(g, type, depth),
                             expression(g, type, depth));
}

struct piece *expression(struct generator *g, enum scalar type, int depth)
{
    static const char *const simple[SCALARS] = {"1.5", "1.5f", "1"};
    static struct piece *(*const make[SCALARS])(struct generator *g,
                                                int depth) = {of_doubles, of_floats, of_ints};

    if (depth <= 0 || chance(g, 20)) {
        return optional(g, simple[type], leaf(g, type));
    }
    return optional(g, simple[type], make[type](g, depth - 1));
}

/* ---- whole values ---------------------------------------------------------------------------- */

static struct piece *whole_leaf(struct generator *g, double limit, int depth, double *magnitude)
{
    for (int tries = 0; tries < 6 && g->variables > 0; tries++) {
        const struct variable *variable = &g->variable[pick(g, g->variables)];
        if (variable->is_whole && variable->magnitude <= limit && chance(g, 70)) {
            *magnitude = variable->magnitude;
            return variable->length == 0 ? word(g, "%s", variable->name)
                                         : piece(g, arena_format(g->arena, "%s[@]", variable->name),
                                                 subscript(g, variable->length, false));
        }
    }
    if (limit >= 50 && chance(g, 80)) {
        *magnitude = 50;
        return piece(g, chance(g, 60) ? "WHOLE(@)" : "whole(@)",
                     expression(g, SCALAR_DOUBLE, depth));
    }
    if (limit >= 4 && chance(g, 60)) {
        *magnitude = 4;
        return piece(g, "(@ % 5)", expression(g, SCALAR_INT, depth));
    }
    *magnitude = 1;
    return chance(g, 50) ? word(g, "%s", chance(g, 50) ? "1.0" : "1")
                         : piece(g, "(@ ? 1 : -1)", condition(g, depth));
}

static struct piece *whole_product(struct generator *g, double limit, int depth, double *magnitude)
{
    double first;
    double second = 1;
    struct piece *a = whole(g, limit / 4, false, depth, &first);
    struct piece *b = whole(g, limit / first, false, depth, &second);

    *magnitude = first * second;
    return piece(g, "((double)@ * @)", a, b);
}

static struct piece *whole_scaled(struct generator *g, double limit, bool quarters, int depth,
                                  double *magnitude)
{
    static const char *const enlarged[] = {"(2.0 * @)", "(@ * 3.0)", "(-2 * @)", "(@ * 4)"};
    static const char *const divided[] = {"(0.5 * @)", "(@ / 4.0)", "(@ * -0.5)", "(0.25 * @)"};

    if (quarters) {
        return piece(g, divided[pick(g, 4)], whole(g, limit, false, depth, magnitude));
    }
    struct piece *value = whole(g, limit / 4, false, depth, magnitude);
    *magnitude *= 4;
    return piece(g, enlarged[pick(g, 4)], value);
}

struct piece *whole(struct generator *g, double limit, bool quarters, int depth, double *magnitude)
{
    int roll = depth > 0 && limit >= 8 ? pick(g, 100) : 0;
    double first;
    double second;
    struct piece *made;

    if (roll < 40) {
        return optional(g, "1.0", whole_leaf(g, limit, depth > 2 ? depth : 2, magnitude));
    }
    if (roll < 60) {
        struct piece *a = whole(g, limit / 2, quarters, depth - 1, &first);
        struct piece *b = whole(g, limit / 2, quarters, depth - 1, &second);
        *magnitude = first + second;
        made = piece(g, chance(g, 50) ? "(@ + @)" : "(@ - @)", a, b);
    } else if (roll < 70) {
        made = piece(g, "(-@)", whole(g, limit, quarters, depth - 1, magnitude));
    } else if (roll < 80) {
        made = whole_scaled(g, limit, quarters && chance(g, 50), depth - 1, magnitude);
    } else if (roll < 90) {
        struct piece *a = whole(g, limit, quarters, depth - 1, &first);
        struct piece *b = whole(g, limit, quarters, depth - 1, &second);
        *magnitude = first > second ? first : second;
        made = piece(g, "(@ ? @ : @)", condition(g, 1), a, b);
    } else {
        made = whole_product(g, limit, depth - 1, magnitude);
    }
    return optional(g, "1.0", made);
}
