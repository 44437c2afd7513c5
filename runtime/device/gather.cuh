/* gather.cuh: the points of a block gather what its elements put into shared memory.
 *
 * Written with the primitives of cleave_device.cuh only. Between the elements of a block nothing
 * races: one thread sums what a point gets, in the order of the plan's gather list, which is
 * ascending. Blocks that share a point add to it with atomic operations; those that do not pay
 * nothing for them, since an addition whose result nobody waits for leaves the thread at once.
 * Consecutive threads have consecutive components of consecutive points, so that these additions
 * coalesce where the points' numbers do.
 */
#ifndef CLEAVE_GATHER_CUH
#define CLEAVE_GATHER_CUH

#include "cleave_gen.h"
#include "cleave_device.cuh"
#include "ops.cuh"
#include "staging.cuh"

/* sum = sum OP value, or sum - value. */
template <class OP, class T> CLEAVE_DEVICE T cleave_join_signed(T sum, T value, bool minus)
{
    if constexpr (T(0.5) != T(0) && T(0.5) != T(1)) {
        return cleave_join(OP(), sum, minus ? -value : value);
    } else {
        return minus ? T(sum - value) : cleave_join(OP(), sum, value);
    }
}

/* The largest part of `components` that divides them and is not above `wanted`: how many of a
 * point's components one thread sums. More of them amortise the walk through the list, fewer make
 * more threads work. */
CLEAVE_DEVICE constexpr int cleave_chunk_of(int components, int wanted)
{
    int chunk = wanted < components ? wanted : components;
    while (components % chunk != 0) {
        chunk--;
    }
    return chunk;
}

/* global op= what the elements of the block contribute to the points of `list`.
 *   DIM        components of the dat
 *   WANTED     components per thread, see cleave_chunk_of
 *   C...       components that are updated; none: all
 *   tmp        value v of the element at position i of the block is tmp[stride * i + v]
 *   begin      first position of the block
 *   value(k, c), minus(k, c)  which value an element gives that names the point through the k-th of
 *              the list's columns, for number c of C...; and whether it is subtracted
 * All threads of the block call it behind a barrier. */
template <class OP, class T, int DIM, int WANTED, int... C, class VALUE, class MINUS>
CLEAVE_DEVICE void cleave_gather_by(T *global, CLEAVE_SHARED(const T) tmp, int stride,
                                    const cleave_plan_list &list, int block, int begin, VALUE value,
                                    MINUS minus)
{
    constexpr int components = cleave_record_size<DIM, C...>();
    constexpr int chunk = cleave_chunk_of(components, WANTED);
    constexpr int chunks = components / chunk;
    const int first = list.start[block];
    const int points = list.start[block + 1] - first;
    const unsigned short *start = list.gather_start + first + block;
    const unsigned short *item = list.gather + (size_t)list.modified * begin;
    for (int i = cleave_thread(); i < points * chunks; i += cleave_threads()) {
        const int p = i / chunks;
        const int component = i % chunks * chunk;
        const int last = start[p + 1];
        T sum[chunk];
        for (int c = 0; c < chunk; c++) {
            sum[c] = cleave_start<T>(OP());
        }
        for (int at = start[p]; at < last; at++) {
            const int element = stride * CLEAVE_GATHER_POSITION(item[at]);
            const int column = CLEAVE_GATHER_COLUMN(item[at]);
            for (int c = 0; c < chunk; c++) {
                const T added = tmp[element + value(column, component + c)];
                sum[c] = cleave_join_signed<OP>(sum[c], added, minus(column, component + c));
            }
        }
        if (start[p] == last) {
            continue;
        }
        for (int c = 0; c < chunk; c++) {
            const size_t at = cleave_staged_from<DIM, C...>(list.point + first,
                                                            p * components + component + c);
            cleave_apply_atomic(OP(), &global[at], sum[c]);
        }
    }
}

/* The names that generated code calls. */
#define CLEAVE_GATHER(name, op)                                                                    \
    template <class T, int DIM, int WANTED, int... C, class VALUE, class MINUS>                    \
    CLEAVE_DEVICE void name(T *global, CLEAVE_SHARED(const T) tmp, int stride,                     \
                            const cleave_plan_list &list, int block, int begin, VALUE value,       \
                            MINUS minus)                                                           \
    {                                                                                              \
        cleave_gather_by<op, T, DIM, WANTED, C...>(global, tmp, stride, list, block, begin, value, \
                                                   minus);                                         \
    }
CLEAVE_GATHER(cleave_gather_add, cleave_op_add)
CLEAVE_GATHER(cleave_gather_min, cleave_op_min)
CLEAVE_GATHER(cleave_gather_max, cleave_op_max)
#undef CLEAVE_GATHER

#endif
