/* build.h: what the steps of planner_build share; nobody outside runtime/planner/plan includes it.
 *
 * The steps, in their order: blocks.c (start, order), lists.c (list[]), thread_colours.c, which may
 * sort the positions inside blocks and so comes before all that follows, block_colours.c,
 * global_colours.c, shared.c, gather.c, sums.c, runs.c, and metrics.c, which only reads. points.c,
 * owners.c and ranges.c make plans of other kinds; banks.c orders elements before there is a plan.
 * Each works in parallel over blocks that do not depend on each other, so its result does not
 * depend on the number of threads. A step returns 0, or -1 with a message in job->error; what it
 * has put into the plan by then, planner_free frees.
 */
#ifndef CLEAVE_PLAN_BUILD_H
#define CLEAVE_PLAN_BUILD_H

#include "runtime/planner/base/base.h"

/* The arguments of planner_build, borrowed, and the plan on its way. */
struct plan_job {
    struct cleave_plan *plan;
    int maps;
    const struct plan_map *map;
    const struct plan_options *options;
    char *error; /* [PLANNER_ERROR] */
};

/* 0, or -1 with a message when these are not blocks of so many elements. */
int planner_check_blocks(const struct plan_numbering *numbering, int elements, int block_size,
                         char *error);
int planner_make_blocks(const struct plan_job *job, const struct plan_numbering *numbering);
int planner_make_lists(const struct plan_job *job);
int planner_colour_threads(const struct plan_job *job);
int planner_colour_blocks(const struct plan_job *job);
int planner_colour_globally(const struct plan_job *job);
int planner_mark_shared(const struct plan_job *job);
int planner_make_gather(const struct plan_job *job);
int planner_make_sums(const struct plan_job *job);
int planner_make_runs(const struct plan_job *job);
/* All of *metrics but seconds and phases. */
int planner_measure(const struct plan_job *job, struct plan_metrics *metrics);

/* Consecutive blocks that a thread takes at a time: some 8192 elements. */
static inline int plan_blocks_at_once(const struct cleave_plan *plan)
{
    return 8192 / plan->block_size;
}

/* More than one thread is worth while: boundary sets are often small. */
static inline int plan_is_large(const struct cleave_plan *plan)
{
    return plan->blocks > plan_blocks_at_once(plan);
}

/* Slices of one block of points. */
static inline int plan_warps(const struct cleave_plan *plan)
{
    return (plan->block_size - 1) / plan->lanes + 1;
}

/* ---- maps ---------------------------------------------------------------------------------- */

/* Bits of the used columns through which data is modified; bits beyond them do not count. */
static inline unsigned plan_modified(const struct plan_map *map)
{
    return map->conflicts & ((1u << map->columns) - 1);
}

static inline int plan_modified_count(const struct plan_map *map)
{
    return __builtin_popcount(plan_modified(map));
}

/* The point that used column k of an element's row names. */
static inline int plan_point(const struct plan_map *map, int element, int k)
{
    return map->row[(size_t)element * map->dim + map->column[k]];
}

/* Numbers the points of all sets that modified maps lead to one set after the other: those of map m
 * from offset[m] on (maps to one set have one offset; unset for maps that modify nothing). Returns
 * the number of all. offset: [maps]. */
int64_t planner_offsets(int64_t *offset, int maps, const struct plan_map *map);

/* One way from elements to points that they modify: a modified column of a map. */
struct plan_way {
    const int *entry; /* of element 0; that of element e is entry[e * dim] */
    int dim;
    int64_t offset; /* number of the set's first point among those of all sets */
};

struct plan_ways {
    int count;
    int64_t points; /* of all sets that modified maps lead to, numbered as planner_offsets does */
    struct plan_way way[CLEAVE_MAX_LISTS * CLEAVE_MAX_COLUMNS];
};

/* Collects all modified columns of the maps. */
void planner_find_ways(struct plan_ways *ways, int maps, const struct plan_map *map);

/* Fills plan->distinct from plan->size elements. Returns 0, or -1 with a message. */
int planner_find_distinct(struct cleave_plan *plan, const struct plan_ways *ways, char *error);
/* plan_metrics.distinct of a plan with ranges. */
double planner_measure_distinct(const struct cleave_plan *plan);

/* The point that an element modifies in this way, by its number among those of all sets. */
static inline int64_t plan_way_point(const struct plan_way *way, int element)
{
    return way->offset + way->entry[(size_t)element * (size_t)way->dim];
}

/* ---- block_points.c ------------------------------------------------------------------------ */

/* The different points of one block on their way, of one thread: unique, found through a hash table
 * of open addressing (Fibonacci hashing, then the next slots). */
struct point_table {
    int shift;             /* 32 - log2 of the slots in use */
    int *slot;             /* [slots] a point, -1: free */
    unsigned short *place; /* [slots] of the point in unique, once that is sorted */
    int *unique;  /* [most] in the order in which they came, sorted by planner_table_sort */
    int *scratch; /* [most] */
    int length;   /* points in unique */
};

/* Memory for up to `most` points of one block. 0, or -1 with a message in error, which says what
 * the memory is for ("the unique points of a plan's blocks"); the caller closes it in both cases.
 * *table is zeroed before. */
int planner_table_open(struct point_table *table, int most, const char *what, char *error);
void planner_table_close(struct point_table *table);
/* Empties it for at most `entries` different points, 0..most. It takes 4 * entries + 16 slots at
 * most. */
void planner_table_clear(struct point_table *table, int entries);
/* unique ascends from here on, and place is right. At most 65,536 points. */
void planner_table_sort(struct point_table *table);

/* The slot that holds the point or is free for it. */
static inline unsigned plan_table_find(const struct point_table *table, int point)
{
    unsigned last = (1u << (32 - table->shift)) - 1;
    unsigned at = (unsigned)point * 2654435769u >> table->shift;
    while (table->slot[at] >= 0 && table->slot[at] != point) {
        at = (at + 1) & last;
    }
    return at;
}

/* Returns the slot of the point, which is now there. */
static inline unsigned plan_table_add(struct point_table *table, int point)
{
    unsigned at = plan_table_find(table, point);
    if (table->slot[at] < 0) {
        table->slot[at] = point;
        table->unique[table->length++] = point;
    }
    return at;
}

/* The point lists of all blocks. */
struct block_points {
    const char *what; /* for messages: "the unique points of a plan's blocks" */
    int blocks;
    int at_once; /* consecutive blocks that a thread takes at a time */
    int most;    /* points of one block at most */
    /* Collects a block's points in the table, which it empties first, and sorts them. Blocks come
     * in any order and from several threads. 0, or -1 with a message in error[PLANNER_ERROR]. */
    int (*collect)(const void *source, struct point_table *table, int block, char *error);
    const void *source;
    /* Out; the caller frees them, after a failure, too. */
    int *start;  /* [blocks+1] offsets into point */
    int *point;  /* [start[blocks]] */
    int longest; /* list */
};
/* Runs in parallel. If several blocks fail, the message is the first one's, for any number of
 * threads. */
int planner_list_block_points(struct block_points *lists, char *error);

/* ---- points.c ------------------------------------------------------------------------------ */

/* Fills columns, modified, points and the item_ arrays of a list; the caller frees these, after a
 * failure, too. */
int planner_make_items(struct cleave_plan_list *list, int elements, const struct plan_map *map,
                       char *error);
void planner_free_items(struct cleave_plan_list *list);

/* ---- entries.c ----------------------------------------------------------------------------- */

/* Fills columns, modified, points, entries and the entry_ arrays of the list of a map from another
 * set; planner_free() frees these, after a failure, too. */
int planner_make_entries(struct cleave_plan_list *list, const struct plan_map *map, char *error);

/* ---- greedy.c ------------------------------------------------------------------------------ */

/* Items to be coloured so that those of one colour have no common point. */
struct greedy_items {
    const void *source;
    /* Writes the points of an item, 0..points-1, repeats allowed, to out; returns how many. */
    int (*points_of)(const void *source, int item, int64_t *out);
    int64_t points; /* of all items */
    int most;       /* that one item can have */
};

/* Memory of a colouring. */
struct greedy {
    uint64_t *used; /* [points] */
    int64_t *point; /* [most] */
    int *pending;   /* [items] in: the items in the order in which they choose; out: undefined */
    int *colour;    /* [items] out: the colour of each item */
};

/* Room for colouring up to `items` items with `points` points, `most` each, for "what". */
int planner_greedy_open(struct greedy *greedy, int items, int64_t points, int most,
                        const char *what, char *error);
void planner_greedy_close(struct greedy *greedy);

/* First fit: every item takes the smallest colour that none of its points has yet, but for points
 * in more than 4096 items, see greedy.c. Returns the number of colours, all of them taken. */
int planner_greedy_colour(struct greedy *greedy, const struct greedy_items *items, int count);

/* start[colours+1] and sorted[count]: the items 0..count-1 by colour, ascending inside each. Both
 * are allocated; NULL where memory is short. */
int planner_greedy_sort(int **start, int **sorted, const int *colour, int count, int colours,
                        const char *what, char *error);

/* ---- arrays.c ------------------------------------------------------------------------------ */

/* The bytes of all arrays. */
double planner_plan_bytes(const struct cleave_plan *plan);

/* ---- banks of shared memory ---------------------------------------------------------------- */

#define PLAN_BANKS 8      /* pieces of 16 bytes that lie side by side in all banks */
#define PLAN_BANK_LANES 8 /* lanes whose loads of 16 bytes are served together */

/* Wavefronts of 1 to PLAN_BANK_LANES lanes that load one piece each of records at these places, an
 * odd number of pieces apart: the most different places that are equal modulo PLAN_BANKS. */
static inline int plan_wavefronts(const unsigned short *place, int lanes)
{
    int pieces[PLAN_BANKS] = {0};
    int most = 0;
    for (int i = 0; i < lanes; i++) {
        int seen = 0;
        for (int k = 0; k < i; k++) {
            seen |= place[k] == place[i];
        }
        int *in_bank = &pieces[place[i] % PLAN_BANKS];
        *in_bank += !seen;
        most = *in_bank > most ? *in_bank : most;
    }
    return most;
}

/* ---- small helpers ------------------------------------------------------------------------- */

/* Sorts count values of at least 0; scratch: [count]. */
void planner_sort_small(int *value, int count, int *scratch);

/* Copies the message of one thread's failure to job->error; from inside a parallel region. */
void planner_fail(const struct plan_job *job, const char *message);

/* Claims the points of map m's lists: owner[p] (-1 before the first map) becomes the block that
 * lists p, or PLAN_SEVERAL when two blocks do. */
#define PLAN_SEVERAL (-2)
void planner_claim_points(int *owner, const struct cleave_plan *plan, int m);
/* owner[0..points-1] = -1, in parallel. */
void planner_disown(int *owner, int points);

#endif
