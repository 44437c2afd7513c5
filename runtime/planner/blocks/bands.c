/* bands.c: elements in long bands, for the caches of a CPU.
 *
 * In: a mesh with the elements of each point. Out: an order of the elements. A breadth-first search
 * goes over the points, as Cuthill and McKee's does ("Reducing the bandwidth of sparse symmetric
 * matrices", 1969), and takes the elements of each point when it comes to that point: consecutive
 * elements name points of two consecutive levels of the search, which stay in the cache, and points
 * numbered as the elements name them first lie in the order of the search. Neighbours are not
 * sorted by degree, which makes matrices narrower, but not loops faster.
 *
 * The search of each component starts at the point that a first search reaches last. It runs on
 * one thread; the points, lists and rows of the next points in the queue are prefetched, because in
 * a shuffled mesh nearly all of them are cache misses.
 */
#include <stdlib.h>

#include "runtime/planner/blocks/blocks.h"

/* Points of the queue by which prefetches of offsets, lists and rows run ahead. */
enum { AHEAD_OFFSETS = 24, AHEAD_LISTS = 16, AHEAD_ROWS = 8 };

/* Marks of points and elements: by the search that has come to them last. */
enum { NEVER, FIRST_SEARCH, LAST_SEARCH };

struct search {
    const struct plan_mesh *mesh;
    unsigned char *point_mark;   /* [points] */
    unsigned char *element_mark; /* [elements] */
    int *queue;                  /* [points] points in the order of the search */
    int *order;                  /* [elements] elements of the last searches */
    int points;                  /* in the queue, of the components that are done */
    int elements;                /* in `order` */
};

__attribute__((always_inline)) static inline void prefetch(const struct search *search, int at,
                                                           int end)
{
    const struct plan_mesh *mesh = search->mesh;
    if (at + AHEAD_OFFSETS < end) {
        __builtin_prefetch(&mesh->touch_start[search->queue[at + AHEAD_OFFSETS]]);
    }
    if (at + AHEAD_LISTS < end) {
        __builtin_prefetch(&mesh->touch[mesh->touch_start[search->queue[at + AHEAD_LISTS]]]);
    }
    if (at + AHEAD_ROWS < end) {
        int p = search->queue[at + AHEAD_ROWS];
        for (int64_t i = mesh->touch_start[p]; i < mesh->touch_start[p + 1]; i++) {
            __builtin_prefetch(&mesh->point[(int64_t)mesh->touch[i] * mesh->arity]);
        }
    }
}

/* Puts the points of an element that the search has not met into the queue; returns its new end. */
static int meet(struct search *search, int e, unsigned char mark, int end)
{
    const struct plan_mesh *mesh = search->mesh;
    const int *row = mesh->point + (int64_t)e * mesh->arity;
    search->element_mark[e] = mark;
    for (int c = 0; c < mesh->arity; c++) {
        if (search->point_mark[row[c]] != mark) {
            search->point_mark[row[c]] = mark;
            search->queue[end++] = row[c];
        }
    }
    return end;
}

/* Searches the component of `from`. Its points go into the queue behind those of other components,
 * its elements into the order if this is the last search. Returns the end of the queue. */
static int walk(struct search *search, int from, unsigned char mark)
{
    const struct plan_mesh *mesh = search->mesh;
    int end = search->points;
    search->point_mark[from] = mark;
    search->queue[end++] = from;
    for (int at = search->points; at < end; at++) {
        int p = search->queue[at];
        prefetch(search, at, end);
        for (int64_t i = mesh->touch_start[p]; i < mesh->touch_start[p + 1]; i++) {
            int e = mesh->touch[i];
            if (search->element_mark[e] == mark) {
                continue;
            }
            end = meet(search, e, mark, end);
            if (mark == LAST_SEARCH) {
                search->order[search->elements++] = e;
            }
        }
    }
    return end;
}

static void search_all(struct search *search)
{
    const struct plan_mesh *mesh = search->mesh;
    for (int p = 0; p < mesh->points; p++) {
        if (search->point_mark[p] == NEVER && mesh->touch_start[p] < mesh->touch_start[p + 1]) {
            int end = walk(search, p, FIRST_SEARCH);
            search->points = walk(search, search->queue[end - 1], LAST_SEARCH);
        }
    }
}

int planner_blocks_bands(int *order, const struct plan_mesh *mesh, char error[PLANNER_ERROR])
{
    const char *what = "an order of elements in bands";
    struct search search = {.mesh = mesh, .order = order};
    search.point_mark = planner_zeroed((size_t)mesh->points, 1, what, error);
    search.element_mark = planner_zeroed((size_t)mesh->elements, 1, what, error);
    search.queue = planner_memory((size_t)mesh->points, sizeof *search.queue, what, error);
    int status =
        search.point_mark != NULL && search.element_mark != NULL && search.queue != NULL ? 0 : -1;
    if (status == 0) {
        search_all(&search);
    }
    free(search.point_mark);
    free(search.element_mark);
    free(search.queue);
    return status;
}
