/* store.h: what programs keep for their next runs: files in the folder of CLEAVE_PLAN_CACHE, at
 * most CLEAVE_PLAN_CACHE_MB of them. entries/entries.h says how a file is written, checked and
 * removed.
 *
 * A key is cleave_store_hash of all that the content depends on; whoever keeps content puts its own
 * version into the key or into the content. Functions here may be called by any thread, and never
 * end a program: what cannot be read is not there. The user is told of each cause once. */
#ifndef CLEAVE_STORE_H
#define CLEAVE_STORE_H

#include "runtime/base/settings.h"
#include "runtime/store/entries/entries.h"

/* The store of the settings, for functions of entries.h and of the planner; valid until the
 * settings are read again. Its folder is NULL with CLEAVE_PLAN_CACHE=off, and where none is known.
 */
struct cleave_store cleave_store(void);
/* Tells the user once if no folder is known. The two functions below call it. */
void cleave_store_need(void);

/* The content of an entry, which the caller frees with free(), and its size in *bytes: at least one
 * byte is allocated. NULL: there is none, it is damaged or not this program's, or memory is short.
 */
void *cleave_store_read(enum cleave_kind kind, const struct store_key *key, size_t *bytes);

/* Keeps `bytes` bytes at data, which may be NULL for 0 bytes, as the entry of the key; replaces an
 * older one. 0, or -1: nothing was kept. */
int cleave_store_write(enum cleave_kind kind, const struct store_key *key, const void *data,
                       size_t bytes);

#endif
