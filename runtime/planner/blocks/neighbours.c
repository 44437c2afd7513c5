/* neighbours.c: the points beside each point.
 *
 * In: a mesh with the elements of each point. Out: its graph of points. Chunks of points are
 * collected at the same time, each into memory of its own, and joined in their order. */
#include "runtime/planner/blocks/neighbours.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Points of a chunk. */
#define CHUNK 2048
/* Longer lists are sorted by qsort(). */
#define SHORT_LIST 64
/* Points by which fetches run ahead, in a mesh whose numbers may be random: of the elements of a
 * point, and of the points of these. */
#define AHEAD_ELEMENTS 16
#define AHEAD_POINTS 8

struct chunk {
    int *point; /* owned: the neighbours of all its points, one after the other */
};

/* Memory of one thread. */
struct scratch {
    uint64_t *met; /* [room] ranks of the points beside one point */
    int64_t room;
    int *point; /* [points_room] neighbours of the points of a chunk */
    int64_t points_room;
};

/* ---- one point ------------------------------------------------------------------------------ */

static int compare_ranks(const void *a, const void *b)
{
    uint64_t first = *(const uint64_t *)a;
    uint64_t second = *(const uint64_t *)b;
    return (first > second) - (first < second);
}

/* Sorts met[count] and drops repetitions; returns how many are left. */
static int64_t sort_unique(uint64_t *met, int64_t count)
{
    int64_t unique = 0;
    qsort(met, (size_t)count, sizeof *met, compare_ranks);
    for (int64_t i = 0; i < count; i++) {
        if (unique == 0 || met[unique - 1] != met[i]) {
            met[unique++] = met[i];
        }
    }
    return unique;
}

/* Puts `rank` into its place in met[count], unless it is there; returns the new count. */
static int64_t insert(uint64_t *met, int64_t count, uint64_t rank)
{
    int64_t at = count;
    while (at > 0 && met[at - 1] > rank) {
        at--;
    }
    if (at > 0 && met[at - 1] == rank) {
        return count;
    }
    memmove(met + at + 1, met + at, (size_t)(count - at) * sizeof *met);
    met[at] = rank;
    return count + 1;
}

/* Most entries that the elements of a point have for other points. */
static int64_t most_beside(const struct plan_mesh *mesh, int point)
{
    return (mesh->touch_start[point + 1] - mesh->touch_start[point]) * mesh->arity;
}

/* Fills met[] with the ranks of the points beside `point`, rising; returns how many. */
static int64_t meet(uint64_t *met, const struct plan_mesh *mesh, int point)
{
    const int is_short = most_beside(mesh, point) <= SHORT_LIST;
    int64_t count = 0;
    for (int64_t i = mesh->touch_start[point]; i < mesh->touch_start[point + 1]; i++) {
        const int *other = mesh->point + (int64_t)mesh->touch[i] * mesh->arity;
        for (int c = 0; c < mesh->arity; c++) {
            if (other[c] == point) {
                continue;
            }
            uint64_t rank = planner_neighbours_rank(mesh, other[c]);
            if (is_short) {
                count = insert(met, count, rank);
            } else {
                met[count++] = rank;
            }
        }
    }
    return is_short ? count : sort_unique(met, count);
}

__attribute__((always_inline)) static inline void fetch_ahead(const struct plan_mesh *mesh,
                                                              int point)
{
    if (point + AHEAD_ELEMENTS < mesh->points) {
        const int64_t first = mesh->touch_start[point + AHEAD_ELEMENTS];
        const int64_t end = mesh->touch_start[point + AHEAD_ELEMENTS + 1];
        for (int64_t i = first; i < end && i < first + SHORT_LIST; i++) {
            __builtin_prefetch(mesh->point + (int64_t)mesh->touch[i] * mesh->arity);
        }
    }
    if (point + AHEAD_POINTS < mesh->points) {
        const int64_t first = mesh->touch_start[point + AHEAD_POINTS];
        const int64_t end = mesh->touch_start[point + AHEAD_POINTS + 1];
        for (int64_t i = first; i < end && i < first + SHORT_LIST; i++) {
            const int *other = mesh->point + (int64_t)mesh->touch[i] * mesh->arity;
            for (int c = 0; c < mesh->arity; c++) {
                __builtin_prefetch(&mesh->touch_start[other[c]]);
            }
        }
    }
}

/* ---- chunks --------------------------------------------------------------------------------- */

/* Makes room for `count` more; 0, or -1 without memory. Doubles, so that few copies are made. */
static int reserve(void **memory, int64_t *room, int64_t count, size_t bytes)
{
    if (count <= *room) {
        return 0;
    }
    int64_t more = count > 2 * *room ? count : 2 * *room;
    void *grown = realloc(*memory, (size_t)more * bytes);
    if (grown == NULL) {
        return -1;
    }
    *memory = grown;
    *room = more;
    return 0;
}

/* Collects the neighbours of points first..end-1; start[p] becomes how many p has. */
static int collect_chunk(struct chunk *chunk, struct scratch *scratch, int64_t *start,
                         const struct plan_mesh *mesh, int first, int end)
{
    int64_t total = 0;
    for (int p = first; p < end; p++) {
        const int64_t most = most_beside(mesh, p);
        fetch_ahead(mesh, p);
        if (reserve((void **)&scratch->met, &scratch->room, most + 1, sizeof *scratch->met) != 0) {
            return -1;
        }
        start[p] = meet(scratch->met, mesh, p);
        if (reserve((void **)&scratch->point, &scratch->points_room, total + start[p],
                    sizeof *scratch->point) != 0) {
            return -1;
        }
        for (int64_t i = 0; i < start[p]; i++) {
            scratch->point[total++] = (int)(scratch->met[i] & UINT32_MAX);
        }
    }
    chunk->point = planner_memory((size_t)total, sizeof *chunk->point, "", NULL);
    if (chunk->point == NULL) {
        return -1;
    }
    if (total > 0) {
        memcpy(chunk->point, scratch->point, (size_t)total * sizeof *chunk->point);
    }
    return 0;
}

static int end_of(int k, int points)
{
    return points - k * CHUNK < CHUNK ? points : (k + 1) * CHUNK;
}

static int collect(struct chunk *chunk, int chunks, int64_t *start, const struct plan_mesh *mesh,
                   char *error)
{
    int failed = 0;
#pragma omp parallel reduction(| : failed)
    {
        struct scratch scratch = {0};
#pragma omp for schedule(dynamic, 1)
        for (int k = 0; k < chunks; k++) {
            failed |= !failed && collect_chunk(&chunk[k], &scratch, start, mesh, k * CHUNK,
                                               end_of(k, mesh->points)) != 0;
        }
        free(scratch.met);
        free(scratch.point);
    }
    if (failed) {
        snprintf(error, PLANNER_ERROR, "out of memory for the graph of points");
    }
    return failed ? -1 : 0;
}

static void join(struct neighbours *near, const struct chunk *chunk, int chunks, int points)
{
#pragma omp parallel for schedule(static)
    for (int k = 0; k < chunks; k++) {
        const int64_t first = near->start[k * CHUNK];
        const int64_t count = near->start[end_of(k, points)] - first;
        if (count > 0) {
            memcpy(near->point + first, chunk[k].point, (size_t)count * sizeof *near->point);
        }
    }
}

static void free_chunks(struct chunk *chunk, int chunks)
{
    for (int k = 0; chunk != NULL && k < chunks; k++) {
        free(chunk[k].point);
    }
    free(chunk);
}

int planner_neighbours_make(struct neighbours *near, const struct plan_mesh *mesh, char *error)
{
    const char *what = "the graph of points";
    const int points = mesh->points;
    const int chunks = points / CHUNK + (points % CHUNK != 0);
    struct chunk *chunk = planner_zeroed((size_t)chunks, sizeof *chunk, what, error);
    *near = (struct neighbours){NULL, NULL};
    near->start = planner_memory((size_t)points + 1, sizeof *near->start, what, error);
    int status = chunk != NULL && near->start != NULL
                     ? collect(chunk, chunks, near->start, mesh, error)
                     : -1;
    if (status == 0) {
        planner_prefix(near->start, points);
        near->point = planner_memory((size_t)near->start[points], sizeof *near->point, what, error);
        status = near->point != NULL ? 0 : -1;
    }
    if (status == 0) {
        join(near, chunk, chunks, points);
    }
    free_chunks(chunk, chunks);
    return status;
}

/* ---- other numbers -------------------------------------------------------------------------- */

static void renumber(struct neighbours *near, const struct neighbours *from, int points,
                     const int *order, const int *number)
{
#pragma omp parallel for schedule(dynamic, CHUNK)
    for (int p = 0; p < points; p++) {
        const int64_t first = from->start[order[p]];
        const int64_t end = from->start[order[p] + 1];
        int *to = near->point + near->start[p];
        if (p + AHEAD_ELEMENTS < points) {
            __builtin_prefetch(from->point + from->start[order[p + AHEAD_ELEMENTS]]);
        }
        for (int64_t i = first; i < end; i++) {
            *to++ = number[from->point[i]];
        }
    }
}

int planner_neighbours_renumber(struct neighbours *near, const struct neighbours *from, int points,
                                const int *order, const int *number, char *error)
{
    const char *what = "the graph of points";
    *near = (struct neighbours){NULL, NULL};
    near->start = planner_memory((size_t)points + 1, sizeof *near->start, what, error);
    near->point = planner_memory((size_t)from->start[points], sizeof *near->point, what, error);
    if (near->start == NULL || near->point == NULL) {
        return -1;
    }
#pragma omp parallel for schedule(static)
    for (int p = 0; p < points; p++) {
        near->start[p] = from->start[order[p] + 1] - from->start[order[p]];
    }
    planner_prefix(near->start, points);
    renumber(near, from, points, order, number);
    return 0;
}

void planner_neighbours_free(struct neighbours *near)
{
    free(near->start);
    free(near->point);
}
