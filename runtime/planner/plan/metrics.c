/* metrics.c: what a plan is worth, as the papers measure it.
 *
 * In: a finished plan and the maps. Out: plan_metrics. All sums are of integers, so their order
 * does not matter.
 */
#include <stdlib.h>

#include "runtime/planner/plan/build.h"

#define POINT_BYTES 8  /* of data at one point */
#define LINE_POINTS 16 /* points in a line of 128 bytes */

/* Sums over all blocks. */
struct sums {
    int64_t points; /* of all lists */
    int64_t lines;  /* that hold them */
    int64_t runs;
    int64_t thread_colours;
    int64_t wavefronts; /* of all groups of lanes and used columns */
    int64_t groups;     /* of these */
    int64_t accesses;   /* through all used columns */
    int64_t touched;    /* points that some block lists, each once */
    int64_t several;    /* of these, listed by several blocks */
};

static int64_t lines_of(const struct cleave_plan_list *list, int block)
{
    int64_t lines = 0;
    int last = -1;
    for (int k = list->start[block]; k < list->start[block + 1]; k++) {
        lines += list->point[k] / LINE_POINTS != last;
        last = list->point[k] / LINE_POINTS;
    }
    return lines;
}

/* Wavefronts of a block's positions through the list's columns. */
static int64_t wavefronts_of(const struct cleave_plan *plan, const struct cleave_plan_list *list,
                             int block)
{
    int64_t wavefronts = 0;
    int end = plan->start[block + 1];
    for (int c = 0; c < list->columns; c++) {
        const unsigned short *local = list->local + (size_t)c * plan->size;
        for (int i = plan->start[block]; i < end; i += PLAN_BANK_LANES) {
            wavefronts +=
                plan_wavefronts(local + i, end - i < PLAN_BANK_LANES ? end - i : PLAN_BANK_LANES);
        }
    }
    return wavefronts;
}

static int64_t groups_of(const struct cleave_plan *plan, int block)
{
    int elements = plan->start[block + 1] - plan->start[block];
    int columns = 0;
    for (int m = 0; m < plan->lists; m++) {
        columns += plan->list[m].columns;
    }
    return (int64_t)columns * ((elements + PLAN_BANK_LANES - 1) / PLAN_BANK_LANES);
}

static int points_of(const struct cleave_plan *plan, int block)
{
    int points = 0;
    for (int m = 0; m < plan->lists; m++) {
        points += plan->list[m].start[block + 1] - plan->list[m].start[block];
    }
    return points;
}

static void sum_blocks(struct sums *sums, const struct cleave_plan *plan, int *max_points)
{
    int64_t lines = 0;
    int64_t thread_colours = 0;
    int64_t wavefronts = 0;
    int64_t groups = 0;
    int most = 0;
#pragma omp parallel for schedule(dynamic, plan_blocks_at_once(plan))                              \
    reduction(+ : lines, thread_colours, wavefronts, groups)                                       \
    reduction(max : most) if (plan_is_large(plan))
    for (int b = 0; b < plan->blocks; b++) {
        int points = points_of(plan, b);
        most = points > most ? points : most;
        thread_colours += plan->thread_colours[b];
        groups += groups_of(plan, b);
        for (int m = 0; m < plan->lists; m++) {
            lines += lines_of(&plan->list[m], b);
            wavefronts += wavefronts_of(plan, &plan->list[m], b);
        }
    }
    sums->lines = lines;
    sums->thread_colours = thread_colours;
    sums->wavefronts = wavefronts;
    sums->groups = groups;
    *max_points = most;
    for (int m = 0; m < plan->lists; m++) {
        const struct cleave_plan_list *list = &plan->list[m];
        sums->points += list->start[plan->blocks];
        sums->runs += list->run_start != NULL ? list->run_start[plan->blocks] : 0;
        sums->accesses += (int64_t)list->columns * plan->size;
    }
}

/* The points of one set that blocks list through any of the maps to it; m is the first. */
static void sum_target(struct sums *sums, const struct plan_job *job, int m, int *owner)
{
    int64_t touched = 0;
    int64_t several = 0;
    planner_disown(owner, job->map[m].points);
    for (int other = m; other < job->maps; other++) {
        if (job->map[other].target == job->map[m].target) {
            planner_claim_points(owner, job->plan, other);
        }
    }
#pragma omp parallel for schedule(static)                                                          \
    reduction(+ : touched, several) if (plan_is_large(job->plan))
    for (int p = 0; p < job->map[m].points; p++) {
        touched += owner[p] != -1;
        several += owner[p] == PLAN_SEVERAL;
    }
    sums->touched += touched;
    sums->several += several;
}

static int sum_targets(struct sums *sums, const struct plan_job *job)
{
    int most = 0;
    for (int m = 0; m < job->maps; m++) {
        most = job->map[m].points > most ? job->map[m].points : most;
    }
    int *owner = planner_memory((size_t)most, sizeof *owner, "the metrics of a plan", job->error);
    if (owner == NULL) {
        return -1;
    }
    for (int m = 0; m < job->maps; m++) {
        int first = 0;
        while (job->map[first].target != job->map[m].target) {
            first++;
        }
        if (first == m) {
            sum_target(sums, job, m, owner);
        }
    }
    free(owner);
    return 0;
}

int planner_measure(const struct plan_job *job, struct plan_metrics *metrics)
{
    const struct cleave_plan *plan = job->plan;
    struct sums sums = {0};
    metrics->blocks = plan->blocks;
    metrics->block_colours = plan->colours;
    metrics->global_colours = plan->global_colours;
    metrics->plan_bytes = planner_plan_bytes(plan);
    if (plan->blocks == 0) {
        return 0;
    }
    sum_blocks(&sums, plan, &metrics->max_points);
    if (sum_targets(&sums, job) != 0) {
        return -1;
    }
    double blocks = plan->blocks;
    metrics->thread_colours = (double)sums.thread_colours / blocks;
    metrics->reuse = sums.points > 0 ? (double)sums.accesses / (double)sums.points : 1.0;
    metrics->points = (double)sums.points / blocks;
    metrics->lines = (double)sums.lines / blocks;
    metrics->shared = sums.touched > 0 ? (double)sums.several / (double)sums.touched : 0.0;
    metrics->runs = (double)sums.runs / blocks;
    metrics->wavefronts = sums.groups > 0 ? (double)sums.wavefronts / (double)sums.groups : 1.0;
    metrics->fill = plan->size / (blocks * plan->block_size);
    metrics->useful_bytes = (double)(POINT_BYTES * sums.touched) + (double)(4 * sums.accesses);
    metrics->total_bytes = (double)((POINT_BYTES + 4) * sums.points) + (double)(2 * sums.accesses);
    return 0;
}

void planner_owners_measure(const struct cleave_plan *plan, struct plan_metrics *metrics)
{
    double around = 0.0;
    double own = 0.0;
    double entries = 0.0;
    double items = 0.0;
    *metrics = (struct plan_metrics){0};
    metrics->plan_bytes = planner_plan_bytes(plan);
    for (int m = 0; m < plan->lists; m++) {
        const struct cleave_plan_list *list = &plan->list[m];
        if (list->owners == 0) {
            continue;
        }
        metrics->blocks += list->owners;
        metrics->max_points =
            list->max_around > metrics->max_points ? list->max_around : metrics->max_points;
        around += list->around_start[list->owners];
        own += list->points;
        entries += (double)plan->lanes * list->rows;
        items += (double)plan->size * list->modified;
    }
    metrics->points = metrics->blocks > 0 ? around / metrics->blocks : 0.0;
    metrics->per_own_point = own > 0.0 ? around / own : 0.0;
    metrics->padding = items > 0.0 ? entries / items : 0.0;
}

void planner_named_measure(const struct cleave_plan *plan, struct plan_metrics *metrics)
{
    double entries = 0.0;
    double items = 0.0;
    *metrics = (struct plan_metrics){.plan_bytes = planner_plan_bytes(plan)};
    for (int m = 0; m < plan->lists; m++) {
        if (plan->list[m].named_item != NULL) {
            entries += (double)CLEAVE_NAMED_LANES * plan->list[m].rows;
            items += (double)plan->size * plan->list[m].modified;
        }
    }
    metrics->padding = items > 0.0 ? entries / items : 0.0;
}

void planner_colours_measure(const struct cleave_plan *plan, struct plan_metrics *metrics)
{
    *metrics = (struct plan_metrics){.global_colours = plan->global_colours};
    metrics->plan_bytes = planner_plan_bytes(plan);
}
