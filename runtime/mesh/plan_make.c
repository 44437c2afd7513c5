/* plan_make.c: makes one plan: of the blocks of the order, of runs of consecutive elements, or of a
 * numbering that is made for this plan alone. Changes nothing but the entry, so that the worker may
 * make plans while loops run.
 *
 * Plans for the primary set use the blocks of the order (order.c). All other plans use runs of
 * consecutive elements, which are good blocks in a good order. If they are poor, as in a mesh that
 * keeps a user's order without locality, the planner numbers the elements for this plan alone, and
 * threads find them through plan->order. */
#include "runtime/mesh/plans.h"

/* Elements per point of a block: below this, runs of consecutive elements count as poor blocks. */
#define LEAST_REUSE 1.5
/* A numbering for one plan scatters the reads of direct data: it must bring this much more
 * reuse. */
#define LEAST_GAIN 1.1

/* numbering NULL: runs of consecutive elements. */
static void build_blocks(const struct plan_making *making, struct cleave_plan_entry *entry,
                         const struct plan_numbering *numbering)
{
    char error[PLANNER_ERROR] = "";
    struct plan_options options = {
        .block_size = entry->block_size, .reverse = cleave_settings.reverse, .parts = entry->parts};
    if (planner_build(&making->planner, &entry->plan, &entry->metrics, entry->set->size,
                      entry->maps, entry->map, numbering, &options, error) != 0) {
        cleave_fatal("loop '%s': no plan can be made: %s", entry->loop, error);
    }
    if (numbering != NULL) {
        entry->method = numbering->method;
    } else {
        entry->method = (struct plan_method){PLAN_START_NONE, PLAN_IMPROVE_NONE};
    }
}

static void build_numbered(const struct plan_making *making, struct cleave_plan_entry *entry)
{
    struct plan_phases phases = {0};
    int from_cache;
    double begin = cleave_seconds();
    struct plan_coordinates at = making->at;
    const int has_places = cleave_settings.method.start != PLAN_START_BANDS &&
                           (making->later ? at.at != NULL : cleave_coordinates(&at));
    struct plan_numbering *numbering = cleave_numbering(
        &making->planner, entry->set, entry->maps, entry->map, cleave_settings.method,
        entry->block_size, has_places ? &at : NULL, &phases, &from_cache);
    char error[PLANNER_ERROR] = "";
    if (cleave_orders_banks(numbering, making->has_lanes) &&
        planner_order_banks(&making->planner, numbering, entry->maps, entry->map, NULL, &phases,
                            error) != 0) {
        cleave_fatal("loop '%s': the elements of blocks cannot be reordered against bank "
                     "conflicts: %s (CLEAVE_BANK_ORDER=off leaves their order)",
                     entry->loop, error);
    }
    entry->number_seconds = cleave_seconds() - begin;
    build_blocks(making, entry, numbering);
    planner_numbering_free(numbering);
}

/* 1: the user names a method, and the set has no order that was made by it. */
static int asks_for_method(const struct plan_making *making, const struct cleave_plan_entry *entry)
{
    return cleave_settings.method.start != PLAN_START_DEFAULT &&
           !cleave_is_runs(cleave_settings.method) && !making->has_order && entry->maps > 0;
}

/* Counts the points that elements reach through a map. */
static double touched_points(const struct plan_map *map, int elements)
{
    char *touched = cleave_alloc_zero((size_t)map->points, "a plan");
    double count = 0.0;
    for (int e = 0; e < elements; e++) {
        const int *row = map->row + (size_t)e * (size_t)map->dim;
        for (int k = 0; k < map->columns; k++) {
            count += !touched[row[map->column[k]]];
            touched[row[map->column[k]]] = 1;
        }
    }
    free(touched);
    return count;
}

/* Returns the reuse in one block of all elements, an upper bound for every numbering. */
static double most_reuse(const struct cleave_plan_entry *entry)
{
    double accesses = 0.0;
    double points = 0.0;
    for (int m = 0; m < entry->maps; m++) {
        accesses += (double)entry->set->size * entry->map[m].columns;
        points += touched_points(&entry->map[m], entry->set->size);
    }
    return points > 0.0 ? accesses / points : 0.0;
}

static int is_poor(const struct plan_making *making, const struct cleave_plan_entry *entry)
{
    /* On the CPU the order of the mesh was decided by what its caches need, not by blocks. */
    if (making->for_host && cleave_settings.renumber != 0) {
        return 0;
    }
    return !cleave_is_runs(cleave_settings.method) && entry->maps > 0 &&
           entry->set->size > entry->block_size && entry->metrics.reuse < LEAST_REUSE &&
           most_reuse(entry) >= LEAST_REUSE;
}

/* Keeps the plan with runs if a numbering brings too little reuse. */
static void improve(const struct plan_making *making, struct cleave_plan_entry *entry)
{
    struct cleave_plan_entry runs = *entry;
    build_numbered(making, entry);
    if (entry->metrics.reuse < LEAST_GAIN * runs.metrics.reuse) {
        planner_free(entry->plan);
        runs.number_seconds = entry->number_seconds;
        *entry = runs;
    } else {
        planner_free(runs.plan);
    }
}

/* Fails by itself: a message of its own says what the user can do. */
static int make_blocks(const struct plan_making *making, struct cleave_plan_entry *entry,
                       char *error)
{
    const struct plan_numbering *blocks = making->blocks;
    (void)error;
    if (blocks == NULL && asks_for_method(making, entry)) {
        build_numbered(making, entry);
    } else {
        build_blocks(making, entry, blocks);
        if (blocks == NULL && is_poor(making, entry)) {
            improve(making, entry);
        }
    }
    return 0;
}

static int check_blocks(const struct plan_making *making, const struct cleave_plan_entry *entry,
                        char *error)
{
    return planner_check(&making->planner, entry->plan, entry->set->size, entry->maps, entry->map,
                         error);
}

static int make_points(const struct plan_making *making, struct cleave_plan_entry *entry,
                       char *error)
{
    return planner_points_build(&making->planner, &entry->plan, entry->set->size, entry->maps,
                                entry->map, error);
}

static int check_points(const struct plan_making *making, const struct cleave_plan_entry *entry,
                        char *error)
{
    return planner_points_check(&making->planner, entry->plan, entry->set->size, entry->maps,
                                entry->map, error);
}

static int make_owners(const struct plan_making *making, struct cleave_plan_entry *entry,
                       char *error)
{
    return planner_owners_build(&making->planner, &entry->plan, entry->set->size, entry->block_size,
                                entry->lanes, entry->maps, entry->map, error);
}

static int check_owners(const struct plan_making *making, const struct cleave_plan_entry *entry,
                        char *error)
{
    return planner_owners_check(&making->planner, entry->plan, entry->set->size, entry->block_size,
                                entry->lanes, entry->maps, entry->map, error);
}

static int make_named(const struct plan_making *making, struct cleave_plan_entry *entry,
                      char *error)
{
    return planner_named_build(&making->planner, &entry->plan, entry->set->size, entry->maps,
                               entry->map, entry->parts, error);
}

static int check_named(const struct plan_making *making, const struct cleave_plan_entry *entry,
                       char *error)
{
    return planner_named_check(&making->planner, entry->plan, entry->set->size, entry->maps,
                               entry->map, entry->parts, error);
}

static int make_colours(const struct plan_making *making, struct cleave_plan_entry *entry,
                        char *error)
{
    return planner_colours_build(&making->planner, &entry->plan, entry->set->size, entry->maps,
                                 entry->map, error);
}

static int check_colours(const struct plan_making *making, const struct cleave_plan_entry *entry,
                         char *error)
{
    return planner_colours_check(&making->planner, entry->plan, entry->set->size, entry->maps,
                                 entry->map, error);
}

/* Elements of a range at least. Sums have the order of the elements in their ranges, which
 * CLEAVE_DETERMINISTIC keeps whatever the block size. */
static int range_elements(void)
{
    return cleave_settings.block_size > 0 && !cleave_settings.deterministic
               ? cleave_settings.block_size
               : PLANNER_RANGE_ELEMENTS;
}

static int make_ranges(const struct plan_making *making, struct cleave_plan_entry *entry,
                       char *error)
{
    const struct plan_range_options options = {
        .least = range_elements(), .reverse = cleave_settings.reverse, .parts = entry->parts};
    return planner_ranges_build(&making->planner, &entry->plan, entry->set->size, entry->maps,
                                entry->map, &options, error);
}

static int check_ranges(const struct plan_making *making, const struct cleave_plan_entry *entry,
                        char *error)
{
    return planner_ranges_check(&making->planner, entry->plan, entry->set->size, entry->maps,
                                entry->map, entry->parts, error);
}

static const struct {
    int (*make)(const struct plan_making *making, struct cleave_plan_entry *entry, char *error);
    int (*check)(const struct plan_making *making, const struct cleave_plan_entry *entry,
                 char *error);
    /* NULL: `make` has measured it, or there is nothing to measure. */
    void (*measure)(const struct cleave_plan *plan, struct plan_metrics *metrics);
    int may_fail; /* on meshes that do not allow it: variants do without */
} kind_row[] = {
    [CLEAVE_PLAN_BLOCKS] = {make_blocks, check_blocks, NULL, 0},
    [CLEAVE_PLAN_POINTS] = {make_points, check_points, NULL, 0},
    [CLEAVE_PLAN_OWNERS] = {make_owners, check_owners, planner_owners_measure, 1},
    [CLEAVE_PLAN_NAMED] = {make_named, check_named, planner_named_measure, 1},
    [CLEAVE_PLAN_COLOURS] = {make_colours, check_colours, planner_colours_measure, 0},
    [CLEAVE_PLAN_RANGES] = {make_ranges, check_ranges, planner_ranges_measure, 0},
};

static int make_and_check(const struct plan_making *making, struct cleave_plan_entry *entry,
                          char *error)
{
    const double begin = cleave_seconds();
    if (kind_row[entry->kind].make(making, entry, error) != 0) {
        if (!kind_row[entry->kind].may_fail) {
            cleave_fatal("loop '%s': no plan can be made: %s", entry->loop, error);
        }
        return -1;
    }
    if (kind_row[entry->kind].measure != NULL) {
        kind_row[entry->kind].measure(entry->plan, &entry->metrics);
        entry->metrics.seconds = cleave_seconds() - begin;
    }
    if (cleave_settings.check_plan && kind_row[entry->kind].check(making, entry, error) != 0) {
        cleave_fatal("loop '%s': the plan is wrong: %s", entry->loop, error);
    }
    return 0;
}

void cleave_plan_make(struct plan_making *making)
{
    const int threads = cleave_planning_begin(making->entry->set->size);
    making->planner.threads = cleave_planning_threads();
    making->status = make_and_check(making, making->entry, making->error);
    cleave_planning_end(threads);
}
