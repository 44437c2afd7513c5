/* blocks.c: chooses the block size of a variant, and its plan. */
#include "runtime/base/machine.h"
#include "runtime/choose/variants.h"

/* Smaller blocks leave lanes of a warp idle. */
static int least_block(const struct cleave_choice *choice)
{
    return choice->device != NULL ? cleave_target_row[choice->target].lanes
                                  : cleave_machine.least_host_block;
}

/* Threads per block of a device's kernels without a plan. */
static int planless_block_size(const struct cleave_call *call, const struct cleave_variant *variant)
{
    if (variant->race == CLEAVE_RACE_TRANSPOSE) {
        return cleave_machine.transpose_block_size;
    }
    return variant->race == CLEAVE_RACE_NONE && !cleave_call_reduces(call)
               ? cleave_machine.gather_block_size
               : cleave_machine.reduction_block_size;
}

/* Elements per block, one thread each: fewer than usual if the kernel's registers allow no more
 * threads. */
static int largest_block(const struct cleave_call *call, const struct cleave_choice *choice)
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
        size = planless_block_size(call, variant);
    }
    int most = 0;
    if (device != NULL && device->most_threads != NULL && variant->kernel != NULL) {
        most = device->most_threads(variant->kernel) / least_block(choice) * least_block(choice);
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

/* Halves the block size until the plan's shared memory fits. */
int cleave_blocks_fit(struct cleave_call *call, struct cleave_choice *choice)
{
    const struct cleave_variant *variant = choice->variant;
    const size_t limit = choice->device != NULL ? choice->device->shared_limit() : 0;
    const int size_matters =
        variant->plan == CLEAVE_PLAN_BLOCKS || variant->plan == CLEAVE_PLAN_OWNERS;
    choice->block_size = largest_block(call, choice);
    choice->plan = NULL;
    for (;;) {
        if (variant->plan != CLEAVE_PLAN_NONE) {
            const struct cleave_planned planned = cleave_planned_of(call);
            choice->plan = cleave_plan_get(&planned, choice->loop, variant, choice->block_size,
                                           choice->device != NULL ? choice->device->lanes : 1);
        }
        if (choice->plan != NULL || variant->plan == CLEAVE_PLAN_NONE) {
            choice->shared_bytes = shared_bytes_of(choice);
            if (choice->shared_bytes <= limit) {
                return 1;
            }
        }
        if (!size_matters || choice->block_size / 2 < least_block(choice)) {
            return 0;
        }
        choice->block_size /= 2;
    }
}
