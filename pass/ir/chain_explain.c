/* chain_explain.c: a part of --cleave-explain: the loops of each function in order, and what the
 * code between them does to their variables, for people who know the physics and not the compiler.
 *
 *   chain iterate (airfoil.c:92): loops in order, and what the code between them does to their data
 *     loop save_soln, line 94
 *     2 times (for, line 98):
 *       loop adt_calc, line 99
 *       line 125: may change *rms; may change what a pointer leads to
 */
#include <string.h>

#include "pass/ir/chain_impl.h"

static void print_line(FILE *out, const struct chain *chain, struct loc loc)
{
    bool elsewhere =
        loc.file != NULL && chain->loc.file != NULL && strcmp(loc.file, chain->loc.file) != 0;

    if (elsewhere) {
        fprintf(out, "%s:%d", loc.file, loc.line);
    } else {
        fprintf(out, "line %d", loc.line);
    }
}

/* ---- effects
 * ------------------------------------------------------------------------------------- */

static bool is_together(const struct effect *a, const struct effect *b)
{
    return a->kind == b->kind && a->var >= 0 && b->var >= 0 &&
           (a->by == b->by || (a->by != NULL && b->by != NULL && strcmp(a->by, b->by) == 0));
}

/* Prints the names of all variables on which the code has this effect. */
static void print_names(FILE *out, const struct program *program, const struct step *step,
                        int effect)
{
    static const char *const verb[] = {
        [EFFECT_LOOK] = "read", [EFFECT_CHANGE] = "change", [EFFECT_REBIND] = "redirect"};

    fprintf(out, "may %s", verb[step->effect[effect].kind]);
    for (int e = effect; e < step->effects; e++) {
        if (is_together(&step->effect[effect], &step->effect[e])) {
            fprintf(out, "%s%s", e == effect ? " " : ", ",
                    program->host_var[step->effect[e].var].text);
        }
    }
}

static void print_action(FILE *out, const struct program *program, const struct step *step,
                         int number)
{
    static const char *const on_pointed[] = {[EFFECT_LOOK] = "may read what a pointer leads to",
                                             [EFFECT_CHANGE] = "may change what a pointer leads to",
                                             [EFFECT_REBIND] =
                                                 "may redirect a handle that a pointer leads to"};
    static const char *const on_all[] = {[EFFECT_LOOK] = "may read everything",
                                         [EFFECT_CHANGE] = "may change everything",
                                         [EFFECT_REBIND] = "may redirect all handles",
                                         [EFFECT_ORDER] = "may order the mesh anew",
                                         [EFFECT_CLOCK] = "measures time",
                                         [EFFECT_UNKNOWN] = "may read and change everything"};
    const struct effect *effect = &step->effect[number];

    if (effect->var == HOST_POINTED) {
        fputs(on_pointed[effect->kind], out);
    } else if (effect->var == HOST_ALL) {
        fputs(on_all[effect->kind], out);
    } else {
        print_names(out, program, step, number);
    }
    if (effect->by != NULL) {
        fprintf(out, " (%s)", effect->by);
    }
}

/* Whether the variable was already printed together with an earlier effect. */
static bool is_said(const struct step *step, int effect)
{
    for (int e = 0; e < effect; e++) {
        if (is_together(&step->effect[e], &step->effect[effect])) {
            return true;
        }
    }
    return false;
}

static void print_effects(FILE *out, const struct program *program, const struct step *step)
{
    for (int e = 0; e < step->effects; e++) {
        if (step->effect[e].kind != EFFECT_DECLARE && !is_said(step, e)) {
            fputs(e == 0 ? " " : "; ", out);
            print_action(out, program, step, e);
        }
    }
}

/* ---- steps
 * --------------------------------------------------------------------------------------- */

static void print_repeat(FILE *out, const struct step *step)
{
    if (step->trips >= 0) {
        fprintf(out, "%ld time%s (%s, ", step->trips, step->trips == 1 ? "" : "s", step->word);
    } else {
        fprintf(out, "%s (%s, ", step->always ? "once or more" : "any number of times", step->word);
    }
}

/* The line's beginning, up to the place in the source. */
static void print_head(FILE *out, const struct program *program, const struct step *step)
{
    switch (step->kind) {
    case STEP_LOOP:
        fprintf(out, "loop %s, ", program->loop[step->loop].name);
        break;
    case STEP_CALL:
        fprintf(out, "calls %s, whose chain stands above, ", step->word);
        break;
    case STEP_REPEAT:
        print_repeat(out, step);
        break;
    case STEP_CHOICE:
        fprintf(out, "%s (%s, ", step->always ? "one of" : "one of, or none", step->word);
        break;
    case STEP_SWITCH:
        fprintf(out, "%s (%s, ", step->always ? "from one of on" : "from one of on, or none",
                step->word);
        break;
    case STEP_BRANCH:
        fputs("- (", out);
        break;
    case STEP_BREAK:
        fputs("leaves the repetition or switch, ", out);
        break;
    case STEP_CONTINUE:
        fputs("begins the next turn, ", out);
        break;
    case STEP_NEXT:
        fputs("here the next turn begins, ", out);
        break;
    case STEP_GOTO:
        fprintf(out, "goes to %s, ", strcmp(step->word, "*") == 0 ? "any label" : step->word);
        break;
    case STEP_LABEL:
        fprintf(out, "control may come here (%s), ", step->word);
        break;
    case STEP_LEAVE:
        fprintf(out, "leaves the function (%s), ", step->word);
        break;
    case STEP_CODE:
        break;
    }
}

static void print_step(FILE *out, const struct program *program, const struct chain *chain,
                       int number, int indent)
{
    const struct step *step = &chain->step[number];

    fprintf(out, "%*s", indent, "");
    print_head(out, program, step);
    print_line(out, chain, step->loc);
    fputs(chain_step_has_inside(step->kind) ? "):" : step->effects > 0 ? ":" : "", out);
    print_effects(out, program, step);
    fputc('\n', out);
    for (int s = number + 1; s < step->end; s = chain->step[s].end) {
        print_step(out, program, chain, s, indent + 2);
    }
}

static const char legend[] =
    "redirect: make the name of a set, a map or a dat stand for another one\n"
    "what a pointer leads to: any variable whose address is known, and dat->data\n"
    "everything: also all that functions do whose code is not seen here, such as calling loops\n\n";

void chain_explain(FILE *out, const struct program *program)
{
    for (int c = 0; c < program->chains; c++) {
        const struct chain *chain = &program->chain[c];

        fprintf(out,
                "chain %s (%s:%d): loops in order, and what the code between them does to their "
                "data\n",
                chain->name, chain->loc.file != NULL ? chain->loc.file : "?", chain->loc.line);
        for (int s = 0; s < chain->steps; s = chain->step[s].end) {
            print_step(out, program, chain, s, 2);
        }
        fputc('\n', out);
    }
    fputs(program->chains > 0 ? legend : "", out);
}
