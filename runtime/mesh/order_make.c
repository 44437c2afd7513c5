/* order_make.c: makes the order of a mesh for a device: the blocks of the primary set, then the
 * sets that its maps lead to, then all others. What is kept from an earlier run (order_kept.c) need
 * not be made again. Changes the draft alone, so that the worker may make orders while loops run.
 */
#include "runtime/mesh/order.h"
#include "runtime/store/store.h"

void cleave_plan_map(struct plan_map *plan_map, op_map map, const int *row)
{
    memset(plan_map, 0, sizeof *plan_map);
    plan_map->row = row;
    plan_map->dim = map->dim;
    plan_map->points = map->to->size;
    plan_map->target = map->to->index;
    plan_map->columns = MIN(map->dim, CLEAVE_MAX_COLUMNS);
    for (int c = 0; c < plan_map->columns; c++) {
        plan_map->column[c] = c;
        plan_map->conflicts |= 1u << c;
    }
}

/* Chooses the maps whose points count for the blocks: op_partition's and one that leads to the
 * coordinates; without op_partition the first CLEAVE_MAX_LISTS, as many as a loop may have. */
static int maps_that_count(struct plan_map *chosen, const struct order_draft *draft)
{
    const struct plan_map *map = draft->from;
    const op_map *of = draft->of;
    const op_map hinted = draft->hint;
    const op_set located = draft->order.coordinates != NULL ? draft->order.coordinates->set : NULL;
    int count = 0;
    int reached = located == NULL || (hinted != NULL && hinted->to == located);
    for (int m = 0; m < draft->froms && count < CLEAVE_MAX_LISTS; m++) {
        if (hinted == NULL || of[m] == hinted) {
            chosen[count++] = map[m];
        } else if (!reached && of[m]->to == located) {
            chosen[count++] = map[m];
            reached = 1;
        }
    }
    return count;
}

int cleave_uses_places(struct plan_method method)
{
    return method.start != PLAN_START_BANDS && method.start != PLAN_START_RCM;
}

/* ---- making it ------------------------------------------------------------------------------ */

/* All that a numbering depends on. */
struct numbering_input {
    op_set set;
    int maps;
    const struct plan_map *map;
    struct plan_method method;
    int block_size;
    const struct plan_coordinates *coordinates; /* NULL: none */
};

static void numbering_key(const struct planner *planner, const struct numbering_input *input,
                          struct store_key *key)
{
    const struct plan_numbering_options options = {input->block_size, input->method, 0};
    cleave_store_need();
    planner_key(planner, key, input->set->size, input->maps, input->map, input->coordinates,
                &options);
}

static struct plan_numbering *new_numbering(const struct planner *planner,
                                            const struct numbering_input *input,
                                            struct plan_phases *phases)
{
    const struct plan_numbering_options options = {input->block_size, input->method, 0};
    char error[PLANNER_ERROR] = "";
    struct plan_numbering *numbering;
    if (planner_number(planner, &numbering, input->set->size, input->maps, input->map,
                       input->coordinates, &options, phases, error) != 0) {
        cleave_fatal("set '%s' cannot be numbered: %s (CLEAVE_RENUMBER=off CLEAVE_PARTITION=none "
                     "avoid this)",
                     input->set->name, error);
    }
    return numbering;
}

struct plan_numbering *cleave_numbering(const struct planner *planner, op_set set, int maps,
                                        const struct plan_map *map, struct plan_method method,
                                        int block_size, const struct plan_coordinates *coordinates,
                                        struct plan_phases *phases, int *from_cache)
{
    const struct numbering_input input = {set, maps, map, method, block_size, coordinates};
    struct store_key key;
    numbering_key(planner, &input, &key);
    struct plan_numbering *numbering = planner_cache_read(planner, &key, set->size);
    *from_cache = numbering != NULL;
    if (numbering == NULL) {
        numbering = new_numbering(planner, &input, phases);
        planner_cache_write(planner, &key, numbering);
    }
    return numbering;
}

static void order_targets(struct order_draft *draft, const struct plan_map *map, const op_map *of,
                          int maps)
{
    char error[PLANNER_ERROR] = "";
    for (int m = 0; m < maps; m++) {
        op_set set = of[m]->to;
        if (set == draft->primary || cleave_draft_moves(draft, set) || set->size == 0) {
            continue;
        }
        int *order = cleave_alloc((size_t)set->size * sizeof *order, "the order of a set");
        if (planner_order_points(&draft->planner, order, set->size, set->index,
                                 draft->order.numbering, maps, map, &draft->order.phases,
                                 error) != 0) {
            cleave_fatal("set '%s' cannot be ordered: %s (CLEAVE_RENUMBER=off avoids this)",
                         set->name, error);
        }
        cleave_draft_set(draft, set, order);
    }
}

/* Default: on for devices, except in the long bands of a Cuthill-McKee order, in which lanes reach
 * consecutive points. */
int cleave_orders_banks(const struct plan_numbering *numbering, int has_lanes)
{
    if (cleave_settings.bank_order >= 0) {
        return cleave_settings.bank_order;
    }
    return has_lanes && numbering->method.start != PLAN_START_RCM;
}

/* Reorders elements within blocks to avoid bank conflicts, after their points have numbers. Uses
 * all maps, CLEAVE_MAX_LISTS at most, since it is not yet known which of them loops stage; but no
 * maps to the primary set itself, whose numbers are not final. */
static void order_banks(struct order_draft *draft, const struct plan_map *map, const op_map *of,
                        int maps)
{
    char error[PLANNER_ERROR] = "";
    struct plan_map chosen[CLEAVE_MAX_LISTS];
    const int *number[CLEAVE_MAX_LISTS];
    int count = 0;
    for (int m = 0; m < maps && count < CLEAVE_MAX_LISTS; m++) {
        if (of[m]->to != draft->primary) {
            number[count] = draft->to_own[of[m]->to->index];
            chosen[count++] = map[m];
        }
    }
    if (planner_order_banks(&draft->planner, draft->order.numbering, count, chosen, number,
                            &draft->order.phases, error) != 0) {
        cleave_fatal("the elements of set '%s' cannot be reordered against bank conflicts: %s "
                     "(CLEAVE_BANK_ORDER=off leaves their order)",
                     draft->primary->name, error);
    }
}

void cleave_draft_add_phase(struct order_draft *draft, const char *name, double begin)
{
    struct plan_phases *phases = &draft->order.phases;
    if (phases->count < PLANNER_PHASES) {
        phases->phase[phases->count].name = name;
        phases->phase[phases->count].seconds = cleave_seconds() - begin;
        phases->phase[phases->count].serial = 1;
        phases->count++;
    }
}

/* The sets beside the primary one, and the elements inside blocks. */
static void order_rest(struct order_draft *draft)
{
    struct plan_numbering *numbering = draft->order.numbering;
    order_targets(draft, draft->from, draft->of, draft->froms);
    if (cleave_orders_banks(numbering, draft->has_lanes)) {
        order_banks(draft, draft->from, draft->of, draft->froms);
    }
    if (numbering->order != NULL) {
        cleave_draft_set(draft, draft->primary, numbering->order);
        numbering->order = NULL;
    }
    double begin = cleave_seconds();
    cleave_draft_others(draft);
    cleave_draft_add_phase(draft, "other sets", begin);
}

/* A numbering alone is kept if nobody waits for the rest: the program is about to end. */
static void make_for_device(struct order_draft *draft)
{
    struct plan_map chosen[CLEAVE_MAX_LISTS];
    struct cleave_order *order = &draft->order;
    struct store_key key;
    cleave_draft_check_coordinates(draft);
    const int count = maps_that_count(chosen, draft);
    const int uses_places = draft->at.at != NULL && cleave_uses_places(draft->method);
    const struct numbering_input input = {draft->primary,
                                          count,
                                          chosen,
                                          draft->method,
                                          order->block_size,
                                          uses_places ? &draft->at : NULL};
    const double begin = cleave_seconds();
    numbering_key(&draft->planner, &input, &key);
    cleave_order_key(&draft->key, draft, count, chosen, &key);
    order->key = draft->key;
    if (cleave_order_read(draft, &draft->key)) {
        cleave_draft_add_phase(draft, "read", begin);
        return;
    }
    cleave_draft_add_phase(draft, "key", begin);
    order->numbering = planner_cache_read(&draft->planner, &key, draft->primary->size);
    order->from_cache = order->numbering != NULL;
    draft->is_absent = draft->waits && order->numbering == NULL;
    if (draft->is_absent) {
        return;
    }
    if (order->numbering == NULL) {
        cleave_draft_make_first(draft);
        order->numbering = new_numbering(&draft->planner, &input, &order->phases);
    }
    if (draft->job == NULL || !cleave_job_is_cancelled(draft->job)) {
        order_rest(draft);
        draft->is_new = 1;
    } else {
        planner_cache_write(&draft->planner, &key, order->numbering);
    }
}

void cleave_draft_make(struct order_draft *draft)
{
    const double begin = cleave_seconds();
    const int threads = cleave_planning_begin(draft->primary->size);
    draft->planner.threads = cleave_planning_threads();
    if (draft->for_host) {
        cleave_draft_for_host(draft);
    } else {
        make_for_device(draft);
    }
    cleave_planning_end(threads);
    draft->order.seconds = cleave_seconds() - begin;
}
