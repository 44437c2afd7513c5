/* staging.cuh: moving a block's points between global and shared memory.
 *
 * In: the block's list of unique points (cleave_plan_list) and a dat with DIM components per point,
 * point by point in memory. Shared memory holds the listed points in list order, s[p*DIM + d]. All
 * threads of the block call each function; none contains a barrier: the caller sets one before
 * another thread's part is used. Consecutive threads touch consecutive components, so that accesses
 * coalesce where the points' numbers do.
 */
#ifndef CLEAVE_STAGING_CUH
#define CLEAVE_STAGING_CUH

#include "cleave_device.cuh"

/* A READ global with its components, passed to a kernel by value. */
template <class T, int N> struct cleave_value {
    T v[N];
};

/* s[p*DIM + d] = global[point[p]*DIM + d] for all listed points. */
template <class T, int DIM>
CLEAVE_DEVICE void cleave_stage_in(CLEAVE_SHARED(T) s, const T *global, const int *point,
                                   int points)
{
    for (int i = cleave_thread(); i < points * DIM; i += cleave_threads()) {
        s[i] = global[(size_t)point[i / DIM] * DIM + i % DIM];
    }
}

template <class T> CLEAVE_DEVICE void cleave_stage_zero(CLEAVE_SHARED(T) s, int count)
{
    for (int i = cleave_thread(); i < count; i += cleave_threads()) {
        s[i] = T(0);
    }
}

/* global += s, for points that no other block modifies at the same time. */
template <class T, int DIM>
CLEAVE_DEVICE void cleave_stage_out_add(T *global, CLEAVE_SHARED(T) s, const int *point, int points)
{
    for (int i = cleave_thread(); i < points * DIM; i += cleave_threads()) {
        global[(size_t)point[i / DIM] * DIM + i % DIM] += s[i];
    }
}

/* global += s, other blocks adding to the same points. */
template <class T, int DIM>
CLEAVE_DEVICE void cleave_stage_out_atomic(T *global, CLEAVE_SHARED(T) s, const int *point,
                                           int points)
{
    for (int i = cleave_thread(); i < points * DIM; i += cleave_threads()) {
        cleave_add(&global[(size_t)point[i / DIM] * DIM + i % DIM], T(s[i]));
    }
}

/* global = s, for data staged to be read and written, on points of this block alone. */
template <class T, int DIM>
CLEAVE_DEVICE void cleave_stage_out(T *global, CLEAVE_SHARED(T) s, const int *point, int points)
{
    for (int i = cleave_thread(); i < points * DIM; i += cleave_threads()) {
        global[(size_t)point[i / DIM] * DIM + i % DIM] = s[i];
    }
}

#endif
