/* entries.c: which elements of another set than the plan's name each point, such as those of a
 * boundary: few points have any.
 *
 * In: a map that starts there. Out: a list whose entries stand in the order of the points, then of
 * the elements, with an offset for every CLEAVE_ENTRY_CHUNK points.
 */
#include <stdlib.h>

#include "runtime/planner/plan/build.h"

static int chunks_of(const struct cleave_plan_list *list)
{
    return (list->points - 1) / CLEAVE_ENTRY_CHUNK + 1;
}

static void fill(const struct cleave_plan_list *items, int *start, int *point)
{
    const int chunks = chunks_of(items);
    for (int c = 0; c < chunks; c++) {
        start[c] = items->item_start[c * CLEAVE_ENTRY_CHUNK];
    }
    start[chunks] = items->item_start[items->points];
    for (int p = 0; p < items->points; p++) {
        for (int i = items->item_start[p]; i < items->item_start[p + 1]; i++) {
            point[i] = p;
        }
    }
}

int planner_make_entries(struct cleave_plan_list *list, const struct plan_map *map, char *error)
{
    static const char what[] = "a list of elements of another set";
    struct cleave_plan_list items = {0};
    int status = planner_make_items(&items, map->rows, map, error);
    list->columns = map->columns;
    list->modified = plan_modified_count(map);
    if (status == 0 && items.points > 0) {
        const int entries = items.item_start[items.points];
        int *start = planner_memory((size_t)chunks_of(&items) + 1, sizeof *start, what, error);
        int *point = planner_memory((size_t)entries, sizeof *point, what, error);
        list->entry_start = start;
        list->entry_point = point;
        status = start != NULL && point != NULL ? 0 : -1;
        if (status == 0) {
            fill(&items, start, point);
            list->points = items.points;
            list->entries = entries;
            list->entry_element = items.item_element;
            list->entry_column = items.item_column;
            items.item_element = NULL;
            items.item_column = NULL;
        }
    }
    planner_free_items(&items);
    return status;
}
