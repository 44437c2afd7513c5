/* ops.cuh: the operations that join two values: sum, minimum, maximum.
 *
 * Written with the primitives of cleave_device.cuh only. Reductions (reduce.cuh) and staging
 * (staging.cuh) are templates over these operations; generated code names them. A NaN leaves a
 * minimum or maximum as it is, as fmin and fmax do, and any other value replaces it when values are
 * joined.
 */
#ifndef CLEAVE_OPS_CUH
#define CLEAVE_OPS_CUH

#include <math.h>
#include "cleave_device.cuh"

/* Names of the operations; cleave_join applies one. */
struct cleave_op_add {
};
struct cleave_op_min {
};
struct cleave_op_max {
};

template <class T> CLEAVE_DEVICE T cleave_join(cleave_op_add, T a, T b)
{
    return T(a + b);
}

template <class T> CLEAVE_DEVICE bool cleave_is_number(T a)
{
    const T same = a;
    return a == same;
}

template <class T> CLEAVE_DEVICE T cleave_join(cleave_op_min, T a, T b)
{
    return b < a || !cleave_is_number(a) ? b : a;
}

template <class T> CLEAVE_DEVICE T cleave_join(cleave_op_max, T a, T b)
{
    return a < b || !cleave_is_number(a) ? b : a;
}

/* The largest and the smallest value of a type, infinities if it has them: the start values of
 * minima and maxima. Written out, because a device function may not call std::numeric_limits. */
template <class T> CLEAVE_DEVICE T cleave_highest()
{
    if constexpr (T(0.5) != T(0) && T(0.5) != T(1)) {
        return T(INFINITY);
    } else if constexpr (T(-1) < T(0)) {
        return T(((T(1) << (8 * sizeof(T) - 2)) - 1) * 2 + 1);
    } else {
        return T(-1);
    }
}

template <class T> CLEAVE_DEVICE T cleave_lowest()
{
    if constexpr (T(0.5) != T(0) && T(0.5) != T(1)) {
        return T(-INFINITY);
    } else if constexpr (T(-1) < T(0)) {
        return T(-cleave_highest<T>() - 1);
    } else {
        return T(0);
    }
}

/* Neutral element: joined with it, every value is itself. */
template <class T> CLEAVE_DEVICE T cleave_start(cleave_op_add)
{
    return T(0);
}

template <class T> CLEAVE_DEVICE T cleave_start(cleave_op_min)
{
    return cleave_highest<T>();
}

template <class T> CLEAVE_DEVICE T cleave_start(cleave_op_max)
{
    return cleave_lowest<T>();
}

/* Start value for joining partial results: joined with it, every value is itself, also NaN, so the
 * result is NaN if all partial results are. */
template <class T> CLEAVE_DEVICE T cleave_nothing(cleave_op_add)
{
    return T(0);
}

template <class T> CLEAVE_DEVICE T cleave_nothing(cleave_op_min)
{
    if constexpr (T(0.5) != T(0) && T(0.5) != T(1)) {
        return T(NAN);
    }
    return cleave_highest<T>();
}

template <class T> CLEAVE_DEVICE T cleave_nothing(cleave_op_max)
{
    if constexpr (T(0.5) != T(0) && T(0.5) != T(1)) {
        return T(NAN);
    }
    return cleave_lowest<T>();
}

/* place = min(place, value), max(place, value); writes only what changes. */
template <class T> CLEAVE_DEVICE void cleave_lower(T &place, typename cleave_same<T>::type value)
{
    if (value < place) {
        place = value;
    }
}

template <class T> CLEAVE_DEVICE void cleave_raise(T &place, typename cleave_same<T>::type value)
{
    if (place < value) {
        place = value;
    }
}

/* place op= value, of a value that this thread holds. A place that is NaN before stays NaN, unlike
 * in cleave_join, which joins partial results. */
template <class T> CLEAVE_DEVICE void cleave_update(cleave_op_add, T &place, T value)
{
    place += value;
}

template <class T> CLEAVE_DEVICE void cleave_update(cleave_op_min, T &place, T value)
{
    cleave_lower(place, value);
}

template <class T> CLEAVE_DEVICE void cleave_update(cleave_op_max, T &place, T value)
{
    cleave_raise(place, value);
}

/* place op= value in global memory. The first is for a block that alone modifies the place, the
 * second is atomic, for several blocks at a time. */
template <class OP, class T> CLEAVE_DEVICE void cleave_apply(OP op, T &place, T value)
{
    cleave_modify(&place);
    cleave_update(op, place, value);
}

/* Both forms for all points of a block at once. Points that got nothing still hold the start value
 * of the update, and are not written: another block of the same colour may modify them. */
template <class OP, class T> CLEAVE_DEVICE void cleave_apply_changes(OP op, T &place, T value)
{
    if (value != cleave_start<T>(op)) {
        cleave_apply(op, place, value);
    }
}

template <class T> CLEAVE_DEVICE void cleave_apply_atomic(cleave_op_add, T *place, T value)
{
    cleave_add(place, value);
}

template <class T> CLEAVE_DEVICE void cleave_apply_atomic(cleave_op_min, T *place, T value)
{
    cleave_min(place, value);
}

template <class T> CLEAVE_DEVICE void cleave_apply_atomic(cleave_op_max, T *place, T value)
{
    cleave_max(place, value);
}

#endif
