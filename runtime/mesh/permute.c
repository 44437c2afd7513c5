/* permute.c: permutations of records and of maps, in parallel. Every record is moved by one
 * thread, and nothing depends on how many there are (cleave_copy_threads). */
#include "runtime/mesh/mesh.h"

/* Records: below this number, waking threads costs more than it saves. */
#define PARALLEL_FROM 20000

/* Callers pass a constant `bytes`, so that the compiler turns the copy into a few moves. */
static inline __attribute__((always_inline)) void
gather(char *to, const char *from, const int *index, size_t count, size_t bytes)
{
#pragma omp parallel for schedule(static) if (count >= PARALLEL_FROM)                              \
    num_threads(cleave_copy_threads())
    for (size_t i = 0; i < count; i++) {
        memcpy(to + i * bytes, from + (size_t)index[i] * bytes, bytes);
    }
}

static inline __attribute__((always_inline)) void
scatter(char *to, const char *from, const int *index, size_t count, size_t bytes)
{
#pragma omp parallel for schedule(static) if (count >= PARALLEL_FROM)                              \
    num_threads(cleave_copy_threads())
    for (size_t i = 0; i < count; i++) {
        memcpy(to + (size_t)index[i] * bytes, from + i * bytes, bytes);
    }
}

/* Plain copies and zeros go by so many bytes. */
#define STEP ((size_t)256 << 10)

static size_t steps_of(size_t bytes)
{
    return (bytes + STEP - 1) / STEP;
}

void cleave_permute_copy(void *to, const void *from, size_t bytes)
{
    const size_t steps = steps_of(bytes);
#pragma omp parallel for schedule(static) if (steps > 2) num_threads(cleave_copy_threads())
    for (size_t i = 0; i < steps; i++) {
        const size_t at = i * STEP;
        memcpy((char *)to + at, (const char *)from + at, MIN(STEP, bytes - at));
    }
}

void cleave_permute_zero(void *to, size_t bytes)
{
    const size_t steps = steps_of(bytes);
#pragma omp parallel for schedule(static) if (steps > 2) num_threads(cleave_copy_threads())
    for (size_t i = 0; i < steps; i++) {
        const size_t at = i * STEP;
        memset((char *)to + at, 0, MIN(STEP, bytes - at));
    }
}

void cleave_permute_gather(void *to, const void *from, const int *index, size_t count, size_t bytes)
{
    switch (bytes) {
    case 4:
        gather(to, from, index, count, 4);
        break;
    case 8:
        gather(to, from, index, count, 8);
        break;
    case 16:
        gather(to, from, index, count, 16);
        break;
    case 32:
        gather(to, from, index, count, 32);
        break;
    default:
        gather(to, from, index, count, bytes);
    }
}

void cleave_permute_scatter(void *to, const void *from, const int *index, size_t count,
                            size_t bytes)
{
    switch (bytes) {
    case 4:
        scatter(to, from, index, count, 4);
        break;
    case 8:
        scatter(to, from, index, count, 8);
        break;
    case 16:
        scatter(to, from, index, count, 16);
        break;
    case 32:
        scatter(to, from, index, count, 32);
        break;
    default:
        scatter(to, from, index, count, bytes);
    }
}

void cleave_permute_invert(int *inverse, const int *order, int count)
{
#pragma omp parallel for schedule(static) if (count >= PARALLEL_FROM)                              \
    num_threads(cleave_copy_threads())
    for (int i = 0; i < count; i++) {
        inverse[order[i]] = i;
    }
}

int cleave_permute_is_identity(const int *order, int count)
{
    int moved = 0;
#pragma omp parallel for schedule(static) reduction(| : moved) if (count >= PARALLEL_FROM)         \
    num_threads(cleave_copy_threads())
    for (int i = 0; i < count; i++) {
        moved |= order[i] != i;
    }
    return !moved;
}

void cleave_permute_map(int *to, const int *from, int rows, int dim, const int *to_user,
                        const int *to_own)
{
#pragma omp parallel for schedule(static) if (rows >= PARALLEL_FROM)                               \
    num_threads(cleave_copy_threads())
    for (int i = 0; i < rows; i++) {
        const int *row = from + (size_t)(to_user != NULL ? to_user[i] : i) * (size_t)dim;
        int *own = to + (size_t)i * (size_t)dim;
        for (int c = 0; c < dim; c++) {
            own[c] = to_own != NULL ? to_own[row[c]] : row[c];
        }
    }
}
