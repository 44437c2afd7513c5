/* spare.c: buffers on the device that hold no dat's values now, and buffers that dats share.
 *
 * A joined loop may modify a dat whose old values other points read while its kernel runs: it
 * writes whole records to a second buffer (cleave_launch.next), which becomes the dat's behind its
 * launch. What the dat had before is given back, for the next one that needs a buffer of that size.
 * The device works in the order of launches, so that a buffer may be used again at once. What spare
 * buffers hold is of no use to anybody, and other data may take their memory.
 *
 * A plain copy of a dat needs no second buffer until one of the two dats is modified: both share
 * one. The dats of one buffer form a ring. A loop that writes whole records of one of them gets a
 * spare buffer for that; for any other writer, cleave_dat_unshare() makes the copy. */
#include "runtime/mesh/mesh.h"

struct buffer {
    void *memory;
    size_t bytes;
    struct buffer *next;
};

static struct buffer *given; /* back, the earliest first: sequences of launches then come again */
struct cleave_buffer_use cleave_buffer_use;

void cleave_buffer_use_forget(void)
{
    const size_t spare = cleave_buffer_use.spare_bytes;
    memset(&cleave_buffer_use, 0, sizeof cleave_buffer_use);
    cleave_buffer_use.spare_bytes = cleave_buffer_use.most_bytes = spare;
}

/* ---- dats that share a buffer --------------------------------------------------------------- */

int cleave_dat_is_shared(const struct cleave_dat *dat)
{
    return dat->buffers.sharer != NULL;
}

/* Sharing with the dats of the ring has ended: in vain, or it has spared a copy. */
static void note_end(struct cleave_dat *dat, int in_vain)
{
    struct cleave_dat *d = dat;
    do {
        d->buffers.unshared = in_vain ? d->buffers.unshared + 1 : 0;
        d = d->buffers.sharer;
    } while (d != dat && d != NULL);
    cleave_buffer_use.unshared += in_vain;
}

static void leave_ring(struct cleave_dat *dat)
{
    struct cleave_dat *before = dat->buffers.sharer;
    while (before->buffers.sharer != dat) {
        before = before->buffers.sharer;
    }
    before->buffers.sharer = dat->buffers.sharer == before ? NULL : dat->buffers.sharer;
    dat->buffers.sharer = NULL;
}

/* ---- spare buffers ------------------------------------------------------------------------ */

/* Bytes that spare buffers may take: CLEAVE_FUSE_MEMORY, or a quarter of what is free. */
static size_t most_bytes(void)
{
    return cleave_settings.fuse_mib > 0
               ? (size_t)cleave_settings.fuse_mib << 20
               : (cleave_device->available() + cleave_buffer_use.spare_bytes) / 4;
}

static size_t record_bytes(const struct cleave_dat *dat)
{
    return MAX(cleave_dat_bytes(&dat->core), (size_t)1);
}

/* Of the dat's buffer, in the layout that it has now. */
static size_t buffer_bytes(const struct cleave_dat *dat)
{
    return MAX(cleave_dat_device_bytes(dat, dat->soa), (size_t)1);
}

/* Asking the driver takes long: what was allowed once is allowed again. */
static int is_allowed(size_t bytes)
{
    const size_t wanted = cleave_buffer_use.spare_bytes + bytes;
    return wanted <= cleave_buffer_use.most_bytes || wanted <= most_bytes();
}

static void count_spare(size_t bytes)
{
    cleave_buffer_use.spare_bytes += bytes;
    cleave_buffer_use.most_bytes = MAX(cleave_buffer_use.most_bytes, cleave_buffer_use.spare_bytes);
}

static void give(void *memory, size_t bytes)
{
    struct buffer *buffer = cleave_alloc(sizeof *buffer, "a second buffer");
    struct buffer **last = &given;
    while (*last != NULL) {
        last = &(*last)->next;
    }
    *buffer = (struct buffer){memory, bytes, NULL};
    *last = buffer;
}

void *cleave_buffer_take(op_dat dat)
{
    const size_t bytes = record_bytes(cleave_dat_of(dat));
    struct buffer **link = &given;
    while (*link != NULL && (*link)->bytes != bytes) {
        link = &(*link)->next;
    }
    struct buffer *found = *link;
    if (found != NULL) {
        void *memory = found->memory;
        *link = found->next;
        free(found);
        return memory;
    }
    void *memory = is_allowed(bytes) ? cleave_device->alloc(bytes) : NULL;
    if (memory != NULL) {
        count_spare(bytes);
    }
    return memory;
}

void cleave_buffer_give(op_dat dat, void *buffer)
{
    if (buffer != NULL) {
        give(buffer, record_bytes(cleave_dat_of(dat)));
    }
}

/* Keeps the dat's buffer as a spare one if it has the size of one, and else releases it. */
static void retire_buffer(struct cleave_dat *dat)
{
    void *before = dat->own[COPY_DEVICE];
    if (cleave_dat_is_shared(dat)) {
        note_end(dat, 0);
    }
    if (before == NULL || cleave_dat_is_shared(dat) || buffer_bytes(dat) != record_bytes(dat)) {
        cleave_dat_leave_buffer(dat);
        return;
    }
    dat->own[COPY_DEVICE] = NULL;
    count_spare(record_bytes(dat));
    give(before, record_bytes(dat));
}

void cleave_dat_adopt(op_dat dat, void *buffer)
{
    struct cleave_dat *own = cleave_dat_of(dat);
    cleave_buffer_use.spare_bytes -= record_bytes(own);
    retire_buffer(own);
    own->own[COPY_DEVICE] = buffer;
    own->soa = 0;
}

void *cleave_dat_spare(op_dat dat)
{
    struct cleave_dat *own = cleave_dat_of(dat);
    if (own->buffers.spare == NULL) {
        own->buffers.spare = cleave_buffer_take(dat);
    }
    return own->buffers.spare;
}

void cleave_dat_exchange(op_dat dat)
{
    struct cleave_dat *own = cleave_dat_of(dat);
    void *buffer = own->buffers.spare;
    own->buffers.spare = NULL;
    cleave_dat_adopt(dat, buffer);
}

void *cleave_dat_ahead(op_dat dat)
{
    struct cleave_dat *own = cleave_dat_of(dat);
    own->buffers.ahead_stamp = 0;
    if (own->buffers.ahead == NULL) {
        own->buffers.ahead = cleave_buffer_take(dat);
    }
    return own->buffers.ahead;
}

void cleave_dat_adopt_ahead(op_dat dat)
{
    struct cleave_dat *own = cleave_dat_of(dat);
    void *buffer = own->buffers.ahead;
    own->buffers.ahead = own->buffers.next_ahead;
    own->buffers.next_ahead = NULL;
    own->buffers.ahead_stamp = 0;
    cleave_dat_adopt(dat, buffer);
}

void *cleave_dat_next_ahead(op_dat dat)
{
    struct cleave_dat *own = cleave_dat_of(dat);
    if (own->buffers.ahead == NULL || own->buffers.ahead_stamp == 0) {
        return cleave_dat_ahead(dat);
    }
    if (own->buffers.next_ahead == NULL) {
        own->buffers.next_ahead = cleave_buffer_take(dat);
    }
    return own->buffers.next_ahead;
}

void cleave_dat_buffers(op_dat dat, void *buffer[2])
{
    const struct cleave_dat *own = cleave_dat_of(dat);
    buffer[0] = own->own[COPY_DEVICE];
    buffer[1] = own->buffers.ahead_stamp != 0 ? own->buffers.ahead : NULL;
}

static void release(const struct cleave_dat *dat, void **buffer)
{
    if (*buffer != NULL) {
        cleave_buffer_use.spare_bytes -= record_bytes(dat);
        if (cleave_device != NULL) {
            cleave_device->release(*buffer);
        }
        *buffer = NULL;
    }
}

void cleave_spare_release(struct cleave_dat *dat)
{
    release(dat, &dat->buffers.spare);
    release(dat, &dat->buffers.ahead);
    release(dat, &dat->buffers.next_ahead);
}

int cleave_spares_make_room(void)
{
    int any = given != NULL;
    for (struct cleave_dat *dat = cleave_mesh.dats; dat != NULL; dat = dat->next) {
        any |= dat->buffers.spare != NULL || dat->buffers.ahead != NULL ||
               dat->buffers.next_ahead != NULL;
        cleave_spare_release(dat);
    }
    while (given != NULL) {
        struct buffer *buffer = given;
        given = buffer->next;
        cleave_buffer_use.spare_bytes -= buffer->bytes;
        if (cleave_device != NULL) {
            cleave_device->release(buffer->memory);
        }
        free(buffer);
    }
    return any;
}

void cleave_spares_lose_device(void)
{
    for (struct cleave_dat *dat = cleave_mesh.dats; dat != NULL; dat = dat->next) {
        dat->buffers.spare = dat->buffers.ahead = dat->buffers.next_ahead = NULL;
        dat->buffers.kept = NULL;
        dat->buffers.sharer = NULL;
    }
    while (given != NULL) {
        struct buffer *buffer = given;
        given = buffer->next;
        free(buffer);
    }
    cleave_buffer_use.spare_bytes = 0;
}

/* ---- shared buffers ------------------------------------------------------------------------ */

void cleave_dat_leave_buffer(struct cleave_dat *dat)
{
    if (cleave_dat_is_shared(dat)) {
        leave_ring(dat);
    } else if (cleave_device != NULL && dat->own[COPY_DEVICE] != NULL) {
        cleave_device->release(dat->own[COPY_DEVICE]);
    }
    dat->own[COPY_DEVICE] = NULL;
    dat->soa = 0;
}

int cleave_dat_share_buffer(struct cleave_dat *to, struct cleave_dat *from)
{
    if (to->own[COPY_DEVICE] != NULL && to->own[COPY_DEVICE] == from->own[COPY_DEVICE]) {
        return 1;
    }
    if (to->own[COPY_DEVICE] != NULL && !cleave_dat_is_shared(to) &&
        !is_allowed(buffer_bytes(to))) {
        return 0;
    }
    retire_buffer(to);
    to->own[COPY_DEVICE] = from->own[COPY_DEVICE];
    to->soa = from->soa;
    to->buffers.sharer = from->buffers.sharer != NULL ? from->buffers.sharer : from;
    from->buffers.sharer = to;
    return 1;
}

void cleave_dat_unshare(struct cleave_dat *dat)
{
    if (!cleave_dat_is_shared(dat)) {
        return;
    }
    const size_t bytes = cleave_dat_device_bytes(dat, dat->soa);
    void *memory = dat->soa ? NULL : cleave_buffer_take(&dat->core);
    if (memory != NULL) {
        cleave_buffer_use.spare_bytes -= record_bytes(dat);
    } else {
        memory = cleave_target_alloc(cleave_device, bytes, "dat '%s'", dat->core.name);
    }
    if (bytes > 0 && cleave_device->copy(memory, dat->own[COPY_DEVICE], bytes) != 0) {
        cleave_fatal("dat '%s' cannot be copied on %s: %s", dat->core.name, cleave_device->device(),
                     cleave_device->last_error());
    }
    note_end(dat, 1);
    leave_ring(dat);
    dat->own[COPY_DEVICE] = memory;
}

void cleave_dat_relaid(struct cleave_dat *dat, void *memory, int soa)
{
    if (cleave_dat_is_shared(dat)) {
        note_end(dat, 1);
    }
    cleave_dat_leave_buffer(dat);
    dat->own[COPY_DEVICE] = memory;
    dat->soa = soa;
}
