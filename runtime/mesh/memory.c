/* memory.c: the copies of dats: in the user's order on the host; in the runtime's order on
 * the host, for OpenMP variants; in the runtime's order on the device. A copy moves only when the
 * one that is needed is old. Where a set keeps the user's order, the first two are the same memory.
 * On the host a dat is always an array of structures; on the device it is what loops ask for
 * (layout.c).
 *
 * Transfers go piece by piece through buffers of the target, and on their way data changes its
 * order and is copied by all cores, so that no second copy of a dat is needed on the host.
 *
 * Threads of the program that look at dat->data come here through the fault handler (watch.c) while
 * another one runs loops: every function that changes copies holds the state of dats (threads.c).
 */
#include "runtime/base/timeline.h"
#include "runtime/mesh/mesh.h"
#include "runtime/mesh/pages.h"

#include <stdarg.h>

/* ---- the device ---------------------------------------------------------------------------- */

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
    const double begun = cleave_moment_begin();
    void *memory = device->alloc(bytes);
    cleave_moment_end("memory of the device", what, begun);
    if (memory == NULL &&
        cleave_copies_make_room() + cleave_spares_make_room() + cleave_maps_make_room() > 0) {
        memory = device->alloc(bytes);
    }
    if (memory == NULL) {
        cleave_fatal("out of device memory (%s): %zu bytes are needed for %s, %zu are available",
                     device->device(), bytes, what, device->available());
    }
    return memory;
}

static char *place(const struct target_records *records, size_t first)
{
    return (char *)records->memory + first * records->bytes;
}

static void read_as_is(const struct target_records *records, void *piece, size_t first,
                       size_t count)
{
    cleave_permute_copy(piece, place(records, first), count * records->bytes);
}

static void write_as_is(const struct target_records *records, void *piece, size_t first,
                        size_t count)
{
    cleave_permute_copy(place(records, first), piece, count * records->bytes);
}

static void read_ordered(const struct target_records *records, void *piece, size_t first,
                         size_t count)
{
    cleave_permute_gather(piece, records->memory, records->index + first, count, records->bytes);
}

static void write_ordered(const struct target_records *records, void *piece, size_t first,
                          size_t count)
{
    cleave_permute_scatter(records->memory, piece, records->index + first, count, records->bytes);
}

static void upload(const struct target_ops *device, void *to, const struct target_records *from,
                   const char *what)
{
    if (from->count == 0) {
        return;
    }
    const double begun = cleave_moment_begin();
    const int failed = device->upload(to, from) != 0;
    cleave_moment_end("upload", what, begun);
    if (failed) {
        cleave_fatal("%s cannot be copied to %s: %s", what, device->device(), device->last_error());
    }
}

void cleave_target_upload(const struct target_ops *device, void *to, const void *from, size_t bytes,
                          const char *what)
{
    struct target_records records = {1, bytes, read_as_is, (void *)(uintptr_t)from, NULL};
    if (bytes > 0) {
        (void)*(const volatile char *)
            from; /* of an old dat->data: fetched now, not by a thread that copies */
    }
    CLEAVE_HOLD_DATS; /* the buffers of the target serve one transfer at a time */
    upload(device, to, &records, what);
}

static void download(const struct cleave_dat *dat, const struct target_records *to,
                     const void *from)
{
    if (to->count == 0) {
        return;
    }
    if (cleave_device->download(to, from) != 0) {
        cleave_fatal("dat '%s' cannot be copied from %s: %s", dat->core.name,
                     cleave_device->device(), cleave_device->last_error());
    }
}

/* ---- dats ---------------------------------------------------------------------------------- */

/* Returns COPY_USER instead of COPY_HOST if the set has no order of its own. */
static enum cleave_copy really(const struct cleave_dat *dat, enum cleave_copy copy)
{
    return copy == COPY_HOST && cleave_set_of(dat->core.set)->to_user == NULL ? COPY_USER : copy;
}

/* All of a dat, at `memory`: in the order of the device, or, if index says so, in the user's. */
static struct target_records records_of(const struct cleave_dat *dat, void *memory,
                                        const int *to_user, int writes)
{
    struct target_records records = {(size_t)dat->core.size, (size_t)dat->core.set->size, NULL,
                                     memory, to_user};
    if (to_user != NULL) {
        records.move = writes ? write_ordered : read_ordered;
    } else {
        records.move = writes ? write_as_is : read_as_is;
    }
    return records;
}

static void *alloc_on_device(const struct cleave_dat *dat, int soa)
{
    return cleave_target_alloc(cleave_device, cleave_dat_device_bytes(dat, soa), "dat '%s'",
                               dat->core.name);
}

/* Records leave the device as an array of structures. */
static void download_dat(const struct cleave_dat *dat, const struct target_records *to)
{
    if (!dat->soa) {
        download(dat, to, dat->own[COPY_DEVICE]);
        return;
    }
    void *records = alloc_on_device(dat, 0);
    cleave_dat_relayout(dat, records, dat->own[COPY_DEVICE], 0);
    download(dat, to, records);
    cleave_device->release(records);
}

static void fill_user(const struct cleave_dat *dat, char *to)
{
    const struct cleave_set *set = cleave_set_of(dat->core.set);
    if (dat->zero) {
        cleave_permute_zero(to, cleave_dat_bytes(&dat->core));
    } else if (dat->current[COPY_HOST]) {
        cleave_permute_scatter(to, dat->own[COPY_HOST], set->to_user, (size_t)set->core.size,
                               (size_t)dat->core.size);
    } else {
        struct target_records records = records_of(dat, to, set->to_user, 1);
        download_dat(dat, &records);
    }
}

/* 1: the copy in the user's order is known to be all zeros, without much reading. */
static int is_zero(const struct cleave_dat *dat)
{
    const size_t bytes = cleave_dat_bytes(&dat->core);
    return dat->mapped ? cleave_pages_untouched(dat->core.data, bytes)
                       : cleave_pages_small_zero(dat->core.data, bytes);
}

static void fill_host(struct cleave_dat *dat)
{
    const struct cleave_set *set = cleave_set_of(dat->core.set);
    if (dat->own[COPY_HOST] == NULL) {
        dat->own[COPY_HOST] = cleave_alloc(cleave_dat_bytes(&dat->core), dat->core.name);
    }
    if (dat->zero) {
        cleave_permute_zero(dat->own[COPY_HOST], cleave_dat_bytes(&dat->core));
    } else if (dat->current[COPY_USER]) {
        cleave_permute_gather(dat->own[COPY_HOST], dat->core.data, set->to_user,
                              (size_t)set->core.size, (size_t)dat->core.size);
    } else {
        struct target_records records = records_of(dat, dat->own[COPY_HOST], NULL, 1);
        download_dat(dat, &records);
    }
}

/* Memory of the dat's own in this layout; what it holds is undefined. */
static void blank_device(struct cleave_dat *dat, int soa)
{
    if (dat->own[COPY_DEVICE] == NULL || dat->soa != soa || cleave_dat_is_shared(dat)) {
        cleave_dat_leave_buffer(dat);
        dat->own[COPY_DEVICE] = alloc_on_device(dat, soa);
        dat->soa = soa;
    }
}

/* Fills the copy on the device with zeros, in the wanted layout. */
static void zero_device(struct cleave_dat *dat, int soa)
{
    const size_t bytes = cleave_dat_device_bytes(dat, soa);
    blank_device(dat, soa);
    dat->buffers.zeros_made += dat->zero;
    cleave_buffer_use.zeros_made += dat->zero;
    if (bytes > 0 && cleave_device->zero(dat->own[COPY_DEVICE], bytes) != 0) {
        cleave_fatal("dat '%s' cannot be set to zeros on %s: %s", dat->core.name,
                     cleave_device->device(), cleave_device->last_error());
    }
}

/* soa: the layout in which zeros are made; what is copied arrives as an array of structures. */
static void fill_device(struct cleave_dat *dat, int soa)
{
    if (dat->zero || (dat->current[COPY_USER] && is_zero(dat))) {
        zero_device(dat, soa);
        return;
    }
    const int *to_user = cleave_set_of(dat->core.set)->to_user;
    struct target_records records = dat->current[COPY_HOST]
                                        ? records_of(dat, dat->own[COPY_HOST], NULL, 0)
                                        : records_of(dat, dat->core.data, to_user, 0);
    blank_device(dat, 0);
    upload(cleave_device, dat->own[COPY_DEVICE], &records, dat->core.name);
}

/* dat->data is about to hold zeros that no copy on the device holds. The program could then write
 * there without a word, since no other copy would be current. */
static void keep_zeros(struct cleave_dat *dat)
{
    if (dat->zero && !dat->current[COPY_DEVICE] && cleave_device != NULL) {
        zero_device(dat, dat->soa);
        dat->current[COPY_DEVICE] = 1;
    }
}

static void make_current(struct cleave_dat *own, enum cleave_copy copy, int soa)
{
    if (own->core.dirty_hd == 1) { /* as op_put_data; what may not even be read was not written */
        own->core.dirty_hd = 0;
        if (own->watch != WATCH_CLOSED) {
            cleave_dat_written(&own->core, COPY_USER);
        }
    }
    cleave_overlay_require(own);
    if (own->buffers.recipe != NULL) {
        cleave_recipe_read(own);
    }
    if (!own->current[copy]) {
        if (copy == COPY_USER) {
            keep_zeros(own);
            cleave_watch_fill(own, fill_user);
        } else if (copy == COPY_HOST) {
            fill_host(own);
        } else {
            fill_device(own, soa);
        }
        own->current[copy] = 1;
        own->zero &= copy != COPY_USER || own->current[COPY_DEVICE];
        cleave_watch_update(own);
    }
}

void *cleave_dat_current(op_dat dat, enum cleave_copy copy)
{
    struct cleave_dat *own = cleave_dat_of(dat);
    CLEAVE_HOLD_DATS;
    copy = really(own, copy);
    make_current(own, copy, 0);
    return copy == COPY_USER ? dat->data : own->own[copy];
}

void *cleave_dat_on_device(op_dat dat, int soa)
{
    struct cleave_dat *own = cleave_dat_of(dat);
    CLEAVE_HOLD_DATS;
    make_current(own, COPY_DEVICE, soa && dat->dim > 1);
    void *now = own->own[COPY_DEVICE];
    if (own->soa != soa && dat->dim > 1) {
        void *other = alloc_on_device(own, soa);
        cleave_dat_relayout(own, other, now, soa);
        cleave_dat_relaid(own, other, soa);
    }
    return own->own[COPY_DEVICE];
}

void cleave_dat_written(op_dat dat, enum cleave_copy copy)
{
    struct cleave_dat *own = cleave_dat_of(dat);
    CLEAVE_HOLD_DATS;
    if (own->buffers.recipe != NULL || own->buffers.needed > 0) {
        cleave_recipe_written(own, copy == COPY_DEVICE);
    }
    memset(own->current, 0, sizeof own->current);
    own->current[really(own, copy)] = 1;
    own->zero = 0;
    own->version = cleave_dat_next_version();
    cleave_overlay_written(own);
    cleave_watch_update(own);
}

int cleave_dat_holds_values(const struct cleave_dat *dat)
{
    if (dat->zero || dat->buffers.recipe != NULL) {
        return 1;
    }
    for (int copy = 0; copy < CLEAVE_COPIES; copy++) {
        if (dat->current[copy]) {
            return 1;
        }
    }
    return 0;
}

void cleave_dat_share(struct cleave_dat *dat)
{
    dat->current[COPY_USER] = 1;
    dat->zero = 0;
}

void cleave_dat_stand_in(struct cleave_dat *dat, const struct cleave_dat *as)
{
    memcpy(dat->own, as->own, sizeof dat->own);
    memcpy(dat->current, as->current, sizeof dat->current);
    dat->zero = as->zero;
    dat->soa = as->soa;
}

void cleave_dat_lose(struct cleave_dat *dat)
{
    memset(dat->current, 0, sizeof dat->current);
    dat->zero = 0;
    dat->version = cleave_dat_next_version();
}

void cleave_dats_put(void)
{
    CLEAVE_HOLD_DATS;
    for (struct cleave_dat *dat = cleave_mesh.dats; dat != NULL; dat = dat->next) {
        if (dat->current[COPY_USER]) {
            cleave_dat_written(&dat->core, COPY_USER);
        }
    }
}

void cleave_dat_put(op_dat dat)
{
    CLEAVE_HOLD_DATS;
    if (cleave_dat_of(dat)->watch == WATCH_CLOSED) {
        cleave_dat_current(dat, COPY_USER);
    }
    cleave_dat_written(dat, COPY_USER);
}

void cleave_dat_open(op_dat dat, enum cleave_copy copy)
{
    struct cleave_dat *own = cleave_dat_of(dat);
    CLEAVE_HOLD_DATS;
    if (really(own, copy) == COPY_USER) {
        cleave_watch_open(own);
    }
}

void cleave_dats_to_host(void)
{
    CLEAVE_HOLD_DATS;
    for (struct cleave_dat *dat = cleave_mesh.dats; dat != NULL; dat = dat->next) {
        if (!dat->current[COPY_USER] && !dat->current[COPY_HOST]) {
            make_current(dat, COPY_USER, 0);
        }
    }
}

/* The copy on the device is gone. Where dat->data is current, the program may write there without a
 * word from now on. */
static void forget_device(struct cleave_dat *dat)
{
    dat->current[COPY_DEVICE] = 0;
    dat->zero &= !dat->current[COPY_USER];
}

void cleave_mesh_lose_device(void)
{
    cleave_spares_lose_device();
    for (struct cleave_dat *dat = cleave_mesh.dats; dat != NULL; dat = dat->next) {
        dat->own[COPY_DEVICE] = NULL;
        forget_device(dat);
        dat->soa = 0;
    }
    for (struct cleave_map *map = cleave_mesh.maps; map != NULL; map = map->next) {
        map->on_device = NULL;
        map->ahead = AHEAD_OVER;
    }
    for (struct cleave_set *set = cleave_mesh.sets; set != NULL; set = set->next) {
        set->to_user_on_device = NULL;
    }
}

void cleave_layouts_unload(struct cleave_unit_entry *entry)
{
    if (cleave_device == NULL || entry->unit->relayout == NULL) {
        return;
    }
    CLEAVE_HOLD_DATS;
    for (struct cleave_dat *dat = cleave_mesh.dats; dat != NULL; dat = dat->next) {
        if (dat->soa) {
            if (dat->current[COPY_DEVICE]) {
                cleave_dat_on_device(&dat->core, 0);
            } else {
                cleave_dat_leave_buffer(dat);
            }
        }
    }
}

void cleave_dat_release(struct cleave_dat *dat)
{
    CLEAVE_HOLD_DATS;
    free(dat->own[COPY_HOST]);
    cleave_dat_leave_buffer(dat);
    cleave_spare_release(dat);
    cleave_copies_forget(dat);
    memset(dat->own, 0, sizeof dat->own);
    dat->current[COPY_HOST] = 0;
    forget_device(dat);
    cleave_watch_update(dat);
}

/* ---- zeros ---------------------------------------------------------------------------------- */

/* Zeros are stored again where they had to be made so often in a row, which costs a launch, until
 * so many loops have begun without reading them. */
enum { MOST_ZEROS_MADE = 3, MOST_ZEROS_KEPT = 32 };

int cleave_dat_may_stay_zero(op_dat dat)
{
    const struct cleave_dat *own = cleave_dat_of(dat);
    return own->overlay == NULL && !own->shares_array && own->buffers.zeros_made < MOST_ZEROS_MADE;
}

void cleave_dat_zeroed(op_dat dat, int stored)
{
    struct cleave_dat *own = cleave_dat_of(dat);
    CLEAVE_HOLD_DATS;
    cleave_dat_written(dat, COPY_DEVICE);
    own->zero = own->overlay == NULL && !own->shares_array;
    if (!stored) {
        own->current[COPY_DEVICE] = 0;
        cleave_buffer_use.zeros_left++;
    }
}

void cleave_dat_began_zero(op_dat dat, int blank)
{
    struct cleave_buffers *buffers = &cleave_dat_of(dat)->buffers;
    CLEAVE_HOLD_DATS;
    if (blank || ++buffers->zeros_kept == MOST_ZEROS_KEPT) {
        buffers->zeros_made = 0;
    }
    buffers->zeros_kept = buffers->zeros_made == 0 ? 0 : buffers->zeros_kept;
    cleave_buffer_use.zeros_used++;
}

int cleave_dat_is_blank(op_dat dat)
{
    const struct cleave_dat *own = cleave_dat_of(dat);
    return own->zero && !own->current[COPY_DEVICE];
}

void *cleave_dat_blank(op_dat dat, int soa)
{
    struct cleave_dat *own = cleave_dat_of(dat);
    CLEAVE_HOLD_DATS;
    blank_device(own, soa && dat->dim > 1);
    return own->own[COPY_DEVICE];
}

void cleave_dat_cleared(op_dat dat)
{
    struct cleave_dat *own = cleave_dat_of(dat);
    CLEAVE_HOLD_DATS;
    own->current[COPY_DEVICE] = 1;
    cleave_watch_update(own);
}
