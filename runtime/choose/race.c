/* race.c: how a loop resolves its races on a GPU if CLEAVE_RACES is unset. */
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

enum cleave_race cleave_usual_race(const struct cleave_call *call, const struct cleave_loop *loop)
{
    if (in_place(loop)) {
        return cleave_useful_bytes(call) <= cleave_machine.in_place_bytes ? CLEAVE_RACE_GLOBAL
                                                            : loop->variant[0].race;
    }
    for (int v = 0; v < loop->variants; v++) {
        const enum cleave_race race = loop->variant[v].race;
        if (race == CLEAVE_RACE_GATHER || race == CLEAVE_RACE_TRANSPOSE) {
            return race;
        }
    }
    return CLEAVE_RACE_GATHER;
}
