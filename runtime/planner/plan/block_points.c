/* block_points.c: lists of the different points of each block.
 *
 * In: what collects the points of one block. Out: the lists, one after the other, and their
 * offsets.
 *
 * Chunks of blocks are done in parallel: a block's points go through a small hash table, are sorted
 * and appended to the chunk's list; the chunks' lists then form the whole.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/planner/plan/build.h"

/* ---- the points of one block --------------------------------------------------------------- */

static int slots_for(int entries, int *shift)
{
    int bits = 4;
    while (1 << bits < 2 * entries) {
        bits++;
    }
    *shift = 32 - bits;
    return 1 << bits;
}

int planner_table_open(struct point_table *table, int most, const char *what, char *error)
{
    size_t slots = (size_t)slots_for(most, &table->shift);
    size_t points = (size_t)most;
    table->slot = planner_memory(slots, sizeof *table->slot, what, error);
    table->place = planner_memory(slots, sizeof *table->place, what, error);
    table->unique = planner_memory(points, sizeof *table->unique, what, error);
    table->scratch = planner_memory(points, sizeof *table->scratch, what, error);
    return table->slot != NULL && table->place != NULL && table->unique != NULL &&
                   table->scratch != NULL
               ? 0
               : -1;
}

void planner_table_close(struct point_table *table)
{
    free(table->slot);
    free(table->place);
    free(table->unique);
    free(table->scratch);
}

void planner_table_clear(struct point_table *table, int entries)
{
    int slots = slots_for(entries, &table->shift);
    memset(table->slot, 0xff, (size_t)slots * sizeof *table->slot);
    table->length = 0;
}

void planner_table_sort(struct point_table *table)
{
    planner_sort_small(table->unique, table->length, table->scratch);
    for (int k = 0; k < table->length; k++) {
        table->place[plan_table_find(table, table->unique[k])] = (unsigned short)k;
    }
}

/* ---- chunks -------------------------------------------------------------------------------- */

/* The lists of consecutive blocks. */
struct chunk {
    int *point;
    int points;
    int capacity;
};

static int append(struct chunk *chunk, const struct point_table *table, const char *what,
                  char *error)
{
    if (table->length == 0) {
        return 0;
    }
    if (table->length > chunk->capacity - chunk->points) {
        int wanted = chunk->points + table->length + chunk->capacity / 2;
        int *larger = planner_memory((size_t)wanted, sizeof *larger, what, error);
        if (larger == NULL) {
            return -1;
        }
        if (chunk->points > 0) {
            memcpy(larger, chunk->point, (size_t)chunk->points * sizeof *larger);
        }
        free(chunk->point);
        chunk->point = larger;
        chunk->capacity = wanted;
    }
    memcpy(chunk->point + chunk->points, table->unique,
           (size_t)table->length * sizeof *chunk->point);
    chunk->points += table->length;
    return 0;
}

/* While chunks are made, start[b+1] is the length of list b. */
static int make_chunk(const struct block_points *lists, struct chunk *chunk,
                      struct point_table *table, int first, char *error)
{
    int left = lists->blocks - first;
    int blocks = left < lists->at_once ? left : lists->at_once;
    for (int b = first; b < first + blocks; b++) {
        if (lists->collect(lists->source, table, b, error) != 0 ||
            append(chunk, table, lists->what, error) != 0) {
            return -1;
        }
        lists->start[b + 1] = table->length;
    }
    return 0;
}

/* A thread takes its chunks in ascending order and none after one that failed: the first chunk that
 * fails is always tried, and its message kept. */
static int make_chunks(const struct block_points *lists, struct chunk *chunk, int chunks,
                       char *error)
{
    int failed = INT_MAX;
#pragma omp parallel if (chunks > 1)
    {
        char own_error[PLANNER_ERROR];
        struct point_table table = {0};
        int own_failed =
            planner_table_open(&table, lists->most, lists->what, own_error) == 0 ? INT_MAX : -1;
#pragma omp for schedule(monotonic : dynamic, 1)
        for (int k = 0; k < chunks; k++) {
            if (own_failed == INT_MAX &&
                make_chunk(lists, &chunk[k], &table, k * lists->at_once, own_error) != 0) {
                own_failed = k;
            }
        }
#pragma omp critical(cleave_block_points_fail)
        if (own_failed < failed) {
            failed = own_failed;
            snprintf(error, PLANNER_ERROR, "%s", own_error);
        }
        planner_table_close(&table);
    }
    return failed == INT_MAX ? 0 : -1;
}

/* ---- all blocks ---------------------------------------------------------------------------- */

/* From the lengths of the lists to their offsets and the longest; -1 when there are too many
 * points. */
static int make_offsets(struct block_points *lists, char *error)
{
    int64_t points = 0;
    lists->start[0] = 0;
    for (int b = 0; b < lists->blocks; b++) {
        int length = lists->start[b + 1];
        lists->longest = length > lists->longest ? length : lists->longest;
        points += length;
        if (points > INT_MAX) {
            snprintf(error, PLANNER_ERROR,
                     "the blocks of a plan reach more than %d points through one map; use larger "
                     "blocks",
                     INT_MAX);
            return -1;
        }
        lists->start[b + 1] = (int)points;
    }
    return 0;
}

/* Puts the chunks' lists one after the other. */
static int join_chunks(struct block_points *lists, const struct chunk *chunk, int chunks,
                       char *error)
{
    lists->point =
        planner_memory((size_t)lists->start[lists->blocks], sizeof(int), lists->what, error);
    if (lists->point == NULL) {
        return -1;
    }
#pragma omp parallel for schedule(dynamic, 1) if (chunks > 1)
    for (int k = 0; k < chunks; k++) {
        if (chunk[k].points > 0) {
            memcpy(lists->point + lists->start[k * lists->at_once], chunk[k].point,
                   (size_t)chunk[k].points * sizeof(int));
        }
    }
    return 0;
}

int planner_list_block_points(struct block_points *lists, char *error)
{
    int chunks = lists->blocks > 0 ? (lists->blocks - 1) / lists->at_once + 1 : 0;
    lists->start = planner_memory((size_t)lists->blocks + 1, sizeof(int),
                                  "the offsets of a plan's unique points", error);
    struct chunk *chunk = planner_zeroed((size_t)chunks, sizeof *chunk, lists->what, error);
    int status = lists->start != NULL && chunk != NULL ? 0 : -1;
    if (status == 0) {
        status = make_chunks(lists, chunk, chunks, error);
    }
    if (status == 0) {
        status = make_offsets(lists, error);
    }
    if (status == 0) {
        status = join_chunks(lists, chunk, chunks, error);
    }
    for (int k = 0; chunk != NULL && k < chunks; k++) {
        free(chunk[k].point);
    }
    free(chunk);
    return status;
}
