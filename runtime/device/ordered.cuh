/* ordered.cuh: the points of a block gather, and the sums of the blocks are added up in their
 * order.
 *
 * In place of the atomic additions of gather.cuh, whose order changes from run to run, a block
 * writes what it sums for its points to memory: one record for each place in the plan's list of the
 * blocks' points, so that consecutive threads write consecutive memory. Then, in another launch,
 * each point that got something adds its records to the dat, block after block, by plain additions:
 *
 *   block 0: points 3 5 8    sums  | 3 | 5 | 8 | 3 | 8 | 9 |
 *   block 1: points 3 8 9    point 3 adds the records 0 and 3, point 5 record 1, ...
 *
 * The result depends on the plan alone. A point in several blocks costs its record written and read
 * once for each. Written with the primitives of cleave_device.cuh only.
 */
#ifndef CLEAVE_ORDERED_CUH
#define CLEAVE_ORDERED_CUH

#include "cleave_gen.h"
#include "cleave_device.cuh"
#include "gather.cuh"
#include "ops.cuh"
#include "record.cuh"
#include "soa.cuh"
#include "staging.cuh"

/* Returns how many values of a record a thread reads or writes at once: as many as fill 16 or 8
 * bytes and divide the record, else 1. */
template <class T> CLEAVE_HOST_DEVICE constexpr int cleave_ordered_part(int components)
{
    const size_t bytes = cleave_part(components * sizeof(T), sizeof(T));
    return bytes > sizeof(T) ? (int)(bytes / sizeof(T)) : 1;
}

/* Writes the block's sums for the points of its list, except for points that get none. All threads
 * of the block call it, after cleave_copy_wait() and a barrier.
 *
 *   COMPONENTS   components of a record of sums: those that are updated
 *   WANTED, PART, STRIDE, value, minus  as in cleave_gather_by
 *   sums         [list.places * COMPONENTS], a multiple of 16 bytes
 *   list         the plan's list of the map */
template <class OP, class T, int COMPONENTS, int WANTED, int PART, int STRIDE, class VALUE,
          class MINUS>
CLEAVE_DEVICE void cleave_ordered_put_by(T *sums, const cleave_plan_list &list,
                                         CLEAVE_SHARED(const T) tmp, const cleave_gather &gather,
                                         VALUE value, MINUS minus)
{
    constexpr int each = cleave_components_per_thread(COMPONENTS, WANTED, PART);
    constexpr int shares = (COMPONENTS + each - 1) / each;
    constexpr int part = each % PART == 0 ? PART : 1;
    constexpr bool whole = COMPONENTS % each == 0;
    const size_t first = (size_t)(gather.point - list.point);
    for (int i = cleave_thread(); i < gather.points * shares; i += cleave_threads()) {
        const int p = i / shares;
        const int component = i % shares * each;
        cleave_record<T, each> sum;
        if (!cleave_gather_sum<OP, T, COMPONENTS, each, part, STRIDE>(sum.v, tmp, gather, p,
                                                                      component, value, minus)) {
            continue;
        }
        T *to = sums + (first + p) * COMPONENTS + component;
        if constexpr (whole) {
            cleave_store(to, sum);
        } else {
            for (int c = 0; c < each && component + c < COMPONENTS; c++) {
                to[c] = sum.v[c];
            }
        }
    }
}

/* ---- points ------------------------------------------------------------------------------- */

/* Returns the blocks of `threads` threads that cleave_ordered_add needs. */
template <class T, int DIM, int... C>
CLEAVE_HOST_DEVICE int cleave_ordered_blocks(const cleave_plan_list &list, int threads)
{
    constexpr int components = cleave_record_size<DIM, C...>();
    constexpr int parts = components / cleave_ordered_part<T>(components);
    return (int)(((size_t)list.summed * parts + threads - 1) / threads);
}

/* Reads or writes components component.. of a record at once, of all components or of those named
 * by C... */
template <int PART, int DIM, int... C, class T>
CLEAVE_DEVICE cleave_record<T, PART> cleave_ordered_load(T *global, int point, int component)
{
    cleave_record<T, PART> record;
    if constexpr (sizeof...(C) == 0) {
        record = cleave_load<PART>(global + (size_t)point * DIM + component);
    } else {
        for (int c = 0; c < PART; c++) {
            record.v[c] = global[(size_t)point * DIM + cleave_component<C...>(component + c)];
        }
    }
    return record;
}

template <int PART, int DIM, int... C, class T>
CLEAVE_DEVICE void cleave_ordered_store(T *global, int point, int component,
                                        const cleave_record<T, PART> &record)
{
    if constexpr (sizeof...(C) == 0) {
        cleave_store(global + (size_t)point * DIM + component, record);
    } else {
        for (int c = 0; c < PART; c++) {
            global[(size_t)point * DIM + cleave_component<C...>(component + c)] = record.v[c];
        }
    }
}

template <int PART, int DIM, int... C, class T>
CLEAVE_DEVICE cleave_record<T, PART> cleave_ordered_load(cleave_soa<T> global, int point,
                                                         int component)
{
    cleave_record<T, PART> record;
    for (int c = 0; c < PART; c++) {
        const int from = sizeof...(C) == 0 ? component + c : cleave_component<C...>(component + c);
        record.v[c] = cleave_soa_component(global, point, from);
    }
    return record;
}

template <int PART, int DIM, int... C, class T>
CLEAVE_DEVICE void cleave_ordered_store(cleave_soa<T> global, int point, int component,
                                        const cleave_record<T, PART> &record)
{
    for (int c = 0; c < PART; c++) {
        const int to = sizeof...(C) == 0 ? component + c : cleave_component<C...>(component + c);
        cleave_soa_component(global, point, to) = record.v[c];
    }
}

/* Sums that a thread loads before it adds the first one; few points are in more blocks. */
#define CLEAVE_ORDERED_AHEAD 4

/* total op= the sums at places at.. of the list, one after the other, up to `end` and at most
 * CLEAVE_ORDERED_AHEAD of them. */
template <class OP, int COMPONENTS, int PART, class T>
CLEAVE_DEVICE void cleave_ordered_join(cleave_record<T, PART> &total, const T *__restrict__ sums,
                                       const int *__restrict__ place, int at, int end,
                                       int component)
{
    int from[CLEAVE_ORDERED_AHEAD];
    cleave_record<T, PART> sum[CLEAVE_ORDERED_AHEAD];
    for (int k = 0; k < CLEAVE_ORDERED_AHEAD; k++) {
        from[k] = at + k < end ? place[at + k] : -1;
    }
    for (int k = 0; k < CLEAVE_ORDERED_AHEAD; k++) {
        if (from[k] >= 0) {
            sum[k] = cleave_load<PART>(sums + (size_t)from[k] * COMPONENTS + component);
        }
    }
    for (int k = 0; k < CLEAVE_ORDERED_AHEAD; k++) {
        for (int c = 0; c < PART && from[k] >= 0; c++) {
            cleave_update(OP(), total.v[c], sum[k].v[c]);
        }
    }
}

/* global op= the sums of the blocks, of each point that got some, in the order of the blocks.
 *   DAT       T *, or cleave_soa<T>
 *   DIM, C... components of the dat, and which of them are updated; none: all
 *   sums      what cleave_ordered_put_by wrote in a launch before
 * Called by all threads of cleave_ordered_blocks() blocks: consecutive ones take consecutive parts
 * of consecutive points' records. */
template <class OP, class T, int DIM, int... C, class DAT>
CLEAVE_DEVICE void cleave_ordered_by(DAT global, const T *__restrict__ sums,
                                     const cleave_plan_list &list)
{
    constexpr int components = cleave_record_size<DIM, C...>();
    constexpr int part = cleave_ordered_part<T>(components);
    constexpr int parts = components / part;
    const size_t i = (size_t)cleave_block() * cleave_threads() + cleave_thread();
    if (i >= (size_t)list.summed * parts) {
        return;
    }
    const int n = (int)(i / parts);
    const int component = (int)(i % parts) * part;
    const int point = list.sum_point[n];
    const int end = list.sum_start[n + 1];
    cleave_record<T, part> total = cleave_ordered_load<part, DIM, C...>(global, point, component);
    for (int at = list.sum_start[n]; at < end; at += CLEAVE_ORDERED_AHEAD) {
        cleave_ordered_join<OP, components, part>(total, sums, list.sum_place, at, end, component);
    }
    cleave_ordered_store<part, DIM, C...>(global, point, component, total);
}

/* The names that generated code calls. */
#define CLEAVE_ORDERED(word, op)                                                                   \
    template <class T, int COMPONENTS, int WANTED, int PART, int STRIDE, class VALUE, class MINUS> \
    CLEAVE_DEVICE void cleave_ordered_put_##word(                                                  \
        T *sums, const cleave_plan_list &list, CLEAVE_SHARED(const T) tmp,                         \
        const cleave_gather &gather, VALUE value, MINUS minus)                                     \
    {                                                                                              \
        cleave_ordered_put_by<op, T, COMPONENTS, WANTED, PART, STRIDE>(sums, list, tmp, gather,    \
                                                                       value, minus);              \
    }                                                                                              \
    template <class T, int DIM, int... C, class DAT>                                               \
    CLEAVE_DEVICE void cleave_ordered_##word(DAT global, const T *sums,                            \
                                             const cleave_plan_list &list)                         \
    {                                                                                              \
        cleave_ordered_by<op, T, DIM, C...>(global, sums, list);                                   \
    }
CLEAVE_ORDERED(add, cleave_op_add)
CLEAVE_ORDERED(min, cleave_op_min)
CLEAVE_ORDERED(max, cleave_op_max)
#undef CLEAVE_ORDERED

#endif
