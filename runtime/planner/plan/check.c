/* check.c: does a plan keep its promises?
 *
 * In: a plan (on the host) and the maps it was built from. Out: 0, or -1 with the first broken
 * promise. For tests and for debugging runs. Here: sizes, blocks and order.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "runtime/planner/plan/check.h"

int planner_check_broken(const struct check *check, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(check->error, PLANNER_ERROR, format, arguments);
    va_end(arguments);
    return -1;
}

void *planner_check_scratch(const struct check *check, size_t count, size_t bytes)
{
    return planner_zeroed(count, bytes, "checking a plan", check->error);
}

int planner_check_sizes(const struct check *check)
{
    const struct cleave_plan *plan = check->plan;
    if (plan->size != check->elements || plan->lists != check->maps) {
        return planner_check_broken(check,
                                    "the plan is for %d elements and %d maps, not for %d and %d",
                                    plan->size, plan->lists, check->elements, check->maps);
    }
    return 0;
}

int planner_check_offsets(const struct check *check, const int *start, int rows, int end,
                          const char *what)
{
    if (start == NULL || start[0] != 0 || start[rows] != end) {
        return planner_check_broken(check, "the offsets of %s do not run from 0 to %d", what, end);
    }
    for (int r = 0; r < rows; r++) {
        if (start[r + 1] < start[r]) {
            return planner_check_broken(check, "the offsets of %s descend at %d: %d, then %d", what,
                                        r, start[r], start[r + 1]);
        }
    }
    return 0;
}

int planner_check_permutation(const struct check *check, const int *list, int count,
                              const char *what, const char *places)
{
    int *place = planner_check_scratch(check, (size_t)count, sizeof *place);
    int status = place != NULL ? 0 : -1;
    for (int i = 0; status == 0 && i < count; i++) {
        if (list[i] < 0 || list[i] >= count) {
            status = planner_check_broken(check, "%s %d at %s %d does not exist", what, list[i],
                                          places, i);
        } else if (place[list[i]] != 0) {
            status = planner_check_broken(check, "%s %d is at %s %d and at %d", what, list[i],
                                          places, place[list[i]] - 1, i);
        } else {
            place[list[i]] = i + 1;
        }
    }
    free(place);
    return status;
}

static int check_blocks(const struct check *check)
{
    const struct cleave_plan *plan = check->plan;
    if (planner_check_sizes(check) != 0) {
        return -1;
    }
    const unsigned must = 1u << PLAN_PART_BLOCKS | 1u << PLAN_PART_COLOURED;
    if (planner_check_plan_arrays(check, must | 1u << PLAN_PART_GLOBAL, must) != 0) {
        return -1;
    }
    if (planner_check_offsets(check, plan->start, plan->blocks, plan->size, "blocks") != 0) {
        return -1;
    }
    for (int b = 0; b < plan->blocks; b++) {
        int size = plan->start[b + 1] - plan->start[b];
        if (size < 1 || size > plan->block_size) {
            return planner_check_broken(check, "block %d has %d elements; it must have 1 to %d", b,
                                        size, plan->block_size);
        }
    }
    return 0;
}

int planner_check(const struct planner *planner, const struct cleave_plan *plan, int elements,
                  int maps, const struct plan_map *map, char error[PLANNER_ERROR])
{
    PLANNER_THREADS(planner);
    struct check check = {plan, elements, maps, map, error};
    if (check_blocks(&check) != 0 ||
        planner_check_permutation(&check, plan->order, plan->size, "element", "position") != 0 ||
        planner_check_colours(&check) != 0) {
        return -1;
    }
    for (int m = 0; m < maps; m++) {
        if (planner_check_list(&check, m) != 0) {
            return -1;
        }
    }
    return 0;
}
