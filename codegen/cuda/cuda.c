/* cuda.c: the CUDA target: kernels written with the primitives of runtime/device/ only.
 *
 * In: a loop with its shape and schedules. Out: its variants:
 *   nothing modified through a map   one thread per element, no plan
 *   modified otherwise than updated  in place: in blocks, thread colour after thread colour, and
 * one launch per colour of the whole set fused, split                     one kernel over blocks,
 * by colours and by atomics split, ordered                   one kernel over blocks, one over the
 * points of each dat split, compared                  one kernel over blocks, components gathered
 * in slices; of several parts: each staged while the one before computes fused, compared one thread
 * per element, launch after launch by global colours loops                            one kernel
 * that makes tmp(e), one per update stage; compared: the same without shared memory, updates by
 * global colours two-pass, owner gather           one kernel over elements, one per map over its
 * points owner gather, staged             the same, over blocks of points and their neighbourhood;
 * also with copies of what is the elements' own split and owner gather, compared likewise, from one
 * packed record per point; split also by bulk copies of these Skeletons:
 * codegen/templates/cuda_*.tpl.
 */
#include "codegen/cuda/cuda.h"
#include "pass/ir/arena.h"

/* ---- variants ---------------------------------------------------------------------------------
 */

static void print_fused_colour(struct emit *emit, struct emitted_loop *loop,
                               const struct schedule *fused)
{
    struct cuda_variant variant =
        cuda_start_variant(emit, loop, fused, "_colour", CLEAVE_RACE_COLOUR, CLEAVE_PLAN_BLOCKS);
    cuda_add_kernel(&variant, FORM_COLOURS, 0, 1, "fused, hierarchical colouring");
    cuda_use_space(&variant, true);
    cuda_finish_variant(&variant);
}

static void print_fused_atomic(struct emit *emit, struct emitted_loop *loop,
                               const struct schedule *fused)
{
    struct cuda_variant variant =
        cuda_start_variant(emit, loop, fused, "_atomic", CLEAVE_RACE_ATOMIC, CLEAVE_PLAN_NONE);
    cuda_add_kernel(&variant, FORM_ELEMENTS, 0, 1,
                    "one thread per element, atomic updates of memory");
    cuda_add_scratch(&variant);
    cuda_finish_variant(&variant);
}

static void print_fused(struct emit *emit, struct emitted_loop *loop, const struct schedule *fused)
{
    bool atomics = cuda_has_atomics(emit->loop);
    if (!atomics || !emit->options->single) {
        print_fused_colour(emit, loop, fused);
    }
    if (atomics) {
        print_fused_atomic(emit, loop, fused);
    }
    if (emit->options->comparisons) {
        cuda_print_global_colour(emit, loop, fused);
    }
}

/* Contributions in registers, added to memory by whole warps. */
static void print_transpose(struct emit *emit, struct emitted_loop *loop,
                            const struct schedule *split, bool merges)
{
    struct cuda_variant variant =
        cuda_start_variant(emit, loop, split, merges ? "_transpose_merge" : "_transpose",
                           CLEAVE_RACE_TRANSPOSE, CLEAVE_PLAN_NONE);
    emit->reads = CLEAVE_READS_DIRECT;
    emit->merges = merges;
    struct cuda_kernel *kernel = cuda_add_kernel(
        &variant, FORM_WARPS, 0, split->stages,
        merges ? "updates by whole warps, equal neighbours joined" : "updates by whole warps");
    kernel->shared = cuda_transpose_shared(emit);
    variant.emitted->reads = CLEAVE_READS_DIRECT;
    cuda_add_scratch(&variant);
    cuda_finish_variant(&variant);
}

/* How split stages whose points gather get what they read. */
enum staging {
    STAGING_NONE,
    STAGING_PLAIN,
    STAGING_AHEAD,  /* each stage's while the one before computes */
    STAGING_PACKED, /* one record per point that the runtime keeps */
    STAGING_BULK    /* the same by bulk copies of runs of points */
};

/* For each set of parameters a variant. */
static void print_split_gather(struct emit *emit, struct emitted_loop *loop,
                               const struct schedule *split, enum staging staging)
{
    static const char *const suffix[] = {"_gather_direct", "_gather", "_gather_ahead",
                                         "_gather_packed", "_gather_bulk"};
    static const char *const what[] = {"split stages, points gather, direct reads",
                                       "split stages, points gather",
                                       "split stages, each staged ahead, points gather",
                                       "split stages, points gather, records packed",
                                       "split stages, points gather, records packed, bulk copies"};
    enum cleave_reads reads = staging == STAGING_NONE ? CLEAVE_READS_DIRECT : CLEAVE_READS_STAGED;
    struct cuda_variant variant = cuda_start_variant(emit, loop, split, suffix[staging],
                                                     CLEAVE_RACE_GATHER, CLEAVE_PLAN_BLOCKS);
    emit->reads = reads;
    emit->ahead = staging == STAGING_AHEAD;
    emit->bulk = staging == STAGING_BULK;
    if (staging == STAGING_PACKED || staging == STAGING_BULK) {
        cuda_packs_make(emit, split);
    }
    struct cuda_kernel *kernel =
        cuda_add_kernel(&variant, FORM_BLOCKS, 0, split->stages, what[staging]);
    kernel->tuned = TUNED_COMPONENTS;
    variant.emitted->reads = reads;
    variant.emitted->parts = CLEAVE_PART_GATHER | (emit->bulk ? CLEAVE_PART_RUNS : 0);
    cuda_use_space(&variant, true);
    cuda_finish_variant(&variant);
    cuda_tune(emit, loop, variant.emitted);
}

/* The same with direct reads, in slices of the components. */
static void print_split_slices(struct emit *emit, struct emitted_loop *loop,
                               const struct schedule *split, int slices)
{
    struct cuda_variant variant =
        cuda_start_variant(emit, loop, split, emit_format(emit, "_slices%d", slices),
                           CLEAVE_RACE_GATHER, CLEAVE_PLAN_BLOCKS);
    emit->reads = CLEAVE_READS_DIRECT;
    emit->slices = slices;
    struct cuda_kernel *kernel =
        cuda_add_kernel(&variant, FORM_BLOCKS, 0, split->stages,
                        "contribution and points' gathers in slices of the components");
    kernel->tuned = TUNED_COMPONENTS;
    variant.emitted->reads = CLEAVE_READS_DIRECT;
    variant.emitted->parts = CLEAVE_PART_GATHER;
    cuda_use_space(&variant, true);
    cuda_finish_variant(&variant);
    cuda_tune(emit, loop, variant.emitted);
    emit->slices = 0;
}

/* Repacking costs what a loop gains, so that these are run by name only: where nothing changes what
 * is packed. */
static bool wants_packs(struct emit *emit, const struct schedule *schedule)
{
    return (emit->options->comparisons || emit->options->exhaustive) &&
           cuda_packs_fit(emit, schedule);
}

/* The first is preferred where nothing was measured. */
static void print_split_gathers(struct emit *emit, struct emitted_loop *loop,
                                const struct schedule *split)
{
    bool direct_first = shape_reads_little(emit->loop);
    if (split->cuts == 1 && direct_first) {
        print_split_gather(emit, loop, split, STAGING_NONE);
    }
    print_split_gather(emit, loop, split, STAGING_PLAIN);
    if (split->cuts > 1 && emit->options->comparisons) {
        print_split_gather(emit, loop, split, STAGING_AHEAD);
    }
    if (split->cuts == 1 && wants_packs(emit, split)) {
        print_split_gather(emit, loop, split, STAGING_PACKED);
        print_split_gather(emit, loop, split, STAGING_BULK);
    }
    if (split->cuts == 1 && !direct_first) {
        print_split_gather(emit, loop, split, STAGING_NONE);
    }
}

/* Joining neighbours pays for 8-byte elements in loops that update few points; the one that is
 * printed first is preferred where nothing was measured. */
static void print_transposes(struct emit *emit, struct emitted_loop *loop,
                             const struct schedule *split)
{
    emit->schedule = split;
    if (split->cuts == 1 && cuda_transpose_fits(emit)) {
        bool merge_first = shape_reads_little(emit->loop) && shape_updates_doubles(emit->loop);
        print_transpose(emit, loop, split, merge_first);
        if (!emit->options->chosen_only) {
            print_transpose(emit, loop, split, !merge_first);
        }
    }
}

/* Where elements read little, what a block would share is not worth its plan: warps come first. */
static void print_split_by_points(struct emit *emit, struct emitted_loop *loop,
                                  const struct schedule *split)
{
    bool warps_first = shape_reads_little(emit->loop);
    if (warps_first) {
        print_transposes(emit, loop, split);
    }
    print_split_gathers(emit, loop, split);
    if (!warps_first) {
        print_transposes(emit, loop, split);
    }
}

static void print_split(struct emit *emit, struct emitted_loop *loop, const struct schedule *split)
{
    struct cuda_variant variant =
        cuda_start_variant(emit, loop, split, "_colour", CLEAVE_RACE_COLOUR, CLEAVE_PLAN_BLOCKS);
    cuda_add_kernel(&variant, FORM_COLOURS, 0, split->stages,
                    "split stages, hierarchical colouring");
    cuda_use_space(&variant, true);
    cuda_finish_variant(&variant);
    if (cuda_has_atomics(emit->loop)) {
        variant = cuda_start_variant(emit, loop, split, "_atomic", CLEAVE_RACE_ATOMIC,
                                     CLEAVE_PLAN_BLOCKS);
        cuda_add_kernel(&variant, FORM_BLOCKS, 0, split->stages, "split stages, atomic updates");
        cuda_use_space(&variant, false);
        cuda_finish_variant(&variant);
        print_split_by_points(emit, loop, split);
        if (emit->options->comparisons && cuda_slices_fit(emit, split)) {
            print_split_slices(emit, loop, split, 2);
        }
    }
}

/* Update stages as kernels of their own. */
static void add_loops_updates(struct cuda_variant *variant, bool atomic)
{
    struct emit *emit = variant->emit;
    for (int s = 1; s < emit->schedule->stages; s++) {
        struct cuda_kernel *kernel =
            cuda_add_kernel(variant, atomic ? FORM_ELEMENTS : FORM_COLOURS, s, 1,
                            atomic ? "atomic updates of memory" : "hierarchical colouring");
        kernel->name = emit_format(emit, "%s_%d", variant->emitted->name, s + 1);
        kernel->loads = true;
        kernel->shared = atomic ? "0" : cuda_space_stage(emit, s);
        kernel->blocks = "(cleave_launch->size + cleave_chunk - 1) / cleave_chunk";
    }
}

/* The kernel that makes tmp(e) is the same for both. */
static void print_loops(struct emit *emit, struct emitted_loop *loop, const struct schedule *loops)
{
    struct cuda_variant variant =
        cuda_start_variant(emit, loop, loops, "_colour", CLEAVE_RACE_COLOUR, CLEAVE_PLAN_BLOCKS);
    struct cuda_kernel *make = cuda_add_kernel(&variant, FORM_BLOCKS, 0, 1,
                                               "a loop that makes tmp(e), then one per update");
    make->name = emit_format(emit, "%s_loops_1", emit->loop->id);
    make->saves = true;
    make->shared = cuda_space_stage(emit, 0);
    cuda_use_space(&variant, true);
    add_loops_updates(&variant, false);
    cuda_finish_variant(&variant);
    if (cuda_has_atomics(emit->loop)) {
        struct cuda_kernel made = *make;
        variant = cuda_start_variant(emit, loop, loops, "_atomic", CLEAVE_RACE_ATOMIC,
                                     CLEAVE_PLAN_BLOCKS);
        variant.kernel[variant.kernels++] = made;
        cuda_use_space(&variant, false);
        add_loops_updates(&variant, true);
        cuda_finish_variant(&variant);
    }
}

/* The same without shared memory and blocks: updates go to memory, launch after launch by global
 * colours. */
static void print_plain_loops(struct emit *emit, struct emitted_loop *loop,
                              const struct schedule *loops)
{
    struct cuda_variant variant = cuda_start_variant(emit, loop, loops, "_global_colour",
                                                     CLEAVE_RACE_GLOBAL, CLEAVE_PLAN_COLOURS);
    variant.emitted->reads = CLEAVE_READS_DIRECT;
    struct cuda_kernel *make = cuda_add_kernel(&variant, FORM_ELEMENTS, 0, 1,
                                               "a loop that makes tmp(e), then one per update");
    make->saves = true;
    for (int s = 0; s < loops->stages; s++) {
        struct cuda_kernel *kernel =
            s == 0 ? make : cuda_add_kernel(&variant, FORM_GLOBAL, s, 1, "global colouring");
        kernel->name = emit_format(emit, "%s_%d", variant.emitted->name, s + 1);
        kernel->loads = s > 0;
        kernel->shared = s > 0 ? "0" : kernel->shared;
    }
    if (!make->reduces) {
        make->blocks = "(cleave_launch->size + cleave_chunk - 1) / cleave_chunk";
    }
    cuda_add_scratch(&variant);
    cuda_finish_variant(&variant);
}

/* A kernel over elements, if any, then one over the points of each map. */
static void print_gather(struct emit *emit, struct emitted_loop *loop,
                         const struct schedule *schedule)
{
    bool two_pass = schedule->kind == SCHEDULE_TWO_PASS;
    struct cuda_variant variant =
        cuda_start_variant(emit, loop, schedule, "", CLEAVE_RACE_NONE, CLEAVE_PLAN_POINTS);
    variant.emitted->reads = two_pass ? CLEAVE_READS_STAGED : CLEAVE_READS_DIRECT;
    for (int s = 0; s < schedule->stages; s++) {
        bool gathers = schedule->stage[s].kind == STAGE_GATHER;
        struct cuda_kernel *kernel =
            cuda_add_kernel(&variant, gathers ? FORM_POINTS : FORM_ELEMENTS, s, 1,
                            two_pass ? "tmp(e) to memory, then each point gathers"
                                     : "each point computes what its elements contribute");
        kernel->name = emit_format(emit, "%s_%d", variant.emitted->name, s + 1);
        kernel->saves = two_pass && !gathers;
        kernel->loads = two_pass && gathers;
        if (gathers) {
            int list = cuda_map(emit, schedule->stage[s].map)->list;
            kernel->what = kernel->first ? kernel->what : "one thread per point";
            kernel->shared = "0";
            kernel->blocks = emit_format(
                emit, "(cleave_plan->list[%d].points + cleave_width - 1) / cleave_width", list);
        }
    }
    cuda_add_scratch(&variant);
    cuda_finish_variant(&variant);
}

/* The same where the points' blocks have their neighbourhood in shared memory. items: and what is
 * the elements' own from copies in the order of the points' items; packed: the neighbourhood from
 * one record per point that the runtime keeps. schedule: cuda_owner_schedule()'s. */
static void print_staged_owner(struct emit *emit, struct emitted_loop *loop,
                               const struct schedule *schedule, bool items, bool packed)
{
    struct cuda_variant variant = cuda_start_variant(
        emit, loop, schedule,
        emit_format(emit, "_staged%s%s", items ? "_items" : "", packed ? "_packed" : ""),
        CLEAVE_RACE_NONE, CLEAVE_PLAN_OWNERS);
    emit->items = items;
    if (packed) {
        cuda_packs_make(emit, schedule);
    }
    int most = 0;
    for (int s = 0; s < emit->schedule->stages; s++) {
        const struct stage *stage = &emit->schedule->stage[s];
        bool gathers = stage->kind == STAGE_GATHER;
        struct cuda_kernel *kernel =
            cuda_add_kernel(&variant, gathers ? FORM_OWNERS : FORM_ELEMENTS, s, 1,
                            items ? "each point computes what its elements contribute, in blocks, "
                                    "from copies in its order"
                                  : "each point computes what its elements contribute, in blocks");
        kernel->name = emit_format(emit, "%s_%d", variant.emitted->name, s + 1);
        kernel->shared = cuda_space_stage(emit, s);
        if (gathers) {
            kernel->what = kernel->first ? kernel->what : "one thread per point";
            kernel->tuned = TUNED_REGISTERS;
            kernel->blocks =
                emit_format(emit, "cleave_plan->list[%d].owners", cuda_map(emit, stage->map)->list);
            most = stage->updates > emit->schedule->stage[most].updates ? s : most;
        }
    }
    cuda_use_space(&variant, true);
    cuda_finish_variant(&variant);
    variant.emitted->kernel = emit_format(emit, "(const void *)%s", variant.kernel[most].name);
    emit->items = false;
    cuda_tune_registers(emit, loop, variant.emitted);
}

/* The first is preferred where nothing was measured: airfoil's res_calc takes 55 us without blocks
 * on an H200 and 84 with them, loops that read 168 bytes and more are faster in blocks. */
static void print_owner(struct emit *emit, struct emitted_loop *loop,
                        const struct schedule *schedule)
{
    bool direct_first = shape_reads_little(emit->loop);
    if (direct_first) {
        print_gather(emit, loop, schedule);
        if (emit->options->chosen_only && emit_wanted(emit, AT_OWNER_GATHER) == NULL) {
            return; /* it is there for deterministic runs, which take the first */
        }
    }
    const struct schedule *staged = cuda_owner_schedule(emit, schedule);
    bool items = cuda_items_fit(emit, schedule);
    if (items) {
        print_staged_owner(emit, loop, staged, true, false);
    }
    print_staged_owner(emit, loop, staged, false, false);
    if (wants_packs(emit, staged)) {
        print_staged_owner(emit, loop, staged, items, true);
    }
    if (!direct_first) {
        print_gather(emit, loop, schedule);
    }
}

static void print_schedule(struct emit *emit, struct emitted_loop *loop,
                           const struct schedule *schedule)
{
    switch (schedule->kind) {
    case SCHEDULE_FUSED:
        print_fused(emit, loop, schedule);
        break;
    case SCHEDULE_SPLIT:
        print_split(emit, loop, schedule);
        break;
    case SCHEDULE_LOOPS:
        print_loops(emit, loop, schedule);
        if (emit->options->comparisons) {
            print_plain_loops(emit, loop, schedule);
        }
        break;
    case SCHEDULE_OWNER_GATHER:
        if (cuda_can_gather(emit, schedule)) {
            print_owner(emit, loop, schedule);
        }
        break;
    case SCHEDULE_TWO_PASS:
        if (cuda_can_gather(emit, schedule)) {
            print_gather(emit, loop, schedule);
        }
        break;
    }
}

/* The schedule at a place of the loop's table; of the two that gather, the better one first. */
static int index_at(const struct emit *emit, int place)
{
    if (place == AT_TWO_PASS || place == AT_OWNER_GATHER) {
        int better = cuda_gather_index(emit);
        return place == AT_TWO_PASS ? better : AT_TWO_PASS + AT_OWNER_GATHER - better;
    }
    return place % SCHEDULES;
}

/* Beside split; among what is compiled unasked, where CLEAVE_DETERMINISTIC=1 runs it. */
static bool wants_ordered(const struct emit *emit)
{
    const struct codegen_options *options = emit->options;
    return emit_wanted(emit, AT_SPLIT) != NULL && cuda_has_atomics(emit->loop) &&
           (!options->deterministic || options->comparisons || cuda_prefers_ordered(emit));
}

/* What the user asked for; and the schedule that CLEAVE_DETERMINISTIC=1 runs. */
static const struct schedule *wanted(const struct emit *emit, int index)
{
    const struct schedule *schedule = emit_wanted(emit, index);
    bool deterministic = emit->options->deterministic && index == cuda_gather_index(emit) &&
                         emit->loop->schedule[index].legal && !cuda_prefers_ordered(emit);
    return schedule == NULL && deterministic ? &emit->loop->schedule[index] : schedule;
}

/* In order of preference where nothing was measured: owners where they are known to win, split,
 * which never does badly, the others in their order, and fused. What the cost model predicts knows
 * nothing of the mesh, so it does not come first. Sums of blocks stand before or behind the sums of
 * points, whichever are better. */
static void print_loop(struct emit *emit, struct emitted_loop *loop)
{
    if (emit->shape->in_place || !emit->shape->updates) {
        cuda_print_unstaged(emit, loop);
        return;
    }
    int ordered_at = !wants_ordered(emit)         ? -1
                     : cuda_prefers_ordered(emit) ? AT_TWO_PASS
                                                  : AT_OWNER_GATHER + 1;
    const struct schedule *first = cuda_prefers_owners(emit) ? wanted(emit, AT_OWNER_GATHER) : NULL;
    if (first != NULL) {
        print_schedule(emit, loop, first);
    }
    for (int place = 1; place <= SCHEDULES; place++) {
        const struct schedule *schedule = wanted(emit, index_at(emit, place));
        if (place == ordered_at) {
            cuda_print_ordered(emit, loop, &emit->loop->schedule[AT_SPLIT]);
        }
        if (schedule != NULL && schedule != first) {
            print_schedule(emit, loop, schedule);
        }
    }
    if (loop->variants == 0) {
        print_fused(emit, loop, &emit->loop->schedule[AT_FUSED]);
    }
}

/* ---- the target -------------------------------------------------------------------------------
 */

enum { MAX_VALUE_BYTES = 2048 }; /* of READ globals that a kernel gets by value */

/* Warps exchange values of 4 and of 8 bytes only, and a kernel gets its globals by value. */
static const char *refuse(struct arena *arena, const struct loop *loop)
{
    size_t values = 0;
    for (int a = 0; a < loop->args; a++) {
        const struct arg *arg = &loop->arg[a];
        if (arg_is_reduction(arg) && arg->type->size != 4 && arg->type->size != 8) {
            return arena_format(arena, "the global '%s' has a type that a GPU cannot reduce",
                                arg->dat_text);
        }
        if (arg->kind == ARG_GLOBAL) {
            values += (size_t)arg->dim * arg->type->size;
        }
    }
    if (values > MAX_VALUE_BYTES) {
        return arena_format(arena, "its globals take %zu bytes, and a GPU kernel gets at most %d",
                            values, MAX_VALUE_BYTES);
    }
    return NULL;
}

const struct target_row codegen_cuda = {
    .symbol = "cleave_unit_cuda",
    .launch_error = "cleave_launch_error",
    .is_cxx = true,
    .lanes = 32,
    .loads_records = true,
    .has_layouts = true,
    .zeros = "",
    .by_value = ".v",
    .constant_bytes = 60 * 1024, /* 64 KiB, less what the compiler puts there itself */
    .refuse = refuse,
    .suffix = {[LANGUAGE_C] = ".cleave.cu", [LANGUAGE_CXX] = ".cleave.cu"},
    .qualifier = "CLEAVE_DEVICE",
    .constant = "CLEAVE_CONSTANT",
    .large_constant = "CLEAVE_LARGE_CONSTANT",
    .setter = "cleave_constant_set(%s, cleave_value, sizeof(%s));",
    .registers = "cleave_register_cuda",
    .id = "CLEAVE_TARGET_CUDA",
    .includes = "#include \"cleave_gen.h\"\n#include \"device/cleave_device.cuh\"\n"
                "#include \"device/gather.cuh\"\n#include \"device/items.cuh\"\n"
                "#include \"device/layout.cuh\"\n#include \"device/locate.cuh\"\n"
                "#include \"device/ordered.cuh\"\n"
                "#include \"device/owner.cuh\"\n#include \"device/record.cuh\"\n"
                "#include \"device/reduce.cuh\"\n#include \"device/soa.cuh\"\n"
                "#include \"device/staging.cuh\"\n#include \"device/transpose.cuh\"\n\n"
                "#define CLEAVE_MATH_INLINE CLEAVE_DEVICE\n#include \"cleave_math.h\"\n\n"
                "__attribute__((unused)) static inline size_t cleave_round_up(size_t bytes)\n"
                "{\n    return (bytes + 15) / 16 * 16;\n}\n\n"
                "__attribute__((unused)) static inline size_t cleave_larger(size_t a, size_t b)\n"
                "{\n    return a > b ? a : b;\n}\n",
    .loop = print_loop,
};
