/* lists.c: the elements of each block. */
#include <stdlib.h>

#include "runtime/planner/blocks/blocks.h"

static int is_sorted(const int *of, int elements)
{
    int sorted = 1;
#pragma omp parallel for schedule(static) reduction(& : sorted)
    for (int i = 1; i < elements; i++) {
        sorted &= of[i - 1] <= of[i];
    }
    return sorted;
}

static int sort_by_block(int *element, const struct blocks *blocks, int elements, char *error)
{
    if (is_sorted(blocks->of, elements)) {
#pragma omp parallel for schedule(static)
        for (int i = 0; i < elements; i++) {
            element[i] = i;
        }
        return 0;
    }
    int bits = 1;
    while (blocks->count >> bits != 0) {
        bits++;
    }
    uint64_t *key = planner_memory((size_t)elements, sizeof *key, "sorting by block", error);
    if (key == NULL) {
        return -1;
    }
#pragma omp parallel for schedule(static)
    for (int i = 0; i < elements; i++) {
        key[i] = (uint64_t)blocks->of[i];
    }
    int status = planner_sort(element, key, elements, bits, error);
    free(key);
    return status;
}

int planner_blocks_lists(int **start, int **element, const struct blocks *blocks, int elements,
                         char error[PLANNER_ERROR])
{
    const char *what = "the elements of blocks";
    *start = planner_memory((size_t)blocks->count + 1, sizeof **start, what, error);
    *element = planner_memory((size_t)elements, sizeof **element, what, error);
    if (*start == NULL || *element == NULL ||
        sort_by_block(*element, blocks, elements, error) != 0) {
        free(*start);
        free(*element);
        *start = NULL;
        *element = NULL;
        return -1;
    }
    /* start[b] = the first place whose element's block is b or a later one. */
#pragma omp parallel for schedule(static)
    for (int i = 0; i <= elements; i++) {
        int block = i < elements ? blocks->of[(*element)[i]] : blocks->count;
        int before = i > 0 ? blocks->of[(*element)[i - 1]] : -1;
        for (int b = before + 1; b <= block; b++) {
            (*start)[b] = i;
        }
    }
    return 0;
}
