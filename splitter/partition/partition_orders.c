/* partition_orders.c: orders of items, and the best places to cut them.
 *
 * A stage is a stretch of an order in which the items can run. An order that uses staged data as
 * long as possible before it stages new data keeps items with the same data together; dynamic
 * programming over the boundaries finds its best cuts. The search starts from many such orders,
 * with different beginnings and from both ends.
 */
#include <math.h>
#include <string.h>

#include "pass/ir/arena.h"
#include "splitter/partition/partition_impl.h"

/* Ready items that are looked at for the next; more are taken in their order. */
enum { LOOK_AT = 64 };
/* Boundaries that are considered in an order. */
enum { MOST_BOUNDARIES = 96 };

/* ---- orders ---------------------------------------------------------------------------------- */

/* Bytes of the units of an item that are not in `there`. */
static double new_bytes(const struct problem *problem, int item, const uint64_t *there)
{
    double bytes = 0;
    for (int w = 0; w < problem->words; w++) {
        uint64_t left =
            problem->units[(size_t)item * (size_t)problem->words + (size_t)w] & ~there[w];
        for (; left != 0; left &= left - 1) {
            bytes += problem->base->unit[w * 64 + __builtin_ctzll(left)].shared;
        }
    }
    return bytes;
}

/* Takes from ready[0..*count-1] the item that stages least; the first of several. */
static int take_best(struct problem *problem, int *ready, int *count, const uint64_t *there)
{
    int best = 0;
    double best_bytes = INFINITY;
    for (int r = 0; r < *count && r < LOOK_AT && best_bytes > 0; r++) {
        double bytes = new_bytes(problem, ready[r], there);
        if (bytes < best_bytes) {
            best = r;
            best_bytes = bytes;
        }
        problem->steps++;
    }
    int item = ready[best];
    /* The last fills the gap, so that the list need not be moved. */
    ready[best] = ready[--*count];
    return item;
}

void order_items(struct problem *problem, bool backward, const uint64_t *start, int *order)
{
    const struct rows *before = backward ? &problem->after : &problem->before;
    const struct rows *after = backward ? &problem->before : &problem->after;
    size_t words = (size_t)problem->words;
    struct arena *scratch = arena_new();
    int *waits = arena_alloc(scratch, (size_t)problem->items * sizeof(*waits));
    int *ready = arena_alloc(scratch, (size_t)problem->items * sizeof(*ready));
    uint64_t *there = arena_alloc(scratch, words * sizeof(*there));
    int count = 0;
    if (start != NULL) {
        memcpy(there, start, words * sizeof(*there));
    }
    for (int i = 0; i < problem->items; i++) {
        waits[i] = before->first[i + 1] - before->first[i];
        if (waits[i] == 0) {
            ready[count++] = i;
        }
    }
    for (int k = 0; k < problem->items; k++) {
        int item = take_best(problem, ready, &count, there);
        order[backward ? problem->items - 1 - k : k] = item;
        for (size_t w = 0; w < words; w++) {
            there[w] |= problem->units[(size_t)item * words + w];
        }
        for (int e = after->first[item]; e < after->first[item + 1]; e++) {
            if (--waits[after->of[e]] == 0) {
                ready[count++] = after->of[e];
            }
        }
    }
    arena_free(scratch);
}

/* ---- cuts ------------------------------------------------------------------------------------ */

/* An order, its possible boundaries at[0..boundaries] (the first and last are its ends), and the
 * bytes that live across each. */
struct line {
    const int *order;
    int boundaries;
    int at[MOST_BOUNDARIES + 2];
    double live[MOST_BOUNDARIES + 2];
    uint64_t *units; /* [boundaries*words] of the stretch that begins at each boundary */
};

static void find_live(const struct problem *problem, struct arena *scratch, struct line *line)
{
    int *position = arena_alloc(scratch, (size_t)problem->items * sizeof(*position));
    double *change = arena_alloc(scratch, ((size_t)problem->items + 2) * sizeof(*change));
    for (int k = 0; k < problem->items; k++) {
        position[line->order[k]] = k;
    }
    for (int k = 0; k < problem->vars; k++) {
        int v = problem->var[k];
        int first = problem->items;
        int last = problem->var_kept[v] ? problem->items : -1;
        for (int i = problem->makers.first[v]; i < problem->makers.first[v + 1]; i++) {
            int at = position[problem->makers.of[i]];
            first = at < first ? at : first;
        }
        for (int i = problem->readers.first[v]; i < problem->readers.first[v + 1]; i++) {
            int at = position[problem->readers.of[i]];
            last = at > last ? at : last;
        }
        if (first < last) {
            change[first + 1] += problem->var_bytes[v];
            change[last + 1] -= problem->var_bytes[v];
        }
    }
    double live = 0;
    for (int k = 0, b = 0; k <= problem->items; k++) {
        live += change[k];
        while (b <= line->boundaries && line->at[b] == k) {
            line->live[b++] = live * COST_BLOCK;
        }
    }
}

static void set_line(const struct problem *problem, struct arena *scratch, const int *order,
                     struct line *line)
{
    size_t words = (size_t)problem->words;
    line->order = order;
    line->boundaries = problem->items < MOST_BOUNDARIES ? problem->items : MOST_BOUNDARIES;
    line->units = arena_alloc(scratch, (size_t)line->boundaries * words * sizeof(*line->units));
    for (int b = 0; b <= line->boundaries; b++) {
        line->at[b] = (int)((long long)b * problem->items / line->boundaries);
    }
    for (int b = 0; b < line->boundaries; b++) {
        for (int k = line->at[b]; k < line->at[b + 1]; k++) {
            for (size_t w = 0; w < words; w++) {
                line->units[(size_t)b * words + w] |= problem->units[(size_t)order[k] * words + w];
            }
        }
    }
    find_live(problem, scratch, line);
}

/* best[c][b]: the largest stage of the best cut of the first b stretches into c + 1 stages. */
struct table {
    double best[MAX_CUTS][MOST_BOUNDARIES + 2];
    int from[MAX_CUTS][MOST_BOUNDARIES + 2];
};

/* Tries the stages that begin at boundary `begin`, in order of length, each after the best cut of
 * the items before it. */
static void extend(struct problem *problem, const struct line *line, int begin, uint64_t *there,
                   struct table *table)
{
    size_t words = (size_t)problem->words;
    double shared = 0;
    memset(there, 0, words * sizeof(*there));
    for (int b = begin; b < line->boundaries; b++) {
        for (size_t w = 0; w < words; w++) {
            uint64_t new = line->units[(size_t)b * words + w] & ~there[w];
            there[w] |= new;
            for (; new != 0; new &= new - 1) {
                shared += problem->base->unit[w * 64 + (size_t)__builtin_ctzll(new)].shared;
            }
        }
        double stage = shared + fmax(line->live[begin], line->live[b + 1]);
        for (int c = begin == 0 ? 0 : 1; c < (begin == 0 ? 1 : problem->cuts); c++) {
            double largest = c == 0 ? stage : fmax(stage, table->best[c - 1][begin]);
            if (largest < table->best[c][b + 1]) {
                table->best[c][b + 1] = largest;
                table->from[c][b + 1] = begin;
            }
        }
    }
    problem->steps += line->boundaries - begin;
}

void cut_order(struct problem *problem, const int *order, int *stage)
{
    struct arena *scratch = arena_new();
    struct line *line = arena_alloc(scratch, sizeof(*line));
    struct table *table = arena_alloc(scratch, sizeof(*table));
    uint64_t *there = arena_alloc(scratch, (size_t)problem->words * sizeof(*there));
    set_line(problem, scratch, order, line);
    for (int c = 0; c < MAX_CUTS; c++) {
        for (int b = 0; b <= line->boundaries; b++) {
            table->best[c][b] = INFINITY;
        }
    }
    for (int begin = 0; begin < line->boundaries; begin++) {
        extend(problem, line, begin, there, table);
    }
    int end = line->boundaries;
    for (int c = problem->cuts - 1; c >= 0; c--) {
        int begin = table->from[c][end];
        for (int k = line->at[begin]; k < line->at[end]; k++) {
            stage[order[k]] = c;
        }
        end = begin;
    }
    problem->steps += problem->items + problem->vars;
    arena_free(scratch);
}
