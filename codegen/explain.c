/* explain.c: the part of --cleave-explain that depends on targets.
 *
 * In: a Program with schedules. Out: layouts of dats (layout_auto.c), and for each loop what each
 * target says of it: forms that it lacks, and why.
 */
#include "codegen/emit.h"

/* A loop that runs sequentially everywhere has no schedules, and its reason stands elsewhere. */
static void explain_loop(struct emit *emit, int l, FILE *out)
{
    if (emit->file->loops[l].refusal == NULL) {
        emit_enter_loop(emit, l);
        emit->file->target->explain(emit, out);
    } else {
        fprintf(out, "    %s: no variants: %s\n", emit->file->target->place,
                emit->file->loops[l].refusal);
    }
}

void codegen_explain(FILE *out, const struct program *program,
                     const struct codegen_options *options)
{
    struct out nowhere = {0};
    struct emit emit[CODEGEN_TARGETS];
    for (int t = 0; t < CODEGEN_TARGETS; t++) {
        emit[t] = emit_new(&nowhere, program, options, emit_target((enum codegen_target)t));
        layouts_print(&emit[t], out);
    }
    fputs("how loops run, and which of the variants that --cleave-emit asks for they cannot have\n",
          out);
    for (int l = 0; l < program->loops; l++) {
        const struct loop *loop = &program->loop[l];
        if (loop->schedules > 0) {
            fprintf(out, "  %s (%s:%d)\n", loop->name, loop->loc.file, loop->loc.line);
            for (int t = 0; t < CODEGEN_TARGETS; t++) {
                if (l < emit[t].file->program->loops) {
                    explain_loop(&emit[t], l, out);
                }
            }
        }
    }
}
