/* thread_colours.c: colours of the elements inside each block.
 *
 * In: blocks and lists. Out: thread_colour, thread_colours, max_thread_colours; with
 * options->sort_by_colour also the positions inside blocks in the order of their colours, which
 * order and the local indices follow.
 *
 * First fit in the order of the positions; where that takes more colours than the busiest point has
 * elements (so perhaps too many), also in the order of falling degrees (D. Welsh, M. Powell, 1967),
 * and the better one of both is kept. Blocks are independent and done in parallel.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/planner/plan/build.h"

#define POSITION_BITS 10 /* of 1024 */
#define MOST_DEGREE ((1 << 20) - 1)

/* One modified column: the points of a block's elements through it are id[local[position]]. */
struct way {
    const unsigned short *local;
    const int *id; /* of the block's list */
};

/* The memory of one thread. The points of a block have numbers of their own, ids: maps that lead
 * to one set share them. */
struct worker {
    const struct plan_job *job;
    struct greedy greedy;
    int *id;                /* [points of a block] the modified maps' lists one after the other */
    int *elements;          /* [ids] how often the block's elements name each id */
    int *key;               /* [block_size] */
    int *scratch;           /* [block_size] */
    unsigned short *colour; /* [block_size] */
    unsigned short *moved;  /* [block_size] */
    int *list_id[CLEAVE_MAX_LISTS]; /* of the block: where each map's ids begin in id */
    int ids;
    int ways;
    struct way way[CLEAVE_MAX_LISTS * CLEAVE_MAX_COLUMNS];
    int first; /* position of the block */
};

static int worker_open(struct worker *worker, const struct plan_job *job, char *error)
{
    static const char what[] = "the thread colours of a block";
    size_t size = (size_t)job->plan->block_size;
    size_t ways = 0;
    *worker = (struct worker){.job = job};
    for (int m = 0; m < job->maps; m++) {
        ways += plan_modified(&job->map[m]) != 0 ? (size_t)job->map[m].columns : 0;
    }
    worker->id = planner_memory(size * ways, sizeof *worker->id, what, error);
    worker->elements = planner_memory(size * ways, sizeof *worker->elements, what, error);
    worker->key = planner_memory(size, sizeof *worker->key, what, error);
    worker->scratch = planner_memory(size, sizeof *worker->scratch, what, error);
    worker->colour = planner_memory(size, sizeof *worker->colour, what, error);
    worker->moved = planner_memory(size, sizeof *worker->moved, what, error);
    int status = planner_greedy_open(&worker->greedy, (int)size, (int64_t)(size * ways), (int)ways,
                                     what, error);
    return worker->id != NULL && worker->elements != NULL && worker->key != NULL &&
                   worker->scratch != NULL && worker->colour != NULL && worker->moved != NULL
               ? status
               : -1;
}

static void worker_close(struct worker *worker)
{
    planner_greedy_close(&worker->greedy);
    free(worker->id);
    free(worker->elements);
    free(worker->key);
    free(worker->scratch);
    free(worker->colour);
    free(worker->moved);
}

/* ---- ids ----------------------------------------------------------------------------------- */

/* Gives the points of map m that an earlier map lists too that map's ids; both lists ascend. */
static void share_ids(const struct worker *worker, int block, int m, int earlier)
{
    const struct cleave_plan_list *own = &worker->job->plan->list[m];
    const struct cleave_plan_list *other = &worker->job->plan->list[earlier];
    int k = other->start[block];
    for (int i = own->start[block]; i < own->start[block + 1]; i++) {
        while (k < other->start[block + 1] && other->point[k] < own->point[i]) {
            k++;
        }
        if (k < other->start[block + 1] && other->point[k] == own->point[i]) {
            worker->list_id[m][i - own->start[block]] =
                worker->list_id[earlier][k - other->start[block]];
        }
    }
}

static void number_list(struct worker *worker, int block, int m)
{
    const struct plan_map *map = worker->job->map;
    const struct cleave_plan_list *list = &worker->job->plan->list[m];
    int length = list->start[block + 1] - list->start[block];
    memset(worker->list_id[m], 0xff, (size_t)length * sizeof(int));
    for (int earlier = 0; earlier < m; earlier++) {
        if (map[earlier].target == map[m].target && plan_modified(&map[earlier]) != 0) {
            share_ids(worker, block, m, earlier);
        }
    }
    for (int k = 0; k < length; k++) {
        if (worker->list_id[m][k] < 0) {
            worker->list_id[m][k] = worker->ids++;
        }
    }
}

/* Numbers the block's points and sets up the ways to them. */
static void enter_block(struct worker *worker, int block)
{
    const struct cleave_plan *plan = worker->job->plan;
    int *id = worker->id;
    worker->first = plan->start[block];
    worker->ids = 0;
    worker->ways = 0;
    for (int m = 0; m < worker->job->maps; m++) {
        unsigned modified = plan_modified(&worker->job->map[m]);
        if (modified == 0) {
            continue;
        }
        worker->list_id[m] = id;
        id += plan->list[m].start[block + 1] - plan->list[m].start[block];
        number_list(worker, block, m);
        for (; modified != 0; modified &= modified - 1) {
            size_t column = (size_t)__builtin_ctz(modified);
            worker->way[worker->ways++] =
                (struct way){plan->list[m].local + column * plan->size, worker->list_id[m]};
        }
    }
}

static int points_of_element(const void *source, int item, int64_t *out)
{
    const struct worker *worker = source;
    for (int w = 0; w < worker->ways; w++) {
        out[w] = worker->way[w].id[worker->way[w].local[worker->first + item]];
    }
    return worker->ways;
}

/* ---- colours ------------------------------------------------------------------------------- */

/* How often the busiest point is named; fills worker->elements. */
static int busiest(struct worker *worker, int size)
{
    int most = 0;
    memset(worker->elements, 0, (size_t)worker->ids * sizeof(int));
    for (int w = 0; w < worker->ways; w++) {
        const struct way *way = &worker->way[w];
        for (int i = 0; i < size; i++) {
            int here = ++worker->elements[way->id[way->local[worker->first + i]]];
            most = here > most ? here : most;
        }
    }
    return most;
}

/* The items in the order of falling degrees, ties by position. */
static void order_by_degree(struct worker *worker, int size)
{
    for (int i = 0; i < size; i++) {
        int64_t degree = 0;
        for (int w = 0; w < worker->ways; w++) {
            const struct way *way = &worker->way[w];
            degree += worker->elements[way->id[way->local[worker->first + i]]];
        }
        degree = degree < MOST_DEGREE ? degree : MOST_DEGREE;
        worker->key[i] = (MOST_DEGREE - (int)degree) << POSITION_BITS | i;
    }
    planner_sort_small(worker->key, size, worker->scratch);
    for (int k = 0; k < size; k++) {
        worker->greedy.pending[k] = worker->key[k] & ((1 << POSITION_BITS) - 1);
    }
}

static void keep_colours(struct worker *worker, int size)
{
    for (int i = 0; i < size; i++) {
        worker->colour[i] = (unsigned short)worker->greedy.colour[i];
    }
}

/* Fills worker->colour; returns the number of colours. */
static int colour_block(struct worker *worker, int size)
{
    struct greedy_items items = {worker, points_of_element, worker->ids, worker->ways};
    for (int i = 0; i < size; i++) {
        worker->greedy.pending[i] = i;
    }
    int colours = planner_greedy_colour(&worker->greedy, &items, size);
    keep_colours(worker, size);
    if (colours > 1 && colours > busiest(worker, size)) {
        order_by_degree(worker, size);
        int others = planner_greedy_colour(&worker->greedy, &items, size);
        if (others < colours) {
            keep_colours(worker, size);
            return others;
        }
    }
    return colours;
}

/* ---- sorting by colour --------------------------------------------------------------------- */

/* position[k]: which of the block's positions comes at place k; stable. */
static void sort_positions(int *position, const unsigned short *colour, int size, int colours,
                           int *count)
{
    memset(count, 0, (size_t)colours * sizeof *count);
    for (int i = 0; i < size; i++) {
        count[colour[i]]++;
    }
    for (int c = 0, before = 0; c < colours; c++) {
        int here = count[c];
        count[c] = before;
        before += here;
    }
    for (int i = 0; i < size; i++) {
        position[count[colour[i]]++] = i;
    }
}

static void move_shorts(unsigned short *value, const int *position, int size,
                        unsigned short *scratch)
{
    for (int k = 0; k < size; k++) {
        scratch[k] = value[position[k]];
    }
    memcpy(value, scratch, (size_t)size * sizeof *value);
}

/* Sorts the positions of the block that worker->colour holds. There are at most as many colours as
 * elements. */
static void sort_block(struct worker *worker, int size, int colours)
{
    const struct cleave_plan *plan = worker->job->plan;
    int *order = (int *)plan->order + worker->first;
    int *position = worker->key;
    sort_positions(position, worker->colour, size, colours, worker->scratch);
    for (int k = 0; k < size; k++) {
        worker->scratch[k] = order[position[k]];
    }
    memcpy(order, worker->scratch, (size_t)size * sizeof *order);
    move_shorts(worker->colour, position, size, worker->moved);
    for (int m = 0; m < plan->lists; m++) {
        unsigned short *local = (unsigned short *)plan->list[m].local + worker->first;
        for (int c = 0; c < plan->list[m].columns; c++) {
            move_shorts(local + (size_t)c * plan->size, position, size, worker->moved);
        }
    }
}

/* ---- all blocks ---------------------------------------------------------------------------- */

static void finish_block(struct worker *worker, int block)
{
    struct cleave_plan *plan = worker->job->plan;
    int size = plan->start[block + 1] - plan->start[block];
    enter_block(worker, block);
    int colours = colour_block(worker, size);
    if (worker->job->options->sort_by_colour) {
        sort_block(worker, size, colours);
    }
    memcpy((unsigned short *)plan->thread_colour + worker->first, worker->colour,
           (size_t)size * sizeof *worker->colour);
    ((unsigned short *)plan->thread_colours)[block] = (unsigned short)colours;
}

int planner_colour_threads(const struct plan_job *job)
{
    struct cleave_plan *plan = job->plan;
    plan->thread_colour = planner_memory((size_t)plan->size, sizeof *plan->thread_colour,
                                         "the plan's thread colours", job->error);
    plan->thread_colours = planner_memory((size_t)plan->blocks, sizeof *plan->thread_colours,
                                          "the plan's numbers of thread colours", job->error);
    if (plan->thread_colour == NULL || plan->thread_colours == NULL) {
        return -1;
    }
    int status = 0;
#pragma omp parallel reduction(min : status) if (plan_is_large(plan))
    {
        char error[PLANNER_ERROR];
        struct worker worker;
        status = worker_open(&worker, job, error);
#pragma omp for schedule(dynamic, plan_blocks_at_once(plan))
        for (int b = 0; b < plan->blocks; b++) {
            if (status == 0) {
                finish_block(&worker, b);
            }
        }
        if (status != 0) {
            planner_fail(job, error);
        }
        worker_close(&worker);
    }
    for (int b = 0; b < plan->blocks; b++) {
        if (plan->max_thread_colours < plan->thread_colours[b]) {
            plan->max_thread_colours = plan->thread_colours[b];
        }
    }
    return status;
}
