/* random_bits.h: for programs whose results must be the same bit for bit: meshes numbered at
 * random, and the bits of a dat. */
#ifndef RANDOM_BITS_H
#define RANDOM_BITS_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "op_seq.h"

static unsigned long long random_state;

static int below(int limit)
{
    random_state = random_state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (int)((random_state >> 33) % (unsigned long long)limit);
}

/* The numbers below size in an order that random_state decides; the caller's to free. */
static int *shuffled(int size)
{
    int *number = (int *)calloc((size_t)size, sizeof *number);
    for (int i = 0; i < size; i++) {
        int other = below(i + 1);
        number[i] = number[other];
        number[other] = i;
    }
    return number;
}

static void print_dat(op_dat dat)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    size_t bytes = (size_t)dat->size * (size_t)op_get_size(dat->set);
    unsigned char *data = (unsigned char *)malloc(bytes);
    op_fetch_data(dat, data);
    for (size_t i = 0; i < bytes; i++) {
        hash = (hash ^ data[i]) * UINT64_C(1099511628211);
    }
    printf("%-10s %016" PRIx64 "\n", dat->name, hash);
    free(data);
}

#endif
