/* neighbours.c: the points beside each point.
 *
 * In: a mesh with the elements of each point. Out: its graph of points. Each list gets the room
 * that it could need at most, so that threads fill one array at the same time, and none allocates.
 */
#include "runtime/planner/blocks/neighbours.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Points that a thread takes at a time. */
#define CHUNK 2048
/* Longer lists are sorted by qsort(). */
#define SHORT_LIST 64
/* Points by which fetches run ahead, in a mesh whose numbers may be random: of the elements of a
 * point, and of the points of these. */
#define AHEAD_ELEMENTS 16
#define AHEAD_POINTS 8

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

/* ---- all points ----------------------------------------------------------------------------- */

static int64_t most_of_all(const struct plan_mesh *mesh)
{
    int64_t most = 0;
#pragma omp parallel for schedule(static) reduction(max : most)
    for (int p = 0; p < mesh->points; p++) {
        const int64_t beside = most_beside(mesh, p);
        most = beside > most ? beside : most;
    }
    return most;
}

static int fill(struct neighbours *near, const struct plan_mesh *mesh, char *error)
{
    const size_t room = (size_t)most_of_all(mesh) + 1;
    int failed = 0;
#pragma omp parallel reduction(| : failed)
    {
        uint64_t *met = planner_memory(room, sizeof *met, "", NULL);
        failed = met == NULL;
#pragma omp for schedule(dynamic, CHUNK)
        for (int p = 0; p < mesh->points; p++) {
            if (!failed) {
                fetch_ahead(mesh, p);
                int64_t at = mesh->touch_start[p] * (mesh->arity - 1);
                const int64_t count = meet(met, mesh, p);
                near->start[p] = at;
                near->end[p] = at + count;
                for (int64_t i = 0; i < count; i++) {
                    near->point[at++] = (int)(met[i] & UINT32_MAX);
                }
            }
        }
        free(met);
    }
    if (failed) {
        snprintf(error, PLANNER_ERROR, "out of memory for the graph of points");
    }
    return failed ? -1 : 0;
}

static int reserve(struct neighbours *near, int points, int64_t entries, char *error)
{
    const char *what = "the graph of points";
    *near = (struct neighbours){NULL, NULL, NULL};
    near->start = planner_memory((size_t)points + 1, sizeof *near->start, what, error);
    near->end = planner_memory((size_t)points, sizeof *near->end, what, error);
    near->point = planner_memory((size_t)entries, sizeof *near->point, what, error);
    return near->start != NULL && near->end != NULL && near->point != NULL ? 0 : -1;
}

int planner_neighbours_make(struct neighbours *near, const struct plan_mesh *mesh, char *error)
{
    const int64_t entries = mesh->touch_start[mesh->points] * (mesh->arity - 1);
    return reserve(near, mesh->points, entries, error) == 0 ? fill(near, mesh, error) : -1;
}

/* ---- other numbers -------------------------------------------------------------------------- */

int planner_neighbours_renumber(struct neighbours *near, const struct neighbours *from, int points,
                                const int *order, const int *number, char *error)
{
    int64_t entries = 0;
#pragma omp parallel for schedule(static) reduction(+ : entries)
    for (int p = 0; p < points; p++) {
        entries += from->end[p] - from->start[p];
    }
    if (reserve(near, points, entries, error) != 0) {
        return -1;
    }
#pragma omp parallel for schedule(static)
    for (int p = 0; p < points; p++) {
        near->start[p] = from->end[order[p]] - from->start[order[p]];
    }
    planner_prefix(near->start, points);
#pragma omp parallel for schedule(dynamic, CHUNK)
    for (int p = 0; p < points; p++) {
        int64_t at = near->start[p];
        if (p + AHEAD_ELEMENTS < points) {
            __builtin_prefetch(from->point + from->start[order[p + AHEAD_ELEMENTS]]);
        }
        for (int64_t i = from->start[order[p]]; i < from->end[order[p]]; i++) {
            near->point[at++] = number[from->point[i]];
        }
        near->end[p] = at;
    }
    return 0;
}

void planner_neighbours_free(struct neighbours *near)
{
    free(near->start);
    free(near->end);
    free(near->point);
}
