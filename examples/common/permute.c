/* permute.c: permutations at random, and moving rows and map entries by them. Valid C and C++. */
#include "permute.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *memory(size_t count, size_t bytes)
{
    void *block = count < SIZE_MAX / (bytes + 1) ? malloc(count * bytes + 1) : NULL;
    if (block == NULL) {
        fprintf(stderr, "not enough memory to number %zu rows at random\n", count);
        exit(1);
    }
    return block;
}

/* Steele, Lea, Flood: "Fast splittable pseudorandom number generators" (splitmix64). */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* Fisher and Yates: item i takes the number of one of the items before it, or its own. */
int *permutation_new(int n, int seed)
{
    int *to = (int *)memory((size_t)n, sizeof *to);
    uint64_t state = (uint64_t)seed;
    for (int i = 0; i < n; i++) {
        const int other = (int)(next_random(&state) % ((uint64_t)i + 1));
        to[i] = to[other];
        to[other] = i;
    }
    return to;
}

void permute_rows(void *rows, int n, size_t row_bytes, const int *to)
{
    char *moved = (char *)memory((size_t)n, row_bytes);
    for (int i = 0; i < n; i++) {
        memcpy(moved + row_bytes * (size_t)to[i], (const char *)rows + row_bytes * (size_t)i,
               row_bytes);
    }
    memcpy(rows, moved, row_bytes * (size_t)n);
    free(moved);
}

void permute_entries(int *map, size_t n, const int *to)
{
    for (size_t i = 0; i < n; i++) {
        map[i] = to[map[i]];
    }
}
