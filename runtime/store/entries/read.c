/* read.c: entries come back. Nothing that a file says is believed before it is checked. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/store/entries/impl.h"

/* 0, or -1 when the file ends before or cannot be read. */
static int read_all(int file, void *to, size_t bytes)
{
    char *at = to;
    while (bytes > 0) {
        ssize_t got = read(file, at, bytes);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return -1;
        }
        at += got;
        bytes -= (size_t)got;
    }
    return 0;
}

/* Files of the user and of root are believed to be what this program wrote; who else may write to
 * one could give this program another mesh order, or code. */
static const char *status_fault(const struct stat *status)
{
    if (!S_ISREG(status->st_mode)) {
        return "not a file";
    }
    if (status->st_uid != geteuid() && status->st_uid != 0) {
        return "another user's";
    }
    if (status->st_mode & (S_IWGRP | S_IWOTH)) {
        return "open to changes by other users";
    }
    return NULL;
}

static const char *header_fault(const struct cleave_entry_header *header,
                                const struct store_key *key, uint64_t bytes)
{
    const uint64_t around = sizeof *header + sizeof(struct store_key);
    if (memcmp(header->magic, ENTRY_MAGIC, sizeof header->magic) != 0) {
        return "damaged (not a kept file)";
    }
    if (header->endian != ENTRY_ENDIAN) {
        return "of a machine with another byte order";
    }
    if (header->version != ENTRY_VERSION) {
        return "of another version of cleave";
    }
    if (memcmp(&header->key, key, sizeof *key) != 0) {
        return "of another key";
    }
    if (bytes < around || header->bytes != bytes - around) {
        return "damaged (length)";
    }
    return NULL;
}

static void read_header(struct cleave_entry *entry, const struct store_key *key)
{
    struct stat status;
    struct cleave_entry_header header;
    entry->fault = fstat(entry->file, &status) != 0 ? "unreadable" : status_fault(&status);
    if (entry->fault == NULL && read_all(entry->file, &header, sizeof header) != 0) {
        entry->fault = "damaged (cut)";
    }
    if (entry->fault == NULL) {
        entry->fault = header_fault(&header, key, (uint64_t)status.st_size);
    }
    if (entry->fault == NULL) {
        entry->bytes = header.bytes;
        cleave_store_hash(&entry->sum, &header, sizeof header);
    }
}

int cleave_entry_open(const struct cleave_store *store, enum cleave_kind kind,
                      const struct store_key *key, struct cleave_entry *entry)
{
    entry->store = store;
    entry->bytes = 0;
    entry->taken = 0;
    entry->sum = (struct store_key){{0, 0}};
    if (cleave_store_file(store, kind, key, entry->path) != 0) {
        return -1;
    }
    /* Neither a link nor, for want of a reader or writer, a pipe may hold this up. */
    entry->file = open(entry->path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (entry->file < 0) {
        if (errno != ENOENT && errno != ENOTDIR) {
            cleave_store_tell(store, STORE_NOTE_UNREADABLE,
                              "the kept file %s cannot be read: %s; ignored, and made again",
                              entry->path, strerror(errno));
        }
        return -1;
    }
    read_header(entry, key);
    return entry->fault == NULL ? 0 : cleave_entry_end(entry);
}

int cleave_entry_take(struct cleave_entry *entry, void *to, size_t bytes)
{
    if (entry->fault == NULL &&
        (bytes > entry->bytes - entry->taken || read_all(entry->file, to, bytes) != 0)) {
        entry->fault = "damaged (cut)";
    }
    if (entry->fault != NULL) {
        return -1;
    }
    entry->taken += bytes;
    cleave_store_hash(&entry->sum, to, bytes);
    return 0;
}

int cleave_entry_is_whole(struct cleave_entry *entry)
{
    struct store_key kept;
    if (entry->fault == NULL && entry->taken != entry->bytes) {
        entry->fault = "damaged (length)";
    }
    if (entry->fault == NULL && read_all(entry->file, &kept, sizeof kept) != 0) {
        entry->fault = "damaged (cut)";
    }
    if (entry->fault == NULL && memcmp(&entry->sum, &kept, sizeof kept) != 0) {
        entry->fault = "damaged (checksum)";
    }
    return entry->fault == NULL;
}

/* The time of the last change, which trim.c takes for the last use, becomes now. */
static void mark_used(int file)
{
    futimens(file, NULL);
}

int cleave_entry_end(struct cleave_entry *entry)
{
    if (entry->fault == NULL) {
        mark_used(entry->file);
    }
    close(entry->file);
    if (entry->fault != NULL) {
        cleave_store_tell(entry->store, STORE_NOTE_REFUSED,
                          "the kept file %s is %s: ignored, and made again", entry->path,
                          entry->fault);
    }
    return entry->fault == NULL ? 0 : -1;
}
