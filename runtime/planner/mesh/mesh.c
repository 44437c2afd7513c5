/* mesh.c: a loop's elements and points in one piece.
 *
 * In: the user's maps. Out: struct plan_mesh, whose elements may then be put in an
 * order of their own. Parallel; where threads meet at one point, they count, take minima, or leave
 * lists that are sorted afterwards, so that no result depends on who came first.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "runtime/planner/mesh/mesh.h"

/* ---- elements and points -------------------------------------------------------------------- */

/* offset[m]: the first number of map m's points in the common numbering. -1 when there are too many
 * points. */
static int number_sets(int64_t offset[CLEAVE_MAX_LISTS], struct plan_mesh *mesh, int maps,
                       const struct plan_map *map, char *error)
{
    int64_t points = 0;
    mesh->arity = 0;
    for (int m = 0; m < maps; m++) {
        int known = 0;
        while (known < m && map[known].target != map[m].target) {
            known++;
        }
        offset[m] = known < m ? offset[known] : points;
        points += known < m ? 0 : map[m].points;
        mesh->arity += map[m].columns;
    }
    if (points > INT_MAX) {
        snprintf(error, PLANNER_ERROR,
                 "the sets that a loop's maps lead to have %lld points together; at most %d",
                 (long long)points, INT_MAX);
        return -1;
    }
    mesh->points = (int)points;
    return 0;
}

static void copy_column(struct plan_mesh *mesh, int at, const struct plan_map *map, int column,
                        int offset)
{
    const int *row = map->row + column;
    int *point = mesh->point + at;
#pragma omp parallel for schedule(static)
    for (int e = 0; e < mesh->elements; e++) {
        point[(size_t)e * (size_t)mesh->arity] = row[(size_t)e * (size_t)map->dim] + offset;
    }
}

int planner_mesh_make(struct plan_mesh *mesh, int elements, int maps, const struct plan_map *map,
                      char error[PLANNER_ERROR])
{
    int64_t offset[CLEAVE_MAX_LISTS];
    *mesh = (struct plan_mesh){.elements = elements};
    if (number_sets(offset, mesh, maps, map, error) != 0) {
        return -1;
    }
    mesh->point = planner_memory((size_t)elements * (size_t)mesh->arity, sizeof *mesh->point,
                                 "the points of elements", error);
    if (mesh->point == NULL) {
        return -1;
    }
    int at = 0;
    for (int m = 0; m < maps; m++) {
        for (int k = 0; k < map[m].columns; k++) {
            copy_column(mesh, at++, &map[m], map[m].column[k], (int)offset[m]);
        }
    }
    return 0;
}

static void drop_touch(struct plan_mesh *mesh)
{
    free(mesh->touch_start);
    free(mesh->touch);
    mesh->touch_start = NULL;
    mesh->touch = NULL;
}

void planner_mesh_free(struct plan_mesh *mesh)
{
    drop_touch(mesh);
    free(mesh->point);
    free(mesh->user);
    mesh->point = NULL;
    mesh->user = NULL;
}

/* Prefetches rows this many elements ahead: orders may be random. */
#define AHEAD 16

int planner_mesh_permute(struct plan_mesh *mesh, const int *order, char error[PLANNER_ERROR])
{
    size_t arity = (size_t)mesh->arity;
    drop_touch(mesh);
    int *point = planner_memory((size_t)mesh->elements * arity, sizeof *point,
                                "the points of elements", error);
    int *user = planner_memory((size_t)mesh->elements, sizeof *user, "an order of elements", error);
    if (point == NULL || user == NULL) {
        free(point);
        free(user);
        return -1;
    }
#pragma omp parallel for schedule(static)
    for (int i = 0; i < mesh->elements; i++) {
        const int *from = mesh->point + (size_t)order[i] * arity;
        if (i < mesh->elements - AHEAD) {
            __builtin_prefetch(mesh->point + (size_t)order[i + AHEAD] * arity);
        }
        user[i] = mesh->user != NULL ? mesh->user[order[i]] : order[i];
        for (size_t c = 0; c < arity; c++) {
            point[(size_t)i * arity + c] = from[c];
        }
    }
    free(mesh->point);
    free(mesh->user);
    mesh->point = point;
    mesh->user = user;
    return 0;
}

/* ---- points by their first element ---------------------------------------------------------- */

static void lower(int *least, int value)
{
    int seen = __atomic_load_n(least, __ATOMIC_RELAXED);
    while (value < seen && !__atomic_compare_exchange_n(least, &seen, value, 1, __ATOMIC_RELAXED,
                                                        __ATOMIC_RELAXED)) {
    }
}

static void find_first_elements(int *first, const struct plan_mesh *mesh)
{
    size_t arity = (size_t)mesh->arity;
#pragma omp parallel
    {
#pragma omp for schedule(static)
        for (int p = 0; p < mesh->points; p++) {
            first[p] = mesh->elements;
        }
#pragma omp for schedule(static)
        for (int e = 0; e < mesh->elements; e++) {
            for (size_t c = 0; c < arity; c++) {
                lower(&first[mesh->point[(size_t)e * arity + c]], e);
            }
        }
    }
}

/* Whether column c of element e is the first place that names its point. */
static int names_first(const struct plan_mesh *mesh, const int *first, int e, int c)
{
    const int *point = mesh->point + (size_t)e * (size_t)mesh->arity;
    if (first[point[c]] != e) {
        return 0;
    }
    for (int earlier = 0; earlier < c; earlier++) {
        if (point[earlier] == point[c]) {
            return 0;
        }
    }
    return 1;
}

#define RENUMBER_CHUNK (1 << 15)

/* number[p] = how many points come before p. `first` is read only. */
static void number_points(int *number, int64_t *count, const int *first,
                          const struct plan_mesh *mesh)
{
    int chunks = mesh->elements / RENUMBER_CHUNK + 1;
    for (int pass = 0; pass < 2; pass++) {
#pragma omp parallel for schedule(static)
        for (int chunk = 0; chunk < chunks; chunk++) {
            int begin = chunk * RENUMBER_CHUNK;
            int length = mesh->elements - begin;
            int end = begin + (length < RENUMBER_CHUNK ? length : RENUMBER_CHUNK);
            int next = pass == 0 ? 0 : (int)count[chunk];
            for (int e = begin; e < end; e++) {
                for (int c = 0; c < mesh->arity; c++) {
                    if (names_first(mesh, first, e, c)) {
                        if (pass == 1) {
                            number[mesh->point[(size_t)e * (size_t)mesh->arity + (size_t)c]] = next;
                        }
                        next++;
                    }
                }
            }
            if (pass == 0) {
                count[chunk] = next;
            }
        }
        if (pass == 0) {
            planner_prefix(count, chunks);
        }
    }
}

static void apply_numbers(struct plan_mesh *mesh, const int *number)
{
    size_t entries = (size_t)mesh->elements * (size_t)mesh->arity;
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < entries; i++) {
        mesh->point[i] = number[mesh->point[i]];
    }
}

/* Points that nothing touches keep no number: mesh->points shrinks to those that have one. */
int planner_mesh_renumber_points(struct plan_mesh *mesh, char error[PLANNER_ERROR])
{
    const char *what = "numbers of points";
    int chunks = mesh->elements / RENUMBER_CHUNK + 1;
    drop_touch(mesh);
    int *first = planner_memory((size_t)mesh->points, sizeof *first, what, error);
    int *number = planner_memory((size_t)mesh->points, sizeof *number, what, error);
    int64_t *count = planner_memory((size_t)chunks + 1, sizeof *count, what, error);
    int status = -1;
    if (first != NULL && number != NULL && count != NULL) {
        find_first_elements(first, mesh);
        number_points(number, count, first, mesh);
        apply_numbers(mesh, number);
        mesh->points = (int)count[chunks];
        status = 0;
    }
    free(first);
    free(number);
    free(count);
    return status;
}

/* ---- the elements of each point ------------------------------------------------------------- */

/* Whether column c of an element repeats the point of an earlier one. */
static int repeats(const int *point, int c)
{
    for (int earlier = 0; earlier < c; earlier++) {
        if (point[earlier] == point[c]) {
            return 1;
        }
    }
    return 0;
}

/* touch_start[p+1] becomes the number of elements of p. */
static void count_touches(struct plan_mesh *mesh)
{
    int64_t *count = mesh->touch_start + 1;
#pragma omp parallel for schedule(static)
    for (int e = 0; e < mesh->elements; e++) {
        const int *point = mesh->point + (size_t)e * (size_t)mesh->arity;
        for (int c = 0; c < mesh->arity; c++) {
            if (!repeats(point, c)) {
                __atomic_fetch_add(&count[point[c]], 1, __ATOMIC_RELAXED);
            }
        }
    }
}

/* Moves touch_start[p+1] from the start of p's list to its end, the start of the next. */
static void fill_touches(struct plan_mesh *mesh)
{
    int64_t *next = mesh->touch_start + 1;
#pragma omp parallel for schedule(static)
    for (int e = 0; e < mesh->elements; e++) {
        const int *point = mesh->point + (size_t)e * (size_t)mesh->arity;
        for (int c = 0; c < mesh->arity; c++) {
            if (!repeats(point, c)) {
                mesh->touch[__atomic_fetch_add(&next[point[c]], 1, __ATOMIC_RELAXED)] = e;
            }
        }
    }
}

int planner_mesh_touch(struct plan_mesh *mesh, char error[PLANNER_ERROR])
{
    size_t points = (size_t)mesh->points;
    drop_touch(mesh);
    mesh->touch_start = planner_zeroed(points + 2, sizeof *mesh->touch_start,
                                       "the offsets of the elements of points", error);
    if (mesh->touch_start == NULL) {
        return -1;
    }
    count_touches(mesh);
    planner_prefix(mesh->touch_start, (int64_t)points + 1);
    size_t touches = (size_t)mesh->touch_start[points + 1];
    mesh->touch = planner_memory(touches, sizeof *mesh->touch, "the elements of points", error);
    if (mesh->touch == NULL) {
        drop_touch(mesh);
        return -1;
    }
    fill_touches(mesh);
#pragma omp parallel for schedule(dynamic, 4096)
    for (size_t p = 0; p < points; p++) {
        planner_sort_list(mesh->touch + mesh->touch_start[p],
                          mesh->touch_start[p + 1] - mesh->touch_start[p]);
    }
    return 0;
}
