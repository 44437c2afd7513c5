/* variants.c: how well each variant of a loop suits a call: what the user asks for counts most,
 * then what is usually fastest on this kind of machine, then the compiler's order. */
#include "runtime/base/machine.h"
#include "runtime/choose/variants.h"

/* Weights of what a fitness is made of: each counts for more than all smaller ones together. A race
 * counts 0 to 2 times. */
enum { READS = 1, RACE = 2, SCHEDULE = 8, NAMED = 16 };
_Static_assert(CLEAVE_BEST_FIT == 2 * NAMED - 1, "the best variant fits in every respect");

/* The position of the variant's schedule: enum cleave_schedule_place. */
static int schedule_number(const struct cleave_variant *variant)
{
    static const struct {
        enum cleave_schedule kind;
        int cuts;
    } schedules[] = {
#define CLEAVE_SCHEDULE(place, kind, cuts, word, meaning) {CLEAVE_##kind, cuts},
#include "runtime/api/cleave_words.def"
    };
    const int count = (int)(sizeof schedules / sizeof schedules[0]);
    for (int s = 0; s < count; s++) {
        if (schedules[s].kind == variant->schedule &&
            (variant->schedule != CLEAVE_SPLIT || schedules[s].cuts == variant->cuts)) {
            return s;
        }
    }
    return count; /* none that a setting can name */
}

/* Returns 0 to 2: how well the variant's race fits. The user's race counts 2, all others 0. If sums
 * need a fixed order on a GPU, ordered sums count 2 and atomic operations 1. Variants without races
 * count 2 in both cases. Otherwise the variant's rank decides. */
static int race_fits(const struct cleave_call *call, const struct cleave_choice *choice,
                     const struct cleave_variant *variant, int ordered)
{
    int race = cleave_settings.race;
    if (race < 0 && ordered && cleave_has_lanes(choice->target)) {
        race = CLEAVE_RACE_ORDERED;
        if (variant->race == CLEAVE_RACE_ATOMIC) {
            return 1;
        }
    }
    if (race < 0) {
        return CLEAVE_WORST_RANK - cleave_variant_rank(call, choice, variant);
    }
    return (int)variant->race == race || variant->race == CLEAVE_RACE_NONE ? 2 : 0;
}

int cleave_variant_fitness(const struct cleave_call *call, const struct cleave_choice *choice,
                           const struct cleave_variant *variant, int schedule, int ordered)
{
    return NAMED * cleave_variant_is_named(variant) +
           SCHEDULE * (schedule_number(variant) == schedule) +
           RACE * race_fits(call, choice, variant, ordered) +
           READS * ((int)variant->reads == cleave_settings.reads);
}

/* ---- the preferred schedule --------------------------------------------------------------- */

static const struct cleave_variant *coloured(const struct cleave_loop *loop)
{
    for (int v = 0; v < loop->variants; v++) {
        const struct cleave_variant *variant = &loop->variant[v];
        if (variant->race == CLEAVE_RACE_COLOUR && variant->schedule == CLEAVE_FUSED) {
            return variant;
        }
    }
    return NULL;
}

/* On a GPU, among variants that add in a fixed order: the first that needs no colours. If gathering
 * by points is slower here, the fused coloured variant replaces it: always where elements name few
 * of the points, else if no variant adds up sums of blocks. */
static const struct cleave_variant *preferred_ordered(const struct cleave_call *call,
                                                      const struct cleave_loop *loop)
{
    const int few_named = cleave_few_points_named(call);
    const int gather_is_slow = few_named || cleave_many_points_each(call);
    const struct cleave_variant *by_colour = gather_is_slow ? coloured(loop) : NULL;
    if (few_named && by_colour != NULL) {
        return by_colour;
    }
    for (int v = 0; v < loop->variants; v++) {
        const enum cleave_race race = loop->variant[v].race;
        if (race == CLEAVE_RACE_ORDERED || (race == CLEAVE_RACE_NONE && !gather_is_slow)) {
            return &loop->variant[v];
        }
    }
    return by_colour != NULL ? by_colour : &loop->variant[0];
}

/* 1: the call has fewer elements than points that it may modify, as a loop over a boundary does.
 * Most points then have no contributions, but a gather per point visits them all. */
static int has_few_elements(const struct cleave_call *call)
{
    for (int a = 0; a < call->args; a++) {
        const op_arg *arg = &call->arg[a];
        if (cleave_arg_uses_dat(arg) && arg->map != NULL && arg->acc != OP_READ &&
            arg->map->to->size > call->set->size) {
            return 1;
        }
    }
    return 0;
}

/* 1: points would have to do everything alone: there are more points than elements, or so many
 * elements per point that few threads work for long. */
static int is_bad_for_owners(const struct cleave_call *call)
{
    return has_few_elements(call) || cleave_uses_of_points(call) > cleave_machine.most_uses;
}

/* Returns the variant whose schedule is used if the user names none: the first of the compiler's
 * that suits the call. */
static const struct cleave_variant *preferred(const struct cleave_call *call,
                                              const struct cleave_choice *choice, int ordered)
{
    const struct cleave_loop *loop = choice->loop;
    const int has_lanes = cleave_has_lanes(choice->target);
    if (has_lanes && ordered) {
        return preferred_ordered(call, loop);
    }
    if (has_lanes && is_bad_for_owners(call)) {
        for (int v = 0; v < loop->variants; v++) {
            if (loop->variant[v].schedule != CLEAVE_OWNER_GATHER) {
                return &loop->variant[v];
            }
        }
    }
    return has_lanes ? cleave_preferred_for_zeros(call, choice) : loop->variant;
}

int cleave_wanted_schedule(const struct cleave_call *call, const struct cleave_choice *choice,
                           int ordered)
{
    return cleave_settings.schedule >= 0 ? cleave_settings.schedule
                                         : schedule_number(preferred(call, choice, ordered));
}
