/* plan_check.c: does a plan keep its promises?
 *
 * In: a plan (on the host) and the maps it was built from. Out: 0, or -1 with the first broken
 * promise. Shares no code with the builder, and finds conflicts in another way (by sorting), so
 * that one mistake does not hide the other. For tests and for debugging runs.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "plan.h"

#define LOCAL_INDICES 65536 /* as many as 16 bits can name */

struct check {
    const struct cleave_plan *plan;
    int elements;
    int maps;
    const struct plan_map *map;
    char *error;
};

static int broken(const struct check *check, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static int broken(const struct check *check, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(check->error, 256, format, arguments);
    va_end(arguments);
    return -1;
}

static void *scratch(const struct check *check, size_t count, size_t bytes)
{
    void *memory = calloc(count > 0 ? count : 1, bytes);
    if (memory == NULL) {
        broken(check, "out of memory: cannot allocate %zu bytes for checking a plan",
               count * bytes);
    }
    return memory;
}

/* ---- sizes, blocks, order -----------------------------------------------------------------------
 */

static int check_offsets(const struct check *check, const int *start, int rows, int end,
                         const char *what)
{
    if (start == NULL || start[0] != 0 || start[rows] != end) {
        return broken(check, "the offsets of %s do not run from 0 to %d", what, end);
    }
    for (int r = 0; r < rows; r++) {
        if (start[r + 1] < start[r]) {
            return broken(check, "the offsets of %s descend at %d: %d, then %d", what, r, start[r],
                          start[r + 1]);
        }
    }
    return 0;
}

static int check_blocks(const struct check *check)
{
    const struct cleave_plan *plan = check->plan;
    if (plan->size != check->elements || plan->lists != check->maps) {
        return broken(check, "the plan is for %d elements and %d maps, not for %d and %d",
                      plan->size, plan->lists, check->elements, check->maps);
    }
    if (check_offsets(check, plan->start, plan->blocks, plan->size, "blocks") != 0) {
        return -1;
    }
    for (int b = 0; b < plan->blocks; b++) {
        int size = plan->start[b + 1] - plan->start[b];
        if (size < 1 || size > plan->block_size) {
            return broken(check, "block %d has %d elements; it must have 1 to %d", b, size,
                          plan->block_size);
        }
    }
    return 0;
}

/* list holds each of 0..count-1 once. */
static int check_permutation(const struct check *check, const int *list, int count,
                             const char *what, const char *places)
{
    int *place = scratch(check, (size_t)count, sizeof *place);
    int status = place != NULL ? 0 : -1;
    for (int i = 0; status == 0 && i < count; i++) {
        if (list[i] < 0 || list[i] >= count) {
            status = broken(check, "%s %d at %s %d does not exist", what, list[i], places, i);
        } else if (place[list[i]] != 0) {
            status = broken(check, "%s %d is at %s %d and at %d", what, list[i], places,
                            place[list[i]] - 1, i);
        } else {
            place[list[i]] = i + 1;
        }
    }
    free(place);
    return status;
}

/* ---- colours ------------------------------------------------------------------------------------
 */

/* One modification: of a point, by a block or by a position of a block. Two of one colour at one
 * point must come from one owner. */
struct touch {
    int target;
    int point;
    int colour;
    int owner;
};

static int compare_touches(const void *a, const void *b)
{
    const struct touch *x = a;
    const struct touch *y = b;
    if (x->target != y->target) {
        return x->target < y->target ? -1 : 1;
    }
    if (x->point != y->point) {
        return x->point < y->point ? -1 : 1;
    }
    if (x->colour != y->colour) {
        return x->colour < y->colour ? -1 : 1;
    }
    return (x->owner > y->owner) - (x->owner < y->owner);
}

/* Appends the touches of the element at a position; returns the new number of touches. */
static size_t add_touches(const struct check *check, int position, int colour, int owner,
                          struct touch *touch, size_t touches)
{
    for (int m = 0; m < check->maps; m++) {
        const struct plan_map *map = &check->map[m];
        const int *row = map->row + (size_t)check->plan->order[position] * map->dim;
        for (int k = 0; k < map->columns; k++) {
            if ((map->conflicts & 1u << k) != 0) {
                touch[touches++] = (struct touch){map->target, row[map->column[k]], colour, owner};
            }
        }
    }
    return touches;
}

static size_t touches_per_element(const struct check *check)
{
    size_t touches = 0;
    for (int m = 0; m < check->maps; m++) {
        for (int k = 0; k < check->map[m].columns; k++) {
            touches += (check->map[m].conflicts & 1u << k) != 0;
        }
    }
    return touches;
}

/* Sorts the touches; NULL, or the first of two that conflict. */
static const struct touch *find_conflict(struct touch *touch, size_t touches)
{
    qsort(touch, touches, sizeof *touch, compare_touches);
    for (size_t i = 1; i < touches; i++) {
        const struct touch *one = &touch[i - 1];
        const struct touch *other = &touch[i];
        if (one->target == other->target && one->point == other->point &&
            one->colour == other->colour && one->owner != other->owner) {
            return one;
        }
    }
    return NULL;
}

static int check_colour_of_blocks(const struct check *check, int colour, struct touch *touch)
{
    const struct cleave_plan *plan = check->plan;
    size_t touches = 0;
    for (int k = plan->colour_start[colour]; k < plan->colour_start[colour + 1]; k++) {
        int block = plan->colour_block[k];
        for (int i = plan->start[block]; i < plan->start[block + 1]; i++) {
            touches = add_touches(check, i, colour, block, touch, touches);
        }
    }
    const struct touch *found = find_conflict(touch, touches);
    if (found != NULL) {
        return broken(check, "blocks %d and %d have colour %d and both modify point %d of set %d",
                      found[0].owner, found[1].owner, colour, found->point, found->target);
    }
    return 0;
}

static int check_block_colours(const struct check *check, struct touch *touch)
{
    const struct cleave_plan *plan = check->plan;
    if (check_offsets(check, plan->colour_start, plan->colours, plan->blocks, "block colours") !=
            0 ||
        check_permutation(check, plan->colour_block, plan->blocks, "block", "colour position") !=
            0) {
        return -1;
    }
    for (int colour = 0; colour < plan->colours; colour++) {
        if (plan->colour_start[colour] == plan->colour_start[colour + 1]) {
            return broken(check, "no block has colour %d", colour);
        }
        if (check_colour_of_blocks(check, colour, touch) != 0) {
            return -1;
        }
    }
    return 0;
}

static int check_threads_of_block(const struct check *check, int block, struct touch *touch)
{
    const struct cleave_plan *plan = check->plan;
    size_t touches = 0;
    int largest = 0;
    for (int i = plan->start[block]; i < plan->start[block + 1]; i++) {
        int colour = plan->thread_colour[i];
        largest = colour > largest ? colour : largest;
        touches = add_touches(check, i, colour, i, touch, touches);
    }
    if (plan->thread_colours[block] != largest + 1 || largest >= plan->max_thread_colours) {
        return broken(check,
                      "block %d has thread colours up to %d; it says %d, and the plan says %d",
                      block, largest, plan->thread_colours[block], plan->max_thread_colours);
    }
    const struct touch *found = find_conflict(touch, touches);
    if (found != NULL) {
        return broken(
            check,
            "elements %d and %d of block %d have thread colour %d and both modify point %d "
            "of set %d",
            plan->order[found[0].owner], plan->order[found[1].owner], block, found->colour,
            found->point, found->target);
    }
    return 0;
}

static int check_thread_colours(const struct check *check, struct touch *touch)
{
    const struct cleave_plan *plan = check->plan;
    int largest = 0;
    for (int b = 0; b < plan->blocks; b++) {
        if (check_threads_of_block(check, b, touch) != 0) {
            return -1;
        }
        largest = plan->thread_colours[b] > largest ? plan->thread_colours[b] : largest;
    }
    if (largest != plan->max_thread_colours) {
        return broken(check, "blocks have at most %d thread colours; the plan says %d", largest,
                      plan->max_thread_colours);
    }
    return 0;
}

static int check_colours(const struct check *check)
{
    size_t most = (size_t)check->elements * touches_per_element(check);
    struct touch *touch = scratch(check, most, sizeof *touch);
    if (touch == NULL) {
        return -1;
    }
    int status = check_block_colours(check, touch);
    if (status == 0) {
        status = check_thread_colours(check, touch);
    }
    free(touch);
    return status;
}

/* ---- lists --------------------------------------------------------------------------------------
 */

static int check_list_points(const struct check *check, int m, int block)
{
    const struct cleave_plan_list *list = &check->plan->list[m];
    if (list->start[block + 1] - list->start[block] > LOCAL_INDICES) {
        return broken(check, "map %d: block %d lists %d points, too many for 16-bit local indices",
                      m, block, list->start[block + 1] - list->start[block]);
    }
    for (int k = list->start[block]; k < list->start[block + 1]; k++) {
        if (list->point[k] < 0 || list->point[k] >= check->map[m].points) {
            return broken(check, "map %d: block %d lists point %d of a set of %d", m, block,
                          list->point[k], check->map[m].points);
        }
        if (k > list->start[block] && list->point[k] <= list->point[k - 1]) {
            return broken(check, "map %d: block %d lists point %d after point %d", m, block,
                          list->point[k], list->point[k - 1]);
        }
    }
    if (list->start[block + 1] - list->start[block] > list->max_points) {
        return broken(check, "map %d: block %d has %d points; the plan says at most %d", m, block,
                      list->start[block + 1] - list->start[block], list->max_points);
    }
    return 0;
}

/* Every local index leads to the point of the map, and every listed point is led to.
 * used[k]: 1 + the last block with an element at the k-th point of its list. */
static int check_local(const struct check *check, int m, int block, int *used)
{
    const struct cleave_plan *plan = check->plan;
    const struct plan_map *map = &check->map[m];
    const struct cleave_plan_list *list = &plan->list[m];
    int length = list->start[block + 1] - list->start[block];
    for (int i = plan->start[block]; i < plan->start[block + 1]; i++) {
        for (int c = 0; c < map->columns; c++) {
            int point = map->row[(size_t)plan->order[i] * map->dim + map->column[c]];
            int local = list->local[(size_t)c * plan->size + i];
            if (local >= length || list->point[list->start[block] + local] != point) {
                return broken(
                    check,
                    "map %d, block %d: element %d, column %d is point %d; its local index "
                    "%d does not lead there",
                    m, block, plan->order[i], map->column[c], point, local);
            }
            used[local] = block + 1;
        }
    }
    for (int k = 0; k < length; k++) {
        if (used[k] != block + 1) {
            return broken(check,
                          "map %d: block %d lists point %d, which none of its elements names", m,
                          block, list->point[list->start[block] + k]);
        }
    }
    return 0;
}

static int check_list(const struct check *check, int m)
{
    const struct cleave_plan *plan = check->plan;
    const struct cleave_plan_list *list = &plan->list[m];
    int largest = 0;
    if (list->start == NULL || check_offsets(check, list->start, plan->blocks,
                                             list->start[plan->blocks], "a point list") != 0) {
        return broken(check, "map %d: the offsets of its points are not ascending from 0", m);
    }
    int *used = scratch(check, LOCAL_INDICES, sizeof *used);
    int status = used != NULL ? 0 : -1;
    for (int b = 0; status == 0 && b < plan->blocks; b++) {
        int length = list->start[b + 1] - list->start[b];
        largest = length > largest ? length : largest;
        status = check_list_points(check, m, b);
        if (status == 0) {
            status = check_local(check, m, b, used);
        }
    }
    free(used);
    if (status == 0 && largest != list->max_points) {
        return broken(check, "map %d: blocks have at most %d points; the plan says %d", m, largest,
                      list->max_points);
    }
    return status;
}

/* ---- entry --------------------------------------------------------------------------------------
 */

int plan_check(const struct cleave_plan *plan, int elements, int maps, const struct plan_map *map,
               char error[256])
{
    struct check check = {plan, elements, maps, map, error};
    if (check_blocks(&check) != 0 ||
        check_permutation(&check, plan->order, plan->size, "element", "position") != 0 ||
        check_colours(&check) != 0) {
        return -1;
    }
    for (int m = 0; m < maps; m++) {
        if (check_list(&check, m) != 0) {
            return -1;
        }
    }
    return 0;
}
