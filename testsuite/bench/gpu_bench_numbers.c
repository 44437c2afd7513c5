/* gpu_bench_numbers.c: arrays of records, and their renumbering. */
#include "gpu_bench_numbers.h"

#include <stdlib.h>
#include <string.h>

#include "meshes/meshes_impl.h"

double *numbers_zero(size_t count)
{
    double *value = test_memory(count, sizeof *value);
    memset(value, 0, count * sizeof *value);
    return value;
}

void numbers_move(void *records, size_t bytes, int count, const int *number)
{
    char *moved = test_memory((size_t)count, bytes);
#pragma omp parallel for
    for (int i = 0; i < count; i++) {
        memcpy(moved + bytes * (size_t)number[i], (char *)records + bytes * (size_t)i, bytes);
    }
    memcpy(records, moved, bytes * (size_t)count);
    free(moved);
}

void numbers_rename(int *entry, size_t count, const int *number)
{
#pragma omp parallel for
    for (size_t i = 0; i < count; i++) {
        entry[i] = number[entry[i]];
    }
}
