/* cuda.c: the CUDA target: kernels written with the primitives of runtime/device/ only.
 *
 * In: a loop with its shape and schedules. Out: its variants, schedule after schedule. recipes.c
 * has the variants of each schedule, cuda_choice.c says which schedules come first. Skeletons:
 * codegen/templates/cuda_*.tpl.
 */
#include "codegen/cuda/cuda.h"

#include <string.h>

#include "pass/ir/arena.h"

/* ---- variants of a schedule -------------------------------------------------------------------
 */

/* Only deterministic runs need this schedule, and they take the first that fits every mesh. */
static bool suffices(const struct emit *emit, const struct recipe *recipe, int index)
{
    return emit->file->options->chosen_only && emit_wanted(emit, index) == NULL &&
           recipe->plan == CLEAVE_PLAN_POINTS && !cuda_prefers_owners(emit);
}

/* A variant that print_made() prints. */
struct made {
    const struct recipe *recipe;
    const struct schedule *schedule;
};

static void print_made(struct emit *emit, const void *what)
{
    const struct made *made = what;
    cuda_print_variant(emit, made->recipe, made->schedule);
}

static void print_recipes(struct emit *emit, unsigned schedules, int index)
{
    const struct recipe *recipe[MOST_RECIPES];
    const struct schedule *schedule = index < 0 ? NULL : &emit->loop->schedule[index];
    int recipes = recipes_find(emit, schedules, schedule, recipe);
    for (int r = 0; r < recipes; r++) {
        further_print(emit, print_made, &(struct made){recipe[r], schedule});
        if (index >= 0 && suffices(emit, recipe[r], index)) {
            break;
        }
    }
}

static void print_schedule(struct emit *emit, int index)
{
    print_recipes(emit, 1u << emit->loop->schedule[index].kind, index);
}

/* ---- schedules of a loop ----------------------------------------------------------------------
 */

/* The schedule at a place of the loop's table; of the two that gather, the better one first. */
static int index_at(const struct emit *emit, int place)
{
    if (place == AT_TWO_PASS || place == AT_OWNER_GATHER) {
        int better = cuda_gather_index(emit);
        return place == AT_TWO_PASS ? better : AT_TWO_PASS + AT_OWNER_GATHER - better;
    }
    return place % SCHEDULES;
}

/* Ordered variants go with the split schedule. By default they are compiled only if
 * CLEAVE_DETERMINISTIC=1 runs them. */
static bool wants_ordered(const struct emit *emit)
{
    const struct codegen_options *options = emit->file->options;
    return emit_wanted(emit, AT_SPLIT) != NULL && cuda_has_atomics(emit->loop) &&
           (!options->deterministic || options->comparisons || cuda_prefers_ordered(emit));
}

/* Whether the user asked for the schedule, or CLEAVE_DETERMINISTIC=1 runs it. */
static bool is_wanted(const struct emit *emit, int index)
{
    bool deterministic = emit->file->options->deterministic && !emit_joins_briefly(emit) &&
                         index == cuda_gather_index(emit) && emit->loop->schedule[index].legal &&
                         !cuda_prefers_ordered(emit);
    return deterministic || emit_wanted(emit, index) != NULL;
}

/* The place of a schedule that is known to win, or -1. */
static int first_place(const struct emit *emit)
{
    const int place = cuda_only_takes_extrema(emit) && cuda_has_atomics(emit->loop) ? AT_FUSED
                      : cuda_prefers_owners(emit) ? AT_OWNER_GATHER
                                                  : -1;
    return place >= 0 && is_wanted(emit, place) ? place : -1;
}

/* Prints variants in order of preference without measurements: what is known to win; split, which
 * never does badly; the others in their order; fused. The cost model does not decide first, because
 * it does not know the mesh. Ordered sums of blocks stand before or behind the sums of points,
 * whichever are better. */
static void print_variants(struct emit *emit, struct emitted_loop *loop)
{
    if (emit->shape->in_place || !emit->shape->updates) {
        print_recipes(emit, emit->shape->in_place ? FOR_IN_PLACE : FOR_DIRECT, -1);
        return;
    }
    if (emit->loop->epilogues > 0) {
        print_schedule(emit, AT_OWNER_GATHER);
        return;
    }
    int ordered_at = !wants_ordered(emit)         ? -1
                     : cuda_prefers_ordered(emit) ? AT_TWO_PASS
                                                  : AT_OWNER_GATHER + 1;
    const int first = first_place(emit);
    if (first >= 0) {
        print_schedule(emit, first);
    }
    for (int place = 1; place <= SCHEDULES; place++) {
        int index = index_at(emit, place);
        if (place == ordered_at) {
            print_recipes(emit, FOR_ORDERED, AT_SPLIT);
        }
        if (is_wanted(emit, index) && index != first) {
            print_schedule(emit, index);
        }
    }
    if (loop->variants == 0) {
        print_schedule(emit, AT_FUSED);
    }
}

static void print_loop(struct emit *emit)
{
    struct emitted_loop *loop = emit->rows;
    print_variants(emit, loop);
    cuda_rank(emit, loop);
    further_drop_compiled(emit);
}

/* ---- --cleave-explain -------------------------------------------------------------------------
 */

/* "    GPU: no split_transpose, split_transpose_merge: it updates a type that ..." */
static void explain_unfit(struct emit *emit, unsigned schedules, const struct schedule *schedule,
                          FILE *out)
{
    const struct recipe *recipe[MOST_RECIPES];
    const char *reason[MOST_RECIPES];
    int count = recipes_unfit(emit, schedules, schedule, recipe, reason);
    for (int r = 0; r < count; r++) {
        bool is_first = true;
        for (int before = 0; before < r; before++) {
            is_first = is_first && strcmp(reason[before], reason[r]) != 0;
        }
        for (int same = r; is_first && same < count; same++) {
            if (strcmp(reason[same], reason[r]) == 0) {
                fprintf(out, "%s%s%s", same == r ? "    GPU: no " : ", ", schedule_word(schedule),
                        recipe[same]->suffix);
            }
        }
        if (is_first) {
            fprintf(out, ": %s\n", reason[r]);
        }
    }
}

static void explain(struct emit *emit, FILE *out)
{
    if (emit->shape->in_place || !emit->shape->updates) {
        return; /* recipes for these loops always fit */
    }
    for (int index = 0; index < SCHEDULES; index++) {
        const struct schedule *schedule = &emit->loop->schedule[index];
        if (is_wanted(emit, index)) {
            explain_unfit(emit, 1u << schedule->kind, schedule, out);
        }
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
    .place = "GPU",
    .symbol = "cleave_unit_cuda",
    .launch_error = "cleave_launch_error",
    .change_graph = "cleave_change_graph",
    .permute = "cleave_permute_run<void>",
    .is_cxx = true,
    .lanes = 32,
    .loads_records = true,
    .predicts = true,
    .stages = true,
    .has_layouts = true,
    .has_groups = true,
    .zeros = "",
    .by_value = ".v",
    .constant_bytes = 60 * 1024, /* 64 KiB, less the compiler's own constants */
    .refuse = refuse,
    .suffix = {[LANGUAGE_C] = ".cleave.cu", [LANGUAGE_CXX] = ".cleave.cu"},
    .qualifier = "CLEAVE_DEVICE",
    .constant = "CLEAVE_CONSTANT",
    .large_constant = "CLEAVE_LARGE_CONSTANT",
    .setter = "cleave_constant_set(%s, cleave_value, sizeof(%s));",
    .registers = "cleave_register_cuda",
    .id = "CLEAVE_TARGET_CUDA",
    .includes = "#include \"cleave_gen.h\"\n#include \"device/cleave_device.cuh\"\n"
                "#include \"device/entries.cuh\"\n"
                "#include \"device/gather.cuh\"\n#include \"device/items.cuh\"\n"
                "#include \"device/join.cuh\"\n"
                "#include \"device/layout.cuh\"\n#include \"device/locate.cuh\"\n"
                "#include \"device/named.cuh\"\n"
                "#include \"device/ordered.cuh\"\n"
                "#include \"device/owner.cuh\"\n#include \"device/permute.cuh\"\n"
                "#include \"device/record.cuh\"\n"
                "#include \"device/reduce.cuh\"\n#include \"device/rows.cuh\"\n"
                "#include \"device/soa.cuh\"\n"
                "#include \"device/staging.cuh\"\n#include \"device/transpose.cuh\"\n\n"
                "#define CLEAVE_MATH_INLINE CLEAVE_DEVICE\n#include \"cleave_math.h\"\n\n"
                "__attribute__((unused)) static inline size_t cleave_round_up(size_t bytes)\n"
                "{\n    return (bytes + 15) / 16 * 16;\n}\n\n"
                "__attribute__((unused)) static inline size_t cleave_larger(size_t a, size_t b)\n"
                "{\n    return a > b ? a : b;\n}\n",
    .loop = print_loop,
    .explain = explain,
};
