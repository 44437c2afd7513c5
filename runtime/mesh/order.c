/* order.c: the runtime's own numbering of the user's mesh.
 *
 * In: sets, maps and, where they are known, coordinates. Out: an order for each set (cleave_set),
 * in which variants keep their data, so that consecutive elements reach the same points and blocks
 * need no list of their elements. The program never sees it: it gets its data, and op_arg_idx its
 * numbers, in its own order (memory.c). Where all loops run on the CPU, order_host.c decides what
 * is ordered; the rest of this file is about devices and about methods that the user names.
 *
 * The primary set, that of the largest loops, is cut into blocks by the planner; the sets that
 * its maps lead to follow the blocks (A. Sulyok et al., "Locality optimized unstructured mesh
 * algorithms on GPUs", section 2.3.2); order_sets.c orders the others after these. On a GPU the
 * elements inside blocks are then put in order for the banks of shared memory: as this is the order
 * of the data, too, it costs loops nothing. */
#include "runtime/base/machine.h"
#include "runtime/mesh/mesh.h"
#include "runtime/store/store.h"

struct cleave_order cleave_order;

/* The arguments of op_partition; NULL if it did not name one. order_coordinates.c keeps its
 * coordinates. */
static struct {
    op_set primary;
    op_map map;
} hint;

/* Number of maps when the last order was decided on; -1: never. */
static int maps_seen = -1;

/* ---- what it is made of --------------------------------------------------------------------- */

/* Counts the entries of all maps that start at the set. */
static double entries_from(op_set set)
{
    double entries = 0.0;
    for (const struct cleave_map *m = cleave_mesh.maps; m != NULL; m = m->next) {
        if (m->core.from == set) {
            entries += (double)set->size * m->core.dim;
        }
    }
    return entries;
}

static op_set primary_set(void)
{
    op_set primary = NULL;
    double most = 0.0;
    if (hint.map != NULL) {
        return hint.map->from;
    }
    if (hint.primary != NULL && entries_from(hint.primary) > 0.0) {
        return hint.primary;
    }
    for (struct cleave_set *s = cleave_mesh.sets; s != NULL; s = s->next) {
        double entries = entries_from(&s->core);
        if (entries > most) {
            most = entries;
            primary = &s->core;
        }
    }
    return primary;
}

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

/* The maps of a set in the user's numbering; the caller frees *map and *of. */
static int maps_from(op_set set, struct plan_map **map, op_map **of)
{
    int maps = 0;
    *map = cleave_alloc((size_t)cleave_mesh.map_count * sizeof **map, "the order of the mesh");
    *of = cleave_alloc((size_t)cleave_mesh.map_count * sizeof **of, "the order of the mesh");
    for (struct cleave_map *m = cleave_mesh.maps; m != NULL; m = m->next) {
        if (m->core.from == set) {
            (*of)[maps] = &m->core;
            cleave_plan_map(&(*map)[maps++], &m->core, m->core.map);
        }
    }
    return maps;
}

/* Chooses the maps whose points count for the blocks: op_partition's and one that leads to the
 * coordinates; without op_partition the first CLEAVE_MAX_LISTS, as many as a loop may have. */
static int maps_that_count(struct plan_map *chosen, const struct plan_map *map, const op_map *of,
                           int maps, op_dat coordinates)
{
    int count = 0;
    int reached = coordinates == NULL || (hint.map != NULL && hint.map->to == coordinates->set);
    for (int m = 0; m < maps && count < CLEAVE_MAX_LISTS; m++) {
        if (hint.map == NULL || of[m] == hint.map) {
            chosen[count++] = map[m];
        } else if (!reached && of[m]->to == coordinates->set) {
            chosen[count++] = map[m];
            reached = 1;
        }
    }
    return count;
}

/* ---- making it ------------------------------------------------------------------------------ */

struct plan_numbering *cleave_numbering(op_set set, int maps, const struct plan_map *map,
                                        struct plan_method method, int block_size,
                                        struct plan_phases *phases, int *from_cache)
{
    char error[PLANNER_ERROR] = "";
    struct plan_coordinates at;
    /* Bands do without; the keys of kept numberings would differ by them. */
    const int used = method.start != PLAN_START_BANDS && cleave_coordinates(&at);
    const struct plan_coordinates *coordinates = used ? &at : NULL;
    struct plan_numbering_options options = {block_size, method, 0};
    const struct planner *planner = cleave_planner();
    struct plan_numbering *numbering;
    struct store_key key;
    cleave_store_need();
    planner_key(planner, &key, set->size, maps, map, coordinates, &options);
    numbering = planner_cache_read(planner, &key, set->size);
    *from_cache = numbering != NULL;
    if (numbering != NULL) {
        return numbering;
    }
    if (planner_number(planner, &numbering, set->size, maps, map, coordinates, &options, phases,
                       error) != 0) {
        cleave_fatal("set '%s' cannot be numbered: %s (CLEAVE_RENUMBER=off CLEAVE_PARTITION=none "
                     "avoid this)",
                     set->name, error);
    }
    planner_cache_write(planner, &key, numbering);
    return numbering;
}

static size_t bytes_of_points(op_set set)
{
    size_t bytes = 0;
    for (const struct cleave_dat *d = cleave_mesh.dats; d != NULL; d = d->next) {
        bytes += d->core.set == set ? (size_t)d->core.size : 0;
    }
    return bytes;
}

/* Loops over edges whose points have few data run best on a GPU where the lanes of a warp reach
 * consecutive points, without blocks: in the long bands of a Cuthill-McKee order. What is staged
 * for a block pays where points have many data, or elements many points. */
static struct plan_method method_for(const struct plan_map *map, const op_map *of, int maps)
{
    struct plan_method method = cleave_settings.method;
    int light = cleave_device != NULL && method.start == PLAN_START_DEFAULT &&
                method.improve == PLAN_IMPROVE_DEFAULT;
    for (int m = 0; m < maps; m++) {
        light =
            light && map[m].dim <= 2 && bytes_of_points(of[m]->to) <= cleave_machine.light_point;
    }
    return light ? (struct plan_method){PLAN_START_RCM, PLAN_IMPROVE_DEFAULT} : method;
}

static void order_targets(const struct plan_map *map, const op_map *of, int maps)
{
    char error[PLANNER_ERROR] = "";
    for (int m = 0; m < maps; m++) {
        op_set set = of[m]->to;
        if (set == cleave_order.primary || cleave_set_of(set)->to_user != NULL || set->size == 0) {
            continue;
        }
        int *order = cleave_alloc((size_t)set->size * sizeof *order, "the order of a set");
        if (planner_order_points(cleave_planner(), order, set->size, set->index,
                                 cleave_order.numbering, maps, map, &cleave_order.phases,
                                 error) != 0) {
            cleave_fatal("set '%s' cannot be ordered: %s (CLEAVE_RENUMBER=off avoids this)",
                         set->name, error);
        }
        cleave_set_order(set, order);
    }
}

/* Default: on for devices, except in the long bands of a Cuthill-McKee order, in which lanes reach
 * consecutive points. */
int cleave_orders_banks(const struct plan_numbering *numbering)
{
    if (cleave_settings.bank_order >= 0) {
        return cleave_settings.bank_order;
    }
    return cleave_has_lanes(cleave_targets.target[0]) && numbering->method.start != PLAN_START_RCM;
}

/* Reorders elements within blocks to avoid bank conflicts, after their points have numbers. Uses
 * all maps, CLEAVE_MAX_LISTS at most, since it is not yet known which of them loops stage; but no
 * maps to the primary set itself, whose numbers are not final. */
static void order_banks(const struct plan_map *map, const op_map *of, int maps)
{
    char error[PLANNER_ERROR] = "";
    struct plan_map chosen[CLEAVE_MAX_LISTS];
    const int *number[CLEAVE_MAX_LISTS];
    int count = 0;
    for (int m = 0; m < maps && count < CLEAVE_MAX_LISTS; m++) {
        if (of[m]->to != cleave_order.primary) {
            number[count] = cleave_set_of(of[m]->to)->to_own;
            chosen[count++] = map[m];
        }
    }
    if (planner_order_banks(cleave_planner(), cleave_order.numbering, count, chosen, number,
                            &cleave_order.phases, error) != 0) {
        cleave_fatal("the elements of set '%s' cannot be reordered against bank conflicts: %s "
                     "(CLEAVE_BANK_ORDER=off leaves their order)",
                     cleave_order.primary->name, error);
    }
}

void cleave_order_add_phase(const char *name, double begin)
{
    struct plan_phases *phases = &cleave_order.phases;
    if (phases->count < PLANNER_PHASES) {
        phases->phase[phases->count].name = name;
        phases->phase[phases->count].seconds = cleave_seconds() - begin;
        phases->phase[phases->count].serial = 1;
        phases->count++;
    }
}

static void order_all(op_set primary, const struct plan_map *map, const op_map *of, int maps)
{
    struct plan_map chosen[CLEAVE_MAX_LISTS];
    op_dat coordinates = cleave_coordinates_dat(primary, of, maps);
    int count = maps_that_count(chosen, map, of, maps, coordinates);
    cleave_order.primary = primary;
    cleave_order.coordinates = coordinates;
    cleave_order.block_size = cleave_order_block_size(primary, cleave_targets.target[0]);
    cleave_order.numbering =
        cleave_numbering(primary, count, chosen, method_for(map, of, maps), cleave_order.block_size,
                         &cleave_order.phases, &cleave_order.from_cache);
    order_targets(map, of, maps);
    if (cleave_orders_banks(cleave_order.numbering)) {
        order_banks(map, of, maps);
    }
    if (cleave_order.numbering->order != NULL) {
        cleave_set_order(primary, cleave_order.numbering->order);
        cleave_order.numbering->order = NULL;
    }
    double begin = cleave_seconds();
    cleave_order_others();
    cleave_order_add_phase("other sets", begin);
}

/* 1: the settings ask for an order of a mesh with this primary set. */
static int is_worth_it(op_set primary)
{
    if (primary == NULL || primary->size == 0 || entries_from(primary) == 0.0 ||
        cleave_no_copies()) {
        return 0;
    }
    if (cleave_settings.renumber >= 0) {
        return cleave_settings.renumber;
    }
    return !cleave_is_runs(cleave_settings.method) &&
           primary->size >= cleave_machine.renumbered_elements;
}

static void make(void)
{
    op_set primary = primary_set();
    maps_seen = cleave_mesh.map_count;
    if (cleave_targets.count == 0 || !is_worth_it(primary)) {
        return;
    }
    cleave_order_drop();
    double begin = cleave_seconds();
    struct plan_map *map;
    op_map *of;
    int maps = maps_from(primary, &map, &of);
    int threads = cleave_planning_begin(primary->size);
    if (cleave_order_is_for_host()) {
        cleave_order_for_host(primary, hint.map);
    } else {
        order_all(primary, map, of, maps);
    }
    cleave_planning_end(threads);
    free(map);
    free(of);
    cleave_order.seconds = cleave_seconds() - begin;
    if (cleave_settings.diags >= 2) {
        cleave_order_print();
    }
}

void cleave_order_require(void)
{
    if (cleave_order.primary == NULL && maps_seen != cleave_mesh.map_count) {
        make();
    }
}

void cleave_order_hint(op_set primary, op_map map, op_dat coordinates)
{
    hint.primary = primary;
    hint.map = map;
    cleave_coordinates_hint(coordinates);
    cleave_order_drop();
    make();
}

void cleave_order_forget(op_dat dat)
{
    cleave_coordinates_forget(dat);
    if (cleave_order.coordinates == dat) {
        cleave_order.coordinates = NULL;
    }
}

/* ---- using and ending it -------------------------------------------------------------------- */

int cleave_order_block_size(op_set set, enum cleave_target target)
{
    const int size = cleave_steady_block_size(target);
    const int is_default = cleave_settings.block_size == 0 || cleave_settings.deterministic;
    return is_default && !cleave_has_lanes(target) && set->size >= cleave_machine.large_host_set
               ? cleave_machine.large_host_block
               : size;
}

const struct plan_numbering *cleave_order_blocks(op_set set, int block_size)
{
    return cleave_order.primary == set && cleave_order.block_size == block_size
               ? cleave_order.numbering
               : NULL;
}

static void free_numbering(void)
{
    planner_numbering_free(cleave_order.numbering);
    memset(&cleave_order, 0, sizeof cleave_order);
}

void cleave_order_drop(void)
{
    CLEAVE_HOLD_DATS;
    for (struct cleave_dat *d = cleave_mesh.dats; d != NULL; d = d->next) {
        cleave_dat_current(&d->core, COPY_USER);
        cleave_dat_release(d);
    }
    for (struct cleave_map *m = cleave_mesh.maps; m != NULL; m = m->next) {
        cleave_map_release(m);
    }
    for (struct cleave_set *s = cleave_mesh.sets; s != NULL; s = s->next) {
        cleave_set_release(s);
    }
    cleave_plans_free();
    free_numbering();
}

void cleave_order_free(void)
{
    free_numbering();
    memset(&hint, 0, sizeof hint);
    cleave_coordinates_hint(NULL);
    maps_seen = -1;
}
