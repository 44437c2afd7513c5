/* greedy.c: first-fit colouring, of blocks, of the elements of a block, or of all elements.
 *
 * In: items and the points of each. Out: the colour of each item; items of one colour have no
 * common point. Serial: items choose one after the other.
 *
 * First fit looks at 64 colours at a time: each point holds a mask of the colours in that window
 * that its items have; items that find no free colour wait for the next window. Very many colours
 * (all items at one point) would make that quadratic, so the items left after the last window take
 * the colour after the largest one at their points, which needs one look at each.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/planner/plan/build.h"

#define WINDOW 64
#define WINDOWS 64

int planner_greedy_open(struct greedy *greedy, int items, int64_t points, int most,
                        const char *what, char *error)
{
    *greedy = (struct greedy){0};
    greedy->used = planner_memory((size_t)points, sizeof *greedy->used, what, error);
    greedy->point = planner_memory((size_t)most, sizeof *greedy->point, what, error);
    greedy->pending = planner_memory((size_t)items, sizeof *greedy->pending, what, error);
    greedy->colour = planner_memory((size_t)items, sizeof *greedy->colour, what, error);
    return greedy->used != NULL && greedy->point != NULL && greedy->pending != NULL &&
                   greedy->colour != NULL
               ? 0
               : -1;
}

void planner_greedy_close(struct greedy *greedy)
{
    free(greedy->used);
    free(greedy->point);
    free(greedy->pending);
    free(greedy->colour);
}

/* Lets the pending items take colours base..base+63; returns how many found none. */
static int fill_window(struct greedy *greedy, const struct greedy_items *items, int pending,
                       int base)
{
    int waiting = 0;
    for (int k = 0; k < pending; k++) {
        int item = greedy->pending[k];
        int points = items->points_of(items->source, item, greedy->point);
        uint64_t used = 0;
        for (int i = 0; i < points; i++) {
            used |= greedy->used[greedy->point[i]];
        }
        if (used == UINT64_MAX) {
            waiting++;
            continue;
        }
        int bit = __builtin_ctzll(~used);
        for (int i = 0; i < points; i++) {
            greedy->used[greedy->point[i]] |= UINT64_C(1) << bit;
        }
        greedy->colour[item] = base + bit;
    }
    return waiting;
}

/* The largest colour of the pending items and 1. */
static int count_colours(const struct greedy *greedy, int pending, int colours)
{
    for (int k = 0; k < pending; k++) {
        int colour = greedy->colour[greedy->pending[k]];
        colours = colours <= colour ? colour + 1 : colours;
    }
    return colours;
}

/* Makes ready for the next window: drops the coloured items from the pending ones and empties the
 * masks of their points. Returns how many are left. */
static int next_window(struct greedy *greedy, const struct greedy_items *items, int pending)
{
    int left = 0;
    for (int k = 0; k < pending; k++) {
        int item = greedy->pending[k];
        if (greedy->colour[item] < 0) {
            greedy->pending[left++] = item;
            continue;
        }
        int points = items->points_of(items->source, item, greedy->point);
        for (int i = 0; i < points; i++) {
            greedy->used[greedy->point[i]] = 0;
        }
    }
    return left;
}

/* The last resort: used[p] counts colours from base on, 1 + the largest at p. */
static int colour_upwards(struct greedy *greedy, const struct greedy_items *items, int pending,
                          int base, int colours)
{
    for (int k = 0; k < pending; k++) {
        int item = greedy->pending[k];
        int points = items->points_of(items->source, item, greedy->point);
        uint64_t next = 0;
        for (int i = 0; i < points; i++) {
            uint64_t used = greedy->used[greedy->point[i]];
            next = used > next ? used : next;
        }
        for (int i = 0; i < points; i++) {
            greedy->used[greedy->point[i]] = next + 1;
        }
        greedy->colour[item] = base + (int)next;
        if (colours <= greedy->colour[item]) {
            colours = greedy->colour[item] + 1;
        }
    }
    return colours;
}

int planner_greedy_colour(struct greedy *greedy, const struct greedy_items *items, int count)
{
    int colours = 0;
    int pending = count;
    memset(greedy->used, 0, (size_t)items->points * sizeof *greedy->used);
    for (int k = 0; k < count; k++) {
        greedy->colour[greedy->pending[k]] = -1;
    }
    for (int base = 0; pending > 0; base += WINDOW) {
        if (base == WINDOW * WINDOWS) {
            return colour_upwards(greedy, items, pending, base, colours);
        }
        int waiting = fill_window(greedy, items, pending, base);
        colours = count_colours(greedy, pending, colours);
        pending = waiting > 0 ? next_window(greedy, items, pending) : 0;
    }
    return colours;
}

int planner_greedy_sort(int **start, int **sorted, const int *colour, int count, int colours,
                        const char *what, char *error)
{
    /* Counted two places ahead: at[c+1] is where colour c goes on while filling, its end after. */
    int *at = planner_zeroed((size_t)colours + 2, sizeof *at, what, error);
    *start = at;
    *sorted = planner_memory((size_t)count, sizeof **sorted, what, error);
    if (at == NULL || *sorted == NULL) {
        return -1;
    }
    for (int i = 0; i < count; i++) {
        at[colour[i] + 2]++;
    }
    for (int c = 0; c < colours; c++) {
        at[c + 2] += at[c + 1];
    }
    for (int i = 0; i < count; i++) {
        (*sorted)[at[colour[i] + 1]++] = i;
    }
    return 0;
}
