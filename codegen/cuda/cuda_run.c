/* cuda_run.c: the function that starts a variant's kernels, one after the other.
 *
 * In: the variant's kernels, printed. Out: text. Parameters and arguments come from one walk
 * (cuda_params.c), and names that no kernel mentions are not declared.
 */
#include "codegen/cuda/cuda.h"
#include "pass/ir/arena.h"
#include "pass/ir/machine.h"

struct start {
    struct cuda_kernel *kernel;
    int kernels;
    const char *variant;
};

static void print_run_name(struct emit *emit)
{
    out_text(emit->out, ((struct start *)emit->state)->variant);
}

static void print_run_template(struct emit *emit)
{
    const struct start *start = emit->state;
    enum cuda_tuned tuned = TUNED_NOT;
    for (int k = 0; k < start->kernels; k++) {
        tuned = start->kernel[k].tuned > tuned ? start->kernel[k].tuned : tuned;
    }
    cuda_print_tuned(emit, tuned);
}

/* Whether some kernel of the variant has a form with the property. */
static bool any_form(const struct emit *emit, bool (*has)(const struct cuda_form_row *form))
{
    const struct start *start = emit->state;
    for (int k = 0; k < start->kernels; k++) {
        if (has(cuda_form(start->kernel[k].form))) {
            return true;
        }
    }
    return false;
}

static bool needs_plan(const struct cuda_form_row *form)
{
    return form->plan;
}

static bool needs_block_size(const struct cuda_form_row *form)
{
    return form->block_size;
}

static bool needs_layout(const struct cuda_form_row *form)
{
    return form->stages;
}

static void print_run_locals(struct emit *emit)
{
    const int lanes = emit->file->target->lanes;
    if (any_form(emit, needs_plan)) {
        out_line(emit->out, "const struct cleave_plan *cleave_plan = cleave_launch->plan;");
    }
    if (any_form(emit, needs_block_size)) {
        out_line(emit->out, "const int cleave_block_size = cleave_launch->block_size;");
    }
    out_line(emit->out,
             "const int cleave_block_threads = (cleave_launch->block_size + %d) / %d * %d;",
             lanes - 1, lanes, lanes);
}

static bool any_mention(struct emit *emit, const char *word)
{
    const struct start *start = emit->state;
    bool found = false;
    for (int k = 0; k < start->kernels; k++) {
        emit->text = start->kernel[k].text;
        found = found || emit_mentions(emit, word);
    }
    return found;
}

/* The most blocks of a loop over all elements. One that does at most half an operation per byte
 * mostly moves records: an H200 does 7 operations in double precision per byte that it moves. The
 * operations of a kernel that is called whole are not known. */
static const char *most_blocks(const struct emit *emit)
{
    const struct estimate *estimate = &emit->loop->schedule[AT_FUSED].estimate;
    if (emit->loop->graph == NULL || 2 * estimate->flops > estimate->memory_bytes) {
        return "CLEAVE_MOST_BLOCKS";
    }
    return estimate->memory_bytes >= machines[MACHINE_GPU].long_bytes
               ? "CLEAVE_FEW_BLOCKS"
               : "cleave_most_for_short(cleave_launch)";
}

/* A kernel over elements has no more blocks than its partial results are worth. */
static void print_arrived(struct emit *emit)
{
    const struct start *start = emit->state;
    if (any_mention(emit, "cleave_portions")) {
        out_assign(
            emit->out, "const cleave_portions cleave_portions", "=",
            emit_format(emit, "cleave_portions_of(cleave_launch, %s)", start->kernel[0].blocks));
    } else if (any_mention(emit, "cleave_arrived")) {
        const enum cuda_form form = start->kernel[0].form;
        const bool any_count = form == FORM_ELEMENTS || form == FORM_ROWS;
        const bool reads = form == FORM_ELEMENTS && cuda_only_reads(emit);
        const char *most = !any_count ? "cleave_launch->blocks"
                           : reads    ? "CLEAVE_FEW_BLOCKS, CLEAVE_AT_ONCE"
                                      : most_blocks(emit);
        out_line(emit->out,
                 "const cleave_arrivals cleave_arrived = cleave_arrivals_of(cleave_launch, %s);",
                 most);
    }
}

static void print_run_values(struct emit *emit)
{
    cuda_values(emit);
    print_arrived(emit);
    bool each_needs = any_form(emit, needs_layout) && cuda_counts_stages(emit);
    if (any_mention(emit, "cleave_space") || each_needs) {
        const char *space = cuda_space_name(emit);
        out_assign(emit->out, emit_format(emit, "const %s_space cleave_space", space), "=",
                   emit_format(emit, "%s_layout(cleave_plan)", space));
    }
}

static void print_kernel_name(struct emit *emit)
{
    static const char *const format[] = {
        [TUNED_NOT] = "%s",
        [TUNED_REGISTERS] = "(%s<cleave_registers>)",
        [TUNED_COMPONENTS] = "(%s<cleave_components, cleave_registers>)",
    };
    const struct cuda_kernel *kernel = cuda_kernel(emit);
    out_format(emit->out, format[kernel->tuned], kernel->name);
}

static void print_blocks(struct emit *emit)
{
    out_text(emit->out, cuda_kernel(emit)->blocks);
}

static void print_shared(struct emit *emit)
{
    out_text(emit->out, cuda_kernel(emit)->shared);
}

static void print_launches(struct emit *emit)
{
    static const struct hole holes[] = {
        {"name", print_kernel_name},
        {"blocks", print_blocks},
        {"shared", print_shared},
        {"arguments", cuda_arguments},
        {"before", cuda_global_before},
        {"behind", cuda_global_behind},
        {NULL, NULL},
    };
    struct start *start = emit->state;
    for (int k = 0; k < start->kernels; k++) {
        struct cuda_kernel *kernel = &start->kernel[k];
        emit->state = kernel;
        emit->binding = kernel->binding;
        emit->text = kernel->text;
        template_print(emit, cuda_form(kernel->form)->launch, holes);
    }
    emit->state = start;
}

void cuda_print_run(struct emit *emit, const char *variant, struct cuda_kernel *kernel, int kernels)
{
    static const struct hole holes[] = {
        {"template", print_run_template}, {"variant", print_run_name},
        {"run_locals", print_run_locals}, {"values", print_run_values},
        {"launches", print_launches},     {NULL, NULL},
    };
    struct start start = {kernel, kernels, variant};
    emit->state = &start;
    template_print(emit, template_cuda_run, holes);
    emit->state = NULL;
    emit->text = NULL;
    emit->tmp_format = NULL;
    emit->stage = NULL;
}
