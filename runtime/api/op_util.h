/* op_util.h: OP2's helpers for arrays, which programs include for themselves. Inline: they bear
 * plain names, which the library must not take. Arrays are borrowed. */
#ifndef CLEAVE_OP_UTIL_H
#define CLEAVE_OP_UTIL_H

#include "op_lib_core.h"

#ifdef __cplusplus
#include <algorithm>
extern "C" {
#endif

/* Memory, never NULL: without enough the program ends. The caller frees it. */
static inline void *op_util_checked(void *memory, size_t size)
{
    if (memory == NULL && size > 0) {
        fprintf(stderr, "cleave: error: out of memory: %zu bytes\n", size);
        exit(EXIT_FAILURE);
    }
    return memory;
}

static inline void *xmalloc(size_t size)
{
    return op_util_checked(malloc(size), size);
}

static inline void *xcalloc(size_t count, size_t size)
{
    return op_util_checked(calloc(count, size), count * size);
}

static inline void *xrealloc(void *memory, size_t size)
{
    return op_util_checked(realloc(memory, size), size);
}

/* Elements of process `rank` of `processes` when `size` are shared out evenly, the first ones
 * taking one more where that does not work out. */
static inline int compute_local_size(int size, int processes, int rank)
{
    return size / processes + (rank < size % processes);
}

static inline int file_exist(const char *name)
{
    FILE *file = fopen(name, "r");
    if (file != NULL) {
        fclose(file);
    }
    return file != NULL;
}

/* The first place of `value` in array[low..high], or -1. */
static inline int linear_search(int *array, int value, int low, int high)
{
    int i;
    for (i = low; i <= high; i++) {
        if (array[i] == value) {
            return i;
        }
    }
    return -1;
}

/* Sorts keys[0..size-1] upwards, and with them the rows of `rows`, of row_bytes each. Equal keys
 * keep their order. */
void op_sort_rows(int *keys, void *rows, size_t row_bytes, int size);

static inline void op_sort_2(int *keys, int *values, int size)
{
    op_sort_rows(keys, values, sizeof *values, size);
}

static inline void op_sort_dat(int *keys, char *data, int size, int element_bytes)
{
    op_sort_rows(keys, data, (size_t)element_bytes, size);
}

static inline void op_sort_map(int *keys, int *map, int size, int dim)
{
    op_sort_rows(keys, map, sizeof *map * (size_t)dim, size);
}

#ifdef __cplusplus
}

/* The least of array[0..size-1], which has one element at least. */
inline int min(int *array, int size)
{
    return *std::min_element(array, array + size);
}

/* A place of `value` in the ascending array[low..high], or -1. */
template <typename T, typename U> inline int binary_search(T *array, U value, int low, int high)
{
    T *end = array + high + 1;
    T *at = std::lower_bound(array + low, end, value);
    return at != end && !(value < *at) ? (int)(at - array) : -1;
}

template <typename T> inline void op_sort(T *array, int size)
{
    std::sort(array, array + size);
}

/* Moves the different ones of a sorted array to its front, and returns how many there are. */
template <typename T> inline int removeDups(T *array, int size)
{
    return (int)(std::unique(array, array + size) - array);
}

#else

static inline int min(int *array, int size)
{
    int least = array[0];
    int i;
    for (i = 1; i < size; i++) {
        least = array[i] < least ? array[i] : least;
    }
    return least;
}

static inline int binary_search(int *array, int value, int low, int high)
{
    while (low <= high) {
        int middle = low + (high - low) / 2;
        if (array[middle] == value) {
            return middle;
        }
        if (array[middle] < value) {
            low = middle + 1;
        } else {
            high = middle - 1;
        }
    }
    return -1;
}

#endif

#endif
