/* cuda_variant.c: a variant from its first kernel to its row of the loop's table.
 *
 * In: a recipe and a schedule. Out: which stages each kernel runs, in which form; where each kernel
 * has its arguments, the text of the kernels and of the function that starts them.
 */
#include "codegen/cuda/cuda.h"

#include <string.h>

#include "pass/ir/arena.h"

enum { MAX_KERNELS = 1 + CLEAVE_MAX_LISTS * CLEAVE_MAX_COLUMNS };

/* ---- where arguments are ----------------------------------------------------------------------
 */

static bool is_staged(const struct emit *emit, const struct cuda_kernel *kernel, int a)
{
    for (int s = kernel->stage; s < kernel->stage + kernel->stages; s++) {
        if (stage_transfer(emit->loop, &emit->schedule->stage[s], TRANSFER_IN, a) != NULL) {
            return kernel->form == FORM_OWNERS || (cuda_form(kernel->form)->stages &&
                                                   cuda_recipe(emit)->reads != CLEAVE_READS_DIRECT);
        }
    }
    return false;
}

static enum binding binding_of(const struct emit *emit, const struct cuda_kernel *kernel, int a)
{
    enum binding binding;
    if (binding_is_fixed(emit, a, &binding)) {
        return binding;
    }
    if (shape_updates_arg(emit->loop, a)) {
        return BIND_PRIVATE;
    }
    return is_staged(emit, kernel, a) ? BIND_STAGED : BIND_MAP;
}

/* ---- kernels ----------------------------------------------------------------------------------
 */

/* Whether the stage computes more than updates. */
static bool computes(const struct stage *stage)
{
    return stage == NULL || stage->kind == STAGE_WHOLE || stage->kind == STAGE_CONTRIBUTION ||
           stage->kind == STAGE_EFFECTS;
}

/* tmp(e) goes through memory from the kernel that computes it to those that update. */
static bool keeps_tmp(const struct emit *emit)
{
    return emit->schedule != NULL &&
           (emit->schedule->kind == SCHEDULE_LOOPS || emit->schedule->kind == SCHEDULE_TWO_PASS);
}

/* Returns the number of blocks of the launch: of points, or of elements. The count in the plan is
 * for the runtime, and does not hold for additional kernels over all elements. */
static const char *blocks_of(struct emit *emit, const struct cuda_kernel *kernel,
                             const struct stage *stage)
{
    switch (kernel->form) {
    case FORM_POINTS:
        return emit_format(
            emit,
            "(cleave_plan->list[%d].points + cleave_block_threads - 1) / cleave_block_threads",
            cuda_map(emit, stage->map)->list);
    case FORM_OWNERS:
        return emit_format(emit, "cleave_plan->list[%d].owners", cuda_map(emit, stage->map)->list);
    case FORM_ELEMENTS:
    case FORM_ROWS:
        if (kernel->reduces) {
            return "cleave_arrived.blocks";
        }
        return emit->schedule != NULL && emit->schedule->kind == SCHEDULE_LOOPS
                   ? "(cleave_launch->size + cleave_block_size - 1) / cleave_block_size"
                   : "cleave_launch->blocks";
    default:
        return "cleave_launch->blocks";
    }
}

/* Shared memory of the launch. */
static const char *shared_of(struct emit *emit, const struct cuda_kernel *kernel)
{
    bool updates = kernel->stages > 0 && !computes(&emit->schedule->stage[kernel->stage]);
    if (kernel->form == FORM_WARPS) {
        return cuda_transpose_shared(emit);
    }
    if (kernel->form == FORM_ROWS) {
        return cuda_rows_shared(emit);
    }
    if (updates && !cuda_form(kernel->form)->stages && !kernel->reduces) {
        return "0";
    }
    return cuda_recipe(emit)->layout ? cuda_space_stage(emit, kernel->stage)
                                     : "cleave_launch->shared_bytes";
}

/* The kernel that makes tmp(e) in blocks is the same whatever updates follow. */
static const char *name_of(struct emit *emit, const struct cuda_variant *variant,
                           const struct cuda_kernel *kernel, bool alone)
{
    if (alone) {
        return variant->row->name;
    }
    return kernel->saves && kernel->form == FORM_BLOCKS
               ? emit_format(emit, "%s_%s_1", emit->loop->id, schedule_word(emit->schedule))
               : emit_format(emit, "%s_%d", variant->row->name, variant->kernels);
}

/* Whether loops with epilogues have register caps of their own. */
static bool caps_epilogues(const struct emit *emit)
{
    return emit->loop->epilogues > 0 && cuda_recipe(emit)->tune_epilogues != NULL;
}

static enum cuda_tuned tuned_of(const struct emit *emit, enum cuda_form form, bool alone)
{
    if (form == FORM_POINTS && caps_epilogues(emit)) {
        return TUNED_REGISTERS;
    }
    return form == FORM_OWNERS || form == FORM_POINTS || alone ? cuda_recipe(emit)->tuned
                                                               : TUNED_NOT;
}

/* The next kernel, which runs `stages` of the schedule's stages from `stage` on. alone: the
 * schedule's stages are all in it. */
static struct cuda_kernel *add_kernel(struct cuda_variant *variant, enum cuda_form form, int stage,
                                      int stages, bool alone)
{
    struct emit *emit = variant->emit;
    const struct recipe *recipe = cuda_recipe(emit);
    struct cuda_kernel *kernel = &variant->kernel[variant->kernels++];
    const struct stage *first = stages > 0 ? &emit->schedule->stage[stage] : NULL;
    kernel->form = form;
    kernel->stage = stage;
    kernel->stages = stages;
    kernel->first = variant->kernels == 1;
    kernel->what = kernel->first ? recipe->what : cuda_form(form)->updates;
    kernel->whole = computes(first) && (first == NULL || first->body == NULL);
    kernel->reduces = emit->shape->reduces && (computes(first) || emit->loop->epilogues > 0);
    kernel->saves = keeps_tmp(emit) && computes(first);
    kernel->loads = keeps_tmp(emit) && !computes(first);
    kernel->name = name_of(emit, variant, kernel, alone);
    kernel->tuned = tuned_of(emit, form, alone);
    kernel->blocks = blocks_of(emit, kernel, first);
    kernel->shared = shared_of(emit, kernel);
    kernel->binding = arena_alloc(emit->file->program->arena,
                                  (size_t)emit->loop->args * sizeof(*kernel->binding));
    for (int a = 0; a < emit->loop->args; a++) {
        kernel->binding[a] = binding_of(emit, kernel, a);
    }
    if (form == FORM_OWNERS) {
        cuda_items_bindings(emit, first, kernel->binding);
    }
    return kernel;
}

struct cuda_kernel *cuda_add_sums(struct cuda_variant *variant, int arg)
{
    struct cuda_kernel *kernel =
        add_kernel(variant, FORM_SUMS, variant->emit->schedule->stages - 1, 1, false);
    kernel->sums = arg;
    return kernel;
}

/* The last kernel of a loop whose epilogues reduce. */
static void add_join(struct cuda_variant *variant)
{
    struct emit *emit = variant->emit;
    struct cuda_kernel *kernel =
        add_kernel(variant, FORM_JOIN, emit->schedule->stages - 1, 1, false);
    kernel->name = emit_format(emit, "%s_join", variant->row->name);
    kernel->shared = emit_format(emit, "%zu", cuda_scratch_bytes(emit));
}

/* One kernel for all stages; or one for each. */
static void add_kernels(struct cuda_variant *variant)
{
    struct emit *emit = variant->emit;
    const struct recipe *recipe = cuda_recipe(emit);
    int stages = emit->schedule == NULL ? 0 : emit->schedule->stages;
    if (recipe->updates == FORM_NONE || recipe->updates == FORM_SUMS) {
        add_kernel(variant, recipe->first, 0, stages, true);
    }
    if (recipe->updates == FORM_SUMS) {
        cuda_ordered_add_sums(variant);
    }
    for (int s = 0; variant->kernels == s && s < stages; s++) {
        bool first = computes(&emit->schedule->stage[s]);
        add_kernel(variant, first ? recipe->first : recipe->updates, s, 1, false);
    }
    if (emit->loop->epilogues > 0 && emit->shape->reduces) {
        add_join(variant);
    }
}

/* ---- shared memory ----------------------------------------------------------------------------
 */

static void print_scratch_bytes(struct emit *emit)
{
    out_format(emit->out, "%zu", cuda_scratch_bytes(emit));
}

/* Reductions of a variant that has no layout of its own. */
static void add_scratch(struct cuda_variant *variant)
{
    static const struct hole holes[] = {
        {"name", emit_variant_name}, {"scratch", print_scratch_bytes}, {NULL, NULL}};
    if (variant->emit->shape->reduces) {
        variant->row->shared = emit_format(variant->emit, "%s_shared", variant->row->name);
        template_print(variant->emit, template_cuda_scratch, holes);
    }
}

/* Gives the variant the layout of an earlier variant of the loop, or a new one. */
static void add_layout(struct cuda_variant *variant)
{
    struct emit *emit = variant->emit;
    const char *shared = emit_format(emit, "%s_shared", cuda_space_name(emit));
    bool printed = false;
    for (int v = 0; v < emit->rows->variants; v++) {
        const char *other = emit->rows->variant[v]->shared;
        printed = printed || (other != NULL && strcmp(other, shared) == 0 &&
                              !emit->rows->variant[v]->unprinted);
    }
    variant->row->shared = shared;
    if (!printed) {
        cuda_print_space(emit);
    }
}

/* ---- variants ---------------------------------------------------------------------------------
 */

/* A kernel of an earlier variant that has this name; NULL: none. */
static const struct cuda_kernel *printed_kernel(const struct emit *emit, const char *name)
{
    for (int v = 0; v < emit->rows->variants; v++) {
        const struct emitted *row = emit->rows->variant[v];
        for (int k = 0; k < row->kernels && !row->unprinted; k++) {
            if (strcmp(row->started[k].name, name) == 0) {
                return &row->started[k];
            }
        }
    }
    return NULL;
}

/* Returns the kernel with most work, whose registers limit the variant: the first one, or of
 * kernels with compiled-in parameters the one with most updates. */
static const struct cuda_kernel *main_kernel(const struct cuda_variant *variant)
{
    const struct stage *stage =
        variant->emit->schedule == NULL ? NULL : variant->emit->schedule->stage;
    int most = 0;
    for (int k = 1; k < variant->kernels && variant->kernel[k].tuned != TUNED_NOT; k++) {
        most = stage[k].updates > stage[most].updates ? k : most;
    }
    return &variant->kernel[most];
}

static void print_kernels(struct cuda_variant *variant)
{
    struct emit *emit = variant->emit;
    for (int k = 0; k < variant->kernels; k++) {
        struct cuda_kernel *kernel = &variant->kernel[k];
        const struct cuda_kernel *printed = printed_kernel(emit, kernel->name);
        if (printed != NULL) {
            kernel->text = printed->text;
        } else {
            cuda_print_kernel(emit, kernel);
        }
    }
    cuda_print_run(emit, variant->row->name, variant->kernel, variant->kernels);
    variant->row->kernels = variant->kernels;
    variant->row->early = variant->kernels == 1 ? cuda_early_words(emit) : 0;
    variant->row->starts = cuda_starts(emit);
    variant->row->started = variant->kernel;
    variant->row->kernel = emit_format(emit, "(const void *)%s", main_kernel(variant)->name);
    int counted = variant->kernels;
    counted -= variant->kernel[counted - 1].form == FORM_JOIN;
    cuda_count_cost(emit, variant->kernel, counted);
}

/* Begins a variant named LOOP_SCHEDULE_SUFFIX, or LOOP_SUFFIX without a schedule. */
static struct cuda_variant start(struct emit *emit, const struct recipe *recipe,
                                 const struct schedule *schedule)
{
    struct cuda_variant variant = {.emit = emit};
    struct variant how = {.race = recipe->race, .reads = recipe->reads, .recipe = recipe};
    how.rows = recipe->first == FORM_ROWS;
    how.gathers = recipe->updating != NULL && recipe->updating->gathers;
    how.name = schedule == NULL
                   ? recipe->suffix
                   : emit_format(emit, "_%s%s", schedule_word(schedule), recipe->suffix);
    if (recipe->staging == STAGING_PACKED || recipe->staging == STAGING_BULK) {
        how.packs = cuda_packs_make(emit, schedule, recipe->staging == STAGING_BULK, &how.pack);
    }
    variant.row = emit_start(emit, schedule, how, recipe->plan);
    variant.row->run = emit_format(emit, "%s_run", variant.row->name);
    variant.row->parts =
        recipe->parts | (recipe->walk == WALK_NAMED ? cuda_named_parts(emit, schedule) : 0);
    variant.kernel = arena_alloc(emit->file->program->arena, MAX_KERNELS * sizeof(*variant.kernel));
    return variant;
}

void cuda_print_variant(struct emit *emit, const struct recipe *recipe,
                        const struct schedule *schedule)
{
    bool owners = recipe->updates == FORM_OWNERS;
    struct cuda_variant variant =
        start(emit, recipe, owners ? cuda_owner_schedule(emit, schedule) : schedule);
    add_kernels(&variant);
    if (recipe->layout) {
        add_layout(&variant);
    } else {
        add_scratch(&variant);
    }
    if (recipe->updates == FORM_SUMS) {
        cuda_ordered_print_bytes(&variant);
    }
    print_kernels(&variant);
    void (*tune)(struct emit *emit, struct emitted *row) =
        caps_epilogues(emit) ? recipe->tune_epilogues : recipe->tune;
    if (tune != NULL) {
        tune(emit, variant.row);
    }
}
