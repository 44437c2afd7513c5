/* reduce.cuh: one value per thread in, one per block or one per loop out.
 *
 * Written with the primitives of cleave_device.cuh only. The tree is the same for every launch with
 * the same number of threads and blocks, so equal inputs give equal results bit for bit, whichever
 * block ends last. Blocks have 1 to 32 whole warps. Every thread of the block calls; thread 0 gets
 * the result.
 */
#ifndef CLEAVE_REDUCE_CUH
#define CLEAVE_REDUCE_CUH

#include "cleave_gen.h"
#include "cleave_device.cuh"
#include "ops.cuh"

/* Joins the values of all lanes of a warp in lane 0. */
template <class OP, class T> CLEAVE_DEVICE T cleave_reduce_warp(T v)
{
    for (int distance = CLEAVE_WARP / 2; distance > 0; distance /= 2) {
        v = cleave_join(OP(), v, cleave_shuffle_down(v, distance));
    }
    return v;
}

/* The two halves of a reduction over a block, with a barrier between them that several reductions
 * share: the first leaves each warp's value in `scratch`, which has room for 32 T, and the second
 * joins these. The first warp may still use the scratch when others go on. */
template <class OP, class T> CLEAVE_DEVICE void cleave_leave(T v, CLEAVE_SHARED(T) scratch)
{
    v = cleave_reduce_warp<OP>(v);
    if (cleave_lane() == 0) {
        scratch[cleave_thread() / CLEAVE_WARP] = v;
    }
}

/* Joins the values of up to four warps, in the order in which cleave_join_warps() would. */
template <class OP, class T> CLEAVE_DEVICE T cleave_join_few(CLEAVE_SHARED(T) scratch, int warps)
{
    T even = scratch[0];
    T odd = warps > 1 ? scratch[1] : even;
    even = warps > 2 ? cleave_join(OP(), even, T(scratch[2])) : even;
    odd = warps > 3 ? cleave_join(OP(), odd, T(scratch[3])) : odd;
    return warps > 1 ? cleave_join(OP(), even, odd) : even;
}

/* The lanes of the first warp join the values of more than four warps, by a tree like that of a
 * warp. It is in shared memory because shuffles behind a branch take twice the code. */
template <class OP, class T> CLEAVE_DEVICE T cleave_join_warps(CLEAVE_SHARED(T) scratch, int warps)
{
    for (int distance = warps > 16 ? 16 : warps > 8 ? 8 : 4; distance > 0; distance /= 2) {
        const int other = cleave_lane() + distance;
        if (cleave_lane() < distance && other < warps) {
            scratch[cleave_lane()] =
                cleave_join(OP(), T(scratch[cleave_lane()]), T(scratch[other]));
        }
        cleave_warp_barrier();
    }
    return scratch[0];
}

template <class OP, class T> CLEAVE_DEVICE T cleave_collect(CLEAVE_SHARED(T) scratch)
{
    const int warps = cleave_threads() / CLEAVE_WARP;
    T v = cleave_start<T>(OP());
    if (warps <= 4) {
        if (cleave_thread() == 0) {
            v = cleave_join_few<OP>(scratch, warps);
        }
    } else if (cleave_thread() < CLEAVE_WARP) {
        v = cleave_join_warps<OP>(scratch, warps);
    }
    return v;
}

/* Joins the values of the block's threads. `scratch` has room for 32 T and must be unused since a
 * barrier. Consecutive calls alternate between two scratches: a thread that writes to one again has
 * passed the barrier of the call between, which the first warp reaches after it has read. */
template <class OP, class T> CLEAVE_DEVICE T cleave_reduce(T v, CLEAVE_SHARED(T) scratch)
{
    cleave_leave<OP>(v, scratch);
    cleave_barrier();
    return cleave_collect<OP>(scratch);
}

/* ---- over all blocks ------------------------------------------------------------------------- */

/* Memory for the results of argument number a of a launch. */
template <class T> struct cleave_reduction {
    T *partial; /* [blocks*dim] of every block */
    T *result;  /* [dim] of all, in host memory */
};

template <class T>
static inline cleave_reduction<T> cleave_reduction_of(const struct cleave_launch *launch, int a)
{
    return {(T *)launch->partial[a], (T *)launch->result[a]};
}

/* Counter of the blocks that have written their partial results, over all launches of a loop; 0
 * before and after the loop. */
struct cleave_arrivals {
    unsigned *count;
    int blocks;
    unsigned *done; /* in host memory, told when the results are there; or NULL */
};

/* Most blocks that a loop without a plan launches. If its elements are more blocks, a launched one
 * takes several. A few blocks that walk side by side over memory are faster than many, as long as
 * they keep enough bytes in flight. On the 132 processors of an H200, an update of 136 bytes per
 * cell, written by hand, reached 93 % of a copy's bandwidth with 4 blocks per processor, 88 % with
 * 7, 84 % with 2048 blocks in all, and 52 % with as many as the elements have. For 68 bytes per
 * cell it was 80, 89 and 83 %. 4 blocks do not hide the latency of loops that compute much: use
 * them for loops that mostly move long records. The number is equal on all devices, since results
 * depend on it. */
enum { CLEAVE_MOST_BLOCKS = 924, CLEAVE_FEW_BLOCKS = 528 };

/* Up to how many blocks of elements for each that is launched few are best for short records, too:
 * there is little to keep in flight, and each of them takes time to arrive. Steps of aero with
 * 180,000 cells took 7.1 instead of 7.5 ms.
 * testsuite/bench/results/2026-11-24-blocks-h200.txt */
enum { CLEAVE_FEW_TIMES = 8 };

/* Elements that a thread reads at once in a loop that only reduces short records. On an H200, a sum
 * of 180,000 products was known to the host after 10.0 instead of 11.5 microseconds (352 blocks
 * instead of 924, which take longer to arrive), one of 2.25 million after 13.8 instead of 15.1. */
enum { CLEAVE_AT_ONCE = 4 };

/* `most`: blocks to launch, at most; `each`: elements of a thread, at least. */
static inline cleave_arrivals cleave_arrivals_of(const struct cleave_launch *launch, int most,
                                                 int each = 1)
{
    const int blocks = (launch->blocks - 1) / each + 1;
    return {launch->arrived, blocks < most ? blocks : most, launch->done};
}

/* Most blocks of a loop that does little besides moving short records. */
static inline int cleave_most_for_short(const struct cleave_launch *launch)
{
    return launch->blocks <= CLEAVE_FEW_TIMES * CLEAVE_FEW_BLOCKS ? CLEAVE_FEW_BLOCKS
                                                                  : CLEAVE_MOST_BLOCKS;
}

/* The halves for values[DIM] of each thread. `scratch` holds 32 * DIM T. */
template <class OP, int DIM, class T>
CLEAVE_DEVICE void cleave_leave_values(const T *values, CLEAVE_SHARED(T) scratch)
{
    for (int d = 0; d < DIM; d++) {
        cleave_leave<OP>(values[d], scratch + d * CLEAVE_WARP);
    }
}

/* Thread 0 writes the results to `to`. */
template <class OP, int DIM, class T>
CLEAVE_DEVICE void cleave_collect_values(T *to, CLEAVE_SHARED(T) scratch)
{
    for (int d = 0; d < DIM; d++) {
        const T v = cleave_collect<OP>(scratch + d * CLEAVE_WARP);
        if (cleave_thread() == 0) {
            to[d] = v;
        }
    }
}

/* Thread 0 writes the block's partial result, from the threads' values[DIM]. `scratch` holds 64 T
 * and may have been used before. */
template <class OP, int DIM, class T>
CLEAVE_DEVICE void cleave_reduce_block(const T *values, cleave_reduction<T> to, int block,
                                       CLEAVE_SHARED(T) scratch)
{
    cleave_barrier();
    for (int d = 0; d < DIM; d++) {
        const T v = cleave_reduce<OP>(values[d], scratch + d % 2 * CLEAVE_WARP);
        if (cleave_thread() == 0) {
            to.partial[(size_t)block * DIM + d] = v;
        }
    }
}

/* The second half for one of several reductions: thread 0 writes the block's partial result. */
template <class OP, int DIM, class T>
CLEAVE_DEVICE void cleave_collect_block(cleave_reduction<T> to, int block, CLEAVE_SHARED(T) scratch)
{
    cleave_collect_values<OP, DIM>(to.partial + (size_t)block * DIM, scratch);
}

/* Every block calls it once, after its partial results. Returns true in the block that ends last,
 * which then sees the partial results of all blocks. A fence empties the L1 cache of the whole
 * processor, on which other blocks still work: only the thread that counts the last block executes
 * one, and the barrier makes its effect visible to the block. `flag`: lies behind the scratch of
 * the reductions in shared memory. */
CLEAVE_DEVICE bool cleave_is_last(cleave_arrivals arrived, CLEAVE_SHARED(int) flag)
{
    if (cleave_thread() == 0) {
        const unsigned last = (unsigned)arrived.blocks - 1;
        const bool is_last = cleave_count(arrived.count, last) == last;
        if (is_last) {
            cleave_fence();
        }
        flag[0] = is_last;
    }
    cleave_barrier();
    return flag[0] != 0;
}

/* The last block calls it after its thread 0 has written the results of all blocks, or any thread
 * before a barrier: tells the host, which waits for them, that they are there. */
CLEAVE_DEVICE void cleave_tell_results(cleave_arrivals arrived)
{
    if (cleave_thread() == 0 && arrived.done != NULL) {
        cleave_tell_host(arrived.done);
    }
}

/* Joins a thread's share of the partial results: entries a stride apart, for coalesced reads,
 * several in flight at a time, because nothing else hides their latency. */
template <class OP, class T>
CLEAVE_DEVICE T cleave_join_partials(const T *partial, int stride, int blocks)
{
    enum { BATCH = 8 };
    T v = cleave_nothing<T>(OP());
    for (int first = cleave_thread(); first < blocks; first += BATCH * cleave_threads()) {
        T batch[BATCH];
        for (int i = 0; i < BATCH; i++) {
            const int b = first + i * cleave_threads();
            batch[i] = b < blocks ? partial[(size_t)b * stride] : cleave_nothing<T>(OP());
        }
        for (int i = 0; i < BATCH; i++) {
            v = cleave_join(OP(), v, batch[i]);
        }
    }
    return v;
}

/* Joins the partial results of all blocks. `scratch` holds 64 T and may have been used before. */
template <class OP, int DIM, class T>
CLEAVE_DEVICE void cleave_reduce_all(cleave_reduction<T> of, int blocks, CLEAVE_SHARED(T) scratch)
{
    cleave_barrier();
    for (int d = 0; d < DIM; d++) {
        T v = cleave_join_partials<OP>(of.partial + d, DIM, blocks);
        v = cleave_reduce<OP>(v, scratch + d % 2 * CLEAVE_WARP);
        if (cleave_thread() == 0) {
            of.result[d] = v;
        }
    }
}

/* The two halves for one of several reductions. `scratch` holds 32 * DIM T. */
template <class OP, int DIM, class T>
CLEAVE_DEVICE void cleave_leave_all(cleave_reduction<T> of, int blocks, CLEAVE_SHARED(T) scratch)
{
    T values[DIM];
    for (int d = 0; d < DIM; d++) {
        values[d] = cleave_join_partials<OP>(of.partial + d, DIM, blocks);
    }
    cleave_leave_values<OP, DIM>(values, scratch);
}

template <class OP, int DIM, class T>
CLEAVE_DEVICE void cleave_collect_all(cleave_reduction<T> of, CLEAVE_SHARED(T) scratch)
{
    cleave_collect_values<OP, DIM>(of.result, scratch);
}

#endif
