/* access_constants.c: finds constants that the host code changes and does not declare again before
 * a loop reads them: compiled loops keep the value of the latest op_decl_const.
 *
 * In: the chains of the program. Out: one note for each such constant. The notes may miss a change,
 * as one through a pointer, but raise no false alarm: code that cannot be seen may declare the
 * constant, so it counts as a declaration, and so does an op_decl_const under a condition.
 */
#include <string.h>

#include "pass/access/access_impl.h"
#include "pass/ir/arena.h"
#include "pass/ir/chain.h"

/* State of the constant at a place of the program. */
enum state_kind {
    STATE_NONE,       /* control does not come here */
    STATE_UNDECLARED, /* no op_decl_const yet: assignments give its first value */
    STATE_CURRENT,    /* loops see the value of the variable, as far as is known */
    STATE_STALE,      /* the variable has changed since */
    STATE_KINDS
};

struct state {
    enum state_kind kind;
    struct loc changed; /* STATE_STALE: where */
};

/* What a step with others inside, entered in a state of one kind, makes of it; found once. */
struct memo {
    bool is_known[STATE_KINDS];
    struct state after[STATE_KINDS];
};

/* States that jumps take along to a place, joined. */
struct jumps {
    struct state before; /* of the step that catches them */
    struct state state;
};

struct search {
    const struct program *program;
    struct diag *diag;
    int var;            /* the constant: index in program->host_var */
    struct memo **memo; /* [chains][steps] */
    /* Where the jumps at hand go; NULL: to no place that is known. */
    struct jumps *broken;    /* each STEP_BREAK */
    struct jumps *continued; /* each STEP_CONTINUE */
    struct jumps *returned;  /* the `return` at the end of a function */
    bool is_reported;
};

static bool is_same_place(const struct loc *a, const struct loc *b)
{
    return a->file == b->file && a->line == b->line && a->column == b->column;
}

/* The state behind several ways that begin in the state `before`. A change on one of them counts,
 * and a declaration on one of them takes back a change that was there before. */
static struct state join(struct state before, struct state a, struct state b)
{
    const struct state *ways[] = {&a, &b};

    if (a.kind == STATE_NONE || b.kind == STATE_NONE) {
        return a.kind == STATE_NONE ? b : a;
    }
    for (int w = 0; w < 2; w++) {
        if (ways[w]->kind == STATE_STALE &&
            (before.kind != STATE_STALE || !is_same_place(&ways[w]->changed, &before.changed))) {
            return *ways[w];
        }
    }
    return a.kind == STATE_CURRENT || b.kind == STATE_UNDECLARED ? a : b;
}

static struct state after_code(const struct search *search, const struct step *step,
                               struct state state)
{
    bool declares = false;
    const struct effect *change = NULL;

    for (int e = 0; e < step->effects; e++) {
        const struct effect *effect = &step->effect[e];

        declares |=
            effect->kind == EFFECT_UNKNOWN ||
            (effect->kind == EFFECT_DECLARE && (effect->var < 0 || effect->var == search->var));
        if (effect->kind == EFFECT_CHANGE && effect->var == search->var && change == NULL) {
            change = effect;
        }
    }
    if (declares) {
        return (struct state){.kind = STATE_CURRENT};
    }
    return change != NULL && state.kind == STATE_CURRENT
               ? (struct state){.kind = STATE_STALE, .changed = change->loc}
               : state;
}

static void report(struct search *search, const struct step *step, struct state state)
{
    const struct loop *loop = &search->program->loop[step->loop];
    const struct var *constant = search->program->host_var[search->var].constant;

    if (!search->is_reported && loop->sequential_reason == NULL &&
        loop_reads_constant(search->program, loop, constant)) {
        search->is_reported = true;
        diag_report(search->diag, DIAG_constant_changed, state.changed, 1, step->loc,
                    constant->name);
    }
}

/* A loop may also change the variable: an op_arg_gbl that it does not only read. */
static struct state after_loop(struct search *search, const struct step *step, struct state state)
{
    const struct loop *loop = &search->program->loop[step->loop];

    if (state.kind == STATE_STALE) {
        report(search, step, state);
    }
    for (int a = 0; a < step->args; a++) {
        if (step->arg[a].data == search->var && loop->arg[a].access != ACCESS_READ &&
            state.kind == STATE_CURRENT) {
            return (struct state){.kind = STATE_STALE, .changed = step->loc};
        }
    }
    return state;
}

static struct state after_steps(struct search *search, int chain, int begin, int end,
                                struct state state);

static struct state after_body(struct search *search, int chain, int number, struct state before)
{
    int end = search->program->chain[chain].step[number].end;
    struct jumps continued = {.before = before};
    struct jumps *outer = search->continued;
    struct state after;

    search->continued = &continued;
    after = after_steps(search, chain, number + 1, end, before);
    search->continued = outer;
    return join(before, after, continued.state);
}

/* Two turns: a change at the end of the first one meets loops at the beginning of the second. */
static struct state after_repeat(struct search *search, int chain, int number, struct state before)
{
    const struct step *step = &search->program->chain[chain].step[number];
    struct jumps broken = {.before = before};
    struct jumps *outer = search->broken;
    struct state after;

    search->broken = &broken;
    after = after_body(search, chain, number, before);
    if (after.kind != before.kind && after.kind != STATE_NONE) {
        after = after_body(search, chain, number, after);
    }
    search->broken = outer;
    after = join(before, after, broken.state);
    return step->always ? after : join(before, after, before);
}

static struct state after_switch(struct search *search, int chain, int number, struct state before)
{
    const struct step *steps = search->program->chain[chain].step;
    struct jumps broken = {before, steps[number].always ? (struct state){0} : before};
    struct jumps *outer = search->broken;
    struct state after = {0};

    search->broken = &broken;
    for (int s = number + 1; s < steps[number].end; s = steps[s].end) {
        after = after_steps(search, chain, s + 1, steps[s].end, join(before, before, after));
    }
    search->broken = outer;
    return join(before, after, broken.state);
}

static struct state after_choice(struct search *search, int chain, int number, struct state before)
{
    const struct step *steps = search->program->chain[chain].step;
    struct state after = steps[number].always ? (struct state){0} : before;

    for (int s = number + 1; s < steps[number].end; s = steps[s].end) {
        after = join(before, after, after_steps(search, chain, s + 1, steps[s].end, before));
    }
    return after;
}

static struct state after_chain(struct search *search, int chain, struct state before)
{
    struct search outer = *search;
    struct jumps returned = {.before = before};
    struct state after;

    search->broken = NULL;
    search->continued = NULL;
    search->returned = &returned;
    after = after_steps(search, chain, 0, search->program->chain[chain].steps, before);
    search->broken = outer.broken;
    search->continued = outer.continued;
    search->returned = outer.returned;
    return join(before, after, returned.state);
}

/* Repetitions and calls give the same for all states of one kind, so that deep nests and functions
 * that many others call are walked a few times. */
static struct state after_nest(struct search *search, int chain, int number, struct state before)
{
    const struct step *step = &search->program->chain[chain].step[number];
    struct memo *memo = &search->memo[chain][number];
    struct state after;

    if (memo->is_known[before.kind]) {
        after = memo->after[before.kind];
        return after.kind == STATE_STALE && before.kind == STATE_STALE ? before : after;
    }
    after = step->kind == STEP_REPEAT ? after_repeat(search, chain, number, before)
                                      : after_chain(search, step->callee, before);
    memo->is_known[before.kind] = true;
    memo->after[before.kind] = after;
    return after;
}

/* Ends the state at a jump, which takes it along to a known place. */
static struct state jump(struct jumps *jumps, struct state state)
{
    if (jumps != NULL) {
        jumps->state = join(jumps->before, jumps->state, state);
    }
    return (struct state){.kind = STATE_NONE};
}

/* Where each STEP_CONTINUE goes on. */
static struct state after_next(struct search *search, struct state state)
{
    struct jumps *continued = search->continued;

    if (continued != NULL) {
        state = join(continued->before, state, continued->state);
        continued->state = (struct state){.kind = STATE_NONE};
    }
    return state;
}

/* A `return` under a condition often gives up, and the caller then calls no further loop. */
static bool is_last_return(const struct step *step)
{
    return step->parent < 0 && strcmp(step->word, "return") == 0;
}

static struct state after_step(struct search *search, int chain, int number, struct state state)
{
    const struct step *step = &search->program->chain[chain].step[number];

    switch (step->kind) {
    case STEP_LOOP:
        return after_loop(search, step, state);
    case STEP_CODE:
        return after_code(search, step, state);
    case STEP_CALL:
    case STEP_REPEAT:
        return after_nest(search, chain, number, state);
    case STEP_CHOICE:
        return after_choice(search, chain, number, state);
    case STEP_SWITCH:
        return after_switch(search, chain, number, state);
    case STEP_BREAK:
        return jump(search->broken, state);
    case STEP_CONTINUE:
        return jump(search->continued, state);
    case STEP_NEXT:
        return after_next(search, state);
    case STEP_LEAVE:
        return jump(is_last_return(step) ? search->returned : NULL, state);
    case STEP_GOTO:
        return (struct state){.kind = STATE_NONE};
    default: /* control may come from anywhere */
        return (struct state){.kind = STATE_CURRENT};
    }
}

static struct state after_steps(struct search *search, int chain, int begin, int end,
                                struct state state)
{
    const struct step *steps = search->program->chain[chain].step;

    for (int s = begin; s < end; s = steps[s].end) {
        /* Behind a jump, control comes back at these alone. */
        if (state.kind != STATE_NONE || steps[s].kind == STEP_LABEL || steps[s].kind == STEP_NEXT) {
            state = after_step(search, chain, s, state);
        }
    }
    return state;
}

/* ---- all constants --------------------------------------------------------------------------- */

static struct memo **new_memo(const struct program *program, struct arena *arena)
{
    struct memo **memo = arena_alloc(arena, (size_t)program->chains * sizeof(*memo));

    for (int c = 0; c < program->chains; c++) {
        memo[c] = arena_alloc(arena, (size_t)program->chain[c].steps * sizeof(*memo[c]));
    }
    return memo;
}

/* Whether a step of the program leaves the constant changed and not declared. */
static bool is_changed(struct search *search)
{
    const struct program *program = search->program;
    const struct state current = {.kind = STATE_CURRENT};

    for (int c = 0; c < program->chains; c++) {
        for (int s = 0; s < program->chain[c].steps; s++) {
            const struct step *step = &program->chain[c].step[s];

            if ((step->kind == STEP_CODE &&
                 after_code(search, step, current).kind == STATE_STALE) ||
                (step->kind == STEP_LOOP &&
                 after_loop(search, step, current).kind == STATE_STALE)) {
                return true;
            }
        }
    }
    return false;
}

static void mark_called(const struct program *program, bool *is_called)
{
    for (int c = 0; c < program->chains; c++) {
        for (int s = 0; s < program->chain[c].steps; s++) {
            if (program->chain[c].step[s].kind == STEP_CALL) {
                is_called[program->chain[c].step[s].callee] = true;
            }
        }
    }
}

static void check_constant(struct search *search, const bool *is_called)
{
    for (int c = 0; c < search->program->chains; c++) {
        bool is_main = strcmp(search->program->chain[c].name, "main") == 0;

        /* A function that other files call comes behind the op_decl_const of its constants. */
        if (is_main || !is_called[c]) {
            (void)after_chain(search, c,
                              (struct state){.kind = is_main ? STATE_UNDECLARED : STATE_CURRENT});
        }
    }
}

void access_constants(const struct program *program, struct diag *diag)
{
    struct arena *arena = arena_new();
    bool *is_called = arena_alloc(arena, (size_t)program->chains * sizeof(*is_called));

    mark_called(program, is_called);
    for (int v = 0; v < program->host_vars; v++) {
        const struct var *constant = program->host_var[v].constant;
        struct search search = {.program = program, .diag = diag, .var = v};

        if (constant != NULL && constant->symbol == NULL && is_changed(&search)) {
            struct arena *memo = arena_new();

            search.memo = new_memo(program, memo);
            check_constant(&search, is_called);
            arena_free(memo);
        }
    }
    arena_free(arena);
}
