/* further.c: variants that the object does not hold, and that the runtime may compile while a
 * program runs (runtime/jit/).
 *
 * In: the loops of a unit as its own file has them, and as a file with more candidates would. Out:
 * rows that describe the further ones in the unit's tables, and a text that has nothing but them:
 * each loop stands between #if and #endif, so that one can be compiled without the others.
 */
#include <stdlib.h>
#include <string.h>

#include "codegen/emit.h"
#include "pass/ir/arena.h"

static bool has_variant(const struct emitted_loop *loop, const char *name)
{
    for (int v = 0; v < loop->variants; v++) {
        if (strcmp(loop->variant[v]->name, name) == 0) {
            return true;
        }
    }
    return false;
}

/* A row that describes a variant without code. */
static struct emitted *description_of(struct arena *arena, const struct emitted *variant)
{
    struct emitted *row = arena_alloc(arena, sizeof(*row));
    *row = *variant;
    row->run = "NULL";
    row->shared = NULL;
    row->kernel = NULL;
    row->sums = NULL;
    row->copies = 0;
    return row;
}

void further_find(struct emit *emit, const struct emit *wide)
{
    struct arena *arena = emit->file->program->arena;
    for (int l = 0; l < emit->file->program->loops; l++) {
        struct emitted_loop *loop = &emit->file->loops[l];
        const struct emitted_loop *more = &wide->file->loops[l];
        loop->further_variant =
            arena_alloc(arena, (size_t)(more->variants + 1) * sizeof(struct emitted *));
        for (int v = 0; v < more->variants && loop->variants > 0; v++) {
            if (!has_variant(loop, more->variant[v]->name)) {
                loop->further_variant[loop->further++] = description_of(arena, more->variant[v]);
            }
        }
    }
}

static bool further_exists(const struct generated_file *file)
{
    bool exists = false;
    for (int l = 0; l < file->program->loops; l++) {
        exists = exists || file->loops[l].further > 0;
    }
    return exists;
}

void further_declare(struct emit *emit)
{
    if (further_exists(emit->file)) {
        out_text(emit->out, "} // namespace\n"
                            "extern \"C\" const struct cleave_source_text " CODEGEN_FURTHER_SYMBOL
                            " __attribute__((visibility(\"hidden\")));\n"
                            "namespace {\n");
    }
}

void further_print_text(struct emit *emit)
{
    out_text(emit->out, further_exists(emit->file) ? "&" CODEGEN_FURTHER_SYMBOL : "NULL");
}

/* ---- the text of further variants ------------------------------------------------------------ */

/* Marks the current loop's rows from `first` on that the object has; 1: there are others. */
static bool mark_compiled(struct emit *emit, int first)
{
    const struct emitted_loop *compiled =
        &emit->file->compiled[emit->loop - emit->file->program->loop];
    bool others = false;
    for (int v = first; v < emit->rows->variants; v++) {
        struct emitted *row = emit->rows->variant[v];
        row->compiled = has_variant(compiled, row->name);
        others = others || !row->compiled;
    }
    for (int v = first; v < emit->rows->variants; v++) {
        emit->rows->variant[v]->unprinted = !others;
    }
    return others;
}

void further_print(struct emit *emit, void (*print)(struct emit *emit, const void *what),
                   const void *what)
{
    struct out *real = emit->out;
    char *text = NULL;
    size_t size = 0;
    int first = emit->rows->variants;
    if (emit->file->compiled == NULL) {
        print(emit, what);
        return;
    }
    struct out draft = {.file = open_memstream(&text, &size)};
    if (draft.file == NULL) {
        real->failed = true;
        return;
    }
    emit->out = &draft;
    print(emit, what);
    emit->out = real;
    real->failed = real->failed || draft.failed || fclose(draft.file) != 0 || text == NULL;
    if (mark_compiled(emit, first) && !real->failed) {
        out_text(emit->out, text);
    }
    free(text);
}

void further_drop_compiled(struct emit *emit)
{
    struct emitted_loop *rows = emit->rows;
    int left = 0;
    for (int v = 0; v < rows->variants; v++) {
        if (!rows->variant[v]->compiled) {
            rows->variant[left++] = rows->variant[v];
        }
    }
    rows->variants = left;
}

bool further_lists(const struct generated_file *file, int l)
{
    return file->compiled == NULL || file->loops[l].variants > 0;
}

void further_print_name(struct emit *emit)
{
    out_text(emit->out, CLEAVE_FURTHER_UNIT);
}

void further_open(struct emit *emit, int l)
{
    if (emit->file->compiled != NULL) {
        out_line(emit->out, "#if CLEAVE_LOOP == %d", l);
    }
}

void further_close(struct emit *emit)
{
    if (emit->file->compiled != NULL) {
        out_line(emit->out, "#endif");
    }
}
