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
 * The cores of a CPU take ranges of consecutive elements, which may share few points. A point is
 * "torn" if elements name it that are more than 1 / TORN_SHARE of all elements apart, or, where
 * elements are sorted, if it is so far from the lowest point of the element: an order of good runs
 * that follow each other at random has few far reads, and most points are torn.
 *
 * At most WINDOWS windows, evenly spread, are looked at, on one thread: that takes a millisecond.
 * For elements that were sorted by their lowest points, windows are runs of points instead, and one
 * pass over the whole map finds the elements of each; threads set marks in any order. */
#include <stdlib.h>

#include "runtime/planner/base/base.h"

enum {
    WINDOW = 4096, /* elements; with the data of their points they fit a core's cache of 1 MB */
    LEAST_WINDOW = 1024, /* in small meshes, in which larger windows reach all points */
    STRETCH = 64,        /* points */
    WINDOWS = 64,        /* that are looked at */
    TORN_SHARE = 8       /* less than the planes of the smallest boxes that are measured have */
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

/* Sums over the windows. */
struct counts {
    int64_t reads;
    int64_t far;
    int64_t named; /* points, or reads if the elements are sorted */
    int64_t torn;  /* of these */
};

/* ---- elements in their order ---------------------------------------------------------------- */

/* Marks hold the number of a window, from 1 on; 0: none yet. */
struct marks {
    unsigned char *stretch; /* [points / STRETCH + 1] the last window that has read it */
    unsigned char *point;   /* [points] the first one; TORN */
};
enum { TORN = 255 };

static void count_read(struct counts *counts, const struct marks *marks, int p, int window,
                       int apart)
{
    unsigned char *first = &marks->point[p];
    counts->far += marks->stretch[p / STRETCH] != window;
    marks->stretch[p / STRETCH] = (unsigned char)window;
    counts->named += *first == 0;
    if (*first == 0) {
        *first = (unsigned char)window;
    } else if (*first != TORN && window - *first >= apart) {
        *first = TORN;
        counts->torn++;
    }
}

static void count_windows(struct counts *counts, const struct marks *marks,
                          const struct windows *windows, int elements, const struct plan_map *map)
{
    const int apart = windows->taken / TORN_SHARE + 1;
    for (int k = 0; k < windows->taken; k++) {
        int64_t first = taken_window(windows, k) * windows->length;
        int64_t end = first + windows->length < elements ? first + windows->length : elements;
        counts->reads += (end - first) * map->columns;
        for (int64_t e = first; e < end; e++) {
            const int *row = map->row + (size_t)e * (size_t)map->dim;
            for (int c = 0; c < map->columns; c++) {
                count_read(counts, marks, row[map->column[c]], k + 1, apart);
            }
        }
    }
}

static int measure_windows(struct counts *counts, int elements, const struct plan_map *map,
                           char *error)
{
    const char *what = "the locality of a map";
    const struct windows windows = cut(elements, window_of(elements));
    const size_t points = (size_t)map->points;
    struct marks marks = {planner_zeroed(points / STRETCH + 1, 1, what, error),
                          planner_zeroed(points, 1, what, error)};
    int status = marks.stretch != NULL && marks.point != NULL ? 0 : -1;
    if (status == 0) {
        count_windows(counts, &marks, &windows, elements, map);
    }
    free(marks.stretch);
    free(marks.point);
    return status;
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

static void mark_stretches(struct counts *counts, const struct sorted *sorted, int elements,
                           const struct plan_map *map)
{
    int64_t reads = 0;
    int64_t torn = 0;
#pragma omp parallel for schedule(static) reduction(+ : reads, torn)
    for (int e = 0; e < elements; e++) {
        int lowest = lowest_point(map, e);
        int window = sorted->taken[lowest / sorted->windows.length];
        for (int k = 0; window >= 0 && k < map->columns; k++) {
            int p = map->row[(size_t)e * (size_t)map->dim + (size_t)map->column[k]];
            unsigned char *at =
                &sorted->mark[(size_t)window * sorted->stretches + (size_t)(p / STRETCH)];
            __atomic_store_n(at, 1, __ATOMIC_RELAXED);
            reads++;
            torn += p - lowest > map->points / TORN_SHARE;
        }
    }
    counts->reads = counts->named = reads;
    counts->torn = torn;
}

static int measure_sorted(struct counts *counts, int elements, const struct plan_map *map,
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
        mark_stretches(counts, &sorted, elements, map);
#pragma omp parallel for schedule(static) reduction(+ : sum)
        for (size_t i = 0; i < marks; i++) {
            sum += sorted.mark[i];
        }
        counts->far = sum;
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
    struct counts counts = {0};
    *locality = (struct plan_locality){0.0, 0.0, 0.0, 0.0};
    if (planner_check_input(elements, 1, map, 1, error) != 0) {
        return -1;
    }
    if (elements == 0 || map->columns == 0) {
        return 0;
    }
    if ((sorted ? measure_sorted(&counts, elements, map, error)
                : measure_windows(&counts, elements, map, error)) != 0) {
        return -1;
    }
    if (counts.reads > 0) {
        /* A torn point is found only if a second of its windows is looked at. */
        double looked = sorted ? 1.0 : (double)counts.reads / map->columns / elements;
        double torn = (double)counts.torn / (double)counts.named / looked;
        locality->torn = torn < 1.0 ? torn : 1.0;
        locality->far = (double)counts.far / (double)counts.reads;
    }
    double stretches = (double)map->points / STRETCH;
    double random = stretches / ((double)window_of(elements) * map->columns);
    locality->least = stretches / ((double)elements * map->columns);
    locality->random = random < 1.0 ? random : 1.0;
    return 0;
}
