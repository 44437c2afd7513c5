/* statements.c: random statements and blocks of them. Every variable has a value before it is read,
 * also when units are dropped, and every loop ends. See fuzz.h. */
#include "testsuite/fuzz/fuzz.h"

#include <stddef.h>

struct variable *declare(struct generator *g, const char *stem, enum scalar type)
{
    static struct variable spare;
    struct variable *variable =
        g->variables < MAX_VARIABLES ? &g->variable[g->variables++] : &spare;

    *variable = (struct variable){.name = new_name(g, stem), .type = type};
    return variable;
}

/* ---- variables ------------------------------------------------------------------------------- */

/* bool flag = c; */
static struct piece *flag(struct generator *g)
{
    struct piece *value = condition(g, 2);
    struct variable *variable = declare(g, "flag", SCALAR_INT);

    variable->below = 2;
    variable->is_constant = true;
    return optional(g, "",
                    piece(g,
                          arena_format(g->arena, "%s %s = (@);\n",
                                       chance(g, 50) ? "bool" : "const int", variable->name),
                          value));
}

static struct piece *declaration(struct generator *g)
{
    static const char *const integer[] = {"int", "int", "int", "long", "short"};
    static const char *const spelled[] = {"real", "double", "const double", "auto"};
    enum scalar type = pick(g, 5) < 3 ? SCALAR_DOUBLE : pick(g, SCALARS);
    struct piece *value = expression(g, type, 3);
    struct variable *variable = declare(g, "v", type);
    const char *name = variable->name;

    if (type == SCALAR_INT) {
        return optional(
            g, "",
            piece(g, arena_format(g->arena, "%s %s = @ %% 100;\n", integer[pick(g, 5)], name),
                  value));
    }
    int form = type == SCALAR_FLOAT ? 1 : pick(g, g->is_cxx ? 4 : 3);
    variable->is_constant = form == 2;
    return optional(
        g, "",
        piece(g,
              arena_format(g->arena, form == 3 ? "%s %s = (double)@;\n" : "%s %s = @;\n",
                           type == SCALAR_FLOAT ? "float" : spelled[form], name),
              value));
}

/* double t; if (c) { t = a; } else { t = b; } */
static struct piece *late_declaration(struct generator *g)
{
    enum scalar type = pick(g, 2);
    struct piece *choice = condition(g, 1);
    struct piece *first = expression(g, type, 3);
    struct piece *second = expression(g, type, 2);
    const char *name = declare(g, "late", type)->name;

    return optional(
        g, "",
        piece(g,
              arena_format(g->arena, "%s %s;\nif (@) {\n%s = @;\n} else {\n%s = @;\n}\n",
                           scalar_name[type], name, name, name),
              choice, first, second));
}

static struct variable *assignable(struct generator *g)
{
    for (int tries = 0; tries < 8 && g->variables > 0; tries++) {
        struct variable *variable = &g->variable[pick(g, g->variables)];
        if (!variable->is_constant && !variable->is_whole && variable->below == 0 &&
            !variable->is_struct) {
            return variable;
        }
    }
    return NULL;
}

static struct piece *assignment(struct generator *g)
{
    static const char *const form[] = {"@ = @;\n",  "@ += @;\n", "@ -= @;\n",
                                       "@ *= @;\n", "@ = @;\n",  "@ /= BELOW(@);\n"};
    const struct variable *variable = assignable(g);

    if (variable == NULL) {
        return declaration(g);
    }
    struct piece *to = variable->length == 0
                           ? word(g, "%s", variable->name)
                           : piece(g, arena_format(g->arena, "%s[@]", variable->name),
                                   subscript(g, variable->length, false));
    if (variable->type == SCALAR_INT) {
        return optional(g, "",
                        chance(g, 30)
                            ? piece(g, "@ = (@ + 1) % 100;\n", to, to)
                            : piece(g, "@ = @ % 100;\n", to, expression(g, SCALAR_INT, 2)));
    }
    return optional(g, "", piece(g, form[pick(g, 6)], to, expression(g, variable->type, 3)));
}

static struct piece *array(struct generator *g)
{
    enum scalar type = pick(g, 2);
    int length = 2 + pick(g, 4);
    struct piece *values = piece_list(g->arena, ", ");

    for (int i = 0; i < (chance(g, 60) ? length : 1); i++) {
        piece_add(g->arena, values, expression(g, type, 1));
    }
    struct variable *variable = declare(g, "list", type);
    variable->length = length;
    return optional(g, "",
                    piece(g,
                          arena_format(g->arena, "%s %s[%d] = {@};\n", scalar_name[type],
                                       variable->name, length),
                          values));
}

/* flux[i] = WHOLE(...), for all i. */
static struct piece *whole_loop(struct generator *g, const char *name, int length)
{
    int before = g->variables;
    struct variable *counter = declare(g, "i", SCALAR_INT);
    const char *index = counter->name;
    struct piece *value;

    counter->below = length;
    counter->is_constant = true;
    value = expression(g, SCALAR_DOUBLE, 2);
    g->variables = before;
    return piece(g,
                 arena_format(g->arena,
                              "double %s[%d];\nfor (int %s = 0; %s < %d; %s++) {\n"
                              "%s[%s] = WHOLE(@);\n}\n",
                              name, length, index, index, length, index, name, index),
                 value);
}

/* Numbers that later go to arguments, made by a helper or in a loop, as fluxes are. */
static struct piece *whole_array(struct generator *g)
{
    int length = 2 + pick(g, 3);
    const char *name = new_name(g, "flux");
    struct piece *made;

    if (chance(g, 60)) {
        made = whole_loop(g, name, length);
    } else {
        made = piece(g,
                     arena_format(g->arena, "double %s[%d];\nflux_of(@, @, %d, %s);\n", name,
                                  length, length, name),
                     expression(g, SCALAR_DOUBLE, 2), expression(g, SCALAR_DOUBLE, 2));
    }
    struct variable *variable = declare(g, "flux", SCALAR_DOUBLE);
    variable->name = name;
    variable->length = length;
    variable->is_whole = true;
    variable->magnitude = 50;
    return optional(g, "", made);
}

static struct piece *static_table(struct generator *g)
{
    struct variable *variable = declare(g, "fixed", SCALAR_DOUBLE);

    variable->length = 3;
    variable->is_constant = true;
    return optional(g, "",
                    word(g, "static const double %s[3] = {0.5, -%d, %d.25};\n", variable->name,
                         pick(g, 9), pick(g, 9)));
}

static struct piece *filled_array(struct generator *g)
{
    int length = 2 + pick(g, 4);
    int before = g->variables;
    struct variable *counter = declare(g, "i", SCALAR_INT);
    const char *index = counter->name;

    counter->below = length;
    counter->is_constant = true;
    struct piece *value = expression(g, SCALAR_DOUBLE, 2);
    g->variables = before;
    struct variable *variable = declare(g, "list", SCALAR_DOUBLE);
    variable->length = length;
    return optional(
        g, "",
        piece(g,
              arena_format(
                  g->arena, "double %s[%d];\nfor (int %s = 0; %s < %d; %s++) {\n%s[%s] = @;\n}\n",
                  variable->name, length, index, index, length, index, variable->name, index),
              value));
}

/* double sum = 0; for (...) { sum += whole; }: then whole too, with as many times the magnitude. */
static struct piece *accumulation(struct generator *g)
{
    int count = 2 + pick(g, 3);
    int before = g->variables;
    struct variable *counter = declare(g, "i", SCALAR_INT);
    const char *index = counter->name;
    double magnitude;

    counter->below = count;
    counter->is_constant = true;
    struct piece *value = whole(g, 50, false, 2, &magnitude);
    g->variables = before;
    struct variable *variable = declare(g, "sum", SCALAR_DOUBLE);
    variable->is_whole = true;
    variable->magnitude = magnitude * count;
    return optional(
        g, "",
        piece(g,
              arena_format(g->arena,
                           "double %s = 0.0;\nfor (int %s = 0; %s < %d; ++%s) {\n%s += @;\n}\n",
                           variable->name, index, index, count, index, variable->name),
              value));
}

static struct piece *structure(struct generator *g)
{
    struct piece *x = expression(g, SCALAR_DOUBLE, 2);
    struct piece *y = expression(g, SCALAR_DOUBLE, 2);
    struct variable *variable = declare(g, "pair", SCALAR_DOUBLE);
    const char *name = variable->name;

    variable->is_struct = true;
    if (chance(g, 40)) {
        return optional(
            g, "",
            piece(g, arena_format(g->arena, "struct pair %s = pair_make(@, @);\n", name), x, y));
    }
    struct piece *turn = optional(
        g, "", word(g, chance(g, 50) ? "pair_turn(&%s);\n" : "%s.x = 2 * %s.y;\n", name, name));
    return optional(
        g, "",
        piece(g, arena_format(g->arena, "struct pair %s = {@, @, 3};\n@", name), x, y, turn));
}

/* ---- side effects inside expressions, and other names of variables -----------------------------
 */

static struct variable *scalar_double(struct generator *g)
{
    struct variable *variable = assignable(g);

    return variable != NULL && variable->type == SCALAR_DOUBLE && variable->length == 0 ? variable
                                                                                        : NULL;
}

static struct piece *side_effect(struct generator *g)
{
    const struct variable *one = scalar_double(g);
    const struct variable *two = scalar_double(g);
    enum scalar type = SCALAR_DOUBLE;

    if (one == NULL || two == NULL || one == two) {
        return NULL;
    }
    const char *a = one->name;
    const char *b = two->name;
    switch (pick(g, 5)) {
    case 0:
        return optional(
            g, "",
            piece(g, arena_format(g->arena, "%s = %s = @;\n", a, b), expression(g, type, 2)));
    case 1:
        return optional(
            g, "",
            piece(g,
                  arena_format(g->arena, "if ((%s = @) > @ && (%s = @) < @) {\n%s += 1;\n}\n", a, b,
                               a),
                  expression(g, type, 2), expression(g, type, 1), expression(g, type, 2),
                  expression(g, type, 1)));
    case 2:
        return optional(g, "", word(g, "swap(&%s, &%s);\n", a, b));
    case 3:
        return optional(
            g, "",
            piece(g, arena_format(g->arena, "{\ndouble *p = &%s;\n*p += @;\n%s -= *p;\n}\n", a, b),
                  expression(g, type, 2)));
    default:
        return optional(g, "",
                        piece(g,
                              arena_format(g->arena,
                                           "{\nint n = 1;\ndouble of[4] = {@, %s};\nof[n++] = @;\n"
                                           "of[++n] = %s;\n%s = of[n--] - of[n];\n}\n",
                                           b, b, a),
                              expression(g, type, 1), expression(g, type, 2)));
    }
}

/* An inner variable that has the name of an outer one. */
static struct piece *shadow(struct generator *g)
{
    const struct variable *variable = scalar_double(g);

    if (variable == NULL) {
        return NULL;
    }
    const char *name = variable->name;
    struct piece *inside = inner(g, 1 + pick(g, 3));
    return optional(g, "",
                    piece(g,
                          arena_format(g->arena, "{\ndouble %s = %d.5;\n%s += gain;\n@}\n", name,
                                       pick(g, 5), name),
                          inside));
}

/* A matrix, and a pointer that runs through it. */
static struct piece *matrix(struct generator *g)
{
    const char *name = new_name(g, "m");
    struct piece *a = expression(g, SCALAR_DOUBLE, 1);
    struct piece *b = expression(g, SCALAR_DOUBLE, 2);
    struct piece *row = subscript(g, 2, false);
    struct piece *column = subscript(g, 3, false);
    struct variable *trace = declare(g, "trace", SCALAR_DOUBLE);

    return optional(
        g, "",
        piece(g,
              arena_format(g->arena,
                           "double %s[2][3] = {{@, 1.0}, {2.0, 3.0, 4.5}};\n%s[@][@] += @;\n"
                           "double %s = 0.0;\nconst double *%sp = &%s[0][0];\n"
                           "for (int i = 0, j = 5; i < j; i++, j--) {\n"
                           "%s += *%sp++ - %s[j / 3][j %% 3];\n}\n",
                           name, name, trace->name, name, name, trace->name, name, name),
              a, row, column, b));
}

/* ---- all ------------------------------------------------------------------------------------- */

/* A statement of its kind, or NULL where the kernel has nothing for it. */
static const struct {
    struct piece *(*make)(struct generator *g);
    int weight;
    bool nests;
    int lane_weight; /* in kernels for lanes */
} kinds[] = {
    {declaration, 16, false, 16},   {late_declaration, 4, false, 4},
    {assignment, 12, false, 12},    {array, 4, false, 0},
    {filled_array, 3, false, 0},    {accumulation, 5, false, 5},
    {side_effect, 5, false, 0},     {shadow, 3, true, 3},
    {matrix, 3, false, 0},          {flag, 4, false, 4},
    {whole_array, 6, false, 0},     {static_table, 2, false, 2},
    {spread, 6, false, 2},          {structure, 4, false, 2},
    {choice, 11, true, 11},         {selection, 4, true, 0},
    {counted_loop, 9, true, 9},     {run_time_loop, 6, true, 1},
    {leave, 5, false, 5},           {nested_leave, 3, true, 3},
    {increment, 20, false, 20},     {paired_increments, 9, false, 9},
    {extremum, 8, false, 8},        {store, 8, false, 8},
    {in_place_update, 8, false, 8}, {alias, 5, false, 1},
    {push_call, 6, false, 2},       {optional_update, 8, false, 8},
    {optional_update, 8, false, 8}, {lane_loop, 0, true, 25},
};

static int weight_of(const struct generator *g, int k)
{
    return g->for_lanes ? kinds[k].lane_weight : kinds[k].weight;
}

static struct piece *statement(struct generator *g)
{
    enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };
    int total = 0;
    struct piece *made = NULL;

    for (int k = 0; k < KINDS; k++) {
        total += weight_of(g, k);
    }
    while (made == NULL) {
        int roll = pick(g, total);
        int k = 0;
        while (roll >= weight_of(g, k)) {
            roll -= weight_of(g, k++);
        }
        if (!kinds[k].nests || (g->depth < MAX_DEPTH && g->times < 20)) {
            made = kinds[k].make(g);
        }
    }
    return made;
}

struct piece *statements(struct generator *g, int count)
{
    struct piece *list = piece_list(g->arena, NULL);

    for (int n = 0; n < count; n++) {
        piece_add(g->arena, list, statement(g));
    }
    return list;
}
