/* tiled.c: finds calls that surely follow one another, with nothing of the host in between that
 * could tell whether a loop has run: tiled.h of pass/ir/.
 *
 * A sequence is made of steps side by side: loops, code whose effects are harmless, and at its end
 * the beginning of the body of a repeat that runs at least once. Code is harmless if it reads and
 * writes variables by their names, or through pointers that a later call of the sequence passes by
 * op_arg_gbl: the runtime can see then that they lead to no dat. Everything else ends a sequence:
 * branches, labels, calls, reductions, which the program may read at once.
 */
#include <string.h>

#include "pass/ir/arena.h"
#include "pass/ir/chain.h"
#include "splitter/group/tiled.h"

/* A sequence that grows. */
struct row {
    int calls;
    int step[GROUP_MOST_MEMBERS];
    bool reduces; /* its last call does: no other one may follow */
    /* Variables behind pointers that code in between touches: later calls must pass them. */
    int vars;
    int var[GROUP_MOST_MEMBERS];
    int behind[GROUP_MOST_MEMBERS]; /* how many calls there were before the code */
};

struct finder {
    struct program *program;
    const struct chain *chain;
};

static const struct step *step_of(const struct finder *finder, int step)
{
    return &finder->chain->step[step];
}

/* ---- loops -------------------------------------------------------------------------------------
 */

static bool reduces(const struct loop *loop)
{
    for (int a = 0; a < loop->args; a++) {
        const struct arg *arg = &loop->arg[a];

        if (arg->kind == ARG_INFO || (arg->kind == ARG_GLOBAL && arg->access != ACCESS_READ)) {
            return true;
        }
    }
    return false;
}

/* Whether the place of the call says which one it is: no other call of the same text is in its
 * line. */
static bool is_only_one(const struct finder *finder, const struct step *call)
{
    const struct program *program = finder->program;
    int count = 0;

    for (int c = 0; c < program->chains; c++) {
        for (int s = 0; s < program->chain[c].steps; s++) {
            const struct step *step = &program->chain[c].step[s];

            count += step->kind == STEP_LOOP && step->loop == call->loop &&
                     step->loc.line == call->loc.line;
        }
    }
    return count == 1;
}

static bool may_be_in(const struct finder *finder, const struct step *step)
{
    const struct loop *loop = &finder->program->loop[step->loop];

    return loop->kernel != NULL && loop->sequential_reason == NULL && is_only_one(finder, step);
}

/* Whether the loop uses a dat that a call of the row uses, too. */
static bool shares(const struct finder *finder, const struct row *row, const struct step *step)
{
    for (int c = 0; c < row->calls; c++) {
        const struct step *other = step_of(finder, row->step[c]);

        for (int a = 0; a < step->args; a++) {
            for (int b = 0; b < other->args; b++) {
                int var = step->arg[a].data;

                if (var >= 0 && var == other->arg[b].data &&
                    finder->program->host_var[var].kind == HOST_DAT) {
                    return true;
                }
            }
        }
    }
    return row->calls == 0;
}

/* ---- code between them -------------------------------------------------------------------------
 */

static bool is_value(const struct finder *finder, int var)
{
    return var >= 0 && finder->program->host_var[var].kind == HOST_VALUE;
}

/* Remembers that a later call must pass the variable. */
static bool require_var(struct row *row, int var)
{
    for (int v = 0; v < row->vars; v++) {
        if (row->var[v] == var && row->behind[v] == row->calls) {
            return true;
        }
    }
    if (row->vars == GROUP_MOST_MEMBERS) {
        return false;
    }
    row->behind[row->vars] = row->calls;
    row->var[row->vars++] = var;
    return true;
}

/* The effect stands for accesses through pointers, all of them by expressions that loops name, too:
 * other effects of the step say which. */
static bool requires_vars(const struct finder *finder, struct row *row, const struct step *step,
                          enum effect_kind kind)
{
    bool found = false;

    for (int e = 0; e < step->effects; e++) {
        const struct effect *effect = &step->effect[e];

        if (effect->kind == kind && is_value(finder, effect->var)) {
            if (!require_var(row, effect->var)) {
                return false;
            }
            found = true;
        }
    }
    return found;
}

static bool is_harmless(const struct finder *finder, struct row *row, const struct step *step)
{
    for (int e = 0; e < step->effects; e++) {
        const struct effect *effect = &step->effect[e];
        bool touches = effect->kind == EFFECT_LOOK || effect->kind == EFFECT_CHANGE;

        if (touches && is_value(finder, effect->var)) {
            if (finder->program->host_var[effect->var].constant != NULL) {
                return false;
            }
        } else if (!touches || effect->var != HOST_POINTED || !effect->is_named ||
                   !requires_vars(finder, row, step, effect->kind)) {
            return false;
        }
    }
    return true;
}

/* Whether one of the calls from `first` on passes the variable. */
static bool is_passed(const struct finder *finder, const struct row *row, int first, int var)
{
    for (int c = first; c < row->calls; c++) {
        const struct step *step = step_of(finder, row->step[c]);

        for (int a = 0; a < step->args; a++) {
            if (step->arg[a].data == var) {
                return true;
            }
        }
    }
    return false;
}

/* ---- sequences ---------------------------------------------------------------------------------
 */

static bool is_known(const struct finder *finder, const struct step *first)
{
    const struct program *program = finder->program;

    for (int t = 0; t < program->tileds; t++) {
        const struct tiled_call *call = &program->tiled[t].call[0];

        if (call->loop == first->loop && call->loc.line == first->loc.line) {
            return true;
        }
    }
    return false;
}

/* Drops calls from the end until all variables that the code in between touches are passed. */
static void drop_unpassed(const struct finder *finder, struct row *row)
{
    for (int v = 0; v < row->vars; v++) {
        if (row->behind[v] < row->calls && !is_passed(finder, row, row->behind[v], row->var[v])) {
            row->calls = row->behind[v];
            v = -1;
        }
    }
}

/* The row has ended. */
static void end_row(struct finder *finder, struct row *row)
{
    struct program *program = finder->program;

    drop_unpassed(finder, row);
    if (row->calls >= 2 && program->tileds < TILED_MOST &&
        !is_known(finder, step_of(finder, row->step[0]))) {
        struct tiled *tiled = &program->tiled[program->tileds++];

        tiled->calls = row->calls;
        for (int c = 0; c < row->calls; c++) {
            const struct step *step = step_of(finder, row->step[c]);

            tiled->call[c] = (struct tiled_call){step->loop, step->loc};
        }
    }
    *row = (struct row){.calls = 0};
}

/* The row goes on with a loop, or ends and begins anew. Returns whether it goes on behind it. */
static bool add_loop(struct finder *finder, struct row *row, int step)
{
    const struct step *loop = step_of(finder, step);

    if (!may_be_in(finder, loop) || row->calls == GROUP_MOST_MEMBERS ||
        !shares(finder, row, loop)) {
        return false;
    }
    row->step[row->calls++] = step;
    row->reduces = reduces(&finder->program->loop[loop->loop]);
    return !row->reduces;
}

/* Lengthens the row by the steps first..end-1 as far as it goes. *at: the step at which it has
 * ended; that of a loop which belongs to it is behind it. Returns false if it has not ended. */
static bool lengthen(struct finder *finder, struct row *row, int first, int end, int *at)
{
    for (int s = first; s < end; s = step_of(finder, s)->end) {
        const struct step *step = step_of(finder, s);
        int calls = row->calls;

        *at = s;
        if (step->kind == STEP_LOOP) {
            if (!add_loop(finder, row, s)) {
                *at = row->calls > calls ? step->end : s;
                return true;
            }
        } else if (step->kind != STEP_CODE || !is_harmless(finder, row, step)) {
            return true;
        }
    }
    *at = end;
    return false;
}

static void find_in(struct finder *finder, int first, int end);

/* What has ended a row: looks into it. A repeat whose body surely runs begins where the row ends.
 */
static void find_inside(struct finder *finder, struct row *row, int step)
{
    const struct step *inside = step_of(finder, step);
    int at;

    if (inside->kind == STEP_REPEAT && inside->always && row->calls > 0 && !row->reduces) {
        lengthen(finder, row, step + 1, inside->end, &at);
    }
    end_row(finder, row);
    find_in(finder, step + 1, inside->end);
}

static void find_in(struct finder *finder, int first, int end)
{
    struct row row = {.calls = 0};

    while (first < end) {
        int at;
        bool has_ended = lengthen(finder, &row, first, end, &at);

        if (!has_ended || at >= end) {
            break;
        }
        if (step_of(finder, at)->kind == STEP_LOOP) {
            bool begins = row.calls == 0;

            end_row(finder, &row);
            first = begins ? step_of(finder, at)->end : at;
        } else {
            find_inside(finder, &row, at);
            first = step_of(finder, at)->end;
        }
    }
    end_row(finder, &row);
}

void tiled_find(struct program *program)
{
    program->tileds = 0;
    program->tiled = arena_alloc(program->arena, TILED_MOST * sizeof(*program->tiled));
    for (int c = 0; c < program->chains; c++) {
        struct finder finder = {program, &program->chain[c]};

        if (!program->chain[c].is_loose) {
            find_in(&finder, 0, program->chain[c].steps);
        }
    }
}

void tiled_explain(FILE *out, const struct program *program)
{
    if (program->tileds == 0) {
        return;
    }
    fputs("tiles: calls that the CPU may run tile by tile\n", out);
    for (int t = 0; t < program->tileds; t++) {
        const struct tiled *tiled = &program->tiled[t];

        for (int c = 0; c < tiled->calls; c++) {
            const struct tiled_call *call = &tiled->call[c];

            fprintf(out, "%s%s (line %d)", c == 0 ? "  " : ", ", program->loop[call->loop].name,
                    call->loc.line);
        }
        fputc('\n', out);
    }
    fputc('\n', out);
}
