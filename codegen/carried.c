/* carried.c: extrema with payloads (op_arg_info): an element's copies, and what its thread keeps.
 *
 * In: loops whose extrema have `ties`. Out: text around the bodies that touch them. Which of equal
 * elements counts is a matter of their numbers, not of the order in which they run, so each element
 * works on copies that begin with the user's value, and behind the body they replace what its
 * thread has kept, where they are better:
 *
 *     double cleave_own_maxerr[1] = {0};        // begins as cleave_start_maxerr
 *     int cleave_own_errloc[1] = {0};
 *     ... the body ...
 *     if (cleave_own_maxerr[0] > cleave_gbl_maxerr[0] || ...) {
 *         const int cleave_key = cleave_number_errloc != NULL ? ... : cleave_e;
 *         ... cleave_gbl_maxerr, cleave_best_element_maxerr, cleave_gbl_errloc ...
 *     }
 *
 * A payload is never read before it is set, and an extremum is never kept without its whole payload
 * (pass/access/access_carried.c), so the user's payload need not be known here.
 */
#include "codegen/uses.h"
#include "pass/ir/arena.h"

static bool is_touched(const bool *touched, int a)
{
    return touched == NULL || touched[a];
}

const bool *emit_carried_touched(struct emit *emit)
{
    const struct loop *loop = emit->loop;
    bool *touched = arena_alloc(emit->file->program->arena, (size_t)loop->args * sizeof(*touched));
    for (int a = 0; a < loop->args; a++) {
        const struct arg *arg = &loop->arg[a];
        if (!arg_is_carried(arg) || emit->use[a].columns == 0) {
            continue;
        }
        int extremum = arg->kind == ARG_INFO ? arg->info_of : a;
        for (int b = 0; b < loop->args; b++) {
            bool goes_with = loop->arg[b].kind == ARG_INFO && loop->arg[b].info_of == extremum;
            touched[b] = touched[b] || b == extremum || goes_with;
        }
    }
    return touched;
}

/* The label of the loop's first payload: launch->number is the same for all. */
static const char *number_label(const struct emit *emit)
{
    int a = 0;
    while (emit->loop->arg[a].kind != ARG_INFO) {
        a++;
    }
    return emit->shape->label[a];
}

void emit_carried_state(struct emit *emit)
{
    for (int a = 0; a < emit->loop->args; a++) {
        const struct arg *arg = &emit->loop->arg[a];
        const char *label = emit->shape->label[a];
        if (arg->kind == ARG_INFO) {
            out_line(emit->out, "%s cleave_gbl_%s[%d] = {%s};", emit_type_name(emit, arg->type),
                     label, arg_payload(arg), emit->file->target->zeros);
        } else if (arg->ties != TIES_NONE) {
            int items = 0;
            out_format(emit->out, "int cleave_best_element_%s[%d] = {", label, arg->dim);
            for (int d = 0; d < arg->dim; d++) {
                out_item(emit->out, &items, "-1");
            }
            out_text(emit->out, "};\n");
        }
    }
}

void emit_carried_begin(struct emit *emit, const bool *touched)
{
    for (int a = 0; a < emit->loop->args; a++) {
        const struct arg *arg = &emit->loop->arg[a];
        const char *label = emit->shape->label[a];
        if (!arg_is_carried(arg) || !is_touched(touched, a)) {
            continue;
        }
        out_line(emit->out, "%s cleave_own_%s[%d] = {%s};", emit_type_name(emit, arg->type), label,
                 arg->dim, emit->file->target->zeros);
        if (arg->kind == ARG_INFO) {
            continue;
        }
        const char *guard = arg->is_optional ? emit_format(emit, "cleave_on_%s && ", label) : "";
        out_line(emit->out, "for (int cleave_d = 0; %scleave_d < %d; cleave_d++) {", guard,
                 arg->dim);
        out_line(emit->out, "    cleave_own_%s[cleave_d] = cleave_start_%s%s[cleave_d];", label,
                 label, emit->file->target->by_value);
        out_line(emit->out, "}");
    }
}

/* The payload of component d. */
static void print_payload(struct emit *emit, int extremum, int d)
{
    for (int a = 0; a < emit->loop->args; a++) {
        const struct arg *arg = &emit->loop->arg[a];
        const char *label = emit->shape->label[a];
        if (arg->kind != ARG_INFO || arg->info_of != extremum) {
            continue;
        }
        for (int i = 0; i < arg_payload(arg); i++) {
            if (arg->goes_with[i] == d) {
                out_line(emit->out, "cleave_gbl_%s[%d] = cleave_own_%s[%d];", label, i, label, i);
            }
        }
    }
}

/* "cleave_own_errloc[1] != 0 && " where the payload has flags. */
static const char *flag_text(struct emit *emit, int extremum, int d)
{
    for (int a = 0; a < emit->loop->args; a++) {
        const struct arg *arg = &emit->loop->arg[a];
        if (arg->kind == ARG_INFO && arg->info_of == extremum && arg->flags > 0) {
            return emit_format(emit, "cleave_own_%s[%d] != 0 &&", emit->shape->label[a],
                               arg_payload(arg) + d);
        }
    }
    return NULL;
}

/* Equal values need numbers only where an element with another number was found before. */
static void print_component(struct emit *emit, int a, int d)
{
    const struct arg *arg = &emit->loop->arg[a];
    const char *label = emit->shape->label[a];
    const char *number = number_label(emit);
    const char *flag = flag_text(emit, a, d);
    const char *own = emit_format(emit, "cleave_own_%s[%d]", label, d);
    const char *kept = emit_format(emit, "cleave_gbl_%s[%d]", label, d);
    const char *at = emit_format(emit, "cleave_best_element_%s[%d]", label, d);
    const char *beats = arg->access == ACCESS_MAX ? ">" : "<";
    if (flag != NULL) {
        out_line(emit->out, "if (%s", flag);
        out_line(emit->out, "    !(%s %s %s)) {", kept, beats, own);
    } else {
        out_line(emit->out, "if (%s %s %s ||", own, beats, kept);
        out_line(emit->out, "    (%s == %s && %s > 0)) {", own, kept, at);
    }
    emit->out->indent += 4;
    out_line(emit->out, "const int cleave_key =");
    out_line(emit->out, "    cleave_number_%s != NULL ? cleave_number_%s[cleave_e] : cleave_e;",
             number, number);
    out_line(emit->out, "if (%s %s %s || cleave_key %s %s) {", own, beats, kept,
             flag != NULL ? ">" : "<", at);
    emit->out->indent += 4;
    out_line(emit->out, "%s = %s;", kept, own);
    out_line(emit->out, "%s = cleave_key;", at);
    print_payload(emit, a, d);
    emit->out->indent -= 4;
    out_line(emit->out, "}");
    emit->out->indent -= 4;
    out_line(emit->out, "}");
}

void emit_carried_end(struct emit *emit, const bool *touched)
{
    for (int a = 0; a < emit->loop->args; a++) {
        const struct arg *arg = &emit->loop->arg[a];
        for (int d = 0; arg->ties != TIES_NONE && is_touched(touched, a) && d < arg->dim; d++) {
            print_component(emit, a, d);
        }
    }
}
