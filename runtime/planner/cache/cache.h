/* cache.h: what the files of this folder share: the content of a kept numbering. The store
 * (runtime/store/entries/entries.h) keeps it as an entry:
 *
 *   struct cache_header | start[blocks+1] | order[elements]
 *
 * The arrays are those of planner_numbering_arrays, in its order. */
#ifndef CLEAVE_CACHE_H
#define CLEAVE_CACHE_H

#include "runtime/planner/base/base.h"

/* Raised whenever any step that decides a numbering changes: part of the key and of the header. */
#define CACHE_VERSION 2

struct cache_header {
    uint32_t version;
    int32_t elements;
    int32_t blocks;
    int32_t block_size;
    int32_t start;   /* enum plan_start: what was really done */
    int32_t improve; /* enum plan_improvement */
};

/* Bytes of the content with this header, or 0 when the header's sizes are out of range. */
uint64_t planner_cache_bytes(const struct cache_header *header);

#endif
