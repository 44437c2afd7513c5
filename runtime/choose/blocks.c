/* blocks.c: chooses the block size of a variant, and its plan. */
#include "runtime/base/machine.h"
#include "runtime/choose/variants.h"

/* Smaller blocks leave lanes of a warp idle. */
int cleave_least_block(const struct cleave_choice *choice)
{
    return choice->device != NULL ? cleave_target_row[choice->target].lanes
                                  : cleave_machine.least_host_block;
}

static int resident_threads(const struct cleave_choice *choice, int block_size)
{
    struct target_kernel takes = {0};
    choice->device->kernel_takes(choice->variant->kernel, block_size, 0, &takes);
    return takes.resident_threads;
}

static int reads_through_map(const struct cleave_call *call)
{
    for (int a = 0; a < call->args; a++) {
        if (cleave_arg_uses_dat(&call->arg[a]) && call->arg[a].map != NULL) {
            return 1;
        }
    }
    return 0;
}

/* For loops that modify nothing through maps and reduce nothing: large blocks, smaller ones if the
 * threads wait for their points first, and the smallest if more threads of this kernel's many
 * registers fit a multiprocessor in these. */
static int moving_block_size(const struct cleave_call *call, const struct cleave_choice *choice)
{
    const int large =
        reads_through_map(call) ? cleave_machine.map_block_size : cleave_machine.gather_block_size;
    const int small = cleave_machine.small_block_size;
    if (choice->device == NULL || choice->device->kernel_takes == NULL ||
        choice->variant->kernel == NULL) {
        return large;
    }
    return resident_threads(choice, small) > resident_threads(choice, large) ? small : large;
}

/* For loops that reduce. Their blocks take many elements each; if there are very many and each is
 * light, more threads keep more of them in flight. */
static int reducing_block_size(const struct cleave_call *call)
{
    const double elements = call->set->size;
    return elements >= cleave_machine.many_reduced &&
                   cleave_useful_bytes(call) < cleave_machine.light_reduced * elements
               ? cleave_machine.gather_block_size
               : cleave_machine.reduction_block_size;
}

/* If whole warps resolve races: small blocks, which end early, unless elements are so light that
 * the device takes longer to start small blocks than to run them. */
static int warps_block_size(const struct cleave_call *call)
{
    return cleave_useful_bytes(call) < cleave_machine.light_element * call->set->size
               ? cleave_machine.gather_block_size
               : cleave_machine.transpose_block_size;
}

/* Threads per block of a device's kernels without a plan. */
static int planless_block_size(const struct cleave_call *call, const struct cleave_choice *choice)
{
    const enum cleave_race race = choice->variant->race;
    if (race == CLEAVE_RACE_TRANSPOSE) {
        return warps_block_size(call);
    }
    if (race != CLEAVE_RACE_NONE) {
        return cleave_machine.reduction_block_size;
    }
    return cleave_call_reduces(call) ? reducing_block_size(call) : moving_block_size(call, choice);
}

int cleave_usual_block(const struct cleave_call *call, const struct cleave_choice *choice)
{
    const struct cleave_variant *variant = choice->variant;
    const struct target_ops *device = choice->device;
    int size = cleave_block_size(choice->target);
    const int shows = cleave_blocks_show(call, variant);
    if (variant->plan == CLEAVE_PLAN_BLOCKS && (shows || cleave_settings.block_size == 0)) {
        size = cleave_order_block_size(call->set, choice->target);
    } else if (shows) {
        size = cleave_steady_block_size(choice->target);
    } else if (cleave_settings.block_size == 0 && cleave_has_lanes(choice->target) &&
               variant->plan == CLEAVE_PLAN_NONE) {
        size = planless_block_size(call, choice);
    }
    int most = 0;
    if (device != NULL && device->most_threads != NULL && variant->kernel != NULL) {
        most = device->most_threads(variant->kernel) / cleave_least_block(choice) *
               cleave_least_block(choice);
    }
    return most > 0 && most < size ? most : size;
}

static size_t shared_bytes_of(const struct cleave_choice *choice)
{
    if (choice->device == NULL || choice->variant->shared_bytes == NULL) {
        return 0;
    }
    return choice->variant->shared_bytes(choice->plan != NULL ? choice->plan->plan : NULL);
}

/* Returns the plan of choice->variant for these blocks, NULL if there is none. */
static struct cleave_plan_entry *find_plan(struct cleave_call *call,
                                           const struct cleave_choice *choice, int block_size,
                                           int later, enum cleave_plan_state *state)
{
    const struct cleave_planned planned = cleave_planned_of(call);
    const int lanes = choice->device != NULL ? choice->device->lanes : 1;
    if (later) {
        return cleave_plan_request(&planned, choice->loop, choice->variant, block_size, lanes,
                                   state);
    }
    struct cleave_plan_entry *plan =
        cleave_plan_get(&planned, choice->loop, choice->variant, block_size, lanes);
    *state = plan != NULL ? PLAN_EXISTS : PLAN_IMPOSSIBLE;
    return plan;
}

int cleave_lacks_plan(struct cleave_call *call, const struct cleave_choice *choice, int block_size)
{
    const struct cleave_planned planned = cleave_planned_of(call);
    return choice->variant->plan != CLEAVE_PLAN_NONE &&
           cleave_plan_find(&planned, choice->loop, choice->variant, block_size,
                            choice->device != NULL ? choice->device->lanes : 1) == NULL;
}

enum cleave_blocks cleave_choose_blocks(struct cleave_call *call, struct cleave_choice *choice,
                                        int block_size, int later)
{
    enum cleave_plan_state state = PLAN_EXISTS;
    choice->block_size = block_size;
    choice->plan = NULL;
    if (choice->variant->plan != CLEAVE_PLAN_NONE) {
        choice->plan = find_plan(call, choice, block_size, later, &state);
    }
    if (state != PLAN_EXISTS) {
        return state == PLAN_AWAITED ? BLOCKS_LATER : BLOCKS_NONE;
    }
    choice->shared_bytes = shared_bytes_of(choice);
    return choice->shared_bytes <= (choice->device != NULL ? choice->device->shared_limit() : 0)
               ? BLOCKS_FIT
               : BLOCKS_NONE;
}

int cleave_size_matters(const struct cleave_variant *variant)
{
    return variant->plan == CLEAVE_PLAN_BLOCKS || variant->plan == CLEAVE_PLAN_OWNERS;
}

/* Halves the block size until the plan's shared memory fits. */
enum cleave_blocks cleave_blocks_fit(struct cleave_call *call, struct cleave_choice *choice,
                                     int later)
{
    int size = cleave_usual_block(call, choice);
    enum cleave_blocks blocks;
    while ((blocks = cleave_choose_blocks(call, choice, size, later)) == BLOCKS_NONE) {
        if (!cleave_size_matters(choice->variant) || size / 2 < cleave_least_block(choice)) {
            return BLOCKS_NONE;
        }
        size /= 2;
    }
    return blocks;
}
