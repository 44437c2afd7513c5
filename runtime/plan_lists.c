/* plan_lists.c: the points that each map reaches from each block.
 *
 * In: the plan's blocks and the maps. Out: list[]: per block the unique points, ascending, and for
 * each position and column the place of its point in the block's list. A block reaches at most
 * 1024 * CLEAVE_MAX_COLUMNS points, so places fit 16 bits.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "plan_impl.h"

struct list_builder {
    const struct plan_map *map;
    const struct cleave_plan *plan;
    char *error;
    int *place; /* [points] -1; inside a block: place of the point in its list */
    int *point; /* grows: the lists of all blocks so far */
    size_t points;
    size_t capacity;
    unsigned short *local;
};

static int point_of(const struct list_builder *builder, int column, int position)
{
    const struct plan_map *map = builder->map;
    size_t row = (size_t)builder->plan->order[position] * map->dim;
    return map->row[row + map->column[column]];
}

/* Room for the points of one more block. */
static int reserve(struct list_builder *builder)
{
    size_t wanted = builder->points + (size_t)builder->plan->block_size * builder->map->columns;
    if (wanted <= builder->capacity) {
        return 0;
    }
    size_t capacity = builder->capacity + builder->capacity / 2 + wanted;
    int *point = realloc(builder->point, capacity * sizeof *point);
    if (point == NULL) {
        snprintf(
            builder->error, PLAN_ERROR_BYTES,
            "out of memory: cannot allocate %zu bytes for the unique points of a plan's blocks",
            capacity * sizeof *point);
        return -1;
    }
    builder->point = point;
    builder->capacity = capacity;
    return 0;
}

static int ascending(const void *a, const void *b)
{
    int x = *(const int *)a;
    int y = *(const int *)b;
    return (x > y) - (x < y);
}

/* Appends the block's unique points, unsorted; returns how many. */
static int collect_points(struct list_builder *builder, int first, int end)
{
    int *list = builder->point + builder->points;
    int length = 0;
    for (int i = first; i < end; i++) {
        for (int c = 0; c < builder->map->columns; c++) {
            int point = point_of(builder, c, i);
            if (builder->place[point] < 0) {
                builder->place[point] = 0;
                list[length++] = point;
            }
        }
    }
    return length;
}

static void localise(struct list_builder *builder, int first, int end)
{
    for (int c = 0; c < builder->map->columns; c++) {
        unsigned short *local = builder->local + (size_t)c * builder->plan->size;
        for (int i = first; i < end; i++) {
            local[i] = (unsigned short)builder->place[point_of(builder, c, i)];
        }
    }
}

/* Returns the number of the block's points, or -1. */
static int add_block(struct list_builder *builder, int block)
{
    int first = builder->plan->start[block];
    int end = builder->plan->start[block + 1];
    if (reserve(builder) != 0) {
        return -1;
    }
    int length = collect_points(builder, first, end);
    int *list = builder->point + builder->points;
    qsort(list, (size_t)length, sizeof *list, ascending);
    for (int k = 0; k < length; k++) {
        builder->place[list[k]] = k;
    }
    localise(builder, first, end);
    for (int k = 0; k < length; k++) {
        builder->place[list[k]] = -1;
    }
    builder->points += (size_t)length;
    if (builder->points > INT_MAX) {
        snprintf(
            builder->error, PLAN_ERROR_BYTES,
            "the blocks of a plan reach more than %d points through one map; use larger blocks",
            INT_MAX);
        return -1;
    }
    return length;
}

static int add_blocks(struct list_builder *builder, struct cleave_plan_list *list, int *start)
{
    for (int b = 0; b < builder->plan->blocks; b++) {
        int length = add_block(builder, b);
        if (length < 0) {
            return -1;
        }
        start[b + 1] = (int)builder->points;
        if (list->max_points < length) {
            list->max_points = length;
        }
    }
    return 0;
}

static int build_list(struct list_builder *builder, struct cleave_plan_list *list)
{
    const struct cleave_plan *plan = builder->plan;
    int *start = plan_allocate((size_t)plan->blocks + 1, sizeof *start,
                               "the offsets of a plan's unique points", builder->error);
    list->start = start;
    builder->local =
        plan_allocate((size_t)plan->size * builder->map->columns, sizeof *builder->local,
                      "the local indices of a plan", builder->error);
    list->local = builder->local;
    builder->place = plan_allocate((size_t)builder->map->points, sizeof *builder->place,
                                   "the places of points in their block", builder->error);
    if (start == NULL || builder->local == NULL || builder->place == NULL ||
        reserve(builder) != 0) {
        return -1;
    }
    for (int p = 0; p < builder->map->points; p++) {
        builder->place[p] = -1;
    }
    return add_blocks(builder, list, start);
}

/* Gives back what growing took too much; a list of no points keeps a byte, so as not to be NULL. */
static int *trim(struct list_builder *builder)
{
    int *point = realloc(builder->point, builder->points > 0 ? builder->points * sizeof *point : 1);
    return point != NULL ? point : builder->point;
}

int plan_lists(struct cleave_plan *plan, const struct plan_input *input)
{
    plan->lists = input->maps;
    for (int m = 0; m < input->maps; m++) {
        struct list_builder builder = {.map = &input->map[m], .plan = plan, .error = input->error};
        int status = build_list(&builder, &plan->list[m]);
        free(builder.place);
        if (status != 0) {
            free(builder.point);
            return -1;
        }
        plan->list[m].point = trim(&builder);
    }
    return 0;
}
