/* check_named.c: does a plan whose items name what elements read keep its promises?
 *
 * In: a plan (on the host) and the maps it was built from. Out: 0, or -1 with the first broken
 * promise. Items are found again by a walk over the elements, which counts those of each point.
 */
#include <stdlib.h>

#include "runtime/planner/plan/check.h"

/* A list that is being checked. */
struct naming {
    const struct check *check;
    const struct cleave_plan_list *list;
    const struct plan_map *own;
    int m;
    unsigned parts;
    int *found; /* [points] items of each point that the walk has met */
};

static int entry(const struct plan_map *map, int e, int k)
{
    return map->row[(size_t)e * (size_t)map->dim + (size_t)map->column[k]];
}

/* Appends the entries of all columns; returns the number of words so far. */
static int append(const struct plan_map *map, int e, int *word, int words)
{
    for (int c = 0; c < map->columns; c++) {
        word[words++] = entry(map, e, c);
    }
    return words;
}

/* Writes the words of an item to word[CLEAVE_NAMED_WORDS]; returns how many it must have. */
static int words_of(const struct naming *naming, int e, int k, int *word)
{
    const struct plan_map *own = naming->own;
    int words = 0;
    int all[1 + CLEAVE_MAX_LISTS * CLEAVE_MAX_COLUMNS];
    if ((naming->parts & CLEAVE_PART_NUMBERED) != 0) {
        all[words++] = e;
    }
    if (own->columns == 2 && plan_check_modified(own) == 2) {
        all[words++] = entry(own, e, k == 0 ? 1 : 0);
    } else if (own->columns != 1) {
        words = append(own, e, all, words);
    }
    for (int m = 0; m < naming->check->maps; m++) {
        if ((naming->parts & CLEAVE_PART_NAMES(m)) != 0) {
            words = append(&naming->check->map[m], e, all, words);
        }
    }
    int largest = 0;
    for (int c = 0; c < naming->own->columns; c++) {
        largest = plan_check_modifies(naming->own, c) ? c : largest;
    }
    int times = 1;
    while (times <= largest) {
        times *= 2;
    }
    for (int w = 0; w < words && w < CLEAVE_NAMED_WORDS; w++) {
        word[w] = w == 0 ? all[w] * times + k : all[w];
    }
    return words;
}

static int word_at(const struct cleave_plan_list *list, int p, int n, int w)
{
    const int row = list->named_start[p / CLEAVE_NAMED_LANES] + n;
    return list->named_item[CLEAVE_NAMED_AT(list->words, row, p % CLEAVE_NAMED_LANES, w)];
}

static int rows_of(const struct cleave_plan_list *list, int p)
{
    const int chunk = p / CLEAVE_NAMED_LANES;
    return list->named_start[chunk + 1] - list->named_start[chunk];
}

static int check_item(const struct naming *naming, int e, int k)
{
    const struct cleave_plan_list *list = naming->list;
    const int p = entry(naming->own, e, k);
    const int n = naming->found[p]++;
    int word[CLEAVE_NAMED_WORDS];
    const int words = words_of(naming, e, k, word);
    if (words != list->words) {
        return planner_check_broken(naming->check, "map %d: items have %d words, not %d", naming->m,
                                    list->words, words);
    }
    if (n >= rows_of(list, p)) {
        return planner_check_broken(naming->check, "map %d: item %d of point %d is missing",
                                    naming->m, n, p);
    }
    for (int w = 0; w < words; w++) {
        if (word_at(list, p, n, w) != word[w]) {
            return planner_check_broken(naming->check,
                                        "map %d: word %d of item %d of point %d is %d, not %d",
                                        naming->m, w, n, p, word_at(list, p, n, w), word[w]);
        }
    }
    return 0;
}

/* Behind the last item of each point, and of lanes without a point. */
static int check_padding(const struct naming *naming, int p)
{
    const struct cleave_plan_list *list = naming->list;
    const int items = p < list->points ? naming->found[p] : 0;
    for (int n = items; n < rows_of(list, p); n++) {
        for (int w = 0; w < list->words; w++) {
            if (word_at(list, p, n, w) != -1) {
                return planner_check_broken(naming->check,
                                            "map %d: point %d has something behind its %d items",
                                            naming->m, p, items);
            }
        }
    }
    return 0;
}

static int check_chunk(const struct naming *naming, int chunk)
{
    int most = 0;
    for (int lane = 0; lane < CLEAVE_NAMED_LANES; lane++) {
        const int p = chunk * CLEAVE_NAMED_LANES + lane;
        if (p < naming->list->points && naming->found[p] > most) {
            most = naming->found[p];
        }
        if (check_padding(naming, p) != 0) {
            return -1;
        }
    }
    const int rows = rows_of(naming->list, chunk * CLEAVE_NAMED_LANES);
    return rows == most ? 0
                        : planner_check_broken(naming->check,
                                               "map %d: chunk %d has %d rows for at most %d items",
                                               naming->m, chunk, rows, most);
}

static int check_all(const struct naming *naming)
{
    for (int e = 0; e < naming->check->elements; e++) {
        for (int k = 0; k < naming->own->columns; k++) {
            if (plan_check_modifies(naming->own, k) && check_item(naming, e, k) != 0) {
                return -1;
            }
        }
    }
    const int chunks = (naming->list->points - 1) / CLEAVE_NAMED_LANES + 1;
    for (int c = 0; c < chunks; c++) {
        if (check_chunk(naming, c) != 0) {
            return -1;
        }
    }
    return 0;
}

static int check_list(const struct check *check, int m, unsigned parts)
{
    const struct plan_map *map = &check->map[m];
    const struct cleave_plan_list *list = &check->plan->list[m];
    const int64_t items = (int64_t)check->elements * plan_check_modified(map);
    const unsigned arrays = items > 0 ? 1u << PLAN_PART_NAMED : 0;
    if (planner_check_list_arrays(check, m, arrays, arrays) != 0) {
        return -1;
    }
    if (items == 0) {
        return 0;
    }
    if (list->points != map->points) {
        return planner_check_broken(check, "map %d: the list has %d points, not %d", m,
                                    list->points, map->points);
    }
    if (planner_check_offsets(check, list->named_start, (map->points - 1) / CLEAVE_NAMED_LANES + 1,
                              list->rows, "rows of items") != 0) {
        return -1;
    }
    struct naming naming = {check, list, map, m, parts, NULL};
    naming.found = planner_check_scratch(check, (size_t)map->points, sizeof *naming.found);
    const int status = naming.found != NULL ? check_all(&naming) : -1;
    free(naming.found);
    return status;
}

int planner_named_check(const struct planner *planner, const struct cleave_plan *plan, int elements,
                        int maps, const struct plan_map *map, unsigned parts,
                        char error[PLANNER_ERROR])
{
    PLANNER_THREADS(planner);
    struct check check = {plan, elements, maps, map, error};
    if (planner_check_sizes(&check) != 0 || planner_check_plan_arrays(&check, 0, 0) != 0) {
        return -1;
    }
    for (int m = 0; m < maps; m++) {
        if ((map[m].apart ? planner_check_entries(&check, m) : check_list(&check, m, parts)) != 0) {
            return -1;
        }
    }
    return 0;
}
