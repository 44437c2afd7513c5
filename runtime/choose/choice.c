/* choice.c: chooses what runs a call: goes through the targets in order of preference and the
 * variants of each, best first (variants.c), until one may run and its blocks fit (blocks.c). Says
 * once per call site why none can. */
#include "runtime/base/machine.h"
#include "runtime/choose/variants.h"
#include "runtime/jit/jit.h"

/* 1: CLEAVE_LANES switches the variant off, or the machine has none of its widths. */
static int is_switched_off(const struct cleave_variant *variant)
{
    return variant->lanes != 0 && cleave_lane_bytes(variant->lanes, cleave_lanes_most()) == 0;
}

/* Ends the program where CLEAVE_LANES names a width that the variant is not compiled for. */
static void check_width(const struct cleave_call *call, const struct cleave_variant *variant)
{
    const int wanted = cleave_settings.lanes;
    if (variant->lanes != 0 && wanted > 0 && (variant->lanes & wanted) == 0) {
        cleave_fatal("CLEAVE_LANES=%d: loop '%s' (%s:%d) is not compiled for registers of %d "
                     "bytes; set CLEAVE_LANES=auto, or compile it with "
                     "--cleave-emit=comparisons, which compiles all widths but for sanitizers",
                     wanted, call->name, call->site->file, call->site->line, wanted);
    }
}

/* 1: the variant computes several elements at once only where they modify different points, and too
 * few do on this mesh. The user may ask for it all the same. Requires the variant's plan. */
static int is_mostly_scalar(const struct cleave_choice *choice)
{
    const struct cleave_variant *variant = choice->variant;
    return variant->lanes && (variant->parts & CLEAVE_PART_DISTINCT) != 0 &&
           cleave_settings.lanes == CLEAVE_LANES_AUTO && !cleave_variant_is_named(variant) &&
           choice->plan->metrics.distinct < cleave_machine.least_distinct;
}

static int local_bytes(const struct cleave_choice *choice, const struct cleave_variant *variant)
{
    struct target_kernel takes = {0};
    if (choice->device != NULL && choice->device->kernel_takes != NULL && variant->kernel != NULL) {
        choice->device->kernel_takes(variant->kernel, choice->block_size, 0, &takes);
    }
    return takes.local_bytes;
}

/* 1: the two differ in parameters that are compiled into the kernel, such as its registers. */
static int is_same_kind(const struct cleave_variant *a, const struct cleave_variant *b)
{
    return a->schedule == b->schedule && a->cuts == b->cuts && a->race == b->race &&
           a->plan == b->plan && a->reads == b->reads && a->parts == b->parts;
}

/* 1: the kernel keeps so many values in local memory that a variant of the same kind with more
 * registers is faster, and there is one behind it. The user may ask for the kernel all the same. */
static int spills_needlessly(const struct cleave_choice *choice)
{
    const struct cleave_variant *variant = choice->variant;
    const int bytes = local_bytes(choice, variant);
    const int least = variant->schedule == CLEAVE_OWNER_GATHER ? cleave_machine.spilled_by_points
                                                               : cleave_machine.spilled_bytes;
    if (bytes < least || cleave_variant_is_named(variant)) {
        return 0;
    }
    for (int v = 0; v < choice->loop->variants; v++) {
        const struct cleave_variant *other = &choice->loop->variant[v];
        if (other > variant && is_same_kind(variant, other) && local_bytes(choice, other) < bytes) {
            return 1;
        }
    }
    return 0;
}

int cleave_variant_may_run(const struct cleave_call *call, const struct cleave_variant *variant)
{
    return (!cleave_must_be_ordered(call) || cleave_race_is_ordered(variant->race)) &&
           !is_switched_off(variant) && cleave_copies_allowed(call, variant);
}

/* 1: choice->variant may run the call now. */
static int may_run(struct cleave_call *call, struct cleave_choice *choice, int later)
{
    const enum cleave_blocks blocks = cleave_blocks_fit(call, choice, later);
    if (blocks == BLOCKS_LATER) {
        choice->awaits = cleave_plans_arrived;
    }
    return blocks == BLOCKS_FIT && !is_mostly_scalar(choice) && !spills_needlessly(choice);
}

/* Tries the variants of choice->loop, best first, those of equal fitness in the compiler's order.
 * later: plans that do not exist may come later; of the variants behind the first one that waits
 * for its plan, only those without plans are tried. */
static int try_variants(struct cleave_call *call, struct cleave_choice *choice, int later)
{
    const int ordered = cleave_must_be_ordered(call);
    const int schedule = cleave_wanted_schedule(call, choice, ordered);
    for (int level = CLEAVE_BEST_FIT; level >= 0; level--) {
        for (int v = 0; v < choice->loop->variants; v++) {
            choice->variant = &choice->loop->variant[v];
            check_width(call, choice->variant);
            if (cleave_variant_fitness(call, choice, choice->variant, schedule, ordered) == level &&
                (choice->awaits == 0 || choice->variant->plan == CLEAVE_PLAN_NONE) &&
                cleave_variant_may_run(call, choice->variant) && may_run(call, choice, later)) {
                return 1;
            }
        }
    }
    return 0;
}

int cleave_choose_meanwhile(struct cleave_call *call, struct cleave_choice *choice)
{
    choice->awaits = cleave_plans_arrived;
    return try_variants(call, choice, 0);
}

/* A loop all of whose variants need plans waits for one: in place, for instance. */
static int choose_variant(struct cleave_call *call, struct cleave_choice *choice)
{
    choice->awaits = 0;
    if (try_variants(call, choice, !cleave_plans_first())) {
        return 1;
    }
    if (choice->awaits == 0 || cleave_runs_later(call, choice)) {
        return 0;
    }
    choice->awaits = 0;
    return try_variants(call, choice, 0);
}

/* Why a variant that CLEAVE_VARIANT names does not run; NULL: no other setting is against it. */
static const char *reason_against(const struct cleave_variant *variant, int ordered)
{
    if (is_switched_off(variant)) {
        return cleave_settings.lanes == CLEAVE_LANES_OFF
                   ? "it computes several elements at once, and CLEAVE_LANES=off is set"
                   : "it computes several elements at once in registers that this machine lacks";
    }
    return ordered && !cleave_race_is_ordered(variant->race)
               ? "the order of its sums changes from run to run, and CLEAVE_DETERMINISTIC=1 is set"
               : NULL;
}

/* CLEAVE_VARIANT and other settings may exclude each other. */
static void say_left_out(const struct cleave_call *call, const struct cleave_choice *choice)
{
    const int ordered = cleave_must_be_ordered(call);
    if (call->match->said || cleave_variant_is_named(choice->variant)) {
        return;
    }
    for (int v = 0; v < choice->loop->variants; v++) {
        const struct cleave_variant *variant = &choice->loop->variant[v];
        const char *reason =
            cleave_variant_is_named(variant) ? reason_against(variant, ordered) : NULL;
        if (reason != NULL) {
            call->match->said = 1;
            cleave_warning("loop '%s' (%s:%d) runs as '%s' and not as '%s', which CLEAVE_VARIANT "
                           "names: %s",
                           call->name, call->site->file, call->site->line, choice->variant->name,
                           variant->name, reason);
            return;
        }
    }
}

/* Tells the user that no variant of choice->loop can run on the device. */
static void say_none_fits(const struct cleave_call *call, const struct cleave_choice *choice)
{
    if (call->match->said) {
        return;
    }
    call->match->said = 1;
    if (cleave_say_unordered(call, choice->loop, choice->device->device())) {
        return;
    }
    cleave_warning("loop '%s' (%s:%d): no variant runs on %s: blocks of %d elements still need %zu "
                   "bytes of shared memory, %zu are available",
                   call->name, call->site->file, call->site->line, choice->device->device(),
                   choice->block_size, choice->shared_bytes, choice->device->shared_limit());
}

/* 1: the target's device is gone (a child of fork() has lost it) or switched off. */
static int is_unusable(const struct cleave_choice *choice)
{
    return (cleave_has_lanes(choice->target) && choice->device == NULL) ||
           (choice->device != NULL && cleave_settings.no_device);
}

/* Sets unit, loop, target and device of the choice to the call's l-th. 0: it is not usable. */
static int set_target(const struct cleave_call *call, struct cleave_choice *choice, int l)
{
    choice->unit = call->match->unit[l];
    choice->loop = call->match->loop[l];
    choice->target = choice->unit->unit->target;
    choice->device = cleave_has_lanes(choice->target) ? cleave_device : NULL;
    return !is_unusable(choice);
}

int cleave_choose_target(const struct cleave_call *call, struct cleave_choice *choice)
{
    for (int l = 0; l < call->match->loops; l++) {
        if (set_target(call, choice, l)) {
            return 1;
        }
    }
    return 0;
}

/* 1: loop l + 1 of the match comes before loop l: it has further variants for the same target, and
 * the user names one of them and none of loop l. */
static int is_behind(const struct cleave_match *match, int l)
{
    return l >= 0 && l + 1 < match->loops &&
           match->unit[l]->unit->target == match->unit[l + 1]->unit->target &&
           !cleave_loop_is_named(match->loop[l]) && cleave_loop_is_named(match->loop[l + 1]);
}

/* The loop that is tried at this place. */
static int loop_at(const struct cleave_match *match, int place)
{
    return is_behind(match, place) ? place + 1 : is_behind(match, place - 1) ? place - 1 : place;
}

int cleave_choose(struct cleave_call *call, struct cleave_choice *choice)
{
    cleave_jit_want_named(call->match);
    for (int place = 0; place < call->match->loops; place++) {
        if (!set_target(call, choice, loop_at(call->match, place))) {
            continue;
        }
        if (choose_variant(call, choice)) {
            say_left_out(call, choice);
            return 1;
        }
        if (cleave_runs_later(call, choice)) {
            return 0;
        }
        say_none_fits(call, choice);
    }
    return 0;
}
