/* openmp_slots.c: reductions into globals that have the same bits whether elements are computed one
 * after the other or several at once.
 *
 * In: a variant with slots. Out: the text of CLEAVE_SLOTS accumulators of each component of a
 * global. Element e of a run of consecutive elements that begins at `begin` works on slot
 * (e - begin) % CLEAVE_SLOTS, and at the end of the block the slots are joined in their order. How
 * many elements a core computes at once divides the number of slots, so it changes no slot:
 *
 *     double cleave_gbl_rms[1][CLEAVE_SLOTS] = {{0}};
 *     ... the elements, each with its slot ...
 *     double cleave_all = cleave_gbl_rms[0][0];
 *     for (int cleave_slot = 1; cleave_slot < CLEAVE_SLOTS; cleave_slot++) {
 *         cleave_all += cleave_gbl_rms[0][cleave_slot];
 *     }
 */
#include "codegen/openmp/openmp.h"

#include <stdlib.h>
#include <string.h>

#include "pass/ir/arena.h"

static void open_components(struct emit *emit, int a)
{
    const char *label = emit->shape->label[a];
    const char *guard =
        emit->loop->arg[a].is_optional ? emit_format(emit, "cleave_on_%s && ", label) : "";
    out_line(emit->out, "for (int cleave_d = 0; %scleave_d < %d; cleave_d++) {", guard,
             emit->loop->arg[a].dim);
    emit->out->indent += 4;
}

static void close_components(struct emit *emit)
{
    emit->out->indent -= 4;
    out_line(emit->out, "}");
}

void openmp_slots_begin(struct emit *emit)
{
    for (int a = 0; a < emit->loop->args; a++) {
        const struct arg *arg = &emit->loop->arg[a];
        const char *label = emit->shape->label[a];
        if (!place_has_slots(emit, a)) {
            continue;
        }
        out_line(emit->out, "%s cleave_gbl_%s[%d][CLEAVE_SLOTS] = {{0}};",
                 emit_type_name(emit, arg->type), label, arg->dim);
        if (arg->access != ACCESS_INC) {
            open_components(emit, a);
            out_line(emit->out,
                     "for (int cleave_slot = 0; cleave_slot < CLEAVE_SLOTS; cleave_slot++) {");
            out_line(emit->out,
                     "    cleave_gbl_%s[cleave_d][cleave_slot] = cleave_start_%s[cleave_d];", label,
                     label);
            out_line(emit->out, "}");
            close_components(emit);
        }
    }
}

void openmp_slot_before(struct emit *emit, void (*work)(struct emit *emit))
{
    char *text = NULL;
    size_t size = 0;
    struct out *real = emit->out;
    struct out draft = {.file = open_memstream(&text, &size), .indent = real->indent};
    if (draft.file == NULL) {
        real->failed = true;
        return;
    }
    emit->out = &draft;
    work(emit);
    emit->out = real;
    real->failed = real->failed || draft.failed || fclose(draft.file) != 0 || text == NULL;
    if (text != NULL && strstr(text, "cleave_slot") != NULL) {
        out_line(real, "const int cleave_slot = (cleave_e - cleave_begin) & (CLEAVE_SLOTS - 1);");
    }
    real->indent = 0; /* the text has its blanks already */
    out_text(real, text != NULL ? text : "");
    real->indent = draft.indent;
    free(text);
}

void openmp_slots_join(struct emit *emit, int a, const char *to)
{
    const struct arg *arg = &emit->loop->arg[a];
    const char *from =
        emit_format(emit, "cleave_gbl_%s[cleave_d][cleave_slot]", emit->shape->label[a]);
    open_components(emit, a);
    out_line(emit->out, "%s cleave_all = cleave_gbl_%s[cleave_d][0];",
             emit_type_name(emit, arg->type), emit->shape->label[a]);
    out_line(emit->out, "for (int cleave_slot = 1; cleave_slot < CLEAVE_SLOTS; cleave_slot++) {");
    emit->out->indent += 4;
    if (arg->access == ACCESS_INC) {
        out_line(emit->out, "cleave_all += %s;", from);
    } else {
        out_line(emit->out, "if (%s %s cleave_all) {", from, arg->access == ACCESS_MIN ? "<" : ">");
        out_line(emit->out, "    cleave_all = %s;", from);
        out_line(emit->out, "}");
    }
    emit->out->indent -= 4;
    out_line(emit->out, "}");
    out_line(emit->out, "%s = cleave_all;", to);
    close_components(emit);
}
