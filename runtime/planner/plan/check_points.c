/* check_points.c: does a plan for points keep its promises?
 *
 * In: a plan (on the host) and the maps it was built from. Out: 0, or -1 with the first broken
 * promise.
 */
#include "runtime/planner/plan/check.h"

/* An item is right when its column of its element names the point, and it stands behind the one
 * before; with the right number of items in all, none can be missing. */
static int item_is_right(const struct cleave_plan_list *list, int elements,
                         const struct plan_map *map, int p, int i)
{
    int e = list->item_element[i];
    int k = list->item_column[i];
    if (e < 0 || e >= elements || k >= map->columns || !plan_check_modifies(map, k) ||
        map->row[(size_t)e * map->dim + map->column[k]] != p) {
        return 0;
    }
    return i == list->item_start[p] || list->item_element[i - 1] < e ||
           (list->item_element[i - 1] == e && list->item_column[i - 1] < k);
}

static int check_items(const struct check *check, int m)
{
    const struct plan_map *map = &check->map[m];
    const struct cleave_plan_list *list = &check->plan->list[m];
    int64_t items = (int64_t)check->elements * plan_check_modified(map);
    unsigned parts = items > 0 ? 1u << PLAN_PART_ITEMS : 0;
    if (planner_check_list_arrays(check, m, parts, parts) != 0) {
        return -1;
    }
    if (items == 0) {
        return 0;
    }
    if (list->points != map->points || list->item_start[map->points] != items) {
        return planner_check_broken(check, "map %d: the items of the points are not all there", m);
    }
    if (planner_check_offsets(check, list->item_start, map->points, (int)items, "items") != 0) {
        return -1;
    }
    for (int p = 0; p < map->points; p++) {
        for (int i = list->item_start[p]; i < list->item_start[p + 1]; i++) {
            if (!item_is_right(list, check->elements, map, p, i)) {
                return planner_check_broken(check, "map %d: item %d of point %d is wrong", m,
                                            i - list->item_start[p], p);
            }
        }
    }
    return 0;
}

int planner_points_check(const struct planner *planner, const struct cleave_plan *plan,
                         int elements, int maps, const struct plan_map *map,
                         char error[PLANNER_ERROR])
{
    PLANNER_THREADS(planner);
    struct check check = {plan, elements, maps, map, error};
    if (planner_check_sizes(&check) != 0 || planner_check_plan_arrays(&check, 0, 0) != 0) {
        return -1;
    }
    for (int m = 0; m < maps; m++) {
        if ((map[m].apart ? planner_check_entries(&check, m) : check_items(&check, m)) != 0) {
            return -1;
        }
    }
    return 0;
}
