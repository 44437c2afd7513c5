/* record.cuh: reads and writes a record's components 16 bytes at a time.
 *
 * A thread that reads the components of its point one by one makes as many requests to the L1 cache
 * as there are components, and each request serves the whole warp in small parts. Loads of 16 bytes
 * halve the number of requests for double precision and quarter it for single precision. Memory of
 * the device begins at multiples of 256, so a record is as aligned as its size is: a record whose
 * size is a multiple of 8 but not of 16 moves 8 bytes at a time.
 *
 * Bodies that read little load whole records. In bodies that read much, whole records would hold so
 * many registers that they spill; there the compiler is only told of the alignment, and joins
 * neighbouring reads if both are needed.
 */
#ifndef CLEAVE_RECORD_CUH
#define CLEAVE_RECORD_CUH

#include "cleave_gen.h"
#include "cleave_device.cuh"

/* Returns the largest load, in bytes, that divides records of so many bytes. */
CLEAVE_HOST_DEVICE constexpr size_t cleave_part(size_t bytes, size_t component)
{
    return bytes % 16 == 0 ? 16 : bytes % 8 == 0 ? 8 : component;
}

template <class T, int N> struct alignas(cleave_part(N * sizeof(T), alignof(T))) cleave_record {
    T v[N];
    CLEAVE_MEMBER const T &operator[](int component) const
    {
        return v[component];
    }
};

/* The N components at `place`, in global or shared memory, aligned to the largest load of the
 * record. */
template <int N, class T> CLEAVE_DEVICE cleave_record<T, N> cleave_load(const T *place)
{
    return *(const cleave_record<T, N> *)place;
}

/* The CLEAVE_ZEROS_ bits of argument number a of a launch. */
static inline unsigned cleave_zeros_of(const struct cleave_launch *launch, int a)
{
    return launch->zeros != NULL ? launch->zeros[a] : 0;
}

/* Zeros instead, without looking at `place`, if the bit is set. */
template <unsigned BIT, int N, class T>
CLEAVE_DEVICE cleave_record<T, N> cleave_load_unless(unsigned bits, const T *place)
{
    cleave_record<T, N> record = {};
    if ((bits & BIT) == 0) {
        record = cleave_load<N>(place);
    }
    return record;
}

/* Loads N components at `place` in global memory that no thread of the launch changes. The load
 * happens before the next barrier, even if the record is used after it. */
template <int N, class T> CLEAVE_DEVICE cleave_record<T, N> cleave_load_ahead(const T *place)
{
    constexpr size_t bytes = N * sizeof(T);
    constexpr size_t part = cleave_part(bytes, sizeof(T));
    cleave_record<T, N> record;
    if constexpr (part >= 4) {
        for (size_t i = 0; i < bytes; i += part) {
            cleave_read<(int)part>((char *)record.v + i, (const char *)place + i);
        }
    } else {
        record = cleave_load<N>(place);
    }
    return record;
}

/* Loads the first N entries of an element's row of a map, as cleave_load_ahead does. */
template <int N>
CLEAVE_DEVICE cleave_record<int, N> cleave_row_of(const int *map, int width, int element)
{
    if (width == N) {
        return cleave_load_ahead<N>(map + (size_t)element * N);
    }
    cleave_record<int, N> row;
    for (int c = 0; c < N; c++) {
        row.v[c] = cleave_load_ahead<1>(map + (size_t)element * (size_t)width + (size_t)c)[0];
    }
    return row;
}

template <int N, class T>
CLEAVE_DEVICE void cleave_store(T *place, const cleave_record<T, N> &record)
{
    *(cleave_record<T, N> *)place = record;
}

/* Adds the sums to the N components at `place`, in pieces of up to 16 bytes. With
 * CLEAVE_ZEROS_KNOWN these are +0, whatever memory holds. */
template <int N, class T>
CLEAVE_DEVICE void cleave_add_sums(unsigned zeros, T *place, const cleave_record<T, N> &sums)
{
    constexpr int part = (int)(cleave_part(N * sizeof(T), sizeof(T)) / sizeof(T));
    for (int c = 0; c < N; c += part) {
        auto piece = cleave_load_unless<CLEAVE_ZEROS_KNOWN, part>(zeros, (const T *)place + c);
        for (int k = 0; k < part; k++) {
            piece.v[k] += sums[c + k];
        }
        cleave_store(place + c, piece);
    }
}

/* Returns `place`, and tells the compiler that it is a multiple of 16 bytes. */
template <class T> CLEAVE_DEVICE T *cleave_aligned(T *place)
{
    return (T *)__builtin_assume_aligned(place, 16);
}

#ifdef CLEAVE_EMULATOR
template <int N, class T>
CLEAVE_DEVICE cleave_record<T, N> cleave_load(CLEAVE_SHARED(const T) place)
{
    cleave_record<T, N> record;
    for (int c = 0; c < N; c++) {
        record.v[c] = place[c];
    }
    return record;
}

template <class T> CLEAVE_DEVICE CLEAVE_SHARED(T) cleave_aligned(CLEAVE_SHARED(T) place)
{
    return place;
}
#endif

#endif
