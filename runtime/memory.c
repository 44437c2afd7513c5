/* memory.c: the copies of dats and maps on the host and on the device, and which of them is
 * current. A copy moves only when the side that needs it is old; that side is named by the target's
 * operations, NULL being the host, where OpenMP variants work on the host copies themselves. */
#include "cleave_impl.h"

#include <stdarg.h>

void *cleave_target_alloc(const struct target_ops *device, size_t bytes, const char *format, ...)
{
    char what[256];
    va_list list;
    va_start(list, format);
    vsnprintf(what, sizeof what, format, list);
    va_end(list);
    if (bytes == 0) {
        bytes = 1;
    }
    void *memory = device->alloc(bytes);
    if (memory == NULL) {
        cleave_fatal("out of device memory (%s): %zu bytes are needed for %s, %zu are available",
                     device->device(), bytes, what, device->available());
    }
    return memory;
}

void cleave_target_upload(const struct target_ops *device, void *to, const void *from, size_t bytes,
                          const char *what)
{
    if (bytes > 0 && device->upload(to, from, bytes) != 0) {
        cleave_fatal("%s cannot be copied to %s: %s", what, device->device(), device->last_error());
    }
}

static void *current_on_host(struct cleave_dat *dat)
{
    size_t bytes = cleave_dat_bytes(&dat->core);
    if (!dat->host_current && bytes > 0 &&
        cleave_device->download(dat->core.data, dat->on_target, bytes) != 0) {
        cleave_fatal("dat '%s' cannot be copied from %s: %s", dat->core.name,
                     cleave_device->device(), cleave_device->last_error());
    }
    dat->host_current = 1;
    return dat->core.data;
}

void *cleave_dat_current(op_dat dat, const struct target_ops *device)
{
    struct cleave_dat *own = cleave_dat_of(dat);
    size_t bytes = cleave_dat_bytes(dat);
    if (device == NULL) {
        return current_on_host(own);
    }
    if (own->on_target == NULL) {
        own->on_target = cleave_target_alloc(device, bytes, "dat '%s'", dat->name);
    }
    if (!own->target_current) {
        cleave_target_upload(device, own->on_target, dat->data, bytes, dat->name);
    }
    own->target_current = 1;
    return own->on_target;
}

void cleave_dat_written(op_dat dat, const struct target_ops *device)
{
    struct cleave_dat *own = cleave_dat_of(dat);
    own->host_current = device == NULL;
    own->target_current = device != NULL;
}

const int *cleave_map_current(op_map map, const struct target_ops *device)
{
    struct cleave_map *own = cleave_map_of(map);
    size_t bytes = (size_t)map->from->size * (size_t)map->dim * sizeof(int);
    if (device == NULL) {
        return map->map;
    }
    if (own->on_target == NULL) {
        own->on_target = cleave_target_alloc(device, bytes, "map '%s'", map->name);
        cleave_target_upload(device, own->on_target, map->map, bytes, map->name);
    }
    return own->on_target;
}

void cleave_dat_release(struct cleave_dat *dat)
{
    if (cleave_device != NULL && dat->on_target != NULL) {
        cleave_device->release(dat->on_target);
    }
    dat->on_target = NULL;
    dat->target_current = 0;
}
