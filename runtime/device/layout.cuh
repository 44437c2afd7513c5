/* layout.cuh: from an array of structures to a structure of arrays, and back.
 *
 * Written with the primitives of cleave_device.cuh only. A block takes CLEAVE_LAYOUT_RECORDS
 * records, a few components at a time, through shared memory, so that consecutive threads touch
 * consecutive memory on either side.
 *
 *   records     r0c0 r0c1 r0c2 r1c0 r1c1 ...            in shared memory padded to odd lengths
 *   components  r0c0 r1c0 r2c0 ... | r0c1 r1c1 ... |    `stride` elements apart
 */
#ifndef CLEAVE_LAYOUT_CUH
#define CLEAVE_LAYOUT_CUH

#include "cleave_gen.h"
#include "cleave_device.cuh"

enum { CLEAVE_LAYOUT_RECORDS = 256, CLEAVE_LAYOUT_COMPONENTS = 16 };

/* Returns the place of an entry (record, component) in the block's shared memory. */
CLEAVE_DEVICE int cleave_layout_slot(int record, int component, int components)
{
    return record * (components | 1) + component;
}

/* Moves the block's records, components first..first+components-1. With SOA, `to` gets the
 * structure of arrays. */
template <class T, bool SOA>
CLEAVE_DEVICE void cleave_layout_part(T *to, const T *from, int dim, int stride, int begin,
                                      int records, int first, int components)
{
    CLEAVE_SHARED(T) s = cleave_shared<T>(0);
    const int size = records * components;
    for (int i = cleave_thread(); i < size; i += cleave_threads()) {
        const int r = SOA ? i / components : i % records;
        const int c = SOA ? i % components : i / records;
        const size_t at =
            SOA ? (size_t)(begin + r) * dim + first + c : (size_t)(first + c) * stride + begin + r;
        s[cleave_layout_slot(r, c, components)] = from[at];
    }
    cleave_barrier();
    for (int i = cleave_thread(); i < size; i += cleave_threads()) {
        const int r = SOA ? i % records : i / components;
        const int c = SOA ? i / records : i % components;
        const size_t at =
            SOA ? (size_t)(first + c) * stride + begin + r : (size_t)(begin + r) * dim + first + c;
        to[at] = s[cleave_layout_slot(r, c, components)];
    }
    cleave_barrier();
}

template <class T, bool SOA>
CLEAVE_KERNEL void cleave_layout_copy(T *to, const T *from, int count, int dim, int stride)
{
    const int begin = cleave_block() * CLEAVE_LAYOUT_RECORDS;
    const int rest = count - begin;
    const int records = rest < CLEAVE_LAYOUT_RECORDS ? rest : CLEAVE_LAYOUT_RECORDS;
    for (int first = 0; first < dim; first += CLEAVE_LAYOUT_COMPONENTS) {
        const int left = dim - first;
        const int components = left < CLEAVE_LAYOUT_COMPONENTS ? left : CLEAVE_LAYOUT_COMPONENTS;
        cleave_layout_part<T, SOA>(to, from, dim, stride, begin, records, first, components);
    }
}

template <class T, bool SOA> void cleave_layout_launch(const struct cleave_relayout *relayout)
{
    const size_t shared =
        sizeof(T) * CLEAVE_LAYOUT_RECORDS * (size_t)(CLEAVE_LAYOUT_COMPONENTS | 1);
    const int blocks = (relayout->count - 1) / CLEAVE_LAYOUT_RECORDS + 1;
    CLEAVE_LAUNCH((cleave_layout_copy<T, SOA>), blocks, CLEAVE_LAYOUT_RECORDS, shared,
                  relayout->stream, (T *)relayout->to, (const T *)relayout->from, relayout->count,
                  relayout->dim, relayout->stride);
}

template <class T> void cleave_layout_run(const struct cleave_relayout *relayout)
{
    if (relayout->to_soa) {
        cleave_layout_launch<T, true>(relayout);
    } else {
        cleave_layout_launch<T, false>(relayout);
    }
}

/* The function for cleave_unit.relayout. A template, so that only units that name it contain its
 * kernels. */
template <class> void cleave_relayout_run(const struct cleave_relayout *relayout)
{
    switch (relayout->component) {
    case 1:
        cleave_layout_run<unsigned char>(relayout);
        break;
    case 4:
        cleave_layout_run<unsigned>(relayout);
        break;
    default:
        cleave_layout_run<unsigned long long>(relayout);
        break;
    }
}

#endif
