/* cleave_threads.h: how compiled loops run on the threads of the host.
 *
 * Generated files for OpenMP include it. A variant there is a function of one thread: it works on
 * this thread's part of the blocks or points, and waits for the others where its next part reads
 * what they wrote. Parts are divided here and not by `omp for`, because a loop on one thread then
 * needs nothing of OpenMP's, wherever the program calls it, inside of a parallel region too. Valid
 * in C11 and C++.
 */
#ifndef CLEAVE_THREADS_H
#define CLEAVE_THREADS_H

#include <omp.h>

#include "cleave_gen.h"
#include "cleave_tiled.h"

/* Parts of a reduction into a global: as many as the widest registers have lanes. An element adds
 * to one of them, whichever number of elements is computed at once, and they are joined in their
 * order. */
#define CLEAVE_SLOTS 16

/* One of the threads that run a loop. */
struct cleave_thread {
    int number; /* 0..threads-1 */
    int threads;
};

/* Indices first..last-1. */
struct cleave_range {
    int first;
    int last;
};

/* The thread's part of first..last-1: consecutive indices, as many for each thread, the rest one
 * each for the first threads. The threads' parts follow each other in the order of their numbers.
 */
static inline struct cleave_range cleave_part_of(int first, int last, struct cleave_thread thread)
{
    const int each = (last - first) / thread.threads;
    const int rest = (last - first) % thread.threads;
    const int is_longer = thread.number < rest;
    struct cleave_range part;
    part.first = first + thread.number * each + (is_longer ? thread.number : rest);
    part.last = part.first + each + is_longer;
    return part;
}

/* Returns when all threads of the loop have called it. */
static inline void cleave_wait_for_all(struct cleave_thread thread)
{
    if (thread.threads > 1) {
#pragma omp barrier
    }
}

/* Runs the loop: `run` once in each thread. On one thread that is a plain call, since a parallel
 * region costs 0.25 microseconds there, as much as a hundred elements do. */
static inline void cleave_run_on_threads(const struct cleave_launch *launch,
                                         void (*run)(const struct cleave_launch *,
                                                     struct cleave_thread))
{
    const struct cleave_thread only = {0, 1};
    if (launch->begin == launch->end) {
        return;
    }
    if (launch->one_thread) {
        run(launch, only);
        return;
    }
#pragma omp parallel
    {
        const struct cleave_thread thread = {omp_get_thread_num(), omp_get_num_threads()};
        run(launch, thread);
    }
}

#endif
