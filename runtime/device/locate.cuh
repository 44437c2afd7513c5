/* locate.cuh: finds the element at which a loop's minimum or maximum is.
 *
 * Written with the primitives of cleave_device.cuh only. A candidate is a value and the user's
 * number of its element; number -1 stands for the start value of the loop. Elements have distinct
 * numbers, so exactly one candidate wins in any order: the best value, and among equal values that
 * with the lowest (highest) number. An element's value is a candidate only if it replaces the start
 * value. A NaN is none, since it compares with nothing.
 */
#ifndef CLEAVE_LOCATE_CUH
#define CLEAVE_LOCATE_CUH

#include "reduce.cuh"

/* Rules that decide between two candidates; generated code names them. */
struct cleave_first_min {
};
struct cleave_first_max {
};
struct cleave_last_min {
};
struct cleave_last_max {
};

/* Returns whether candidate v, of that element number, replaces `best`, of best_element. */
template <class T>
CLEAVE_DEVICE bool cleave_replaces(cleave_first_min, T v, int element, T best, int best_element)
{
    return v < best || (v == best && element < best_element);
}

template <class T>
CLEAVE_DEVICE bool cleave_replaces(cleave_first_max, T v, int element, T best, int best_element)
{
    return best < v || (v == best && element < best_element);
}

template <class T>
CLEAVE_DEVICE bool cleave_replaces(cleave_last_min, T v, int element, T best, int best_element)
{
    return v < best || (v == best && element > best_element);
}

template <class T>
CLEAVE_DEVICE bool cleave_replaces(cleave_last_max, T v, int element, T best, int best_element)
{
    return best < v || (v == best && element > best_element);
}

/* Memory for the element numbers that argument number a of a launch reduces. */
static inline cleave_reduction<int> cleave_elements_of(const struct cleave_launch *launch, int a)
{
    return {launch->best_elements[a], launch->result_elements[a]};
}

/* Lane 0 gets the best of the warp's candidates. */
template <class RULE, class T> CLEAVE_DEVICE void cleave_locate_warp(T &v, int &element)
{
    for (int distance = CLEAVE_WARP / 2; distance > 0; distance /= 2) {
        const T other = cleave_shuffle_down(v, distance);
        const int other_element = cleave_shuffle_down(element, distance);
        if (cleave_replaces(RULE(), other, other_element, v, element)) {
            v = other;
            element = other_element;
        }
    }
}

/* Returns the best of the block's candidates to every thread, and true to the thread whose
 * candidate it is. All threads call it. `values` and `numbers` have room for 32 each and must be
 * unused since a barrier. Threads may still read them when others go on, so consecutive calls
 * alternate between two of each, as calls of cleave_reduce() do. */
template <class RULE, class T>
CLEAVE_DEVICE bool cleave_locate(T &v, int &element, CLEAVE_SHARED(T) values,
                                 CLEAVE_SHARED(int) numbers)
{
    const int warp = cleave_thread() / CLEAVE_WARP;
    const int warps = cleave_threads() / CLEAVE_WARP;
    const int own = element;
    cleave_locate_warp<RULE>(v, element);
    if (cleave_lane() == 0) {
        values[warp] = v;
        numbers[warp] = element;
    }
    cleave_barrier();
    v = values[0];
    element = numbers[0];
    for (int w = 1; w < warps; w++) {
        const T other = values[w];
        const int other_element = numbers[w];
        if (cleave_replaces(RULE(), other, other_element, v, element)) {
            v = other;
            element = other_element;
        }
    }
    return own >= 0 && own == element;
}

/* Thread 0 writes the block's result, from the threads' candidates values[DIM], element[DIM].
 * Afterwards element[d] is -1 except in the thread whose candidate counts. `scratch` holds 64 T,
 * `numbers` 64 int;
 * both may have been used before. */
template <class RULE, int DIM, class T>
CLEAVE_DEVICE void cleave_locate_block(const T *values, int *element, cleave_reduction<T> to,
                                       cleave_reduction<int> elements, int block,
                                       CLEAVE_SHARED(T) scratch, CLEAVE_SHARED(int) numbers)
{
    cleave_barrier();
    for (int d = 0; d < DIM; d++) {
        const int turn = d % 2 * CLEAVE_WARP;
        T v = values[d];
        int best_element = element[d];
        if (!cleave_locate<RULE>(v, best_element, scratch + turn, numbers + turn)) {
            element[d] = -1;
        }
        if (cleave_thread() == 0) {
            to.partial[(size_t)block * DIM + d] = v;
            elements.partial[(size_t)block * DIM + d] = best_element;
        }
    }
}

/* Returns the best of the thread's share of the blocks' results, and its block. Several reads are
 * in flight at a time, as in cleave_join_partials(). */
template <class RULE, class T>
CLEAVE_DEVICE int cleave_locate_partials(const T *partial, const int *elements, int stride,
                                         int blocks, T &v, int &element)
{
    enum { BATCH = 8 };
    int from = -1;
    for (int first = cleave_thread(); first < blocks; first += BATCH * cleave_threads()) {
        T batch[BATCH];
        int batch_element[BATCH];
        for (int i = 0; i < BATCH; i++) {
            const int b = first + i * cleave_threads();
            batch[i] = b < blocks ? partial[(size_t)b * stride] : v;
            batch_element[i] = b < blocks ? elements[(size_t)b * stride] : -1;
        }
        for (int i = 0; i < BATCH; i++) {
            if (batch_element[i] >= 0 &&
                cleave_replaces(RULE(), batch[i], batch_element[i], v, element)) {
                v = batch[i];
                element = batch_element[i];
                from = first + i * cleave_threads();
            }
        }
    }
    return from;
}

/* Joins the results of all blocks; start: the user's values. from[d] becomes the block whose
 * candidate counts, in one thread; -1 in all others, and where the user's value stays. */
template <class RULE, int DIM, class T>
CLEAVE_DEVICE void cleave_locate_all(const T *start, int *from, cleave_reduction<T> of,
                                     cleave_reduction<int> elements, int blocks,
                                     CLEAVE_SHARED(T) scratch, CLEAVE_SHARED(int) numbers)
{
    cleave_barrier();
    for (int d = 0; d < DIM; d++) {
        const int turn = d % 2 * CLEAVE_WARP;
        T v = start[d];
        int element = -1;
        const int block = cleave_locate_partials<RULE>(of.partial + d, elements.partial + d, DIM,
                                                       blocks, v, element);
        from[d] = cleave_locate<RULE>(v, element, scratch + turn, numbers + turn) ? block : -1;
        if (cleave_thread() == 0) {
            of.result[d] = v;
            elements.result[d] = element;
        }
    }
}

#endif
