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

/* Returns the item of a point in a row of its chunk. WORDS: list.words. */
template <int WORDS>
CLEAVE_DEVICE cleave_named<WORDS> cleave_named_of(const cleave_plan_list &list, int row, int point)
{
    constexpr int head = WORDS % 2;
    const int lane = point % CLEAVE_NAMED_LANES;
    cleave_named<WORDS> item;
    if constexpr (head > 0) {
        item.word[0] = list.named_item[CLEAVE_NAMED_AT(WORDS, row, lane, 0)];
    }
    if constexpr (WORDS > head) {
        const auto rest =
            cleave_load<WORDS - head>(list.named_item + CLEAVE_NAMED_AT(WORDS, row, lane, head));
        for (int w = head; w < WORDS; w++) {
            item.word[w] = rest[w - head];
        }
    }
    return item;
}

#endif
