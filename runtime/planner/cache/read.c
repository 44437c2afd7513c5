/* read.c: kept numberings come back. Nothing that an entry says is believed before it is checked.
 */
#include <stdlib.h>

#include "runtime/planner/cache/cache.h"
#include "runtime/planner/number/number.h"

uint64_t planner_cache_bytes(const struct cache_header *header)
{
    int sizes_fit = header->elements >= 0 && header->blocks >= (header->elements > 0) &&
                    header->blocks <= header->elements;
    if (!sizes_fit) {
        return 0;
    }
    struct plan_numbering sizes = {.elements = header->elements, .blocks = header->blocks};
    uint64_t bytes = sizeof *header;
    for (int a = 0; a < NUMBERING_ARRAYS; a++) {
        bytes += planner_numbering_bytes(&sizes, a);
    }
    return bytes;
}

static const char *header_fault(const struct cache_header *header, int elements, uint64_t bytes)
{
    if (header->version != CACHE_VERSION) {
        return "of another version of cleave";
    }
    if (header->elements != elements) {
        return "of another mesh";
    }
    if (planner_cache_bytes(header) == 0) {
        return "damaged (sizes)";
    }
    if (bytes != planner_cache_bytes(header)) {
        return "damaged (length)";
    }
    return NULL;
}

static int is_permutation(const int *order, int count)
{
    size_t words = (size_t)count / 64 + 1;
    uint64_t *seen = planner_zeroed(words, sizeof *seen, "a kept plan's order", NULL);
    int fits = seen != NULL;
    for (int i = 0; i < count && fits; i++) {
        fits =
            order[i] >= 0 && order[i] < count && (seen[order[i] / 64] >> (order[i] % 64) & 1) == 0;
        if (fits) {
            seen[order[i] / 64] |= UINT64_C(1) << (order[i] % 64);
        }
    }
    free(seen);
    return fits;
}

static const char *content_fault(const struct plan_numbering *numbering)
{
    int method_fits = numbering->method.start > PLAN_START_DEFAULT &&
                      numbering->method.start < PLAN_STARTS &&
                      numbering->method.improve > PLAN_IMPROVE_DEFAULT &&
                      numbering->method.improve <= PLAN_IMPROVE_ANNEAL;
    if (!method_fits) {
        return "damaged (method)";
    }
    const int *start = numbering->start;
    int fits = numbering->block_size >= 1 && numbering->block_size <= 1024 && start[0] == 0 &&
               start[numbering->blocks] == numbering->elements;
    for (int b = 0; b < numbering->blocks && fits; b++) {
        fits = start[b] < start[b + 1] && start[b + 1] - start[b] <= numbering->block_size;
    }
    if (!fits) {
        return "damaged (blocks)";
    }
    return is_permutation(numbering->order, numbering->elements) ? NULL : "damaged (order)";
}

/* Memory for the arrays of a numbering whose header has been checked. */
static struct plan_numbering *numbering_new(const struct cache_header *header)
{
    struct plan_numbering *numbering = planner_zeroed(1, sizeof *numbering, "a kept plan", NULL);
    if (numbering == NULL) {
        return NULL;
    }
    numbering->elements = header->elements;
    numbering->blocks = header->blocks;
    numbering->block_size = header->block_size;
    numbering->method.start = (enum plan_start)header->start;
    numbering->method.improve = (enum plan_improvement)header->improve;
    if (planner_numbering_reserve(numbering, NULL) != 0) {
        planner_numbering_free(numbering);
        return NULL;
    }
    return numbering;
}

static void take_arrays(struct cleave_entry *entry, const struct plan_numbering *numbering)
{
    int failed = 0;
    for (int a = 0; a < NUMBERING_ARRAYS && !failed; a++) {
        failed = cleave_entry_take(entry, planner_numbering_array(numbering, a),
                                   planner_numbering_bytes(numbering, a)) != 0;
    }
    if (cleave_entry_is_whole(entry)) {
        entry->fault = content_fault(numbering);
    }
}

/* The numbering of an open entry; NULL: memory is short, or entry->fault says what is wrong. */
static struct plan_numbering *take_numbering(struct cleave_entry *entry, int elements)
{
    struct cache_header header;
    struct plan_numbering *numbering = NULL;
    if (cleave_entry_take(entry, &header, sizeof header) != 0) {
        return NULL;
    }
    entry->fault = header_fault(&header, elements, entry->bytes);
    if (entry->fault == NULL) {
        numbering = numbering_new(&header);
    }
    if (numbering != NULL) {
        take_arrays(entry, numbering);
    }
    return numbering;
}

struct plan_numbering *planner_cache_read(const struct planner *planner,
                                          const struct store_key *key, int elements)
{
    struct cleave_entry entry;
    PLANNER_THREADS(planner);
    if (cleave_entry_open(&planner->store, CLEAVE_KEPT_PLANS, key, &entry) != 0) {
        return NULL;
    }
    struct plan_numbering *numbering = take_numbering(&entry, elements);
    if (cleave_entry_end(&entry) != 0) {
        planner_numbering_free(numbering);
        numbering = NULL;
    }
    return numbering;
}
