/* check_lists.c: the point lists of blocks are complete, ascending and without repeats, local
 * indices lead to the right points, and points that several blocks list are marked.
 */
#include <stdlib.h>

#include "runtime/planner/plan/check.h"

#define LOCAL_INDICES 65536 /* as many as 16 bits can name */

static int check_columns(const struct check *check, int m)
{
    const struct cleave_plan_list *list = &check->plan->list[m];
    const struct plan_map *map = &check->map[m];
    int modified = plan_check_modified(map);
    if (list->columns != map->columns || list->modified != modified) {
        return planner_check_broken(
            check,
            "map %d: the list is for %d columns, %d of them modified; the map has "
            "%d and %d",
            m, list->columns, list->modified, map->columns, modified);
    }
    return 0;
}

static int check_list_points(const struct check *check, int m, int block)
{
    const struct cleave_plan_list *list = &check->plan->list[m];
    int length = list->start[block + 1] - list->start[block];
    if (length > LOCAL_INDICES) {
        return planner_check_broken(
            check, "map %d: block %d lists %d points, too many for 16-bit local indices", m, block,
            length);
    }
    for (int k = list->start[block]; k < list->start[block + 1]; k++) {
        if (list->point[k] < 0 || list->point[k] >= check->map[m].points) {
            return planner_check_broken(check, "map %d: block %d lists point %d of a set of %d", m,
                                        block, list->point[k], check->map[m].points);
        }
        if (k > list->start[block] && list->point[k] <= list->point[k - 1]) {
            return planner_check_broken(check, "map %d: block %d lists point %d after point %d", m,
                                        block, list->point[k], list->point[k - 1]);
        }
    }
    if (length > list->max_points) {
        return planner_check_broken(check,
                                    "map %d: block %d has %d points; the plan says at most %d", m,
                                    block, length, list->max_points);
    }
    return 0;
}

/* Every local index leads to the point of the map, and every listed point is led to.
 * used[k]: 1 + the last block with an element at the k-th point of its list. */
static int check_local(const struct check *check, int m, int block, int *used)
{
    const struct cleave_plan *plan = check->plan;
    const struct plan_map *map = &check->map[m];
    const struct cleave_plan_list *list = &plan->list[m];
    int length = list->start[block + 1] - list->start[block];
    for (int i = plan->start[block]; i < plan->start[block + 1]; i++) {
        for (int c = 0; c < map->columns; c++) {
            int point = map->row[(size_t)plan->order[i] * map->dim + map->column[c]];
            int local = list->local[(size_t)c * plan->size + i];
            if (local >= length || list->point[list->start[block] + local] != point) {
                return planner_check_broken(
                    check,
                    "map %d, block %d: element %d, column %d is point %d; its local index "
                    "%d does not lead there",
                    m, block, plan->order[i], map->column[c], point, local);
            }
            used[local] = block + 1;
        }
    }
    for (int k = 0; k < length; k++) {
        if (used[k] != block + 1) {
            return planner_check_broken(
                check, "map %d: block %d lists point %d, which none of its elements names", m,
                block, list->point[list->start[block] + k]);
        }
    }
    return 0;
}

static int check_blocks_of_list(const struct check *check, int m)
{
    const struct cleave_plan_list *list = &check->plan->list[m];
    int largest = 0;
    int *used = planner_check_scratch(check, LOCAL_INDICES, sizeof *used);
    int status = used != NULL ? 0 : -1;
    for (int b = 0; status == 0 && b < check->plan->blocks; b++) {
        int length = list->start[b + 1] - list->start[b];
        largest = length > largest ? length : largest;
        status = check_list_points(check, m, b);
        if (status == 0) {
            status = check_local(check, m, b, used);
        }
    }
    free(used);
    if (status == 0 && largest != list->max_points) {
        return planner_check_broken(check,
                                    "map %d: blocks have at most %d points; the plan says %d", m,
                                    largest, list->max_points);
    }
    return status;
}

static int check_marks(const struct check *check, int m, const int *blocks_of)
{
    const struct cleave_plan_list *list = &check->plan->list[m];
    for (int b = 0; b < check->plan->blocks; b++) {
        for (int k = list->start[b]; k < list->start[b + 1]; k++) {
            if (list->shared[k] != (blocks_of[list->point[k]] > 1)) {
                return planner_check_broken(
                    check,
                    "map %d, block %d: point %d is marked %d as shared, but %d "
                    "blocks list it",
                    m, b, list->point[k], list->shared[k], blocks_of[list->point[k]]);
            }
        }
    }
    return 0;
}

static int check_shared(const struct check *check, int m)
{
    const struct cleave_plan_list *list = &check->plan->list[m];
    int *blocks_of = planner_check_scratch(check, (size_t)check->map[m].points, sizeof *blocks_of);
    if (blocks_of == NULL) {
        return -1;
    }
    for (int k = 0; k < list->start[check->plan->blocks]; k++) {
        blocks_of[list->point[k]]++;
    }
    int status = check_marks(check, m, blocks_of);
    free(blocks_of);
    return status;
}

int planner_check_list(const struct check *check, int m)
{
    const struct cleave_plan *plan = check->plan;
    const struct cleave_plan_list *list = &plan->list[m];
    unsigned of_modified =
        plan_check_modified(&check->map[m]) > 0 ? 1u << PLAN_PART_GATHER | 1u << PLAN_PART_SUMS : 0;
    if (planner_check_list_arrays(check, m,
                                  1u << PLAN_PART_BLOCKS | 1u << PLAN_PART_RUNS | of_modified,
                                  1u << PLAN_PART_BLOCKS) != 0) {
        return -1;
    }
    if (planner_check_offsets(check, list->start, plan->blocks, list->start[plan->blocks],
                              "a point list") != 0) {
        return planner_check_broken(
            check, "map %d: the offsets of its points are not ascending from 0", m);
    }
    if (check_columns(check, m) != 0 || check_blocks_of_list(check, m) != 0) {
        return -1;
    }
    if (list->places != list->start[plan->blocks]) {
        return planner_check_broken(check, "map %d: the list has %d places; the plan says %d", m,
                                    list->start[plan->blocks], list->places);
    }
    if (check_shared(check, m) != 0 || planner_check_gather(check, m) != 0 ||
        planner_check_sums(check, m) != 0) {
        return -1;
    }
    return planner_check_runs(check, m);
}
