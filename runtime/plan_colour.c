/* plan_colour.c: colours of the blocks, and of the elements (threads) inside each block.
 *
 * In: the plan's blocks and the maps. Out: colour_start, colour_block, thread_colour,
 * thread_colours and the numbers of colours. Items of one colour modify no common point. Both
 * levels are the same greedy first fit over items that are runs of positions: a block is one run,
 * an element a run of one.
 *
 * First fit looks at 64 colours at a time: each point holds a mask of the colours in that window
 * that modify it already; items that find no free colour wait for the next window. Very many
 * colours (all items at one point) would make that quadratic, so the items left after the last
 * window take the colour after the largest one at their points, which needs one look at each.
 */
#include <stdlib.h>

#include "plan_impl.h"

#define WINDOW 64
#define WINDOWS 64

struct colouring {
    struct plan_columns columns;
    const int *order; /* of the plan */
    uint64_t
        *used;    /* [columns.points] colours of the window that modify the point; 0 between uses */
    int *pending; /* [most items] items without a colour */
    int *colour;  /* [most items] the result */
    int items;
    const int *start; /* first position of each item and the end; NULL: one position each */
    int first;        /* position of item 0 when start is NULL */
};

struct run {
    int first;
    int end;
};

static struct run item_run(const struct colouring *colouring, int item)
{
    if (colouring->start != NULL) {
        return (struct run){colouring->start[item], colouring->start[item + 1]};
    }
    return (struct run){colouring->first + item, colouring->first + item + 1};
}

/* Colours of the window that the item cannot take. */
static uint64_t colours_used(const struct colouring *colouring, int item)
{
    struct run run = item_run(colouring, item);
    uint64_t used = 0;
    for (int i = run.first; i < run.end && used != UINT64_MAX; i++) {
        for (int c = 0; c < colouring->columns.count; c++) {
            used |= colouring->used[plan_point(&colouring->columns.column[c], colouring->order[i])];
        }
    }
    return used;
}

static void mark_colour(struct colouring *colouring, int item, uint64_t bit)
{
    struct run run = item_run(colouring, item);
    for (int i = run.first; i < run.end; i++) {
        for (int c = 0; c < colouring->columns.count; c++) {
            colouring->used[plan_point(&colouring->columns.column[c], colouring->order[i])] |= bit;
        }
    }
}

/* Stores the same value at every point of the item. */
static void set_points(struct colouring *colouring, int item, uint64_t value)
{
    struct run run = item_run(colouring, item);
    for (int i = run.first; i < run.end; i++) {
        for (int c = 0; c < colouring->columns.count; c++) {
            colouring->used[plan_point(&colouring->columns.column[c], colouring->order[i])] = value;
        }
    }
}

/* Gives colours base..base+63 to pending items and returns how many are still pending. */
static int fill_window(struct colouring *colouring, int pending, int base, int *colours)
{
    int left = 0;
    for (int k = 0; k < pending; k++) {
        int item = colouring->pending[k];
        uint64_t used = colours_used(colouring, item);
        if (used == UINT64_MAX) {
            colouring->pending[left++] = item;
            continue;
        }
        int bit = __builtin_ctzll(~used);
        mark_colour(colouring, item, UINT64_C(1) << bit);
        colouring->colour[item] = base + bit;
        if (*colours <= base + bit) {
            *colours = base + bit + 1;
        }
    }
    for (int item = 0; item < colouring->items; item++) {
        if (colouring->colour[item] >= base) {
            set_points(colouring, item, 0);
        }
    }
    return left;
}

/* The last resort: used[p] counts colours from base on, 1 + the largest at p. */
static void colour_upwards(struct colouring *colouring, int pending, int base, int *colours)
{
    for (int k = 0; k < pending; k++) {
        int item = colouring->pending[k];
        struct run run = item_run(colouring, item);
        uint64_t next = 0;
        for (int i = run.first; i < run.end; i++) {
            for (int c = 0; c < colouring->columns.count; c++) {
                size_t point = plan_point(&colouring->columns.column[c], colouring->order[i]);
                next = colouring->used[point] > next ? colouring->used[point] : next;
            }
        }
        set_points(colouring, item, next + 1);
        colouring->colour[item] = base + (int)next;
        if (*colours <= base + (int)next) {
            *colours = base + (int)next + 1;
        }
    }
    for (int k = 0; k < pending; k++) {
        set_points(colouring, colouring->pending[k], 0);
    }
}

/* Colours all items; returns the number of colours. */
static int colour_items(struct colouring *colouring)
{
    int colours = 0;
    int pending = colouring->items;
    for (int item = 0; item < colouring->items; item++) {
        colouring->pending[item] = item;
        colouring->colour[item] = -1;
    }
    for (int window = 0; window < WINDOWS && pending > 0; window++) {
        pending = fill_window(colouring, pending, window * WINDOW, &colours);
    }
    if (pending > 0) {
        colour_upwards(colouring, pending, WINDOWS * WINDOW, &colours);
    }
    return colours;
}

static int colouring_start(struct colouring *colouring, const struct cleave_plan *plan,
                           const struct plan_input *input, int most_items)
{
    *colouring = (struct colouring){.order = plan->order};
    plan_columns(&colouring->columns, input, PLAN_MODIFIED);
    colouring->used = plan_allocate(colouring->columns.points, sizeof *colouring->used,
                                    "the colours used at each point", input->error);
    colouring->pending = plan_allocate((size_t)most_items, sizeof *colouring->pending,
                                       "the items to be coloured", input->error);
    colouring->colour = plan_allocate((size_t)most_items, sizeof *colouring->colour,
                                      "the colours of items", input->error);
    return colouring->used != NULL && colouring->pending != NULL && colouring->colour != NULL ? 0
                                                                                              : -1;
}

static void colouring_end(struct colouring *colouring)
{
    free(colouring->used);
    free(colouring->pending);
    free(colouring->colour);
}

/* Fills colour_start and colour_block from the colour of each block. */
static int sort_blocks(struct cleave_plan *plan, const int *colour, const struct plan_input *input)
{
    int *start = plan_allocate((size_t)plan->colours + 2, sizeof *start,
                               "the offsets of the plan's block colours", input->error);
    plan->colour_start = start;
    int *sorted = plan_allocate((size_t)plan->blocks, sizeof *sorted, "the plan's blocks by colour",
                                input->error);
    plan->colour_block = sorted;
    if (start == NULL || sorted == NULL) {
        return -1;
    }
    /* Counted two places ahead: start[c+1] is where colour c goes on while filling, its end after.
     */
    for (int b = 0; b < plan->blocks; b++) {
        start[colour[b] + 2]++;
    }
    for (int c = 0; c < plan->colours; c++) {
        start[c + 2] += start[c + 1];
    }
    for (int b = 0; b < plan->blocks; b++) {
        sorted[start[colour[b] + 1]++] = b;
    }
    return 0;
}

int plan_colour_blocks(struct cleave_plan *plan, const struct plan_input *input)
{
    struct colouring colouring;
    int status = colouring_start(&colouring, plan, input, plan->blocks);
    if (status == 0) {
        colouring.items = plan->blocks;
        colouring.start = plan->start;
        plan->colours = colour_items(&colouring);
        status = sort_blocks(plan, colouring.colour, input);
    }
    colouring_end(&colouring);
    return status;
}

int plan_colour_threads(struct cleave_plan *plan, const struct plan_input *input)
{
    struct colouring colouring;
    unsigned short *thread_colour = plan_allocate((size_t)plan->size, sizeof *thread_colour,
                                                  "the plan's thread colours", input->error);
    plan->thread_colour = thread_colour;
    unsigned short *thread_colours =
        plan_allocate((size_t)plan->blocks, sizeof *thread_colours,
                      "the plan's numbers of thread colours", input->error);
    plan->thread_colours = thread_colours;
    if (thread_colour == NULL || thread_colours == NULL) {
        return -1;
    }
    int status = colouring_start(&colouring, plan, input, plan->block_size);
    for (int b = 0; status == 0 && b < plan->blocks; b++) {
        colouring.first = plan->start[b];
        colouring.items = plan->start[b + 1] - plan->start[b];
        int colours = colour_items(&colouring);
        for (int i = 0; i < colouring.items; i++) {
            thread_colour[colouring.first + i] = (unsigned short)colouring.colour[i];
        }
        thread_colours[b] = (unsigned short)colours;
        if (plan->max_thread_colours < colours) {
            plan->max_thread_colours = colours;
        }
    }
    colouring_end(&colouring);
    return status;
}
