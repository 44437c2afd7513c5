/* order_points.c: planner_order_points: the order of points by the blocks that touch them.
 *
 * For each point the ascending list of its blocks is made: blocks are gone through in parallel,
 * each adds itself to its unique points, lists are sorted afterwards. Points are then sorted by
 * their first block (radix), and the points of one first block by their lists, word by word: points
 * of one block alone come first, points of the same blocks come together (A. Sulyok et al.,
 * "Locality optimized unstructured mesh algorithms on GPUs", section 2.3.2, sorts by the length of
 * the list first, which tears neighbours apart; here the length decides only between a list and its
 * continuation). Points of equal lists come as the elements of their first block name them: by
 * their first columns, then by the others, so that consecutive elements reach consecutive points.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/planner/base/base.h"

/* The columns that lead to the set. */
struct column {
    const int *row; /* entry of element e at row[e*dim] */
    int dim;
};

struct touchers {
    const struct plan_numbering *numbering;
    int columns;
    struct column *column; /* [columns] */
    int points;
    int64_t *start; /* [points+2] blocks of point p: block[start[p]..start[p+1]-1] */
    int *block;
    int *rank; /* [points] the place of each among the points of its first block */
};

/* All maps of the mesh, not those of one loop: there is no limit to them. */
static int find_columns(struct touchers *touchers, int target, int maps, const struct plan_map *map,
                        char *error)
{
    size_t columns = 0;
    for (int m = 0; m < maps; m++) {
        columns += map[m].target == target ? (size_t)map[m].columns : 0;
    }
    touchers->column =
        planner_memory(columns, sizeof *touchers->column, "the order of points", error);
    if (touchers->column == NULL) {
        return -1;
    }
    for (int m = 0; m < maps; m++) {
        for (int k = 0; map[m].target == target && k < map[m].columns; k++) {
            touchers->column[touchers->columns++] =
                (struct column){map[m].row + map[m].column[k], map[m].dim};
        }
    }
    return 0;
}

/* Prefetches rows this many elements ahead: orders may be random. */
#define AHEAD 16

/* Inlined by force: compilers drop calls of functions that only fetch. */
__attribute__((always_inline)) static inline void fetch_row(const struct touchers *touchers, int e)
{
    for (int c = 0; c < touchers->columns; c++) {
        const struct column *column = &touchers->column[c];
        __builtin_prefetch(column->row + (size_t)e * (size_t)column->dim);
    }
}

/* Adds to point[count] what columns from..to-1 of block b name and table[1 << bits] does not have;
 * returns how many there are then. */
static int add_points(int *point, int count, int *table, int bits, const struct touchers *touchers,
                      int b, int from, int to)
{
    const struct plan_numbering *numbering = touchers->numbering;
    unsigned mask = (1u << bits) - 1;
    for (int i = numbering->start[b]; i < numbering->start[b + 1]; i++) {
        size_t e = (size_t)numbering->order[i];
        if (from == 0 && i < numbering->elements - AHEAD) {
            fetch_row(touchers, numbering->order[i + AHEAD]);
        }
        for (int c = from; c < to; c++) {
            int p = touchers->column[c].row[e * (size_t)touchers->column[c].dim];
            unsigned at = (uint32_t)p * UINT32_C(2654435769) >> (32 - bits);
            while (table[at] >= 0 && table[at] != p) {
                at = (at + 1) & mask;
            }
            if (table[at] < 0) {
                table[at] = p;
                point[count++] = p;
            }
        }
    }
    return count;
}

/* The unique points of block b, at the front of point[], those of the first column before others;
 * returns how many. table[1 << bits] is -1 before and after. */
static int block_points(int *point, int *table, int bits, const struct touchers *touchers, int b)
{
    unsigned mask = (1u << bits) - 1;
    int first = touchers->columns < 1 ? touchers->columns : 1;
    int count = add_points(point, 0, table, bits, touchers, b, 0, first);
    count = add_points(point, count, table, bits, touchers, b, first, touchers->columns);
    for (int k = 0; k < count; k++) {
        unsigned at = (uint32_t)point[k] * UINT32_C(2654435769) >> (32 - bits);
        while (table[at] != point[k]) {
            at = (at + 1) & mask;
        }
        table[at] = -2;
    }
    /* Cleared in two steps: a hole in a row of entries would hide those behind it. */
    for (int k = 0; k < count; k++) {
        unsigned at = (uint32_t)point[k] * UINT32_C(2654435769) >> (32 - bits);
        while (table[at] == -2) {
            table[at] = -1;
            at = (at + 1) & mask;
        }
    }
    return count;
}

/* Some consecutive blocks and their unique points, block after block. */
#define CHUNK_BLOCKS 64
struct chunk {
    int count[CHUNK_BLOCKS]; /* of each block */
    int *point;              /* owned */
};

/* Room for what one thread needs. */
struct scratch {
    int *point; /* [CHUNK_BLOCKS*block_size*columns] */
    int *table; /* [1 << bits] -1 between blocks */
    int bits;
};

static int reserve_scratch(struct scratch *scratch, const struct touchers *touchers)
{
    size_t room = (size_t)touchers->numbering->block_size * (size_t)touchers->columns;
    scratch->bits = 4;
    while ((size_t)1 << scratch->bits < 2 * room) {
        scratch->bits++;
    }
    scratch->point = planner_memory(CHUNK_BLOCKS * room, sizeof *scratch->point, "", NULL);
    scratch->table = planner_memory((size_t)1 << scratch->bits, sizeof *scratch->table, "", NULL);
    if (scratch->point == NULL || scratch->table == NULL) {
        return -1;
    }
    memset(scratch->table, 0xff, sizeof *scratch->table << scratch->bits);
    return 0;
}

/* The unique points of one chunk of blocks; counts the blocks of each point in start[p+1]. */
static int collect_chunk(struct chunk *chunk, struct scratch *scratch, struct touchers *touchers,
                         int first)
{
    int total = 0;
    int blocks = touchers->numbering->blocks - first;
    blocks = blocks < CHUNK_BLOCKS ? blocks : CHUNK_BLOCKS;
    for (int b = 0; b < blocks; b++) {
        chunk->count[b] = block_points(scratch->point + total, scratch->table, scratch->bits,
                                       touchers, first + b);
        total += chunk->count[b];
    }
    chunk->point = planner_memory((size_t)total, sizeof *chunk->point, "", NULL);
    if (chunk->point == NULL) {
        return -1;
    }
    memcpy(chunk->point, scratch->point, (size_t)total * sizeof *chunk->point);
    for (int i = 0; i < total; i++) {
        __atomic_fetch_add(&touchers->start[chunk->point[i] + 1], 1, __ATOMIC_RELAXED);
    }
    return 0;
}

static int collect(struct chunk *chunk, int chunks, struct touchers *touchers)
{
    int failed = 0;
#pragma omp parallel reduction(| : failed)
    {
        struct scratch scratch = {0};
        failed = reserve_scratch(&scratch, touchers) != 0;
#pragma omp for schedule(dynamic, 1)
        for (int k = 0; k < chunks; k++) {
            if (!failed) {
                failed = collect_chunk(&chunk[k], &scratch, touchers, k * CHUNK_BLOCKS) != 0;
            }
        }
        free(scratch.point);
        free(scratch.table);
    }
    return failed ? -1 : 0;
}

/* Visits the points of all blocks, those of one chunk of blocks in their order, chunks at the same
 * time; place: the point's among its block's. */
static void visit_points(struct touchers *touchers, const struct chunk *chunk, int chunks,
                         void (*visit)(struct touchers *touchers, int point, int block, int place))
{
    int blocks = touchers->numbering->blocks;
#pragma omp parallel for schedule(dynamic, 1)
    for (int k = 0; k < chunks; k++) {
        const int *point = chunk[k].point;
        for (int b = 0; b < CHUNK_BLOCKS && k * CHUNK_BLOCKS + b < blocks; b++) {
            for (int i = 0; i < chunk[k].count[b]; i++) {
                visit(touchers, point[i], k * CHUNK_BLOCKS + b, i);
            }
            point += chunk[k].count[b];
        }
    }
}

/* Adds the block to the list of its point; start[p+1] moves from the start of p's list to its end.
 */
static void add_block(struct touchers *touchers, int point, int block, int place)
{
    (void)place;
    int64_t at = __atomic_fetch_add(&touchers->start[point + 1], 1, __ATOMIC_RELAXED);
    touchers->block[at] = block;
}

static int make_lists(struct touchers *touchers, struct chunk *chunk, int chunks, char *error)
{
    const char *what = "the blocks of points";
    size_t points = (size_t)touchers->points;
    touchers->start = planner_zeroed(points + 2, sizeof *touchers->start, what, error);
    if (touchers->start == NULL) {
        return -1;
    }
    if (collect(chunk, chunks, touchers) != 0) {
        snprintf(error, PLANNER_ERROR, "out of memory while ordering the points of a set");
        return -1;
    }
    planner_prefix(touchers->start, (int64_t)points + 1);
    touchers->block =
        planner_memory((size_t)touchers->start[points + 1], sizeof *touchers->block, what, error);
    if (touchers->block == NULL) {
        return -1;
    }
    visit_points(touchers, chunk, chunks, add_block);
    return 0;
}

static void sort_lists(struct touchers *touchers)
{
#pragma omp parallel for schedule(dynamic, 4096)
    for (int p = 0; p < touchers->points; p++) {
        planner_sort_list(touchers->block + touchers->start[p],
                          touchers->start[p + 1] - touchers->start[p]);
    }
}

/* A point has one first block, so that one thread only writes its rank. */
static void rank_point(struct touchers *touchers, int point, int block, int place)
{
    if (touchers->block[touchers->start[point]] == block) {
        touchers->rank[point] = place;
    }
}

static int find_touchers(struct touchers *touchers, char *error)
{
    int chunks = touchers->numbering->blocks / CHUNK_BLOCKS + 1;
    struct chunk *chunk =
        planner_zeroed((size_t)chunks, sizeof *chunk, "the blocks of points", error);
    touchers->rank = planner_memory((size_t)touchers->points, sizeof *touchers->rank,
                                    "the order of points", error);
    int status =
        chunk != NULL && touchers->rank != NULL ? make_lists(touchers, chunk, chunks, error) : -1;
    if (status == 0) {
        sort_lists(touchers);
        visit_points(touchers, chunk, chunks, rank_point);
    }
    for (int k = 0; chunk != NULL && k < chunks; k++) {
        free(chunk[k].point);
    }
    free(chunk);
    return status;
}

/* ---- sorting -------------------------------------------------------------------------------- */

/* Lists word by word, a list before its continuations, then by rank. */
static int compare_points(const void *a, const void *b, void *user)
{
    const struct touchers *touchers = user;
    int left = *(const int *)a;
    int right = *(const int *)b;
    const int64_t *start = touchers->start;
    int64_t left_length = start[left + 1] - start[left];
    int64_t right_length = start[right + 1] - start[right];
    int64_t common = left_length < right_length ? left_length : right_length;
    for (int64_t i = 0; i < common; i++) {
        int difference = planner_compare_ints(&touchers->block[start[left] + i],
                                              &touchers->block[start[right] + i]);
        if (difference != 0) {
            return difference;
        }
    }
    if (left_length != right_length) {
        return left_length < right_length ? -1 : 1;
    }
    return planner_compare_ints(&touchers->rank[left], &touchers->rank[right]);
}

/* The first block of a point, or the number of blocks when there is none. */
static int first_block(const struct touchers *touchers, int p)
{
    return touchers->start[p] < touchers->start[p + 1] ? touchers->block[touchers->start[p]]
                                                       : touchers->numbering->blocks;
}

static int sort_by_first_block(int *order, const struct touchers *touchers, char *error)
{
    int bits = 1;
    while (touchers->numbering->blocks >> bits != 0) {
        bits++;
    }
    uint64_t *key =
        planner_memory((size_t)touchers->points, sizeof *key, "the order of points", error);
    if (key == NULL) {
        return -1;
    }
#pragma omp parallel for schedule(static)
    for (int p = 0; p < touchers->points; p++) {
        key[p] = (uint64_t)first_block(touchers, p);
    }
    int status = planner_sort(order, key, touchers->points, bits, error);
    free(key);
    return status;
}

/* Sorts the points of one first block, which start at order[i]. Points that nothing touches are in
 * order already. */
static void sort_run(int *order, int i, struct touchers *touchers)
{
    int block = first_block(touchers, order[i]);
    if (block == touchers->numbering->blocks) {
        return;
    }
    int end = i + 1;
    while (end < touchers->points && first_block(touchers, order[end]) == block) {
        end++;
    }
    qsort_r(order + i, (size_t)(end - i), sizeof *order, compare_points, touchers);
}

static int order_points(int *order, struct touchers *touchers, char *error)
{
    if (find_touchers(touchers, error) != 0 || sort_by_first_block(order, touchers, error) != 0) {
        return -1;
    }
    unsigned char *first =
        planner_memory((size_t)touchers->points, sizeof *first, "the order of points", error);
    if (first == NULL) {
        return -1;
    }
    /* Marked before any run is sorted, as sorting moves what a neighbour would look at. */
#pragma omp parallel for schedule(static)
    for (int i = 0; i < touchers->points; i++) {
        first[i] = i == 0 || first_block(touchers, order[i - 1]) != first_block(touchers, order[i]);
    }
#pragma omp parallel for schedule(dynamic, 4096)
    for (int i = 0; i < touchers->points; i++) {
        if (first[i]) {
            sort_run(order, i, touchers);
        }
    }
    free(first);
    return 0;
}

int planner_order_points(const struct planner *planner, int *order, int points, int target,
                         const struct plan_numbering *numbering, int maps,
                         const struct plan_map *map, struct plan_phases *phases,
                         char error[PLANNER_ERROR])
{
    PLANNER_THREADS(planner);
    struct touchers touchers = {.numbering = numbering, .points = points};
    double begin = planner_clock();
    int status = find_columns(&touchers, target, maps, map, error);
    if (status == 0) {
        status = order_points(order, &touchers, error);
    }
    free(touchers.column);
    free(touchers.start);
    free(touchers.block);
    free(touchers.rank);
    planner_phase(phases, "points", begin, 0);
    return status;
}
