/* points.c: which elements name each point, for variants in which a point gathers what is its own.
 *
 * In: maps. Out: a plan without blocks whose lists hold, for each point, its items in the order of
 * the elements: so sums over them are in the order of the sequential loop.
 *
 * The items are sorted by their points in two stable steps. Points are cut into ranges; chunks of
 * elements count what they have for each range, and then put it there, one chunk after the other.
 * Then each range is sorted by counting.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/planner/plan/build.h"

#define RANGES 256
#define CHUNKS 256

/* An item on its way: (element * modified columns + which of them) and its point. */
struct item {
    int number;
    int point;
};

/* One map on its way into a list. */
struct filling {
    const struct plan_map *map;
    int elements;
    int columns; /* modified ones */
    int column[CLEAVE_MAX_COLUMNS];
    int shift;  /* range r: the points from r << shift on */
    int *begin; /* [RANGES*CHUNKS+1] where chunk c's items of range r begin, at r*CHUNKS + c */
    struct item *item;
    int *start;
    int *element;
    unsigned char *modified;
};

static int first_element(const struct filling *f, int chunk)
{
    return (int)((int64_t)f->elements * chunk / CHUNKS);
}

static void count_chunk(const struct filling *f, int chunk)
{
    int count[RANGES] = {0};
    for (int e = first_element(f, chunk); e < first_element(f, chunk + 1); e++) {
        for (int k = 0; k < f->columns; k++) {
            count[plan_point(f->map, e, f->column[k]) >> f->shift]++;
        }
    }
    for (int r = 0; r < RANGES; r++) {
        f->begin[r * CHUNKS + chunk] = count[r];
    }
}

static void move_chunk(const struct filling *f, int chunk)
{
    int at[RANGES];
    for (int r = 0; r < RANGES; r++) {
        at[r] = f->begin[r * CHUNKS + chunk];
    }
    for (int e = first_element(f, chunk); e < first_element(f, chunk + 1); e++) {
        for (int k = 0; k < f->columns; k++) {
            int point = plan_point(f->map, e, f->column[k]);
            f->item[at[point >> f->shift]++] = (struct item){e * f->columns + k, point};
        }
    }
}

/* Counts, then places: while items are placed, start[p] is where the next one of point p goes; the
 * next range begins where this one ends, so what has become the start of p+1 moves up by one. */
static void sort_range(const struct filling *f, int range)
{
    int64_t from = (int64_t)range << f->shift;
    int first = from < f->map->points ? (int)from : f->map->points;
    int left = f->map->points - first;
    int points = left < 1 << f->shift ? left : 1 << f->shift;
    int begin = f->begin[range * CHUNKS];
    int end = f->begin[(range + 1) * CHUNKS];
    int *start = f->start + first;
    memset(start, 0, (size_t)points * sizeof *start);
    for (int i = begin; i < end; i++) {
        start[f->item[i].point - first]++;
    }
    for (int p = 0, before = begin; p < points; p++) {
        int here = start[p];
        start[p] = before;
        before += here;
    }
    for (int i = begin; i < end; i++) {
        int at = start[f->item[i].point - first]++;
        f->element[at] = f->item[i].number / f->columns;
        f->modified[at] = (unsigned char)f->column[f->item[i].number % f->columns];
    }
    if (points > 0) {
        memmove(start + 1, start, (size_t)(points - 1) * sizeof *start);
        start[0] = begin;
    }
}

static void sort_items(const struct filling *f)
{
#pragma omp parallel for schedule(dynamic, 1) if (f->elements > 8192)
    for (int chunk = 0; chunk < CHUNKS; chunk++) {
        count_chunk(f, chunk);
    }
    int before = 0;
    for (int i = 0; i < RANGES * CHUNKS; i++) {
        int here = f->begin[i];
        f->begin[i] = before;
        before += here;
    }
    f->begin[RANGES * CHUNKS] = before;
    f->start[f->map->points] = before;
#pragma omp parallel for schedule(dynamic, 1) if (f->elements > 8192)
    for (int chunk = 0; chunk < CHUNKS; chunk++) {
        move_chunk(f, chunk);
    }
#pragma omp parallel for schedule(dynamic, 1) if (f->elements > 8192)
    for (int range = 0; range < RANGES; range++) {
        sort_range(f, range);
    }
}

int planner_make_items(struct cleave_plan_list *list, int elements, const struct plan_map *map,
                       char *error)
{
    static const char what[] = "a list of elements";
    struct filling f = {.map = map, .elements = elements};
    for (unsigned left = plan_modified(map); left != 0; left &= left - 1) {
        f.column[f.columns++] = __builtin_ctz(left);
    }
    size_t items = (size_t)elements * (size_t)f.columns;
    list->columns = map->columns;
    list->modified = f.columns;
    if (items == 0) {
        return 0;
    }
    if (items > INT_MAX) {
        snprintf(error, PLANNER_ERROR,
                 "%d elements name %zu points through %d columns of a map; a list of a point's "
                 "elements holds at most %d",
                 elements, items, f.columns, INT_MAX);
        return -1;
    }
    while (((map->points - 1) >> f.shift) >= RANGES) {
        f.shift++;
    }
    f.start = planner_memory((size_t)map->points + 1, sizeof *f.start, what, error);
    list->item_start = f.start;
    f.element = planner_memory(items, sizeof *f.element, what, error);
    list->item_element = f.element;
    f.modified = planner_memory(items, sizeof *f.modified, what, error);
    list->item_column = f.modified;
    f.begin = planner_memory(RANGES * CHUNKS + 1, sizeof *f.begin, what, error);
    f.item = planner_memory(items, sizeof *f.item, what, error);
    int status = f.start != NULL && f.element != NULL && f.modified != NULL && f.begin != NULL &&
                         f.item != NULL
                     ? 0
                     : -1;
    if (status == 0) {
        list->points = map->points;
        sort_items(&f);
    }
    free(f.begin);
    free(f.item);
    return status;
}

void planner_free_items(struct cleave_plan_list *list)
{
    free((void *)list->item_start);
    free((void *)list->item_element);
    free((void *)list->item_column);
    list->item_start = NULL;
    list->item_element = NULL;
    list->item_column = NULL;
}

int planner_points_build(const struct planner *planner, struct cleave_plan **plan, int elements,
                         int maps, const struct plan_map *map, char error[PLANNER_ERROR])
{
    PLANNER_THREADS(planner);
    *plan = NULL;
    if (planner_check_sets(elements, maps, map, 1, error) != 0) {
        return -1;
    }
    struct cleave_plan *built = planner_zeroed(1, sizeof *built, "a plan", error);
    if (built == NULL) {
        return -1;
    }
    built->size = elements;
    for (int m = 0; m < maps; m++) {
        built->lists = m + 1;
        if ((map[m].apart ? planner_make_entries(&built->list[m], &map[m], error)
                          : planner_make_items(&built->list[m], elements, &map[m], error)) != 0) {
            planner_free(built);
            return -1;
        }
    }
    *plan = built;
    return 0;
}
