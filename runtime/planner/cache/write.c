/* write.c: numberings are kept. A file appears whole or not at all: it is written beside and
 * renamed, so that several programs may read and write the same one at once. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "runtime/planner/cache/cache.h"
#include "runtime/planner/number/number.h"

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

/* A program that passes its limit on file sizes is ended by a signal; to keep a plan is not worth
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

static struct cache_header header_of(const struct plan_key *key,
                                     const struct plan_numbering *numbering)
{
    return (struct cache_header){.magic = CACHE_MAGIC,
                                 .endian = CACHE_ENDIAN,
                                 .version = CACHE_VERSION,
                                 .key = *key,
                                 .elements = numbering->elements,
                                 .blocks = numbering->blocks,
                                 .block_size = numbering->block_size,
                                 .start = numbering->method.start,
                                 .improve = numbering->method.improve};
}

static int write_file(int file, const struct cache_header *header,
                      const struct plan_numbering *numbering)
{
    struct plan_key checksum = {{0, 0}};
    planner_cache_hash(&checksum, header, sizeof *header);
    int failed = write_all(file, header, sizeof *header) != 0;
    for (int a = 0; a < NUMBERING_ARRAYS && !failed; a++) {
        const int *array = planner_numbering_array(numbering, a);
        size_t bytes = planner_numbering_bytes(numbering, a);
        planner_cache_hash(&checksum, array, bytes);
        failed = write_all(file, array, bytes) != 0;
    }
    return failed || write_all(file, &checksum, sizeof checksum) != 0 ? -1 : 0;
}

/* 0, or -1 with errno; then nothing new is left behind. */
static int keep(const char *path, const struct cache_header *header,
                const struct plan_numbering *numbering)
{
    char beside[CACHE_PATH];
    snprintf(beside, sizeof beside, "%.*s.XXXXXX", CACHE_PATH - 8, path);
    int file = mkostemp(beside, O_CLOEXEC);
    if (file < 0) {
        return -1;
    }
    int failed =
        !within_limit(planner_cache_file_bytes(header)) || write_file(file, header, numbering) != 0;
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

void planner_cache_write(const struct planner *planner, const struct plan_key *key,
                         const struct plan_numbering *numbering)
{
    char folder[CACHE_PATH];
    char path[CACHE_PATH];
    PLANNER_THREADS(planner);
    if (planner_cache_folder(planner, folder) != 0 || planner_cache_file(planner, path, key) != 0) {
        return;
    }
    struct cache_header header = header_of(key, numbering);
    if (planner_cache_file_bytes(&header) > planner->folder_bytes) {
        planner_note(planner, PLAN_NOTE_TOO_LARGE,
                     "the plan of %d elements is not kept: it takes more than the %llu MiB that "
                     "plans may take; CLEAVE_PLAN_CACHE_MB raises this",
                     numbering->elements, (unsigned long long)(planner->folder_bytes >> 20));
        return;
    }
    if (planner_cache_make_folder(folder) != 0 || keep(path, &header, numbering) != 0) {
        planner_note(planner, PLAN_NOTE_UNWRITABLE,
                     "plans cannot be kept in %s: %s; they are made again in every run; set "
                     "CLEAVE_PLAN_CACHE to a folder that can be written, or to off",
                     folder, strerror(errno));
        return;
    }
    planner_cache_trim(folder, planner->folder_bytes);
}
