/* cached_plans.c: the plans that loops share: one per kind, set, maps, columns and block size, made
 * at the first call that needs it, in the runtime's order of the mesh, and copied once into the
 * memory of the device.
 *
 * Plans for the primary set use the blocks of the order (order.c). All other plans use runs of
 * consecutive elements, which are good blocks in a good order. If they are poor, as in a mesh that
 * keeps a user's order without locality, the planner numbers the elements for this plan alone, and
 * threads find them through plan->order. */
#include "runtime/mesh/mesh.h"

/* Elements per point of a block: below this, runs of consecutive elements count as poor blocks. */
#define LEAST_REUSE 1.5
/* A numbering for one plan scatters the reads of direct data: it must bring this much more
 * reuse. */
#define LEAST_GAIN 1.1

struct cleave_plan_entry *cleave_plans;

/* Describes the loop's maps for the planner. */
static int plan_maps(const struct cleave_planned *call, const struct cleave_loop *loop,
                     struct plan_map *map, op_map *of)
{
    for (int l = 0; l < loop->lists; l++) {
        const struct cleave_list *list = &loop->list[l];
        of[l] = call->arg[list->arg].map;
        cleave_plan_map(&map[l], of[l], cleave_map_current(of[l], COPY_HOST));
        map[l].columns = list->columns;
        memcpy(map[l].column, list->column, sizeof map[l].column);
        map[l].conflicts = list->conflicts;
    }
    return loop->lists;
}

static int same_map(const struct plan_map *a, const struct plan_map *b)
{
    return a->row == b->row && a->dim == b->dim && a->columns == b->columns &&
           a->conflicts == b->conflicts &&
           memcmp(a->column, b->column, (size_t)a->columns * sizeof a->column[0]) == 0;
}

/* Finds a plan that has everything `wanted` asks for; NULL: there is none. */
static struct cleave_plan_entry *find(const struct cleave_plan_entry *wanted)
{
    for (struct cleave_plan_entry *e = cleave_plans; e != NULL; e = e->next) {
        int same = e->set == wanted->set && e->kind == wanted->kind &&
                   e->block_size == wanted->block_size && e->lanes == wanted->lanes &&
                   e->maps == wanted->maps && (e->parts & wanted->parts) == wanted->parts;
        for (int m = 0; m < wanted->maps && same; m++) {
            same = same_map(&e->map[m], &wanted->map[m]);
        }
        if (same) {
            return e;
        }
    }
    return NULL;
}

/* ---- building ------------------------------------------------------------------------------ */

/* numbering NULL: runs of consecutive elements. */
static void build_blocks(struct cleave_plan_entry *entry, const struct plan_numbering *numbering)
{
    char error[PLANNER_ERROR] = "";
    struct plan_options options = {
        .block_size = entry->block_size, .reverse = cleave_settings.reverse, .parts = entry->parts};
    if (planner_build(cleave_planner(), &entry->plan, &entry->metrics, entry->set->size,
                      entry->maps, entry->map, numbering, &options, error) != 0) {
        cleave_fatal("loop '%s': no plan can be made: %s", entry->loop, error);
    }
    if (numbering != NULL) {
        entry->method = numbering->method;
    } else {
        entry->method = (struct plan_method){PLAN_START_NONE, PLAN_IMPROVE_NONE};
    }
}

static void build_numbered(struct cleave_plan_entry *entry)
{
    struct plan_phases phases = {0};
    int from_cache;
    double begin = cleave_seconds();
    struct plan_coordinates at;
    const int has_places =
        cleave_settings.method.start != PLAN_START_BANDS && cleave_coordinates(&at);
    struct plan_numbering *numbering = cleave_numbering(
        cleave_planner(), entry->set, entry->maps, entry->map, cleave_settings.method,
        entry->block_size, has_places ? &at : NULL, &phases, &from_cache);
    char error[PLANNER_ERROR] = "";
    if (cleave_orders_banks(numbering) &&
        planner_order_banks(cleave_planner(), numbering, entry->maps, entry->map, NULL, &phases,
                            error) != 0) {
        cleave_fatal("loop '%s': the elements of blocks cannot be reordered against bank "
                     "conflicts: %s (CLEAVE_BANK_ORDER=off leaves their order)",
                     entry->loop, error);
    }
    entry->number_seconds = cleave_seconds() - begin;
    build_blocks(entry, numbering);
    planner_numbering_free(numbering);
}

/* 1: the user names a method, and the set has no order that was made by it. */
static int asks_for_method(const struct cleave_plan_entry *entry)
{
    return cleave_settings.method.start != PLAN_START_DEFAULT &&
           !cleave_is_runs(cleave_settings.method) && cleave_order.primary == NULL &&
           entry->maps > 0;
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

static int is_poor(const struct cleave_plan_entry *entry)
{
    /* On the CPU the order of the mesh was decided by what its caches need, not by blocks. */
    if (cleave_order_is_for_host() && cleave_settings.renumber != 0) {
        return 0;
    }
    return !cleave_is_runs(cleave_settings.method) && entry->maps > 0 &&
           entry->set->size > entry->block_size && entry->metrics.reuse < LEAST_REUSE &&
           most_reuse(entry) >= LEAST_REUSE;
}

/* Keeps the plan with runs if a numbering brings too little reuse. */
static void improve(struct cleave_plan_entry *entry)
{
    struct cleave_plan_entry runs = *entry;
    build_numbered(entry);
    if (entry->metrics.reuse < LEAST_GAIN * runs.metrics.reuse) {
        planner_free(entry->plan);
        runs.number_seconds = entry->number_seconds;
        *entry = runs;
    } else {
        planner_free(runs.plan);
    }
}

/* Fails by itself: a message of its own says what the user can do. */
static int make_blocks(struct cleave_plan_entry *entry, char *error)
{
    const struct plan_numbering *blocks = cleave_order_blocks(entry->set, entry->block_size);
    (void)error;
    if (blocks == NULL && asks_for_method(entry)) {
        build_numbered(entry);
    } else {
        build_blocks(entry, blocks);
        if (blocks == NULL && is_poor(entry)) {
            improve(entry);
        }
    }
    return 0;
}

static int check_blocks(const struct cleave_plan_entry *entry, char *error)
{
    return planner_check(cleave_planner(), entry->plan, entry->set->size, entry->maps, entry->map,
                         error);
}

static int make_points(struct cleave_plan_entry *entry, char *error)
{
    return planner_points_build(cleave_planner(), &entry->plan, entry->set->size, entry->maps,
                                entry->map, error);
}

static int check_points(const struct cleave_plan_entry *entry, char *error)
{
    return planner_points_check(cleave_planner(), entry->plan, entry->set->size, entry->maps,
                                entry->map, error);
}

static int make_owners(struct cleave_plan_entry *entry, char *error)
{
    return planner_owners_build(cleave_planner(), &entry->plan, entry->set->size, entry->block_size,
                                entry->lanes, entry->maps, entry->map, error);
}

static int check_owners(const struct cleave_plan_entry *entry, char *error)
{
    return planner_owners_check(cleave_planner(), entry->plan, entry->set->size, entry->block_size,
                                entry->lanes, entry->maps, entry->map, error);
}

static int make_colours(struct cleave_plan_entry *entry, char *error)
{
    return planner_colours_build(cleave_planner(), &entry->plan, entry->set->size, entry->maps,
                                 entry->map, error);
}

static int check_colours(const struct cleave_plan_entry *entry, char *error)
{
    return planner_colours_check(cleave_planner(), entry->plan, entry->set->size, entry->maps,
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

static int make_ranges(struct cleave_plan_entry *entry, char *error)
{
    const struct plan_range_options options = {
        .least = range_elements(), .reverse = cleave_settings.reverse, .parts = entry->parts};
    return planner_ranges_build(cleave_planner(), &entry->plan, entry->set->size, entry->maps,
                                entry->map, &options, error);
}

static int check_ranges(const struct cleave_plan_entry *entry, char *error)
{
    return planner_ranges_check(cleave_planner(), entry->plan, entry->set->size, entry->maps,
                                entry->map, entry->parts, error);
}

static const struct {
    int (*make)(struct cleave_plan_entry *entry, char *error);
    int (*check)(const struct cleave_plan_entry *entry, char *error);
    /* NULL: `make` has measured it, or there is nothing to measure. */
    void (*measure)(const struct cleave_plan *plan, struct plan_metrics *metrics);
    int has_blocks; /* so that the block size matters */
    int has_lanes;  /* so that the device's lanes matter */
    int may_fail;   /* on meshes that do not allow it: variants do without */
} kind_row[] = {
    [CLEAVE_PLAN_BLOCKS] = {make_blocks, check_blocks, NULL, 1, 0, 0},
    [CLEAVE_PLAN_POINTS] = {make_points, check_points, NULL, 0, 0, 0},
    [CLEAVE_PLAN_OWNERS] = {make_owners, check_owners, planner_owners_measure, 1, 1, 1},
    [CLEAVE_PLAN_COLOURS] = {make_colours, check_colours, planner_colours_measure, 0, 0, 0},
    [CLEAVE_PLAN_RANGES] = {make_ranges, check_ranges, planner_ranges_measure, 0, 0, 0},
};

/* Returns 0, or -1 if no such plan is possible. */
static int build(struct cleave_plan_entry *entry)
{
    char error[PLANNER_ERROR] = "";
    double begin = cleave_seconds();
    if (kind_row[entry->kind].make(entry, error) != 0) {
        if (!kind_row[entry->kind].may_fail) {
            cleave_fatal("loop '%s': no plan can be made: %s", entry->loop, error);
        }
        if (cleave_settings.diags >= 2) {
            printf("loop '%s': no plan for blocks of %d points: %s\n", entry->loop,
                   entry->block_size, error);
        }
        return -1;
    }
    if (kind_row[entry->kind].measure != NULL) {
        kind_row[entry->kind].measure(entry->plan, &entry->metrics);
        entry->metrics.seconds = cleave_seconds() - begin;
    }
    if (cleave_settings.check_plan && kind_row[entry->kind].check(entry, error) != 0) {
        cleave_fatal("loop '%s': the plan is wrong: %s", entry->loop, error);
    }
    if (cleave_settings.diags >= 2) {
        cleave_plan_print(entry);
    }
    return 0;
}

static void free_entry(struct cleave_plan_entry *entry)
{
    planner_free(entry->plan);
    free(entry->loop);
    free(entry);
}

/* What a plan must have for the variant. */
static struct cleave_plan_entry wanted_for(const struct cleave_planned *call,
                                           const struct cleave_loop *loop,
                                           const struct cleave_variant *variant, int block_size,
                                           int lanes)
{
    struct cleave_plan_entry wanted = {.set = call->set,
                                       .kind = variant->plan,
                                       .block_size =
                                           kind_row[variant->plan].has_blocks ? block_size : 0,
                                       .lanes = kind_row[variant->plan].has_lanes ? lanes : 0,
                                       .parts = variant->parts};
    wanted.maps = plan_maps(call, loop, wanted.map, wanted.of);
    return wanted;
}

struct cleave_plan_entry *cleave_plan_find(const struct cleave_planned *call,
                                           const struct cleave_loop *loop,
                                           const struct cleave_variant *variant, int block_size,
                                           int lanes)
{
    const struct cleave_plan_entry wanted = wanted_for(call, loop, variant, block_size, lanes);
    return find(&wanted);
}

struct cleave_plan_entry *cleave_plan_get(const struct cleave_planned *call,
                                          const struct cleave_loop *loop,
                                          const struct cleave_variant *variant, int block_size,
                                          int lanes)
{
    const struct cleave_plan_entry wanted = wanted_for(call, loop, variant, block_size, lanes);
    struct cleave_plan_entry *entry = find(&wanted);
    if (entry != NULL) {
        return entry;
    }
    entry = cleave_alloc(sizeof *entry, "a plan");
    *entry = wanted;
    entry->loop = cleave_text_copy(call->loop);
    double before = cleave_seconds();
    int threads = cleave_planning_begin(entry->set->size);
    int status = build(entry);
    cleave_planning_end(threads);
    *call->seconds += cleave_seconds() - before;
    if (status != 0) {
        free_entry(entry);
        return NULL;
    }
    entry->next = cleave_plans;
    cleave_plans = entry;
    return entry;
}

/* ---- device ------------------------------------------------------------------------------ */

static int is_in_order(const struct cleave_plan *plan)
{
    int position = 0;
    while (plan->order != NULL && position < plan->size && plan->order[position] == position) {
        position++;
    }
    return plan->order == NULL || position == plan->size;
}

struct copying {
    const struct target_ops *device;
    const struct cleave_plan_entry *entry;
};

/* Copies an array to the device's memory and returns it there; some arrays stay on the host. */
static const void *copy(void *user, const struct plan_array *array, int m, const void *data)
{
    const struct copying *copying = user;
    if (array->on_host) {
        return data;
    }
    size_t bytes = planner_array_bytes(array, copying->entry->plan, m);
    void *to =
        cleave_target_alloc(copying->device, bytes, "the plan of loop '%s'", copying->entry->loop);
    cleave_target_upload(copying->device, to, data, bytes, "a plan");
    return to;
}

static void copy_plan(const struct target_ops *device, struct cleave_plan_entry *entry)
{
    struct copying copying = {device, entry};
    struct cleave_plan *to = cleave_alloc(sizeof *to, "a plan");
    *to = *entry->plan;
    if (is_in_order(to)) {
        to->order = NULL;
    }
    entry->on_target = to;
    planner_replace_arrays(to, copy, &copying);
}

const struct cleave_plan *cleave_plan_on(struct cleave_plan_entry *entry,
                                         const struct cleave_planned *call,
                                         const struct target_ops *device)
{
    if (device == NULL) {
        return entry->plan;
    }
    if (entry->on_target == NULL) {
        double before = cleave_seconds();
        copy_plan(device, entry);
        *call->seconds += cleave_seconds() - before;
    }
    return entry->on_target;
}

static const void *release(void *user, const struct plan_array *array, int m, const void *data)
{
    (void)user;
    (void)m;
    if (!array->on_host) {
        cleave_device->release((void *)(uintptr_t)data);
    }
    return NULL;
}

static void release_on_target(struct cleave_plan *plan)
{
    if (plan != NULL && cleave_device != NULL) {
        planner_replace_arrays(plan, release, NULL);
        free(plan);
    }
}

void cleave_plans_free(void)
{
    cleave_flush(); /* launches that wait have plans */
    cleave_generation++;
    cleave_copies_free();
    while (cleave_plans != NULL) {
        struct cleave_plan_entry *entry = cleave_plans;
        cleave_plans = entry->next;
        release_on_target(entry->on_target);
        free_entry(entry);
    }
}
