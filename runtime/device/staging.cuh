/* staging.cuh: moving a block's points between global and shared memory.
 *
 * In: the block's list of unique points (cleave_points) and a dat with DIM components per point,
 * point by point in memory. Shared memory holds a record per listed point, in list order: of all
 * DIM components, or of those named by C..., in that order: s[p*K + k] is component C[k] of K. All
 * threads of the block call each function; none contains a barrier: the caller sets one before
 * another thread's part is used. Consecutive threads touch consecutive components, so that accesses
 * coalesce where the points' numbers do.
 *
 * Asynchronous forms have records STRIDE elements apart, s[p*STRIDE + k], because of the banks of
 * shared memory: 128 bytes from everywhere in it are served at once if no two of them are a
 * multiple of 128 bytes apart without being the same word. These are the words of 32 lanes that
 * load 4 bytes each, of 16 lanes that load 8, of 8 lanes that load 16. When such a group of lanes,
 * for elements whose points follow each other in the list, reads component k of its records, its
 * addresses are the stride apart: at an odd multiple of the load's bytes they fall on all different
 * banks, since the number of lanes is a power of 2; at an even multiple 2, 4 or more lanes share
 * one, and wait for each other. Points in any order meet by chance, but with an even stride within
 * fewer banks. cleave_stride is the next odd multiple. Bulk copies cannot pad: consecutive points
 * land as they are in memory, so that STRIDE is DIM, and records of an even number of 16-byte units
 * conflict; an order of the elements in which neighbours' points differ in place modulo 8 avoids
 * that.
 */
#ifndef CLEAVE_STAGING_CUH
#define CLEAVE_STAGING_CUH

#include "cleave_gen.h"
#include "cleave_device.cuh"
#include "ops.cuh"

/* A READ global with its components, passed to a kernel by value. */
template <class T, int N> struct cleave_value {
    T v[N];
};

/* The part of a plan of blocks that kernels get by value, under the plan's names: only the lists of
 * the loop, since parameters are copied at every launch. */
template <int LISTS> struct cleave_block_plan {
    const int *start;
    const int *order;
    const int *colour_block;
    const unsigned short *thread_colour;
    const unsigned short *thread_colours;
    int size;
    int block_size;
    cleave_plan_list list[LISTS];

    explicit cleave_block_plan(const cleave_plan &plan)
        : start(plan.start), order(plan.order), colour_block(plan.colour_block),
          thread_colour(plan.thread_colour), thread_colours(plan.thread_colours), size(plan.size),
          block_size(plan.block_size)
    {
        static_assert(LISTS >= 1 && LISTS <= CLEAVE_MAX_LISTS, "lists of a loop");
        for (int l = 0; l < LISTS; l++) {
            list[l] = plan.list[l];
        }
    }
};

/* The unique points that a block reaches through one map. */
struct cleave_points {
    const int *point;
    int points;
};

CLEAVE_DEVICE cleave_points cleave_points_of(const cleave_plan_list &list, int block)
{
    int first = list.start[block];
    return {list.point + first, list.start[block + 1] - first};
}

/* Returns the element at a position. PLAN: cleave_block_plan, or a whole cleave_plan. */
template <class PLAN> CLEAVE_DEVICE int cleave_element_of(const PLAN &plan, int position)
{
    return plan.order != NULL ? plan.order[position] : position;
}

/* Returns the place in its block's list of the point that an element names through a column; 0 for
 * a thread without an element. */
template <class PLAN>
CLEAVE_DEVICE int cleave_local_of(const PLAN &plan, int list, int column, int position, bool active)
{
    return active ? plan.list[list].local[column * (size_t)plan.size + position] : 0;
}

/* Returns number k of C...: by an offset if they are consecutive, else by a chain of selections. */
template <int... C> CLEAVE_DEVICE int cleave_component(int k)
{
    int first = 0;
    int component = 0;
    int at = 0;
    bool consecutive = true;
    ((first = at == 0 ? C : first, consecutive = consecutive && C == first + at,
      component = at == k ? C : component, at++),
     ...);
    return consecutive ? first + k : component;
}

/* Returns where entry i of the records lies in the dat. */
template <int DIM, int... C> CLEAVE_DEVICE size_t cleave_staged_from(const int *point, int i)
{
    if constexpr (sizeof...(C) == 0) {
        return (size_t)point[i / DIM] * DIM + i % DIM;
    } else {
        constexpr int size = sizeof...(C);
        return (size_t)point[i / size] * DIM + cleave_component<C...>(i % size);
    }
}

template <int DIM, int... C> CLEAVE_HOST_DEVICE constexpr int cleave_record_size()
{
    return sizeof...(C) == 0 ? DIM : (int)sizeof...(C);
}

/* Stages the records of the listed points at a byte of the block's shared memory. */
template <class T, int DIM, int... C>
CLEAVE_DEVICE CLEAVE_SHARED(const T)
    cleave_stage_in(size_t byte, const T *global, cleave_points list)
{
    constexpr int size = cleave_record_size<DIM, C...>();
    CLEAVE_SHARED(T) s = cleave_shared<T>(byte);
    for (int i = cleave_thread(); i < list.points * size; i += cleave_threads()) {
        s[i] = global[cleave_staged_from<DIM, C...>(list.point, i)];
    }
    return s;
}

/* ---- asynchronously -------------------------------------------------------------------------- */

/* Returns the elements from one record of K to the next, for records that are read by BYTES at a
 * time: an odd number of such units. Without BYTES: 16 for records of whole 16-byte units, else one
 * element. */
template <class T, int K, int BYTES = (K * sizeof(T) % 16 == 0 ? 16 : (int)sizeof(T))>
CLEAVE_HOST_DEVICE constexpr int cleave_stride()
{
    static_assert(BYTES % sizeof(T) == 0, "a unit is one or more elements");
    constexpr int unit = BYTES / (int)sizeof(T);
    return ((K + unit - 1) / unit | 1) * unit;
}

/* Returns the elements per copy of a record of `size` elements: 16, 8 or 4 bytes, since copies are
 * aligned by their size; one element if components are chosen; 0 if not even 4 bytes fit. */
template <class T, int STRIDE>
CLEAVE_HOST_DEVICE constexpr int cleave_copy_elements(int size, bool chosen)
{
    for (int bytes = 16; bytes >= 4; bytes /= 2) {
        bool whole = size * sizeof(T) % bytes == 0 && STRIDE * sizeof(T) % bytes == 0;
        if (bytes % sizeof(T) == 0 && (chosen ? bytes == (int)sizeof(T) : whole)) {
            return bytes / (int)sizeof(T);
        }
    }
    return 0;
}

/* cleave_stage_in with cleave_copy_async, records STRIDE elements apart: before they are used,
 * every thread calls cleave_copy_wait() and then cleave_barrier(). byte and the dat's address are
 * multiples of 16. Elements of fewer than 4 bytes that cannot be copied asynchronously are copied
 * at once. */
template <class T, int DIM, int STRIDE, int... C>
CLEAVE_DEVICE CLEAVE_SHARED(const T)
    cleave_stage_in_async(size_t byte, const T *global, cleave_points list)
{
    constexpr int size = cleave_record_size<DIM, C...>();
    constexpr int step = cleave_copy_elements<T, STRIDE>(size, sizeof...(C) > 0);
    constexpr int bytes = step * (int)sizeof(T);
    constexpr int steps = step > 0 ? size / step : size;
    static_assert(STRIDE >= size, "records do not overlap");
    CLEAVE_SHARED(T) s = cleave_shared<T>(byte);
    for (int i = cleave_thread(); i < list.points * steps; i += cleave_threads()) {
        int p = i / steps;
        if constexpr (step > 0) {
            int k = i % steps * step;
            size_t from = (size_t)list.point[p] * DIM + cleave_component<C...>(k);
            cleave_copy_async<bytes>(s, p * STRIDE + k, global + from);
        } else {
            s[p * STRIDE + i % steps] = global[cleave_staged_from<DIM, C...>(list.point, i)];
        }
    }
    return s;
}

/* The runs of consecutive points in a block's list, for plans that have them. */
struct cleave_runs {
    const int *point;            /* [runs] first point of each */
    const unsigned short *place; /* [runs] where it stands in the list */
    int runs;
    int points;    /* of all */
    int own_point; /* of the first run that the calling thread copies, if there is one */
    int own_place;
    int own_end; /* where the next one stands, or the number of points */
};

/* The number of the thread's first run. Consecutive runs go to different warps, so that all warps
 * start bulk copies. */
CLEAVE_DEVICE int cleave_run_own()
{
    const int warps = cleave_threads() / CLEAVE_WARP;
    return cleave_threads() % CLEAVE_WARP == 0
               ? cleave_thread() % CLEAVE_WARP * warps + cleave_thread() / CLEAVE_WARP
               : cleave_thread();
}

/* Returns where run number r ends. */
CLEAVE_DEVICE int cleave_run_end(const cleave_runs &runs, int r)
{
    return r + 1 < runs.runs ? runs.place[r + 1] : runs.points;
}

/* Loads the first run that the calling thread copies, most often its only one. Call it some time
 * before the copy, which then does not wait for it. */
CLEAVE_DEVICE cleave_runs cleave_runs_of(const cleave_plan_list &list, int block)
{
    int first = list.run_start[block];
    cleave_runs runs = {list.run_point + first,
                        list.run_place + first,
                        list.run_start[block + 1] - first,
                        list.start[block + 1] - list.start[block],
                        0,
                        0,
                        0};
    int own = cleave_run_own();
    if (own < runs.runs) {
        runs.own_point = runs.point[own];
        runs.own_place = runs.place[own];
        runs.own_end = cleave_run_end(runs, own);
    }
    return runs;
}

/* Returns the bytes that cleave_stage_in_bulk copies: one thread passes the sum of all copies of a
 * phase to cleave_arrival_expect. */
template <class T, int DIM> CLEAVE_DEVICE int cleave_stage_bulk_bytes(cleave_runs runs)
{
    return runs.points * DIM * (int)sizeof(T);
}

/* cleave_stage_in with cleave_copy_bulk, one run per thread and copy, for whole records of a
 * multiple of 16 bytes. byte and the dat's address are multiples of 16. Threads that use the
 * records call cleave_arrival_wait for the arrival at byte `arrival`, or meet a thread that did at
 * a barrier. */
template <class T, int DIM, int STRIDE = DIM>
CLEAVE_DEVICE CLEAVE_SHARED(const T)
    cleave_stage_in_bulk(size_t byte, const T *global, cleave_runs runs, size_t arrival)
{
    static_assert(DIM * sizeof(T) % 16 == 0, "bulk copies have a multiple of 16 bytes");
    static_assert(STRIDE == DIM, "a run lands as it is in memory");
    CLEAVE_SHARED(T) s = cleave_shared<T>(byte);
    int point = runs.own_point;
    int place = runs.own_place;
    int end = runs.own_end;
    int r = cleave_run_own();
    while (r < runs.runs) {
        cleave_copy_bulk(s, place * DIM, global + (size_t)point * DIM, (end - place) * DIM,
                         arrival);
        r += cleave_threads();
        if (r < runs.runs) {
            point = runs.point[r];
            place = runs.place[r];
            end = cleave_run_end(runs, r);
        }
    }
    return s;
}

/* ---- updates --------------------------------------------------------------------------------- */

/* Fills records of K components with the start value of updates by OP. */
template <class OP, class T, int K>
CLEAVE_DEVICE CLEAVE_SHARED(T) cleave_stage_start(size_t byte, cleave_points list)
{
    CLEAVE_SHARED(T) s = cleave_shared<T>(byte);
    for (int i = cleave_thread(); i < list.points * K; i += cleave_threads()) {
        s[i] = cleave_start<T>(OP());
    }
    return s;
}

template <class T, int K>
CLEAVE_DEVICE CLEAVE_SHARED(T) cleave_stage_zero(size_t byte, cleave_points list)
{
    return cleave_stage_start<cleave_op_add, T, K>(byte, list);
}

template <class T, int K>
CLEAVE_DEVICE CLEAVE_SHARED(T) cleave_stage_highest(size_t byte, cleave_points list)
{
    return cleave_stage_start<cleave_op_min, T, K>(byte, list);
}

template <class T, int K>
CLEAVE_DEVICE CLEAVE_SHARED(T) cleave_stage_lowest(size_t byte, cleave_points list)
{
    return cleave_stage_start<cleave_op_max, T, K>(byte, list);
}

/* global op= s, for points that no other block modifies at the same time. */
template <class OP, class T, int DIM, int... C>
CLEAVE_DEVICE void cleave_stage_out_by(T *global, CLEAVE_SHARED(T) s, cleave_points list)
{
    constexpr int size = cleave_record_size<DIM, C...>();
    for (int i = cleave_thread(); i < list.points * size; i += cleave_threads()) {
        cleave_apply_changes(OP(), global[cleave_staged_from<DIM, C...>(list.point, i)], T(s[i]));
    }
}

/* global op= s, atomically, for points that other blocks modify at the same time. */
template <class OP, class T, int DIM, int... C>
CLEAVE_DEVICE void cleave_stage_out_atomic_by(T *global, CLEAVE_SHARED(T) s, cleave_points list)
{
    constexpr int size = cleave_record_size<DIM, C...>();
    for (int i = cleave_thread(); i < list.points * size; i += cleave_threads()) {
        cleave_apply_atomic(OP(), &global[cleave_staged_from<DIM, C...>(list.point, i)], T(s[i]));
    }
}

/* The names that generated code calls: cleave_stage_out_OP and cleave_stage_out_atomic_OP. */
#define CLEAVE_STAGE_OUT(name, by, op)                                                             \
    template <class T, int DIM, int... C>                                                          \
    CLEAVE_DEVICE void name(T *global, CLEAVE_SHARED(T) s, cleave_points list)                     \
    {                                                                                              \
        by<op, T, DIM, C...>(global, s, list);                                                     \
    }
CLEAVE_STAGE_OUT(cleave_stage_out_add, cleave_stage_out_by, cleave_op_add)
CLEAVE_STAGE_OUT(cleave_stage_out_min, cleave_stage_out_by, cleave_op_min)
CLEAVE_STAGE_OUT(cleave_stage_out_max, cleave_stage_out_by, cleave_op_max)
CLEAVE_STAGE_OUT(cleave_stage_out_atomic_add, cleave_stage_out_atomic_by, cleave_op_add)
CLEAVE_STAGE_OUT(cleave_stage_out_atomic_min, cleave_stage_out_atomic_by, cleave_op_min)
CLEAVE_STAGE_OUT(cleave_stage_out_atomic_max, cleave_stage_out_atomic_by, cleave_op_max)
#undef CLEAVE_STAGE_OUT

#endif
