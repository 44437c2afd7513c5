/* reduce.cuh: one value per thread in, one per block out.
 *
 * Written with the primitives of cleave_device.cuh only. The tree is the same for every launch with
 * the same number of threads, so equal inputs give equal results bit for bit. Any block of 1 to
 * 1024 threads, also with a partial last warp. Every thread of the block calls; thread 0 gets the
 * result. `scratch` holds 32 T; barriers inside make it free for other use before and after the
 * call.
 */
#ifndef CLEAVE_REDUCE_CUH
#define CLEAVE_REDUCE_CUH

#include "cleave_device.cuh"
#include "ops.cuh"

/* Joins the values of the first `lanes` lanes of a warp in lane 0. */
template <class OP, class T> CLEAVE_DEVICE T cleave_reduce_warp(T v, int lanes)
{
    for (int distance = CLEAVE_WARP / 2; distance > 0; distance /= 2) {
        T other = cleave_shuffle_down(v, distance);
        if (cleave_lane() + distance < lanes) {
            v = cleave_join(OP(), v, other);
        }
    }
    return v;
}

template <class OP, class T> CLEAVE_DEVICE T cleave_reduce(T v, CLEAVE_SHARED(T) scratch)
{
    int warp = cleave_thread() / CLEAVE_WARP;
    int warps = (cleave_threads() + CLEAVE_WARP - 1) / CLEAVE_WARP;
    int lanes = cleave_threads() - warp * CLEAVE_WARP;
    v = cleave_reduce_warp<OP>(v, lanes < CLEAVE_WARP ? lanes : CLEAVE_WARP);
    cleave_barrier();
    if (cleave_lane() == 0) {
        scratch[warp] = v;
    }
    cleave_barrier();
    if (warp == 0) {
        if (cleave_lane() < warps) {
            v = scratch[cleave_lane()];
        }
        v = cleave_reduce_warp<OP>(v, warps);
    }
    cleave_barrier();
    return v;
}

template <class T> CLEAVE_DEVICE T cleave_reduce_add(T v, CLEAVE_SHARED(T) scratch)
{
    return cleave_reduce<cleave_op_add>(v, scratch);
}

template <class T> CLEAVE_DEVICE T cleave_reduce_min(T v, CLEAVE_SHARED(T) scratch)
{
    return cleave_reduce<cleave_op_min>(v, scratch);
}

template <class T> CLEAVE_DEVICE T cleave_reduce_max(T v, CLEAVE_SHARED(T) scratch)
{
    return cleave_reduce<cleave_op_max>(v, scratch);
}

#endif
