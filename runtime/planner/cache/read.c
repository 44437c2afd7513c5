/* read.c: kept numberings come back. Nothing that a file says is believed before it is checked. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/planner/cache/cache.h"
#include "runtime/planner/number/number.h"

uint64_t planner_cache_file_bytes(const struct cache_header *header)
{
    int sizes_fit = header->elements >= 0 && header->blocks >= (header->elements > 0) &&
                    header->blocks <= header->elements;
    if (!sizes_fit) {
        return 0;
    }
    struct plan_numbering sizes = {.elements = header->elements, .blocks = header->blocks};
    uint64_t bytes = sizeof *header + sizeof(struct plan_key);
    for (int a = 0; a < NUMBERING_ARRAYS; a++) {
        bytes += planner_numbering_bytes(&sizes, a);
    }
    return bytes;
}

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
 * one could give this program another mesh order, and so other roundings. */
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

static const char *header_fault(const struct cache_header *header, const struct plan_key *key,
                                int elements, uint64_t bytes)
{
    if (memcmp(header->magic, CACHE_MAGIC, sizeof header->magic) != 0) {
        return "damaged (not a kept plan)";
    }
    if (header->endian != CACHE_ENDIAN) {
        return "of a machine with another byte order";
    }
    if (header->version != CACHE_VERSION) {
        return "of another version of cleave";
    }
    if (memcmp(&header->key, key, sizeof *key) != 0 || header->elements != elements) {
        return "of another mesh";
    }
    if (planner_cache_file_bytes(header) == 0) {
        return "damaged (sizes)";
    }
    if (bytes != planner_cache_file_bytes(header)) {
        return "damaged (length)";
    }
    return NULL;
}

static int is_permutation(const int *order, int count)
{
    size_t words = (size_t)count / 64 + 1;
    uint64_t *seen = planner_zeroed(words, sizeof *seen, "a kept plan's order", NULL);
    int fits = seen != NULL;
    for (int i = 0; i < count && fits; i++) {
        fits =
            order[i] >= 0 && order[i] < count && (seen[order[i] / 64] >> (order[i] % 64) & 1) == 0;
        if (fits) {
            seen[order[i] / 64] |= UINT64_C(1) << (order[i] % 64);
        }
    }
    free(seen);
    return fits;
}

static const char *content_fault(const struct plan_numbering *numbering)
{
    int method_fits = numbering->method.start > PLAN_START_DEFAULT &&
                      numbering->method.start < PLAN_STARTS &&
                      numbering->method.improve > PLAN_IMPROVE_DEFAULT &&
                      numbering->method.improve <= PLAN_IMPROVE_ANNEAL;
    if (!method_fits) {
        return "damaged (method)";
    }
    const int *start = numbering->start;
    int fits = numbering->block_size >= 1 && numbering->block_size <= 1024 && start[0] == 0 &&
               start[numbering->blocks] == numbering->elements;
    for (int b = 0; b < numbering->blocks && fits; b++) {
        fits = start[b] < start[b + 1] && start[b + 1] - start[b] <= numbering->block_size;
    }
    if (!fits) {
        return "damaged (blocks)";
    }
    return is_permutation(numbering->order, numbering->elements) ? NULL : "damaged (order)";
}

/* Memory for the arrays of a numbering whose header has been checked. */
static struct plan_numbering *numbering_new(const struct cache_header *header)
{
    struct plan_numbering *numbering = planner_zeroed(1, sizeof *numbering, "a kept plan", NULL);
    if (numbering == NULL) {
        return NULL;
    }
    numbering->elements = header->elements;
    numbering->blocks = header->blocks;
    numbering->block_size = header->block_size;
    numbering->method.start = (enum plan_start)header->start;
    numbering->method.improve = (enum plan_improvement)header->improve;
    if (planner_numbering_reserve(numbering, NULL) != 0) {
        planner_numbering_free(numbering);
        return NULL;
    }
    return numbering;
}

static const char *read_arrays(int file, const struct cache_header *header,
                               struct plan_numbering *numbering)
{
    struct plan_key checksum = {{0, 0}};
    struct plan_key kept;
    planner_cache_hash(&checksum, header, sizeof *header);
    for (int a = 0; a < NUMBERING_ARRAYS; a++) {
        int *array = planner_numbering_array(numbering, a);
        size_t bytes = planner_numbering_bytes(numbering, a);
        if (read_all(file, array, bytes) != 0) {
            return "damaged (cut)";
        }
        planner_cache_hash(&checksum, array, bytes);
    }
    if (read_all(file, &kept, sizeof kept) != 0) {
        return "damaged (cut)";
    }
    return memcmp(&checksum, &kept, sizeof kept) == 0 ? content_fault(numbering)
                                                      : "damaged (checksum)";
}

/* The numbering in an open file, or NULL with what is wrong in *fault; NULL there when memory is
 * short. */
static struct plan_numbering *read_file(int file, const struct plan_key *key, int elements,
                                        const char **fault)
{
    struct stat status;
    struct cache_header header;
    *fault = fstat(file, &status) != 0 ? "unreadable" : status_fault(&status);
    if (*fault == NULL && read_all(file, &header, sizeof header) != 0) {
        *fault = "damaged (cut)";
    }
    if (*fault == NULL) {
        *fault = header_fault(&header, key, elements, (uint64_t)status.st_size);
    }
    struct plan_numbering *numbering = *fault == NULL ? numbering_new(&header) : NULL;
    if (numbering != NULL) {
        *fault = read_arrays(file, &header, numbering);
        if (*fault != NULL) {
            planner_numbering_free(numbering);
            numbering = NULL;
        }
    }
    return numbering;
}

struct plan_numbering *planner_cache_read(const struct planner *planner, const struct plan_key *key,
                                          int elements)
{
    char path[CACHE_PATH];
    PLANNER_THREADS(planner);
    if (planner_cache_file(planner, path, key) != 0) {
        return NULL;
    }
    /* Neither a link nor, for want of a reader or writer, a pipe may hold this up. */
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0) {
        if (errno != ENOENT && errno != ENOTDIR) {
            planner_note(planner, PLAN_NOTE_UNREADABLE,
                         "the kept plan %s cannot be read: %s; made again", path, strerror(errno));
        }
        return NULL;
    }
    const char *fault = NULL;
    struct plan_numbering *numbering = read_file(file, key, elements, &fault);
    if (numbering != NULL) {
        planner_cache_mark_used(file);
    }
    close(file);
    if (fault != NULL) {
        planner_note(planner, PLAN_NOTE_REFUSED, "the kept plan %s is %s: made again", path, fault);
    }
    return numbering;
}
