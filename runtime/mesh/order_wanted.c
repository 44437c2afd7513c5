/* order_wanted.c: whether the mesh gets an order of the runtime's: what the settings ask for, and,
 * on a device, what the program's own order is worth there.
 *
 * Generators that run along the rows of a grid leave meshes on which an order gains nothing, and
 * costs the time to make it and the coalescing of long rows. On an H200, loops of seven
 * applications on their natural meshes took 0.96 to 1.00 of the time in an order of the runtime's
 * when they kept the program's, and those of an eighth, of hexahedra, 0.87. The ninth adds to
 * tetrahedral vertices with 14 edges each: blocks that gather win there, and need good blocks. */
#include "runtime/base/machine.h"
#include "runtime/mesh/order.h"

static double entries_of(op_map map)
{
    return (double)map->from->size * map->dim;
}

double cleave_order_entries(op_set set)
{
    double entries = 0.0;
    for (const struct cleave_map *m = cleave_mesh.maps; m != NULL; m = m->next) {
        entries += m->core.from == set ? entries_of((op_map)&m->core) : 0.0;
    }
    return entries;
}

size_t cleave_order_point_bytes(op_set set)
{
    size_t bytes = 0;
    for (const struct cleave_dat *d = cleave_mesh.dats; d != NULL; d = d->next) {
        bytes += d->core.set == set ? (size_t)d->core.size : 0;
    }
    return bytes;
}

/* 1: the map's loops take so small a part of the time that they decide nothing. */
static int is_minor(op_map map)
{
    double all = 0.0;
    for (const struct cleave_map *m = cleave_mesh.maps; m != NULL; m = m->next) {
        all += entries_of((op_map)&m->core);
    }
    return entries_of(map) < all * cleave_machine.minor_map;
}

/* 1: so many elements share a point that loops gather in blocks (choose/race.c), and points have so
 * many data that good blocks are worth an order. */
static int gathers(op_map map)
{
    return map->dim < cleave_machine.many_columns &&
           entries_of(map) >= (double)map->to->size * cleave_machine.many_uses &&
           cleave_order_point_bytes(map->to) > cleave_machine.heavy_point;
}

static int is_scattered; /* in the mesh that was measured last */

int cleave_order_is_scattered(void)
{
    return is_scattered;
}

/* Measures all maps, for messages. 1: the program's order suits the warps of a device. */
static int suits_warps(void)
{
    const double begin = cleave_seconds();
    int suits = 1;
    for (struct cleave_map *m = cleave_mesh.maps; m != NULL; m = m->next) {
        if (!is_minor(&m->core)) {
            struct plan_map map;
            cleave_plan_map(&map, &m->core, m->core.map);
            m->lines = planner_coalescing(m->core.from->size, &map);
            suits &= m->lines <= cleave_machine.kept_lines && !gathers(&m->core);
            is_scattered |= m->lines >= cleave_machine.scattered_lines;
        }
    }
    for (struct cleave_map *m = cleave_mesh.maps; m != NULL && !suits; m = m->next) {
        m->lines = 0.0; /* they say why an order is kept */
    }
    cleave_order.seconds = cleave_seconds() - begin;
    return suits;
}

/* In a deterministic run the order stays what it is for other reasons: it decides the bits. */
int cleave_order_is_open(void)
{
    return cleave_device != NULL && !cleave_settings.deterministic &&
           cleave_settings.renumber < 0 && cleave_settings.method.start == PLAN_START_DEFAULT &&
           cleave_settings.method.improve == PLAN_IMPROVE_DEFAULT;
}

int cleave_order_is_wanted(op_set primary)
{
    is_scattered = 0;
    if (primary == NULL || primary->size == 0 || cleave_order_entries(primary) == 0.0 ||
        cleave_no_copies()) {
        return 0;
    }
    if (cleave_settings.renumber >= 0) {
        return cleave_settings.renumber;
    }
    if (cleave_is_runs(cleave_settings.method) ||
        primary->size < cleave_machine.renumbered_elements) {
        return 0;
    }
    const int kept = cleave_order_is_open() && suits_warps();
    if (kept && cleave_settings.diags >= 2) {
        cleave_order_print();
    }
    return !kept;
}
