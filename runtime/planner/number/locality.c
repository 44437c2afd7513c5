/* locality.c: planner_locality: does the order of a mesh suit the caches of a CPU?
 *
 * A loop over elements in order reads the data of their points. A cache keeps what the last few
 * thousand elements have read, and the hardware prefetches what lies beside it; a read of another
 * part of the set waits for memory. So the elements are cut into windows of WINDOW, the points into
 * stretches of STRETCH, and a read is "far" if it is the first one of its window that goes to its
 * stretch:
 *
 *     far    = far reads / reads
 *     least  = (points / STRETCH) / (elements * columns)
 *     random = (points / STRETCH) / (WINDOW * columns), at most 1
 *
 * `least` is what a loop has that visits every stretch once, `random` about what each window has
 * that visits all of them. Natural, reversed and breadth-first orders of rectangles and boxes have
 * `far` 0.002 to 0.004 above `least`; random orders 0.3 and more.
 *
 * At most WINDOWS windows, evenly spread, are looked at: the measure takes one linear pass over a
 * part of the map. For elements that were sorted by their lowest points, windows are runs of points
 * instead, and one pass over the whole map finds the elements of each. Every window is counted by
 * itself, or by marks that it does not matter who sets, so that threads change nothing. */
#include <stdio.h>
#include <stdlib.h>

#include "runtime/planner/base/base.h"

enum {
    WINDOW = 4096, /* elements; with the data of their points they fit a core's cache of 1 MB */
    LEAST_WINDOW = 1024, /* in small meshes, in which larger windows reach all points */
    STRETCH = 64,        /* points */
    WINDOWS = 64
};

static int window_of(int elements)
{
    int window = elements / WINDOWS;
    return window < LEAST_WINDOW ? LEAST_WINDOW : window > WINDOW ? WINDOW : window;
}

/* Windows in a row of `length` elements or points each, of which some are looked at. */
struct windows {
    int all;
    int taken; /* 1..WINDOWS */
    int64_t length;
};

static struct windows cut(int64_t size, int64_t length)
{
    struct windows windows = {.length = length < 1 ? 1 : length};
    windows.all = (int)((size - 1) / windows.length + 1);
    windows.taken = windows.all < WINDOWS ? windows.all : WINDOWS;
    return windows;
}

/* The k-th window that is taken. */
static int taken_window(const struct windows *windows, int k)
{
    return (int)((2 * (int64_t)k + 1) * windows->all / (2 * windows->taken));
}

/* ---- elements in their order ---------------------------------------------------------------- */

/* Counts the stretches that elements first..end-1 name; mark[] is 0 before and after. */
static int64_t count_far(const struct plan_map *map, int64_t first, int64_t end,
                         unsigned char *mark)
{
    int64_t far = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int64_t e = first; e < end; e++) {
            const int *row = map->row + (size_t)e * (size_t)map->dim;
            for (int k = 0; k < map->columns; k++) {
                unsigned char *at = &mark[row[map->column[k]] / STRETCH];
                far += pass == 0 && !*at;
                *at = pass == 0;
            }
        }
    }
    return far;
}

static int measure_windows(int64_t *far, int64_t *reads, int elements, const struct plan_map *map)
{
    const struct windows windows = cut(elements, window_of(elements));
    const size_t stretches = (size_t)(map->points - 1) / STRETCH + 1;
    int64_t far_sum = 0;
    int64_t read_sum = 0;
    int failed = 0;
#pragma omp parallel reduction(+ : far_sum, read_sum) reduction(| : failed)
    {
        unsigned char *mark = calloc(stretches, 1);
        failed = mark == NULL;
#pragma omp for schedule(static)
        for (int k = 0; k < windows.taken; k++) {
            int64_t first = taken_window(&windows, k) * windows.length;
            int64_t end = first + windows.length < elements ? first + windows.length : elements;
            if (!failed) {
                far_sum += count_far(map, first, end, mark);
                read_sum += (end - first) * map->columns;
            }
        }
        free(mark);
    }
    *far = far_sum;
    *reads = read_sum;
    return failed ? -1 : 0;
}

/* ---- elements sorted by their lowest points ---------------------------------------------------
 */

static int lowest_point(const struct plan_map *map, int e)
{
    const int *row = map->row + (size_t)e * (size_t)map->dim;
    int lowest = row[map->column[0]];
    for (int k = 1; k < map->columns; k++) {
        lowest = row[map->column[k]] < lowest ? row[map->column[k]] : lowest;
    }
    return lowest;
}

struct sorted {
    struct windows windows; /* of points */
    int *taken;             /* [windows.all] which of the taken windows, or -1 */
    size_t stretches;
    unsigned char *mark; /* [windows.taken * stretches] */
};

static int64_t mark_stretches(const struct sorted *sorted, int elements, const struct plan_map *map)
{
    int64_t reads = 0;
#pragma omp parallel for schedule(static) reduction(+ : reads)
    for (int e = 0; e < elements; e++) {
        int window = sorted->taken[lowest_point(map, e) / sorted->windows.length];
        for (int k = 0; window >= 0 && k < map->columns; k++) {
            int p = map->row[(size_t)e * (size_t)map->dim + (size_t)map->column[k]];
            unsigned char *at =
                &sorted->mark[(size_t)window * sorted->stretches + (size_t)(p / STRETCH)];
            __atomic_store_n(at, 1, __ATOMIC_RELAXED);
            reads++;
        }
    }
    return reads;
}

static int measure_sorted(int64_t *far, int64_t *reads, int elements, const struct plan_map *map,
                          char *error)
{
    const char *what = "the locality of a map";
    struct sorted sorted = {.stretches = (size_t)(map->points - 1) / STRETCH + 1};
    sorted.windows = cut(map->points, (int64_t)window_of(elements) * map->points / elements);
    const size_t marks = (size_t)sorted.windows.taken * sorted.stretches;
    sorted.taken = planner_memory((size_t)sorted.windows.all, sizeof *sorted.taken, what, error);
    sorted.mark = planner_zeroed(marks, 1, what, error);
    int status = sorted.taken != NULL && sorted.mark != NULL ? 0 : -1;
    if (status == 0) {
        for (int w = 0; w < sorted.windows.all; w++) {
            sorted.taken[w] = -1;
        }
        for (int k = 0; k < sorted.windows.taken; k++) {
            sorted.taken[taken_window(&sorted.windows, k)] = k;
        }
        int64_t sum = 0;
        *reads = mark_stretches(&sorted, elements, map);
#pragma omp parallel for schedule(static) reduction(+ : sum)
        for (size_t i = 0; i < marks; i++) {
            sum += sorted.mark[i];
        }
        *far = sum;
    }
    free(sorted.taken);
    free(sorted.mark);
    return status;
}

/* ---- planner_locality ------------------------------------------------------------------------ */

int planner_locality(const struct planner *planner, struct plan_locality *locality, int elements,
                     const struct plan_map *map, int sorted, char error[PLANNER_ERROR])
{
    PLANNER_THREADS(planner);
    int64_t far = 0;
    int64_t reads = 0;
    *locality = (struct plan_locality){0.0, 0.0, 0.0};
    if (planner_check_input(elements, 1, map, 1, error) != 0) {
        return -1;
    }
    if (elements == 0 || map->columns == 0) {
        return 0;
    }
    int status = sorted ? measure_sorted(&far, &reads, elements, map, error)
                        : measure_windows(&far, &reads, elements, map);
    if (status != 0) {
        snprintf(error, PLANNER_ERROR, "out of memory while measuring the locality of a map");
        return -1;
    }
    locality->far = reads > 0 ? (double)far / (double)reads : 0.0;
    double stretches = (double)map->points / STRETCH;
    double random = stretches / ((double)window_of(elements) * map->columns);
    locality->least = stretches / ((double)elements * map->columns);
    locality->random = random < 1.0 ? random : 1.0;
    return 0;
}
