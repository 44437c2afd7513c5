/* cache.h: what the files of the cache share. A kept numbering is one file:
 *
 *   struct cache_header | start[blocks+1] | order[elements] | checksum (struct plan_key)
 *
 * in the byte order of the machine that wrote it; the header says which. The arrays are those of
 * planner_numbering_arrays, in its order. The checksum is planner_cache_hash of the header, then of
 * each array. */
#ifndef CLEAVE_CACHE_H
#define CLEAVE_CACHE_H

#include "runtime/planner/base/base.h"

/* Raised whenever any step that decides a numbering changes: part of the key and of the header. */
#define CACHE_VERSION 2
#define CACHE_FOLDER "plans-1" /* changes with the layout of the file */
#define CACHE_MAGIC "cleave#"
#define CACHE_ENDIAN UINT32_C(0x01020304)

struct cache_header {
    char magic[8]; /* CACHE_MAGIC */
    uint32_t endian;
    uint32_t version;
    struct plan_key key;
    int32_t elements;
    int32_t blocks;
    int32_t block_size;
    int32_t start;   /* enum plan_start: what was really done */
    int32_t improve; /* enum plan_improvement */
    int32_t unused;  /* 0 */
};

/* Bytes of a file with this header, or 0 when the header's sizes are out of range. */
uint64_t planner_cache_file_bytes(const struct cache_header *header);

#define CACHE_PATH 4096 /* bytes of the longest name of a file, with its end */
/* Bytes of CACHE_PATH left for the file's name in its folder, and a suffix while it is written. */
#define CACHE_SUFFIX 64

/* A 128-bit hash of `bytes` bytes at data, mixed into *hash: order of calls, lengths and content
 * all count. Words are read as the machine stores them. Made for speed (several bytes per cycle, in
 * parallel above some MB) and the same for any number of threads; not for adversaries. */
void planner_cache_hash(struct plan_key *hash, const void *data, size_t bytes);

/* The folder of kept numberings in path[CACHE_PATH], without making it. 0, or -1 when nothing is to
 * be kept: planner->folder is NULL, or (with a note) too long. */
int planner_cache_folder(const struct planner *planner, char path[CACHE_PATH]);
/* Makes a folder and those above it that are missing, each with mode 0700. 0, or -1 with errno. */
int planner_cache_make_folder(const char *path);
/* The file of a key: 0, or -1 as planner_cache_folder. */
int planner_cache_file(const struct planner *planner, char path[CACHE_PATH],
                       const struct plan_key *key);

/* Keeps the files in the folder `path` (planner_cache_folder's) below `limit` bytes: the cache's
 * own files that have not been read or written for longest are removed, but none while all of them
 * fit. Files that were being written a day ago or before are removed too. Nothing else in the
 * folder is touched, and failure is silent. For several programs at once. */
void planner_cache_trim(const char *path, uint64_t limit);
/* Makes now the time of the open file's last change, which planner_cache_trim takes for its last
 * use; failure is silent. */
void planner_cache_mark_used(int file);

#endif
