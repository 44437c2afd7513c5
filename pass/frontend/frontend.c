/* frontend.c: source file in, Program out: the steps of the front end, one per line.
 *
 * In: the options of the run. Out: the Program, checked, or nothing for a file without loops. The
 * steps are in the clang_*.c files; nothing of libclang outlives pass_run().
 */
#include "pass/frontend/util.h"

#include "pass/access/access.h"

static struct program *new_program(const struct pass_options *options)
{
    struct arena *arena = arena_new();
    struct program *program = arena_alloc(arena, sizeof(*program));

    program->arena = arena;
    program->source = arena_text(arena, options->source);
    program->unit = arena_text(arena, options->unit != NULL ? options->unit : "");
    program->language = options->language;
    return program;
}

void program_free(struct program *program)
{
    if (program != NULL) {
        arena_free(program->arena);
    }
}

/* Reports a use of dat->data in a program that calls no function that makes it current: results are
 * right, but the program should know what that costs and rules out. */
static void say_data_access(struct front *front)
{
    if (!clang_Cursor_isNull(front->data_access) && !front->asks_for_data) {
        struct loc loc = front_loc(front, front->data_access);

        diag_report(front->diag, DIAG_data_access, loc, 1, loc,
                    front_source_text(front, front->data_access));
    }
}

/* Diagnostics keep texts of the run, so the arena lives on inside of the program that is returned.
 */
static bool build(struct front *front, bool *has_loops)
{
    front_scan(front);
    *has_loops = front->mentions > 0;
    /* An error may also be why no loop was found: a kernel that is not declared hides its call. */
    if (front_report_errors(front) > 0 || !*has_loops) {
        return false;
    }
    for (int d = 0; d < front->declarations; d++) {
        front_declaration(front, front->declaration[d]);
    }
    for (int c = 0; c < front->calls; c++) {
        front->call[c].loop = front_loop(front, front->call[c].cursor);
    }
    front_check_keys(front);
    front_check_globals(front);
    front_chains(front);
    say_data_access(front);
    access_check(front->program, front->diag, front->options->accept_alias);
    if (front->options->unit == NULL) {
        front->program->unit = front_content_id(front);
    }
    return true;
}

struct program *pass_run(const struct pass_options *options, struct diag *diag, bool *has_loops)
{
    struct program *program = new_program(options);
    struct front front = {.program = program,
                          .arena = program->arena,
                          .diag = diag,
                          .options = options,
                          .data_access = clang_getNullCursor()};
    CXIndex index;
    bool built;

    *has_loops = false;
    front.unit = front_parse(&front, &index);
    built = front.unit != NULL && build(&front, has_loops);
    if (front.unit != NULL) {
        clang_disposeTranslationUnit(front.unit);
    }
    if (index != NULL) {
        clang_disposeIndex(index);
    }
    if (!built) {
        program_free(program);
        return NULL;
    }
    return program;
}
