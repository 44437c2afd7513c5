/* global_colours.c: colours of the elements of the whole set.
 *
 * In: maps. Out: global_colours, global_start, global_element. First fit over the elements in their
 * order; elements of one colour modify no common point. Serial: the order of first fit is what
 * makes the result good. They may be a part of a plan for blocks, or all of a plan for colours.
 */
#include <stdlib.h>

#include "runtime/planner/plan/build.h"

static int points_of_element(const void *from, int element, int64_t *out)
{
    const struct plan_ways *ways = from;
    for (int w = 0; w < ways->count; w++) {
        out[w] = plan_way_point(&ways->way[w], element);
    }
    return ways->count;
}

int planner_colour_globally(const struct plan_job *job)
{
    static const char what[] = "the global colours of a plan's elements";
    struct cleave_plan *plan = job->plan;
    struct plan_ways ways;
    struct greedy greedy;
    planner_find_ways(&ways, job->maps, job->map);
    struct greedy_items items = {&ways, points_of_element, ways.points, ways.count};
    int status =
        planner_greedy_open(&greedy, plan->size, ways.points, ways.count, what, job->error);
    if (status == 0) {
        for (int e = 0; e < plan->size; e++) {
            greedy.pending[e] = e;
        }
        int *start;
        int *sorted;
        plan->global_colours = planner_greedy_colour(&greedy, &items, plan->size);
        status = planner_greedy_sort(&start, &sorted, greedy.colour, plan->size,
                                     plan->global_colours, what, job->error);
        plan->global_start = start;
        plan->global_element = sorted;
    }
    planner_greedy_close(&greedy);
    return status;
}

int planner_colours_build(const struct planner *planner, struct cleave_plan **plan, int elements,
                          int maps, const struct plan_map *map, char error[PLANNER_ERROR])
{
    PLANNER_THREADS(planner);
    *plan = NULL;
    if (planner_check_input(elements, maps, map, 1, error) != 0) {
        return -1;
    }
    struct cleave_plan *built = planner_zeroed(1, sizeof *built, "a plan", error);
    if (built == NULL) {
        return -1;
    }
    built->size = elements;
    struct plan_job job = {built, maps, map, NULL, error};
    if (planner_colour_globally(&job) != 0) {
        planner_free(built);
        return -1;
    }
    *plan = built;
    return 0;
}
