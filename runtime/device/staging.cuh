/* staging.cuh: moving a block's points between global and shared memory.
 *
 * In: the block's list of unique points (cleave_points) and a dat with DIM components per point,
 * point by point in memory. Shared memory holds a record per listed point, in list order: of all
 * DIM components, or of those named by C..., in that order: s[p*K + k] is component C[k] of K. All
 * threads of the block call each function; none contains a barrier: the caller sets one before
 * another thread's part is used. Consecutive threads touch consecutive components, so that accesses
 * coalesce where the points' numbers do.
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

/* The element at a position. */
CLEAVE_DEVICE int cleave_element_of(const cleave_plan &plan, int position)
{
    return plan.order != NULL ? plan.order[position] : position;
}

/* Where the point that column number `column` of the element at a position names stands in its
 * block's list; 0 for a thread without an element. */
CLEAVE_DEVICE int cleave_local_of(const cleave_plan &plan, int list, int column, int position,
                                  bool active)
{
    return active ? plan.list[list].local[column * (size_t)plan.size + position] : 0;
}

/* Number k of C...: an offset where they are consecutive, else a chain of selections. */
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

/* Where entry i of the records lies in the dat. */
template <int DIM, int... C> CLEAVE_DEVICE size_t cleave_staged_from(const int *point, int i)
{
    if constexpr (sizeof...(C) == 0) {
        return (size_t)point[i / DIM] * DIM + i % DIM;
    } else {
        constexpr int size = sizeof...(C);
        return (size_t)point[i / size] * DIM + cleave_component<C...>(i % size);
    }
}

template <int DIM, int... C> CLEAVE_DEVICE constexpr int cleave_record_size()
{
    return sizeof...(C) == 0 ? DIM : (int)sizeof...(C);
}

/* The records of the listed points, at a byte of the block's shared memory. */
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

/* What updates by OP start from, in records of K components, likewise. */
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
        cleave_apply(OP(), global[cleave_staged_from<DIM, C...>(list.point, i)], T(s[i]));
    }
}

/* The same, other blocks modifying the same points. */
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
