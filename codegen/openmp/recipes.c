/* recipes.c: every variant that an OpenMP loop can have, one row each.
 *
 * In: a loop, one of its schedules, and the level of --cleave-emit. Out: the recipes that fit, in
 * order of preference. That order becomes the order of the rows of the loop's table, from which
 * runtime/ chooses.
 */
#include "codegen/openmp/recipes.h"

#include <assert.h>

#include "codegen/lanes/lanes.h"
#include "codegen/template.h"
#include "pass/ir/arena.h"

enum {
    FUSED = 1u << SCHEDULE_FUSED,
    SPLIT = 1u << SCHEDULE_SPLIT,
    LOOPS = 1u << SCHEDULE_LOOPS,
    TWO_PASS = 1u << SCHEDULE_TWO_PASS,
    OWNER = 1u << SCHEDULE_OWNER_GATHER
};

/* Each takes CLEAVE_SLOTS values, which every block sets and joins. */
enum { MOST_REDUCED = 8 };

const char *openmp_lanes_refusal(struct emit *emit)
{
    if (emit->file->options->whole) {
        return "its kernel is called as it is written, for debuggers, sanitizers and coverage";
    }
    for (int a = 0; a < emit->loop->args; a++) {
        const struct arg *arg = &emit->loop->arg[a];
        if (arg->type != NULL &&
            (arg->type->kind == TYPE_LLONG || arg->type->kind == TYPE_ULLONG)) {
            return emit_format(emit, "'%s' has a type for which there are no vectors",
                               arg->dat_text);
        }
        if (arg_is_reduction(arg) && arg->dim > MOST_REDUCED) {
            return emit_format(emit, "it reduces %d components of '%s', and lanes keep %d at most",
                               arg->dim, arg->dat_text, MOST_REDUCED);
        }
    }
    return lanes_refusal(emit, emit->loop);
}

static const char *unfit_for_lanes(struct emit *emit, const struct schedule *schedule)
{
    (void)schedule;
    return openmp_lanes_refusal(emit);
}

/* clang-format off */
static const struct openmp_recipe recipes[] = {
    {.schedules = OPENMP_DIRECT, .suffix = "_direct_lanes",
     .what = "nothing is modified through a map, several elements at once",
     .text = template_openmp_lanes, .as_lanes = true, .lanes = true,
     .race = CLEAVE_RACE_NONE, .plan = CLEAVE_PLAN_NONE, .unfit = unfit_for_lanes},
    {.schedules = OPENMP_DIRECT, .suffix = "_direct",
     .what = "nothing is modified through a map",
     .text = template_openmp_direct, .as_lanes = true,
     .race = CLEAVE_RACE_NONE, .plan = CLEAVE_PLAN_NONE},

    {.schedules = OPENMP_IN_PLACE, .suffix = "_fused_range_lanes",
     .what = "in place, ranges of elements, several at once where they modify different points",
     .text = template_openmp_lanes_distinct, .as_lanes = true, .lanes = true,
     .race = CLEAVE_RACE_RANGE, .plan = CLEAVE_PLAN_RANGES, .parts = CLEAVE_PART_DISTINCT,
     .unfit = unfit_for_lanes},
    {.schedules = OPENMP_IN_PLACE, .suffix = "_fused_range",
     .what = "in place, ranges of elements",
     .text = template_openmp_range, .as_lanes = true,
     .race = CLEAVE_RACE_RANGE, .plan = CLEAVE_PLAN_RANGES},
    {.schedules = OPENMP_IN_PLACE, .suffix = "_fused_colour",
     .what = "in place, block colours",
     .text = template_openmp_colour,
     .race = CLEAVE_RACE_COLOUR, .plan = CLEAVE_PLAN_BLOCKS,
     .level = OPENMP_COMPARED, .rank = 1},

    {.schedules = FUSED, .suffix = "_range_lanes",
     .what = "fused, ranges of elements, several elements at once",
     .text = template_openmp_lanes, .as_lanes = true, .lanes = true,
     .race = CLEAVE_RACE_RANGE, .plan = CLEAVE_PLAN_RANGES, .unfit = unfit_for_lanes},
    {.schedules = FUSED, .suffix = "_range",
     .what = "fused, ranges of elements",
     .text = template_openmp_range, .as_lanes = true,
     .race = CLEAVE_RACE_RANGE, .plan = CLEAVE_PLAN_RANGES},
    {.schedules = FUSED, .suffix = "_colour",
     .what = "fused, block colours",
     .text = template_openmp_colour,
     .race = CLEAVE_RACE_COLOUR, .plan = CLEAVE_PLAN_BLOCKS,
     .level = OPENMP_COMPARED, .rank = 1},

    {.schedules = SPLIT, .suffix = "_colour",
     .what = "split stages, block colours",
     .text = template_openmp_split,
     .race = CLEAVE_RACE_COLOUR, .plan = CLEAVE_PLAN_BLOCKS},

    {.schedules = LOOPS, .suffix = "_colour",
     .what = "one loop per stage, tmp(e) in memory, block colours",
     .text = template_openmp_loops,
     .race = CLEAVE_RACE_COLOUR, .plan = CLEAVE_PLAN_BLOCKS},

    {.schedules = TWO_PASS, .suffix = "",
     .what = "tmp(e) to memory, then gathered per point",
     .text = template_openmp_points,
     .race = CLEAVE_RACE_NONE, .plan = CLEAVE_PLAN_POINTS},

    {.schedules = OWNER, .suffix = "",
     .what = "gathered per point, which computes its elements' contributions",
     .text = template_openmp_points,
     .race = CLEAVE_RACE_NONE, .plan = CLEAVE_PLAN_POINTS},
};
/* clang-format on */

bool openmp_has_lanes(struct emit *emit)
{
    return !emit->file->options->single && openmp_lanes_refusal(emit) == NULL;
}

static bool is_asked(const struct emit *emit, const struct openmp_recipe *recipe)
{
    const struct codegen_options *options = emit->file->options;
    if (recipe->lanes && options->single) {
        return false; /* each width takes time to compile */
    }
    return recipe->level == OPENMP_CHOSEN || options->comparisons || options->exhaustive;
}

int openmp_recipes_find(struct emit *emit, unsigned schedules, const struct schedule *schedule,
                        const struct openmp_recipe *found[OPENMP_MOST_RECIPES])
{
    const struct openmp_recipe *end = recipes + sizeof(recipes) / sizeof(recipes[0]);
    int count = 0;
    emit->schedule = schedule;
    for (const struct openmp_recipe *recipe = recipes; recipe < end; recipe++) {
        if ((recipe->schedules & schedules) != 0 && is_asked(emit, recipe) &&
            (recipe->unfit == NULL || recipe->unfit(emit, schedule) == NULL)) {
            assert(count < OPENMP_MOST_RECIPES);
            found[count++] = recipe;
        }
    }
    return count;
}
