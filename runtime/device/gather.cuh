/* gather.cuh: the points of a block gather what its elements have put into shared memory.
 *
 * Written with the primitives of cleave_device.cuh only. No two threads of a block race: one thread
 * sums up all that a point gets from the block, in the ascending order of the plan's gather list.
 * Blocks that share a point add to it with atomic operations. These cost little where no block
 * shares the point, since no thread waits for their results. Consecutive threads have consecutive
 * components of consecutive points, so these additions are coalesced if the points' numbers are
 * consecutive. */
#ifndef CLEAVE_GATHER_CUH
#define CLEAVE_GATHER_CUH

#include <type_traits>
#include "cleave_gen.h"
#include "cleave_device.cuh"
#include "ops.cuh"
#include "record.cuh"
#include "staging.cuh"

/* The gather list of one block (cleave_plan_list.gather), in shared memory. */
struct cleave_gather {
    CLEAVE_SHARED(const unsigned short) start; /* [points+1] offsets into item */
    CLEAVE_SHARED(const unsigned short) item;
    const int *point;
    int points;
};

/* Returns 1 if copies of two shorts that cover an address must begin one short before it, else 0.
 */
CLEAVE_DEVICE int cleave_shorts_before(const unsigned short *from)
{
    return (int)((size_t)from / sizeof(*from) & 1);
}

/* Copies short integers asynchronously, two at a time. The first copy may begin one short early and
 * the last one end one short late; the array begins at a multiple of 4 bytes, so both lie in it. */
CLEAVE_DEVICE void cleave_stage_shorts(size_t byte, const unsigned short *from, int count)
{
    CLEAVE_SHARED(unsigned short) s = cleave_shared<unsigned short>(byte);
    const int before = cleave_shorts_before(from);
    const int end = before + count;
    for (int i = 2 * cleave_thread(); i < end; i += 2 * cleave_threads()) {
        cleave_copy_async<4>(s, i, from - before + i, i + 1 < end ? 4 : 2);
    }
}

/* Returns where in shared memory the short at `from` lies after cleave_stage_shorts. */
CLEAVE_DEVICE CLEAVE_SHARED(const unsigned short)
    cleave_staged_shorts(size_t byte, const unsigned short *from)
{
    return cleave_shared<unsigned short>(byte) + cleave_shorts_before(from);
}

/* Bytes of shared memory for the gather list of any block of the plan: the items alone, and the
 * whole list. */
CLEAVE_HOST_DEVICE size_t cleave_gather_item_bytes(const cleave_plan_list &list, int block_size)
{
    return ((size_t)list.modified * block_size + 2) * sizeof(unsigned short) / 16 * 16 + 16;
}

CLEAVE_HOST_DEVICE size_t cleave_gather_bytes(const cleave_plan_list &list, int block_size)
{
    return cleave_gather_item_bytes(list, block_size) +
           ((size_t)list.max_points + 3) * sizeof(unsigned short) / 16 * 16 + 16;
}

/* Returns where the offsets of the block begin: one entry per point, and one more for each earlier
 * block. */
CLEAVE_DEVICE const unsigned short *cleave_gather_starts(const cleave_plan_list &list, int block,
                                                         cleave_points points)
{
    return list.gather_start + (points.point - list.point) + block;
}

/* Starts to copy the block's gather list to a byte of shared memory, long before it is used, so
 * that no point waits for the offsets and then for the items. points: of the block; begin: its
 * first position; count: its elements. */
template <class PLAN>
CLEAVE_DEVICE void cleave_gather_stage(size_t byte, const PLAN &plan, const cleave_plan_list &list,
                                       int block, cleave_points points, int begin, int count)
{
    cleave_stage_shorts(byte, list.gather + (size_t)list.modified * begin, list.modified * count);
    cleave_stage_shorts(byte + cleave_gather_item_bytes(list, plan.block_size),
                        cleave_gather_starts(list, block, points), points.points + 1);
}

/* Returns the list that cleave_gather_stage has copied to that byte. Call it before the barrier
 * that precedes its use. It reads the block's points and offset again: keeping them in registers
 * since the copy began would cost bodies with high register pressure. */
template <class PLAN>
CLEAVE_DEVICE cleave_gather cleave_gather_of(size_t byte, const PLAN &plan,
                                             const cleave_plan_list &list, int block,
                                             cleave_points points, int begin)
{
    const unsigned short *item = list.gather + (size_t)list.modified * begin;
    cleave_gather gather;
    gather.item = cleave_staged_shorts(byte, item);
    gather.start = cleave_staged_shorts(byte + cleave_gather_item_bytes(list, plan.block_size),
                                        cleave_gather_starts(list, block, points));
    gather.point = points.point;
    gather.points = points.points;
    return gather;
}

/* sum = sum OP value, or sum - value. Floating-point values are multiplied by the sign, which costs
 * nothing beside the addition. */
template <class OP, class T> CLEAVE_DEVICE T cleave_join_signed(T sum, T value, bool minus)
{
    if constexpr (!std::is_same<OP, cleave_op_add>::value) {
        return cleave_join(OP(), sum, value);
    } else if constexpr (T(0.5) != T(0) && T(0.5) != T(1)) {
        return sum + (minus ? T(-1) : T(1)) * value;
    } else {
        return minus ? T(sum - value) : T(sum + value);
    }
}

/* Returns how many components of a point one thread sums, about `wanted`: more components amortise
 * the walk through the list, fewer give work to more threads. A multiple of `part` if values are
 * read `part` at a time, else a divisor of the components. */
CLEAVE_HOST_DEVICE constexpr int cleave_components_per_thread(int components, int wanted, int part)
{
    int each = wanted < components ? wanted : components;
    if (part > 1 && each >= part) {
        const int shares = (components + each - 1) / each;
        return ((components + shares - 1) / shares + part - 1) / part * part;
    }
    while (components % each != 0) {
        each--;
    }
    return each;
}

/* sum[i] = sum[i] OP the contribution of one element to component `component` + i of its point, for
 * `each` components, fewer at the end. */
template <class OP, class T, int COMPONENTS, int EACH, int PART, class VALUE, class MINUS>
CLEAVE_DEVICE void cleave_gather_item(T *sum, CLEAVE_SHARED(const T) element, int column,
                                      int component, VALUE value, MINUS minus)
{
    constexpr bool whole = COMPONENTS % EACH == 0;
    for (int c = 0; c < EACH && (whole || component + c < COMPONENTS); c += PART) {
        const auto added = cleave_load<PART>(element + value(column, component + c));
        for (int i = 0; i < PART; i++) {
            sum[c + i] =
                cleave_join_signed<OP>(sum[c + i], added[i], minus(column, component + c + i));
        }
    }
}

/* sum[0..EACH-1] = the contributions of the block's elements to components component.. of its p-th
 * point. Returns false if no element names the point. */
template <class OP, class T, int COMPONENTS, int EACH, int PART, int STRIDE, class VALUE,
          class MINUS>
CLEAVE_DEVICE bool cleave_gather_sum(T *sum, CLEAVE_SHARED(const T) tmp,
                                     const cleave_gather &gather, int p, int component, VALUE value,
                                     MINUS minus)
{
    const int begin = gather.start[p];
    const int end = gather.start[p + 1];
    for (int c = 0; c < EACH; c++) {
        sum[c] = cleave_start<T>(OP());
    }
    for (int at = begin; at < end; at++) {
        const int item = gather.item[at];
        cleave_gather_item<OP, T, COMPONENTS, EACH, PART>(
            sum, tmp + STRIDE * CLEAVE_GATHER_POSITION(item), CLEAVE_GATHER_COLUMN(item), component,
            value, minus);
    }
    return begin < end;
}

/* global op= the contributions of the block's elements to the points of the list. All threads of
 * the block call it, after cleave_copy_wait() and a barrier.
 *
 *   DIM          components of the dat
 *   WANTED       components per thread, see cleave_components_per_thread
 *   PART         values that are read at once; 1: one at a time. For c a multiple of PART,
 *                value(k, c), ..., value(k, c + PART - 1) are consecutive, also past the last
 *                component; value(k, c) and STRIDE are multiples of PART, and tmp is a multiple of
 *                PART * sizeof(T) bytes
 *   STRIDE       value v of the element at position i of the block is tmp[STRIDE * i + v]
 *   C...         the updated components; none: all
 *   value(k, c)  the number of the value that an element adds to component C[c] of the point that
 *                it names through the k-th of the list's columns
 *   minus(k, c)  whether that value is subtracted */
template <class OP, class T, int DIM, int WANTED, int PART, int STRIDE, int... C, class VALUE,
          class MINUS>
CLEAVE_DEVICE void cleave_gather_by(T *global, CLEAVE_SHARED(const T) tmp,
                                    const cleave_gather &gather, VALUE value, MINUS minus)
{
    constexpr int components = cleave_record_size<DIM, C...>();
    constexpr int each = cleave_components_per_thread(components, WANTED, PART);
    constexpr int shares = (components + each - 1) / each;
    constexpr int part = each % PART == 0 ? PART : 1;
    for (int i = cleave_thread(); i < gather.points * shares; i += cleave_threads()) {
        const int p = i / shares;
        const int component = i % shares * each;
        T sum[each];
        const bool any = cleave_gather_sum<OP, T, components, each, part, STRIDE>(
            sum, tmp, gather, p, component, value, minus);
        for (int c = 0; c < each && component + c < components && any; c++) {
            const size_t at =
                cleave_staged_from<DIM, C...>(gather.point, p * components + component + c);
            cleave_apply_atomic(OP(), &global[at], sum[c]);
        }
    }
}

/* The names that generated code calls. */
#define CLEAVE_GATHER(name, op)                                                                    \
    template <class T, int DIM, int WANTED, int PART, int STRIDE, int... C, class VALUE,           \
              class MINUS>                                                                         \
    CLEAVE_DEVICE void name(T *global, CLEAVE_SHARED(const T) tmp, const cleave_gather &gather,    \
                            VALUE value, MINUS minus)                                              \
    {                                                                                              \
        cleave_gather_by<op, T, DIM, WANTED, PART, STRIDE, C...>(global, tmp, gather, value,       \
                                                                 minus);                           \
    }
CLEAVE_GATHER(cleave_gather_add, cleave_op_add)
CLEAVE_GATHER(cleave_gather_min, cleave_op_min)
CLEAVE_GATHER(cleave_gather_max, cleave_op_max)
#undef CLEAVE_GATHER

#endif
