/* record.cuh: a point's components, read at once.
 *
 * A thread that reads the components of its point one by one makes as many requests to the first
 * cache as there are components, and each serves the whole warp in small parts; 16 bytes at a time
 * halve the requests for double precision and quarter them for single precision. For records that are
 * a multiple of 16 bytes: memory of the device begins at a multiple of 256.
 */
#ifndef CLEAVE_RECORD_CUH
#define CLEAVE_RECORD_CUH

#include "cleave_device.cuh"

template <class T, int N> struct alignas(16) cleave_record {
    static_assert(N * sizeof(T) % 16 == 0, "a record of whole 16-byte parts");
    T v[N];
    CLEAVE_MEMBER const T &operator[](int component) const
    {
        return v[component];
    }
};

/* The N components at `place`, in memory or shared memory, which is a multiple of 16 bytes. */
template <int N, class T> CLEAVE_DEVICE cleave_record<T, N> cleave_load(const T *place)
{
    return *(const cleave_record<T, N> *)place;
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
#endif

#endif
