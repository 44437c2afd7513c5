/* runs.c: runs of consecutive points in the lists of the blocks.
 *
 * In: lists. Out: run_start, run_point, run_place of each.
 */
#include "runtime/planner/plan/build.h"

static int begins_run(const struct cleave_plan_list *list, int block, int k)
{
    return k == list->start[block] || list->point[k] != list->point[k - 1] + 1;
}

/* start[b+1]: the runs of block b; then their offsets. */
static void count_runs(const struct cleave_plan *plan, const struct cleave_plan_list *list,
                       int *start)
{
#pragma omp parallel for schedule(dynamic, plan_blocks_at_once(plan)) if (plan_is_large(plan))
    for (int b = 0; b < plan->blocks; b++) {
        int runs = 0;
        for (int k = list->start[b]; k < list->start[b + 1]; k++) {
            runs += begins_run(list, b, k);
        }
        start[b + 1] = runs;
    }
    start[0] = 0;
    for (int b = 0; b < plan->blocks; b++) {
        start[b + 1] += start[b];
    }
}

static int make_runs(const struct plan_job *job, struct cleave_plan_list *list)
{
    const struct cleave_plan *plan = job->plan;
    int *start = planner_memory((size_t)plan->blocks + 1, sizeof *start,
                                "the offsets of a plan's runs", job->error);
    list->run_start = start;
    if (start == NULL) {
        return -1;
    }
    count_runs(plan, list, start);
    size_t runs = (size_t)start[plan->blocks];
    int *point = planner_memory(runs, sizeof *point, "the runs of a plan", job->error);
    list->run_point = point;
    unsigned short *place = planner_memory(runs, sizeof *place, "the runs of a plan", job->error);
    list->run_place = place;
    if (point == NULL || place == NULL) {
        return -1;
    }
#pragma omp parallel for schedule(dynamic, plan_blocks_at_once(plan)) if (plan_is_large(plan))
    for (int b = 0; b < plan->blocks; b++) {
        int run = start[b];
        for (int k = list->start[b]; k < list->start[b + 1]; k++) {
            if (begins_run(list, b, k)) {
                point[run] = list->point[k];
                place[run++] = (unsigned short)(k - list->start[b]);
            }
        }
    }
    return 0;
}

int planner_make_runs(const struct plan_job *job)
{
    for (int m = 0; m < job->maps; m++) {
        if (make_runs(job, &job->plan->list[m]) != 0) {
            return -1;
        }
    }
    return 0;
}
