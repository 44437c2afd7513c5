/* owners.c: blocks of points, for variants in which a block stages its points and all that belongs
 * to them in shared memory and each of its threads gathers what is its point's.
 *
 * In: maps. Out: a plan without blocks of elements whose lists hold, for each block of consecutive
 * points, its neighbourhood, and for each warp of the block the elements that name its points, side
 * by side as the threads read them.
 *
 * The elements of each point come from points.c. They alone say how many rows the slices have; then
 * blocks are done in parallel: the points of a block's elements are collected, and its slices
 * filled with their places while the table is at hand.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "runtime/planner/plan/build.h"

/* One list on its way. */
struct owner_builder {
    const struct plan_map *map;
    const struct cleave_plan_list *items; /* the elements of each point */
    int number;                           /* of the map, for messages */
    int block_size;
    int lanes;
    int warps;  /* slices of a block */
    int owners; /* blocks */
    int most;   /* points that are collected of one block */
    int *around_own;
    int64_t entries; /* of all slices */
    int *slice_start;
    int *slice_element;
    unsigned char *slice_column;
    unsigned short *slice_local;
};

static int first_point(const struct owner_builder *builder, int block)
{
    return block * builder->block_size;
}

static int own_points(const struct owner_builder *builder, int block)
{
    int left = builder->map->points - first_point(builder, block);
    return left < builder->block_size ? left : builder->block_size;
}

/* ---- rows ---------------------------------------------------------------------------------- */

/* The items of the point of a lane; none, and *first unset, where it has no point. */
static int items_of_lane(const struct owner_builder *builder, int block, int lane, int *first)
{
    if (lane >= own_points(builder, block)) {
        return 0;
    }
    const int *start = builder->items->item_start + first_point(builder, block) + lane;
    *first = start[0];
    return start[1] - start[0];
}

static int rows_of(const struct owner_builder *builder, int block, int warp)
{
    int rows = 0;
    for (int lane = warp * builder->lanes; lane < (warp + 1) * builder->lanes; lane++) {
        int first;
        int items = items_of_lane(builder, block, lane, &first);
        rows = items > rows ? items : rows;
    }
    return rows;
}

static int is_large(const struct owner_builder *builder)
{
    return builder->map->points > 8192;
}

static int count_rows(struct owner_builder *builder, char *error)
{
    int *start = builder->slice_start;
    int slices = builder->owners * builder->warps;
    int64_t rows = 0;
#pragma omp parallel for schedule(static) if (is_large(builder))
    for (int s = 0; s < slices; s++) {
        start[s] = rows_of(builder, s / builder->warps, s % builder->warps);
    }
    for (int s = 0; s < slices; s++) {
        int here = start[s];
        start[s] = (int)rows;
        rows += here;
        if (rows > INT_MAX / builder->lanes) {
            snprintf(error, PLANNER_ERROR,
                     "map %d: the slices of a plan have more than %d entries; a few of the points "
                     "have too many elements for a plan by blocks of points",
                     builder->number, INT_MAX);
            return -1;
        }
    }
    start[slices] = (int)rows;
    builder->entries = builder->lanes * rows;
    return 0;
}

/* ---- neighbourhoods and slices ------------------------------------------------------------- */

static int too_many(const struct owner_builder *builder, int block, char *error)
{
    int first = first_point(builder, block);
    snprintf(error, PLANNER_ERROR,
             "map %d: the elements that name points %d to %d name more than %d points together; "
             "use smaller blocks, or a variant that is not by blocks of points",
             builder->number, first, first + own_points(builder, block) - 1, CLEAVE_MAX_AROUND);
    return -1;
}

/* Collects the neighbourhood, unsorted. */
static int collect_around(const struct owner_builder *builder, struct point_table *table, int block,
                          char *error)
{
    const struct plan_map *map = builder->map;
    int first = first_point(builder, block);
    int own = own_points(builder, block);
    int item = builder->items->item_start[first];
    int end = builder->items->item_start[first + own];
    int64_t entries = (int64_t)(end - item) * map->columns + own;
    planner_table_clear(table, entries < builder->most ? (int)entries : builder->most);
    for (int k = 0; k < own; k++) {
        plan_table_add(table, first + k);
    }
    for (; item < end; item++) {
        for (int c = 0; c < map->columns; c++) {
            plan_table_add(table, plan_point(map, builder->items->item_element[item], c));
        }
        if (table->length > CLEAVE_MAX_AROUND) {
            return too_many(builder, block, error);
        }
    }
    return 0;
}

/* item -1: padding. */
static void fill_entry(const struct owner_builder *builder, const struct point_table *table,
                       size_t at, int item)
{
    int element = item >= 0 ? builder->items->item_element[item] : -1;
    builder->slice_element[at] = element;
    builder->slice_column[at] = item >= 0 ? builder->items->item_column[item] : 0;
    for (int c = 0; c < builder->map->columns; c++) {
        int place = 0;
        if (item >= 0) {
            place = table->place[plan_table_find(table, plan_point(builder->map, element, c))];
        }
        builder->slice_local[(size_t)c * (size_t)builder->entries + at] = (unsigned short)place;
    }
}

static void fill_slice(const struct owner_builder *builder, const struct point_table *table,
                       int block, int warp)
{
    int lanes = builder->lanes;
    int slice = block * builder->warps + warp;
    int rows = builder->slice_start[slice + 1] - builder->slice_start[slice];
    size_t at = (size_t)builder->slice_start[slice] * (size_t)lanes;
    int first[CLEAVE_MAX_LANES] = {0};
    int items[CLEAVE_MAX_LANES];
    for (int lane = 0; lane < lanes; lane++) {
        items[lane] = items_of_lane(builder, block, warp * lanes + lane, &first[lane]);
    }
    for (int row = 0; row < rows; row++) {
        for (int lane = 0; lane < lanes; lane++, at++) {
            fill_entry(builder, table, at, row < items[lane] ? first[lane] + row : -1);
        }
    }
}

static int make_block(const void *source, struct point_table *table, int block, char *error)
{
    const struct owner_builder *builder = source;
    if (collect_around(builder, table, block, error) != 0) {
        return -1;
    }
    planner_table_sort(table);
    builder->around_own[block] = table->place[plan_table_find(table, first_point(builder, block))];
    for (int warp = 0; warp < builder->warps; warp++) {
        fill_slice(builder, table, block, warp);
    }
    return 0;
}

/* ---- lists --------------------------------------------------------------------------------- */

static int allocate_entries(struct owner_builder *builder, struct cleave_plan_list *list,
                            char *error)
{
    static const char what[] = "the slices of a plan's blocks of points";
    size_t entries = (size_t)builder->entries;
    builder->slice_element = planner_memory(entries, sizeof(int), what, error);
    list->slice_element = builder->slice_element;
    builder->slice_column = planner_memory(entries, 1, what, error);
    list->slice_column = builder->slice_column;
    builder->slice_local =
        planner_memory(entries * (size_t)builder->map->columns, sizeof(short), what, error);
    list->slice_local = builder->slice_local;
    return builder->slice_element != NULL && builder->slice_column != NULL &&
                   builder->slice_local != NULL
               ? 0
               : -1;
}

static int fill_list(struct owner_builder *builder, struct cleave_plan_list *list, char *error)
{
    size_t slices = (size_t)builder->owners * (size_t)builder->warps;
    builder->slice_start =
        planner_memory(slices + 1, sizeof(int), "the offsets of a plan's slices", error);
    list->slice_start = builder->slice_start;
    builder->around_own = planner_memory((size_t)builder->owners, sizeof(int),
                                         "the places of a plan's own points", error);
    list->around_own = builder->around_own;
    if (list->slice_start == NULL || list->around_own == NULL || count_rows(builder, error) != 0 ||
        allocate_entries(builder, list, error) != 0) {
        return -1;
    }
    struct block_points around = {.what = "the neighbourhoods of a plan's blocks of points",
                                  .blocks = builder->owners,
                                  .at_once = 8192 / builder->block_size,
                                  .most = builder->most,
                                  .collect = make_block,
                                  .source = builder};
    int status = planner_list_block_points(&around, error);
    list->owners = builder->owners;
    list->rows = (int)(builder->entries / builder->lanes);
    list->around_start = around.start;
    list->around_point = around.point;
    list->max_around = around.longest;
    return status;
}

/* One element may bring that many points too many before it is noticed. */
static int most_collected(int points)
{
    int most = CLEAVE_MAX_AROUND + CLEAVE_MAX_COLUMNS;
    return points < most ? points : most;
}

static int make_list(struct cleave_plan *plan, int m, const struct plan_map *map, char *error)
{
    struct cleave_plan_list *list = &plan->list[m];
    struct cleave_plan_list items = {0};
    int status = planner_make_items(&items, plan->size, map, error);
    list->columns = items.columns;
    list->modified = items.modified;
    list->points = items.points;
    if (status == 0 && items.points > 0) {
        struct owner_builder builder = {.map = map,
                                        .items = &items,
                                        .number = m,
                                        .block_size = plan->block_size,
                                        .lanes = plan->lanes,
                                        .warps = plan_warps(plan),
                                        .owners = (items.points - 1) / plan->block_size + 1,
                                        .most = most_collected(items.points)};
        status = fill_list(&builder, list, error);
    }
    planner_free_items(&items);
    return status;
}

int planner_owners_build(const struct planner *planner, struct cleave_plan **plan, int elements,
                         int block_size, int lanes, int maps, const struct plan_map *map,
                         char error[PLANNER_ERROR])
{
    PLANNER_THREADS(planner);
    *plan = NULL;
    if (lanes < 1 || lanes > CLEAVE_MAX_LANES) {
        snprintf(error, PLANNER_ERROR, "a warp has %d lanes; it must have 1 to %d", lanes,
                 CLEAVE_MAX_LANES);
        return -1;
    }
    if (planner_check_sets(elements, maps, map, block_size, error) != 0) {
        return -1;
    }
    struct cleave_plan *built = planner_zeroed(1, sizeof *built, "a plan", error);
    if (built == NULL) {
        return -1;
    }
    built->size = elements;
    built->block_size = block_size;
    built->lanes = lanes;
    for (int m = 0; m < maps; m++) {
        built->lists = m + 1;
        if ((map[m].apart ? planner_make_entries(&built->list[m], &map[m], error)
                          : make_list(built, m, &map[m], error)) != 0) {
            planner_free(built);
            return -1;
        }
    }
    *plan = built;
    return 0;
}
