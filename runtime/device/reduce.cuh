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

/* Joins the values of the block's threads. `scratch` holds 32 T, which nobody has touched since a
 * barrier; threads of the first warp may still read it when others go on. Calls that follow each
 * other alternate between two scratches: who writes to one again is past the barrier of the call
 * between, to which the first warp comes when it has read. */
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

/* Where argument number a of a launch leaves what it reduces. */
template <class T> struct cleave_reduction {
    T *partial; /* [blocks*dim] of every block */
    T *result;  /* [dim] of all, in host memory */
};

template <class T>
static inline cleave_reduction<T> cleave_reduction_of(const struct cleave_launch *launch, int a)
{
    return {(T *)launch->partial[a], (T *)launch->result[a]};
}

/* The blocks of a loop, of all its launches together, and how many of them have written their
 * partial results: 0 before the loop and after it. */
struct cleave_arrivals {
    unsigned *count;
    int blocks;
};

/* Loops without a plan run as so many blocks at most, each of which takes more than one chunk of
 * elements when there are more: few blocks that walk over memory side by side are faster than many,
 * as long as they keep enough on its way. On the 132 processors of an H200 an update of 136 bytes
 * per cell, written by hand, reached 93 % of a copy's bandwidth with 4 blocks for each processor, 88
 * with 7, 84 with 2048 in all and 52 with a block for each chunk; one of 68 bytes 80, 89 and 83. Nor
 * do 4 hide the time that loops compute: they are for those that move long records and do little
 * else. The same on every device, as results depend on it. */
enum { CLEAVE_MOST_BLOCKS = 924, CLEAVE_FEW_BLOCKS = 528 };

static inline cleave_arrivals cleave_arrivals_of(const struct cleave_launch *launch, int most)
{
    return {launch->arrived, launch->blocks < most ? launch->blocks : most};
}

/* The block's partial result, from the threads' values[DIM]: thread 0 writes it. `scratch` holds 64
 * T and may have had any use before. */
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

/* Called once by every block, behind its partial results: true in the block that ends last, which
 * then sees those of all blocks. A fence empties the first cache of the whole processor, on which
 * other blocks still work: only the thread that counts the last block makes one, and the barrier
 * hands on what it sees. `flag`: of the reductions' shared memory what lies behind their scratch.
 */
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

/* What a thread joins of the partial results: every so-manieth, for reads in one piece, and several
 * at a time on their way, because nothing else is left to hide how long they take. */
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
