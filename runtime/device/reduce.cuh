/* reduce.cuh: one value per thread in, one per block or one per loop out.
 *
 * Written with the primitives of cleave_device.cuh only. The tree is the same for every launch with
 * the same number of threads and blocks, so equal inputs give equal results bit for bit, whichever
 * block ends last. Any block of 1 to 1024 threads, also with a partial last warp. Every thread of
 * the block calls; thread 0 gets the result.
 */
#ifndef CLEAVE_REDUCE_CUH
#define CLEAVE_REDUCE_CUH

#include "cleave_gen.h"
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

/* Joins the values of the block's threads. `scratch` has room for 32 T and must be unused since a
 * barrier. Threads of the first warp may still read it when others go on, so consecutive calls
 * alternate between two scratches: a thread that writes to one again has passed the barrier of the
 * call between, which the first warp reaches after it has read. */
template <class OP, class T> CLEAVE_DEVICE T cleave_reduce(T v, CLEAVE_SHARED(T) scratch)
{
    int warp = cleave_thread() / CLEAVE_WARP;
    int warps = (cleave_threads() + CLEAVE_WARP - 1) / CLEAVE_WARP;
    int lanes = cleave_threads() - warp * CLEAVE_WARP;
    v = cleave_reduce_warp<OP>(v, lanes < CLEAVE_WARP ? lanes : CLEAVE_WARP);
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
    return v;
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

enum { CLEAVE_JOIN_THREADS = 1024 }; /* of the one block that joins the results of all others */

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

/* Joins the partial results of all blocks. */
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

#endif
