/* order_host.c: the order of the mesh if all loops run on the CPU.
 *
 * The program's order is kept where it suits the caches (planner_locality), since a new one costs
 * time and memory and the loops gain nothing. Set by set:
 *
 *   1. Maps that tell good orders from bad ones are measured: large ones that use points several
 *      times. Both sets of a good map keep the program's order.
 *   2. If that leaves the sets of the largest loops unsettled, but the points of one of its maps
 *      are numbered well, the points keep their order and the elements are sorted after them.
 *   3. Otherwise the planner orders the largest set, in bands.
 *   4. The other sets follow those that are settled: elements in the order of their points, points
 *      in the order in which elements name them first. Sets that suit the kept ones are kept, too.
 */
#include "runtime/base/machine.h"
#include "runtime/mesh/order.h"

/* Sets of fewer elements than the primary set by this factor are not worth measuring. */
#define SMALL_SHARE 16
/* Entries of a map per point: below this, an order of points that each have about one element can
 * be as bad as the order of the elements, and the map looks good. */
#define LEAST_USES 1.5

struct host_order {
    struct order_draft *draft;
    op_set primary;
    char *settled; /* [sets] by index: 1: the order of the set is decided */
};

static int is_settled(const struct host_order *order, op_set set)
{
    return order->settled[set->index];
}

static void settle(struct host_order *order, op_set set)
{
    order->settled[set->index] = 1;
}

/* ---- measuring ------------------------------------------------------------------------------- */

/* row: the entries of the map. */
static struct plan_locality measure(const struct host_order *order, op_map map, const int *row,
                                    int sorted)
{
    char error[PLANNER_ERROR] = "";
    struct plan_map plan_map;
    struct plan_locality locality;
    cleave_plan_map(&plan_map, map, row);
    if (planner_locality(&order->draft->planner, &locality, map->from->size, &plan_map, sorted,
                         error) != 0) {
        cleave_fatal("map '%s' cannot be measured: %s (CLEAVE_RENUMBER=off avoids this)", map->name,
                     error);
    }
    return locality;
}

static int is_near(struct plan_locality locality)
{
    return locality.far - locality.least <= cleave_machine.far_reads &&
           locality.torn <= cleave_machine.torn_points;
}

/* 1: the order of the elements matters to loops through the map. */
static int is_large(const struct host_order *order, op_map map)
{
    return map->from->size >= cleave_machine.renumbered_elements &&
           map->from->size >= order->primary->size / SMALL_SHARE;
}

/* 1: an order of many far reads is possible, so that few of them say something. */
static int can_tell(struct plan_locality locality)
{
    return locality.random - locality.least >= 2.0 * cleave_machine.far_reads;
}

static int is_bad(const struct cleave_map *map)
{
    return map->measured && can_tell(map->locality) && !is_near(map->locality);
}

/* 1: the map shows that both of its sets have good orders. */
static int is_evidence(const struct cleave_map *map)
{
    return map->measured && is_near(map->locality) && can_tell(map->locality) &&
           (double)map->core.from->size * map->core.dim >= LEAST_USES * map->core.to->size;
}

static void measure_maps(struct host_order *order)
{
    for (struct cleave_map *m = cleave_mesh.maps; m != NULL; m = m->next) {
        m->measured = is_large(order, &m->core);
        if (m->measured) {
            m->locality = measure(order, &m->core, m->core.map, 0);
        }
    }
    for (const struct cleave_map *m = cleave_mesh.maps; m != NULL; m = m->next) {
        if (is_evidence(m)) {
            settle(order, m->core.from);
            settle(order, m->core.to);
        }
    }
}

/* ---- the sets of the largest loops -------------------------------------------------------------
 */

/* 1: the primary set is settled, or can follow one that is. */
static int primary_has_order(const struct host_order *order)
{
    int has = is_settled(order, order->primary);
    for (const struct cleave_map *m = cleave_mesh.maps; m != NULL && !has; m = m->next) {
        has = m->core.from == order->primary && m->measured && is_settled(order, m->core.to);
    }
    return has;
}

/* Looks for points of the primary set's maps that are numbered well, although its elements are not.
 */
static void settle_points(struct host_order *order)
{
    for (struct cleave_map *m = cleave_mesh.maps; m != NULL; m = m->next) {
        if (m->core.from == order->primary && m->core.to != order->primary && m->measured &&
            can_tell(m->locality) && is_near(measure(order, &m->core, m->core.map, 1))) {
            settle(order, m->core.to);
            return;
        }
    }
}

/* Counts the columns that lead from the primary set to a set, for the planner's limits. */
static int columns_to(const struct host_order *order, op_set to)
{
    int columns = 0;
    int maps = 0;
    for (const struct cleave_map *m = cleave_mesh.maps; m != NULL; m = m->next) {
        if (m->core.from == order->primary && m->core.to == to && maps++ < CLEAVE_MAX_LISTS) {
            columns += MIN(m->core.dim, CLEAVE_MAX_COLUMNS);
        }
    }
    return columns;
}

/* Returns the points that bands are made of: those of op_partition's map, else those that most
 * columns lead to. */
static op_set banded_points(const struct host_order *order, op_map hint)
{
    op_set best = NULL;
    if (hint != NULL && hint->from == order->primary) {
        return hint->to;
    }
    for (const struct cleave_map *m = cleave_mesh.maps; m != NULL; m = m->next) {
        if (m->core.from == order->primary &&
            (best == NULL || columns_to(order, m->core.to) > columns_to(order, best))) {
            best = m->core.to;
        }
    }
    return best;
}

static void order_in_bands(struct host_order *order, op_map hint)
{
    struct plan_map map[CLEAVE_MAX_LISTS];
    op_set points = banded_points(order, hint);
    int maps = 0;
    for (struct cleave_map *m = cleave_mesh.maps; m != NULL && maps < CLEAVE_MAX_LISTS;
         m = m->next) {
        if (m->core.from == order->primary && m->core.to == points) {
            cleave_plan_map(&map[maps++], &m->core, m->core.map);
        }
    }
    struct cleave_order *made = &order->draft->order;
    made->numbering = cleave_numbering(&order->draft->planner, order->primary, maps, map,
                                       (struct plan_method){PLAN_START_BANDS, PLAN_IMPROVE_NONE},
                                       made->block_size, NULL, &made->phases, &made->from_cache);
    cleave_draft_set(order->draft, order->primary, made->numbering->order);
    made->numbering->order = NULL;
    settle(order, order->primary);
}

/* ---- the other sets ----------------------------------------------------------------------------
 */

/* 1: a settled set of the program's order is joined to this one, and no map says that the two do
 * not suit each other. */
static int suits_kept(const struct host_order *order, op_set set)
{
    int joined = 0;
    for (const struct cleave_map *m = cleave_mesh.maps; m != NULL; m = m->next) {
        op_set other = m->core.from == set ? m->core.to : m->core.from;
        if ((m->core.from == set || m->core.to == set) && other != set &&
            is_settled(order, other)) {
            if (is_bad(m) || cleave_draft_moves(order->draft, other)) {
                return 0;
            }
            joined = 1;
        }
    }
    return joined;
}

/* Returns the map by which a set is to follow a settled one; elements have precedence, and among
 * maps the one whose other set is largest, which tells most elements apart. NULL: there is none. */
static struct cleave_map *map_to_follow(const struct host_order *order)
{
    struct cleave_map *best = NULL;
    int best_elements = 0;
    for (struct cleave_map *m = cleave_mesh.maps; m != NULL; m = m->next) {
        int from = is_settled(order, m->core.from);
        int to = is_settled(order, m->core.to);
        if (from == to) {
            continue;
        }
        int size = to ? m->core.to->size : m->core.from->size;
        int best_size = best_elements  ? best->core.to->size
                        : best != NULL ? best->core.from->size
                                       : -1;
        if (best == NULL || to > best_elements || (to == best_elements && size > best_size)) {
            best = m;
            best_elements = to;
        }
    }
    return best;
}

/* 1: the program's order of the points suits elements that were sorted after other points. */
static int suits_sorted(const struct host_order *order, struct cleave_map *map, op_set set)
{
    if (map->core.to != set || !map->measured || !can_tell(map->locality) ||
        order->draft->order.numbering != NULL) {
        return 0;
    }
    int suits = is_near(measure(order, &map->core, cleave_draft_row(order->draft, &map->core), 0));
    if (!suits) {
        cleave_draft_forget_row(order->draft, &map->core);
    }
    return suits;
}

static void order_others(struct host_order *order)
{
    struct cleave_map *map;
    while ((map = map_to_follow(order)) != NULL) {
        op_set set = is_settled(order, map->core.to) ? map->core.from : map->core.to;
        if (!suits_kept(order, set) && !suits_sorted(order, map, set)) {
            cleave_draft_follow(order->draft, &map->core, set);
        }
        settle(order, set);
    }
}

/* ---- all ---------------------------------------------------------------------------------------
 */

int cleave_order_is_for_host(void)
{
    return cleave_device == NULL && cleave_targets.count > 0 &&
           !cleave_has_lanes(cleave_targets.target[0]) &&
           cleave_settings.method.start == PLAN_START_DEFAULT &&
           cleave_settings.method.improve == PLAN_IMPROVE_DEFAULT;
}

void cleave_draft_for_host(struct order_draft *draft)
{
    struct host_order order = {.draft = draft, .primary = draft->primary};
    order.settled = cleave_alloc_zero((size_t)draft->sets, "the order of the mesh");
    if (cleave_settings.renumber < 0) {
        double begin = cleave_seconds();
        measure_maps(&order);
        if (!primary_has_order(&order)) {
            settle_points(&order);
        }
        cleave_draft_add_phase(draft, "locality", begin);
    }
    if (!primary_has_order(&order)) {
        order_in_bands(&order, draft->hint);
    }
    double begin = cleave_seconds();
    order_others(&order);
    cleave_draft_add_phase(draft, "other sets", begin);
    free(order.settled);
    if (draft->order.sets == 0) {
        planner_numbering_free(draft->order.numbering);
        draft->order.numbering = NULL;
        draft->order.primary = NULL;
    }
}
