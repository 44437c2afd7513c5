/* shared.c: which points several blocks reach.
 *
 * In: lists. Out: list[].shared. Blocks claim points in any order; a point claimed by two is
 * marked, and which of them came first makes no difference.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/planner/plan/build.h"

#define POINTS_AT_ONCE 65536

void planner_disown(int *owner, int points)
{
    int chunks = points / POINTS_AT_ONCE + 1;
#pragma omp parallel for schedule(static) if (chunks > 1)
    for (int chunk = 0; chunk < chunks; chunk++) {
        size_t first = (size_t)chunk * POINTS_AT_ONCE;
        size_t left = (size_t)points - first;
        memset(owner + first, 0xff,
               (left < POINTS_AT_ONCE ? left : POINTS_AT_ONCE) * sizeof *owner);
    }
}

static void claim(int *owner, int block)
{
    int now = __atomic_load_n(owner, __ATOMIC_RELAXED);
    if (now == -1 &&
        __atomic_compare_exchange_n(owner, &now, block, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
        return;
    }
    if (now != block && now != PLAN_SEVERAL) {
        __atomic_store_n(owner, PLAN_SEVERAL, __ATOMIC_RELAXED);
    }
}

void planner_claim_points(int *owner, const struct cleave_plan *plan, int m)
{
    const struct cleave_plan_list *list = &plan->list[m];
#pragma omp parallel for schedule(dynamic, plan_blocks_at_once(plan)) if (plan_is_large(plan))
    for (int b = 0; b < plan->blocks; b++) {
        for (int k = list->start[b]; k < list->start[b + 1]; k++) {
            claim(&owner[list->point[k]], b);
        }
    }
}

static int mark_list(const struct plan_job *job, int m, int *owner)
{
    struct cleave_plan_list *list = &job->plan->list[m];
    int points = list->start[job->plan->blocks];
    unsigned char *shared =
        planner_memory((size_t)points, sizeof *shared, "the shared points of a plan", job->error);
    list->shared = shared;
    if (shared == NULL) {
        return -1;
    }
    planner_disown(owner, job->map[m].points);
    planner_claim_points(owner, job->plan, m);
#pragma omp parallel for schedule(static) if (plan_is_large(job->plan))
    for (int k = 0; k < points; k++) {
        shared[k] = owner[list->point[k]] == PLAN_SEVERAL;
    }
    return 0;
}

int planner_mark_shared(const struct plan_job *job)
{
    int most = 0;
    for (int m = 0; m < job->maps; m++) {
        most = job->map[m].points > most ? job->map[m].points : most;
    }
    int *owner =
        planner_memory((size_t)most, sizeof *owner, "the blocks of a plan's points", job->error);
    int status = owner != NULL ? 0 : -1;
    for (int m = 0; status == 0 && m < job->maps; m++) {
        status = mark_list(job, m, owner);
    }
    free(owner);
    return status;
}
