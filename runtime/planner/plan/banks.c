/* banks.c: the order of the elements inside blocks, for the banks of shared memory.
 *
 * In: a numbering and the maps. Out: the numbering, with the elements of its blocks in another
 * order.
 *
 * A GPU that loads 16 bytes per lane serves PLAN_BANK_LANES consecutive lanes at a time: in one
 * wavefront if there is no bank conflict, else in as many as the busiest bank has different pieces.
 * If the records of a block's points are an odd number of 16 bytes apart in shared memory, lanes
 * that load one piece each of their records conflict if and only if the places of their points in
 * the block's list differ and are equal modulo PLAN_BANKS. Elements sorted by their points conflict
 * often: neighbours differ little in one column, and by any number in the others. This file makes
 * groups of 8 elements whose places, in every column, are different modulo 8 or equal.
 *
 * Groups are filled one after the other. A group takes the first of the remaining elements, in
 * their present order, that cost no further wavefront; if there is none, those that cost least. A
 * block whose new order is not better keeps its present one. Blocks are independent, so that the
 * result does not depend on the threads.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/planner/plan/build.h"

#define COLUMNS_PER_WORD 8 /* of PLAN_BANKS bits each */
/* The elements that are looked at: for those that cost nothing once per group, for one that costs
 * least once per lane. */
#define LOOK_FREE 128
#define LOOK_CHEAP 32
/* Consecutive blocks that a thread takes at a time. */
#define BLOCKS_AT_ONCE 32

/* How the group being filled uses the banks through one column. */
struct bank_use {
    unsigned char pieces[PLAN_BANKS]; /* different places, by bank */
    unsigned char most;               /* in any bank: the wavefronts */
};

/* The memory of one thread, for one block. Columns are those of all maps, one after the other. */
struct bank_worker {
    int maps;
    const struct plan_map *map;
    const int *const *number;
    int block_size;
    int columns;
    int words; /* of a mask */
    struct point_table table;
    int *place; /* [block_size*columns] of elements' points in the block's lists, past all those of
                   the columns before, which are multiples of PLAN_BANKS */
    uint64_t *mask; /* [block_size*words] column c is in bank k: bit k of byte c */
    int *left;      /* [block_size] elements without a group, in their present order */
    int *chosen;    /* [block_size] the others, group after group */
    int *before;    /* [block_size] the block's part of the numbering's order */
    /* The group being filled: */
    struct bank_use *use;   /* [columns] */
    uint64_t *full;         /* [words] where one more place costs a wavefront, as in mask */
    unsigned char *present; /* [places of all columns] 1: one of its elements is there */
};

/* Places in one column of a map. */
static int places_of(const struct bank_worker *worker, int m)
{
    int most = worker->block_size * worker->map[m].columns;
    return (most + PLAN_BANKS - 1) / PLAN_BANKS * PLAN_BANKS;
}

static int worker_open(struct bank_worker *worker, char *error)
{
    static const char what[] = "the order of the elements of a block";
    size_t size = (size_t)worker->block_size;
    size_t columns = (size_t)worker->columns;
    size_t words = (size_t)worker->words;
    size_t places = 0;
    int most = 0;
    for (int m = 0; m < worker->maps; m++) {
        places += (size_t)places_of(worker, m) * worker->map[m].columns;
        most = worker->map[m].columns > most ? worker->map[m].columns : most;
    }
    worker->place = planner_memory(size * columns, sizeof *worker->place, what, error);
    worker->mask = planner_memory(size * words, sizeof *worker->mask, what, error);
    worker->left = planner_memory(size, sizeof *worker->left, what, error);
    worker->chosen = planner_memory(size, sizeof *worker->chosen, what, error);
    worker->before = planner_memory(size, sizeof *worker->before, what, error);
    worker->use = planner_zeroed(columns, sizeof *worker->use, what, error);
    worker->full = planner_zeroed(words, sizeof *worker->full, what, error);
    worker->present = planner_zeroed(places, sizeof *worker->present, what, error);
    int status = planner_table_open(&worker->table, worker->block_size * most, what, error);
    return worker->place != NULL && worker->mask != NULL && worker->left != NULL &&
                   worker->chosen != NULL && worker->before != NULL && worker->use != NULL &&
                   worker->full != NULL && worker->present != NULL
               ? status
               : -1;
}

static void worker_close(struct bank_worker *worker)
{
    planner_table_close(&worker->table);
    free(worker->place);
    free(worker->mask);
    free(worker->left);
    free(worker->chosen);
    free(worker->before);
    free(worker->use);
    free(worker->full);
    free(worker->present);
}

static const int *places_at(const struct bank_worker *worker, int element)
{
    return worker->place + (size_t)element * worker->columns;
}

/* ---- places --------------------------------------------------------------------------------- */

/* place[] of map m's columns; `column` is the first, `first` its first place. */
static void find_places(struct bank_worker *worker, int m, int column, int first, int count)
{
    const struct plan_map *map = &worker->map[m];
    const int *number = worker->number != NULL ? worker->number[m] : NULL;
    struct point_table *table = &worker->table;
    planner_table_clear(table, count * map->columns);
    for (int i = 0; i < count; i++) {
        int *place = worker->place + (size_t)i * worker->columns + column;
        for (int c = 0; c < map->columns; c++) {
            int point = plan_point(map, worker->before[i], c);
            place[c] = (int)plan_table_add(table, number != NULL ? number[point] : point);
        }
    }
    planner_table_sort(table);
    for (int i = 0; i < count; i++) {
        int *place = worker->place + (size_t)i * worker->columns + column;
        for (int c = 0; c < map->columns; c++) {
            place[c] = first + c * places_of(worker, m) + table->place[place[c]];
        }
    }
}

static void find_masks(struct bank_worker *worker, int count)
{
    memset(worker->mask, 0, (size_t)count * worker->words * sizeof *worker->mask);
    for (int i = 0; i < count; i++) {
        const int *place = places_at(worker, i);
        uint64_t *mask = worker->mask + (size_t)i * worker->words;
        for (int c = 0; c < worker->columns; c++) {
            int bit = c % COLUMNS_PER_WORD * PLAN_BANKS + place[c] % PLAN_BANKS;
            mask[c / COLUMNS_PER_WORD] |= UINT64_C(1) << bit;
        }
    }
}

static void read_block(struct bank_worker *worker, const int *order, int count)
{
    int column = 0;
    int first = 0;
    memcpy(worker->before, order, (size_t)count * sizeof *order);
    for (int m = 0; m < worker->maps; m++) {
        find_places(worker, m, column, first, count);
        column += worker->map[m].columns;
        first += places_of(worker, m) * worker->map[m].columns;
    }
    find_masks(worker, count);
}

/* ---- one group ------------------------------------------------------------------------------ */

/* Further wavefronts that an element costs the group; where that is `enough` or more, perhaps less
 * of them. */
static inline int cost(const struct bank_worker *worker, int element, int enough)
{
    const int *place = places_at(worker, element);
    const uint64_t *mask = worker->mask + (size_t)element * worker->words;
    int wavefronts = 0;
    for (int w = 0; w < worker->words; w++) {
        uint64_t meet = mask[w] & worker->full[w];
        for (; meet != 0 && wavefronts < enough; meet &= meet - 1) {
            int column = w * COLUMNS_PER_WORD + __builtin_ctzll(meet) / PLAN_BANKS;
            wavefronts += !worker->present[place[column]];
        }
    }
    return wavefronts;
}

static void join_group(struct bank_worker *worker, int element)
{
    const int *place = places_at(worker, element);
    for (int c = 0; c < worker->columns; c++) {
        if (worker->present[place[c]]) {
            continue;
        }
        struct bank_use *use = &worker->use[c];
        uint64_t *full = &worker->full[c / COLUMNS_PER_WORD];
        int bank = place[c] % PLAN_BANKS;
        int shift = c % COLUMNS_PER_WORD * PLAN_BANKS;
        int pieces = ++use->pieces[bank];
        worker->present[place[c]] = 1;
        if (pieces > use->most) {
            use->most = (unsigned char)pieces;
            *full &= ~(UINT64_C(0xff) << shift);
        }
        if (pieces == use->most) {
            *full |= UINT64_C(1) << (shift + bank);
        }
    }
}

/* Empties it; returns its wavefronts. */
static int end_group(struct bank_worker *worker, const int *group, int lanes)
{
    int wavefronts = 0;
    for (int c = 0; c < worker->columns; c++) {
        wavefronts += worker->use[c].most;
        for (int k = 0; k < lanes; k++) {
            worker->present[places_at(worker, group[k])[c]] = 0;
        }
    }
    memset(worker->use, 0, (size_t)worker->columns * sizeof *worker->use);
    memset(worker->full, 0, (size_t)worker->words * sizeof *worker->full);
    return wavefronts;
}

/* ---- all groups of a block ------------------------------------------------------------------ */

/* Takes elements that cost nothing, in their order, out of left[*left_count]; returns the lanes. */
static int take_free(struct bank_worker *worker, int *group, int *left_count)
{
    int lanes = 0;
    int kept = 0;
    int i = 0;
    for (; i < *left_count && i < LOOK_FREE && lanes < PLAN_BANK_LANES; i++) {
        int element = worker->left[i];
        if (cost(worker, element, 1) == 0) {
            join_group(worker, element);
            group[lanes++] = element;
        } else {
            worker->left[kept++] = element;
        }
    }
    memmove(worker->left + kept, worker->left + i,
            (size_t)(*left_count - i) * sizeof *worker->left);
    *left_count -= lanes;
    return lanes;
}

/* Takes the first of those that cost least; returns it. */
static int take_cheapest(struct bank_worker *worker, int *left_count)
{
    int best = 0;
    int least = worker->columns + 1;
    for (int i = 0; i < *left_count && i < LOOK_CHEAP && least > 0; i++) {
        int wavefronts = cost(worker, worker->left[i], least);
        if (wavefronts < least) {
            least = wavefronts;
            best = i;
        }
    }
    int element = worker->left[best];
    join_group(worker, element);
    --*left_count;
    memmove(worker->left + best, worker->left + best + 1,
            (size_t)(*left_count - best) * sizeof *worker->left);
    return element;
}

/* Fills chosen[count]; returns the wavefronts of all groups. */
static int make_groups(struct bank_worker *worker, int count)
{
    int wavefronts = 0;
    int left = count;
    for (int i = 0; i < count; i++) {
        worker->left[i] = i;
    }
    for (int *group = worker->chosen; left > 0; group += PLAN_BANK_LANES) {
        int lanes = take_free(worker, group, &left);
        while (lanes < PLAN_BANK_LANES && left > 0) {
            group[lanes++] = take_cheapest(worker, &left);
        }
        wavefronts += end_group(worker, group, lanes);
    }
    return wavefronts;
}

/* The wavefronts of the present order. */
static int wavefronts_now(struct bank_worker *worker, int count)
{
    int wavefronts = 0;
    for (int i = 0; i < count; i += PLAN_BANK_LANES) {
        int group[PLAN_BANK_LANES];
        int lanes = 0;
        while (lanes < PLAN_BANK_LANES && i + lanes < count) {
            join_group(worker, i + lanes);
            group[lanes] = i + lanes;
            lanes++;
        }
        wavefronts += end_group(worker, group, lanes);
    }
    return wavefronts;
}

static void order_block(struct bank_worker *worker, int *order, int count)
{
    read_block(worker, order, count);
    if (make_groups(worker, count) < wavefronts_now(worker, count)) {
        for (int i = 0; i < count; i++) {
            order[i] = worker->before[worker->chosen[i]];
        }
    }
}

/* ---- all blocks ----------------------------------------------------------------------------- */

static int order_blocks(struct plan_numbering *numbering, const struct bank_worker *prototype,
                        char *error)
{
    int failed = 0;
#pragma omp parallel if (numbering->blocks > BLOCKS_AT_ONCE)
    {
        char own_error[PLANNER_ERROR];
        struct bank_worker worker = *prototype;
        int ready = worker_open(&worker, own_error) == 0;
        if (!ready) {
#pragma omp critical(cleave_banks_fail)
            {
                failed = 1;
                snprintf(error, PLANNER_ERROR, "%s", own_error);
            }
        }
#pragma omp for schedule(dynamic, BLOCKS_AT_ONCE)
        for (int b = 0; b < numbering->blocks; b++) {
            int first = numbering->start[b];
            if (ready) {
                order_block(&worker, numbering->order + first, numbering->start[b + 1] - first);
            }
        }
        worker_close(&worker);
    }
    return failed ? -1 : 0;
}

/* 0, or -1 when the numbering is none. */
static int check_numbering(const struct plan_numbering *numbering, char *error)
{
    int elements = numbering->elements;
    int wrong = -1;
    if (planner_check_blocks(numbering, elements, numbering->block_size, error) != 0) {
        return -1;
    }
#pragma omp parallel for schedule(static)                                                          \
    reduction(max : wrong) if (numbering->blocks > BLOCKS_AT_ONCE)
    for (int i = 0; i < elements; i++) {
        wrong = numbering->order[i] < 0 || numbering->order[i] >= elements ? i : wrong;
    }
    if (wrong >= 0) {
        snprintf(error, PLANNER_ERROR, "the numbering has element %d at position %d; there are %d",
                 numbering->order[wrong], wrong, elements);
        return -1;
    }
    return 0;
}

int planner_order_banks(const struct planner *planner, struct plan_numbering *numbering, int maps,
                        const struct plan_map *map, const int *const *number,
                        struct plan_phases *phases, char error[PLANNER_ERROR])
{
    PLANNER_THREADS(planner);
    struct bank_worker prototype = {
        .maps = maps, .map = map, .number = number, .block_size = numbering->block_size};
    double begin = planner_clock();
    if (planner_check_input(numbering->elements, maps, map, numbering->block_size, error) != 0 ||
        check_numbering(numbering, error) != 0) {
        return -1;
    }
    for (int m = 0; m < maps; m++) {
        prototype.columns += map[m].columns;
    }
    prototype.words = (prototype.columns + COLUMNS_PER_WORD - 1) / COLUMNS_PER_WORD;
    int status = prototype.columns > 0 ? order_blocks(numbering, &prototype, error) : 0;
    planner_phase(phases, "banks", begin, 0);
    return status;
}
