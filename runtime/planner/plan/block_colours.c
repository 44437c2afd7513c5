/* block_colours.c: colours of the blocks.
 *
 * In: blocks and lists. Out: colours, colour_start, colour_block. Blocks of one colour modify no
 * common point. Serial: blocks have few points, and those that no other block modifies are not
 * worth knowing.
 */
#include <stdlib.h>

#include "runtime/planner/plan/build.h"

struct block_source {
    const struct plan_job *job;
    int64_t offset[CLEAVE_MAX_LISTS]; /* as planner_offsets gives them */
};

/* The points that a map with some columns modified and some only read modifies from a block:
 * repeats and all, by its elements. */
static int points_by_elements(const struct block_source *source, int block, int m, int64_t *out)
{
    const struct cleave_plan *plan = source->job->plan;
    const struct cleave_plan_list *list = &plan->list[m];
    const int *point = list->point + list->start[block];
    int points = 0;
    for (unsigned left = plan_modified(&source->job->map[m]); left != 0; left &= left - 1) {
        const unsigned short *local = list->local + (size_t)__builtin_ctz(left) * plan->size;
        for (int i = plan->start[block]; i < plan->start[block + 1]; i++) {
            out[points++] = source->offset[m] + point[local[i]];
        }
    }
    return points;
}

static int points_by_list(const struct block_source *source, int block, int m, int64_t *out)
{
    const struct cleave_plan_list *list = &source->job->plan->list[m];
    int points = 0;
    for (int k = list->start[block]; k < list->start[block + 1]; k++) {
        out[points++] = source->offset[m] + list->point[k];
    }
    return points;
}

static int points_of_block(const void *from, int block, int64_t *out)
{
    const struct block_source *source = from;
    int points = 0;
    for (int m = 0; m < source->job->maps; m++) {
        const struct cleave_plan_list *list = &source->job->plan->list[m];
        if (list->modified == 0) {
            continue;
        }
        points += list->modified == list->columns
                      ? points_by_list(source, block, m, out + points)
                      : points_by_elements(source, block, m, out + points);
    }
    return points;
}

int planner_colour_blocks(const struct plan_job *job)
{
    static const char what[] = "the colours of a plan's blocks";
    struct cleave_plan *plan = job->plan;
    struct block_source source = {.job = job};
    struct greedy_items items = {.source = &source, .points_of = points_of_block};
    struct greedy greedy;
    items.points = planner_offsets(source.offset, job->maps, job->map);
    for (int m = 0; m < job->maps; m++) {
        items.most += plan->block_size * plan->list[m].modified;
    }
    int status =
        planner_greedy_open(&greedy, plan->blocks, items.points, items.most, what, job->error);
    if (status == 0) {
        for (int b = 0; b < plan->blocks; b++) {
            greedy.pending[b] = b;
        }
        int *start;
        int *sorted;
        plan->colours = planner_greedy_colour(&greedy, &items, plan->blocks);
        status = planner_greedy_sort(&start, &sorted, greedy.colour, plan->blocks, plan->colours,
                                     what, job->error);
        plan->colour_start = start;
        plan->colour_block = sorted;
    }
    planner_greedy_close(&greedy);
    return status;
}
