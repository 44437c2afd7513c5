/* check_owners.c: does a plan for blocks of points keep its promises?
 *
 * In: a plan (on the host) and the maps it was built from. Out: 0, or -1 with the first broken
 * promise. Needs memory for one neighbourhood.
 */
#include <stdlib.h>

#include "runtime/planner/plan/check.h"

/* One list on its way. */
struct owner_check {
    const struct check *check;
    int m;
    const struct plan_map *map;
    const struct cleave_plan_list *list;
    int block_size;
    size_t lanes;
    int warps;
    int64_t items; /* that were found so far */
    int *
        used; /* [CLEAVE_MAX_AROUND] 1 + the last block with an element at the k-th of its points */
};

static int own_points(const struct owner_check *own, int block)
{
    int64_t first = (int64_t)block * own->block_size;
    int64_t left = own->map->points - first;
    return left < own->block_size ? (int)left : own->block_size;
}

/* ---- neighbourhoods ------------------------------------------------------------------------ */

static int check_around(const struct owner_check *own, int block)
{
    const struct cleave_plan_list *list = own->list;
    int length = list->around_start[block + 1] - list->around_start[block];
    const int *around = list->around_point + list->around_start[block];
    if (length > CLEAVE_MAX_AROUND || length > list->max_around) {
        return planner_check_broken(
            own->check, "map %d: block %d has %d points around it; the plan says at most %d",
            own->m, block, length, list->max_around);
    }
    for (int k = 0; k < length; k++) {
        if (around[k] < 0 || around[k] >= own->map->points) {
            return planner_check_broken(own->check,
                                        "map %d: point %d is around block %d of a set of %d",
                                        own->m, around[k], block, own->map->points);
        }
        if (k > 0 && around[k] <= around[k - 1]) {
            return planner_check_broken(own->check,
                                        "map %d: block %d lists point %d around it after point %d",
                                        own->m, block, around[k], around[k - 1]);
        }
    }
    return 0;
}

/* The block's own points are used from here on, whoever names them. */
static int check_own(const struct owner_check *own, int block)
{
    const struct cleave_plan_list *list = own->list;
    const int *around = list->around_point + list->around_start[block];
    int length = list->around_start[block + 1] - list->around_start[block];
    int at = list->around_own[block];
    for (int k = 0; k < own_points(own, block); k++) {
        int point = block * own->block_size + k;
        if (at < 0 || at + k >= length || around[at + k] != point) {
            return planner_check_broken(own->check,
                                        "map %d: point %d of block %d is not at place %d of its "
                                        "neighbourhood",
                                        own->m, point, block, at + k);
        }
        own->used[at + k] = block + 1;
    }
    return 0;
}

static int check_used(const struct owner_check *own, int block)
{
    const struct cleave_plan_list *list = own->list;
    for (int k = list->around_start[block]; k < list->around_start[block + 1]; k++) {
        if (own->used[k - list->around_start[block]] != block + 1) {
            return planner_check_broken(
                own->check,
                "map %d: block %d lists point %d around it, which none of its "
                "elements names",
                own->m, block, list->around_point[k]);
        }
    }
    return 0;
}

/* ---- slices -------------------------------------------------------------------------------- */

/* Padding names nothing. */
static int padding_is_right(const struct owner_check *own, size_t at)
{
    const struct cleave_plan_list *list = own->list;
    int right = list->slice_column[at] == 0;
    for (int c = 0; c < own->map->columns; c++) {
        right &= list->slice_local[(size_t)c * (size_t)list->rows * own->lanes + at] == 0;
    }
    return right;
}

/* The entry's column of its element names the point, and it stands behind the one before in its
 * lane; with the right number of items in all, none can be missing. */
static int item_is_right(const struct owner_check *own, int point, size_t at, int is_first)
{
    const struct cleave_plan_list *list = own->list;
    const struct plan_map *map = own->map;
    int e = list->slice_element[at];
    int k = list->slice_column[at];
    if (e < 0 || e >= own->check->elements || k >= map->columns || !plan_check_modifies(map, k) ||
        map->row[(size_t)e * map->dim + map->column[k]] != point) {
        return 0;
    }
    return is_first || list->slice_element[at - own->lanes] < e ||
           (list->slice_element[at - own->lanes] == e && list->slice_column[at - own->lanes] < k);
}

static int check_local(const struct owner_check *own, int block, size_t at)
{
    const struct cleave_plan_list *list = own->list;
    const struct plan_map *map = own->map;
    int length = list->around_start[block + 1] - list->around_start[block];
    int element = list->slice_element[at];
    for (int c = 0; c < map->columns; c++) {
        int point = map->row[(size_t)element * map->dim + map->column[c]];
        int local = list->slice_local[(size_t)c * (size_t)list->rows * own->lanes + at];
        if (local >= length || list->around_point[list->around_start[block] + local] != point) {
            return planner_check_broken(
                own->check,
                "map %d, block %d: element %d, column %d is point %d; its local "
                "index %d does not lead there",
                own->m, block, element, map->column[c], point, local);
        }
        own->used[local] = block + 1;
    }
    return 0;
}

/* The entries of one lane: items, then padding. Returns how many items it has, or -1. */
static int check_lane(struct owner_check *own, int block, int slice, int lane)
{
    const struct cleave_plan_list *list = own->list;
    int place = slice % own->warps * (int)own->lanes + lane;
    int point = place < own_points(own, block) ? block * own->block_size + place : -1;
    int rows = list->slice_start[slice + 1] - list->slice_start[slice];
    size_t first = (size_t)list->slice_start[slice] * own->lanes + (size_t)lane;
    int items = 0;
    while (items < rows && list->slice_element[first + (size_t)items * own->lanes] != -1) {
        size_t at = first + (size_t)items * own->lanes;
        if (point < 0 || !item_is_right(own, point, at, items == 0)) {
            return planner_check_broken(own->check,
                                        "map %d: row %d of lane %d of slice %d is wrong", own->m,
                                        items, lane, slice);
        }
        if (check_local(own, block, at) != 0) {
            return -1;
        }
        items++;
    }
    for (int row = items; row < rows; row++) {
        size_t at = first + (size_t)row * own->lanes;
        if (list->slice_element[at] != -1 || !padding_is_right(own, at)) {
            return planner_check_broken(
                own->check, "map %d: row %d of lane %d of slice %d is not padding as it must be",
                own->m, row, lane, slice);
        }
    }
    return items;
}

static int check_slice(struct owner_check *own, int block, int slice)
{
    int rows = own->list->slice_start[slice + 1] - own->list->slice_start[slice];
    int most = 0;
    for (int lane = 0; lane < (int)own->lanes; lane++) {
        int items = check_lane(own, block, slice, lane);
        if (items < 0) {
            return -1;
        }
        own->items += items;
        most = items > most ? items : most;
    }
    if (most != rows) {
        return planner_check_broken(own->check,
                                    "map %d: slice %d has %d rows; its busiest lane needs %d",
                                    own->m, slice, rows, most);
    }
    return 0;
}

/* ---- lists --------------------------------------------------------------------------------- */

static int check_block(struct owner_check *own, int block)
{
    if (check_around(own, block) != 0 || check_own(own, block) != 0) {
        return -1;
    }
    for (int w = 0; w < own->warps; w++) {
        if (check_slice(own, block, block * own->warps + w) != 0) {
            return -1;
        }
    }
    return check_used(own, block);
}

static int check_blocks(struct owner_check *own, int64_t items)
{
    const struct cleave_plan_list *list = own->list;
    int largest = 0;
    for (int b = 0; b < list->owners; b++) {
        int length = list->around_start[b + 1] - list->around_start[b];
        largest = length > largest ? length : largest;
        if (check_block(own, b) != 0) {
            return -1;
        }
    }
    if (own->items != items) {
        return planner_check_broken(own->check, "map %d: the slices hold %lld items, not %lld",
                                    own->m, (long long)own->items, (long long)items);
    }
    if (largest != list->max_around) {
        return planner_check_broken(
            own->check, "map %d: blocks have at most %d points around them; the plan says %d",
            own->m, largest, list->max_around);
    }
    return 0;
}

/* Sizes and offsets: afterwards all arrays can be walked. */
static int check_frame(const struct owner_check *own)
{
    const struct check *check = own->check;
    const struct cleave_plan_list *list = own->list;
    int owners = own->map->points / own->block_size + (own->map->points % own->block_size != 0);
    if (list->points != own->map->points || list->owners != owners) {
        return planner_check_broken(check,
                                    "map %d: %d points are in %d blocks; the plan has %d in %d",
                                    own->m, own->map->points, owners, list->points, list->owners);
    }
    if (planner_check_offsets(check, list->around_start, owners, list->around_start[owners],
                              "neighbourhoods") != 0) {
        return -1;
    }
    return planner_check_offsets(check, list->slice_start, owners * own->warps, list->rows,
                                 "slices");
}

static int check_list(const struct check *check, int m)
{
    const struct plan_map *map = &check->map[m];
    const struct cleave_plan_list *list = &check->plan->list[m];
    int modified = plan_check_modified(map);
    int64_t items = (int64_t)check->elements * modified;
    unsigned parts = items > 0 ? 1u << PLAN_PART_OWNERS : 0;
    if (planner_check_list_arrays(check, m, parts, parts) != 0) {
        return -1;
    }
    if (list->columns != map->columns || list->modified != modified ||
        (items == 0 && (list->owners != 0 || list->rows != 0))) {
        return planner_check_broken(check,
                                    "map %d: the list has %d columns, %d of them modified, and %d "
                                    "blocks of points; the map has %d columns, %d of them modified",
                                    m, list->columns, list->modified, list->owners, map->columns,
                                    modified);
    }
    if (items == 0) {
        return 0;
    }
    struct owner_check own = {.check = check,
                              .m = m,
                              .map = map,
                              .list = list,
                              .block_size = check->plan->block_size,
                              .lanes = (size_t)check->plan->lanes,
                              .warps = (check->plan->block_size - 1) / check->plan->lanes + 1};
    if (check_frame(&own) != 0) {
        return -1;
    }
    own.used = planner_check_scratch(check, CLEAVE_MAX_AROUND, sizeof *own.used);
    int status = own.used != NULL ? check_blocks(&own, items) : -1;
    free(own.used);
    return status;
}

int planner_owners_check(const struct planner *planner, const struct cleave_plan *plan,
                         int elements, int block_size, int lanes, int maps,
                         const struct plan_map *map, char error[PLANNER_ERROR])
{
    PLANNER_THREADS(planner);
    struct check check = {plan, elements, maps, map, error};
    if (plan->size != elements || plan->block_size != block_size || plan->lanes != lanes ||
        plan->lists != maps) {
        return planner_check_broken(&check,
                                    "the plan is for %d elements, blocks of %d points, warps of %d "
                                    "lanes and %d maps, not for %d, %d, %d and %d",
                                    plan->size, plan->block_size, plan->lanes, plan->lists,
                                    elements, block_size, lanes, maps);
    }
    if (planner_check_plan_arrays(&check, 0, 0) != 0) {
        return -1;
    }
    for (int m = 0; m < maps; m++) {
        if ((map[m].apart ? planner_check_entries(&check, m) : check_list(&check, m)) != 0) {
            return -1;
        }
    }
    return 0;
}
