/* sums.c: where the sums that blocks make for each point stand in a list.
 *
 * In: lists with gather lists. Out: summed, sum_point, sum_start and sum_place of each list with
 * modified columns: a counting sort of the list's places by their points, those left out to which a
 * block adds nothing.
 *
 * Points are cut into ranges, which are sorted beside each other: a block's points ascend, so that
 * what belongs to a range is found by bisection, and no two ranges touch the same numbers. How many
 * there are depends on the set alone, so that the number of threads changes nothing.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/planner/plan/build.h"

#define MOST_RANGES 64
#define RANGE_POINTS 4096 /* at least, where there are several */

struct range {
    int first; /* point */
    int end;
    int summed; /* points with places; then where they begin in sum_point */
    int places; /* theirs; then where they begin in sum_place */
};

/* One list on its way. */
struct summing {
    const struct cleave_plan *plan;
    const struct cleave_plan_list *list;
    int ranges;
    struct range range[MOST_RANGES];
    int *next; /* [points] how many places a point has; then where its next one goes */
    int *point;
    int *start;
    int *place;
};

/* The first place of a block whose point is not below `point`. */
static int first_place(const struct cleave_plan_list *list, int block, int point)
{
    int low = list->start[block];
    int high = list->start[block + 1];
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (list->point[middle] < point) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Something is added at this place of the block. */
static int gets_some(const struct cleave_plan_list *list, int block, int place)
{
    const unsigned short *start = list->gather_start + (size_t)place + block;
    return start[1] > start[0];
}

static void count_range(const struct summing *s, struct range *range)
{
    memset(s->next + range->first, 0, (size_t)(range->end - range->first) * sizeof *s->next);
    for (int b = 0; b < s->plan->blocks; b++) {
        int last = s->list->start[b + 1];
        for (int k = first_place(s->list, b, range->first);
             k < last && s->list->point[k] < range->end; k++) {
            s->next[s->list->point[k]] += gets_some(s->list, b, k);
        }
    }
    for (int p = range->first; p < range->end; p++) {
        range->summed += s->next[p] > 0;
        range->places += s->next[p];
    }
}

static void fill_range(const struct summing *s, const struct range *range)
{
    int n = range->summed;
    int at = range->places;
    for (int p = range->first; p < range->end; p++) {
        int count = s->next[p];
        if (count > 0) {
            s->point[n] = p;
            s->start[n++] = at;
        }
        s->next[p] = at;
        at += count;
    }
    for (int b = 0; b < s->plan->blocks; b++) {
        int last = s->list->start[b + 1];
        for (int k = first_place(s->list, b, range->first);
             k < last && s->list->point[k] < range->end; k++) {
            if (gets_some(s->list, b, k)) {
                s->place[s->next[s->list->point[k]]++] = k;
            }
        }
    }
}

static void cut_ranges(struct summing *s, int points)
{
    s->ranges = points / RANGE_POINTS + 1 < MOST_RANGES ? points / RANGE_POINTS + 1 : MOST_RANGES;
    for (int r = 0; r < s->ranges; r++) {
        s->range[r].first = (int)((int64_t)points * r / s->ranges);
        s->range[r].end = (int)((int64_t)points * (r + 1) / s->ranges);
    }
}

/* Sets the first point and place of each range; returns the points of all ranges. */
static int place_ranges(struct summing *s, int *places)
{
    int summed = 0;
    *places = 0;
    for (int r = 0; r < s->ranges; r++) {
        struct range *range = &s->range[r];
        int here = range->summed;
        int there = range->places;
        range->summed = summed;
        range->places = *places;
        summed += here;
        *places += there;
    }
    return summed;
}

static int fill(struct summing *s, struct cleave_plan_list *list, char *error)
{
    static const char what[] = "the sums of a plan's blocks";
    int places;
    int summed = place_ranges(s, &places);
    s->point = planner_memory((size_t)summed, sizeof *s->point, what, error);
    list->sum_point = s->point;
    s->start = planner_memory((size_t)summed + 1, sizeof *s->start, what, error);
    list->sum_start = s->start;
    s->place = planner_memory((size_t)places, sizeof *s->place, what, error);
    list->sum_place = s->place;
    if (s->point == NULL || s->start == NULL || s->place == NULL) {
        return -1;
    }
    list->summed = summed;
    s->start[summed] = places;
#pragma omp parallel for schedule(dynamic, 1) if (plan_is_large(s->plan))
    for (int r = 0; r < s->ranges; r++) {
        fill_range(s, &s->range[r]);
    }
    return 0;
}

static int sum_list(const struct plan_job *job, int m)
{
    int points = job->map[m].points;
    struct summing s = {.plan = job->plan, .list = &job->plan->list[m]};
    s.next =
        planner_memory((size_t)points, sizeof *s.next, "the sums of a plan's blocks", job->error);
    if (s.next == NULL) {
        return -1;
    }
    cut_ranges(&s, points);
#pragma omp parallel for schedule(dynamic, 1) if (plan_is_large(s.plan))
    for (int r = 0; r < s.ranges; r++) {
        count_range(&s, &s.range[r]);
    }
    int status = fill(&s, &job->plan->list[m], job->error);
    free(s.next);
    return status;
}

int planner_make_sums(const struct plan_job *job)
{
    for (int m = 0; m < job->maps; m++) {
        if (job->plan->list[m].modified > 0 && sum_list(job, m) != 0) {
            return -1;
        }
    }
    return 0;
}
