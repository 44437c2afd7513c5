/* join.cuh: joins the partial results of a loop whose blocks do not count themselves, in a kernel
 * that follows the loop's.
 *
 * Written with the primitives of cleave_device.cuh only. The results are cut into portions of
 * consecutive entries, one for each block of the kernel. A block replaces the first entry of its
 * portion by the portion's result; the block that ends last joins these results and tells the host.
 * One block alone does without this second round. In both cases the order of a sum depends on the
 * number of partial results only, not on which block ends last.
 */
#ifndef CLEAVE_JOIN_CUH
#define CLEAVE_JOIN_CUH

#include "reduce.cuh"

/* CLEAVE_JOIN_ALONE: most partial results of a reduction that one block joins. Its threads have 8
 * results of each of two reductions in flight at a time, so up to here they wait for memory once. A
 * second block would cost another wait, and the counting of blocks. One block took 14 us for 45,000
 * results of two reductions on an H200, which other processors spent idle.
 * CLEAVE_JOIN_EACH: results of a portion, at least: two for each thread.
 * CLEAVE_JOIN_BLOCKS: most portions. One warp joins so many results by one read of each lane. */
enum {
    CLEAVE_JOIN_THREADS = 1024, /* of a block */
    CLEAVE_JOIN_ALONE = 8 * CLEAVE_JOIN_THREADS,
    CLEAVE_JOIN_EACH = 2 * CLEAVE_JOIN_THREADS,
    CLEAVE_JOIN_BLOCKS = 32
};

/* Registers of a thread that a processor has for so many threads, and values that it has in flight,
 * which fit these beside what it has joined. */
enum { CLEAVE_JOIN_REGISTERS = 65536 / CLEAVE_JOIN_THREADS, CLEAVE_JOIN_FLIGHT = 16 };

struct cleave_portions {
    cleave_arrivals arrived; /* of the blocks that join, one for each portion */
    int partials;            /* partial results of each reduction */
    int size;                /* of a portion; the last one may be smaller, but not empty */
};

static inline cleave_portions cleave_portions_of(const struct cleave_launch *launch, int partials)
{
    const int most = partials / CLEAVE_JOIN_EACH;
    const int blocks = partials <= CLEAVE_JOIN_ALONE ? 1
                       : most < CLEAVE_JOIN_BLOCKS   ? most
                                                     : CLEAVE_JOIN_BLOCKS;
    return {{launch->arrived, blocks, launch->done}, partials, (partials + blocks - 1) / blocks};
}

/* Partial results that a block joins: first, first + step, ... */
struct cleave_portion {
    int first;
    int step;
    int count;
    bool is_last; /* its result is that of the loop */
};

/* The portion of a block, in the first round. */
CLEAVE_DEVICE cleave_portion cleave_portion_of(cleave_portions portions, int block)
{
    const int first = block * portions.size;
    const int left = portions.partials - first;
    return {first, 1, left < portions.size ? left : portions.size, portions.arrived.blocks == 1};
}

/* Every block calls it after its portion's results. Returns true in the block that ends last of
 * several: its next portion consists of the results of all. Tells the host when there is no more to
 * join. `flag` lies behind the scratch of the reductions in shared memory. */
CLEAVE_DEVICE bool cleave_joins_on(cleave_portion &portion, cleave_portions portions,
                                   CLEAVE_SHARED(int) flag)
{
    if (portion.is_last) {
        cleave_tell_results(portions.arrived);
        return false;
    }
    portion = {0, portions.size, portions.arrived.blocks, true};
    return cleave_is_last(portions.arrived, flag);
}

/* Returns the place of the portion's result. */
template <int DIM, class T>
CLEAVE_DEVICE T *cleave_result_of(cleave_reduction<T> of, cleave_portion portion)
{
    return portion.is_last ? of.result : of.partial + (size_t)portion.first * DIM;
}

/* Joins the partial results of a portion. `scratch` holds 64 T and may have been used before. */
template <class OP, int DIM, class T>
CLEAVE_DEVICE void cleave_reduce_portion(cleave_reduction<T> of, cleave_portion portion,
                                         CLEAVE_SHARED(T) scratch)
{
    const T *from = of.partial + (size_t)portion.first * DIM;
    T *to = cleave_result_of<DIM>(of, portion);
    cleave_barrier();
    for (int d = 0; d < DIM; d++) {
        T v = cleave_join_partials<OP>(from + d, portion.step * DIM, portion.count);
        v = cleave_reduce<OP>(v, scratch + d % 2 * CLEAVE_WARP);
        if (cleave_thread() == 0) {
            to[d] = v;
        }
    }
}

/* ---- several reductions ------------------------------------------------------------------------
 */

/* A thread's state of one of several reductions whose partial results it reads together. */
template <class OP, int DIM, class T> struct cleave_joint {
    static constexpr int components = DIM;
    cleave_reduction<T> of;
    CLEAVE_SHARED(T) scratch; /* of 32 * DIM T */
    T values[DIM];            /* joined so far */
    T batch[CLEAVE_JOIN_FLIGHT];

    CLEAVE_MEMBER void start()
    {
        for (int d = 0; d < DIM; d++) {
            values[d] = cleave_nothing<T>(OP());
        }
    }

    /* Reads the results number `first`, first + the block's threads, ... of the portion. */
    template <int BATCH> CLEAVE_MEMBER void read(cleave_portion portion, int first)
    {
        for (int i = 0; i < BATCH; i++) {
            const int n = first + i * cleave_threads();
            const T *from = of.partial + ((size_t)portion.first + (size_t)n * portion.step) * DIM;
            for (int d = 0; d < DIM; d++) {
                batch[i * DIM + d] = n < portion.count ? from[d] : cleave_nothing<T>(OP());
            }
        }
    }

    template <int BATCH> CLEAVE_MEMBER void join()
    {
        for (int i = 0; i < BATCH * DIM; i++) {
            values[i % DIM] = cleave_join(OP(), values[i % DIM], batch[i]);
        }
    }

    CLEAVE_MEMBER void leave()
    {
        cleave_leave_values<OP, DIM>(values, scratch);
    }
};

template <class OP, int DIM, class T>
CLEAVE_DEVICE cleave_joint<OP, DIM, T> cleave_joint_of(cleave_reduction<T> of,
                                                       CLEAVE_SHARED(T) scratch)
{
    return {of, scratch, {}, {}};
}

/* The first half of joining a portion, for several reductions of at most CLEAVE_JOIN_FLIGHT
 * components together: reads of all are in flight before the thread waits for the first. */
template <class... JOINT>
CLEAVE_DEVICE void cleave_leave_portion(cleave_portion portion, JOINT... joint)
{
    constexpr int batch = CLEAVE_JOIN_FLIGHT / (JOINT::components + ...);
    (joint.start(), ...);
    for (int n = cleave_thread(); n < portion.count; n += batch * cleave_threads()) {
        (joint.template read<batch>(portion, n), ...);
        (joint.template join<batch>(), ...);
    }
    (joint.leave(), ...);
}

/* The second half for one of them, behind a barrier. */
template <class OP, int DIM, class T>
CLEAVE_DEVICE void cleave_collect_portion(cleave_reduction<T> of, cleave_portion portion,
                                          CLEAVE_SHARED(T) scratch)
{
    cleave_collect_values<OP, DIM>(cleave_result_of<DIM>(of, portion), scratch);
}

#endif
