/* legality.c: which loops may be computed together, element by element.
 *
 * Members of a group run over one set. A loop A before a loop B leaves every element's result
 * unchanged, whatever the order of elements, if no value that one element writes is read or written
 * by another element of the other loop. For a dat that both use:
 *
 *     A \ B        read      read map   write     add map    min map
 *     read         yes       yes        yes       no         no
 *     read map     yes       yes        no        no         no
 *     write        yes       no         yes       no         no
 *     add map      no        no         no        yes        no
 *     min map      no        no         no        no         yes (max with max)
 *
 * "map": through a map; else direct, where only the element itself has the record.
 */
#include <string.h>

#include "pass/ir/arena.h"
#include "runtime/api/cleave_gen.h"
#include "splitter/group/group_impl.h"

/* ---- loops alone --------------------------------------------------------------------------------
 */

void traits_find(struct traits *traits, const struct program *program)
{
    traits->program = program;
    traits->of = arena_alloc(program->arena, (size_t)program->functions * sizeof(*traits->of));
    for (int f = 0; f < program->functions; f++) {
        const struct function *function = program->function[f];

        if (function->kind == FUNCTION_USER && function->body == NULL) {
            traits->of[f] |= TRAIT_TEXT;
        }
        for (int c = 0; c < function->callees; c++) {
            traits->of[f] |= traits_of(traits, function->callee[c]);
        }
    }
}

unsigned traits_of(const struct traits *traits, const struct function *function)
{
    const struct program *program = traits->program;

    for (int f = 0; f < program->functions; f++) {
        if (program->function[f] == function) {
            return traits->of[f];
        }
    }
    return function->kind == FUNCTION_PRINT ? TRAIT_PRINTS : 0;
}

static const char *arg_why_alone(const struct arg *arg)
{
    if (arg->is_work) {
        return "works in memory of OP_WORK";
    }
    if (arg->is_optional) {
        return "has an optional argument";
    }
    return arg->kind == ARG_DAT && arg->dim < 1
               ? "has a dat whose number of components is not known when compiling"
               : NULL;
}

/* Whether two arguments are the same dat's own record, which one of them changes: a joined kernel
 * would not know that they are one. */
static bool is_doubled(const struct loop *loop)
{
    for (int a = 0; a < loop->args; a++) {
        for (int b = 0; b < loop->args; b++) {
            const struct arg *x = &loop->arg[a];
            const struct arg *y = &loop->arg[b];

            if (a != b && x->kind == ARG_DAT && y->kind == ARG_DAT && x->dat == y->dat &&
                !x->is_indirect && x->access != ACCESS_READ) {
                return true;
            }
        }
    }
    return false;
}

const char *loop_why_alone(const struct traits *traits, const struct loop *loop)
{
    const struct program *program = traits->program;
    const char *why = NULL;
    unsigned has;

    if (loop->sequential_reason != NULL) {
        return arena_format(program->arena, "'%s' runs sequentially: %s", loop->name,
                            loop->sequential_reason);
    }
    if (loop->kernel == NULL) {
        return arena_format(program->arena, "'%s' has a kernel that is not visible", loop->name);
    }
    has = traits_of(traits, loop->kernel);
    if (has & TRAIT_TEXT) {
        why = "has a kernel that is compiled as text";
    } else if (has & TRAIT_PRINTS) {
        why = "prints";
    } else if (loop->in_place) {
        why = "modifies data in place through a map, one element after the other";
    } else if (loop->graph == NULL) {
        why = arena_format(program->arena, "has a body that cannot be taken apart: %s",
                           loop->whole_reason != NULL ? loop->whole_reason : "it was not tried");
    } else if (is_doubled(loop)) {
        why = "has a dat twice among its arguments and changes it";
    }
    for (int a = 0; a < loop->args && why == NULL; a++) {
        why = arg_why_alone(&loop->arg[a]);
    }
    return why != NULL ? arena_format(program->arena, "'%s' %s", loop->name, why) : NULL;
}

/* ---- two arguments ------------------------------------------------------------------------------
 */

enum doing { DOES_READ, DOES_WRITE, DOES_ADD, DOES_LOWER, DOES_RAISE };

static enum doing doing_of(const struct arg *arg)
{
    switch (arg->access) {
    case ACCESS_READ:
        return DOES_READ;
    case ACCESS_INC:
        return arg->is_indirect ? DOES_ADD : DOES_WRITE;
    case ACCESS_MIN:
        return arg->is_indirect ? DOES_LOWER : DOES_WRITE;
    case ACCESS_MAX:
        return arg->is_indirect ? DOES_RAISE : DOES_WRITE;
    default:
        return DOES_WRITE;
    }
}

/* "reads 'p_q' through 'pecell'" */
static const char *say(struct arena *arena, const struct arg *arg)
{
    static const char *const verb[] = {[DOES_READ] = "reads",
                                       [DOES_WRITE] = "writes",
                                       [DOES_ADD] = "adds to",
                                       [DOES_LOWER] = "lowers",
                                       [DOES_RAISE] = "raises"};

    return arg->is_indirect ? arena_format(arena, "%s '%s' through '%s'", verb[doing_of(arg)],
                                           arg->dat_text, arg->map_text)
                            : arena_format(arena, "%s '%s'", verb[doing_of(arg)], arg->dat_text);
}

/* Whether the order of elements is of no matter for two arguments of one dat. */
static bool agree(const struct arg *a, const struct arg *b)
{
    enum doing first = doing_of(a);
    enum doing second = doing_of(b);

    if (first == DOES_READ && second == DOES_READ) {
        return true;
    }
    if (!a->is_indirect && !b->is_indirect) {
        return true;
    }
    return first == second && first != DOES_WRITE && first != DOES_READ;
}

/* Two arguments of one dat, A's before B's. */
static const char *why_apart(struct arena *arena, const struct loop *first, const struct arg *a,
                             const struct loop *second, const struct arg *b)
{
    if (agree(a, b)) {
        return NULL;
    }
    if (doing_of(a) == DOES_READ) {
        return arena_format(arena,
                            "'%s' %s, and '%s' %s: other elements would read what is new there",
                            first->name, say(arena, a), second->name, say(arena, b));
    }
    if (doing_of(b) == DOES_READ) {
        return arena_format(arena,
                            "'%s' %s, and '%s' %s: it needs what other elements still have to do",
                            first->name, say(arena, a), second->name, say(arena, b));
    }
    return arena_format(arena, "'%s' %s, and '%s' %s: the order of elements would matter",
                        first->name, say(arena, a), second->name, say(arena, b));
}

/* ---- a loop behind a run ------------------------------------------------------------------------
 */

static bool is_reduction(const struct arg *arg)
{
    return arg->kind == ARG_INFO || (arg->kind == ARG_GLOBAL && arg->access != ACCESS_READ);
}

/* Why nothing can be joined behind the last joined member but one. */
static const char *why_reduced(const struct run *run)
{
    const struct program *program = run->flow->program;
    const struct loop *loop = run_loop(run, run_joined_before(run, run->members - 1));

    for (int a = 0; a < loop->args; a++) {
        if (is_reduction(&loop->arg[a])) {
            return arena_format(program->arena,
                                "'%s' reduces into '%s', whose value is there when the call "
                                "returns: only the last loop of a group may do that",
                                loop->name, loop->arg[a].dat_text);
        }
    }
    return NULL;
}

static const struct step *member_step(const struct run *run, int member)
{
    return flow_step(run->flow, run->node[member]);
}

static struct flow_var set_of(const struct run *run, int member)
{
    int frame = run->flow->node[run->node[member]].frame;

    return flow_resolve(run->flow, frame, member_step(run, member)->set);
}

bool run_same_set(const struct run *run, int member, int later)
{
    return run_names_same(run, member, set_of(run, member), later, set_of(run, later));
}

static const char *why_other_set(const struct run *run)
{
    int last = run->members - 1;
    int before = run_joined_before(run, last);
    struct arena *arena = run->flow->program->arena;
    const struct loop *first = run_loop(run, before);
    const struct loop *second = run_loop(run, last);
    struct flow_var a = set_of(run, before);
    struct flow_var b = set_of(run, last);

    if (run_names_same(run, before, a, last, b)) {
        return NULL;
    }
    if (a.var < 0 || b.var < 0) {
        return arena_format(
            arena,
            "the set of '%s', '%s', is no variable by name: it is not known whether "
            "both loops run over the same set",
            a.var < 0 ? first->name : second->name, a.var < 0 ? first->set_text : second->set_text);
    }
    if (strcmp(first->set_text, second->set_text) == 0) {
        return arena_format(arena, "'%s' may be another set each time", second->set_text);
    }
    return arena_format(arena, "'%s' runs over '%s', and '%s' over '%s'", first->name,
                        first->set_text, second->name, second->set_text);
}

const char *run_why_dats(const struct run *run, int member)
{
    struct arena *arena = run->flow->program->arena;
    int last = run->members - 1;
    const struct loop *first = run_loop(run, member);
    const struct loop *second = run_loop(run, last);
    const char *why = NULL;

    for (int a = 0; a < first->args && why == NULL; a++) {
        for (int b = 0; b < second->args && why == NULL; b++) {
            const struct arg *x = &first->arg[a];
            const struct arg *y = &second->arg[b];

            if (x->kind == ARG_DAT && y->kind == ARG_DAT &&
                run_same_data(run, member, a, last, b)) {
                why = x->dim == y->dim && type_same(x->type, y->type)
                          ? why_apart(arena, first, x, second, y)
                          : arena_format(arena, "'%s' and '%s' use '%s' with another type or dim",
                                         first->name, second->name, x->dat_text);
            }
        }
    }
    return why;
}

/* Arguments and maps of the joined loop that generated code has no room for. */
const char *run_why_large(const struct run *run)
{
    struct arena *arena = run->flow->program->arena;
    const char *name = run_loop(run, run->members - 1)->name;
    struct group group;
    int maps = 0;

    run_make_group(run, &group);
    for (int a = 0; a < group.args; a++) {
        maps = group.arg[a].map >= maps ? group.arg[a].map + 1 : maps;
    }
    if (group.args > GROUP_MOST_ARGS) {
        return arena_format(arena,
                            "with '%s' the joined loop would have %d arguments, and %d are "
                            "possible",
                            name, group.args, GROUP_MOST_ARGS);
    }
    return maps > CLEAVE_MAX_LISTS
               ? arena_format(arena,
                              "with '%s' the joined loop would have %d maps, and %d are possible",
                              name, maps, CLEAVE_MAX_LISTS)
               : NULL;
}

bool run_is_reduced(const struct run *run)
{
    return why_reduced(run) != NULL;
}

const char *run_why_apart_set(const struct run *run)
{
    const char *why = why_other_set(run);

    return why != NULL ? why : run_why_large(run);
}

const char *run_why_apart_points(const struct run *run)
{
    const char *why = why_reduced(run);

    return why != NULL ? why : run_why_apart_set(run);
}

const char *run_why_apart(const struct run *run)
{
    const char *why = why_reduced(run);

    if (why == NULL) {
        why = why_other_set(run);
    }
    for (int m = run->members - 2; m >= 0 && why == NULL; m--) {
        why = run->before[m] ? NULL : run_why_dats(run, m);
    }
    return why != NULL ? why : run_why_large(run);
}
