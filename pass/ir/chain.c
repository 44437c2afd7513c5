/* chain.c: questions about chains: what a step may do to a variable.
 *
 * In: a program with chains (pass/ir/chain.h). All answers are upper bounds: what may happen on any
 * way through the code.
 */
#include "pass/ir/chain.h"

#include "pass/ir/arena.h"

/* ---- effects of host code -----------------------------------------------------------------------
 */

static unsigned look_or_change(const struct effect *effect)
{
    return effect->kind == EFFECT_LOOK ? TOUCH_LOOK : TOUCH_CHANGE;
}

/* Effect on a variable that the code names. */
static unsigned named_touch(const struct effect *effect)
{
    switch (effect->kind) {
    case EFFECT_LOOK:
    case EFFECT_CHANGE:
        return look_or_change(effect);
    case EFFECT_REBIND:
        return TOUCH_REBIND;
    default:
        return 0;
    }
}

/* Effect on a variable that the code may reach through some pointer. */
static unsigned pointed_touch(const struct effect *effect, const struct host_var *var)
{
    if (effect->kind == EFFECT_DECLARE) {
        return 0;
    }
    if (effect->kind == EFFECT_REBIND) {
        return var->is_private || var->kind == HOST_VALUE ? 0 : TOUCH_REBIND;
    }
    if (var->kind == HOST_DAT) {
        return look_or_change(effect) | TOUCH_WATCHED;
    }
    return var->is_private || var->kind != HOST_VALUE ? 0 : look_or_change(effect);
}

/* Effect on a variable of code that may reach all variables that are not private. */
static unsigned any_touch(const struct effect *effect, const struct host_var *var)
{
    unsigned values = effect->kind == EFFECT_UNKNOWN ? TOUCH_LOOK | TOUCH_CHANGE
                      : effect->kind == EFFECT_LOOK || effect->kind == EFFECT_CHANGE
                          ? look_or_change(effect)
                          : 0;
    unsigned touch = 0;

    if (var->kind == HOST_DAT || (var->kind == HOST_VALUE && !var->is_private)) {
        touch |= values;
    }
    if (effect->kind == EFFECT_UNKNOWN && !var->is_private) {
        touch |= TOUCH_REBIND;
    }
    return touch;
}

static unsigned effect_touches(const struct program *program, const struct effect *effect, int var)
{
    const struct host_var *host = &program->host_var[var];

    if (effect->var == HOST_ALL) {
        return any_touch(effect, host);
    }
    if (effect->var == HOST_POINTED) {
        return pointed_touch(effect, host);
    }
    return effect->var == var ? named_touch(effect) : 0;
}

static unsigned effects_touch(const struct program *program, const struct step *step, int var)
{
    unsigned touch = 0;

    for (int e = 0; e < step->effects; e++) {
        touch |= effect_touches(program, &step->effect[e], var);
    }
    return touch;
}

/* ---- loops --------------------------------------------------------------------------------------
 */

static unsigned access_touch(const struct arg *arg)
{
    if (arg->kind == ARG_INFO) {
        return TOUCH_LOOK | TOUCH_CHANGE;
    }
    switch (arg->access) {
    case ACCESS_READ:
        return TOUCH_LOOK;
    case ACCESS_WRITE:
        return TOUCH_CHANGE;
    default:
        return TOUCH_LOOK | TOUCH_CHANGE;
    }
}

/* A question about a variable. Chains and functions that many others call are looked at once. */
struct query {
    const struct program *program;
    struct arena *arena; /* of the marks alone */
    bool *chain;         /* [chains] seen, for a static variable */
    bool *var;           /* [host_vars] other variables that were asked for, each in its chain */
    const struct var *constant;       /* that the next list is about */
    const struct function **function; /* seen, and without the constant */
    int functions;
    int function_room;
    unsigned touch; /* the answer so far */
};

static bool function_is_seen(const struct query *query, const struct function *function)
{
    for (int f = 0; f < query->functions; f++) {
        if (query->function[f] == function) {
            return true;
        }
    }
    return false;
}

static bool uses_constant(struct query *query, const struct function *function,
                          const struct var *constant)
{
    if (query->constant != constant) {
        query->constant = constant;
        query->functions = 0;
    }
    if (function_is_seen(query, function)) {
        return false;
    }
    for (int g = 0; g < function->globals; g++) {
        if (function->global[g] == constant) {
            return true;
        }
    }
    query->function = arena_grow(query->arena, query->function, query->functions,
                                 &query->function_room, sizeof(*query->function));
    query->function[query->functions++] = function;
    for (int c = 0; c < function->callees; c++) {
        if (uses_constant(query, function->callee[c], constant)) {
            return true;
        }
    }
    return false;
}

bool loop_reads_constant(const struct program *program, const struct loop *loop,
                         const struct var *constant)
{
    struct query query = {.program = program, .arena = arena_new()};
    bool reads = loop->kernel != NULL && uses_constant(&query, loop->kernel, constant);

    arena_free(query.arena);
    return reads;
}

/* Whether an argument names the variable. If it is not known what it names, it may be any variable
 * of that kind. */
static bool may_name(const struct arg *arg, const struct step_arg *named,
                     const struct host_var *host, int var)
{
    if (named->data != HOST_NONE) {
        return named->data == var;
    }
    return arg->kind == ARG_DAT ? host->kind == HOST_DAT
                                : arg->kind != ARG_INDEX && host->kind == HOST_VALUE;
}

static unsigned loop_touches(struct query *query, const struct step *step, int var)
{
    const struct program *program = query->program;
    const struct loop *loop = &program->loop[step->loop];
    const struct host_var *host = &program->host_var[var];
    const struct var *constant = host->constant;
    unsigned touch = step->set == var ? TOUCH_LOOK : 0;

    for (int a = 0; a < step->args; a++) {
        touch |= step->arg[a].map == var ? TOUCH_LOOK : 0;
        touch |=
            may_name(&loop->arg[a], &step->arg[a], host, var) ? access_touch(&loop->arg[a]) : 0;
    }
    if (constant != NULL && loop->kernel != NULL && uses_constant(query, loop->kernel, constant)) {
        touch |= TOUCH_LOOK;
    }
    return touch;
}

/* ---- calls --------------------------------------------------------------------------------------
 */

static void ask(struct query *query, const struct chain *chain, int step, int var);

/* All steps of the chain: the same variable, if it is static, or one of the chain's own. */
static void ask_chain(struct query *query, int chain, int var)
{
    const struct program *program = query->program;
    bool *seen = program->host_var[var].chain < 0 ? &query->chain[chain] : &query->var[var];

    if (*seen) {
        return;
    }
    *seen = true;
    for (int s = 0; s < program->chain[chain].steps; s = program->chain[chain].step[s].end) {
        ask(query, &program->chain[chain], s, var);
    }
}

static void ask_call(struct query *query, const struct step *step, int var)
{
    query->touch |= effects_touch(query->program, step, var);
    if (query->program->host_var[var].chain < 0) {
        ask_chain(query, step->callee, var);
    }
    for (int b = 0; b < step->binds; b++) {
        if (step->bind[b].outer == var) {
            ask_chain(query, step->callee, step->bind[b].inner);
        }
    }
}

static void ask(struct query *query, const struct chain *chain, int step, int var)
{
    for (int s = step; s < chain->step[step].end; s++) {
        const struct step *inner = &chain->step[s];

        switch (inner->kind) {
        case STEP_LOOP:
            query->touch |= loop_touches(query, inner, var);
            break;
        case STEP_CALL:
            ask_call(query, inner, var);
            break;
        default:
            query->touch |= effects_touch(query->program, inner, var);
            break;
        }
    }
}

unsigned step_touches(const struct program *program, const struct chain *chain, int step, int var)
{
    struct query query = {.program = program, .arena = arena_new()};

    query.chain = arena_alloc(query.arena, (size_t)program->chains * sizeof(*query.chain));
    query.var = arena_alloc(query.arena, (size_t)program->host_vars * sizeof(*query.var));
    ask(&query, chain, step, var);
    arena_free(query.arena);
    return query.touch;
}

bool step_has_effect(const struct chain *chain, int step, enum effect_kind kind)
{
    for (int s = step; s < chain->step[step].end; s++) {
        const struct step *inner = &chain->step[s];

        for (int e = 0; e < inner->effects; e++) {
            if (inner->effect[e].kind == kind) {
                return true;
            }
        }
    }
    return false;
}

/* ---- loose loops --------------------------------------------------------------------------------
 */

static bool stands_in_chain(const struct program *program, int loop)
{
    for (int c = 0; c < program->chains; c++) {
        for (int s = 0; s < program->chain[c].steps; s++) {
            if (program->chain[c].step[s].kind == STEP_LOOP &&
                program->chain[c].step[s].loop == loop) {
                return true;
            }
        }
    }
    return false;
}

static void add_unknown(struct arena *arena, struct step *step, struct loc loc)
{
    step->kind = STEP_CODE;
    step->effects = 1;
    step->effect = arena_alloc(arena, sizeof(*step->effect));
    step->effect[0] = (struct effect){EFFECT_UNKNOWN, HOST_ALL, NULL, loc, false};
}

void chain_make_loose(const struct program *program, int loop, struct chain *chain)
{
    struct arena *arena = program->arena;
    struct step *step = arena_alloc(arena, 3 * sizeof(*step));
    int args = program->loop[loop].args;

    *chain = (struct chain){.name = program->loop[loop].id,
                            .loc = program->loop[loop].loc,
                            .is_internal = true,
                            .is_loose = true,
                            .steps = 3,
                            .step = step};
    for (int s = 0; s < 3; s++) {
        step[s].parent = -1;
        step[s].end = s + 1;
        step[s].loc = chain->loc;
    }
    add_unknown(arena, &step[0], chain->loc);
    add_unknown(arena, &step[2], chain->loc);
    step[1].kind = STEP_LOOP;
    step[1].loop = loop;
    step[1].set = HOST_NONE;
    step[1].args = args;
    step[1].arg = arena_alloc(arena, (size_t)args * sizeof(*step[1].arg));
    for (int a = 0; a < args; a++) {
        step[1].arg[a] = (struct step_arg){HOST_NONE, HOST_NONE};
    }
}

void chain_add_loose(struct program *program)
{
    size_t room = (size_t)(program->chains + program->loops);
    struct chain *chain = arena_alloc(program->arena, room * sizeof(*chain));
    int chains = program->chains;

    for (int c = 0; c < chains; c++) {
        chain[c] = program->chain[c];
    }
    for (int l = 0; l < program->user_loops; l++) {
        if (!stands_in_chain(program, l)) {
            chain_make_loose(program, l, &chain[chains++]);
        }
    }
    program->chain = chain;
    program->chains = chains;
}
