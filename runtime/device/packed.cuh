/* packed.cuh: records that several dats are packed into.
 *
 * Written with the primitives of cleave_device.cuh only. Blocks stage such records by a few wide
 * copies, like those of one dat (staging.cuh, owner.cuh). Each dat by itself would take several
 * narrow copies.
 *
 *   record e    | a0 a1 a2 a3 | b0 | c0 c1 | padding |    `to_dim` components, whole 16-byte units
 */
#ifndef CLEAVE_PACKED_CUH
#define CLEAVE_PACKED_CUH

#include "cleave_gen.h"
#include "cleave_device.cuh"

/* to[e*to_dim + c] = component first + c of record e, for c < components and e < count; the next
 * `padding` components become 0. One thread writes one component. stride: as in struct
 * cleave_copy_request. */
template <class T>
CLEAVE_KERNEL void cleave_packed_copy(T *to, const T *from, int count, int first, int components,
                                      int padding, int to_dim, int dim, int stride)
{
    const size_t i = (size_t)cleave_block() * cleave_threads() + cleave_thread();
    const size_t e = i / (components + padding);
    const int c = (int)(i % (components + padding));
    if (e < (size_t)count) {
        const size_t component = (size_t)(first + c);
        const size_t at = stride > 0 ? component * stride + e : e * dim + component;
        to[e * to_dim + c] = c < components ? from[at] : T(0);
    }
}

template <class T> void cleave_packed_run(const struct cleave_copy_request *request)
{
    const size_t threads = 256;
    const size_t all = (size_t)request->count * (size_t)(request->components + request->padding);
    CLEAVE_LAUNCH((cleave_packed_copy<T>), (int)((all + threads - 1) / threads), (int)threads, 0,
                  request->stream, (T *)request->to, (const T *)request->from, request->count,
                  request->first, request->components, request->padding, request->to_dim,
                  request->dim, request->stride);
}

#endif
