/* soa.cuh: dats that lie in memory as structures of arrays.
 *
 * Component c of point p is at c*stride + p: consecutive threads with consecutive points touch
 * consecutive memory, whatever the size of a record. Each function of staging.cuh, gather.cuh,
 * transpose.cuh and owner.cuh that reads or writes a dat has an overload here that takes a
 * cleave_soa instead. Threads take the points of one component after the other, where those of an
 * array of structures take the components of one point.
 */
#ifndef CLEAVE_SOA_CUH
#define CLEAVE_SOA_CUH

#include "cleave_gen.h"
#include "cleave_device.cuh"
#include "gather.cuh"
#include "ops.cuh"
#include "owner.cuh"
#include "record.cuh"
#include "staging.cuh"
#include "transpose.cuh"

/* A dat as a structure of arrays, const T if it is only read. `first` is component 0 of point 0;
 * stride: elements from one component to the next. */
template <class T> struct cleave_soa {
    T *first;
    int stride;
};

/* One record, which the user's kernel subscripts like a pointer: q[2] is component 2. */
template <class T> struct cleave_soa_record {
    T *first;
    int stride;
    CLEAVE_MEMBER T &operator[](long component) const
    {
        return first[(size_t)component * (size_t)stride];
    }
    CLEAVE_MEMBER T &operator*() const
    {
        return *first;
    }
};

template <class T> CLEAVE_DEVICE cleave_soa<T> cleave_soa_of(T *first, int stride)
{
    return {first, stride};
}

template <class T> CLEAVE_DEVICE cleave_soa_record<T> cleave_soa_at(T *first, int stride, int point)
{
    return {first + point, stride};
}

template <class T>
CLEAVE_DEVICE T &cleave_soa_component(cleave_soa<T> dat, int point, int component)
{
    return dat.first[(size_t)component * (size_t)dat.stride + (size_t)point];
}

/* ---- records: as in record.cuh --------------------------------------------------------------- */

template <int N, class T> CLEAVE_DEVICE auto cleave_load(cleave_soa_record<T> place)
{
    cleave_record<typename std::remove_const<T>::type, N> record;
    for (int c = 0; c < N; c++) {
        record.v[c] = place[c];
    }
    return record;
}

/* The compiler may delay loads of a structure of arrays until their values are used. */
template <int N, class T> CLEAVE_DEVICE auto cleave_load_ahead(cleave_soa_record<T> place)
{
    return cleave_load<N>(place);
}

template <int N, class T>
CLEAVE_DEVICE void cleave_store(cleave_soa_record<T> place, const cleave_record<T, N> &record)
{
    for (int c = 0; c < N; c++) {
        place[c] = record.v[c];
    }
}

/* ---- staging: as in staging.cuh -------------------------------------------------------------- */

/* Calls move(p, k) for component number k of the record of each of the listed points, number p. */
template <int SIZE, class MOVE> CLEAVE_DEVICE void cleave_soa_each(int points, MOVE move)
{
    for (int k = 0; k < SIZE; k++) {
        for (int p = cleave_thread(); p < points; p += cleave_threads()) {
            move(p, k);
        }
    }
}

template <class T, int DIM, int... C, class U>
CLEAVE_DEVICE CLEAVE_SHARED(const T)
    cleave_stage_in(size_t byte, cleave_soa<U> global, cleave_points list)
{
    constexpr int size = cleave_record_size<DIM, C...>();
    CLEAVE_SHARED(T) s = cleave_shared<T>(byte);
    cleave_soa_each<size>(list.points, [&](int p, int k) {
        s[p * size + k] = cleave_soa_component(global, list.point[p], cleave_component<C...>(k));
    });
    return s;
}

/* s[i] = global component, by an asynchronous copy where its size has one. */
template <class T, class U>
CLEAVE_DEVICE void cleave_soa_copy(CLEAVE_SHARED(T) s, int i, cleave_soa<U> global, int point,
                                   int component)
{
    const T *from = &cleave_soa_component(global, point, component);
    if constexpr (sizeof(T) == 4 || sizeof(T) == 8) {
        cleave_copy_async<(int)sizeof(T)>(s, i, from);
    } else {
        s[i] = *from;
    }
}

template <class T, int DIM, int STRIDE, int... C, class U>
CLEAVE_DEVICE CLEAVE_SHARED(const T)
    cleave_stage_in_async(size_t byte, cleave_soa<U> global, cleave_points list)
{
    CLEAVE_SHARED(T) s = cleave_shared<T>(byte);
    cleave_soa_each<cleave_record_size<DIM, C...>()>(list.points, [&](int p, int k) {
        cleave_soa_copy<T>(s, p * STRIDE + k, global, list.point[p], cleave_component<C...>(k));
    });
    return s;
}

template <class T, int DIM, int STRIDE, int... C, class U>
CLEAVE_DEVICE CLEAVE_SHARED(const T)
    cleave_stage_around(size_t byte, cleave_soa<U> global, const cleave_owner &owner)
{
    const cleave_points list = {owner.point, owner.points};
    return cleave_stage_in_async<T, DIM, STRIDE, C...>(byte, global, list);
}

/* ---- updates: as in staging.cuh, gather.cuh, owner.cuh --------------------------------------- */

template <class OP, class T, int DIM, int... C>
CLEAVE_DEVICE void cleave_soa_out_by(cleave_soa<T> global, CLEAVE_SHARED(T) s, cleave_points list)
{
    constexpr int size = cleave_record_size<DIM, C...>();
    cleave_soa_each<size>(list.points, [&](int p, int k) {
        T &to = cleave_soa_component(global, list.point[p], cleave_component<C...>(k));
        cleave_apply_changes(OP(), to, T(s[p * size + k]));
    });
}

template <class OP, class T, int DIM, int... C>
CLEAVE_DEVICE void cleave_soa_out_atomic_by(cleave_soa<T> global, CLEAVE_SHARED(T) s,
                                            cleave_points list)
{
    constexpr int size = cleave_record_size<DIM, C...>();
    cleave_soa_each<size>(list.points, [&](int p, int k) {
        T &to = cleave_soa_component(global, list.point[p], cleave_component<C...>(k));
        cleave_apply_atomic(OP(), &to, T(s[p * size + k]));
    });
}

template <class OP, class T, int DIM, int WANTED, int PART, int STRIDE, int... C, class VALUE,
          class MINUS>
CLEAVE_DEVICE void cleave_soa_gather_by(cleave_soa<T> global, CLEAVE_SHARED(const T) tmp,
                                        const cleave_gather &gather, VALUE value, MINUS minus)
{
    constexpr int components = cleave_record_size<DIM, C...>();
    constexpr int each = cleave_components_per_thread(components, WANTED, PART);
    constexpr int part = each % PART == 0 ? PART : 1;
    cleave_soa_each<(components + each - 1) / each>(gather.points, [&](int p, int n) {
        const int component = n * each;
        T sum[each];
        const bool any = cleave_gather_sum<OP, T, components, each, part, STRIDE>(
            sum, tmp, gather, p, component, value, minus);
        for (int c = 0; c < each && component + c < components && any; c++) {
            const int to = cleave_component<C...>(component + c);
            cleave_apply_atomic(OP(), &cleave_soa_component(global, gather.point[p], to), sum[c]);
        }
    });
}

template <class OP, class T, int DIM, int STRIDE, int... C>
CLEAVE_DEVICE void cleave_soa_own_out(size_t byte, cleave_soa<T> global, const cleave_owner &owner)
{
    CLEAVE_SHARED(const T) s = cleave_shared<const T>(byte);
    cleave_soa_each<cleave_record_size<DIM, C...>()>(owner.owned, [&](int p, int k) {
        T &to = cleave_soa_component(global, owner.first + p, cleave_component<C...>(k));
        cleave_apply(OP(), to, T(s[p * STRIDE + k]));
    });
}

/* The names that generated code calls, for each operation. */
#define CLEAVE_SOA_UPDATES(word, op)                                                               \
    template <class T, int DIM, int... C>                                                          \
    CLEAVE_DEVICE void cleave_stage_out_##word(cleave_soa<T> global, CLEAVE_SHARED(T) s,           \
                                               cleave_points list)                                 \
    {                                                                                              \
        cleave_soa_out_by<op, T, DIM, C...>(global, s, list);                                      \
    }                                                                                              \
    template <class T, int DIM, int... C>                                                          \
    CLEAVE_DEVICE void cleave_stage_out_atomic_##word(cleave_soa<T> global, CLEAVE_SHARED(T) s,    \
                                                      cleave_points list)                          \
    {                                                                                              \
        cleave_soa_out_atomic_by<op, T, DIM, C...>(global, s, list);                               \
    }                                                                                              \
    template <class T, int DIM, int WANTED, int PART, int STRIDE, int... C, class VALUE,           \
              class MINUS>                                                                         \
    CLEAVE_DEVICE void cleave_gather_##word(cleave_soa<T> global, CLEAVE_SHARED(const T) tmp,      \
                                            const cleave_gather &gather, VALUE value, MINUS minus) \
    {                                                                                              \
        cleave_soa_gather_by<op, T, DIM, WANTED, PART, STRIDE, C...>(global, tmp, gather, value,   \
                                                                     minus);                       \
    }                                                                                              \
    template <class T, int DIM, int STRIDE, int... C>                                              \
    CLEAVE_DEVICE void cleave_own_out_##word(size_t byte, cleave_soa<T> global,                    \
                                             const cleave_owner &owner)                            \
    {                                                                                              \
        cleave_soa_own_out<op, T, DIM, STRIDE, C...>(byte, global, owner);                         \
    }
CLEAVE_SOA_UPDATES(add, cleave_op_add)
CLEAVE_SOA_UPDATES(min, cleave_op_min)
CLEAVE_SOA_UPDATES(max, cleave_op_max)
#undef CLEAVE_SOA_UPDATES

/* ---- warps: as in transpose.cuh -------------------------------------------------------------- */

/* Needs no transposition: lanes with consecutive points are side by side in memory. With MERGE the
 * first lane of each run of equal points adds the values of all of them. */
template <class OP, class T, int DIM, bool MERGE, int... C>
CLEAVE_DEVICE void cleave_transpose_out(size_t area, cleave_soa<T> global, int point,
                                        const T (&value)[cleave_record_size<DIM, C...>()])
{
    constexpr int size = cleave_record_size<DIM, C...>();
    if constexpr (MERGE) {
        constexpr int stride = cleave_transpose_stride<DIM, C...>();
        CLEAVE_SHARED(T) s = cleave_shared<T>(area);
        for (int k = 0; k < size; k++) {
            s[cleave_lane() * stride + k] = value[k];
        }
        const bool start = cleave_shuffle_up(point, 1) != point || cleave_lane() == 0;
        const unsigned starts = cleave_ballot(start);
        cleave_warp_barrier();
        for (int k = 0; k < size && start && point >= 0; k++) {
            T sum = value[k];
            for (int l = cleave_lane() + 1; l < CLEAVE_WARP && (starts >> l & 1) == 0; l++) {
                sum = cleave_join(OP(), sum, T(s[l * stride + k]));
            }
            T &to = cleave_soa_component(global, point, cleave_component<C...>(k));
            cleave_apply_atomic(OP(), &to, sum);
        }
        cleave_warp_barrier();
    } else {
        (void)area;
        for (int k = 0; k < size && point >= 0; k++) {
            T &to = cleave_soa_component(global, point, cleave_component<C...>(k));
            cleave_apply_atomic(OP(), &to, value[k]);
        }
    }
}

/* ---- elements' own records: as in owner.cuh -------------------------------------------------- */

template <class T, int DIM> struct cleave_soa_ahead {
    cleave_value<T, DIM> record;
};

template <class T, int DIM, class U>
CLEAVE_DEVICE cleave_soa_ahead<T, DIM> cleave_fetch(cleave_soa<U> dat, int element)
{
    cleave_soa_ahead<T, DIM> ahead = {};
    for (int d = 0; d < DIM && element >= 0; d++) {
        ahead.record.v[d] = cleave_soa_component(dat, element, d);
    }
    return ahead;
}

template <class T, int DIM>
CLEAVE_DEVICE cleave_value<T, DIM> cleave_fetched(const cleave_soa_ahead<T, DIM> &ahead, int)
{
    return ahead.record;
}

#endif
