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

#include <type_traits>
#include "cleave_gen.h"
#include "cleave_device.cuh"
#include "ops.cuh"
#include "record.cuh"
#include "staging.cuh"

/* What each point of a block gathers, in shared memory: cleave_plan_list.gather of one block. */
struct cleave_gather {
    CLEAVE_SHARED(const unsigned short) start; /* [points+1] offsets into item */
    CLEAVE_SHARED(const unsigned short) item;
    const int *point;
    int points;
};

/* How many shorts before an address two copied at a time begin: 0 or 1. */
CLEAVE_DEVICE int cleave_shorts_before(const unsigned short *from)
{
    return (int)((size_t)from / sizeof(*from) & 1);
}

/* Copies short integers asynchronously, two at a time: from the even one before the first, if need be,
 * which the array has too, since it begins at a multiple of 4 bytes; of the last two perhaps one. */
CLEAVE_DEVICE void cleave_stage_shorts(size_t byte, const unsigned short *from, int count)
{
    CLEAVE_SHARED(unsigned short) s = cleave_shared<unsigned short>(byte);
    const int before = cleave_shorts_before(from);
    const int end = before + count;
    for (int i = 2 * cleave_thread(); i < end; i += 2 * cleave_threads()) {
        cleave_copy_async<4>(s, i, from - before + i, i + 1 < end ? 4 : 2);
    }
}

/* Where the one at `from` lies then. */
CLEAVE_DEVICE CLEAVE_SHARED(const unsigned short)
    cleave_staged_shorts(size_t byte, const unsigned short *from)
{
    return cleave_shared<unsigned short>(byte) + cleave_shorts_before(from);
}

/* Bytes of a block's gather list in shared memory, for the plan's blocks: the items, and all. */
CLEAVE_HOST_DEVICE size_t cleave_gather_item_bytes(const cleave_plan_list &list, int block_size)
{
    return ((size_t)list.modified * block_size + 2) * sizeof(unsigned short) / 16 * 16 + 16;
}

CLEAVE_HOST_DEVICE size_t cleave_gather_bytes(const cleave_plan_list &list, int block_size)
{
    return cleave_gather_item_bytes(list, block_size) +
           ((size_t)list.max_points + 3) * sizeof(unsigned short) / 16 * 16 + 16;
}

/* Offsets of the block's points begin where its points do, one more for each block before. */
CLEAVE_DEVICE const unsigned short *cleave_gather_starts(const cleave_plan_list &list, int block,
                                                         cleave_points points)
{
    return list.gather_start + (points.point - list.point) + block;
}

/* Begins to copy the block's gather list to a byte of shared memory, long before it is used: what the
 * points gather is found without waiting for memory twice, for the offsets and for the items. points:
 * the block's; begin: its first position; count: its elements. */
template <class PLAN>
CLEAVE_DEVICE void cleave_gather_stage(size_t byte, const PLAN &plan, const cleave_plan_list &list,
                                       int block, cleave_points points, int begin, int count)
{
    cleave_stage_shorts(byte, list.gather + (size_t)list.modified * begin, list.modified * count);
    cleave_stage_shorts(byte + cleave_gather_item_bytes(list, plan.block_size),
                        cleave_gather_starts(list, block, points), points.points + 1);
}

/* The list that cleave_gather_stage copies to that byte; before the barrier behind which it is used.
 * Bodies that want many registers read the block's points and where it begins anew for it: kept since
 * the copy began they would be lacking in between. */
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

/* sum = sum OP value, or sum - value. Floating numbers are multiplied by the sign, which costs nothing
 * beside the addition. */
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

/* How many of a point's components one thread sums, about `wanted` of them: more amortise the walk
 * through the list, fewer make more threads work. Where values are read `part` at a time, a number of
 * whole parts; else one that divides the components. */
CLEAVE_HOST_DEVICE constexpr int cleave_chunk_of(int components, int wanted, int part)
{
    int chunk = wanted < components ? wanted : components;
    if (part > 1 && chunk >= part) {
        const int chunks = (components + chunk - 1) / chunk;
        return ((components + chunks - 1) / chunks + part - 1) / part * part;
    }
    while (components % chunk != 0) {
        chunk--;
    }
    return chunk;
}

/* sum[i] = sum[i] OP what one element gives for components component.. of its point, `chunk` of them,
 * fewer for the last. */
template <class OP, class T, int COMPONENTS, int CHUNK, int PART, class VALUE, class MINUS>
CLEAVE_DEVICE void cleave_gather_item(T *sum, CLEAVE_SHARED(const T) element, int column,
                                      int component, VALUE value, MINUS minus)
{
    constexpr bool whole = COMPONENTS % CHUNK == 0;
    for (int c = 0; c < CHUNK && (whole || component + c < COMPONENTS); c += PART) {
        const auto added = cleave_load<PART>(element + value(column, component + c));
        for (int i = 0; i < PART; i++) {
            sum[c + i] = cleave_join_signed<OP>(sum[c + i], added[i], minus(column, component + c + i));
        }
    }
}

/* sum[0..CHUNK-1] = what the elements of the block give for components component.. of its p-th point; false:
 * none names it. */
template <class OP, class T, int COMPONENTS, int CHUNK, int PART, int STRIDE, class VALUE,
          class MINUS>
CLEAVE_DEVICE bool cleave_gather_sum(T *sum, CLEAVE_SHARED(const T) tmp,
                                     const cleave_gather &gather, int p, int component, VALUE value,
                                     MINUS minus)
{
    const int begin = gather.start[p];
    const int end = gather.start[p + 1];
    for (int c = 0; c < CHUNK; c++) {
        sum[c] = cleave_start<T>(OP());
    }
    for (int at = begin; at < end; at++) {
        const int item = gather.item[at];
        cleave_gather_item<OP, T, COMPONENTS, CHUNK, PART>(
            sum, tmp + STRIDE * CLEAVE_GATHER_POSITION(item), CLEAVE_GATHER_COLUMN(item), component,
            value, minus);
    }
    return begin < end;
}

/* global op= what the elements of the block contribute to the points of the list.
 *   DIM        components of the dat
 *   WANTED     components per thread, see cleave_chunk_of
 *   PART       values that are read at once: value(k, c), ..., value(k, c + PART - 1) follow each other
 *              for c a multiple of PART, value(k, c) and STRIDE are multiples of PART, and tmp of
 *              PART * sizeof(T) bytes; values that make up the last part exist. 1 asks for nothing
 *   STRIDE     value v of the element at position i of the block is tmp[STRIDE * i + v]
 *   C...       components that are updated; none: all
 *   value(k, c), minus(k, c)  which value an element gives that names the point through the k-th of
 *              the list's columns, for number c of C...; and whether it is subtracted
 * All threads of the block call it behind cleave_copy_wait() and a barrier. */
template <class OP, class T, int DIM, int WANTED, int PART, int STRIDE, int... C, class VALUE,
          class MINUS>
CLEAVE_DEVICE void cleave_gather_by(T *global, CLEAVE_SHARED(const T) tmp,
                                    const cleave_gather &gather, VALUE value, MINUS minus)
{
    constexpr int components = cleave_record_size<DIM, C...>();
    constexpr int chunk = cleave_chunk_of(components, WANTED, PART);
    constexpr int chunks = (components + chunk - 1) / chunk;
    constexpr int part = chunk % PART == 0 ? PART : 1;
    for (int i = cleave_thread(); i < gather.points * chunks; i += cleave_threads()) {
        const int p = i / chunks;
        const int component = i % chunks * chunk;
        T sum[chunk];
        const bool any = cleave_gather_sum<OP, T, components, chunk, part, STRIDE>(
            sum, tmp, gather, p, component, value, minus);
        for (int c = 0; c < chunk && component + c < components && any; c++) {
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
