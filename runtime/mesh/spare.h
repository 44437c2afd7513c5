/* spare.h: second buffers of dats on the device (spare.c). Included by mesh.h. */
#ifndef CLEAVE_SPARE_H
#define CLEAVE_SPARE_H

#include "runtime/base/registry.h"

struct cleave_dat;

/* Returns the dat's second buffer on the device, which is made if there is none; NULL: there is no
 * memory for it, or CLEAVE_FUSE_MEMORY allows no more. Its content is undefined. */
void *cleave_dat_spare(op_dat dat);
/* Exchanges the dat's buffers on the device: call it when a launch that fills the second one has
 * been queued, before cleave_dat_written(). The first one is an array of structures. */
void cleave_dat_exchange(op_dat dat);
/* Releases the second buffer of a dat. */
void cleave_spare_release(struct cleave_dat *dat);
/* Releases all second buffers. 0: there are none. */
int cleave_spares_make_room(void);
/* Without the device, as in a child of fork(): forgets them. */
void cleave_spares_lose_device(void);
/* Returns the bytes that all second buffers take. */
size_t cleave_spares_bytes(void);

#endif
