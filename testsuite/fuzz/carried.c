/* carried.c: statements that replace an extremum and what goes along with it (op_arg_info).
 *
 * Values and payloads are arbitrary: which element counts does not depend on the order. Each
 * statement sets the whole payload of the component that it replaces.
 */
#include "pass/ir/arena.h"
#include "testsuite/fuzz/fuzz.h"

static const struct argument *find(const struct generator *g)
{
    for (int a = 0; a < g->arguments; a++) {
        if (g->argument[a].better != NULL) {
            return &g->argument[a];
        }
    }
    return NULL;
}

struct piece *carry(struct generator *g)
{
    const struct argument *extremum = find(g);
    const char *type = extremum != NULL ? scalar_name[extremum->type] : NULL;
    const char *bound = new_name(g, "bound");
    const char *where = extremum != NULL ? extremum[1].name : NULL;

    if (extremum == NULL) {
        return NULL;
    }
    struct piece *at = subscript(g, extremum->dim, true);
    struct piece *declaration = piece(g, arena_format(g->arena, "const %s %s = @;\n", type, bound),
                                      expression(g, extremum->type, 3));
    struct piece *test = piece(
        g, arena_format(g->arena, "%s %s %s[@]", bound, extremum->better, extremum->name), at);
    struct piece *set =
        piece(g, arena_format(g->arena, "%s[@] = %s;\n", extremum->name, bound), at);
    struct piece *all = piece_list(g->arena, NULL);
    int each = extremum[1].dim / extremum->dim;

    for (int i = 0; i < each; i++) {
        piece_add(g->arena, all,
                  piece(g, arena_format(g->arena, "%s[%d * (@) + %d] = @;\n", where, each, i), at,
                        expression(g, SCALAR_INT, 2)));
    }
    if (chance(g, 25)) {
        test = piece(g, "(@) && @", condition(g, 1), test);
    }
    return optional(g, "", piece(g, "{\n@if (@) {\n@@}\n}\n", declaration, test, set, all));
}
