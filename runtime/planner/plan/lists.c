/* lists.c: the points that each map reaches from each block.
 *
 * In: the plan's blocks and the maps. Out: list[]: per block the unique points, ascending, and for
 * each position and column the place of its point in the block's list. A block reaches at most
 * 1024 * CLEAVE_MAX_COLUMNS points, so places fit 16 bits, as do slots of the table that collects
 * them.
 */
#include "runtime/planner/plan/build.h"

struct list_builder {
    const struct cleave_plan *plan;
    const struct plan_map *map;
    unsigned short *local; /* [columns*size] */
};

/* Collects the block's points and leaves their slots in local, and then their places. */
static int localise(const void *source, struct point_table *table, int block, char *error)
{
    const struct list_builder *builder = source;
    const struct cleave_plan *plan = builder->plan;
    int columns = builder->map->columns;
    int first = plan->start[block];
    int end = plan->start[block + 1];
    (void)error;
    planner_table_clear(table, (end - first) * columns);
    for (int i = first; i < end; i++) {
        for (int c = 0; c < columns; c++) {
            int point = plan_point(builder->map, plan->order[i], c);
            builder->local[(size_t)c * plan->size + i] =
                (unsigned short)plan_table_add(table, point);
        }
    }
    planner_table_sort(table);
    for (int c = 0; c < columns; c++) {
        unsigned short *local = builder->local + (size_t)c * plan->size;
        for (int i = first; i < end; i++) {
            local[i] = table->place[local[i]];
        }
    }
    return 0;
}

static int make_list(const struct plan_job *job, int m)
{
    const struct cleave_plan *plan = job->plan;
    const struct plan_map *map = &job->map[m];
    struct cleave_plan_list *list = &job->plan->list[m];
    struct list_builder builder = {.plan = plan, .map = map};
    struct block_points lists = {.what = "the unique points of a plan's blocks",
                                 .blocks = plan->blocks,
                                 .at_once = plan_blocks_at_once(plan),
                                 .most = plan->block_size * map->columns,
                                 .collect = localise,
                                 .source = &builder};
    list->columns = map->columns;
    list->modified = plan_modified_count(map);
    builder.local = planner_memory((size_t)plan->size * map->columns, sizeof(short),
                                   "the local indices of a plan", job->error);
    list->local = builder.local;
    if (builder.local == NULL) {
        return -1;
    }
    int status = planner_list_block_points(&lists, job->error);
    list->start = lists.start;
    list->point = lists.point;
    list->max_points = lists.longest;
    list->places = status == 0 ? lists.start[plan->blocks] : 0;
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
