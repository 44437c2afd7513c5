/* chain_print.c: the text of --cleave-dump=chains. One step per line, nested by indentation; the
 * format is described in pass/ir/FORMAT.md, and chain_read.c reads it.
 */
#include "pass/ir/chain_impl.h"
#include "pass/ir/lines.h"

const char *const chain_host_word[HOST_VALUE + 1] = {"set", "map", "dat", "value"};
const char *const chain_effect_word[EFFECT_UNKNOWN + 1] = {"look",  "change", "rebind", "declare",
                                                           "order", "clock",  "unknown"};
const char *const chain_step_word[STEP_LEAVE + 1] = {
    "loop",  "code",     "call", "repeat", "choice", "switch", "branch",
    "break", "continue", "next", "goto",   "label",  "leave",
};

bool chain_step_has_word(enum step_kind kind)
{
    return kind == STEP_CALL || kind == STEP_REPEAT || kind == STEP_CHOICE || kind == STEP_SWITCH ||
           kind == STEP_GOTO || kind == STEP_LABEL || kind == STEP_LEAVE;
}

bool chain_step_has_always(enum step_kind kind)
{
    return kind == STEP_REPEAT || kind == STEP_CHOICE || kind == STEP_SWITCH;
}

bool chain_step_has_inside(enum step_kind kind)
{
    return chain_step_has_always(kind) || kind == STEP_BRANCH;
}

bool chain_step_has_effects(enum step_kind kind)
{
    return kind == STEP_CODE || kind == STEP_CALL;
}

static void print_owner(FILE *out, const struct host_var *var)
{
    if (var->chain < 0) {
        fputs(" static", out);
    } else if (var->param == PARAM_THIS) {
        fprintf(out, " this %d", var->chain);
    } else if (var->param >= 0) {
        fprintf(out, " param %d %d", var->chain, var->param);
    } else {
        fprintf(out, " local %d", var->chain);
    }
}

static int constant_index(const struct program *program, const struct var *constant)
{
    int index = 0;

    while (index < program->globals && program->global[index] != constant) {
        index++;
    }
    return index;
}

static void print_host_var(FILE *out, const struct program *program, int number)
{
    const struct host_var *var = &program->host_var[number];

    fprintf(out, "host %d %s", number, chain_host_word[var->kind]);
    lines_print_quoted(out, var->text);
    print_owner(out, var);
    fputs(var->is_private ? " private" : "", out);
    fputs(var->varies ? " varies" : "", out);
    if (var->constant != NULL) {
        fprintf(out, " constant %d", constant_index(program, var->constant));
    }
    lines_print_place(out, var->loc);
}

static void print_effect(FILE *out, const struct effect *effect, int indent)
{
    fprintf(out, "%*s%s", indent, "", chain_effect_word[effect->kind]);
    if (effect->var >= 0) {
        fprintf(out, " %d", effect->var);
    } else {
        fputs(effect->var == HOST_POINTED ? " pointed" : " all", out);
    }
    if (effect->by != NULL) {
        fputs(" by", out);
        lines_print_quoted(out, effect->by);
    }
    lines_print_place(out, effect->loc);
}

static void print_index(FILE *out, int index)
{
    if (index == HOST_NONE) {
        fputc('-', out);
    } else {
        fprintf(out, "%d", index);
    }
}

static void print_loop(FILE *out, const struct program *program, const struct step *step)
{
    fprintf(out, " %s set ", program->loop[step->loop].id);
    print_index(out, step->set);
    for (int a = 0; a < step->args; a++) {
        fputs(a == 0 ? " args " : " ", out);
        print_index(out, step->arg[a].data);
        fputc(':', out);
        print_index(out, step->arg[a].map);
    }
}

static void print_call(FILE *out, const struct step *step)
{
    fprintf(out, " %d", step->callee);
    for (int b = 0; b < step->binds; b++) {
        fprintf(out, "%s%d=%d", b == 0 ? " binds " : " ", step->bind[b].inner, step->bind[b].outer);
    }
}

static void print_step(FILE *out, const struct program *program, const struct step *step,
                       int indent)
{
    fprintf(out, "%*s%s", indent, "", chain_step_word[step->kind]);
    if (chain_step_has_word(step->kind)) {
        lines_print_quoted(out, step->word);
    }
    if (step->kind == STEP_LOOP) {
        print_loop(out, program, step);
    } else if (step->kind == STEP_CALL) {
        print_call(out, step);
    } else if (step->kind == STEP_REPEAT && step->trips >= 0) {
        fprintf(out, " trips %ld", step->trips);
    }
    fputs(chain_step_has_always(step->kind) && step->always ? " always" : "", out);
    lines_print_place(out, step->loc);
    for (int e = 0; e < step->effects; e++) {
        print_effect(out, &step->effect[e], indent + 2);
    }
}

static int depth(const struct chain *chain, int step)
{
    int depth = 0;

    while (chain->step[step].parent >= 0) {
        step = chain->step[step].parent;
        depth++;
    }
    return depth;
}

void chain_print(FILE *out, const struct program *program)
{
    for (int v = 0; v < program->host_vars; v++) {
        print_host_var(out, program, v);
    }
    for (int c = 0; c < program->chains; c++) {
        const struct chain *chain = &program->chain[c];

        fprintf(out, "chain %d", c);
        lines_print_quoted(out, chain->name);
        fputs(chain->is_internal ? " internal" : "", out);
        fputs(chain->is_loose ? " loose" : "", out);
        lines_print_place(out, chain->loc);
        for (int s = 0; s < chain->steps; s++) {
            print_step(out, program, &chain->step[s], 2 * depth(chain, s) + 2);
        }
    }
}
