/* spare.c: second buffers of dats on the device.
 *
 * A joined loop may modify a dat whose old values other points read while its kernel runs: it
 * writes whole records to a second buffer (cleave_launch.next), and both are exchanged behind its
 * launch. A dat keeps its second buffer until the dat or the device goes, or other data need the
 * memory. What it holds between two launches is of no use to anybody. It is an array of structures.
 */
#include "runtime/mesh/mesh.h"

static size_t spare_bytes; /* of all dats */

/* Bytes that second buffers may take: CLEAVE_FUSE_MEMORY, or a quarter of what is free. */
static size_t most_bytes(void)
{
    return cleave_settings.fuse_mib > 0 ? (size_t)cleave_settings.fuse_mib << 20
                                        : (cleave_device->available() + spare_bytes) / 4;
}

void *cleave_dat_spare(op_dat dat)
{
    struct cleave_dat *own = cleave_dat_of(dat);
    const size_t bytes = MAX(cleave_dat_bytes(dat), (size_t)1);
    if (own->spare == NULL && spare_bytes + bytes <= most_bytes()) {
        own->spare = cleave_device->alloc(bytes);
        spare_bytes += own->spare != NULL ? bytes : 0;
    }
    return own->spare;
}

void cleave_dat_exchange(op_dat dat)
{
    struct cleave_dat *own = cleave_dat_of(dat);
    void *before = own->own[COPY_DEVICE];
    own->own[COPY_DEVICE] = own->spare;
    own->spare = before;
}

void cleave_spare_release(struct cleave_dat *dat)
{
    if (dat->spare != NULL) {
        spare_bytes -= MAX(cleave_dat_bytes(&dat->core), (size_t)1);
        if (cleave_device != NULL) {
            cleave_device->release(dat->spare);
        }
        dat->spare = NULL;
    }
}

int cleave_spares_make_room(void)
{
    const size_t before = spare_bytes;
    for (struct cleave_dat *dat = cleave_mesh.dats; dat != NULL; dat = dat->next) {
        cleave_spare_release(dat);
    }
    return before > spare_bytes;
}

void cleave_spares_lose_device(void)
{
    for (struct cleave_dat *dat = cleave_mesh.dats; dat != NULL; dat = dat->next) {
        dat->spare = NULL;
    }
    spare_bytes = 0;
}

size_t cleave_spares_bytes(void)
{
    return spare_bytes;
}
