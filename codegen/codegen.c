/* codegen.c: the station's entry: puts one generated file together.
 *
 * In: a Program with schedules and a target. Out: the file's text. A target is a row of the table
 * below and the folder that its row comes from.
 */
#include <stdlib.h>

#include "codegen/emit.h"
#include "pass/ir/arena.h"

static const struct target_row *const target_table[CODEGEN_TARGETS] = {
    [CODEGEN_OPENMP] = &codegen_openmp,
    [CODEGEN_CUDA] = &codegen_cuda,
};

const struct target_row *emit_target(enum codegen_target target)
{
    return target_table[target];
}

const char *codegen_suffix(enum codegen_target target, enum language language)
{
    return target_table[target]->suffix[language];
}

const char *codegen_registration_symbol(enum codegen_target target)
{
    return target_table[target]->symbol;
}

static void prepare_loops(struct emit *emit)
{
    const struct program *program = emit->file->program;
    for (int l = 0; l < program->loops; l++) {
        struct emitted_loop *loop = &emit->file->loops[l];
        loop->refusal = shape_refusal(program, &program->loop[l], emit->file->target);
        if (loop->refusal == NULL) {
            loop->shape = shape_new(program, &program->loop[l]);
            loop->global_used =
                arena_alloc(program->arena, (size_t)program->globals * sizeof(bool));
        }
    }
}

static void prepare_layouts(struct emit *emit)
{
    if (emit->file->options->soa == CODEGEN_SOA_AUTO) {
        layouts_find(emit);
    }
    for (int l = 0; l < emit->file->program->loops; l++) {
        if (emit->file->loops[l].refusal == NULL) {
            layout_choose(emit, emit->file->loops[l].shape);
        }
    }
    functions_templated(emit);
}

/* Returns the program as the target sees it: without joined loops, unless it has groups. */
static const struct program *program_of(const struct program *program,
                                        const struct target_row *target)
{
    if (target->has_groups || program->groups == 0) {
        return program;
    }
    struct program *users = arena_alloc(program->arena, sizeof(*users));
    *users = *program;
    users->loops = program->user_loops;
    users->groups = 0;
    return users;
}

struct emit emit_new(struct out *out, const struct program *whole,
                     const struct codegen_options *options, const struct target_row *target)
{
    const struct program *program = program_of(whole, target);
    struct arena *arena = program->arena;
    struct emit emit = {.out = out, .file = arena_alloc(arena, sizeof(*emit.file))};
    *emit.file = (struct generated_file){
        .program = program,
        .options = options,
        .target = target,
        .loops = arena_alloc(arena, (size_t)program->loops * sizeof(*emit.file->loops)),
        .function_used = arena_alloc(arena, (size_t)program->functions * sizeof(bool)),
        .global_used = arena_alloc(arena, (size_t)program->globals * sizeof(bool))};
    prepare_loops(&emit);
    names_free_fields(program);
    if (target->has_layouts) {
        prepare_layouts(&emit);
    }
    return emit;
}

void emit_enter_loop(struct emit *emit, int l)
{
    emit->loop = &emit->file->program->loop[l];
    emit->rows = &emit->file->loops[l];
    emit->shape = emit->rows->shape;
    emit->binding =
        arena_alloc(emit->file->program->arena, (size_t)emit->loop->args * sizeof(*emit->binding));
}

bool emit_joins_briefly(const struct emit *emit)
{
    const struct program *program = emit->file->program;
    const struct codegen_options *options = emit->file->options;
    bool asks_for_more = options->candidates || options->comparisons || options->exhaustive;
    return emit->loop - program->loop >= program->user_loops && !asks_for_more &&
           (options->chosen_only || options->schedule[AT_SPLIT]);
}

/* The loops' text. It is made first, because the functions and globals that it uses are printed
 * before it. */
static char *loops_text(struct emit *emit)
{
    char *text = NULL;
    size_t size = 0;
    struct out draft = {.file = open_memstream(&text, &size)};
    struct out *real = emit->out;
    if (draft.file == NULL) {
        real->failed = true;
        return NULL;
    }
    emit->names = (struct c_names){names_var, names_function, emit, names_place, false};
    emit->out = &draft;
    for (int l = 0; l < emit->file->program->loops; l++) {
        if (emit->file->loops[l].refusal == NULL) {
            emit_enter_loop(emit, l);
            further_open(emit, l);
            emit->file->target->loop(emit);
            further_close(emit);
        }
    }
    emit->out = real;
    real->failed = real->failed || draft.failed || fclose(draft.file) != 0 || text == NULL;
    return text;
}

/* Writes the file whose loops are `loops`, which it frees. */
static int print_file(struct emit *emit, char *loops)
{
    emit->names.user = emit; /* it may have been moved */
    passes_print_functions(emit);
    preamble_print(emit);
    functions_print(emit);
    passes_print(emit);
    out_text(emit->out, loops != NULL ? loops : "");
    free(loops);
    tables_print(emit);
    passes_print_end(emit);
    return emit->out->failed || ferror(emit->out->file) ? -1 : 0;
}

/* Returns an emitter that has the candidates of all loops, too; its text is thrown away. */
static struct emit widened(struct out *out, const struct program *program,
                           const struct codegen_options *options, enum codegen_target target,
                           const struct emitted_loop *compiled, char **text)
{
    struct codegen_options *wide = arena_alloc(program->arena, sizeof(*wide));
    *wide = *options;
    wide->candidates = true;
    wide->chosen_only = false;
    wide->further = false;
    struct emit emit = emit_new(out, program, wide, target_table[target]);
    emit.file->compiled = compiled;
    *text = loops_text(&emit);
    return emit;
}

int codegen_emit(FILE *file, const struct program *program, enum codegen_target target,
                 const struct codegen_options *options)
{
    struct out out = {.file = file};
    struct emit emit = emit_new(&out, program, options, target_table[target]);
    char *loops = loops_text(&emit);
    if (options->further) {
        char *text;
        struct emit wide = widened(&out, program, options, target, NULL, &text);
        free(text);
        further_find(&emit, &wide);
    }
    return print_file(&emit, loops);
}

int codegen_emit_further(FILE *file, const struct program *program, enum codegen_target target,
                         const struct codegen_options *options)
{
    struct out out = {.file = file};
    struct emit emit = emit_new(&out, program, options, target_table[target]);
    char *text;
    free(loops_text(&emit));
    struct emit wide = widened(&out, program, options, target, emit.file->loops, &text);
    bool exists = false;
    for (int l = 0; l < program->loops; l++) {
        exists = exists || (emit.file->loops[l].variants > 0 && wide.file->loops[l].variants > 0);
    }
    if (exists) {
        return print_file(&wide, text);
    }
    free(text);
    return out.failed ? -1 : 0;
}
