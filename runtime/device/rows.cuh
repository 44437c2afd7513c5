/* rows.cuh: the records of a warp's elements, moved by the whole warp.
 *
 * The elements of a warp are consecutive, so their records in an array of structures are one piece
 * of memory. If each lane moved its own record, one instruction would touch as many sectors as
 * there are lanes, and would write parts of them. Here consecutive lanes move consecutive
 * components, and the records change hands in shared memory.
 *
 * Written with the primitives of cleave_device.cuh only.
 */
#ifndef CLEAVE_ROWS_CUH
#define CLEAVE_ROWS_CUH

#include "cleave_device.cuh"
#include "record.cuh"

/* Records in shared memory are an odd number of components apart: lanes that use their own meet in
 * no bank. */
template <int N> CLEAVE_HOST_DEVICE constexpr int cleave_row_stride()
{
    return N | 1;
}

/* Shared memory that a warp needs for records of N components, in bytes. */
template <int N, class T> CLEAVE_HOST_DEVICE constexpr size_t cleave_rows_bytes()
{
    return CLEAVE_WARP * cleave_row_stride<N>() * sizeof(T);
}

/* Returns the number of the warp's lanes that are active, which are its first ones. */
CLEAVE_DEVICE int cleave_rows_of(bool active)
{
    return cleave_bits(cleave_ballot(active));
}

/* Returns the lane's record; lanes from `rows` on get zeros. All lanes of the warp call it. `first`
 * is the record of lane 0 in global memory, `area` the byte of shared memory at which the warp has
 * cleave_rows_bytes to itself. The lanes meet inside, so another call on the same area may follow.
 */
template <int N, class T> CLEAVE_DEVICE auto cleave_rows_load(size_t area, const T *first, int rows)
{
    constexpr int stride = cleave_row_stride<N>();
    CLEAVE_SHARED(T) s = cleave_shared<T>(area);
    cleave_record<T, N> record = {};
    for (int n = 0; n < N; n++) {
        const int i = n * CLEAVE_WARP + cleave_lane();
        if (i < rows * N) {
            s[i / N * stride + i % N] = first[i];
        }
    }
    cleave_warp_barrier();
    if (cleave_lane() < rows) {
        for (int c = 0; c < N; c++) {
            record.v[c] = s[cleave_lane() * stride + c];
        }
    }
    cleave_warp_barrier();
    return record;
}

/* Stores the records of the first `rows` lanes; otherwise as cleave_rows_load. */
template <int N, class T>
CLEAVE_DEVICE void cleave_rows_store(size_t area, T *first, int rows,
                                     const cleave_record<T, N> &record)
{
    constexpr int stride = cleave_row_stride<N>();
    CLEAVE_SHARED(T) s = cleave_shared<T>(area);
    if (cleave_lane() < rows) {
        for (int c = 0; c < N; c++) {
            s[cleave_lane() * stride + c] = record.v[c];
        }
    }
    cleave_warp_barrier();
    for (int n = 0; n < N; n++) {
        const int i = n * CLEAVE_WARP + cleave_lane();
        if (i < rows * N) {
            first[i] = s[i / N * stride + i % N];
        }
    }
    cleave_warp_barrier();
}

#endif
