/* base.h: memory, phases, threads, notes, hashes, sorting and checks of the input, for all folders
 * of the planner. Nobody outside runtime/planner includes it. */
#ifndef CLEAVE_PLANNER_BASE_H
#define CLEAVE_PLANNER_BASE_H

#include "runtime/planner/planner.h"

/* ---- memory.c ------------------------------------------------------------------------------ */

/* count * bytes of memory, not zeroed, aligned to 64 bytes, never NULL for a count of 0. NULL with
 * a message that names the size and what it is for ("the blocks of a plan") when there is not
 * enough. `error` may be NULL. Freed by free(). */
void *planner_memory(size_t count, size_t bytes, const char *what, char *error);
/* Allocates like planner_memory, and zeroes the memory in parallel. */
void *planner_zeroed(size_t count, size_t bytes, const char *what, char *error);

/* Times a phase: begin, then end with its name. phases NULL: nothing. */
double planner_clock(void);
void planner_phase(struct plan_phases *phases, const char *name, double begin, int serial);

/* ---- process.c ----------------------------------------------------------------------------- */

/* Parallel regions have planner->threads threads until the end of the block. */
#define PLANNER_THREADS(planner)                                                                   \
    const int planner_threads __attribute__((cleanup(planner_threads_restore), unused)) =          \
        planner_threads_set((planner)->threads)
/* 0: the number stays. Returns the number of before. */
int planner_threads_set(int threads);
void planner_threads_restore(const int *before);

#define PLANNER_NOTE 5120 /* bytes of a note; a longer one is cut */
/* Hands a note to the caller. */
void planner_note(const struct planner *planner, enum plan_note about, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- hash.c -------------------------------------------------------------------------------- */

#define PLANNER_HASH UINT64_C(0xcbf29ce484222325) /* to begin with */
void planner_hash_bytes(uint64_t *hash, const void *data, size_t bytes);
void planner_hash_number(uint64_t *hash, int number);

/* ---- input.c ------------------------------------------------------------------------------- */

/* 0, or -1 when sizes or entries of maps are out of range; runs in parallel, names the first. The
 * second one refuses maps from other sets (plan_map.apart), too. */
int planner_check_sets(int elements, int maps, const struct plan_map *map, int block_size,
                       char error[PLANNER_ERROR]);
int planner_check_input(int elements, int maps, const struct plan_map *map, int block_size,
                        char error[PLANNER_ERROR]);

/* ---- sort.c -------------------------------------------------------------------------------- */

/* order[count] becomes the permutation that sorts key[0..count-1], stable: parallel radix sort of
 * 64-bit keys of which only the low `bits` count. */
int planner_sort(int *order, const uint64_t *key, int count, int bits, char error[PLANNER_ERROR]);
/* For qsort: ascending ints. */
int planner_compare_ints(const void *a, const void *b);
/* Sorts list[length] in place, ascending; fastest for short lists that are nearly sorted. */
void planner_sort_list(int *list, int64_t length);
/* start[count+1] = exclusive prefix sums of start[0..count-1]; start[count] the total. In parallel.
 */
void planner_prefix(int64_t *start, int64_t count);

#endif
