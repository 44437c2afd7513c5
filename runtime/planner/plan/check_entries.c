/* check_entries.c: does the list of a map from another set keep its promises?
 *
 * In: list m of a plan (on the host) and its map. Out: 0, or -1 with the first broken promise.
 */
#include "runtime/planner/plan/check.h"

/* An entry is right when its column of its element names its point, in its chunk, and it stands
 * behind the one before; with the right number of entries in all, none can be missing. */
static int is_right(const struct cleave_plan_list *list, const struct plan_map *map, int chunk,
                    int i)
{
    const int e = list->entry_element[i];
    const int k = list->entry_column[i];
    const int p = list->entry_point[i];
    if (e < 0 || e >= map->rows || k >= map->columns || !plan_check_modifies(map, k) ||
        map->row[(size_t)e * (size_t)map->dim + (size_t)map->column[k]] != p ||
        p / CLEAVE_ENTRY_CHUNK != chunk) {
        return 0;
    }
    const int before = i > 0 ? list->entry_point[i - 1] : -1;
    return before < p ||
           (before == p && (list->entry_element[i - 1] < e ||
                            (list->entry_element[i - 1] == e && list->entry_column[i - 1] < k)));
}

int planner_check_entries(const struct check *check, int m)
{
    const struct plan_map *map = &check->map[m];
    const struct cleave_plan_list *list = &check->plan->list[m];
    const int64_t entries = (int64_t)map->rows * plan_check_modified(map);
    const unsigned parts = entries > 0 ? 1u << PLAN_PART_ENTRIES : 0;
    if (planner_check_list_arrays(check, m, parts, parts) != 0) {
        return -1;
    }
    if (entries == 0) {
        return 0;
    }
    if (list->points != map->points || list->entries != entries) {
        return planner_check_broken(check, "map %d: the entries of the points are not all there",
                                    m);
    }
    const int chunks = (map->points - 1) / CLEAVE_ENTRY_CHUNK + 1;
    if (planner_check_offsets(check, list->entry_start, chunks, list->entries, "entries") != 0) {
        return -1;
    }
    for (int chunk = 0; chunk < chunks; chunk++) {
        for (int i = list->entry_start[chunk]; i < list->entry_start[chunk + 1]; i++) {
            if (!is_right(list, map, chunk, i)) {
                return planner_check_broken(check, "map %d: entry %d is wrong", m, i);
            }
        }
    }
    return 0;
}
