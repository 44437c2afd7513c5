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
#include "runtime/mesh/order.h"
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

static op_set primary_set(void)
{
    op_set primary = NULL;
    double most = 0.0;
    if (hint.map != NULL) {
        return hint.map->from;
    }
    if (hint.primary != NULL && cleave_order_entries(hint.primary) > 0.0) {
        return hint.primary;
    }
    for (struct cleave_set *s = cleave_mesh.sets; s != NULL; s = s->next) {
        double entries = cleave_order_entries(&s->core);
        if (entries > most) {
            most = entries;
            primary = &s->core;
        }
    }
    return primary;
}

/* Fills the draft's maps of the primary set. */
static void find_maps(struct order_draft *draft)
{
    const size_t most = (size_t)draft->maps;
    draft->from = cleave_alloc(most * sizeof *draft->from, "the order of the mesh");
    draft->of = cleave_alloc(most * sizeof *draft->of, "the order of the mesh");
    for (int m = 0; m < draft->maps; m++) {
        if (draft->map[m]->from == draft->primary) {
            draft->of[draft->froms] = draft->map[m];
            cleave_plan_map(&draft->from[draft->froms++], draft->map[m], draft->map[m]->map);
        }
    }
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
        light = light && map[m].dim <= 2 &&
                cleave_order_point_bytes(of[m]->to) <= cleave_machine.light_point;
    }
    return light ? (struct plan_method){PLAN_START_RCM, PLAN_IMPROVE_DEFAULT} : method;
}

static struct order_draft *new_draft(op_set primary)
{
    struct order_draft *draft = cleave_alloc_zero(sizeof *draft, "the order of the mesh");
    for (const struct cleave_set *s = cleave_mesh.sets; s != NULL; s = s->next) {
        draft->sets = MAX(draft->sets, s->core.index + 1);
    }
    draft->maps = cleave_mesh.map_count;
    draft->to_user = cleave_alloc_zero((size_t)draft->sets * sizeof *draft->to_user, "an order");
    draft->to_own = cleave_alloc_zero((size_t)draft->sets * sizeof *draft->to_own, "an order");
    draft->row = cleave_alloc_zero((size_t)draft->maps * sizeof *draft->row, "an order");
    draft->map = cleave_alloc_zero((size_t)draft->maps * sizeof *draft->map, "an order");
    for (struct cleave_map *m = cleave_mesh.maps; m != NULL; m = m->next) {
        draft->map[m->core.index] = &m->core;
    }
    draft->primary = draft->order.primary = primary;
    draft->order.block_size = cleave_order_block_size(primary, cleave_targets.target[0]);
    draft->hint = hint.map;
    draft->planner = *cleave_planner();
    return draft;
}

/* Takes what decides the order. later: it is made while loops run, which may change dats. */
static struct order_draft *begin_draft(op_set primary, int later)
{
    struct order_draft *draft = new_draft(primary);
    find_maps(draft);
    draft->for_host = cleave_order_is_for_host();
    draft->has_lanes = cleave_has_lanes(cleave_targets.target[0]);
    draft->method = method_for(draft->from, draft->of, draft->froms);
    if (!draft->for_host) {
        draft->waits = later && cleave_order_is_open() && !cleave_order_is_scattered();
        draft->first = later && cleave_order_is_scattered() ? new_draft(primary) : NULL;
        cleave_draft_coordinates(draft, draft->of, draft->froms, later);
    }
    return draft;
}

void cleave_draft_free(struct order_draft *draft)
{
    for (int s = 0; s < draft->sets; s++) {
        free(draft->to_user[s]);
        free(draft->to_own[s]);
    }
    for (int m = 0; m < draft->maps; m++) {
        free(draft->row[m]);
    }
    if (draft->first != NULL) {
        cleave_draft_free(draft->first);
    }
    planner_numbering_free(draft->order.numbering);
    free(draft->to_user);
    free(draft->to_own);
    free(draft->row);
    free(draft->map);
    free(draft->from);
    free(draft->of);
    free(draft->at_copy);
    free(draft);
}

const int *cleave_draft_row(struct order_draft *draft, op_map map)
{
    const int *to_user = draft->to_user[map->from->index];
    const int *to_own = draft->to_own[map->to->index];
    int **row = &draft->row[map->index];
    if (to_user == NULL && to_own == NULL) {
        return map->map;
    }
    if (*row == NULL) {
        const size_t entries = (size_t)map->from->size * (size_t)map->dim;
        *row = cleave_alloc(entries * sizeof **row, map->name);
        cleave_permute_map(*row, map->map, map->from->size, map->dim, to_user, to_own);
    }
    return *row;
}

void cleave_draft_forget_row(struct order_draft *draft, op_map map)
{
    free(draft->row[map->index]);
    draft->row[map->index] = NULL;
}

/* ---- when it is made ------------------------------------------------------------------------ */

/* in_loop: 1: a loop is being prepared. */
static void make(int in_loop)
{
    op_set primary = primary_set();
    maps_seen = cleave_mesh.map_count;
    if (cleave_targets.count == 0 || !cleave_order_is_wanted(primary)) {
        return;
    }
    const int later = !cleave_plans_first() && primary->size >= cleave_machine.renumbered_elements;
    struct order_draft *draft = begin_draft(primary, later);
    if (later) {
        cleave_draft_start(draft, in_loop);
    } else {
        cleave_draft_make(draft);
        if (draft->is_refused) {
            cleave_background.given_up = 1;
            cleave_draft_free(draft);
            return;
        }
        struct kept_order *kept = cleave_order_kept(draft);
        cleave_order_keep(kept);
        free(kept);
        cleave_draft_adopt(draft);
    }
}

void cleave_order_require(void)
{
    if (cleave_order.primary == NULL && !cleave_order_is_awaited() &&
        maps_seen != cleave_mesh.map_count) {
        make(1);
    }
    if (cleave_order_is_awaited() && cleave_plans_first()) {
        cleave_order_await();
    }
}

void cleave_order_hint(op_set primary, op_map map, op_dat coordinates)
{
    hint.primary = primary;
    hint.map = map;
    cleave_coordinates_hint(coordinates);
    cleave_order_drop();
    make(0);
}

void cleave_order_forget(op_dat dat)
{
    cleave_background_forget(dat);
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
    cleave_recipes_settle();
    cleave_background_drop();
    cleave_background.given_up = 0;
    cleave_plans_free(); /* and those that the worker makes of the maps that go */
    for (struct cleave_dat *d = cleave_mesh.dats; d != NULL; d = d->next) {
        cleave_dat_current(&d->core, COPY_USER);
        cleave_dat_release(d);
    }
    for (struct cleave_map *m = cleave_mesh.maps; m != NULL; m = m->next) {
        if (!cleave_map_is_as_declared(m)) {
            cleave_map_release(m);
        }
    }
    for (struct cleave_set *s = cleave_mesh.sets; s != NULL; s = s->next) {
        cleave_set_release(s);
    }
    free_numbering();
}

void cleave_order_free(void)
{
    cleave_background_drop();
    memset(&cleave_background, 0, sizeof cleave_background);
    free_numbering();
    memset(&hint, 0, sizeof hint);
    cleave_coordinates_hint(NULL);
    maps_seen = -1;
}
