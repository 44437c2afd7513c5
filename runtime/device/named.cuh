/* named.cuh: items of points that name what their elements read.
 *
 * Written with the primitives of cleave_device.cuh only. In: a list of a plan with the named_
 * arrays (cleave_plan.def), in target memory. The points of a warp load their items side by side.
 */
#ifndef CLEAVE_NAMED_CUH
#define CLEAVE_NAMED_CUH

#include "cleave_gen.h"
#include "cleave_device.cuh"
#include "record.cuh"

/* The words of an item; word[0] < 0: none, nor behind it. */
template <int WORDS> struct cleave_named {
    int word[WORDS];
};

/* Where a point is in its items. */
struct cleave_named_walk {
    const int *at; /* first word of the next one */
    int left;      /* items from there on */
};

template <int WORDS>
CLEAVE_DEVICE cleave_named_walk cleave_named_begin(const cleave_plan_list &list, int point)
{
    const int *start = list.named_start + point / CLEAVE_NAMED_LANES;
    const int first = start[0];
    const int lane = point % CLEAVE_NAMED_LANES;
    return {list.named_item + CLEAVE_NAMED_AT(WORDS, first, lane, 0), start[1] - first};
}

/* Loads the next item of a point. The load is not put off until the item is used. */
template <int WORDS> CLEAVE_DEVICE cleave_named<WORDS> cleave_named_next(cleave_named_walk &walk)
{
    cleave_named<WORDS> item;
    item.word[0] = -1;
    if (walk.left > 0) {
        if constexpr (WORDS % 2 == 0) {
            const auto words = cleave_load_ahead<WORDS>(walk.at);
            for (int w = 0; w < WORDS; w++) {
                item.word[w] = words[w];
            }
        } else {
            for (int w = 0; w < WORDS; w++) {
                item.word[w] = cleave_load_ahead<1>(walk.at + w * CLEAVE_NAMED_LANES)[0];
            }
        }
        walk.at += WORDS * CLEAVE_NAMED_LANES;
        walk.left--;
    }
    return item;
}

#endif
