/* gather.c: what the elements of a block add to each of its points.
 *
 * In: lists. Out: gather_start and gather of each list with modified columns: a counting sort of
 * every block's (position, column) pairs by the place of their point.
 */
#include <string.h>

#include "runtime/planner/plan/build.h"

/* One list on its way. */
struct gatherer {
    const struct cleave_plan *plan;
    const struct cleave_plan_list *list;
    int columns; /* modified ones */
    int column[CLEAVE_MAX_COLUMNS];
    unsigned short *start;
    unsigned short *item;
};

/* Counts, then places: while items are placed, start[k] is where the next one of point k goes; at
 * the end it has become the start of point k+1, so all move up by one. */
static void gather_block(const struct gatherer *gatherer, int block)
{
    const struct cleave_plan_list *list = gatherer->list;
    size_t size = (size_t)gatherer->plan->size;
    int first = gatherer->plan->start[block];
    int elements = gatherer->plan->start[block + 1] - first;
    int points = list->start[block + 1] - list->start[block];
    unsigned short *start = gatherer->start + (size_t)list->start[block] + block;
    unsigned short *item = gatherer->item + (size_t)gatherer->columns * first;
    memset(start, 0, ((size_t)points + 1) * sizeof *start);
    for (int k = 0; k < gatherer->columns; k++) {
        const unsigned short *local = list->local + gatherer->column[k] * size + first;
        for (int i = 0; i < elements; i++) {
            start[local[i] + 1]++;
        }
    }
    for (int p = 0; p < points; p++) {
        start[p + 1] = (unsigned short)(start[p + 1] + start[p]);
    }
    for (int i = 0; i < elements; i++) {
        for (int k = 0; k < gatherer->columns; k++) {
            int place = list->local[gatherer->column[k] * size + first + i];
            item[start[place]++] = CLEAVE_GATHER_ITEM(i, gatherer->column[k]);
        }
    }
    memmove(start + 1, start, (size_t)points * sizeof *start);
    start[0] = 0;
}

static int gather_list(const struct plan_job *job, int m)
{
    const struct cleave_plan *plan = job->plan;
    struct cleave_plan_list *list = &job->plan->list[m];
    struct gatherer gatherer = {.plan = plan, .list = list};
    for (unsigned left = plan_modified(&job->map[m]); left != 0; left &= left - 1) {
        gatherer.column[gatherer.columns++] = __builtin_ctz(left);
    }
    size_t starts = (size_t)list->start[plan->blocks] + (size_t)plan->blocks;
    gatherer.start = planner_memory(starts, sizeof *gatherer.start,
                                    "the offsets of a plan's gather lists", job->error);
    list->gather_start = gatherer.start;
    gatherer.item = planner_memory((size_t)gatherer.columns * plan->size, sizeof *gatherer.item,
                                   "the gather lists of a plan", job->error);
    list->gather = gatherer.item;
    if (gatherer.start == NULL || gatherer.item == NULL) {
        return -1;
    }
#pragma omp parallel for schedule(dynamic, plan_blocks_at_once(plan)) if (plan_is_large(plan))
    for (int b = 0; b < plan->blocks; b++) {
        gather_block(&gatherer, b);
    }
    return 0;
}

int planner_make_gather(const struct plan_job *job)
{
    for (int m = 0; m < job->maps; m++) {
        if (job->plan->list[m].modified > 0 && gather_list(job, m) != 0) {
            return -1;
        }
    }
    return 0;
}
