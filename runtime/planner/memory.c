/* memory.c: memory, clock and checks of the input, for all of the planner.
 *
 * Loops over large arrays are cut into chunks of fixed size, so that no result depends on how many
 * threads there are.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "planner_impl.h"

#define ALIGNMENT 64
/* Arrays of this size on live in large pages where the system has them: random access to small
 * pages costs more than the data itself. */
#define LARGE_ARRAY ((size_t)8 << 20)
#define LARGE_PAGE ((size_t)2 << 20)
#define CLEAR_CHUNK ((size_t)1 << 20)

static void *allocate(size_t size)
{
    size_t alignment = size < LARGE_ARRAY ? ALIGNMENT : LARGE_PAGE;
    void *memory = aligned_alloc(alignment, (size / alignment + 1) * alignment);
#ifdef MADV_HUGEPAGE
    if (memory != NULL && size >= LARGE_ARRAY) {
        madvise(memory, size / LARGE_PAGE * LARGE_PAGE, MADV_HUGEPAGE);
    }
#endif
    return memory;
}

void *planner_memory(size_t count, size_t bytes, const char *what, char *error)
{
    size_t limit = SIZE_MAX / 2;
    void *memory = NULL;
    if (bytes == 0 || count <= limit / bytes) {
        memory = allocate(count * bytes);
    }
    if (memory == NULL && error != NULL) {
        snprintf(error, PLANNER_ERROR, "out of memory: cannot allocate %zu * %zu bytes for %s",
                 count, bytes, what);
    }
    return memory;
}

void *planner_zeroed(size_t count, size_t bytes, const char *what, char *error)
{
    char *memory = planner_memory(count, bytes, what, error);
    if (memory == NULL) {
        return NULL;
    }
    size_t size = count * bytes;
    int64_t chunks = (int64_t)(size / CLEAR_CHUNK) + 1;
#pragma omp parallel for if (chunks > 1)
    for (int64_t chunk = 0; chunk < chunks; chunk++) {
        size_t first = (size_t)chunk * CLEAR_CHUNK;
        size_t left = size - first;
        memset(memory + first, 0, left < CLEAR_CHUNK ? left : CLEAR_CHUNK);
    }
    return memory;
}

double planner_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Phases of one name are added up; what does not fit any more is added to the last. */
void planner_phase(struct plan_phases *phases, const char *name, double begin, int serial)
{
    if (phases == NULL) {
        return;
    }
    double seconds = planner_clock() - begin;
    int at = 0;
    while (at < phases->count && at < PLANNER_PHASES - 1 &&
           strcmp(phases->phase[at].name, name) != 0) {
        at++;
    }
    if (at == phases->count) {
        phases->count++;
        phases->phase[at].name = name;
        phases->phase[at].seconds = 0;
        phases->phase[at].serial = serial;
    }
    phases->phase[at].seconds += seconds;
}

/* ---- input ---------------------------------------------------------------------------------- */

static int check_sizes(int elements, int maps, int block_size, char *error)
{
    if (elements < 0 || maps < 0 || maps > CLEAVE_MAX_LISTS) {
        snprintf(error, PLANNER_ERROR, "a plan for %d elements through %d maps; at most %d maps",
                 elements, maps, CLEAVE_MAX_LISTS);
        return -1;
    }
    if (block_size < 1 || block_size > 1024) {
        snprintf(error, PLANNER_ERROR, "the block size is %d; it must be 1 to 1024", block_size);
        return -1;
    }
    return 0;
}

static int check_shape(int elements, const struct plan_map *map, int m, char *error)
{
    const struct plan_map *own = &map[m];
    if (own->dim < 1 || own->points < 0 || own->columns < 0 || own->columns > CLEAVE_MAX_COLUMNS ||
        (own->row == NULL && elements > 0)) {
        snprintf(error, PLANNER_ERROR,
                 "map %d has %d columns, %d of them used (at most %d), %d points and %s entries", m,
                 own->dim, own->columns, CLEAVE_MAX_COLUMNS, own->points,
                 own->row == NULL ? "no" : "its");
        return -1;
    }
    for (int k = 0; k < own->columns; k++) {
        if (own->column[k] < 0 || own->column[k] >= own->dim) {
            snprintf(error, PLANNER_ERROR, "map %d has %d columns; column %d does not exist", m,
                     own->dim, own->column[k]);
            return -1;
        }
    }
    for (int other = 0; other < m; other++) {
        if (map[other].target == own->target && map[other].points != own->points) {
            snprintf(error, PLANNER_ERROR,
                     "maps %d and %d lead to set %d, with %d and with %d points", other, m,
                     own->target, map[other].points, own->points);
            return -1;
        }
    }
    return 0;
}

/* The first used column of element e whose entry is out of range, or -1. */
static int bad_column(const struct plan_map *map, int e)
{
    const int *row = map->row + (size_t)e * (size_t)map->dim;
    for (int k = 0; k < map->columns; k++) {
        if (row[map->column[k]] < 0 || row[map->column[k]] >= map->points) {
            return map->column[k];
        }
    }
    return -1;
}

static int check_entries(int elements, const struct plan_map *map, int m, char *error)
{
    int first = INT_MAX;
#pragma omp parallel for reduction(min : first)
    for (int e = 0; e < elements; e++) {
        if (e < first && bad_column(map, e) >= 0) {
            first = e;
        }
    }
    if (first == INT_MAX) {
        return 0;
    }
    int column = bad_column(map, first);
    snprintf(error, PLANNER_ERROR, "map %d, row %d, column %d is %d; its set has %d points", m,
             first, column, map->row[(size_t)first * (size_t)map->dim + (size_t)column],
             map->points);
    return -1;
}

int planner_check_input(int elements, int maps, const struct plan_map *map, int block_size,
                        char error[PLANNER_ERROR])
{
    if (check_sizes(elements, maps, block_size, error) != 0) {
        return -1;
    }
    for (int m = 0; m < maps; m++) {
        if (check_shape(elements, map, m, error) != 0 ||
            check_entries(elements, &map[m], m, error) != 0) {
            return -1;
        }
    }
    return 0;
}
