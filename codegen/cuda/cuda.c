/* cuda.c: the CUDA target: kernels written with the primitives of runtime/device/ only.
 *
 * In: a loop with its shape and schedules. Out: its variants:
 *   nothing modified through a map   one thread per element, no plan
 *   increments                       fused and split stages, each by colours and by atomics
 *   modified otherwise               in place, thread colour after thread colour
 * Skeletons: codegen/templates/cuda_*.tpl.
 */
#include "codegen/cuda/cuda.h"
#include "pass/arena.h"

enum cuda_form cuda_form(const struct emit *emit)
{
    if (emit->shape->in_place) {
        return FORM_TURNS;
    }
    if (emit->schedule == NULL) {
        return FORM_ELEMENTS;
    }
    return emit->atomic ? FORM_BLOCKS : FORM_COLOURS;
}

/* ---- holes ------------------------------------------------------------------------------------
 */

static void print_comment(struct emit *emit)
{
    switch (cuda_form(emit)) {
    case FORM_ELEMENTS:
        emit_variant_comment(emit,
                             emit->atomic ? "one thread per element, atomic additions to memory"
                                          : "one thread per element",
                             false);
        break;
    case FORM_TURNS:
        emit_variant_comment(emit, "in place, hierarchical colouring", false);
        break;
    case FORM_BLOCKS:
        emit_variant_comment(emit, "split stages, atomic additions", true);
        break;
    case FORM_COLOURS:
        emit_variant_comment(emit,
                             emit->schedule->kind == SCHEDULE_SPLIT
                                 ? "split stages, hierarchical colouring"
                                 : "fused, hierarchical colouring",
                             true);
        break;
    }
}

static void print_block(struct emit *emit)
{
    out_text(emit->out, emit->atomic ? "cleave_block()"
                                     : "cleave_plan.colour_block[cleave_first + cleave_block()]");
}

static void print_turn(struct emit *emit)
{
    if (!emit->atomic) {
        out_line(emit->out, "const int cleave_colours = cleave_plan.thread_colours[cleave_b];");
        out_line(emit->out, "const int cleave_turn = cleave_active ? "
                            "cleave_plan.thread_colour[cleave_position] : -1;");
    }
}

static void print_element(struct emit *emit)
{
    if (place_uses_element(emit)) {
        out_line(emit->out, "const int cleave_e = cleave_plan.order[cleave_position];");
    }
}

static void print_privates(struct emit *emit)
{
    for (int a = 0; a < emit->loop->args; a++) {
        const struct arg *arg = &emit->loop->arg[a];
        if (emit->place[a] == PLACE_PRIVATE) {
            out_line(emit->out, "%s cleave_inc_%s%s[%d] = {};", emit_type_name(emit, arg->type),
                     emit->shape->label[a],
                     arg->is_vector ? emit_format(emit, "[%d]", arg->columns) : "", arg->dim);
        }
    }
}

/* Increments straight to memory, in the element's turn or by atomics. */
static void print_global_adds(struct emit *emit)
{
    for (int a = 0; a < emit->loop->args; a++) {
        const struct arg *arg = &emit->loop->arg[a];
        if (emit->place[a] != PLACE_PRIVATE) {
            continue;
        }
        const struct shape_dat *dat = &emit->shape->dat[emit->shape->dat_of[a]];
        if (dat->optional) {
            out_line(emit->out, "if (%s != NULL) {", dat->name);
        }
        emit->out->indent += dat->optional ? 4 : 0;
        for (int c = 0; c < place_columns(arg); c++) {
            const char *point = place_point(emit, emit->shape->map_of[a], place_column(arg, c));
            const char *row = arg->is_vector ? emit_format(emit, "[%d]", c) : "";
            emit_add(emit, a, emit->atomic ? "cleave_add(&%s, %s);" : "%s += %s;", dat->name,
                     place_offset(emit, dat->dim, point),
                     emit_format(emit, "cleave_inc_%s%s", emit->shape->label[a], row));
        }
        emit->out->indent -= dat->optional ? 4 : 0;
        if (dat->optional) {
            out_line(emit->out, "}");
        }
    }
}

static const char *reduction_name(enum access access)
{
    return access == ACCESS_INC ? "add" : access == ACCESS_MIN ? "min" : "max";
}

static void print_partial(struct emit *emit, int a)
{
    const struct arg *arg = &emit->loop->arg[a];
    const char *label = emit->shape->label[a];
    const char *type = emit_type_name(emit, arg->type);
    const char *on = arg->is_optional ? emit_format(emit, "cleave_on_%s && ", label) : "";
    out_line(emit->out, "for (int cleave_d = 0; %scleave_d < %d; cleave_d++) {", on, arg->dim);
    out_line(emit->out, "    const %s cleave_block_%s =", type, label);
    out_line(emit->out,
             "        cleave_reduce_%s<%s>(cleave_gbl_%s[cleave_d], cleave_shared<%s>(0));",
             reduction_name(arg->access), type, label, type);
    out_line(emit->out, "    if (cleave_thread() == 0) {");
    out_line(emit->out, "        cleave_partial_%s[%scleave_d] = cleave_block_%s;", label,
             arg->dim == 1 ? "cleave_b + "
                           : emit_format(emit, "%d * (size_t)cleave_b + ", arg->dim),
             label);
    out_line(emit->out, "    }");
    out_line(emit->out, "}");
}

static void print_partials(struct emit *emit)
{
    for (int a = 0; a < emit->loop->args; a++) {
        if (arg_is_reduction(&emit->loop->arg[a])) {
            print_partial(emit, a);
        }
    }
}

static void print_space(struct emit *emit)
{
    out_text(emit->out, cuda_space_name(emit));
}

static void print_scratch(struct emit *emit)
{
    out_format(emit->out, "%zu", cuda_scratch_bytes(emit->loop));
}

static const struct hole holes[] = {
    {"scratch", print_scratch},
    {"space", print_space},
    {"comment", print_comment},
    {"name", emit_variant_name},
    {"params", cuda_params},
    {"arguments", cuda_arguments},
    {"values", cuda_values},
    {"block", print_block},
    {"turn", print_turn},
    {"lists", cuda_lists},
    {"stage_in", cuda_stage_in},
    {"stage_in_barrier", cuda_stage_in_barrier},
    {"zero", cuda_zero},
    {"views", cuda_views},
    {"copies", emit_reduction_copies},
    {"privates", print_privates},
    {"element", print_element},
    {"locals", emit_locals},
    {"call", emit_call},
    {"adds", print_global_adds},
    {"shared_adds", cuda_shared_adds},
    {"stage_out", cuda_stage_out},
    {"updates", cuda_updates},
    {"partials", print_partials},
    {"fields", cuda_space_fields},
    {"offsets", cuda_space_offsets},
    {"others", cuda_space_others},
    {NULL, NULL},
};

/* ---- variants ---------------------------------------------------------------------------------
 */

static bool is_staged(const struct schedule *schedule, int a)
{
    for (int t = 0; t < schedule->stage[0].transfers; t++) {
        const struct transfer *transfer = &schedule->stage[0].transfer[t];
        if (transfer->arg == a && transfer->kind == TRANSFER_IN) {
            return true;
        }
    }
    return false;
}

static enum place place_of(const struct emit *emit, int a)
{
    const struct arg *arg = &emit->loop->arg[a];
    switch (arg->kind) {
    case ARG_INDEX:
        return PLACE_INDEX;
    case ARG_GLOBAL:
        return arg_is_reduction(arg) ? PLACE_REDUCE : PLACE_VALUE;
    default:
        break;
    }
    if (!arg->is_indirect) {
        return PLACE_DIRECT;
    }
    if (arg->access == ACCESS_INC) {
        return PLACE_PRIVATE;
    }
    return emit->schedule != NULL && is_staged(emit->schedule, a) ? PLACE_STAGED : PLACE_MAP;
}

/* schedule NULL: nothing is staged. */
static void print_variant(struct emit *emit, struct emitted *emitted,
                          const struct schedule *schedule, const char *kernel, const char *launch)
{
    emit->schedule = schedule;
    for (int a = 0; a < emit->loop->args; a++) {
        emit->place[a] = place_of(emit, a);
    }
    if (schedule != NULL) {
        emitted->shared = emit_format(emit, "%s_shared", cuda_space_name(emit));
        if (emitted->race == CLEAVE_RACE_COLOUR) { /* the schedule's first */
            template_print(emit, template_cuda_space, holes);
        }
    } else if (emit->shape->reduces) {
        emitted->shared = emit_format(emit, "%s_shared", emitted->name);
        template_print(emit, template_cuda_scratch, holes);
    }
    emitted->run = emit_format(emit, "%s_run", emitted->name);
    template_print(emit, kernel, holes);
    template_print(emit, launch, holes);
}

/* The types that cleave_add has. */
static bool has_atomics(const struct loop *loop)
{
    for (int a = 0; a < loop->args; a++) {
        const struct arg *arg = &loop->arg[a];
        if (arg->kind == ARG_DAT && arg->is_indirect && arg->access == ACCESS_INC &&
            arg->type->size < 4) {
            return false;
        }
    }
    return true;
}

static void print_split(struct emit *emit, struct emitted_loop *loop, const struct schedule *split)
{
    print_variant(emit,
                  emit_variant(emit, loop, "split_colour", CLEAVE_SPLIT, CLEAVE_RACE_COLOUR, 1),
                  split, template_cuda_split, template_cuda_launch_colours);
    if (has_atomics(emit->loop)) {
        print_variant(emit,
                      emit_variant(emit, loop, "split_atomic", CLEAVE_SPLIT, CLEAVE_RACE_ATOMIC, 1),
                      split, template_cuda_split, template_cuda_launch_blocks);
    }
}

static void print_fused(struct emit *emit, struct emitted_loop *loop, const struct schedule *fused)
{
    print_variant(emit,
                  emit_variant(emit, loop, "fused_colour", CLEAVE_FUSED, CLEAVE_RACE_COLOUR, 1),
                  fused, template_cuda_fused, template_cuda_launch_colours);
    if (has_atomics(emit->loop)) {
        print_variant(emit,
                      emit_variant(emit, loop, "fused_atomic", CLEAVE_FUSED, CLEAVE_RACE_ATOMIC, 0),
                      NULL, template_cuda_elements, template_cuda_launch_elements);
    }
}

static void print_loop(struct emit *emit, struct emitted_loop *loop)
{
    const struct schedule *schedule = emit->loop->schedule;
    if (emit->shape->in_place) {
        print_variant(emit,
                      emit_variant(emit, loop, "fused_colour", CLEAVE_FUSED, CLEAVE_RACE_COLOUR, 1),
                      NULL, template_cuda_turns, template_cuda_launch_colours);
    } else if (!emit->shape->increments) {
        print_variant(emit, emit_variant(emit, loop, "direct", CLEAVE_FUSED, CLEAVE_RACE_NONE, 0),
                      NULL, template_cuda_elements, template_cuda_launch_elements);
    } else {
        if (emit->options->split && schedule[1].legal) {
            print_split(emit, loop, &schedule[1]);
        }
        if (emit->options->fused || !schedule[1].legal) {
            print_fused(emit, loop, &schedule[0]);
        }
    }
}

const struct target_row codegen_cuda = {
    .symbol = "cuda",
    .suffix = {[LANGUAGE_C] = ".cleave.cu", [LANGUAGE_CXX] = ".cleave.cu"},
    .qualifier = "CLEAVE_DEVICE",
    .constant = "CLEAVE_CONSTANT",
    .large_constant = "CLEAVE_LARGE_CONSTANT",
    .setter = "cleave_constant_set(%s, cleave_value, sizeof(%s));",
    .registers = "cleave_register_cuda",
    .id = "CLEAVE_TARGET_CUDA",
    .includes = "#include \"cleave_gen.h\"\n#include \"device/cleave_device.cuh\"\n"
                "#include \"device/reduce.cuh\"\n#include \"device/staging.cuh\"\n\n"
                "#define CLEAVE_MATH_INLINE CLEAVE_DEVICE\n#include \"cleave_math.h\"\n\n"
                "__attribute__((unused)) static inline size_t cleave_round_up(size_t bytes)\n"
                "{\n    return (bytes + 15) / 16 * 16;\n}\n\n"
                "__attribute__((unused)) static inline size_t cleave_larger(size_t a, size_t b)\n"
                "{\n    return a > b ? a : b;\n}\n",
    .loop = print_loop,
};
