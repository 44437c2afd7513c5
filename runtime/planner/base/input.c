/* input.c: are the maps, sizes and columns that the caller gives in range? */
#include <limits.h>
#include <stdio.h>

#include "runtime/planner/base/base.h"

static int check_sizes(int elements, int maps, int block_size, char *error)
{
    if (elements < 0 || maps < 0 || maps > CLEAVE_MAX_LISTS) {
        snprintf(error, PLANNER_ERROR, "a plan for %d elements through %d maps; at most %d maps",
                 elements, maps, CLEAVE_MAX_LISTS);
        return -1;
    }
    if (block_size < 1 || block_size > 1024) {
        snprintf(error, PLANNER_ERROR, "the block size is %d; it must be 1 to 1024", block_size);
        return -1;
    }
    return 0;
}

static int check_shape(int rows, const struct plan_map *map, int m, char *error)
{
    const struct plan_map *own = &map[m];
    if (own->dim < 1 || own->points < 0 || own->columns < 0 || own->columns > CLEAVE_MAX_COLUMNS ||
        (own->row == NULL && rows > 0) || rows < 0) {
        snprintf(error, PLANNER_ERROR,
                 "map %d has %d columns, %d of them used (at most %d), %d points and %s entries", m,
                 own->dim, own->columns, CLEAVE_MAX_COLUMNS, own->points,
                 own->row == NULL ? "no" : "its");
        return -1;
    }
    for (int k = 0; k < own->columns; k++) {
        if (own->column[k] < 0 || own->column[k] >= own->dim) {
            snprintf(error, PLANNER_ERROR, "map %d has %d columns; column %d does not exist", m,
                     own->dim, own->column[k]);
            return -1;
        }
    }
    for (int other = 0; other < m; other++) {
        if (map[other].target == own->target && map[other].points != own->points) {
            snprintf(error, PLANNER_ERROR,
                     "maps %d and %d lead to set %d, with %d and with %d points", other, m,
                     own->target, map[other].points, own->points);
            return -1;
        }
    }
    return 0;
}

/* The first used column of element e whose entry is out of range, or -1. */
static int bad_column(const struct plan_map *map, int e)
{
    const int *row = map->row + (size_t)e * (size_t)map->dim;
    for (int k = 0; k < map->columns; k++) {
        if (row[map->column[k]] < 0 || row[map->column[k]] >= map->points) {
            return map->column[k];
        }
    }
    return -1;
}

static int check_entries(int rows, const struct plan_map *maps, int m, char *error)
{
    const struct plan_map *map = &maps[m];
    int first = INT_MAX;
#pragma omp parallel for reduction(min : first)
    for (int e = 0; e < rows; e++) {
        if (e < first && bad_column(map, e) >= 0) {
            first = e;
        }
    }
    if (first == INT_MAX) {
        return 0;
    }
    int column = bad_column(map, first);
    snprintf(error, PLANNER_ERROR, "map %d, row %d, column %d is %d; its set has %d points", m,
             first, column, map->row[(size_t)first * (size_t)map->dim + (size_t)column],
             map->points);
    return -1;
}

int planner_check_sets(int elements, int maps, const struct plan_map *map, int block_size,
                       char error[PLANNER_ERROR])
{
    if (check_sizes(elements, maps, block_size, error) != 0) {
        return -1;
    }
    for (int m = 0; m < maps; m++) {
        const int rows = map[m].apart ? map[m].rows : elements;
        if (check_shape(rows, map, m, error) != 0 || check_entries(rows, map, m, error) != 0) {
            return -1;
        }
    }
    return 0;
}

int planner_check_input(int elements, int maps, const struct plan_map *map, int block_size,
                        char error[PLANNER_ERROR])
{
    if (check_sizes(elements, maps, block_size, error) != 0) {
        return -1;
    }
    for (int m = 0; m < maps; m++) {
        if (map[m].apart) {
            snprintf(error, PLANNER_ERROR,
                     "map %d starts at another set than the elements; only plans for points have "
                     "such maps",
                     m);
            return -1;
        }
    }
    return planner_check_sets(elements, maps, map, block_size, error);
}
