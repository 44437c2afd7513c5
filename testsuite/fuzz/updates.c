/* updates.c: random statements that modify a kernel's arguments, in the forms that programs use.
 * Each is such that the order of the elements does not matter. See fuzz.h. */
#include "testsuite/fuzz/fuzz.h"

#include <stddef.h>

/* The most that one update may add if every sum of a point is to be exact: 300 elements, 8 columns
 * and some dozen increments meet in one point. */
static double limit_of(const struct generator *g, enum scalar type)
{
    static const double limits[SCALARS] = {1e6, 200, 1e4};
    double limit = limits[type] / g->times;

    return limit < 1 ? 1 : limit;
}

static bool is_in_place(const struct argument *argument)
{
    return (argument->access == WRITE || argument->access == RW) &&
           (argument->kind == INDIRECT || argument->kind == VECTOR);
}

const struct argument *any_argument(struct generator *g, unsigned accesses, bool is_direct)
{
    const struct argument *found[MAX_ARGUMENTS];
    int count = 0;

    for (int a = 0; a < g->arguments; a++) {
        const struct argument *argument = &g->argument[a];
        bool wanted = (accesses >> argument->access & 1) != 0 && argument->kind != NUMBER;
        if (wanted && (!is_direct || argument->kind == DIRECT)) {
            found[count++] = argument;
        }
    }
    return count > 0 ? found[pick(g, count)] : NULL;
}

/* ---- increments ------------------------------------------------------------------------------ */

/* Integers get integer increments. */
static struct piece *added(struct generator *g, const struct argument *argument, double limit,
                           bool quarters)
{
    double magnitude;
    bool integral = argument->type == SCALAR_INT;
    struct piece *value = whole(g, limit, quarters && !integral, 2, &magnitude);

    return integral ? piece(g, "(int)@", value) : value;
}

static struct piece *add_value(struct generator *g, struct piece *to, struct piece *value)
{
    bool fault = g->fault != NULL;

    switch (pick(g, 8)) {
    case 0:
        return piece(g, "@ = @ + @;\n", to, to, value);
    case 1:
        return piece(g, "@ = @ + @;\n", to, value, to);
    case 2:
        return piece(g, "@ = @ - @;\n", to, to, value);
    case 3:
    case 4:
        return piece(g, fault ? "@ FUZZ_MINUS @;\n" : "@ -= @;\n", to, value);
    default:
        return piece(g, "@ += @;\n", to, value);
    }
}

struct piece *increment_of(struct generator *g, const struct argument *argument)
{
    static const char *const by_one[] = {"++@;\n", "@++;\n", "--@;\n", "@ += 1;\n"};
    double limit = limit_of(g, argument->type);
    struct piece *to = place(g, argument, true);

    if (chance(g, 8)) {
        return optional(g, "", piece(g, by_one[pick(g, 4)], to));
    }
    if (chance(g, 10)) { /* anything may be the subscript, but then it must be there once */
        struct piece *anywhere = place(g, argument, false);
        return optional(g, "", piece(g, "@ += @;\n", anywhere, added(g, argument, limit, false)));
    }
    return optional(g, "", add_value(g, to, added(g, argument, limit, chance(g, 20))));
}

struct piece *increment(struct generator *g)
{
    const struct argument *argument = any_argument(g, 1u << INC, false);

    return argument != NULL ? increment_of(g, argument) : NULL;
}

/* Multiples of a few values go to several places. */
struct piece *paired_increments(struct generator *g)
{
    struct piece *all = piece_list(g->arena, NULL);
    const struct argument *argument = any_argument(g, 1u << INC, false);
    double magnitude;

    if (argument == NULL) {
        return NULL;
    }
    for (int n = 1 + pick(g, 2); n > 0; n--) {
        enum scalar type = pick(g, 4) == 0 ? argument->type : SCALAR_DOUBLE;
        struct piece *value = whole(g, limit_of(g, argument->type) / 8, false, 3, &magnitude);
        struct variable *variable = declare(g, "w", type);
        variable->is_whole = true;
        variable->is_constant = true;
        variable->magnitude = magnitude;
        piece_add(g->arena, all,
                  optional(g, "",
                           piece(g,
                                 arena_format(g->arena, "const %s %s = @;\n", scalar_name[type],
                                              variable->name),
                                 value)));
    }
    for (int n = 2 + pick(g, 4); n > 0; n--) {
        static const char *const form[] = {"@", "-@", "2.0 * @", "@ / 2", "3 * @", "-0.5 * @"};
        const struct variable *first =
            &g->variable[g->variables - 1 - pick(g, g->variables > 1 ? 2 : 1)];
        argument = any_argument(g, 1u << INC, false);
        struct piece *to = place(g, argument, true);
        if (!first->is_whole || first->length > 0 ||
            first->magnitude > limit_of(g, argument->type) / 4) {
            piece_add(g->arena, all, increment_of(g, argument));
            continue;
        }
        bool exact = argument->type != SCALAR_INT && first->type != SCALAR_INT;
        static const int integral[] = {0, 1, 2, 4};
        int f = exact ? pick(g, 6) : integral[pick(g, 4)];
        struct piece *value = piece(g, form[f], word(g, "%s", first->name));
        piece_add(g->arena, all,
                  optional(g, "",
                           add_value(g, to,
                                     piece(g, argument->type == SCALAR_INT ? "(int)(@)" : "(@)",
                                           value))));
    }
    return all;
}

static const char *cast_to(const struct argument *argument)
{
    return argument->type == SCALAR_INT ? "(int)" : "";
}

/* An array of fluxes goes to one or two arguments, component by component. */
struct piece *spread(struct generator *g)
{
    const struct argument *to = any_argument(g, 1u << INC, false);
    const struct argument *from = any_argument(g, 1u << INC, false);
    const struct variable *flux = NULL;

    for (int v = 0; v < g->variables; v++) {
        const struct variable *variable = &g->variable[v];
        if (variable->length > 0 && variable->is_whole &&
            variable->magnitude <= limit_of(g, SCALAR_FLOAT)) {
            flux = variable;
        }
    }
    if (to == NULL || flux == NULL || flux->length > to->dim || flux->length > from->dim ||
        to->kind == VECTOR || from->kind == VECTOR || to->rows > 0 || from->rows > 0) {
        return NULL;
    }
    const char *index = new_name(g, "k");
    const char *text = arena_format(g->arena, "for (int %s = 0; %s < %d; %s++) {\n@@}\n", index,
                                    index, flux->length, index);
    struct piece *first =
        word(g, "%s[%s] += %s%s[%s];\n", to->name, index, cast_to(to), flux->name, index);
    struct piece *second =
        word(g, "%s[%s] -= %s%s[%s];\n", from->name, index, cast_to(from), flux->name, index);
    return optional(g, "", piece(g, text, optional(g, "", first), optional(g, "", second)));
}

/* An argument that is there only when the flag, which is argument 0 then, is set. */
struct piece *optional_update(struct generator *g)
{
    const struct argument *argument = any_argument(g, 1u << MAYBE, false);
    struct argument there;

    if (argument == NULL) {
        return NULL;
    }
    there = *argument;
    there.access = INC;
    return optional(g, "",
                    piece(g, arena_format(g->arena, "if (%s[0]) {\n@}\n", g->flag_name),
                          increment_of(g, &there)));
}

/* ---- minimum and maximum --------------------------------------------------------------------- */

static struct piece *lower(struct generator *g, struct piece *to, struct piece *value,
                           enum scalar type, bool up)
{
    bool floating = type != SCALAR_INT;

    switch (pick(g, g->is_cxx ? 7 : 6)) {
    case 0:
        return piece(g, up ? "if (@ < @) {\n@ = @;\n}\n" : "if (@ > @) {\n@ = @;\n}\n", to, value,
                     to, value);
    case 1:
        return piece(g, up ? "if (@ > @) {\n@ = @;\n}\n" : "if (@ < @) {\n@ = @;\n}\n", value, to,
                     to, value);
    case 2:
        return piece(g, up ? "@ = @ > @ ? @ : @;\n" : "@ = @ < @ ? @ : @;\n", to, to, value, to,
                     value);
    case 3:
        return piece(g, up ? "@ = MAX(@, @);\n" : "@ = MIN(@, @);\n", to, to, value);
    case 6:
        return piece(g, up ? "@ = std::max(@, @);\n" : "@ = std::min(@, @);\n", to, to, value);
    default:
        if (!floating) {
            return piece(g, up ? "@ = MAX(@, @);\n" : "@ = MIN(@, @);\n", to, value, to);
        }
        return piece(g, up ? "@ = fmax(@, @);\n" : "@ = fmin(@, @);\n", to, to, value);
    }
}

/* A variable with the value, for the forms that name it twice; no negative zero. */
static struct piece *lowered(struct generator *g, const struct argument *argument, bool up)
{
    double magnitude;
    struct piece *value = whole(g, 1000, false, 2, &magnitude);
    const char *name = new_name(g, "bound");
    struct piece *declaration =
        piece(g,
              arena_format(g->arena, "const %s %s = (%s)(@ + 0.0);\n", scalar_name[argument->type],
                           name, scalar_name[argument->type]),
              value);

    return optional(
        g, "",
        piece(g, "{\n@@}\n", declaration,
              lower(g, place(g, argument, true), word(g, "%s", name), argument->type, up)));
}

struct piece *extremum(struct generator *g)
{
    struct piece *carried = carry(g);
    const struct argument *argument;

    if (carried != NULL && chance(g, 50)) {
        return carried;
    }
    argument = any_argument(g, 1u << MINIMUM | 1u << MAXIMUM, false);
    return argument != NULL ? lowered(g, argument, argument->access == MAXIMUM) : NULL;
}

/* ---- in place -------------------------------------------------------------------------------- */

struct piece *in_place_update(struct generator *g)
{
    const struct argument *argument = any_argument(g, 1u << WRITE | 1u << RW, false);
    double magnitude;

    if (argument == NULL || !is_in_place(argument)) {
        return NULL;
    }
    struct piece *to = place(g, argument, true);
    switch (argument->in_place) {
    case PUT_CONSTANT:
        return optional(g, "", piece(g, "@ = 7;\n", to));
    case ADD_WHOLE:
        return optional(g, "",
                        piece(g, chance(g, 50) ? "@ += @;\n" : "@ -= @;\n", to,
                              whole(g, limit_of(g, argument->type), false, 2, &magnitude)));
    default:
        return lowered(g, argument, true);
    }
}

struct piece *store(struct generator *g)
{
    static const char *const form[] = {"@ = @;\n", "@ = @;\n", "@ += @;\n", "@ *= @;\n"};
    const struct argument *argument = any_argument(g, 1u << WRITE | 1u << RW, true);

    if (argument == NULL) {
        return NULL;
    }
    if (argument->type == SCALAR_INT) {
        return optional(
            g, "",
            piece(g, "@ = @ % 100;\n", place(g, argument, false), expression(g, SCALAR_INT, 3)));
    }
    return optional(g, "",
                    piece(g, form[pick(g, argument->access == RW ? 4 : 2)],
                          place(g, argument, false), expression(g, argument->type, 3)));
}

/* ---- other names of arguments ---------------------------------------------------------------- */

/* A pointer to what the argument or one of its rows holds. */
static struct piece *pointer_to(struct generator *g, const struct argument *argument)
{
    if (argument->is_reference) {
        return word(g, "&%s", argument->name);
    }
    if (argument->kind == VECTOR) {
        return piece(g, arena_format(g->arena, "%s[@]", argument->name),
                     subscript(g, argument->columns, true));
    }
    if (argument->rows > 0) {
        return word(g, "&%s[0][0]", argument->name);
    }
    return chance(g, 50) ? word(g, "%s", argument->name) : word(g, "&%s[0]", argument->name);
}

static struct piece *read_alias(struct generator *g, const struct argument *argument)
{
    struct piece *pointer = pointer_to(g, argument);
    struct variable *variable = declare(g, "from", argument->type);

    variable->length = argument->dim;
    variable->is_constant = true;
    return optional(g, "",
                    piece(g,
                          arena_format(g->arena, "const %s *%s = @;\n", scalar_name[argument->type],
                                       variable->name),
                          pointer));
}

/* double *both[2] = {a, b}; and a loop over them. */
static struct piece *array_alias(struct generator *g, const struct argument *first)
{
    const struct argument *second = first;
    const char *name = new_name(g, "both");
    const char *counter = new_name(g, "k");

    for (int tries = 0; tries < 8; tries++) {
        const struct argument *other = any_argument(g, 1u << INC, false);
        if (other->type == first->type) {
            second = other;
        }
    }
    const char *text =
        arena_format(g->arena,
                     "{\n%s *%s[2] = {@, @};\nfor (int %s = 0; %s < 2; %s++) "
                     "{\n%s[%s][0] += @;\n}\n}\n",
                     scalar_name[first->type], name, counter, counter, counter, name, counter);
    struct piece *from = pointer_to(g, first);
    struct piece *to = pointer_to(g, second);
    return optional(g, "",
                    piece(g, text, from, to, added(g, first, limit_of(g, first->type) / 2, false)));
}

/* A pointer to one of two arguments, which depends on the element. */
static struct piece *either_alias(struct generator *g, const struct argument *first)
{
    const struct argument *second = any_argument(g, 1u << INC, false);
    struct argument target = {
        .kind = POINTER, .access = INC, .type = first->type, .dim = 1, .name = new_name(g, "one")};

    if (second->type != first->type) {
        return NULL;
    }
    struct piece *when = condition(g, 1);
    struct piece *one = pointer_to(g, first);
    struct piece *other = pointer_to(g, second);
    return optional(g, "",
                    piece(g,
                          arena_format(g->arena, "{\n%s *%s = @ ? @ : @;\n@}\n",
                                       scalar_name[first->type], target.name),
                          when, one, other, increment_of(g, &target)));
}

struct piece *alias(struct generator *g)
{
    const struct argument *argument = any_argument(g, 1u << INC | 1u << READ, false);
    struct piece *pointer;

    if (argument == NULL) {
        return NULL;
    }
    if (argument->access == READ) {
        return read_alias(g, argument);
    }
    if (chance(g, 6)) {
        return either_alias(g, argument);
    }
    if (chance(g, 30)) {
        return array_alias(g, argument);
    }
    struct argument target = *argument;
    target.kind = POINTER;
    target.is_reference = false;
    target.rows = 0;
    target.name = new_name(g, "to");
    pointer = pointer_to(g, argument);
    struct piece *first = increment_of(g, &target);
    struct piece *second = chance(g, 50) ? increment_of(g, &target) : piece(g, "");
    return optional(g, "",
                    piece(g,
                          arena_format(g->arena, "{\n%s *%s = @;\n@@}\n", scalar_name[target.type],
                                       target.name),
                          pointer, first, second));
}

struct piece *push_call(struct generator *g)
{
    const struct argument *argument = any_argument(g, 1u << INC, false);
    const struct helper *helper = g->helpers > 0 ? &g->helper[pick(g, g->helpers)] : NULL;
    double magnitude;
    bool fits = argument != NULL && helper != NULL && helper->is_push &&
                argument->type == SCALAR_DOUBLE && argument->dim >= helper->dim;

    if (!fits) {
        return NULL;
    }
    struct piece *to = helper->dim == 0 ? place(g, argument, true) : pointer_to(g, argument);
    struct piece *value = whole(g, 50, false, 2, &magnitude);
    return optional(g, "",
                    piece(g, arena_format(g->arena, "%s(@, @, @);\n", helper->name), to, value,
                          expression(g, SCALAR_INT, 1)));
}
