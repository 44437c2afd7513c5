/* hash.c: FNV-1a (G. Fowler, L. Noll, K.-P. Vo). */
#include "runtime/planner/base/base.h"

#define PRIME UINT64_C(0x100000001b3)

void planner_hash_bytes(uint64_t *hash, const void *data, size_t bytes)
{
    const unsigned char *byte = data;
    uint64_t state = *hash;
    for (size_t i = 0; i < bytes; i++) {
        state = (state ^ byte[i]) * PRIME;
    }
    *hash = state;
}

void planner_hash_number(uint64_t *hash, int number)
{
    planner_hash_bytes(hash, &number, sizeof number);
}
