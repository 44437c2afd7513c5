/* record.cuh: a point's components, read 16 bytes at a time.
 *
 * A thread that reads the components of its point one by one makes as many requests to the first
 * cache as there are components, and each serves the whole warp in small parts; 16 bytes at a time
 * halve the requests for double precision and quarter them for single precision. The compiler joins
 * neighbouring reads where it knows the alignment, and only there where both are needed, so that no
 * register is held longer for it. (Whole records loaded at once need so many that they spill.)
 */
#ifndef CLEAVE_RECORD_CUH
#define CLEAVE_RECORD_CUH

#include "cleave_device.cuh"

/* `record`, which begins at a multiple of 16 bytes: memory of the device begins at multiples of 256,
 * and a record is a multiple of 16 bytes. */
template <class T> CLEAVE_DEVICE const T *cleave_aligned(const T *record)
{
    return (const T *)__builtin_assume_aligned(record, 16);
}

#ifdef CLEAVE_EMULATOR
template <class T> CLEAVE_DEVICE CLEAVE_SHARED(const T) cleave_aligned(CLEAVE_SHARED(const T) record)
{
    return record;
}
#endif

#endif
