/* lists.c: the points that each map reaches from each block.
 *
 * In: the plan's blocks and the maps. Out: list[]: per block the unique points, ascending, and for
 * each position and column the place of its point in the block's list. A block reaches at most
 * 1024 * CLEAVE_MAX_COLUMNS points, so places fit 16 bits.
 *
 * Chunks of blocks are done in parallel: a block's points go through a small hash table, are sorted
 * and appended to the chunk's list; the chunks' lists then form the whole.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "build.h"

/* The points of one block on their way; of one thread. Slots are numbered below 2 * 16384. */
struct table {
    int shift;             /* 32 - log2 of the slots in use */
    int *slot;             /* [slots] a point, -1: free */
    unsigned short *place; /* [slots] of the point in the block's list */
    int *unique;           /* [block_size*columns] */
    int *scratch;          /* [block_size*columns] */
};

/* The lists of consecutive blocks. */
struct chunk {
    int *point;
    int points;
};

struct list_builder {
    const struct plan_job *job;
    const struct plan_map *map;
    int *start; /* [blocks+1] while chunks are made, start[b+1] is the length of list b */
    unsigned short *local; /* [columns*size] */
    struct chunk *chunk;   /* [chunks] */
    int chunks;
    int at_once; /* blocks of a chunk */
};

static int slots_for(int entries, int *shift)
{
    int bits = 4;
    while (1 << bits < 2 * entries) {
        bits++;
    }
    *shift = 32 - bits;
    return 1 << bits;
}

static int table_open(struct table *table, const struct list_builder *builder, char *error)
{
    static const char what[] = "the unique points of a block";
    int entries = builder->job->plan->block_size * builder->map->columns;
    size_t slots = (size_t)slots_for(entries, &table->shift);
    table->slot = planner_memory(slots, sizeof *table->slot, what, error);
    table->place = planner_memory(slots, sizeof *table->place, what, error);
    table->unique = planner_memory((size_t)entries, sizeof *table->unique, what, error);
    table->scratch = planner_memory((size_t)entries, sizeof *table->scratch, what, error);
    return table->slot != NULL && table->place != NULL && table->unique != NULL &&
                   table->scratch != NULL
               ? 0
               : -1;
}

static void table_close(struct table *table)
{
    free(table->slot);
    free(table->place);
    free(table->unique);
    free(table->scratch);
}

/* The slot that holds the point or is free for it: Fibonacci hashing, then the next ones. */
static unsigned find_slot(const struct table *table, int point)
{
    unsigned last = (1u << (32 - table->shift)) - 1;
    unsigned at = (unsigned)point * 2654435769u >> table->shift;
    while (table->slot[at] >= 0 && table->slot[at] != point) {
        at = (at + 1) & last;
    }
    return at;
}

/* Collects the block's points, unsorted, and leaves their slots in local; returns how many. */
static int collect(const struct list_builder *builder, struct table *table, int first, int end)
{
    const struct cleave_plan *plan = builder->job->plan;
    int columns = builder->map->columns;
    int slots = slots_for((end - first) * columns, &table->shift);
    int length = 0;
    memset(table->slot, 0xff, (size_t)slots * sizeof *table->slot);
    for (int i = first; i < end; i++) {
        for (int c = 0; c < columns; c++) {
            int point = plan_point(builder->map, plan->order[i], c);
            unsigned slot = find_slot(table, point);
            if (table->slot[slot] < 0) {
                table->slot[slot] = point;
                table->unique[length++] = point;
            }
            builder->local[(size_t)c * plan->size + i] = (unsigned short)slot;
        }
    }
    return length;
}

/* Returns the number of the block's points, now ascending in table->unique. */
static int localise(const struct list_builder *builder, struct table *table, int block)
{
    const struct cleave_plan *plan = builder->job->plan;
    int first = plan->start[block];
    int end = plan->start[block + 1];
    int length = collect(builder, table, first, end);
    planner_sort_small(table->unique, length, table->scratch);
    for (int k = 0; k < length; k++) {
        table->place[find_slot(table, table->unique[k])] = (unsigned short)k;
    }
    for (int c = 0; c < builder->map->columns; c++) {
        unsigned short *local = builder->local + (size_t)c * plan->size;
        for (int i = first; i < end; i++) {
            local[i] = table->place[local[i]];
        }
    }
    return length;
}

static int append(struct chunk *chunk, int *capacity, const int *point, int length, char *error)
{
    if (length == 0) {
        return 0;
    }
    if (length > *capacity - chunk->points) {
        int wanted = chunk->points + length + *capacity / 2;
        int *larger = planner_memory((size_t)wanted, sizeof *larger,
                                     "the unique points of a plan's blocks", error);
        if (larger == NULL) {
            return -1;
        }
        if (chunk->points > 0) {
            memcpy(larger, chunk->point, (size_t)chunk->points * sizeof *larger);
        }
        free(chunk->point);
        chunk->point = larger;
        *capacity = wanted;
    }
    memcpy(chunk->point + chunk->points, point, (size_t)length * sizeof *point);
    chunk->points += length;
    return 0;
}

/* The lists of the blocks of chunk k. */
static int make_chunk(const struct list_builder *builder, struct table *table, int k, char *error)
{
    int first = k * builder->at_once;
    int left = builder->job->plan->blocks - first;
    int blocks = left < builder->at_once ? left : builder->at_once;
    int capacity = 0;
    for (int b = first; b < first + blocks; b++) {
        int length = localise(builder, table, b);
        builder->start[b + 1] = length;
        if (append(&builder->chunk[k], &capacity, table->unique, length, error) != 0) {
            return -1;
        }
    }
    return 0;
}

static int make_chunks(const struct list_builder *builder)
{
    int status = 0;
#pragma omp parallel reduction(min : status) if (builder->chunks > 1)
    {
        char error[PLANNER_ERROR];
        struct table table = {0};
        status = table_open(&table, builder, error);
#pragma omp for schedule(dynamic, 1)
        for (int k = 0; k < builder->chunks; k++) {
            if (status == 0) {
                status = make_chunk(builder, &table, k, error);
            }
        }
        if (status != 0) {
            planner_fail(builder->job, error);
        }
        table_close(&table);
    }
    return status;
}

/* From the lengths of the lists to their offsets and the longest; -1 when there are too many
 * points. */
static int make_offsets(const struct list_builder *builder, struct cleave_plan_list *list)
{
    int64_t points = 0;
    builder->start[0] = 0;
    for (int b = 0; b < builder->job->plan->blocks; b++) {
        int length = builder->start[b + 1];
        list->max_points = length > list->max_points ? length : list->max_points;
        points += length;
        if (points > INT_MAX) {
            snprintf(builder->job->error, PLANNER_ERROR,
                     "the blocks of a plan reach more than %d points through one map; use larger "
                     "blocks",
                     INT_MAX);
            return -1;
        }
        builder->start[b + 1] = (int)points;
    }
    return 0;
}

/* Puts the chunks' lists one after the other. */
static int join_chunks(const struct list_builder *builder, struct cleave_plan_list *list)
{
    int blocks = builder->job->plan->blocks;
    int *point = planner_memory((size_t)list->start[blocks], sizeof *point,
                                "the unique points of a plan's blocks", builder->job->error);
    list->point = point;
    if (point == NULL) {
        return -1;
    }
#pragma omp parallel for schedule(dynamic, 1) if (builder->chunks > 1)
    for (int k = 0; k < builder->chunks; k++) {
        const struct chunk *chunk = &builder->chunk[k];
        if (chunk->points > 0) {
            memcpy(point + list->start[k * builder->at_once], chunk->point,
                   (size_t)chunk->points * sizeof *point);
        }
    }
    return 0;
}

static int make_list(const struct plan_job *job, int m)
{
    const struct cleave_plan *plan = job->plan;
    struct cleave_plan_list *list = &job->plan->list[m];
    struct list_builder builder = {.job = job, .map = &job->map[m]};
    builder.at_once = plan_blocks_at_once(plan);
    builder.chunks = plan->blocks > 0 ? (plan->blocks - 1) / builder.at_once + 1 : 0;
    list->columns = builder.map->columns;
    list->modified = plan_modified_count(builder.map);
    builder.start = planner_memory((size_t)plan->blocks + 1, sizeof(int),
                                   "the offsets of a plan's unique points", job->error);
    list->start = builder.start;
    builder.local = planner_memory((size_t)plan->size * builder.map->columns, sizeof(short),
                                   "the local indices of a plan", job->error);
    list->local = builder.local;
    builder.chunk = planner_zeroed((size_t)builder.chunks, sizeof *builder.chunk,
                                   "the unique points of a plan's blocks", job->error);
    int status = builder.start != NULL && builder.local != NULL && builder.chunk != NULL ? 0 : -1;
    if (status == 0) {
        status = make_chunks(&builder);
    }
    if (status == 0) {
        status = make_offsets(&builder, list);
    }
    if (status == 0) {
        status = join_chunks(&builder, list);
    }
    for (int k = 0; builder.chunk != NULL && k < builder.chunks; k++) {
        free(builder.chunk[k].point);
    }
    free(builder.chunk);
    return status;
}

int planner_make_lists(const struct plan_job *job)
{
    for (int m = 0; m < job->maps; m++) {
        job->plan->lists = m + 1;
        if (make_list(job, m) != 0) {
            return -1;
        }
    }
    return 0;
}
