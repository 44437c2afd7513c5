/* control.c: random statements that decide which others run, and how often. Every loop ends. See
 * fuzz.h. */
#include "testsuite/fuzz/fuzz.h"

#include <stddef.h>

struct piece *inner(struct generator *g, int count)
{
    int before = g->variables;
    struct piece *block;

    g->depth++;
    block = statements(g, count);
    g->depth--;
    g->variables = before;
    return block;
}

struct piece *choice(struct generator *g)
{
    struct piece *when = condition(g, 2);
    struct piece *first = inner(g, 1 + pick(g, 3));

    if (chance(g, 50)) {
        return optional(g, "", optional_kid(g, 1, piece(g, "if (@) {\n@}\n", when, first)));
    }
    if (chance(g, 25)) {
        struct piece *other = condition(g, 1);
        struct piece *second = inner(g, 1 + pick(g, 2));
        return optional(g, "",
                        piece(g, "if (@) {\n@} else if (@) {\n@} else {\n@}\n", when, first, other,
                              second, inner(g, 1)));
    }
    struct piece *second = inner(g, 1 + pick(g, 3));
    struct piece *both =
        optional_kid(g, 1, piece(g, "if (@) {\n@} else {\n@}\n", when, first, second));
    return optional(g, "", both);
}

struct piece *selection(struct generator *g)
{
    struct piece *of = expression(g, SCALAR_INT, 2);
    struct piece *cases = piece_list(g->arena, NULL);
    int count = 2 + pick(g, 3);

    for (int c = 0; c < count; c++) {
        const char *label = c == 1 ? "case HIGH" : arena_format(g->arena, "case %d", c + (c > 2));
        bool falls = chance(g, 30);
        piece_add(g->arena, cases,
                  piece(g, arena_format(g->arena, "%s:\n@%s", label, falls ? "" : "break;\n"),
                        piece(g, "{\n@}\n", inner(g, 1 + pick(g, 2)))));
    }
    if (chance(g, 60)) {
        piece_add(g->arena, cases,
                  piece(g, "default:\n@", piece(g, "{\n@}\n", inner(g, 1 + pick(g, 2)))));
    } else {
        piece_add(g->arena, cases, piece(g, "default:\nbreak;\n"));
    }
    return optional(g, "", piece(g, "switch (@ & 3) {\n@}\n", of, cases));
}

/* The body of a loop of at most `count` turns. */
static struct piece *body(struct generator *g, int count)
{
    double times = g->times;
    struct piece *made;

    g->times *= count;
    g->loops++;
    made = inner(g, 1 + pick(g, 3));
    g->loops--;
    g->times = times;
    return made;
}

struct piece *counted_loop(struct generator *g)
{
    int count = 1 + pick(g, 4);
    int before = g->variables;
    struct variable *counter = declare(g, "i", SCALAR_INT);
    const char *index = counter->name;

    counter->below = count;
    counter->is_constant = true;
    counter->is_whole = true;
    counter->magnitude = count;
    bool back = chance(g, 15);
    struct piece *inside = body(g, count);
    g->variables = before;
    const char *text = back ? arena_format(g->arena, "for (int %s = %d; %s >= 0; %s--) {\n@}\n",
                                           index, count - 1, index, index)
                            : arena_format(g->arena, "for (int %s = 0; %s < %d; %s++) {\n@}\n",
                                           index, index, count, index);
    return optional(g, "", piece(g, text, inside));
}

struct piece *run_time_loop(struct generator *g)
{
    static const char *const text[] = {
        "for (int %s = 0; %s < (@ & 3); %s++) {\n@}\n",
        "int %s = @ & 3;\nwhile (%s-- > 0) {\n@}\n",
        "int %s = @ & 3;\ndo {\n@} while (--%s > 0);\n",
    };
    int form = pick(g, 3);
    bool of_limit = chance(g, 30);
    struct piece *count = of_limit ? word(g, "limit") : expression(g, SCALAR_INT, 2);
    int before = g->variables;
    const char *index;

    struct variable *counter = declare(g, "n", SCALAR_INT);
    index = counter->name;
    counter->is_constant = true;
    if (form != 0) {
        g->variables = before; /* what it holds inside is not worth knowing */
    } else {
        counter->below = 3;
    }
    struct piece *inside = body(g, 3);
    g->variables = before;
    if (form == 0) {
        return optional(
            g, "", piece(g, arena_format(g->arena, text[0], index, index, index), count, inside));
    }
    return optional(g, "",
                    piece(g, arena_format(g->arena, text[form], index, index), count, inside));
}

struct piece *lane_loop(struct generator *g)
{
    static const char *const text[] = {
        "for (int %s = 0; %s < (@ & 3); %s += 1) {\n@if (@) {\n%s;\n}\n@}\n",
        "int %s = @ & 3;\nwhile (%s > 0) {\n%s -= 1;\n@if (@) {\n%s;\n}\n@}\n",
        "int %s = 0;\ndo {\n%s += 1;\n@if (@) {\n%s;\n}\n@} while (%s < (@ & 3));\n",
    };
    int form = pick(g, 3);
    const char *jump = chance(g, 60) ? "break" : "continue";
    struct piece *count = chance(g, 15) ? word(g, "limit") : expression(g, SCALAR_INT, 2);
    const char *n = new_name(g, "n");
    struct piece *first = body(g, 3);
    struct piece *when = condition(g, 1);
    struct piece *second = body(g, 3);

    if (form == 2) {
        return optional(
            g, "",
            piece(g, arena_format(g->arena, text[2], n, n, jump, n), first, when, second, count));
    }
    return optional(
        g, "",
        piece(g, arena_format(g->arena, text[form], n, n, n, jump), count, first, when, second));
}

/* return, under a condition. */
static struct piece *leave_function(struct generator *g)
{
    const char *back = g->fault != NULL ? "FUZZ_RETURN" : "return;";
    struct piece *when = condition(g, 1);

    if (g->returns_value) {
        return optional(
            g, "", piece(g, "if (@) {\nreturn @;\n}\n", when, expression(g, SCALAR_DOUBLE, 2)));
    }
    return optional(g, "", piece(g, arena_format(g->arena, "if (@) {\n%s\n}\n", back), when));
}

struct piece *leave(struct generator *g)
{
    if (g->loops == 0 || chance(g, 50)) {
        return leave_function(g);
    }
    return optional(g, "",
                    piece(g, chance(g, 50) ? "if (@) {\nbreak;\n}\n" : "if (@) {\ncontinue;\n}\n",
                          condition(g, 1)));
}

/* A search: two loops, of which the inner one may return, with work before and behind. */
struct piece *nested_leave(struct generator *g)
{
    struct piece *count = expression(g, SCALAR_INT, 1);
    const char *outer = new_name(g, "n");
    const char *text = arena_format(g->arena, "for (int %s = 0; %s < (@ & 3); %s++) {\n@@@}\n",
                                    outer, outer, outer);
    int before = g->variables;
    struct variable *counter = declare(g, "i", SCALAR_INT);
    const char *index = counter->name;
    struct piece *inside = piece_list(g->arena, NULL);
    double times = g->times;

    counter->below = 3;
    counter->is_constant = true;
    g->times *= 9;
    g->loops += 2;
    piece_add(g->arena, inside, inner(g, 1));
    piece_add(g->arena, inside, leave_function(g));
    piece_add(g->arena, inside, inner(g, 1));
    g->loops--;
    const char *head =
        chance(g, 50)
            ? arena_format(g->arena, "for (int %s = 0; %s < 3; %s++) {\n@}\n", index, index, index)
            : arena_format(g->arena, "int %s = 0;\nwhile (%s < 2) {\n%s++;\n@}\n", index, index,
                           index);
    struct piece *loop = optional(g, "", piece(g, head, inside));
    g->variables = before;
    struct piece *first = inner(g, 1);
    struct piece *last = inner(g, 1 + pick(g, 2));
    g->loops--;
    g->times = times;
    return optional(g, "", piece(g, text, count, first, loop, last));
}
