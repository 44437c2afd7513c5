/* chain_check.c: the invariants that pass/ir/chain.h states; a part of loop_ir_check().
 *
 * Every check returns NULL, or a message in the arena that names the chain, the step by its number
 * and the broken rule.
 */
#include <string.h>

#include "pass/ir/arena.h"
#include "pass/ir/chain_impl.h"

struct check {
    const struct program *program;
    int chain;
    int step;
};

static const struct step *step_of(const struct check *check)
{
    return &check->program->chain[check->chain].step[check->step];
}

static const char *broken(const struct check *check, const char *rule)
{
    const struct program *program = check->program;

    return arena_format(program->arena, "chain '%s', step %d: %s",
                        program->chain[check->chain].name, check->step, rule);
}

/* Whether a step of this chain may name the variable. */
static bool is_visible(const struct check *check, int var)
{
    return var >= 0 && var < check->program->host_vars &&
           (check->program->host_var[var].chain < 0 ||
            check->program->host_var[var].chain == check->chain);
}

static bool is_visible_as(const struct check *check, int var, enum host_kind kind)
{
    return var == HOST_NONE ||
           (is_visible(check, var) && check->program->host_var[var].kind == kind);
}

/* ---- host variables
 * ------------------------------------------------------------------------------ */

static bool lists_constant(const struct program *program, const struct var *constant)
{
    for (int g = 0; g < program->globals; g++) {
        if (program->global[g] == constant) {
            return constant->storage == STORAGE_GLOBAL;
        }
    }
    return false;
}

static const char *host_var_rule(const struct program *program, const struct host_var *var)
{
    if (var->text == NULL || var->text[0] == '\0') {
        return "it has no text";
    }
    if (var->chain < -1 || var->chain >= program->chains) {
        return "its chain is not in the program's list";
    }
    if (var->param < PARAM_THIS ||
        (var->chain < 0 && (var->param != PARAM_NONE || var->is_private))) {
        return "a static variable is no parameter and not private";
    }
    if (var->constant != NULL &&
        (var->kind != HOST_VALUE || !lists_constant(program, var->constant))) {
        return "its constant is none of the program's, or it is a handle";
    }
    return NULL;
}

/* ---- structure
 * ----------------------------------------------------------------------------------- */

/* The innermost step of one of two kinds around this one; -1: there is none. */
static int around(const struct check *check, enum step_kind kind, enum step_kind other)
{
    const struct chain *chain = &check->program->chain[check->chain];
    int step = chain->step[check->step].parent;

    while (step >= 0 && chain->step[step].kind != kind && chain->step[step].kind != other) {
        step = chain->step[step].parent;
    }
    return step;
}

/* Whether some step has this kind, and this word if it is not NULL, below `parent` if that is >= 0.
 */
static bool has_step(const struct check *check, enum step_kind kind, const char *word, int parent)
{
    const struct chain *chain = &check->program->chain[check->chain];

    for (int s = 0; s < chain->steps; s++) {
        if (chain->step[s].kind == kind &&
            (word == NULL || strcmp(chain->step[s].word, word) == 0) &&
            (parent < 0 || chain->step[s].parent == parent)) {
            return true;
        }
    }
    return false;
}

static const char *nesting_rule(const struct check *check)
{
    const struct chain *chain = &check->program->chain[check->chain];
    const struct step *step = step_of(check);
    const struct step *parent;
    bool is_choice;

    if (step->parent < -1 || step->parent >= check->step || step->end <= check->step ||
        step->end > chain->steps) {
        return "its parent comes before it, and its end behind it";
    }
    if (step->end > check->step + 1 && !chain_step_has_inside(step->kind)) {
        return "steps are inside of it, and its kind has none";
    }
    parent = step->parent >= 0 ? &chain->step[step->parent] : NULL;
    if (parent != NULL && (check->step >= parent->end || step->end > parent->end)) {
        return "it is not within its parent";
    }
    for (int s = check->step + 1; s < step->end; s++) {
        if (chain->step[s].parent < check->step) {
            return "a step inside of it has a parent that is not";
        }
    }
    is_choice = parent != NULL && (parent->kind == STEP_CHOICE || parent->kind == STEP_SWITCH);
    if (is_choice != (step->kind == STEP_BRANCH)) {
        return "a branch stands directly below a choice or a switch, and nothing else does";
    }
    return NULL;
}

static const char *jump_rule(const struct check *check)
{
    const struct step *step = step_of(check);

    switch (step->kind) {
    case STEP_BREAK:
        return around(check, STEP_REPEAT, STEP_SWITCH) >= 0
                   ? NULL
                   : "it leaves neither a repetition nor a switch";
    case STEP_CONTINUE: {
        int repeat = around(check, STEP_REPEAT, STEP_REPEAT);
        return repeat >= 0 && has_step(check, STEP_NEXT, NULL, repeat)
                   ? NULL
                   : "there is no repetition around it with a place where it goes on";
    }
    case STEP_NEXT:
        return around(check, STEP_REPEAT, STEP_REPEAT) == step->parent && step->parent >= 0
                   ? NULL
                   : "it does not stand directly in a repetition";
    case STEP_GOTO:
        return strcmp(step->word, "*") == 0 || has_step(check, STEP_LABEL, step->word, -1)
                   ? NULL
                   : "it goes to a label that the chain does not have";
    default:
        return NULL;
    }
}

/* ---- what steps say
 * ------------------------------------------------------------------------------ */

static const char *effect_rule(const struct check *check, const struct effect *effect)
{
    bool is_about_var = effect->kind == EFFECT_LOOK || effect->kind == EFFECT_CHANGE ||
                        effect->kind == EFFECT_REBIND || effect->kind == EFFECT_DECLARE;

    if (effect->var >= 0) {
        enum host_kind kind;

        if (!is_about_var || !is_visible(check, effect->var)) {
            return "an effect is on a variable that its function does not see";
        }
        kind = check->program->host_var[effect->var].kind;
        if (effect->kind == EFFECT_DECLARE) {
            return kind == HOST_VALUE ? NULL : "op_decl_const declares values alone";
        }
        return effect->kind == EFFECT_REBIND || kind == HOST_DAT || kind == HOST_VALUE
                   ? NULL
                   : "sets and maps have no values that could be looked at or changed";
    }
    if (effect->var == HOST_POINTED) {
        return is_about_var ? NULL : "this effect is on all, not on what pointers lead to";
    }
    return effect->var == HOST_ALL && effect->kind != EFFECT_REBIND &&
                   effect->kind != EFFECT_DECLARE
               ? NULL
               : "an effect is on a variable, on what pointers lead to, or on all";
}

static const char *loop_rule(const struct check *check, const struct step *step)
{
    const struct loop *loop;

    if (step->loop < 0 || step->loop >= check->program->user_loops) {
        return "its loop is not in the program's list";
    }
    loop = &check->program->loop[step->loop];
    if (step->args != loop->args) {
        return "it has another number of arguments than its loop";
    }
    if (!is_visible_as(check, step->set, HOST_SET)) {
        return "its set is none that the function sees";
    }
    for (int a = 0; a < step->args; a++) {
        enum arg_kind kind = loop->arg[a].kind;

        if (!is_visible_as(check, step->arg[a].data, kind == ARG_DAT ? HOST_DAT : HOST_VALUE) ||
            !is_visible_as(check, step->arg[a].map, HOST_MAP) ||
            (kind == ARG_INDEX && step->arg[a].data != HOST_NONE)) {
            return "an argument names a variable of another kind, or one that the function does "
                   "not "
                   "see";
        }
    }
    return NULL;
}

/* Checks that each variable which the caller gives the callee is bound once. */
static const char *bind_rule(const struct check *check, const struct step *step)
{
    const struct program *program = check->program;
    int given = 0;

    for (int v = 0; v < program->host_vars; v++) {
        given +=
            program->host_var[v].chain == step->callee && program->host_var[v].param != PARAM_NONE;
    }
    if (given != step->binds) {
        return "it binds another number of variables than the callee gets from it";
    }
    for (int b = 0; b < step->binds; b++) {
        const struct step_bind *bind = &step->bind[b];
        const struct host_var *inner = bind->inner >= 0 && bind->inner < program->host_vars
                                           ? &program->host_var[bind->inner]
                                           : NULL;

        if (inner == NULL || inner->chain != step->callee || inner->param == PARAM_NONE ||
            bind->outer < 0 || !is_visible_as(check, bind->outer, inner->kind)) {
            return "it binds a variable that the callee does not get, or to one of another kind";
        }
        for (int before = 0; before < b; before++) {
            if (step->bind[before].inner == bind->inner) {
                return "it binds a variable twice";
            }
        }
    }
    return NULL;
}

static const char *content_rule(const struct check *check)
{
    const struct step *step = step_of(check);
    const char *rule = NULL;

    if (chain_step_has_word(step->kind) && step->word == NULL) {
        return "its word is missing";
    }
    if ((step->kind == STEP_CODE && step->effects == 0) ||
        (step->effects > 0 && !chain_step_has_effects(step->kind))) {
        return "code has effects, and other steps than calls have none";
    }
    for (int e = 0; e < step->effects && rule == NULL; e++) {
        rule = effect_rule(check, &step->effect[e]);
    }
    if (rule == NULL && step->kind == STEP_LOOP) {
        rule = loop_rule(check, step);
    }
    if (rule == NULL && step->kind == STEP_CALL) {
        rule = step->callee < 0 || step->callee >= check->chain
                   ? "the chain that it calls does not come before its own"
                   : bind_rule(check, step);
    }
    if (rule == NULL && step->kind == STEP_REPEAT && step->trips < -1) {
        rule = "its number of trips is neither known nor -1";
    }
    return rule;
}

/* ---- all
 * ----------------------------------------------------------------------------------------- */

static const char *check_chain(const struct program *program, int number)
{
    struct check check = {program, number, 0};
    const char *rule = NULL;

    if (program->chain[number].name == NULL) {
        return arena_format(program->arena, "chain %d has no name", number);
    }
    while (check.step < program->chain[number].steps) {
        rule = nesting_rule(&check);
        rule = rule == NULL ? content_rule(&check) : rule;
        if (rule != NULL) {
            return broken(&check, rule);
        }
        check.step++;
    }
    for (check.step = 0; check.step < program->chain[number].steps; check.step++) {
        rule = jump_rule(&check);
        if (rule != NULL) {
            return broken(&check, rule);
        }
    }
    return NULL;
}

static const char *check_all_placed(const struct program *program)
{
    bool *placed = arena_alloc(program->arena, (size_t)program->loops * sizeof(*placed));

    for (int c = 0; c < program->chains; c++) {
        for (int s = 0; s < program->chain[c].steps; s++) {
            const struct step *step = &program->chain[c].step[s];

            if (step->kind == STEP_LOOP) {
                placed[step->loop] = true;
            }
        }
    }
    for (int l = 0; l < program->user_loops; l++) {
        if (!placed[l]) {
            return arena_format(program->arena, "loop '%s' stands in no chain",
                                program->loop[l].id);
        }
    }
    return NULL;
}

const char *chain_check(const struct program *program)
{
    const char *message = NULL;

    for (int v = 0; v < program->host_vars; v++) {
        const char *rule = host_var_rule(program, &program->host_var[v]);

        if (rule != NULL) {
            return arena_format(program->arena, "host variable %d: %s", v, rule);
        }
    }
    for (int c = 0; c < program->chains && message == NULL; c++) {
        message = check_chain(program, c);
    }
    return message != NULL ? message : check_all_placed(program);
}
