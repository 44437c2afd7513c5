/* check_ranges.c: does a plan for ranges keep its promises? Here: its segments; check_colours.c:
 * its colours; check_distinct.c: distinct[]. */
#include <stdlib.h>

#include "runtime/planner/plan/check.h"

/* 1: the plan runs its elements backwards, which its first block of several segments shows. */
static int runs_backwards(const struct cleave_plan *plan)
{
    int b = 0;
    while (b < plan->blocks && plan->segment_start[b + 1] - plan->segment_start[b] < 2) {
        b++;
    }
    return b < plan->blocks && plan->segment_first[plan->segment_start[b]] >
                                   plan->segment_first[plan->segment_start[b] + 1];
}

/* Segment s and the one before it in their block. */
static int check_order(const struct check *check, int s, int backwards)
{
    const struct cleave_plan *plan = check->plan;
    if (backwards && (plan->segment_first[s] >= plan->segment_first[s - 1] ||
                      plan->segment_last[s - 1] - plan->segment_first[s - 1] != 1)) {
        return planner_check_broken(
            check, "segments descend, but not at %d, or one has several elements", s);
    }
    if (!backwards && plan->segment_first[s] <= plan->segment_last[s - 1]) {
        return planner_check_broken(check,
                                    "segment %d begins at element %d, but the one before ends "
                                    "there or behind",
                                    s, plan->segment_first[s]);
    }
    return 0;
}

/* Counts the segment's elements as seen, each of which must be new. */
static int check_segment(const struct check *check, int s, char *seen)
{
    const struct cleave_plan *plan = check->plan;
    const int first = plan->segment_first[s];
    const int last = plan->segment_last[s];
    if (first < 0 || first >= last || last > plan->size) {
        return planner_check_broken(check, "segment %d has elements %d to %d; there are %d", s,
                                    first, last - 1, plan->size);
    }
    for (int e = first; e < last; e++) {
        if (seen[e]) {
            return planner_check_broken(check, "element %d is in segment %d and in one before", e,
                                        s);
        }
        seen[e] = 1;
    }
    return 0;
}

static int check_elements(const struct check *check, char *seen)
{
    const struct cleave_plan *plan = check->plan;
    const int backwards = runs_backwards(plan);
    int64_t elements = 0;
    for (int b = 0; b < plan->blocks; b++) {
        if (b >= plan->ranges && plan->segment_start[b] == plan->segment_start[b + 1]) {
            return planner_check_broken(check, "border block %d has no elements", b);
        }
        for (int s = plan->segment_start[b]; s < plan->segment_start[b + 1]; s++) {
            if (check_segment(check, s, seen) != 0 ||
                (s > plan->segment_start[b] && check_order(check, s, backwards) != 0)) {
                return -1;
            }
            elements += plan->segment_last[s] - plan->segment_first[s];
        }
    }
    if (elements != plan->size) {
        return planner_check_broken(check, "the segments have %lld of %d elements",
                                    (long long)elements, plan->size);
    }
    return 0;
}

static int check_segments(const struct check *check)
{
    char *seen = planner_check_scratch(check, (size_t)check->plan->size, sizeof *seen);
    const int status = seen != NULL ? check_elements(check, seen) : -1;
    free(seen);
    return status;
}

/* Colour 0 has the blocks of all ranges in their order, and no others. */
static int check_ranges(const struct check *check)
{
    const struct cleave_plan *plan = check->plan;
    if (plan->ranges < 0 || plan->ranges > plan->blocks || plan->ranges > plan->size) {
        return planner_check_broken(check, "the plan has %d ranges in %d blocks of %d elements",
                                    plan->ranges, plan->blocks, plan->size);
    }
    if (plan->ranges > 0 && (plan->colours == 0 || plan->colour_start[1] != plan->ranges)) {
        return planner_check_broken(check, "colour 0 does not have the %d ranges alone",
                                    plan->ranges);
    }
    for (int r = 0; r < plan->ranges; r++) {
        if (plan->colour_block[r] != r) {
            return planner_check_broken(check, "colour 0 has block %d where range %d must be",
                                        plan->colour_block[r], r);
        }
    }
    return 0;
}

int planner_ranges_check(const struct planner *planner, const struct cleave_plan *plan,
                         int elements, int maps, const struct plan_map *map, unsigned parts,
                         char error[PLANNER_ERROR])
{
    PLANNER_THREADS(planner);
    struct check check = {plan, elements, maps, map, error};
    const unsigned must = 1u << PLAN_PART_COLOURED | 1u << PLAN_PART_RANGES |
                          ((parts & CLEAVE_PART_DISTINCT) != 0 ? 1u << PLAN_PART_DISTINCT : 0);
    if (plan->size != elements) {
        return planner_check_broken(&check, "the plan is for %d elements, not for %d", plan->size,
                                    elements);
    }
    if (planner_check_plan_arrays(&check, must, must) != 0 ||
        planner_check_offsets(&check, plan->segment_start, plan->blocks, plan->segments,
                              "segments") != 0 ||
        check_segments(&check) != 0 || planner_check_block_colours(&check) != 0 ||
        planner_check_distinct(&check) != 0) {
        return -1;
    }
    return check_ranges(&check);
}
