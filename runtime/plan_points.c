/* plan_points.c: which elements name each point, for variants in which a point gathers what is its
 * own.
 *
 * In: maps. Out: a plan without blocks whose lists hold, for each point, its items in the order of
 * the elements, made by counting: so sums over them are in the order of the sequential loop.
 */
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "plan_impl.h"

/* One map on its way into a list. */
struct filling {
    const struct plan_map *map;
    int elements;
    int *start;
    int *element;
    unsigned char *column;
};

static int modified_columns(const struct plan_map *map)
{
    int columns = 0;
    for (int k = 0; k < map->columns; k++) {
        columns += map->conflicts >> k & 1;
    }
    return columns;
}

static void count_items(const struct filling *f)
{
    for (int e = 0; e < f->elements; e++) {
        for (int k = 0; k < f->map->columns; k++) {
            if (f->map->conflicts >> k & 1) {
                f->start[f->map->row[(size_t)e * f->map->dim + f->map->column[k]] + 1]++;
            }
        }
    }
    for (int p = 0; p < f->map->points; p++) {
        f->start[p + 1] += f->start[p];
    }
}

/* Moves each start[p] on to the end of p's items, then all of them back by one point. */
static void place_items(const struct filling *f)
{
    for (int e = 0; e < f->elements; e++) {
        for (int k = 0; k < f->map->columns; k++) {
            if (f->map->conflicts >> k & 1) {
                int at = f->start[f->map->row[(size_t)e * f->map->dim + f->map->column[k]]]++;
                f->element[at] = e;
                f->column[at] = (unsigned char)k;
            }
        }
    }
    memmove(f->start + 1, f->start, (size_t)f->map->points * sizeof(int));
    f->start[0] = 0;
}

static int fill_list(struct cleave_plan_list *list, const struct plan_input *input, int m)
{
    struct filling f = {.map = &input->map[m], .elements = input->elements};
    size_t items = (size_t)input->elements * (size_t)modified_columns(f.map);
    if (items == 0) {
        return 0;
    }
    if (items > INT_MAX) {
        snprintf(input->error, PLAN_ERROR_BYTES,
                 "%d elements name %zu points through %d columns of a map; a list of a point's "
                 "elements holds at most %d",
                 input->elements, items, modified_columns(f.map), INT_MAX);
        return -1;
    }
    f.start =
        plan_allocate((size_t)f.map->points + 1, sizeof(int), "a list of elements", input->error);
    list->item_start = f.start;
    f.element = plan_allocate(items, sizeof(int), "a list of elements", input->error);
    list->item_element = f.element;
    f.column = plan_allocate(items, 1, "a list of elements", input->error);
    list->item_column = f.column;
    if (f.start == NULL || f.element == NULL || f.column == NULL) {
        return -1;
    }
    list->points = f.map->points;
    count_items(&f);
    place_items(&f);
    return 0;
}

int plan_points_build(struct cleave_plan **plan, int elements, int maps, const struct plan_map *map,
                      char error[256])
{
    const struct plan_options options = {.block_size = 1};
    struct plan_input input = {elements, maps, map, &options, error};

    *plan = NULL;
    if (plan_check_input(&input) != 0) {
        return -1;
    }
    struct cleave_plan *built = plan_allocate(1, sizeof *built, "a plan", error);
    if (built == NULL) {
        return -1;
    }
    built->size = elements;
    for (built->lists = 0; built->lists < maps; built->lists++) {
        if (fill_list(&built->list[built->lists], &input, built->lists) != 0) {
            built->lists++;
            plan_free(built);
            return -1;
        }
    }
    *plan = built;
    return 0;
}

/* An item is right when its column of its element names the point, and it stands behind the one
 * before; with the right number of items in all, none can be missing. */
static int check_list(const struct cleave_plan_list *list, int elements, const struct plan_map *map,
                      char error[256])
{
    if (elements == 0 || modified_columns(map) == 0) {
        return 0;
    }
    if (list->points != map->points || list->item_start[0] != 0 ||
        list->item_start[map->points] != elements * modified_columns(map)) {
        return snprintf(error, PLAN_ERROR_BYTES, "the items of the points are not all there"), -1;
    }
    for (int p = 0; p < map->points; p++) {
        for (int i = list->item_start[p]; i < list->item_start[p + 1]; i++) {
            int e = list->item_element[i];
            int k = list->item_column[i];
            bool is_after = i == list->item_start[p] || list->item_element[i - 1] < e ||
                            (list->item_element[i - 1] == e && list->item_column[i - 1] < k);
            if (e < 0 || e >= elements || k >= map->columns || (map->conflicts >> k & 1) == 0 ||
                !is_after || map->row[(size_t)e * map->dim + map->column[k]] != p) {
                return snprintf(error, PLAN_ERROR_BYTES, "item %d of point %d is wrong",
                                i - list->item_start[p], p),
                       -1;
            }
        }
    }
    return 0;
}

int plan_points_check(const struct cleave_plan *plan, int elements, int maps,
                      const struct plan_map *map, char error[256])
{
    for (int m = 0; m < maps; m++) {
        if (check_list(&plan->list[m], elements, &map[m], error) != 0) {
            return -1;
        }
    }
    return 0;
}
