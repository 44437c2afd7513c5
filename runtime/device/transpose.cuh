/* transpose.cuh: a warp updates points of a dat without a plan, by coalesced atomic operations.
 *
 * Each lane has a record of values for one point. If every lane updated its own record, one
 * instruction would touch as many places in memory as there are lanes. The records are transposed
 * in shared memory, so that consecutive lanes update consecutive components of a record and touch
 * few, whole sectors. A record of one value needs no transposition: its lane updates it.
 * Neighbouring lanes often update the same point: with MERGE, they are joined first, which pays for
 * 8-byte elements in loops that update few points per element.
 *
 * Written with the primitives of cleave_device.cuh only.
 */
#ifndef CLEAVE_TRANSPOSE_CUH
#define CLEAVE_TRANSPOSE_CUH

#include <type_traits>
#include "cleave_device.cuh"
#include "ops.cuh"
#include "staging.cuh"

/* Whether one operation from registers takes a lane's whole record. */
template <class OP, class T, int DIM, bool MERGE, int... C>
CLEAVE_HOST_DEVICE constexpr bool cleave_is_wide()
{
    return std::is_same<OP, cleave_op_add>::value && std::is_same<T, float>::value &&
           (DIM == 2 || DIM == 4) && !MERGE && sizeof...(C) == 0;
}

/* Whether each lane has one value, and no others to join with it: nothing is transposed. */
template <int DIM, bool MERGE, int... C> CLEAVE_HOST_DEVICE constexpr bool cleave_is_single()
{
    return cleave_record_size<DIM, C...>() == 1 && !MERGE;
}

CLEAVE_DEVICE void cleave_add_wide(float *p, const float (&value)[2])
{
    cleave_add2(p, value[0], value[1]);
}

CLEAVE_DEVICE void cleave_add_wide(float *p, const float (&value)[4])
{
    cleave_add4(p, value[0], value[1], value[2], value[3]);
}

/* Records in shared memory are an odd number of elements apart: lanes that write, each to its own,
 * use different banks. */
template <int DIM, int... C> CLEAVE_HOST_DEVICE constexpr int cleave_transpose_stride()
{
    return cleave_record_size<DIM, C...>() | 1;
}

/* Shared memory that cleave_transpose_out needs for each warp of a block, in bytes, a multiple of
 * 16; 0: none. */
template <class OP, class T, int DIM, bool MERGE, int... C>
CLEAVE_HOST_DEVICE constexpr size_t cleave_transpose_bytes()
{
    if (cleave_is_wide<OP, T, DIM, MERGE, C...>() || cleave_is_single<DIM, MERGE, C...>()) {
        return 0;
    }
    return CLEAVE_WARP * (cleave_transpose_stride<DIM, C...>() * sizeof(T) + (MERGE ? 1 : 0));
}

/* Adds entry i of all lanes' records: component i % size of lane i / size. */
template <class OP, class T, int DIM, int... C>
CLEAVE_DEVICE void cleave_transpose_each(T *global, int point, CLEAVE_SHARED(const T) s)
{
    constexpr int size = cleave_record_size<DIM, C...>();
    constexpr int stride = cleave_transpose_stride<DIM, C...>();
    for (int n = 0; n < size; n++) {
        int i = n * CLEAVE_WARP + cleave_lane();
        int lane = i / size;
        int k = i % size;
        int to = cleave_shuffle(point, lane);
        if (to >= 0) {
            cleave_apply_atomic(OP(), &global[(size_t)to * DIM + cleave_component<C...>(k)],
                                T(s[lane * stride + k]));
        }
    }
}

/* Adds entry i of the records of runs of lanes with equal points, joined before. `starts` has a bit
 * for each lane that begins a run, and first[h] is the first lane of run h; lanes without a point
 * are not counted. */
template <class OP, class T, int DIM, int... C>
CLEAVE_DEVICE void cleave_transpose_runs(T *global, int point, CLEAVE_SHARED(const T) s,
                                         unsigned starts, CLEAVE_SHARED(const unsigned char) first,
                                         int runs)
{
    constexpr int size = cleave_record_size<DIM, C...>();
    constexpr int stride = cleave_transpose_stride<DIM, C...>();
    for (int done = 0; done < runs * size; done += CLEAVE_WARP) {
        int i = done + cleave_lane();
        bool active = i < runs * size;
        int lane = active ? first[i / size] : 0;
        int k = i % size;
        int to = cleave_shuffle(point, lane);
        if (active) {
            T sum = s[lane * stride + k];
            for (int l = lane + 1; l < CLEAVE_WARP && (starts >> l & 1) == 0; l++) {
                sum = cleave_join(OP(), sum, T(s[l * stride + k]));
            }
            cleave_apply_atomic(OP(), &global[(size_t)to * DIM + cleave_component<C...>(k)], sum);
        }
    }
}

/* global op= value, for the point of each lane of the warp, -1 if it has none: all DIM components,
 * or those named by C... in that order. All lanes of the warp call it.
 * `area`, a multiple of 16, is the byte at which the warp has cleave_transpose_bytes to itself. The
 * lanes meet inside, so another call on the same area may follow. With MERGE, values of
 * neighbouring lanes with equal points are joined in the order of lanes first. The dat's address is
 * a multiple of 16. */
template <class OP, class T, int DIM, bool MERGE, int... C>
CLEAVE_DEVICE void cleave_transpose_out(size_t area, T *global, int point,
                                        const T (&value)[cleave_record_size<DIM, C...>()])
{
    if constexpr (cleave_is_wide<OP, T, DIM, MERGE, C...>()) {
        if (point >= 0) {
            cleave_add_wide(global + (size_t)point * DIM, value);
        }
    } else if constexpr (cleave_is_single<DIM, MERGE, C...>()) {
        if (point >= 0) {
            cleave_apply_atomic(OP(), &global[(size_t)point * DIM + cleave_component<C...>(0)],
                                value[0]);
        }
    } else {
        constexpr int stride = cleave_transpose_stride<DIM, C...>();
        CLEAVE_SHARED(T) s = cleave_shared<T>(area);
        for (int k = 0; k < cleave_record_size<DIM, C...>(); k++) {
            s[cleave_lane() * stride + k] = value[k];
        }
        if constexpr (MERGE) {
            CLEAVE_SHARED(unsigned char)
            first = cleave_shared<unsigned char>(area + CLEAVE_WARP * stride * sizeof(T));
            bool start = cleave_shuffle_up(point, 1) != point || cleave_lane() == 0;
            unsigned starts = cleave_ballot(start);
            unsigned runs = cleave_ballot(start && point >= 0);
            if (start && point >= 0) {
                first[cleave_bits(runs & ((1u << cleave_lane()) - 1))] =
                    (unsigned char)cleave_lane();
            }
            cleave_warp_barrier();
            cleave_transpose_runs<OP, T, DIM, C...>(global, point, s, starts, first,
                                                    cleave_bits(runs));
        } else {
            cleave_warp_barrier();
            cleave_transpose_each<OP, T, DIM, C...>(global, point, s);
        }
        cleave_warp_barrier();
    }
}

#endif
