/* map_memory.c: the copies of maps and of elements' numbers: in the runtime's order, on the host
 * and on the device. They are made when they are needed first, or, on the device, when the map is
 * declared; nothing changes them but another order of the mesh (order_adopt.c). */
#include "runtime/base/machine.h"
#include "runtime/base/timeline.h"
#include "runtime/mesh/mesh.h"

static void release_on_device(void *memory)
{
    if (cleave_device != NULL && memory != NULL) {
        cleave_device->release(memory);
    }
}

int cleave_map_is_as_declared(const struct cleave_map *map)
{
    return cleave_set_of(map->core.from)->to_user == NULL &&
           cleave_set_of(map->core.to)->to_own == NULL;
}

static const int *map_on_host(struct cleave_map *map)
{
    const struct cleave_set *from = cleave_set_of(map->core.from);
    const struct cleave_set *to = cleave_set_of(map->core.to);
    if (cleave_map_is_as_declared(map)) {
        return map->core.map;
    }
    if (map->own == NULL) {
        size_t entries = (size_t)from->core.size * (size_t)map->core.dim;
        map->own = cleave_alloc(entries * sizeof(int), map->core.name);
        cleave_permute_map(map->own, map->core.map, from->core.size, map->core.dim, from->to_user,
                           to->to_own);
    }
    return map->own;
}

static size_t bytes_of(op_map map)
{
    return (size_t)map->from->size * (size_t)map->dim * sizeof(int);
}

const int *cleave_map_current(op_map map, enum cleave_copy copy)
{
    struct cleave_map *own = cleave_map_of(map);
    const size_t bytes = bytes_of(map);
    if (copy == COPY_USER) {
        return map->map;
    }
    if (copy == COPY_HOST) {
        return map_on_host(own);
    }
    if (own->on_device == NULL) {
        own->on_device = cleave_target_alloc(cleave_device, bytes, "map '%s'", map->name);
        cleave_target_upload(cleave_device, own->on_device, map_on_host(own), bytes, map->name);
    }
    own->ahead = AHEAD_OVER;
    return own->on_device;
}

/* ---- before the first loop ---------------------------------------------------------------------
 */

/* 1: loops on the device are likely to read the map as it was declared. Loops that wait for plans
 * may need nothing else, and the order of a small mesh is made before its first loop. */
static int is_worth_it(const struct cleave_map *map)
{
    return !cleave_plans_first() && map->core.from->size >= cleave_machine.renumbered_elements &&
           map->on_device == NULL && cleave_map_is_as_declared(map);
}

static void copy_ahead(struct cleave_map *map)
{
    const size_t bytes = bytes_of(&map->core);
    const double begun = cleave_moment_begin();
    map->on_device = cleave_device->alloc(bytes);
    cleave_moment_end("memory of the device", map->core.name, begun);
    if (map->on_device != NULL) {
        map->ahead = AHEAD_HELD;
        cleave_target_upload(cleave_device, map->on_device, map->core.map, bytes, map->core.name);
    }
}

void cleave_maps_ahead(void)
{
    if (cleave_device == NULL ||
        (cleave_device->is_prepared != NULL && !cleave_device->is_prepared())) {
        return;
    }
    for (struct cleave_map *map = cleave_mesh.maps; map != NULL; map = map->next) {
        if (map->ahead == AHEAD_WANTED) {
            map->ahead = AHEAD_OVER;
            if (is_worth_it(map)) {
                copy_ahead(map);
            }
        }
    }
}

int cleave_maps_make_room(void)
{
    int any = 0;
    for (struct cleave_map *map = cleave_mesh.maps; map != NULL; map = map->next) {
        if (map->ahead == AHEAD_HELD) {
            release_on_device(map->on_device);
            map->on_device = NULL;
            map->ahead = AHEAD_OVER;
            any = 1;
        }
    }
    return any;
}

/* ---- numbers and the end ------------------------------------------------------------------------
 */

const int *cleave_numbers_current(op_set set, enum cleave_copy copy)
{
    struct cleave_set *own = cleave_set_of(set);
    size_t bytes = (size_t)set->size * sizeof(int);
    if (own->to_user == NULL || copy == COPY_USER) {
        return NULL;
    }
    if (copy == COPY_HOST) {
        return own->to_user;
    }
    if (own->to_user_on_device == NULL) {
        own->to_user_on_device =
            cleave_target_alloc(cleave_device, bytes, "the numbers of set '%s'", set->name);
        cleave_target_upload(cleave_device, own->to_user_on_device, own->to_user, bytes, set->name);
    }
    return own->to_user_on_device;
}

void cleave_map_release(struct cleave_map *map)
{
    release_on_device(map->on_device);
    free(map->own);
    map->on_device = NULL;
    map->ahead = AHEAD_OVER;
    map->own = NULL;
}

void cleave_set_release(struct cleave_set *set)
{
    release_on_device(set->to_user_on_device);
    free(set->to_user);
    free(set->to_own);
    set->to_user_on_device = set->to_user = set->to_own = NULL;
}
