/* race.c: how well a variant resolves the races of a call if CLEAVE_RACES is unset: as the compiler
 * ranks it, but for loops in place on small meshes. */
#include "runtime/base/machine.h"
#include "runtime/choose/choose.h"

/* 1: the loop works in place, by colours of either kind. */
static int in_place(const struct cleave_loop *loop)
{
    int global = 0;
    for (int v = 0; v < loop->variants; v++) {
        const struct cleave_variant *variant = &loop->variant[v];
        if (variant->schedule != CLEAVE_FUSED ||
            (variant->race != CLEAVE_RACE_COLOUR && variant->race != CLEAVE_RACE_GLOBAL)) {
            return 0;
        }
        global |= variant->race == CLEAVE_RACE_GLOBAL;
    }
    return global;
}

int cleave_variant_rank(const struct cleave_call *call, const struct cleave_loop *loop,
                        const struct cleave_variant *variant)
{
    if (in_place(loop) && cleave_useful_bytes(call) <= cleave_machine.in_place_bytes) {
        return variant->race == CLEAVE_RACE_GLOBAL ? 0 : CLEAVE_WORST_RANK;
    }
    return variant->rank;
}
