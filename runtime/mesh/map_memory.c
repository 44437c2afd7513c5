/* map_memory.c: the copies of maps and of elements' numbers: in the runtime's order, on the host
 * and on the device. They are made when they are needed first; nothing changes them but another
 * order of the mesh (order_adopt.c). */
#include "runtime/mesh/mesh.h"

static void release_on_device(void *memory)
{
    if (cleave_device != NULL && memory != NULL) {
        cleave_device->release(memory);
    }
}

static const int *map_on_host(struct cleave_map *map)
{
    const struct cleave_set *from = cleave_set_of(map->core.from);
    const struct cleave_set *to = cleave_set_of(map->core.to);
    if (from->to_user == NULL && to->to_own == NULL) {
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

const int *cleave_map_current(op_map map, enum cleave_copy copy)
{
    struct cleave_map *own = cleave_map_of(map);
    size_t bytes = (size_t)map->from->size * (size_t)map->dim * sizeof(int);
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
    return own->on_device;
}

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
    map->own = NULL;
}

void cleave_set_release(struct cleave_set *set)
{
    release_on_device(set->to_user_on_device);
    free(set->to_user);
    free(set->to_own);
    set->to_user_on_device = set->to_user = set->to_own = NULL;
}
