/* chain_read.c: the text that chain_print.c writes, back to chains.
 *
 * In: a program with loops and constants, and a text. Out: its chains and host variables, or a
 * message with the number of the line. The text may be damaged in any way; every number is within
 * its list afterwards. What the lines mean together chain_check() says.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "pass/ir/arena.h"
#include "pass/ir/chain_impl.h"

enum { DEEPEST = 200 }; /* depth of nested steps */

struct reader {
    struct arena *arena;
    const struct program *program; /* its loops and constants */
    const char *text;              /* behind the current line */
    const char *at;                /* position in the current line */
    char *line;
    int number;          /* number of the line, from 1 */
    const char *message; /* the first; NULL: none yet */
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

static void *fail(struct reader *reader, const char *what)
{
    if (reader->message == NULL) {
        reader->message = arena_format(reader->arena, "line %d: %s", reader->number, what);
    }
    return NULL;
}

/* ---- words of a line ----------------------------------------------------------------------------
 */

static bool next_line(struct reader *reader)
{
    size_t length = strcspn(reader->text, "\n");

    if (*reader->text == '\0' || reader->message != NULL) {
        return false;
    }
    reader->line = arena_text_part(reader->arena, reader->text, length);
    reader->at = reader->line;
    reader->text += length + (reader->text[length] == '\n');
    reader->number++;
    return true;
}

/* Takes the word, and a blank before it, when it comes next. */
static bool take(struct reader *reader, const char *word)
{
    const char *at = reader->at + (*reader->at == ' ');
    size_t length = strlen(word);

    if (strncmp(at, word, length) != 0 || (at[length] != ' ' && at[length] != '\0')) {
        return false;
    }
    reader->at = at + length;
    return true;
}

static const char *read_word(struct reader *reader)
{
    const char *at = reader->at + (*reader->at == ' ');
    size_t length = strcspn(at, " ");

    if (length == 0) {
        return fail(reader, "a word is missing");
    }
    reader->at = at + length;
    return arena_text_part(reader->arena, at, length);
}

/* One character of a quoted text; false at its end. */
static bool read_character(struct reader *reader, char *byte)
{
    const char *at = reader->at;

    if (*at == '\0' || *at == '"') {
        return false;
    }
    if (*at != '\\') {
        *byte = *reader->at++;
        return true;
    }
    if (at[1] == '"' || at[1] == '\\') {
        *byte = at[1];
        reader->at += 2;
        return true;
    }
    if (strspn(at + 1, "01234567") < 3 || at[1] > '3') {
        fail(reader, "a backslash stands before what is no \", \\ or three octal digits");
        return false;
    }
    *byte = (char)((at[1] - '0') * 64 + (at[2] - '0') * 8 + (at[3] - '0'));
    reader->at += 4;
    return true;
}

static const char *read_quoted(struct reader *reader)
{
    char *text;
    size_t length = 0;

    reader->at += *reader->at == ' ';
    if (*reader->at != '"') {
        return fail(reader, "a text in quotes is missing");
    }
    text = arena_alloc(reader->arena, strlen(reader->at));
    reader->at++;
    while (read_character(reader, &text[length])) {
        length++;
    }
    if (*reader->at != '"') {
        return fail(reader, "a text in quotes has no end");
    }
    reader->at++;
    return text;
}

/* A number from least to most, and the character behind it. */
static long read_number(struct reader *reader, long least, long most, const char *behind)
{
    const char *at = reader->at + (*reader->at == ' ');
    char *end = NULL;
    long number = (*at >= '0' && *at <= '9') ? strtol(at, &end, 10) : -1;

    if (end == NULL || number < least || number > most || strchr(behind, *end) == NULL) {
        fail(reader, end == NULL ? "a number is missing" : "a number is not in its list");
        return least;
    }
    reader->at = end;
    return number;
}

/* A host variable that is listed, or "-". */
static int read_host(struct reader *reader, const char *behind)
{
    const char *at = reader->at + (*reader->at == ' ');

    if (*at == '-' && strchr(behind, at[1]) != NULL) {
        reader->at = at + 1;
        return HOST_NONE;
    }
    return (int)read_number(reader, 0, reader->host_vars - 1, behind);
}

/* The end of a line: nothing, or "at FILE:LINE:COLUMN". */
static struct loc read_place(struct reader *reader)
{
    struct loc loc = {NULL, 0, 0};
    char *place;
    char *column;
    char *line;

    if (*reader->at == '\0') {
        return loc;
    }
    if (!take(reader, "at")) {
        fail(reader, arena_format(reader->arena, "'%s' has no meaning here", reader->at));
        return loc;
    }
    place = arena_text(reader->arena, reader->at + (*reader->at == ' '));
    column = strrchr(place, ':');
    if (column != NULL) {
        *column++ = '\0';
    }
    line = column != NULL ? strrchr(place, ':') : NULL;
    if (line == NULL || line == place || strspn(line + 1, "0123456789") != strlen(line + 1) ||
        strspn(column, "0123456789") != strlen(column) || strlen(line) > 9 || strlen(column) > 9 ||
        atoi(line + 1) < 1 || *column == '\0') {
        fail(reader, "a place is not FILE:LINE:COLUMN");
        return loc;
    }
    *line = '\0';
    return (struct loc){place, atoi(line + 1), atoi(column)};
}

/* Position of the word in the list; count, after a message, when it is none of them. */
static int read_choice(struct reader *reader, const char *const *word, int count, const char *what)
{
    for (int w = 0; w < count; w++) {
        if (take(reader, word[w])) {
            return w;
        }
    }
    fail(reader, arena_format(reader->arena, "'%s' does not begin with %s", reader->at, what));
    return count;
}

/* ---- host variables
 * ------------------------------------------------------------------------------ */

/* Chains are not read yet: chain_check() compares their numbers. */
static void read_owner(struct reader *reader, struct host_var *var)
{
    static const char *const owner[] = {"static", "this", "param", "local"};
    int which = read_choice(reader, owner, 4, "static, this, param or local");

    var->chain = -1;
    var->param = which == 1 ? PARAM_THIS : PARAM_NONE;
    if (which >= 1 && which <= 3) {
        var->chain = (int)read_number(reader, 0, INT_MAX - 1, " ");
    }
    if (which == 2) {
        var->param = (int)read_number(reader, 0, INT_MAX - 1, " ");
    }
}

static void read_host_var(struct reader *reader)
{
    struct host_var var = {0};
    int kind;

    if (reader->chains > 0) {
        fail(reader, "host variables stand before all chains");
    }
    read_number(reader, reader->host_vars, reader->host_vars, " ");
    kind = read_choice(reader, chain_host_word, HOST_VALUE + 1, "set, map, dat or value");
    var.text = read_quoted(reader);
    if (reader->message != NULL) {
        return;
    }
    var.kind = (enum host_kind)kind;
    read_owner(reader, &var);
    var.is_private = take(reader, "private");
    var.varies = take(reader, "varies");
    if (take(reader, "constant")) {
        long constant = read_number(reader, 0, reader->program->globals - 1, " ");
        var.constant = reader->message == NULL ? reader->program->global[constant] : NULL;
    }
    var.loc = read_place(reader);
    reader->host_var = arena_grow(reader->arena, reader->host_var, reader->host_vars,
                                  &reader->host_room, sizeof(*reader->host_var));
    reader->host_var[reader->host_vars++] = var;
}

/* ---- steps
 * --------------------------------------------------------------------------------------- */

static void read_effect(struct reader *reader, struct step *step)
{
    struct effect effect = {0};
    int kind = read_choice(reader, chain_effect_word, EFFECT_UNKNOWN + 1, "a kind of effect");

    if (reader->message != NULL) {
        return;
    }
    effect.kind = (enum effect_kind)kind;
    if (take(reader, "pointed")) {
        effect.var = HOST_POINTED;
    } else if (take(reader, "all")) {
        effect.var = HOST_ALL;
    } else {
        effect.var = (int)read_number(reader, 0, reader->host_vars - 1, " ");
    }
    effect.by = take(reader, "by") ? read_quoted(reader) : NULL;
    effect.loc = read_place(reader);
    step->effect = arena_grow(reader->arena, step->effect, step->effects, &reader->effect_room,
                              sizeof(effect));
    step->effect[step->effects++] = effect;
}

static void read_loop(struct reader *reader, struct step *step)
{
    const char *id = read_word(reader);
    const struct program *program = reader->program;

    step->loop = 0;
    while (id != NULL && step->loop < program->loops &&
           strcmp(program->loop[step->loop].id, id) != 0) {
        step->loop++;
    }
    if (id == NULL || step->loop == program->loops || !take(reader, "set")) {
        fail(reader, "there is no such loop in the program, or no set behind its name");
        return;
    }
    step->set = read_host(reader, " ");
    step->args = program->loop[step->loop].args;
    step->arg = arena_alloc(reader->arena, (size_t)step->args * sizeof(*step->arg));
    if (step->args > 0 && !take(reader, "args")) {
        fail(reader, "the loop has arguments, and its step has none");
        return;
    }
    for (int a = 0; a < step->args && reader->message == NULL; a++) {
        step->arg[a].data = read_host(reader, ":");
        reader->at += *reader->at == ':';
        step->arg[a].map = read_host(reader, " ");
    }
}

static void read_binds(struct reader *reader, struct step *step)
{
    int room = 0;

    step->callee = (int)read_number(reader, 0, reader->chains - 2, " ");
    if (!take(reader, "binds")) {
        return;
    }
    while (reader->message == NULL && reader->at[0] == ' ' && reader->at[1] >= '0' &&
           reader->at[1] <= '9') {
        struct step_bind bind;

        bind.inner = (int)read_number(reader, 0, reader->host_vars - 1, "=");
        reader->at += *reader->at == '=';
        bind.outer = (int)read_number(reader, 0, reader->host_vars - 1, " ");
        step->bind = arena_grow(reader->arena, step->bind, step->binds, &room, sizeof(bind));
        step->bind[step->binds++] = bind;
    }
}

static void read_fields(struct reader *reader, struct step *step)
{
    step->word = chain_step_has_word(step->kind) ? read_quoted(reader) : NULL;
    step->trips = -1;
    if (reader->message != NULL) {
        return;
    }
    if (step->kind == STEP_LOOP) {
        read_loop(reader, step);
    } else if (step->kind == STEP_CALL) {
        read_binds(reader, step);
    } else if (step->kind == STEP_REPEAT && take(reader, "trips")) {
        step->trips = read_number(reader, 0, LONG_MAX - 1, " "); /* LONG_MAX: it overflows */
    }
    step->always = chain_step_has_always(step->kind) && take(reader, "always");
    step->loc = read_place(reader);
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
    int kind = read_choice(reader, chain_step_word, STEP_LEAVE + 1, "a kind of step or effect");

    if (reader->message != NULL) {
        return;
    }
    close_steps(reader, depth);
    step.kind = (enum step_kind)kind;
    step.parent = depth > 0 ? reader->open[depth - 1] : -1;
    read_fields(reader, &step);
    if (depth >= DEEPEST) {
        fail(reader, "steps are nested too deep");
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

        if (strncmp(reader->at, chain_effect_word[e], length) == 0 && reader->at[length] == ' ') {
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

    reader->at += indent;
    if (indent % 2 != 0 || chain == NULL || depth > reader->depth) {
        fail(reader, "the indentation is that of no step here");
    } else if (!is_effect(reader)) {
        read_step(reader, depth);
    } else if (last == NULL || depth != reader->depth || !chain_step_has_effects(last->kind)) {
        fail(reader, "an effect stands below a step that has none");
    } else {
        read_effect(reader, last);
    }
}

static void read_chain(struct reader *reader)
{
    struct chain chain = {0};

    close_steps(reader, 0);
    read_number(reader, reader->chains, reader->chains, " ");
    chain.name = read_quoted(reader);
    if (reader->message != NULL) {
        return;
    }
    chain.is_internal = take(reader, "internal");
    chain.is_loose = take(reader, "loose");
    chain.loc = read_place(reader);
    reader->step_room = 0;
    reader->chain = arena_grow(reader->arena, reader->chain, reader->chains, &reader->chain_room,
                               sizeof(*reader->chain));
    reader->chain[reader->chains++] = chain;
}

const char *chain_read(struct program *program, const char *text)
{
    struct reader reader = {.arena = program->arena, .program = program, .text = text};

    while (next_line(&reader)) {
        size_t indent = strspn(reader.line, " ");

        if (indent > 0) {
            read_inside(&reader, indent);
        } else if (take(&reader, "host")) {
            read_host_var(&reader);
        } else if (take(&reader, "chain")) {
            read_chain(&reader);
        } else {
            fail(&reader, "it begins with neither 'host' nor 'chain'");
        }
    }
    if (reader.message != NULL) {
        return reader.message;
    }
    close_steps(&reader, 0);
    program->host_var = reader.host_var;
    program->host_vars = reader.host_vars;
    program->chain = reader.chain;
    program->chains = reader.chains;
    return NULL;
}
