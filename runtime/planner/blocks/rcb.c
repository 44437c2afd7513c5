/* rcb.c: recursive coordinate bisection.
 *
 * In: places of elements. Out: leaves of about equal size, cut again and again across the longest
 * side of the box around what is left (M. Berger, S. Bokhari, 1987). Two stages, so that threads
 * need not wait for each other: a tree over a sample cuts the mesh into regions, and each region is
 * bisected to the end by one thread. Leaves are numbered as a snake through the tree: the second
 * half of a cut runs backwards in the other directions.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/planner/blocks/rcb.h"

/* ---- the tree over a sample ----------------------------------------------------------------- */

#define REGION_SIZE (1 << 15)
#define REGION_SAMPLES 128
#define SCATTER_CHUNKS 64

struct node {
    struct place cut; /* the first place of the upper part */
    int axis;         /* -1: a region */
    int lower;        /* number of the node; the upper part's is lower+1; of a region its number */
};

struct tree {
    struct node *node; /* [2*regions] */
    int nodes;
    int regions;
    unsigned *flip; /* [regions] directions in which each region runs backwards */
};

static int before(const struct place *a, const struct place *b, int axis)
{
    return a->at[axis] < b->at[axis] || (a->at[axis] == b->at[axis] && a->element < b->element);
}

int planner_rcb_longest_axis(const struct place *place, int count)
{
    int low[3] = {INT_MAX, INT_MAX, INT_MAX};
    int high[3] = {INT_MIN, INT_MIN, INT_MIN};
    for (int i = 0; i < count; i++) {
        for (int d = 0; d < 3; d++) {
            low[d] = place[i].at[d] < low[d] ? place[i].at[d] : low[d];
            high[d] = place[i].at[d] > high[d] ? place[i].at[d] : high[d];
        }
    }
    int axis = 0;
    for (int d = 1; d < 3; d++) {
        if ((int64_t)high[d] - low[d] > (int64_t)high[axis] - low[axis]) {
            axis = d;
        }
    }
    return axis;
}

static void swap_places(struct place *a, struct place *b)
{
    struct place other = *a;
    *a = *b;
    *b = other;
}

/* The middle one of three places goes to *a. */
static void middle_first(struct place *a, struct place *b, struct place *c, int axis)
{
    if (before(b, a, axis) != before(c, a, axis)) {
        return;
    }
    int b_is_middle = before(b, a, axis) ? before(c, b, axis) : before(b, c, axis);
    swap_places(a, b_is_middle ? b : c);
}

/* Hoare's selection. Places are all different, so it ends; equal coordinates in the order of
 * elements do not make it slow, as the middle of three is taken. */
void planner_rcb_select(struct place *place, int count, int nth, int axis)
{
    int low = 0;
    int high = count - 1;
    while (low < high) {
        middle_first(&place[low], &place[low + (high - low) / 2], &place[high], axis);
        struct place pivot = place[low];
        int i = low;
        int j = high + 1;
        for (;;) {
            do {
                i++;
            } while (i <= high && before(&place[i], &pivot, axis));
            do {
                j--;
            } while (before(&pivot, &place[j], axis));
            if (i >= j) {
                break;
            }
            swap_places(&place[i], &place[j]);
        }
        swap_places(&place[low], &place[j]);
        if (j == nth) {
            return;
        }
        low = j < nth ? j + 1 : low;
        high = j < nth ? high : j - 1;
    }
}

/* The parts of a cut in the order of the snake: the second one runs backwards in other directions.
 */
static unsigned flip_second(unsigned flip, int axis)
{
    return flip ^ (7u & ~(1u << axis));
}

static void grow_tree(struct tree *tree, int at, struct place *sample, int count, int regions,
                      unsigned flip)
{
    struct node *node = &tree->node[at];
    if (regions == 1) {
        node->axis = -1;
        node->lower = tree->regions;
        tree->flip[tree->regions++] = flip;
        return;
    }
    int axis = planner_rcb_longest_axis(sample, count);
    int half = regions / 2;
    int cut = (int)((int64_t)count * half / regions);
    int first = tree->nodes;
    planner_rcb_select(sample, count, cut, axis);
    *node = (struct node){sample[cut], axis, first};
    tree->nodes += 2;
    if (flip >> axis & 1) {
        grow_tree(tree, first + 1, sample + cut, count - cut, regions - half, flip);
        grow_tree(tree, first, sample, cut, half, flip_second(flip, axis));
    } else {
        grow_tree(tree, first, sample, cut, half, flip);
        grow_tree(tree, first + 1, sample + cut, count - cut, regions - half,
                  flip_second(flip, axis));
    }
}

static int make_tree(struct tree *tree, const struct place *place, int count, int regions,
                     char *error)
{
    const char *what = "the tree of a bisection";
    int samples = regions > 1 ? regions * REGION_SAMPLES : 0;
    *tree = (struct tree){0};
    struct place *sample = planner_memory((size_t)samples, sizeof *sample, what, error);
    tree->node = planner_memory(2 * (size_t)regions, sizeof *tree->node, what, error);
    tree->flip = planner_memory((size_t)regions, sizeof *tree->flip, what, error);
    if (sample == NULL || tree->node == NULL || tree->flip == NULL) {
        free(sample);
        return -1;
    }
    for (int i = 0; i < samples; i++) {
        sample[i] = place[(int64_t)count * i / samples];
    }
    tree->nodes = 1;
    grow_tree(tree, 0, sample, samples, regions, 0);
    free(sample);
    return 0;
}

static int region_of(const struct tree *tree, const struct place *place)
{
    const struct node *node = &tree->node[0];
    while (node->axis >= 0) {
        node = &tree->node[node->lower + !before(place, &node->cut, node->axis)];
    }
    return node->lower;
}

/* ---- sorting into regions ------------------------------------------------------------------- */

/* Moves the places to `to`, region after region, and sets start[regions+1]. count[chunks*regions].
 */
static void scatter(struct place *to, int64_t *start, int64_t *offset, const struct tree *tree,
                    const struct place *from, int count, unsigned short *region)
{
    int length = count / SCATTER_CHUNKS + 1;
    int regions = tree->regions;
#pragma omp parallel for schedule(static)
    for (int chunk = 0; chunk < SCATTER_CHUNKS; chunk++) {
        for (int64_t i = (int64_t)chunk * length; i < count && i < (chunk + 1LL) * length; i++) {
            region[i] = (unsigned short)region_of(tree, &from[i]);
            offset[(size_t)region[i] * SCATTER_CHUNKS + (size_t)chunk]++;
        }
    }
    planner_prefix(offset, (int64_t)regions * SCATTER_CHUNKS);
    for (int r = 0; r <= regions; r++) {
        start[r] = offset[(size_t)r * SCATTER_CHUNKS];
    }
#pragma omp parallel for schedule(static)
    for (int chunk = 0; chunk < SCATTER_CHUNKS; chunk++) {
        for (int64_t i = (int64_t)chunk * length; i < count && i < (chunk + 1LL) * length; i++) {
            to[offset[(size_t)region[i] * SCATTER_CHUNKS + (size_t)chunk]++] = from[i];
        }
    }
}

static int sort_into_regions(struct place **place, int64_t *start, const struct tree *tree,
                             int count, char *error)
{
    const char *what = "the regions of a bisection";
    struct place *to = planner_memory((size_t)count, sizeof *to, what, error);
    int64_t *offset =
        planner_zeroed((size_t)tree->regions * SCATTER_CHUNKS + 1, sizeof *offset, what, error);
    unsigned short *region = planner_memory((size_t)count, sizeof *region, what, error);
    int status = -1;
    if (to != NULL && offset != NULL && region != NULL) {
        scatter(to, start, offset, tree, *place, count, region);
        free(*place);
        *place = to;
        to = NULL;
        status = 0;
    }
    free(to);
    free(offset);
    free(region);
    return status;
}

/* ---- bisection of a region ------------------------------------------------------------------ */

int planner_rcb_leaves_of(int64_t count, double wanted, int limit)
{
    int64_t least = (count + limit - 1) / limit;
    int64_t leaves = (int64_t)((double)count / wanted + 0.5);
    leaves = leaves < count ? leaves : count;
    return (int)(leaves > least ? leaves : least);
}

void planner_rcb_bisect(struct place *place, int count, int leaves, unsigned flip, int first,
                        int *end)
{
    if (leaves == 1) {
        *end = first + count;
        return;
    }
    int axis = planner_rcb_longest_axis(place, count);
    int backwards = flip >> axis & 1;
    int half = leaves / 2;
    int cut = (int)((int64_t)count * half / leaves);
    planner_rcb_select(place, count, backwards ? count - cut : cut, axis);
    if (backwards) {
        /* The upper part comes first: the parts change places. */
        for (int i = 0, j = count - 1; i < j; i++, j--) {
            swap_places(&place[i], &place[j]);
        }
    }
    planner_rcb_bisect(place, cut, half, flip, first, end);
    planner_rcb_bisect(place + cut, count - cut, leaves - half, flip_second(flip, axis),
                       first + cut, end + half);
}

static int bisect_regions(struct leaves *leaves, struct place *place, const int64_t *start,
                          const struct tree *tree, double wanted, int limit, char *error)
{
    int regions = tree->regions;
    int64_t *first =
        planner_memory((size_t)regions + 1, sizeof *first, "the regions of a bisection", error);
    if (first == NULL) {
        return -1;
    }
    for (int r = 0; r < regions; r++) {
        first[r] = planner_rcb_leaves_of(start[r + 1] - start[r], wanted, limit);
    }
    planner_prefix(first, regions);
    leaves->count = (int)first[regions];
    leaves->start = planner_memory((size_t)leaves->count + 1, sizeof *leaves->start,
                                   "the leaves of a bisection", error);
    if (leaves->start != NULL) {
        leaves->start[0] = 0;
#pragma omp parallel for schedule(dynamic, 1)
        for (int r = 0; r < regions; r++) {
            if (start[r + 1] > start[r]) {
                planner_rcb_bisect(place + start[r], (int)(start[r + 1] - start[r]),
                                   (int)(first[r + 1] - first[r]), tree->flip[r], (int)start[r],
                                   leaves->start + 1 + first[r]);
            }
        }
    }
    free(first);
    return leaves->start != NULL ? 0 : -1;
}

int planner_rcb_sort(struct leaves *leaves, struct place **place, int count, double wanted,
                     int limit, char error[PLANNER_ERROR])
{
    struct tree tree;
    int regions = count / REGION_SIZE + 1;
    if (regions > USHRT_MAX) {
        regions = USHRT_MAX;
    }
    *leaves = (struct leaves){0};
    if (regions < 2 || count < regions * REGION_SAMPLES) {
        regions = 1;
    }
    int64_t *start =
        planner_memory((size_t)regions + 1, sizeof *start, "the regions of a bisection", error);
    int status = start != NULL ? make_tree(&tree, *place, count, regions, error) : -1;
    if (status == 0) {
        status = sort_into_regions(place, start, &tree, count, error);
    }
    if (status == 0) {
        status = bisect_regions(leaves, *place, start, &tree, wanted, limit, error);
    }
    if (start != NULL) {
        free(tree.node);
        free(tree.flip);
    }
    free(start);
    return status;
}
