/* named.c: the items of each point with what their elements name, so that a thread loads an item
 * and then everything that the item reads.
 *
 * In: maps. Out: a plan whose lists hold rows of items for CLEAVE_NAMED_LANES points each, in the
 * order of the elements. An item of points.c is an element and a column; here the entries of maps
 * that lead from the element stand in its place.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/planner/plan/build.h"

/* One word of an item. */
struct word {
    const struct plan_map *map; /* NULL: the element */
    int column;                 /* position in map->column; -1: the one that is not the item's */
};

/* A list on its way. */
struct naming {
    const struct cleave_plan_list *items; /* of points.c */
    int words;
    struct word word[CLEAVE_NAMED_WORDS];
    int bits; /* of the column, in the first word */
    int *start;
    int *item;
};

/* ---- words -------------------------------------------------------------------------------------
 */

static void add_word(struct naming *naming, const struct plan_map *map, int column)
{
    if (naming->words < CLEAVE_NAMED_WORDS) {
        naming->word[naming->words] = (struct word){map, column};
    }
    naming->words++;
}

static void add_columns(struct naming *naming, const struct plan_map *map)
{
    for (int k = 0; k < map->columns; k++) {
        add_word(naming, map, k);
    }
}

/* Whether `parts` names nothing but lists that items can name. */
static int are_named_rightly(int maps, const struct plan_map *map, unsigned parts, char *error)
{
    for (int m = 0; m < CLEAVE_MAX_LISTS; m++) {
        if ((parts & CLEAVE_PART_NAMES(m)) != 0 &&
            (m >= maps || map[m].apart || plan_modified(&map[m]) != 0)) {
            snprintf(error, PLANNER_ERROR,
                     "items cannot name the points of map %d: elements have no such map, or modify "
                     "data through it",
                     m);
            return 0;
        }
    }
    return 1;
}

/* Sets the words of map m's items. */
static int find_words(struct naming *naming, int elements, int maps, const struct plan_map *map,
                      int m, unsigned parts, char *error)
{
    if ((parts & CLEAVE_PART_NUMBERED) != 0) {
        add_word(naming, NULL, 0);
    }
    if (map[m].columns == 2 && plan_modified_count(&map[m]) == 2) {
        add_word(naming, &map[m], -1);
    } else if (map[m].columns > 1) {
        add_columns(naming, &map[m]);
    }
    for (int other = 0; other < maps; other++) {
        if ((parts & CLEAVE_PART_NAMES(other)) != 0) {
            add_columns(naming, &map[other]);
        }
    }
    if (naming->words < 1 || naming->words > CLEAVE_NAMED_WORDS) {
        snprintf(error, PLANNER_ERROR, "an item would have %d words; it has 1 to %d", naming->words,
                 CLEAVE_NAMED_WORDS);
        return -1;
    }
    const unsigned largest = 31 - (unsigned)__builtin_clz(plan_modified(&map[m]));
    while (largest >> naming->bits != 0) {
        naming->bits++;
    }
    const struct plan_map *first = naming->word[0].map;
    const int values = first != NULL ? first->points : elements;
    if (values - 1 > INT_MAX >> naming->bits) {
        snprintf(error, PLANNER_ERROR, "the numbers 0..%d and %d bits for a column do not fit 31",
                 values - 1, naming->bits);
        return -1;
    }
    return 0;
}

static int value_of(const struct word *word, int e, int k)
{
    if (word->map == NULL) {
        return e;
    }
    return plan_point(word->map, e, word->column >= 0 ? word->column : 1 - k);
}

/* ---- rows --------------------------------------------------------------------------------------
 */

static int chunks_of(int points)
{
    return (points - 1) / CLEAVE_NAMED_LANES + 1;
}

static int items_of(const struct cleave_plan_list *items, int p)
{
    return p < items->points ? items->item_start[p + 1] - items->item_start[p] : 0;
}

/* Sets naming->start. Returns the number of rows; -1: there are too many. */
static int find_rows(const struct naming *naming)
{
    const int chunks = chunks_of(naming->items->points);
    int64_t rows = 0;
    for (int c = 0; c < chunks; c++) {
        int most = 0;
        for (int lane = 0; lane < CLEAVE_NAMED_LANES; lane++) {
            const int count = items_of(naming->items, c * CLEAVE_NAMED_LANES + lane);
            most = count > most ? count : most;
        }
        naming->start[c] = (int)rows;
        rows += most;
        if (rows > INT_MAX / CLEAVE_NAMED_LANES) {
            return -1;
        }
    }
    naming->start[chunks] = (int)rows;
    return (int)rows;
}

static void fill_item(const struct naming *naming, int row, int lane, int i)
{
    for (int w = 0; w < naming->words; w++) {
        int value = -1;
        if (i >= 0) {
            const int k = naming->items->item_column[i];
            value = value_of(&naming->word[w], naming->items->item_element[i], k);
            value = w == 0 ? value << naming->bits | k : value;
        }
        naming->item[CLEAVE_NAMED_AT(naming->words, row, lane, w)] = value;
    }
}

static void fill_chunk(const struct naming *naming, int chunk)
{
    for (int lane = 0; lane < CLEAVE_NAMED_LANES; lane++) {
        const int p = chunk * CLEAVE_NAMED_LANES + lane;
        const int count = items_of(naming->items, p);
        for (int row = naming->start[chunk]; row < naming->start[chunk + 1]; row++) {
            const int n = row - naming->start[chunk];
            fill_item(naming, row, lane, n < count ? naming->items->item_start[p] + n : -1);
        }
    }
}

/* Fills the list from the items; the caller frees its arrays, after a failure, too. */
static int make_rows(struct cleave_plan_list *list, struct naming *naming, char *error)
{
    static const char what[] = "the items of points with what they name";
    const int chunks = chunks_of(naming->items->points);
    naming->start = planner_memory((size_t)chunks + 1, sizeof *naming->start, what, error);
    list->named_start = naming->start;
    if (naming->start == NULL) {
        return -1;
    }
    const int rows = find_rows(naming);
    if (rows < 0) {
        snprintf(error, PLANNER_ERROR,
                 "the items of %d points, padded to the busiest of each %d, are more than %d",
                 naming->items->points, CLEAVE_NAMED_LANES, INT_MAX);
        return -1;
    }
    naming->item = planner_memory((size_t)rows * CLEAVE_NAMED_LANES * (size_t)naming->words,
                                  sizeof *naming->item, what, error);
    list->named_item = naming->item;
    if (naming->item == NULL) {
        return -1;
    }
    list->points = naming->items->points;
    list->words = naming->words;
    list->rows = rows;
#pragma omp parallel for schedule(static) if (chunks > 256)
    for (int c = 0; c < chunks; c++) {
        fill_chunk(naming, c);
    }
    return 0;
}

static int make_list(struct cleave_plan_list *list, int elements, int maps,
                     const struct plan_map *map, int m, unsigned parts, char *error)
{
    struct cleave_plan_list items = {0};
    struct naming naming = {.items = &items};
    list->columns = map[m].columns;
    list->modified = plan_modified_count(&map[m]);
    if (elements == 0 || list->modified == 0) {
        return 0;
    }
    int status = find_words(&naming, elements, maps, map, m, parts, error);
    if (status == 0) {
        status = planner_make_items(&items, elements, &map[m], error);
    }
    if (status == 0) {
        status = make_rows(list, &naming, error);
    }
    planner_free_items(&items);
    return status;
}

int planner_named_build(const struct planner *planner, struct cleave_plan **plan, int elements,
                        int maps, const struct plan_map *map, unsigned parts,
                        char error[PLANNER_ERROR])
{
    PLANNER_THREADS(planner);
    *plan = NULL;
    if (planner_check_sets(elements, maps, map, 1, error) != 0 ||
        !are_named_rightly(maps, map, parts, error)) {
        return -1;
    }
    struct cleave_plan *built = planner_zeroed(1, sizeof *built, "a plan", error);
    if (built == NULL) {
        return -1;
    }
    built->size = elements;
    for (int m = 0; m < maps; m++) {
        built->lists = m + 1;
        if ((map[m].apart
                 ? planner_make_entries(&built->list[m], &map[m], error)
                 : make_list(&built->list[m], elements, maps, map, m, parts, error)) != 0) {
            planner_free(built);
            return -1;
        }
    }
    *plan = built;
    return 0;
}
