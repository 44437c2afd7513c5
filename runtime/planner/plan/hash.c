/* hash.c: the arrays of a plan one after the other, and a hash of them.
 *
 * In: a plan on the host. Out: 64 bits that differ when a number differs.
 */
#include "runtime/planner/plan/build.h"

static void show_array(void (*show)(void *user, const void *array, size_t bytes), void *user,
                       const void *array, size_t count, size_t bytes)
{
    if (array != NULL) {
        show(user, array, count * bytes);
    }
}

/* Of blocks of points. */
static void each_owner_array(const struct cleave_plan *plan, const struct cleave_plan_list *list,
                             void (*show)(void *user, const void *array, size_t bytes), void *user)
{
    size_t owners = (size_t)list->owners;
    size_t warps = (size_t)plan_warps(plan);
    size_t near = list->near_start != NULL ? (size_t)list->near_start[owners] : 0;
    size_t entries = PLAN_LANES * (size_t)list->rows;
    show_array(show, user, list->near_start, owners + 1, sizeof *list->near_start);
    show_array(show, user, list->near_point, near, sizeof *list->near_point);
    show_array(show, user, list->near_own, owners, sizeof *list->near_own);
    show_array(show, user, list->slice_start, owners * warps + 1, sizeof *list->slice_start);
    show_array(show, user, list->slice_element, entries, sizeof *list->slice_element);
    show_array(show, user, list->slice_column, entries, sizeof *list->slice_column);
    show_array(show, user, list->slice_local, entries * (size_t)list->columns,
               sizeof *list->slice_local);
}

static void each_array_of_list(const struct cleave_plan *plan, const struct cleave_plan_list *list,
                               void (*show)(void *user, const void *array, size_t bytes),
                               void *user)
{
    size_t blocks = (size_t)plan->blocks;
    size_t size = (size_t)plan->size;
    size_t points = list->start != NULL ? (size_t)list->start[blocks] : 0;
    size_t runs = list->run_start != NULL ? (size_t)list->run_start[blocks] : 0;
    size_t summed = (size_t)list->summed;
    size_t sums = list->sum_start != NULL ? (size_t)list->sum_start[summed] : 0;
    size_t items = list->item_start != NULL ? (size_t)list->item_start[list->points] : 0;
    show_array(show, user, list->start, blocks + 1, sizeof *list->start);
    show_array(show, user, list->point, points, sizeof *list->point);
    show_array(show, user, list->local, size * list->columns, sizeof *list->local);
    show_array(show, user, list->shared, points, sizeof *list->shared);
    show_array(show, user, list->gather_start, points + blocks, sizeof *list->gather_start);
    show_array(show, user, list->gather, size * list->modified, sizeof *list->gather);
    show_array(show, user, list->sum_point, summed, sizeof *list->sum_point);
    show_array(show, user, list->sum_start, summed + 1, sizeof *list->sum_start);
    show_array(show, user, list->sum_place, sums, sizeof *list->sum_place);
    show_array(show, user, list->run_start, blocks + 1, sizeof *list->run_start);
    show_array(show, user, list->run_point, runs, sizeof *list->run_point);
    show_array(show, user, list->run_place, runs, sizeof *list->run_place);
    show_array(show, user, list->item_start, (size_t)list->points + 1, sizeof *list->item_start);
    show_array(show, user, list->item_element, items, sizeof *list->item_element);
    show_array(show, user, list->item_column, items, sizeof *list->item_column);
    each_owner_array(plan, list, show, user);
}

void planner_each_array(const struct cleave_plan *plan,
                        void (*show)(void *user, const void *array, size_t bytes), void *user)
{
    size_t blocks = (size_t)plan->blocks;
    size_t size = (size_t)plan->size;
    size_t colours = (size_t)plan->colours;
    show_array(show, user, plan->start, blocks + 1, sizeof *plan->start);
    show_array(show, user, plan->order, size, sizeof *plan->order);
    show_array(show, user, plan->colour_start, colours + 1, sizeof *plan->colour_start);
    show_array(show, user, plan->colour_block, blocks, sizeof *plan->colour_block);
    show_array(show, user, plan->thread_colour, size, sizeof *plan->thread_colour);
    show_array(show, user, plan->thread_colours, blocks, sizeof *plan->thread_colours);
    show_array(show, user, plan->global_start, (size_t)plan->global_colours + 1,
               sizeof *plan->global_start);
    show_array(show, user, plan->global_element, size, sizeof *plan->global_element);
    for (int m = 0; m < plan->lists; m++) {
        each_array_of_list(plan, &plan->list[m], show, user);
    }
}

/* ---- hash ----------------------------------------------------------------------------------- */

static void hash_array(void *user, const void *array, size_t bytes)
{
    planner_hash_bytes(user, array, bytes);
}

uint64_t planner_hash(const struct cleave_plan *plan)
{
    uint64_t hash = PLANNER_HASH;
    planner_hash_number(&hash, plan->size);
    planner_hash_number(&hash, plan->blocks);
    planner_hash_number(&hash, plan->block_size);
    planner_hash_number(&hash, plan->colours);
    planner_hash_number(&hash, plan->max_thread_colours);
    planner_hash_number(&hash, plan->global_colours);
    planner_hash_number(&hash, plan->lists);
    for (int m = 0; m < plan->lists; m++) {
        planner_hash_number(&hash, plan->list[m].columns);
        planner_hash_number(&hash, plan->list[m].modified);
        planner_hash_number(&hash, plan->list[m].max_points);
        planner_hash_number(&hash, plan->list[m].places);
        planner_hash_number(&hash, plan->list[m].summed);
        planner_hash_number(&hash, plan->list[m].points);
        planner_hash_number(&hash, plan->list[m].owners);
        planner_hash_number(&hash, plan->list[m].max_near);
        planner_hash_number(&hash, plan->list[m].rows);
    }
    planner_each_array(plan, hash_array, &hash);
    return hash;
}
