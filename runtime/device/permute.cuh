/* permute.cuh: records of dats and maps in another order, when the mesh gets one between two loops.
 *
 * Written with the primitives of cleave_device.cuh only. One thread writes one word, so that
 * consecutive threads write consecutive memory; what they read is scattered by records. */
#ifndef CLEAVE_PERMUTE_CUH
#define CLEAVE_PERMUTE_CUH

#include "cleave_gen.h"
#include "cleave_device.cuh"

/* Word w of record i of `to` becomes word w of record index[i] of `from`, and is renumbered if
 * NUMBERS. index NULL: record i stays where it is. */
template <class T, bool NUMBERS>
CLEAVE_KERNEL void cleave_permute_records(T *to, const T *from, const int *index, int count,
                                          int words, const int *number)
{
    const size_t i = (size_t)cleave_block() * cleave_threads() + cleave_thread();
    const size_t record = i / words;
    if (record < (size_t)count) {
        const size_t source = index != NULL ? (size_t)index[record] : record;
        const T word = from[source * words + i % words];
        to[i] = NUMBERS ? (T)number[(size_t)word] : word;
    }
}

template <class T, bool NUMBERS>
void cleave_permute_launch(const struct cleave_permutation *permutation)
{
    const size_t threads = 256;
    const size_t all = (size_t)permutation->count * (size_t)permutation->words;
    CLEAVE_LAUNCH((cleave_permute_records<T, NUMBERS>), (int)((all + threads - 1) / threads),
                  (int)threads, 0, permutation->stream, (T *)permutation->to,
                  (const T *)permutation->from, permutation->index, permutation->count,
                  permutation->words, permutation->number);
}

/* The function for cleave_unit.permute. A template, so that only units that name it contain its
 * kernels. */
template <class> void cleave_permute_run(const struct cleave_permutation *permutation)
{
    if (permutation->number != NULL) {
        cleave_permute_launch<unsigned, true>(permutation);
    } else if (permutation->word == 1) {
        cleave_permute_launch<unsigned char, false>(permutation);
    } else {
        cleave_permute_launch<unsigned, false>(permutation);
    }
}

#endif
