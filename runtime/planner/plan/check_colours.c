/* check_colours.c: no two blocks, no two elements of a block, and no two elements of the set have
 * one colour and modify one point.
 *
 * Blocks and elements of the set are sorted by colour in the plan: each point remembers who
 * modified it last, and in which colour. Inside blocks the modifications are sorted instead.
 */
#include <stdlib.h>

#include "runtime/planner/plan/check.h"

/* Who modified a point last. */
struct stamp {
    int colour; /* and 1 */
    int owner;
};

struct stamps {
    const struct check *check;
    struct stamp *of[CLEAVE_MAX_LISTS]; /* [points] of each map's set; maps to one set share them */
};

/* Two owners of one colour at one point. */
struct conflict {
    int owner[2];
    int point;
    int target;
};

static int stamps_open(struct stamps *stamps, const struct check *check)
{
    *stamps = (struct stamps){.check = check};
    for (int m = 0; m < check->maps; m++) {
        int first = 0;
        while (check->map[first].target != check->map[m].target) {
            first++;
        }
        stamps->of[m] = first < m ? stamps->of[first]
                                  : planner_check_scratch(check, (size_t)check->map[m].points,
                                                          sizeof *stamps->of[m]);
        if (stamps->of[m] == NULL) {
            return -1;
        }
    }
    return 0;
}

static void stamps_close(const struct stamps *stamps)
{
    for (int m = 0; m < stamps->check->maps; m++) {
        int first = 0;
        while (stamps->of[first] != stamps->of[m]) {
            first++;
        }
        if (first == m) {
            free(stamps->of[m]);
        }
    }
}

/* Stamps the points that an element modifies; returns 1, with the conflict, when one of them has
 * the colour from another owner. */
static int stamp_element(const struct stamps *stamps, int element, int colour, int owner,
                         struct conflict *conflict)
{
    for (int m = 0; m < stamps->check->maps; m++) {
        const struct plan_map *map = &stamps->check->map[m];
        const int *row = map->row + (size_t)element * map->dim;
        for (int k = 0; k < map->columns; k++) {
            if (!plan_check_modifies(map, k)) {
                continue;
            }
            int point = row[map->column[k]];
            struct stamp *stamp = &stamps->of[m][point];
            if (stamp->colour == colour + 1 && stamp->owner != owner) {
                *conflict = (struct conflict){{stamp->owner, owner}, point, map->target};
                return 1;
            }
            *stamp = (struct stamp){colour + 1, owner};
        }
    }
    return 0;
}

/* ---- blocks -------------------------------------------------------------------------------- */

/* Stamps the points of elements first..last-1 of a block: positions of plan->order, or of a segment
 * where `order` is NULL. */
static int stamp_elements(const struct stamps *stamps, const int *order, int first, int last,
                          int colour, int block, struct conflict *conflict)
{
    int found = 0;
    for (int i = first; i < last && !found; i++) {
        found = stamp_element(stamps, order != NULL ? order[i] : i, colour, block, conflict);
    }
    return found;
}

static int stamp_block(const struct stamps *stamps, int block, int colour,
                       struct conflict *conflict)
{
    const struct cleave_plan *plan = stamps->check->plan;
    if (plan->segment_start == NULL) {
        return stamp_elements(stamps, plan->order, plan->start[block], plan->start[block + 1],
                              colour, block, conflict);
    }
    int found = 0;
    for (int s = plan->segment_start[block]; s < plan->segment_start[block + 1] && !found; s++) {
        found = stamp_elements(stamps, NULL, plan->segment_first[s], plan->segment_last[s], colour,
                               block, conflict);
    }
    return found;
}

static int check_colour_of_blocks(const struct check *check, int colour,
                                  const struct stamps *stamps)
{
    const struct cleave_plan *plan = check->plan;
    struct conflict found;
    for (int k = plan->colour_start[colour]; k < plan->colour_start[colour + 1]; k++) {
        int block = plan->colour_block[k];
        if (stamp_block(stamps, block, colour, &found)) {
            return planner_check_broken(
                check, "blocks %d and %d have colour %d and both modify point %d of set %d",
                found.owner[0], found.owner[1], colour, found.point, found.target);
        }
    }
    return 0;
}

static int check_colours_of_blocks(const struct check *check, const struct stamps *stamps)
{
    const struct cleave_plan *plan = check->plan;
    if (planner_check_offsets(check, plan->colour_start, plan->colours, plan->blocks,
                              "block colours") != 0 ||
        planner_check_permutation(check, plan->colour_block, plan->blocks, "block",
                                  "colour position") != 0) {
        return -1;
    }
    for (int colour = 0; colour < plan->colours; colour++) {
        if (plan->colour_start[colour] == plan->colour_start[colour + 1]) {
            return planner_check_broken(check, "no block has colour %d", colour);
        }
        if (check_colour_of_blocks(check, colour, stamps) != 0) {
            return -1;
        }
    }
    return 0;
}

/* ---- the whole set ------------------------------------------------------------------------- */

static int check_global_colour(const struct check *check, int colour, const struct stamps *stamps)
{
    const struct cleave_plan *plan = check->plan;
    struct conflict found;
    for (int k = plan->global_start[colour]; k < plan->global_start[colour + 1]; k++) {
        int element = plan->global_element[k];
        if (stamp_element(stamps, element, colour, element, &found)) {
            return planner_check_broken(
                check,
                "elements %d and %d have global colour %d and both modify point %d of set %d",
                found.owner[0], found.owner[1], colour, found.point, found.target);
        }
    }
    return 0;
}

static int check_global_colours(const struct check *check, const struct stamps *stamps)
{
    const struct cleave_plan *plan = check->plan;
    if (plan->global_start == NULL && plan->global_colours == 0) {
        return 0;
    }
    if (planner_check_offsets(check, plan->global_start, plan->global_colours, plan->size,
                              "global colours") != 0 ||
        planner_check_permutation(check, plan->global_element, plan->size, "element",
                                  "global colour position") != 0) {
        return -1;
    }
    for (int colour = 0; colour < plan->global_colours; colour++) {
        if (plan->global_start[colour] == plan->global_start[colour + 1]) {
            return planner_check_broken(check, "no element has global colour %d", colour);
        }
        if (check_global_colour(check, colour, stamps) != 0) {
            return -1;
        }
    }
    return 0;
}

/* ---- threads ------------------------------------------------------------------------------- */

/* One modification by a position of a block. */
struct touch {
    int target;
    int point;
    int colour;
    int position;
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
    return (x->position > y->position) - (x->position < y->position);
}

/* Appends the touches of the element at a position; returns the new number of touches. */
static size_t add_touches(const struct check *check, int position, struct touch *touch,
                          size_t touches)
{
    const struct cleave_plan *plan = check->plan;
    for (int m = 0; m < check->maps; m++) {
        const struct plan_map *map = &check->map[m];
        const int *row = map->row + (size_t)plan->order[position] * map->dim;
        for (int k = 0; k < map->columns; k++) {
            if (plan_check_modifies(map, k)) {
                touch[touches++] = (struct touch){map->target, row[map->column[k]],
                                                  plan->thread_colour[position], position};
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
            touches += plan_check_modifies(&check->map[m], k);
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
            one->colour == other->colour && one->position != other->position) {
            return one;
        }
    }
    return NULL;
}

static int check_threads_of_block(const struct check *check, int block, struct touch *touch)
{
    const struct cleave_plan *plan = check->plan;
    size_t touches = 0;
    int largest = 0;
    for (int i = plan->start[block]; i < plan->start[block + 1]; i++) {
        largest = plan->thread_colour[i] > largest ? plan->thread_colour[i] : largest;
        touches = add_touches(check, i, touch, touches);
    }
    if (plan->thread_colours[block] != largest + 1 || largest >= plan->max_thread_colours) {
        return planner_check_broken(
            check,
            "block %d has thread colours up to %d; it says %d, and the plan says "
            "%d",
            block, largest, plan->thread_colours[block], plan->max_thread_colours);
    }
    const struct touch *found = find_conflict(touch, touches);
    if (found != NULL) {
        return planner_check_broken(
            check,
            "elements %d and %d of block %d have thread colour %d and both modify point %d "
            "of set %d",
            plan->order[found[0].position], plan->order[found[1].position], block, found->colour,
            found->point, found->target);
    }
    return 0;
}

static int check_thread_colours(const struct check *check)
{
    const struct cleave_plan *plan = check->plan;
    struct touch *touch = planner_check_scratch(
        check, (size_t)plan->block_size * touches_per_element(check), sizeof *touch);
    int status = touch != NULL ? 0 : -1;
    int largest = 0;
    for (int b = 0; status == 0 && b < plan->blocks; b++) {
        status = check_threads_of_block(check, b, touch);
        largest = plan->thread_colours[b] > largest ? plan->thread_colours[b] : largest;
    }
    free(touch);
    if (status == 0 && largest != plan->max_thread_colours) {
        return planner_check_broken(check,
                                    "blocks have at most %d thread colours; the plan says %d",
                                    largest, plan->max_thread_colours);
    }
    return status;
}

/* ---- entry --------------------------------------------------------------------------------- */

static int check_by_stamps(const struct check *check,
                           int (*rule)(const struct check *check, const struct stamps *stamps))
{
    struct stamps stamps;
    int status = stamps_open(&stamps, check);
    if (status == 0) {
        status = rule(check, &stamps);
    }
    stamps_close(&stamps);
    return status;
}

int planner_check_block_colours(const struct check *check)
{
    return check_by_stamps(check, check_colours_of_blocks);
}

int planner_check_colours(const struct check *check)
{
    if (planner_check_block_colours(check) != 0 || check_thread_colours(check) != 0) {
        return -1;
    }
    return check_by_stamps(check, check_global_colours);
}

int planner_colours_check(const struct planner *planner, const struct cleave_plan *plan,
                          int elements, int maps, const struct plan_map *map,
                          char error[PLANNER_ERROR])
{
    PLANNER_THREADS(planner);
    struct check check = {plan, elements, maps, map, error};
    if (plan->size != elements) {
        return planner_check_broken(&check, "the plan is for %d elements, not for %d", plan->size,
                                    elements);
    }
    if (plan->global_start == NULL) {
        return planner_check_broken(&check, "the plan for colours has none");
    }
    if (planner_check_plan_arrays(&check, 1u << PLAN_PART_GLOBAL, 1u << PLAN_PART_GLOBAL) != 0) {
        return -1;
    }
    return check_by_stamps(&check, check_global_colours);
}
