/* measure.c: what blocks are worth: planner_blocks_measure. */
#include <stdio.h>
#include <stdlib.h>

#include "runtime/planner/blocks/blocks.h"

#define CHUNK 4096

/* The distinct values of block[0..count-1], moved to its front; returns how many. */
static int distinct(int *block, int count)
{
    int kept = 0;
    for (int i = 0; i < count; i++) {
        int seen = 0;
        while (seen < kept && block[seen] != block[i]) {
            seen++;
        }
        if (seen == kept) {
            block[kept++] = block[i];
        }
    }
    return kept;
}

static int compare_ints(const void *a, const void *b)
{
    int left = *(const int *)a;
    int right = *(const int *)b;
    return (left > right) - (left < right);
}

/* Counts point p at each block that touches it; returns how many do. -1 without memory. */
static int64_t count_point(int *uniques, const struct blocks *blocks, const struct plan_mesh *mesh,
                           int p)
{
    int few[64];
    const int *touch = mesh->touch + mesh->touch_start[p];
    int64_t elements = mesh->touch_start[p + 1] - mesh->touch_start[p];
    int *block = elements <= 64 ? few : planner_memory((size_t)elements, sizeof *block, "", NULL);
    if (block == NULL) {
        return -1;
    }
    for (int64_t i = 0; i < elements; i++) {
        block[i] = blocks->of[touch[i]];
    }
    if (elements > 64) {
        qsort(block, (size_t)elements, sizeof *block, compare_ints);
    }
    int64_t count = 0;
    if (elements <= 64) {
        count = distinct(block, (int)elements);
        for (int64_t i = 0; i < count; i++) {
            __atomic_fetch_add(&uniques[block[i]], 1, __ATOMIC_RELAXED);
        }
        return count;
    }
    for (int64_t i = 0; i < elements; i++) {
        if (i == 0 || block[i] != block[i - 1]) {
            count++;
            __atomic_fetch_add(&uniques[block[i]], 1, __ATOMIC_RELAXED);
        }
    }
    free(block);
    return count;
}

int planner_blocks_measure(struct blocks_quality *quality, const struct blocks *blocks,
                           const struct plan_mesh *mesh, char error[PLANNER_ERROR])
{
    const char *what = "counting the points of blocks";
    int64_t touches = 0;
    int failed = 0;
    int most = 0;
    int *uniques = planner_zeroed((size_t)blocks->count, sizeof *uniques, what, error);
    if (uniques == NULL) {
        return -1;
    }
#pragma omp parallel for schedule(dynamic, CHUNK) reduction(+ : touches) reduction(| : failed)
    for (int p = 0; p < mesh->points; p++) {
        int64_t count = count_point(uniques, blocks, mesh, p);
        failed |= count < 0;
        touches += count < 0 ? 0 : count;
    }
#pragma omp parallel for schedule(static) reduction(max : most)
    for (int b = 0; b < blocks->count; b++) {
        most = uniques[b] > most ? uniques[b] : most;
    }
    free(uniques);
    if (failed) {
        snprintf(error, PLANNER_ERROR, "out of memory while %s", what);
        return -1;
    }
    *quality = (struct blocks_quality){(double)touches, most};
    return 0;
}
