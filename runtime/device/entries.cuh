/* entries.cuh: elements of a small set, such as the edges of a boundary, that name points of a
 * large one.
 *
 * Written with the primitives of cleave_device.cuh only. In: a list of a plan whose map starts at
 * another set than the loop's (entry_ arrays of cleave_plan.def). Chunks of 32 consecutive points
 * know their entries, so that a warp whose points have none finds that out by two loads, the same
 * for all its threads, and the list takes little memory.
 */
#ifndef CLEAVE_ENTRIES_CUH
#define CLEAVE_ENTRIES_CUH

#include "cleave_gen.h"
#include "cleave_device.cuh"

/* The entries of one map, in target memory. */
struct cleave_entries {
    const int *start; /* NULL: there are none */
    const int *point;
    const int *element;
    const unsigned char *column;
};

static inline cleave_entries cleave_entries_in(const struct cleave_plan_list &list)
{
    return {list.entry_start, list.entry_point, list.entry_element, list.entry_column};
}

/* Entries first..last-1, ascending in element, then in column. */
struct cleave_entry_range {
    int first;
    int last;
};

/* Returns the entries of a point. */
CLEAVE_DEVICE cleave_entry_range cleave_entries_of(const cleave_entries &entries, int point)
{
    if (entries.start == NULL) {
        return {0, 0};
    }
    int first = entries.start[point / CLEAVE_ENTRY_CHUNK];
    const int end = entries.start[point / CLEAVE_ENTRY_CHUNK + 1];
    int behind = end;
    while (first < behind) { /* the first entry whose point is not below */
        const int middle = first + (behind - first) / 2;
        if (entries.point[middle] < point) {
            first = middle + 1;
        } else {
            behind = middle;
        }
    }
    int last = first;
    while (last < end && entries.point[last] == point) {
        last++;
    }
    return {first, last};
}

#endif
