/* recipes.c: every variant that a CUDA loop can have, one row each.
 *
 * In: a loop, one of its schedules, and the level of --cleave-emit. Out: the recipes that fit, in
 * order of preference without measurements. That order becomes the order of the rows of the loop's
 * table, from which runtime/ chooses.
 */
#include "codegen/cuda/recipes.h"

#include <assert.h>

#include "codegen/cuda/cuda.h"

/* ---- which loops ------------------------------------------------------------------------------
 *
 * Each returns the reason why a loop cannot have the recipe, or NULL.
 */

static const char *unfit_without_atomics(struct emit *emit, const struct schedule *schedule)
{
    (void)schedule;
    return cuda_has_atomics(emit->loop) ? NULL : "it updates a type that has no atomic operations";
}

/* --cleave-emit=fast compiles one variant: by atomic additions, where there are any. */
static const char *unfit_beside_atomics(struct emit *emit, const struct schedule *schedule)
{
    (void)schedule;
    return emit->file->options->single && cuda_has_atomics(emit->loop)
               ? "one variant is asked for, and atomic additions need no plan"
               : NULL;
}

static const char *unfit_in_parts(struct emit *emit, const struct schedule *schedule)
{
    return schedule->cuts > 1 ? "its body is computed in several parts"
                              : unfit_without_atomics(emit, schedule);
}

static const char *unfit_in_one_part(struct emit *emit, const struct schedule *schedule)
{
    return schedule->cuts == 1 ? "no stage comes before the one that is staged"
                               : unfit_without_atomics(emit, schedule);
}

static const char *unfit_to_pack(struct emit *emit, const struct schedule *schedule)
{
    const char *reason = unfit_in_parts(emit, schedule);
    return reason != NULL || cuda_packs_fit(emit, schedule)
               ? reason
               : "it does not read several dats of a point that nothing modifies";
}

static const char *unfit_to_transpose(struct emit *emit, const struct schedule *schedule)
{
    const char *reason = unfit_in_parts(emit, schedule);
    return reason != NULL || cuda_transpose_fits(emit, false)
               ? reason
               : "what a warp adds takes more shared memory than there is";
}

static const char *unfit_to_merge(struct emit *emit, const struct schedule *schedule)
{
    const char *reason = unfit_in_parts(emit, schedule);
    return reason != NULL || cuda_transpose_fits(emit, true)
               ? reason
               : "what a warp adds takes more shared memory than there is";
}

static const char *unfit_to_slice(struct emit *emit, const struct schedule *schedule)
{
    const char *reason = unfit_in_parts(emit, schedule);
    return reason != NULL || cuda_slices_fit(emit, schedule)
               ? reason
               : "it updates few components, or its body may run only once";
}

static const char *unfit_to_order_staged(struct emit *emit, const struct schedule *schedule)
{
    return shape_reads_little(emit->loop) ? "elements read little, so that they read directly"
                                          : unfit_without_atomics(emit, schedule);
}

static const char *unfit_to_order_direct(struct emit *emit, const struct schedule *schedule)
{
    return shape_reads_little(emit->loop) ? unfit_without_atomics(emit, schedule)
                                          : "elements read much, so that it is staged";
}

static const char *unfit_to_gather(struct emit *emit, const struct schedule *schedule)
{
    return cuda_can_gather(emit, schedule)
               ? NULL
               : "it reduces globals, and no kernel over elements is left to do so";
}

static const char *unfit_for_batches(struct emit *emit, const struct schedule *schedule)
{
    const char *reason = unfit_to_gather(emit, schedule);
    return reason != NULL || cuda_batches_fit(emit, schedule)
               ? reason
               : "an item reads too much, or what cannot be loaded ahead";
}

static const char *unfit_to_keep_own(struct emit *emit, const struct schedule *schedule)
{
    const char *reason = unfit_to_gather(emit, schedule);
    return reason != NULL || cuda_own_fits(emit, schedule)
               ? reason
               : "no dat is read of both points that an element modifies";
}

static const char *unfit_to_name(struct emit *emit, const struct schedule *schedule)
{
    const char *reason = unfit_to_gather(emit, schedule);
    return reason != NULL ? reason : cuda_named_unfit(emit, schedule);
}

static const char *unfit_for_items(struct emit *emit, const struct schedule *schedule)
{
    const char *reason = unfit_to_gather(emit, schedule);
    return reason != NULL || cuda_items_fit(emit, schedule)
               ? reason
               : "it reads nothing of the elements' own by constant subscripts";
}

/* Why points do not stage packed records: a variant with copies in the order of items is better if
 * the loop has one. */
static const char *unfit_to_pack_points(struct emit *emit, const struct schedule *schedule)
{
    const char *reason = unfit_to_gather(emit, schedule);
    if (reason == NULL && cuda_items_fit(emit, schedule)) {
        return "it has a variant with copies in the order of items besides";
    }
    return reason != NULL || cuda_packs_fit(emit, cuda_owner_schedule(emit, schedule))
               ? reason
               : "it does not read several dats of a point that nothing modifies";
}

static const char *unfit_to_pack_items(struct emit *emit, const struct schedule *schedule)
{
    const char *reason = unfit_for_items(emit, schedule);
    return reason != NULL || cuda_packs_fit(emit, cuda_owner_schedule(emit, schedule))
               ? reason
               : "it does not read several dats of a point that nothing modifies";
}

static const char *unfit_for_rows(struct emit *emit, const struct schedule *schedule)
{
    (void)schedule;
    return emit_rows_bytes(emit) > 0
               ? NULL
               : "it has no long record of the element's own that its kernel may have as a copy";
}

/* ---- the table --------------------------------------------------------------------------------
 */

/* Elements of a block take turns, by their colours in the block. */
static const struct cuda_updating in_turns = {
    .stage = template_cuda_update_colour, .sink = SINK_SHARED, .stage_out = ""};

/* All at once, by atomic additions. */
static const struct cuda_updating by_atomics = {
    .stage = template_cuda_update_atomic, .sink = SINK_SHARED_ATOMIC, .stage_out = "atomic_"};

enum {
    FUSED = 1u << SCHEDULE_FUSED,
    SPLIT = 1u << SCHEDULE_SPLIT,
    LOOPS = 1u << SCHEDULE_LOOPS,
    TWO_PASS = 1u << SCHEDULE_TWO_PASS,
    OWNER = 1u << SCHEDULE_OWNER_GATHER
};

/* clang-format off */
#define EVERYWHERE(place) {place, place, place}

static const struct recipe recipes[] = {
    /* One thread per element: nothing is modified through a map, or it is in place, which only
     * colours can run in parallel. */
    {.schedules = FOR_DIRECT, .suffix = "_direct_rows",
     .what = "one thread per element, warps move long records",
     .race = CLEAVE_RACE_NONE, .plan = CLEAVE_PLAN_NONE, .first = FORM_ROWS,
     .unfit = unfit_for_rows},
    {.schedules = FOR_DIRECT, .suffix = "_direct", .what = "one thread per element",
     .race = CLEAVE_RACE_NONE, .plan = CLEAVE_PLAN_NONE, .first = FORM_ELEMENTS,
     .level = LEVEL_ALTERNATIVE},
    {.schedules = FOR_IN_PLACE, .suffix = "_fused_colour",
     .what = "in place, hierarchical colouring",
     .race = CLEAVE_RACE_COLOUR, .plan = CLEAVE_PLAN_BLOCKS, .first = FORM_TURNS,
     .rank = {0, 1, 1}},
    {.schedules = FOR_IN_PLACE, .suffix = "_fused_global_colour",
     .what = "in place, global colouring",
     .race = CLEAVE_RACE_GLOBAL, .plan = CLEAVE_PLAN_COLOURS, .first = FORM_GLOBAL,
     .rank = {1, 0, 0}},

    {.schedules = FUSED, .suffix = "_colour", .what = "fused, hierarchical colouring",
     .race = CLEAVE_RACE_COLOUR, .plan = CLEAVE_PLAN_BLOCKS, .updating = &in_turns,
     .first = FORM_COLOURS, .layout = true,
     .rank = EVERYWHERE(0), .unfit = unfit_beside_atomics},
    {.schedules = FUSED, .suffix = "_atomic",
     .what = "one thread per element, atomic updates of memory",
     .race = CLEAVE_RACE_ATOMIC, .plan = CLEAVE_PLAN_NONE, .first = FORM_ELEMENTS,
     .rank = EVERYWHERE(1), .unfit = unfit_without_atomics},
    {.schedules = FUSED, .suffix = "_global_colour", .what = "fused, global colouring",
     .race = CLEAVE_RACE_GLOBAL, .plan = CLEAVE_PLAN_COLOURS, .first = FORM_GLOBAL,
     .level = LEVEL_COMPARED, .rank = EVERYWHERE(2)},

    {.schedules = SPLIT, .suffix = "_colour", .what = "split stages, hierarchical colouring",
     .race = CLEAVE_RACE_COLOUR, .plan = CLEAVE_PLAN_BLOCKS, .updating = &in_turns,
     .first = FORM_COLOURS, .layout = true,
     .rank = EVERYWHERE(0)},
    {.schedules = SPLIT, .suffix = "_atomic", .what = "split stages, atomic updates",
     .race = CLEAVE_RACE_ATOMIC, .plan = CLEAVE_PLAN_BLOCKS, .updating = &by_atomics,
     .first = FORM_BLOCKS, .layout = true,
     .rank = EVERYWHERE(1), .unfit = unfit_without_atomics},
    {.schedules = SPLIT, .suffix = "_gather_direct",
     .what = "split stages, points gather, direct reads",
     .race = CLEAVE_RACE_GATHER, .plan = CLEAVE_PLAN_BLOCKS, .parts = CLEAVE_PART_GATHER,
     .reads = CLEAVE_READS_DIRECT, .updating = &cuda_by_gather, .first = FORM_BLOCKS,
     .layout = true,
     .tuned = TUNED_COMPONENTS, .tune = cuda_tune,
     .rank = {6, 4, 4}, .unfit = unfit_in_parts},
    {.schedules = SPLIT, .suffix = "_gather", .what = "split stages, points gather",
     .race = CLEAVE_RACE_GATHER, .plan = CLEAVE_PLAN_BLOCKS, .parts = CLEAVE_PART_GATHER,
     .updating = &cuda_by_gather, .first = FORM_BLOCKS, .layout = true,
     .tuned = TUNED_COMPONENTS, .tune = cuda_tune,
     .for_bodies = true, .rank = {2, 5, 5}, .unfit = unfit_without_atomics},
    {.schedules = SPLIT, .suffix = "_gather_ahead",
     .what = "split stages, each staged ahead, points gather",
     .race = CLEAVE_RACE_GATHER, .plan = CLEAVE_PLAN_BLOCKS, .parts = CLEAVE_PART_GATHER,
     .staging = STAGING_AHEAD, .updating = &cuda_by_gather, .first = FORM_BLOCKS, .layout = true,
     .tuned = TUNED_COMPONENTS, .tune = cuda_tune_candidates,
     .level = LEVEL_COMPARED, .rank = {3, 6, 6}, .unfit = unfit_in_one_part},
    {.schedules = SPLIT, .suffix = "_gather_packed",
     .what = "split stages, points gather, records packed",
     .race = CLEAVE_RACE_GATHER, .plan = CLEAVE_PLAN_BLOCKS, .parts = CLEAVE_PART_GATHER,
     .staging = STAGING_PACKED, .updating = &cuda_by_gather, .first = FORM_BLOCKS, .layout = true,
     .tuned = TUNED_COMPONENTS, .tune = cuda_tune,
     .level = LEVEL_COMPARED, .rank = {4, 7, 7}, .unfit = unfit_to_pack},
    {.schedules = SPLIT, .suffix = "_gather_bulk",
     .what = "split stages, points gather, records packed, bulk copies",
     .race = CLEAVE_RACE_GATHER, .plan = CLEAVE_PLAN_BLOCKS,
     .parts = CLEAVE_PART_GATHER | CLEAVE_PART_RUNS,
     .staging = STAGING_BULK, .updating = &cuda_by_gather, .first = FORM_BLOCKS, .layout = true,
     .tuned = TUNED_COMPONENTS, .tune = cuda_tune,
     .level = LEVEL_COMPARED, .rank = {5, 8, 8}, .unfit = unfit_to_pack},
    /* Joining neighbours pays for 8-byte elements in loops that read little. */
    {.schedules = SPLIT, .suffix = "_transpose", .what = "updates by whole warps",
     .race = CLEAVE_RACE_TRANSPOSE, .plan = CLEAVE_PLAN_NONE, .reads = CLEAVE_READS_DIRECT,
     .updating = &cuda_by_transpose, .first = FORM_WARPS,
     .level = LEVEL_ALTERNATIVE, .rank = {7, 2, 3}, .unfit = unfit_to_transpose},
    {.schedules = SPLIT, .suffix = "_transpose_merge",
     .what = "updates by whole warps, equal neighbours joined",
     .race = CLEAVE_RACE_TRANSPOSE, .plan = CLEAVE_PLAN_NONE, .reads = CLEAVE_READS_DIRECT,
     .merges = true, .updating = &cuda_by_transpose, .first = FORM_WARPS,
     .level = LEVEL_ALTERNATIVE, .rank = {8, 3, 2}, .unfit = unfit_to_merge},
    {.schedules = SPLIT, .suffix = "_slices2",
     .what = "contribution and points' gathers in slices of the components",
     .race = CLEAVE_RACE_GATHER, .plan = CLEAVE_PLAN_BLOCKS, .parts = CLEAVE_PART_GATHER,
     .reads = CLEAVE_READS_DIRECT, .slices = 2, .updating = &cuda_by_gather, .first = FORM_BLOCKS,
     .layout = true, .tuned = TUNED_COMPONENTS, .tune = cuda_tune,
     .level = LEVEL_COMPARED, .rank = EVERYWHERE(9), .unfit = unfit_to_slice},

    {.schedules = FOR_ORDERED, .suffix = "_ordered",
     .what = "split stages, points gather, sums of blocks in their order",
     .race = CLEAVE_RACE_ORDERED, .plan = CLEAVE_PLAN_BLOCKS,
     .parts = CLEAVE_PART_GATHER | CLEAVE_PART_SUMS,
     .updating = &cuda_by_ordered, .first = FORM_BLOCKS, .updates = FORM_SUMS, .layout = true,
     .tuned = TUNED_COMPONENTS, .tune = cuda_tune_ordered, .unfit = unfit_to_order_staged},
    {.schedules = FOR_ORDERED, .suffix = "_ordered",
     .what = "split stages, points gather, sums of blocks in their order",
     .race = CLEAVE_RACE_ORDERED, .plan = CLEAVE_PLAN_BLOCKS,
     .parts = CLEAVE_PART_GATHER | CLEAVE_PART_SUMS,
     .reads = CLEAVE_READS_DIRECT,
     .updating = &cuda_by_ordered, .first = FORM_BLOCKS, .updates = FORM_SUMS, .layout = true,
     .tuned = TUNED_COMPONENTS, .tune = cuda_tune_ordered, .unfit = unfit_to_order_direct},

    {.schedules = LOOPS, .suffix = "_colour",
     .what = "a loop that makes tmp(e), then one per update",
     .race = CLEAVE_RACE_COLOUR, .plan = CLEAVE_PLAN_BLOCKS, .updating = &in_turns,
     .first = FORM_BLOCKS, .updates = FORM_COLOURS, .layout = true,
     .rank = EVERYWHERE(0)},
    {.schedules = LOOPS, .suffix = "_atomic",
     .what = "a loop that makes tmp(e), then one per update",
     .race = CLEAVE_RACE_ATOMIC, .plan = CLEAVE_PLAN_BLOCKS, .updating = &by_atomics,
     .first = FORM_BLOCKS, .updates = FORM_ELEMENTS, .layout = true,
     .rank = EVERYWHERE(1), .unfit = unfit_without_atomics},
    {.schedules = LOOPS, .suffix = "_global_colour",
     .what = "a loop that makes tmp(e), then one per update",
     .race = CLEAVE_RACE_GLOBAL, .plan = CLEAVE_PLAN_COLOURS, .reads = CLEAVE_READS_DIRECT,
     .first = FORM_ELEMENTS, .updates = FORM_GLOBAL,
     .level = LEVEL_COMPARED, .rank = EVERYWHERE(2)},

    {.schedules = TWO_PASS, .suffix = "", .what = "tmp(e) to memory, then each point gathers",
     .race = CLEAVE_RACE_NONE, .plan = CLEAVE_PLAN_POINTS, .first = FORM_ELEMENTS,
     .updates = FORM_POINTS,
     .unfit = unfit_to_gather},

    /* On an H200, airfoil's res_calc, which reads 72 bytes, takes 55 us without blocks and 84 in
     * blocks; loops that read 168 bytes and more are faster in blocks. So are those that only add
     * up data of the elements (onera's flux_sum_5: 114 and 147 us). */
    {.schedules = OWNER, .suffix = "_named",
     .what = "each point computes what its elements contribute, items name what they read",
     .race = CLEAVE_RACE_NONE, .plan = CLEAVE_PLAN_NAMED, .reads = CLEAVE_READS_DIRECT,
     .walk = WALK_NAMED, .first = FORM_ELEMENTS, .updates = FORM_POINTS,
     .tuned = TUNED_REGISTERS, .tune = cuda_tune_points,
     .only = ONLY_EPILOGUES, .rank = {4, 0, 0}, .unfit = unfit_to_name},
    {.schedules = OWNER, .suffix = "", .what = "each point computes what its elements contribute",
     .race = CLEAVE_RACE_NONE, .plan = CLEAVE_PLAN_POINTS, .reads = CLEAVE_READS_DIRECT,
     .first = FORM_ELEMENTS, .updates = FORM_POINTS,
     .tune_epilogues = cuda_tune_points,
     .rank = {4, 0, 0}, .unfit = unfit_to_gather},
    {.schedules = OWNER, .suffix = "_batch",
     .what = "each point computes what its elements contribute, several at once",
     .race = CLEAVE_RACE_NONE, .plan = CLEAVE_PLAN_POINTS, .reads = CLEAVE_READS_DIRECT,
     .walk = WALK_BATCHES, .first = FORM_ELEMENTS, .updates = FORM_POINTS,
     .tuned = TUNED_REGISTERS, .tune = cuda_tune_batches,
     .level = LEVEL_COMPARED, .rank = {4, 0, 0}, .unfit = unfit_for_batches},
    {.schedules = OWNER, .suffix = "_own",
     .what = "each point computes what its elements contribute, its own records in registers",
     .race = CLEAVE_RACE_NONE, .plan = CLEAVE_PLAN_POINTS, .reads = CLEAVE_READS_DIRECT,
     .walk = WALK_OWN, .first = FORM_ELEMENTS, .updates = FORM_POINTS,
     .tuned = TUNED_REGISTERS, .tune = cuda_tune_points,
     .level = LEVEL_COMPARED, .rank = {4, 0, 0}, .unfit = unfit_to_keep_own},
    {.schedules = OWNER, .suffix = "_named",
     .what = "each point computes what its elements contribute, items name what they read",
     .race = CLEAVE_RACE_NONE, .plan = CLEAVE_PLAN_NAMED, .reads = CLEAVE_READS_DIRECT,
     .walk = WALK_NAMED, .first = FORM_ELEMENTS, .updates = FORM_POINTS,
     .tuned = TUNED_REGISTERS, .tune = cuda_tune_points,
     .only = ONLY_PLAIN, .level = LEVEL_COMPARED, .rank = {4, 0, 0}, .unfit = unfit_to_name},
    {.schedules = OWNER, .suffix = "_staged_items",
     .what = "each point computes what its elements contribute, in blocks, from copies in its order",
     .race = CLEAVE_RACE_NONE, .plan = CLEAVE_PLAN_OWNERS, .items = true,
     .first = FORM_ELEMENTS, .updates = FORM_OWNERS, .layout = true,
     .tuned = TUNED_REGISTERS, .tune = cuda_tune_registers,
     .rank = EVERYWHERE(1), .unfit = unfit_for_items},
    {.schedules = OWNER, .suffix = "_staged",
     .what = "each point computes what its elements contribute, in blocks",
     .race = CLEAVE_RACE_NONE, .plan = CLEAVE_PLAN_OWNERS,
     .first = FORM_ELEMENTS, .updates = FORM_OWNERS, .layout = true,
     .tuned = TUNED_REGISTERS, .tune = cuda_tune_registers,
     .rank = EVERYWHERE(2), .unfit = unfit_to_gather},
    {.schedules = OWNER, .suffix = "_staged_packed",
     .what = "each point computes what its elements contribute, in blocks",
     .race = CLEAVE_RACE_NONE, .plan = CLEAVE_PLAN_OWNERS, .staging = STAGING_PACKED,
     .first = FORM_ELEMENTS, .updates = FORM_OWNERS, .layout = true,
     .tuned = TUNED_REGISTERS, .tune = cuda_tune_registers,
     .level = LEVEL_COMPARED, .rank = EVERYWHERE(3), .unfit = unfit_to_pack_points},
    {.schedules = OWNER, .suffix = "_staged_items_packed",
     .what = "each point computes what its elements contribute, in blocks, from copies in its order",
     .race = CLEAVE_RACE_NONE, .plan = CLEAVE_PLAN_OWNERS, .staging = STAGING_PACKED, .items = true,
     .first = FORM_ELEMENTS, .updates = FORM_OWNERS, .layout = true,
     .tuned = TUNED_REGISTERS, .tune = cuda_tune_registers,
     .level = LEVEL_COMPARED, .rank = EVERYWHERE(3), .unfit = unfit_to_pack_items},
};
/* clang-format on */

/* ---- of a loop --------------------------------------------------------------------------------
 */

/* Colours, atomic additions and ordered sums are for meshes, types and settings that others do not
 * suit: there the members of a group run by themselves. */
static bool is_spare(const struct recipe *recipe)
{
    return recipe->race != CLEAVE_RACE_NONE && recipe->race != CLEAVE_RACE_GATHER &&
           recipe->race != CLEAVE_RACE_TRANSPOSE;
}

/* What compiles in addition to a program without groups should take little time: of a loop that
 * gathers for others behind it, the form that runs first. The runtime may compile the others. */
static bool is_enough(const struct emit *emit, int found)
{
    return emit->loop->epilogues > 0 && emit->file->options->chosen_only && found > 0;
}

static bool is_asked(const struct emit *emit, const struct recipe *recipe,
                     const struct recipe *const *before, int count)
{
    const struct codegen_options *options = emit->file->options;
    if (emit_joins_briefly(emit) && is_spare(recipe) && !cuda_only_takes_extrema(emit)) {
        return false;
    }
    if (is_enough(emit, count)) {
        return false;
    }
    if (recipe->only == (emit->loop->epilogues > 0 ? ONLY_PLAIN : ONLY_EPILOGUES)) {
        return false;
    }
    if (recipe->level == LEVEL_COMPARED) {
        return options->comparisons || options->exhaustive;
    }
    if (recipe->for_bodies && options->chosen_only && cuda_only_adds(emit)) {
        return false;
    }
    for (int r = 0; recipe->level == LEVEL_ALTERNATIVE && options->chosen_only && r < count; r++) {
        if (before[r]->race == recipe->race && before[r]->reads == recipe->reads) {
            return false;
        }
    }
    return true;
}

/* Returns the next recipe of these schedules behind `last` in order of preference; NULL: no more.
 */
static const struct recipe *next_recipe(unsigned schedules, enum cuda_situation situation,
                                        const struct recipe *last)
{
    const struct recipe *end = recipes + sizeof(recipes) / sizeof(recipes[0]);
    const struct recipe *next = NULL;
    for (const struct recipe *recipe = recipes; recipe < end; recipe++) {
        int place = recipe->rank[situation];
        bool behind = last == NULL || place > last->rank[situation] ||
                      (place == last->rank[situation] && recipe > last);
        if ((recipe->schedules & schedules) != 0 && behind &&
            (next == NULL || place < next->rank[situation])) {
            next = recipe;
        }
    }
    return next;
}

int recipes_find(struct emit *emit, unsigned schedules, const struct schedule *schedule,
                 const struct recipe *found[MOST_RECIPES])
{
    enum cuda_situation situation = cuda_situation_of(emit, schedule);
    const struct recipe *recipe = NULL;
    int count = 0;
    emit->schedule = schedule;
    while ((recipe = next_recipe(schedules, situation, recipe)) != NULL) {
        if (is_asked(emit, recipe, found, count) &&
            (recipe->unfit == NULL || recipe->unfit(emit, schedule) == NULL)) {
            assert(count < MOST_RECIPES);
            found[count++] = recipe;
        }
    }
    return count;
}

int recipes_unfit(struct emit *emit, unsigned schedules, const struct schedule *schedule,
                  const struct recipe *unfit[MOST_RECIPES], const char *reason[MOST_RECIPES])
{
    const struct recipe *fit[MOST_RECIPES];
    int fits = recipes_find(emit, schedules, schedule, fit);
    int count = 0;
    const struct recipe *recipe = NULL;
    while ((recipe = next_recipe(schedules, cuda_situation_of(emit, schedule), recipe)) != NULL) {
        const char *why = recipe->unfit != NULL ? recipe->unfit(emit, schedule) : NULL;
        if (why != NULL && is_asked(emit, recipe, fit, fits)) {
            assert(count < MOST_RECIPES);
            unfit[count] = recipe;
            reason[count++] = why;
        }
    }
    return count;
}
