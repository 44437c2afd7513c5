/* write.c: entries are kept. A file appears whole or not at all: it is written beside and renamed,
 * so that several programs may read and write the same one at once. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "runtime/store/entries/impl.h"

/* Bytes of an entry below which most writes leave the limit to a later one: to look through the
 * folders costs a system call for each entry, which is long on a network for a few hundred bytes.
 */
#define SMALL 65536

static int write_all(int file, const void *from, size_t bytes)
{
    const char *at = from;
    while (bytes > 0) {
        ssize_t put = write(file, at, bytes);
        if (put < 0 && errno == EINTR) {
            continue;
        }
        if (put < 0) {
            return -1;
        }
        at += put;
        bytes -= (size_t)put;
    }
    return 0;
}

/* A program that passes its limit on file sizes is ended by a signal; to keep an entry is not worth
 * that. */
static int within_limit(uint64_t bytes)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
        bytes > limit.rlim_cur) {
        errno = EFBIG;
        return 0;
    }
    return 1;
}

static uint64_t bytes_of_file(const struct cleave_entry_header *header)
{
    return sizeof *header + header->bytes + sizeof(struct store_key);
}

static int write_file(int file, const struct cleave_entry_header *header,
                      const struct cleave_piece *piece, int pieces)
{
    struct store_key checksum = {{0, 0}};
    cleave_store_hash(&checksum, header, sizeof *header);
    int failed = write_all(file, header, sizeof *header) != 0;
    for (int p = 0; p < pieces && !failed; p++) {
        cleave_store_hash(&checksum, piece[p].data, piece[p].bytes);
        failed = write_all(file, piece[p].data, piece[p].bytes) != 0;
    }
    return failed || write_all(file, &checksum, sizeof checksum) != 0 ? -1 : 0;
}

/* 0, or -1 with errno; then nothing new is left behind. */
static int keep(const char *path, const struct cleave_entry_header *header,
                const struct cleave_piece *piece, int pieces)
{
    char beside[CLEAVE_STORE_PATH];
    snprintf(beside, sizeof beside, "%.*s.XXXXXX", CLEAVE_STORE_PATH - 8, path);
    int file = mkostemp(beside, O_CLOEXEC);
    if (file < 0) {
        return -1;
    }
    int failed =
        !within_limit(bytes_of_file(header)) || write_file(file, header, piece, pieces) != 0;
    int reason = errno;
    if (close(file) != 0 && !failed) {
        reason = errno;
        failed = 1;
    }
    if (!failed && rename(beside, path) != 0) {
        reason = errno;
        failed = 1;
    }
    if (failed) {
        unlink(beside);
        errno = reason;
    }
    return failed ? -1 : 0;
}

int cleave_entry_write(const struct cleave_store *store, enum cleave_kind kind,
                       const struct store_key *key, const struct cleave_piece *piece, int pieces)
{
    char folder[CLEAVE_STORE_PATH];
    char path[CLEAVE_STORE_PATH];
    struct cleave_entry_header header = {
        .magic = ENTRY_MAGIC, .endian = ENTRY_ENDIAN, .version = ENTRY_VERSION, .key = *key};
    for (int p = 0; p < pieces; p++) {
        header.bytes += piece[p].bytes;
    }
    if (cleave_store_folder(store, kind, folder) != 0 ||
        cleave_store_file(store, kind, key, path) != 0) {
        return -1;
    }
    if (bytes_of_file(&header) > store->bytes) {
        cleave_store_tell(store, STORE_NOTE_TOO_LARGE,
                          "a file of %llu MiB is not kept in %s: it takes more than the %llu MiB "
                          "that all kept files may take; CLEAVE_PLAN_CACHE_MB raises this",
                          (unsigned long long)(bytes_of_file(&header) >> 20) + 1, folder,
                          (unsigned long long)(store->bytes >> 20));
        return -1;
    }
    if (cleave_store_make_folder(folder) != 0 || keep(path, &header, piece, pieces) != 0) {
        cleave_store_tell(store, STORE_NOTE_UNWRITABLE,
                          "plans and other files cannot be kept in %s: %s; they are made again in "
                          "every run; set CLEAVE_PLAN_CACHE to a folder that can be written, or to "
                          "off",
                          folder, strerror(errno));
        return -1;
    }
    if (header.bytes >= SMALL || key->word[0] % 16 == 0) {
        cleave_store_trim(store);
    }
    return 0;
}
