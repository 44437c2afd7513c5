/* build.c: planner_build, the steps one after the other.
 *
 * In: maps, a numbering or none, options. Out: a plan and its metrics.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/planner/plan/build.h"

int64_t planner_offsets(int64_t *offset, int maps, const struct plan_map *map)
{
    int64_t points = 0;
    for (int m = 0; m < maps; m++) {
        int first = 0;
        while (first < m &&
               (map[first].target != map[m].target || plan_modified(&map[first]) == 0)) {
            first++;
        }
        if (plan_modified(&map[m]) != 0) {
            offset[m] = first < m ? offset[first] : points;
            points += first < m ? 0 : map[m].points;
        }
    }
    return points;
}

void planner_find_ways(struct plan_ways *ways, int maps, const struct plan_map *map)
{
    int64_t offset[CLEAVE_MAX_LISTS] = {0};
    ways->points = planner_offsets(offset, maps, map);
    ways->count = 0;
    for (int m = 0; m < maps; m++) {
        for (unsigned left = plan_modified(&map[m]); left != 0; left &= left - 1) {
            const int *entry =
                map[m].row != NULL ? map[m].row + map[m].column[__builtin_ctz(left)] : NULL;
            ways->way[ways->count++] = (struct plan_way){entry, map[m].dim, offset[m]};
        }
    }
}

void planner_fail(const struct plan_job *job, const char *message)
{
#pragma omp critical(cleave_plan_fail)
    snprintf(job->error, PLANNER_ERROR, "%s", message);
}

/* ---- steps --------------------------------------------------------------------------------- */

static int colour_globally_if_asked(const struct plan_job *job)
{
    return job->options->parts & CLEAVE_PART_GLOBAL ? planner_colour_globally(job) : 0;
}

static int make_gather_if_asked(const struct plan_job *job)
{
    return job->options->parts & (CLEAVE_PART_GATHER | CLEAVE_PART_SUMS) ? planner_make_gather(job)
                                                                         : 0;
}

static int make_sums_if_asked(const struct plan_job *job)
{
    return job->options->parts & CLEAVE_PART_SUMS ? planner_make_sums(job) : 0;
}

static int make_runs_if_asked(const struct plan_job *job)
{
    return job->options->parts & CLEAVE_PART_RUNS ? planner_make_runs(job) : 0;
}

/* All steps after the blocks. */
static int run_steps(const struct plan_job *job, struct plan_phases *phases)
{
    static const struct {
        const char *name;
        int (*run)(const struct plan_job *job);
        int serial;
    } step[] = {
        {"lists", planner_make_lists, 0},
        {"thread colours", planner_colour_threads, 0},
        {"block colours", planner_colour_blocks, 1},
        {"global colours", colour_globally_if_asked, 1},
        {"shared points", planner_mark_shared, 0},
        {"gather lists", make_gather_if_asked, 0},
        {"sums of blocks", make_sums_if_asked, 0},
        {"runs", make_runs_if_asked, 0},
    };
    for (size_t s = 0; s < sizeof step / sizeof *step; s++) {
        double begin = planner_clock();
        if (step[s].run(job) != 0) {
            return -1;
        }
        planner_phase(phases, step[s].name, begin, step[s].serial);
    }
    return 0;
}

static int build(const struct plan_job *job, const struct plan_numbering *numbering,
                 struct plan_metrics *metrics)
{
    struct plan_phases *phases = metrics != NULL ? &metrics->phases : NULL;
    double begin = planner_clock();
    if (planner_make_blocks(job, numbering) != 0) {
        return -1;
    }
    planner_phase(phases, "blocks", begin, 0);
    if (run_steps(job, phases) != 0) {
        return -1;
    }
    begin = planner_clock();
    if (metrics != NULL && planner_measure(job, metrics) != 0) {
        return -1;
    }
    planner_phase(phases, "metrics", begin, 0);
    return 0;
}

int planner_build(const struct planner *planner, struct cleave_plan **plan,
                  struct plan_metrics *metrics, int elements, int maps, const struct plan_map *map,
                  const struct plan_numbering *numbering, const struct plan_options *options,
                  char error[PLANNER_ERROR])
{
    PLANNER_THREADS(planner);
    double begin = planner_clock();
    *plan = NULL;
    if (planner_check_input(elements, maps, map, options->block_size, error) != 0) {
        return -1;
    }
    struct cleave_plan *built = planner_zeroed(1, sizeof *built, "a plan", error);
    if (built == NULL) {
        return -1;
    }
    built->size = elements;
    built->block_size = options->block_size;
    if (metrics != NULL) {
        *metrics = (struct plan_metrics){0};
        planner_phase(&metrics->phases, "input check", begin, 0);
    }
    struct plan_job job = {built, maps, map, options, error};
    if (build(&job, numbering, metrics) != 0) {
        planner_free(built);
        return -1;
    }
    if (metrics != NULL) {
        metrics->seconds = planner_clock() - begin;
    }
    *plan = built;
    return 0;
}
