/* cuda_variant.c: a variant from its first kernel to its row of the loop's table.
 *
 * In: which stages each kernel runs, in which form. Out: where each kernel has its arguments, the
 * text of the kernels and of the function that starts them.
 */
#include "codegen/cuda/cuda.h"
#include "pass/ir/arena.h"

enum { MAX_KERNELS = 1 + CLEAVE_MAX_LISTS * CLEAVE_MAX_COLUMNS };

/* ---- where arguments are ----------------------------------------------------------------------
 */

static bool is_staged(const struct emit *emit, const struct cuda_kernel *kernel, int a)
{
    for (int s = kernel->stage; s < kernel->stage + kernel->stages; s++) {
        if (stage_transfer(emit->loop, &emit->schedule->stage[s], TRANSFER_IN, a) != NULL) {
            return kernel->form == FORM_OWNERS ||
                   ((kernel->form == FORM_BLOCKS || kernel->form == FORM_COLOURS) &&
                    emit->reads != CLEAVE_READS_DIRECT);
        }
    }
    return false;
}

static enum where place_of(const struct emit *emit, const struct cuda_kernel *kernel, int a)
{
    enum where place;
    if (place_is_fixed(emit, a, &place)) {
        return place;
    }
    if (shape_updates_arg(emit->loop, a)) {
        return PLACE_PRIVATE;
    }
    return is_staged(emit, kernel, a) ? PLACE_STAGED : PLACE_MAP;
}

/* ---- kernels ----------------------------------------------------------------------------------
 */

struct cuda_kernel *cuda_add_kernel(struct cuda_variant *variant, enum cuda_form form, int stage,
                                    int stages, const char *what)
{
    struct emit *emit = variant->emit;
    struct cuda_kernel *kernel = &variant->kernel[variant->kernels++];
    const struct stage *first = stages > 0 ? &emit->schedule->stage[stage] : NULL;
    bool computes = first == NULL || first->kind == STAGE_WHOLE ||
                    first->kind == STAGE_CONTRIBUTION || first->kind == STAGE_EFFECTS;
    kernel->form = form;
    kernel->stage = stage;
    kernel->stages = stages;
    kernel->what = what;
    kernel->first = variant->kernels == 1;
    kernel->name = variant->emitted->name;
    kernel->whole = computes && (first == NULL || first->body == NULL);
    kernel->reduces = computes && emit->shape->reduces;
    kernel->blocks = form == FORM_ELEMENTS && kernel->reduces ? "cleave_arrived.blocks"
                                                              : "cleave_launch->blocks";
    kernel->shared = "cleave_launch->shared_bytes";
    kernel->place =
        arena_alloc(emit->program->arena, (size_t)emit->loop->args * sizeof(*kernel->place));
    for (int a = 0; a < emit->loop->args; a++) {
        kernel->place[a] = place_of(emit, kernel, a);
    }
    if (form == FORM_OWNERS) {
        cuda_items_places(emit, first, kernel->place);
    }
    return kernel;
}

struct cuda_variant cuda_start_variant(struct emit *emit, struct emitted_loop *loop,
                                       const struct schedule *schedule, const char *how,
                                       enum cleave_race race, enum cleave_plan_kind plan)
{
    struct cuda_variant variant = {.emit = emit};
    emit->reads = CLEAVE_READS_STAGED;
    const char *suffix =
        schedule == NULL ? how : emit_format(emit, "_%s%s", schedule_word(schedule), how);
    variant.emitted = emit_variant(emit, loop, schedule, suffix, race, plan);
    variant.emitted->run = emit_format(emit, "%s_run", variant.emitted->name);
    variant.kernel = arena_alloc(emit->program->arena, MAX_KERNELS * sizeof(*variant.kernel));
    return variant;
}

/* Reductions of a variant that has no layout of its own. */
static void print_scratch_name(struct emit *emit)
{
    out_text(emit->out, emit->variant);
}

static void print_scratch_bytes(struct emit *emit)
{
    out_format(emit->out, "%zu", cuda_scratch_bytes(emit));
}

void cuda_add_scratch(struct cuda_variant *variant)
{
    static const struct hole holes[] = {
        {"name", print_scratch_name}, {"scratch", print_scratch_bytes}, {NULL, NULL}};
    if (variant->emit->shape->reduces) {
        variant->emitted->shared = emit_format(variant->emit, "%s_shared", variant->emitted->name);
        template_print(variant->emit, template_cuda_scratch, holes);
    }
}

void cuda_use_space(struct cuda_variant *variant, bool print)
{
    variant->emitted->shared =
        emit_format(variant->emit, "%s_shared", cuda_space_name(variant->emit));
    if (print) {
        cuda_print_space(variant->emit);
    }
}

void cuda_finish_variant(struct cuda_variant *variant)
{
    for (int k = 0; k < variant->kernels; k++) {
        if (variant->kernel[k].text == NULL) {
            cuda_print_kernel(variant->emit, &variant->kernel[k]);
        }
    }
    cuda_print_run(variant->emit, variant->emitted->name, variant->kernel, variant->kernels);
    variant->emitted->kernel =
        emit_format(variant->emit, "(const void *)%s", variant->kernel[0].name);
}
