/* cuda_kernels.c: one kernel.
 *
 * In: a struct cuda_kernel and emit->schedule. Out: text. A kernel's skeleton is a template; it
 * declares those of our locals and parameters that its text mentions.
 */
#include "codegen/cuda/cuda.h"

#include <string.h>

#include "pass/ir/arena.h"

const struct cuda_kernel *cuda_kernel(const struct emit *emit)
{
    return emit->state;
}

/* ---- what an element does ---------------------------------------------------------------------
 */

void cuda_open_guard(struct emit *emit, int a)
{
    if (cuda_dat(emit, a)->optional) {
        out_line(emit->out, "if (%s != NULL) {", cuda_dat(emit, a)->name);
        emit->out->indent += 4;
    }
}

void cuda_close_guard(struct emit *emit, int a)
{
    if (cuda_dat(emit, a)->optional) {
        emit->out->indent -= 4;
        out_line(emit->out, "}");
    }
}

void cuda_compute(struct emit *emit)
{
    const struct cuda_kernel *kernel = cuda_kernel(emit);
    if (kernel->whole) {
        emit_locals(emit);
        emit_call(emit);
    } else if (emit->stage->body != NULL) {
        emit_stage_body(emit, emit->stage);
    }
    if (kernel->saves) {
        emit_tmp_stores(emit);
    }
}

static void print_privates(struct emit *emit)
{
    if (cuda_kernel(emit)->whole) {
        emit_privates(emit);
    }
}

/* Prints the values that cross stages; for a kernel with one stage only those that the stage makes.
 */
static void print_crossings(struct emit *emit)
{
    const struct cuda_kernel *kernel = cuda_kernel(emit);
    if (kernel->whole || kernel->loads || kernel->stages == 0 || cuda_recipe(emit)->slices > 0) {
        return;
    }
    if (kernel->stages > 1) {
        emit_crossings(emit);
    } else {
        emit_stage_crossings(emit, &emit->schedule->stage[kernel->stage]);
    }
}

/* ---- tmp(e) -----------------------------------------------------------------------------------
 */

static int values_of(struct emit *emit, struct tmp_value **value)
{
    const struct cuda_kernel *kernel = cuda_kernel(emit);
    return kernel->saves || kernel->loads ? tmp_values(emit, emit->schedule, value) : 0;
}

static const char *pointer_name(struct emit *emit, const struct tmp_value *value)
{
    return emit_format(emit, "cleave_tmp_%s", value->name);
}

bool cuda_uses_tmp(struct emit *emit, size_t from)
{
    struct tmp_value *value;
    int values = values_of(emit, &value);
    for (int v = 0; v < values; v++) {
        if (value[v].offset >= from && emit_mentions(emit, pointer_name(emit, &value[v]))) {
            return true;
        }
    }
    return false;
}

/* Declares the array of each value of tmp(e) that the kernel uses. */
static void print_tmp(struct emit *emit)
{
    const struct cuda_kernel *kernel = cuda_kernel(emit);
    bool plan = cuda_form(kernel->form)->blocks;
    struct tmp_value *value;
    int values = values_of(emit, &value);
    for (int v = 0; v < values; v++) {
        const char *type = emit_format(emit, "%s%s *", kernel->saves ? "" : "const ",
                                       emit_type_name(emit, value[v].type));
        const char *name = pointer_name(emit, &value[v]);
        if (emit_mentions(emit, name)) {
            const char *at =
                value[v].offset == 0
                    ? "cleave_tmp"
                    : emit_format(emit, "(cleave_tmp + %zu * (size_t)%s)", value[v].offset,
                                  plan ? "cleave_plan.size" : "cleave_size");
            out_assign(emit->out, emit_format(emit, "%sconst %s", type, name), "=",
                       emit_format(emit, "(%s)%s", type, at));
        }
    }
}

static bool is_used(const struct emit *emit, const struct stage *stage,
                    const struct tmp_value *value)
{
    for (int u = 0; u < stage->updates; u++) {
        const struct expr *expr = stage->update[u].value;
        if (update_is_crossing(emit->schedule, expr) && expr->var == value->var) {
            return true;
        }
    }
    return false;
}

/* Loads tmp(e) before the turns begin, so that no thread waits for it in its turn. */
static void print_loads(struct emit *emit)
{
    const struct cuda_kernel *kernel = cuda_kernel(emit);
    struct tmp_value *value;
    int values = kernel->loads ? values_of(emit, &value) : 0;
    for (int v = 0; v < values; v++) {
        if (is_used(emit, &emit->schedule->stage[kernel->stage], &value[v])) {
            out_line(emit->out, "const %s %s = cleave_tmp_%s[cleave_e];",
                     emit_type_name(emit, value[v].type), value[v].name, value[v].name);
        }
    }
}

void cuda_private_adds(struct emit *emit)
{
    for (int a = 0; a < emit->loop->args; a++) {
        const struct arg *arg = &emit->loop->arg[a];
        if (emit->binding[a] != BIND_PRIVATE) {
            continue;
        }
        const struct shape_dat *dat = cuda_dat(emit, a);
        cuda_open_guard(emit, a);
        for (int c = 0; c < place_columns(arg); c++) {
            const char *point = place_point(emit, emit->shape->map_of[a], place_column(arg, c));
            const char *row = arg->is_vector ? emit_format(emit, "[%d]", c) : "";
            const char *to = dat->soa ? emit_format(emit, "cleave_soa_at(%s, %s, %s)", dat->name,
                                                    dat->stride, point)
                                      : dat->name;
            emit_add(emit, a, "%s += %s;", to,
                     dat->soa ? NULL : place_offset(emit, dat->dim, point),
                     emit_format(emit, "cleave_inc_%s%s", emit->shape->label[a], row));
        }
        cuda_close_guard(emit, a);
    }
}

static void print_atomic_updates(struct emit *emit)
{
    cuda_memory_updates(emit, SINK_MEMORY_ATOMIC);
}

/* ---- the block and its elements ---------------------------------------------------------------
 */

static void print_comment(struct emit *emit)
{
    const struct cuda_kernel *kernel = cuda_kernel(emit);
    if (kernel->first) {
        emit_variant_comment(emit, kernel->what,
                             cuda_form(kernel->form)->stages &&
                                 cuda_recipe(emit)->reads != CLEAVE_READS_DIRECT);
    } else if (kernel->form == FORM_JOIN) {
        out_comment(emit->out, "%s over %s: %s.", emit->loop->kernel->user_name,
                    emit->loop->set_text, kernel->what);
    } else if (kernel->form == FORM_SUMS) {
        out_comment(emit->out, "%s over %s: %s, added up in the order of the blocks.",
                    emit->loop->kernel->user_name, emit->loop->set_text, kernel->what);
    } else {
        const struct stage *stage = &emit->schedule->stage[kernel->stage];
        out_comment(emit->out, "%s over %s, stage %d: %s: %s.", emit->loop->kernel->user_name,
                    emit->loop->set_text, kernel->stage + 1, stage->name, kernel->what);
    }
}

static void print_name(struct emit *emit)
{
    out_text(emit->out, cuda_kernel(emit)->name);
}

/* Parameters that are compiled in, see cuda_gather.c and CLEAVE_REGISTERS. */
void cuda_print_tuned(struct emit *emit, enum cuda_tuned tuned)
{
    if (tuned != TUNED_NOT) {
        out_line(emit->out, "template <%sint cleave_registers>",
                 tuned == TUNED_COMPONENTS ? "int cleave_components, " : "");
    }
}

static void print_template(struct emit *emit)
{
    cuda_print_tuned(emit, cuda_kernel(emit)->tuned);
}

static void print_registers(struct emit *emit)
{
    out_text(emit->out, cuda_kernel(emit)->tuned ? "CLEAVE_REGISTERS(cleave_registers)\n" : "");
}

static void print_block(struct emit *emit)
{
    out_text(emit->out, cuda_kernel(emit)->form == FORM_BLOCKS
                            ? "cleave_block()"
                            : "cleave_plan.colour_block[cleave_first + cleave_block()]");
}

static void print_turn(struct emit *emit)
{
    if (emit_mentions(emit, "cleave_turn")) {
        out_line(emit->out, "const int cleave_colours = cleave_plan.thread_colours[cleave_b];");
        out_line(emit->out, "const int cleave_turn = cleave_active ? "
                            "cleave_plan.thread_colour[cleave_position] : -1;");
    }
}

static void print_element(struct emit *emit)
{
    if (emit_mentions(emit, "cleave_e") && cuda_recipe(emit)->slices == 0) {
        out_line(emit->out, "const int cleave_e = cleave_active ? "
                            "cleave_element_of(cleave_plan, cleave_position) : 0;");
    }
}

static const char *skeleton_of(const struct emit *emit, const struct cuda_kernel *kernel)
{
    const struct cuda_form_row *form = cuda_form(kernel->form);
    if (emit->loop->epilogues > 0) {
        return form->epilogue;
    }
    if (!kernel->reduces || form->reduces == NULL) {
        return form->skeleton;
    }
    return form->only_reads != NULL && cuda_only_reads(emit) ? form->only_reads : form->reduces;
}

static void print_owner_block(struct emit *emit)
{
    if (emit_mentions(emit, "cleave_b")) {
        out_line(emit->out, "const int cleave_b = cleave_own.first / cleave_block_size;");
    }
}

void cuda_print_kernel(struct emit *emit, struct cuda_kernel *kernel)
{
    static const struct hole holes[] = {
        {"comment", print_comment},
        {"template", print_template},
        {"registers", print_registers},
        {"name", print_name},
        {"params", cuda_params},
        {"block", print_block},
        {"turn", print_turn},
        {"element", print_element},
        {"lists", cuda_lists},
        {"gather_lists", cuda_gather_lists},
        {"early", cuda_early},
        {"copies", cuda_reduction_copies},
        {"privates", print_privates},
        {"crossings", print_crossings},
        {"tmp", print_tmp},
        {"loads", print_loads},
        {"stages", cuda_stages},
        {"compute", cuda_compute},
        {"area", cuda_rows_area},
        {"rows_load", emit_row_loads},
        {"rows_store", emit_row_stores},
        {"memory_updates", print_atomic_updates},
        {"turn_adds", cuda_private_adds},
        {"partials", cuda_reductions},
        {"global_block", cuda_global_block},
        {"global_element", cuda_global_element},
        {"global_updates", cuda_global_updates},
        {"point_load", cuda_point_load},
        {"point_items", cuda_point_items},
        {"point_range", cuda_point_range},
        {"point_is_alone", cuda_point_is_alone},
        {"point_save", cuda_point_save},
        {"ordered_sums", cuda_ordered_sums},
        {"owner_stage_in", cuda_owner_stage_in},
        {"owner_items", cuda_items_first},
        {"owner_start", cuda_owner_start},
        {"owner_stage_in_barrier", cuda_owner_stage_in_barrier},
        {"owner_point_values", cuda_point_values_loop},
        {"owner_next", cuda_items_next},
        {"owner_item", cuda_owner_item},
        {"owner_body", cuda_owner_body},
        {"owner_save", cuda_owner_save},
        {"owner_is_idle", cuda_owner_is_idle},
        {"owner_block", print_owner_block},
        {"epilogue", cuda_epilogue},
        {"block_partials", cuda_block_partials},
        {"joins", cuda_joins},
        {"flag", cuda_flag},
        {NULL, NULL},
    };
    const struct cuda_form_row *form = cuda_form(kernel->form);
    emit->state = kernel;
    emit->binding = kernel->binding;
    emit->stage = kernel->stages > 0 ? &emit->schedule->stage[kernel->stage] : NULL;
    emit->number = kernel->stage + 1;
    emit->tmp_format = kernel->loads ? form->tmp_format : NULL;
    template_function(emit, skeleton_of(emit, kernel), holes);
    kernel->text = emit->text;
}
