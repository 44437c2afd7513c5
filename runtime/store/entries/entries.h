/* entries.h: files under one folder, in which programs keep for later runs what takes long to make.
 * In goes content with a key of 128 bits, out comes the same content, checked. Knows nothing of the
 * rest of the runtime: the planner uses it as it is, rooms above it use runtime/store/store.h.
 *
 * An entry is the file FOLDER/KIND/KEY:
 *
 *   struct cleave_entry_header | content | checksum (struct store_key)
 *
 * in the byte order of the machine that wrote it; the header says which. The checksum is
 * cleave_store_hash of the header, then of each piece of the content.
 *
 * Many programs may use one folder at once. A file appears whole or not at all, because it is
 * written beside and renamed. Nothing that a file says is believed before it is checked: one that
 * is cut, damaged, of another user, key, machine or version is noted and left alone, and the next
 * write of its key replaces it. Nothing here ends a program: what cannot be kept is made again.
 */
#ifndef CLEAVE_ENTRIES_H
#define CLEAVE_ENTRIES_H

#include <stddef.h>
#include <stdint.h>

/* Kinds of entries. Each has a folder of its own (folder.c has their names). If the layout of a
 * kind's content changes, it gets a new folder; the old folder's name stays in the table, so that
 * its files count and are removed like all others. */
enum cleave_kind {
    CLEAVE_KEPT_PLANS,   /* numberings of meshes: planner/cache/ */
    CLEAVE_KEPT_TUNED,   /* tuned choices */
    CLEAVE_KEPT_RATES,   /* measured rates of a device */
    CLEAVE_KEPT_KERNELS, /* shared objects of loops that were compiled while a program ran */
    CLEAVE_KEPT_ORDERS,  /* orders of all sets of a mesh: mesh/order_kept.c */
    CLEAVE_KINDS,
    CLEAVE_KEPT_FOLDERS = CLEAVE_KINDS + 1 /* with those of older versions */
};

/* The subject of a note. Callers tell their users each of them once, but STORE_NOTE_REFUSED each
 * time: it is about another file. */
enum cleave_store_note {
    STORE_NOTE_FOLDER,     /* the name of the folder is too long */
    STORE_NOTE_UNWRITABLE, /* nothing can be kept in the folder */
    STORE_NOTE_TOO_LARGE,  /* an entry takes more than all together may */
    STORE_NOTE_UNREADABLE, /* an entry cannot be opened */
    STORE_NOTE_REFUSED,    /* an entry is damaged, or not this program's */
    STORE_NOTES
};

/* The place of the entries. Filled by the caller, borrowed for the duration of a call. */
struct cleave_store {
    const char *folder; /* NULL: nothing is kept, and nothing found */
    uint64_t bytes;     /* that all entries may take together, at least 1 */
    /* Takes a sentence without full stop, valid during the call. Called by the thread that called
     * the store. NULL: nobody wants notes. */
    void (*note)(enum cleave_store_note about, const char *text);
};

/* ---- hash.c --------------------------------------------------------------------------------- */

struct store_key {
    uint64_t word[2];
};

/* A 128-bit hash of `bytes` bytes at data, mixed into *hash, which is {{0, 0}} to begin with: order
 * of calls, lengths and content all count. Words are read as the machine stores them. Made for
 * speed (several bytes per cycle, in parallel above some MB) and the same for any number of
 * threads; not for adversaries. */
void cleave_store_hash(struct store_key *hash, const void *data, size_t bytes);

/* ---- write.c -------------------------------------------------------------------------------- */

/* One part of an entry's content. */
struct cleave_piece {
    const void *data; /* borrowed; NULL is legal for 0 bytes */
    size_t bytes;
};

/* Keeps the pieces, one after the other, as the entry of the key; replaces an older one. Makes the
 * folders that are missing, with mode 0700; files have mode 0600. 0, or -1 after a note, and then
 * nothing new is left behind; -1 without a note if the store has no folder. */
int cleave_entry_write(const struct cleave_store *store, enum cleave_kind kind,
                       const struct store_key *key, const struct cleave_piece *piece, int pieces);

/* ---- read.c --------------------------------------------------------------------------------- */

#define CLEAVE_STORE_PATH 4096 /* bytes of the longest name of an entry's file, with its end */

/* An entry that is being read, from cleave_entry_open to cleave_entry_end. */
struct cleave_entry {
    const struct cleave_store *store;
    int file;
    uint64_t bytes;       /* of the content */
    uint64_t taken;       /* of them, so far */
    struct store_key sum; /* of the file, so far */
    const char *fault;    /* NULL, or what is wrong: "damaged (cut)" */
    char path[CLEAVE_STORE_PATH];
};

/* Opens the entry of the key and checks its header and its length. 0, or -1: there is none, or
 * (noted) one that is not usable; then there is nothing to end. */
int cleave_entry_open(const struct cleave_store *store, enum cleave_kind kind,
                      const struct store_key *key, struct cleave_entry *entry);
/* Reads the next `bytes` bytes of the content, which are not checked yet. 0, or -1 after setting
 * entry->fault. */
int cleave_entry_take(struct cleave_entry *entry, void *to, size_t bytes);
/* 1: all of the content has been taken, and the checksum is right; else sets entry->fault. */
int cleave_entry_is_whole(struct cleave_entry *entry);
/* Closes the file. 0: the entry counts as used now; -1: entry->fault is set, by a function above or
 * by the caller, and has been noted. */
int cleave_entry_end(struct cleave_entry *entry);

/* ---- trim.c --------------------------------------------------------------------------------- */

/* Keeps the entries of all kinds together below store->bytes: those that have not been read or
 * written for longest are removed, but none while all of them fit. Files that were being written a
 * day ago or before are removed, too. Nothing else is touched, and failure is silent. */
void cleave_store_trim(const struct cleave_store *store);

#endif
