/* check_sums.c: the sums that blocks make for a point are all there, once, in the order of the
 * blocks.
 */
#include "runtime/planner/plan/check.h"

/* The block of m's list that has a place. */
static int block_of(const struct check *check, int m, int place)
{
    const int *start = check->plan->list[m].start;
    int low = 0;
    int high = check->plan->blocks - 1;
    while (low < high) {
        int middle = low + (high - low + 1) / 2;
        if (start[middle] <= place) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}

static int gets_nothing(const struct cleave_plan_list *list, int block, int place)
{
    const unsigned short *start = list->gather_start + (size_t)place + block;
    return start[0] == start[1];
}

static int check_places_of_point(const struct check *check, int m, int n, int places)
{
    const struct cleave_plan_list *list = &check->plan->list[m];
    for (int i = list->sum_start[n]; i < list->sum_start[n + 1]; i++) {
        int place = list->sum_place[i];
        int ascends = i == list->sum_start[n] || place > list->sum_place[i - 1];
        if (place < 0 || place >= places || !ascends || list->point[place] != list->sum_point[n]) {
            return planner_check_broken(
                check, "map %d: sum %d of point %d, at place %d of the list, is wrong", m,
                i - list->sum_start[n], list->sum_point[n], place);
        }
        int block = block_of(check, m, place);
        if (gets_nothing(list, block, place)) {
            return planner_check_broken(
                check, "map %d: block %d adds nothing to point %d, but place %d is among its sums",
                m, block, list->sum_point[n], place);
        }
    }
    return 0;
}

static int check_points(const struct check *check, int m, int places)
{
    const struct cleave_plan_list *list = &check->plan->list[m];
    for (int n = 0; n < list->summed; n++) {
        int before = n > 0 ? list->sum_point[n - 1] : -1;
        if (list->sum_point[n] <= before || list->sum_start[n + 1] <= list->sum_start[n]) {
            return planner_check_broken(
                check, "map %d: point %d with sums %d to %d stands behind point %d", m,
                list->sum_point[n], list->sum_start[n], list->sum_start[n + 1] - 1, before);
        }
        if (check_places_of_point(check, m, n, places) != 0) {
            return -1;
        }
    }
    return 0;
}

/* Places to which their block adds something: with as many sums, each at another place, none can be
 * missing. */
static int places_with_items(const struct check *check, int m)
{
    const struct cleave_plan_list *list = &check->plan->list[m];
    int count = 0;
    for (int b = 0; b < check->plan->blocks; b++) {
        for (int k = list->start[b]; k < list->start[b + 1]; k++) {
            count += !gets_nothing(list, b, k);
        }
    }
    return count;
}

int planner_check_sums(const struct check *check, int m)
{
    const struct cleave_plan_list *list = &check->plan->list[m];
    if (list->sum_start == NULL && list->summed == 0) {
        return 0;
    }
    if (list->sum_start == NULL || list->gather_start == NULL) {
        return planner_check_broken(check, "map %d has sums of blocks without %s", m,
                                    list->sum_start == NULL ? "arrays" : "gather lists");
    }
    if (planner_check_offsets(check, list->sum_start, list->summed, places_with_items(check, m),
                              "sums of blocks") != 0) {
        return -1;
    }
    return check_points(check, m, list->start[check->plan->blocks]);
}
