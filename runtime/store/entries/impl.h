/* impl.h: what the files of this folder share. */
#ifndef CLEAVE_ENTRIES_IMPL_H
#define CLEAVE_ENTRIES_IMPL_H

#include "runtime/store/entries/entries.h"

#define ENTRY_MAGIC "cleave#" /* files of older versions begin with it, too */
#define ENTRY_ENDIAN UINT32_C(0x01020304)
#define ENTRY_VERSION 1 /* of the layout */

struct cleave_entry_header {
    char magic[8]; /* ENTRY_MAGIC */
    uint32_t endian;
    uint32_t version;
    struct store_key key;
    uint64_t bytes; /* of the content */
};

/* Bytes of CLEAVE_STORE_PATH left for the file's name in its folder, and a suffix while it is
 * written. */
#define ENTRY_SUFFIX 64

/* The names of the folders of all kinds, in their order, then of older versions. */
extern const char *const cleave_store_folders[CLEAVE_KEPT_FOLDERS];

/* The folder of a kind in path[CLEAVE_STORE_PATH], without making it. 0, or -1 when nothing is to
 * be kept: the store has no folder, or (with a note) too long a name. */
int cleave_store_folder(const struct cleave_store *store, enum cleave_kind kind,
                        char path[CLEAVE_STORE_PATH]);
/* Makes a folder and those above it that are missing, each with mode 0700. 0, or -1 with errno. */
int cleave_store_make_folder(const char *path);
/* The file of a key: 0, or -1 as cleave_store_folder. */
int cleave_store_file(const struct cleave_store *store, enum cleave_kind kind,
                      const struct store_key *key, char path[CLEAVE_STORE_PATH]);
/* Hands a note to the caller; one of more than 5 kB is cut. */
void cleave_store_tell(const struct cleave_store *store, enum cleave_store_note about,
                       const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
