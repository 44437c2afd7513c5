/* memory.c: memory and the times of phases, for all of the planner. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "runtime/planner/base/base.h"

#define ALIGNMENT 64
/* Arrays of this size on live in large pages where the system has them: random access to small
 * pages costs more than the data itself. */
#define LARGE_ARRAY ((size_t)2 << 20)
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
