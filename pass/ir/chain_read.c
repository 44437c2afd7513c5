/* chain_read.c: the text that chain_print.c writes, back to chains.
 *
 * In: a program with loops and constants, and a text. Out: its chains and host variables, or a
 * message with the number of the line. The text may be damaged in any way; every number is within
 * its list afterwards. What the lines mean together chain_check() says.
 */
#include <limits.h>
#include <string.h>

#include "pass/ir/arena.h"
#include "pass/ir/chain_impl.h"
#include "pass/ir/lines.h"

enum { DEEPEST = 200 }; /* depth of nested steps */

struct reader {
    struct arena *arena;
    const struct program *program; /* its loops and constants */
    struct lines lines;
    struct host_var *host_var;
    int host_vars;
    int host_room;
    struct chain *chain;
    int chains;
    int chain_room;
    int step_room;   /* capacity of the last chain's steps */
    int effect_room; /* capacity of its last step's effects */
    int open[DEEPEST];
    int depth; /* steps that are open: open[0..depth-1] */
};

/* A host variable that is listed, or "-". */
static int read_host(struct reader *reader, const char *behind)
{
    const char *at = reader->lines.at + (*reader->lines.at == ' ');

    if (*at == '-' && strchr(behind, at[1]) != NULL) {
        reader->lines.at = at + 1;
        return HOST_NONE;
    }
    return (int)lines_number(&reader->lines, 0, reader->host_vars - 1, behind);
}

/* ---- host variables
 * ------------------------------------------------------------------------------ */

/* Chains are not read yet: chain_check() compares their numbers. */
static void read_owner(struct reader *reader, struct host_var *var)
{
    static const char *const owner[] = {"static", "this", "param", "local"};
    int which = lines_choice(&reader->lines, owner, 4, "static, this, param or local");

    var->chain = -1;
    var->param = which == 1 ? PARAM_THIS : PARAM_NONE;
    if (which >= 1 && which <= 3) {
        var->chain = (int)lines_number(&reader->lines, 0, INT_MAX - 1, " ");
    }
    if (which == 2) {
        var->param = (int)lines_number(&reader->lines, 0, INT_MAX - 1, " ");
    }
}

static void read_host_var(struct reader *reader)
{
    struct host_var var = {0};
    int kind;

    if (reader->chains > 0) {
        lines_fail(&reader->lines, "host variables stand before all chains");
    }
    lines_number(&reader->lines, reader->host_vars, reader->host_vars, " ");
    kind = lines_choice(&reader->lines, chain_host_word, HOST_VALUE + 1, "set, map, dat or value");
    var.text = lines_quoted(&reader->lines);
    if (reader->lines.message != NULL) {
        return;
    }
    var.kind = (enum host_kind)kind;
    read_owner(reader, &var);
    var.is_private = lines_take(&reader->lines, "private");
    var.varies = lines_take(&reader->lines, "varies");
    if (lines_take(&reader->lines, "constant")) {
        long constant = lines_number(&reader->lines, 0, reader->program->globals - 1, " ");
        var.constant = reader->lines.message == NULL ? reader->program->global[constant] : NULL;
    }
    var.loc = lines_place(&reader->lines);
    reader->host_var = arena_grow(reader->arena, reader->host_var, reader->host_vars,
                                  &reader->host_room, sizeof(*reader->host_var));
    reader->host_var[reader->host_vars++] = var;
}

/* ---- steps
 * --------------------------------------------------------------------------------------- */

static void read_effect(struct reader *reader, struct step *step)
{
    struct effect effect = {0};
    int kind =
        lines_choice(&reader->lines, chain_effect_word, EFFECT_UNKNOWN + 1, "a kind of effect");

    if (reader->lines.message != NULL) {
        return;
    }
    effect.kind = (enum effect_kind)kind;
    if (lines_take(&reader->lines, "pointed")) {
        effect.var = HOST_POINTED;
    } else if (lines_take(&reader->lines, "all")) {
        effect.var = HOST_ALL;
    } else {
        effect.var = (int)lines_number(&reader->lines, 0, reader->host_vars - 1, " ");
    }
    effect.by = lines_take(&reader->lines, "by") ? lines_quoted(&reader->lines) : NULL;
    effect.loc = lines_place(&reader->lines);
    step->effect = arena_grow(reader->arena, step->effect, step->effects, &reader->effect_room,
                              sizeof(effect));
    step->effect[step->effects++] = effect;
}

static void read_loop(struct reader *reader, struct step *step)
{
    const char *id = lines_word(&reader->lines);
    const struct program *program = reader->program;

    step->loop = 0;
    while (id != NULL && step->loop < program->loops &&
           strcmp(program->loop[step->loop].id, id) != 0) {
        step->loop++;
    }
    if (id == NULL || step->loop == program->loops || !lines_take(&reader->lines, "set")) {
        lines_fail(&reader->lines,
                   "there is no such loop in the program, or no set behind its name");
        return;
    }
    step->set = read_host(reader, " ");
    step->args = program->loop[step->loop].args;
    step->arg = arena_alloc(reader->arena, (size_t)step->args * sizeof(*step->arg));
    if (step->args > 0 && !lines_take(&reader->lines, "args")) {
        lines_fail(&reader->lines, "the loop has arguments, and its step has none");
        return;
    }
    for (int a = 0; a < step->args && reader->lines.message == NULL; a++) {
        step->arg[a].data = read_host(reader, ":");
        reader->lines.at += *reader->lines.at == ':';
        step->arg[a].map = read_host(reader, " ");
    }
}

static void read_binds(struct reader *reader, struct step *step)
{
    int room = 0;

    step->callee = (int)lines_number(&reader->lines, 0, reader->chains - 2, " ");
    if (!lines_take(&reader->lines, "binds")) {
        return;
    }
    while (reader->lines.message == NULL && reader->lines.at[0] == ' ' &&
           reader->lines.at[1] >= '0' && reader->lines.at[1] <= '9') {
        struct step_bind bind;

        bind.inner = (int)lines_number(&reader->lines, 0, reader->host_vars - 1, "=");
        reader->lines.at += *reader->lines.at == '=';
        bind.outer = (int)lines_number(&reader->lines, 0, reader->host_vars - 1, " ");
        step->bind = arena_grow(reader->arena, step->bind, step->binds, &room, sizeof(bind));
        step->bind[step->binds++] = bind;
    }
}

static void read_fields(struct reader *reader, struct step *step)
{
    step->word = chain_step_has_word(step->kind) ? lines_quoted(&reader->lines) : NULL;
    step->trips = -1;
    if (reader->lines.message != NULL) {
        return;
    }
    if (step->kind == STEP_LOOP) {
        read_loop(reader, step);
    } else if (step->kind == STEP_CALL) {
        read_binds(reader, step);
    } else if (step->kind == STEP_REPEAT && lines_take(&reader->lines, "trips")) {
        step->trips =
            lines_number(&reader->lines, 0, LONG_MAX - 1, " "); /* LONG_MAX: it overflows */
    }
    step->always = chain_step_has_always(step->kind) && lines_take(&reader->lines, "always");
    step->loc = lines_place(&reader->lines);
}

/* Ends the steps from this depth on. */
static void close_steps(struct reader *reader, int depth)
{
    if (reader->chains > 0) {
        struct chain *chain = &reader->chain[reader->chains - 1];

        for (int d = depth; d < reader->depth; d++) {
            chain->step[reader->open[d]].end = chain->steps;
        }
    }
    reader->depth = depth < reader->depth ? depth : reader->depth;
}

static void read_step(struct reader *reader, int depth)
{
    struct chain *chain = &reader->chain[reader->chains - 1];
    struct step step = {0};
    int kind =
        lines_choice(&reader->lines, chain_step_word, STEP_LEAVE + 1, "a kind of step or effect");

    if (reader->lines.message != NULL) {
        return;
    }
    close_steps(reader, depth);
    step.kind = (enum step_kind)kind;
    step.parent = depth > 0 ? reader->open[depth - 1] : -1;
    read_fields(reader, &step);
    if (depth >= DEEPEST) {
        lines_fail(&reader->lines, "steps are nested too deep");
        return;
    }
    chain->step = arena_grow(reader->arena, chain->step, chain->steps, &reader->step_room,
                             sizeof(*chain->step));
    reader->open[depth] = chain->steps;
    reader->depth = depth + 1;
    reader->effect_room = 0;
    chain->step[chain->steps++] = step;
}

static bool is_effect(const struct reader *reader)
{
    for (int e = 0; e <= EFFECT_UNKNOWN; e++) {
        size_t length = strlen(chain_effect_word[e]);

        if (strncmp(reader->lines.at, chain_effect_word[e], length) == 0 &&
            reader->lines.at[length] == ' ') {
            return true;
        }
    }
    return false;
}

/* A line with this indentation, inside of the chain that was begun last. */
static void read_inside(struct reader *reader, size_t indent)
{
    int depth = (int)(indent / 2) - 1;
    struct chain *chain = reader->chains > 0 ? &reader->chain[reader->chains - 1] : NULL;
    struct step *last = chain != NULL && chain->steps > 0 ? &chain->step[chain->steps - 1] : NULL;

    reader->lines.at += indent;
    if (indent % 2 != 0 || chain == NULL || depth > reader->depth) {
        lines_fail(&reader->lines, "the indentation is that of no step here");
    } else if (!is_effect(reader)) {
        read_step(reader, depth);
    } else if (last == NULL || depth != reader->depth || !chain_step_has_effects(last->kind)) {
        lines_fail(&reader->lines, "an effect stands below a step that has none");
    } else {
        read_effect(reader, last);
    }
}

static void read_chain(struct reader *reader)
{
    struct chain chain = {0};

    close_steps(reader, 0);
    lines_number(&reader->lines, reader->chains, reader->chains, " ");
    chain.name = lines_quoted(&reader->lines);
    if (reader->lines.message != NULL) {
        return;
    }
    chain.is_internal = lines_take(&reader->lines, "internal");
    chain.is_loose = lines_take(&reader->lines, "loose");
    chain.loc = lines_place(&reader->lines);
    reader->step_room = 0;
    reader->chain = arena_grow(reader->arena, reader->chain, reader->chains, &reader->chain_room,
                               sizeof(*reader->chain));
    reader->chain[reader->chains++] = chain;
}

const char *chain_read(struct program *program, const char *text)
{
    struct reader reader = {.arena = program->arena,
                            .program = program,
                            .lines = {.arena = program->arena, .text = text}};

    while (lines_next(&reader.lines)) {
        size_t indent = strspn(reader.lines.line, " ");

        if (indent > 0) {
            read_inside(&reader, indent);
        } else if (lines_take(&reader.lines, "host")) {
            read_host_var(&reader);
        } else if (lines_take(&reader.lines, "chain")) {
            read_chain(&reader);
        } else {
            lines_fail(&reader.lines, "it begins with neither 'host' nor 'chain'");
        }
    }
    if (reader.lines.message != NULL) {
        return reader.lines.message;
    }
    close_steps(&reader, 0);
    program->host_var = reader.host_var;
    program->host_vars = reader.host_vars;
    program->chain = reader.chain;
    program->chains = reader.chains;
    return NULL;
}
