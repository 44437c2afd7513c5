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

#include "axes.h"
#include "rcb.h"

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

static int longest_axis(const struct place *place, int count)
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

/* Puts the `nth` smallest in its place, smaller ones before, larger ones behind (Hoare's
 * selection). Places are all different, so it ends; equal coordinates in the order of elements do
 * not make it slow, as the middle of three is taken. */
static void select_nth(struct place *place, int count, int nth, int axis)
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
    int axis = longest_axis(sample, count);
    int half = regions / 2;
    int cut = (int)((int64_t)count * half / regions);
    int first = tree->nodes;
    select_nth(sample, count, cut, axis);
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

/* How many leaves hold `count` places. */
static int leaves_of(int64_t count, double wanted, int limit)
{
    int64_t least = (count + limit - 1) / limit;
    int64_t leaves = (int64_t)((double)count / wanted + 0.5);
    leaves = leaves < count ? leaves : count;
    return (int)(leaves > least ? leaves : least);
}

/* Writes the ends of the leaves to end[leaves], as numbers from `first` on. */
static void bisect(struct place *place, int count, int leaves, unsigned flip, int first, int *end)
{
    if (leaves == 1) {
        *end = first + count;
        return;
    }
    int axis = longest_axis(place, count);
    int backwards = flip >> axis & 1;
    int half = leaves / 2;
    int cut = (int)((int64_t)count * half / leaves);
    select_nth(place, count, backwards ? count - cut : cut, axis);
    if (backwards) {
        /* The upper part comes first: the parts change places. */
        for (int i = 0, j = count - 1; i < j; i++, j--) {
            swap_places(&place[i], &place[j]);
        }
    }
    bisect(place, cut, half, flip, first, end);
    bisect(place + cut, count - cut, leaves - half, flip_second(flip, axis), first + cut,
           end + half);
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
        first[r] = leaves_of(start[r + 1] - start[r], wanted, limit);
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
                bisect(place + start[r], (int)(start[r + 1] - start[r]),
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

/* ---- leaves of leaves ----------------------------------------------------------------------- */

#define SAMPLE_SIZE 384

/* Some places near each other, from the middle of place[count]: *first on; returns how many. */
static int take_middle(struct place *place, int count, int *first)
{
    *first = 0;
    for (int upper = 0; count > SAMPLE_SIZE; upper = !upper) {
        int axis = longest_axis(place + *first, count);
        int half = count / 2;
        select_nth(place + *first, count, half, axis);
        *first += upper ? half : 0;
        count = upper ? count - half : half;
    }
    return count;
}

static int turn_chunk(struct place *place, int count, int dim, const struct plan_mesh *mesh,
                      char *error)
{
    int first;
    struct axes axes;
    int sampled = take_middle(place, count, &first);
    int found = planner_axes_find(&axes, place + first, sampled, dim, mesh, error);
    if (found == 1) {
        planner_axes_turn(place, count, &axes);
    }
    return found < 0 ? -1 : 0;
}

/* How far apart two places are, in their farthest direction. */
static int64_t distance(const struct place *a, const struct place *b)
{
    int64_t most = 0;
    for (int d = 0; d < 3; d++) {
        int64_t apart = llabs((int64_t)a->at[d] - b->at[d]);
        most = apart > most ? apart : most;
    }
    return most;
}

static int compare_distances(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a;
    int64_t right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

#define TURN_SAMPLES 4096

/* The distance from `middle` within which there are about `wanted` places, by a sample. */
static int64_t reach_of(const struct place *place, int count, const struct place *middle,
                        int wanted)
{
    int64_t apart[TURN_SAMPLES];
    int samples = count < TURN_SAMPLES ? count : TURN_SAMPLES;
    for (int i = 0; i < samples; i++) {
        apart[i] = distance(&place[(int64_t)count * i / samples], middle);
    }
    qsort(apart, (size_t)samples, sizeof *apart, compare_distances);
    int64_t at = (int64_t)wanted * samples / count + 2;
    return apart[at < samples ? at : samples - 1];
}

#define NEAR_MOST (64 * SAMPLE_SIZE)

/* The first places, in the order of place[], that are near the one in the middle of the array. */
static int take_near(struct place *near, const struct place *place, int count)
{
    struct place middle = place[count / 2];
    int64_t reach = reach_of(place, count, &middle, 2 * SAMPLE_SIZE);
    int taken = 0;
    for (int i = 0; i < count && taken < NEAR_MOST; i++) {
        if (distance(&place[i], &middle) <= reach) {
            near[taken++] = place[i];
        }
    }
    return taken;
}

int planner_rcb_turn(struct place *place, int count, int dim, const struct plan_mesh *mesh,
                     char error[PLANNER_ERROR])
{
    struct axes axes;
    int first;
    if (count == 0) {
        return 0;
    }
    struct place *near = planner_memory(NEAR_MOST, sizeof *near, "a sample of a mesh", error);
    if (near == NULL) {
        return -1;
    }
    int taken = take_middle(near, take_near(near, place, count), &first);
    int found = planner_axes_find(&axes, near + first, taken, dim, mesh, error);
    free(near);
    if (found == 1) {
        planner_axes_unstretch(&axes);
        planner_axes_turn(place, count, &axes);
    }
    return found < 0 ? -1 : 0;
}

static int split_chunks(struct leaves *leaves, struct place *place, const struct leaves *chunks,
                        const int64_t *first, int dim, const struct plan_mesh *mesh, char *error)
{
    int failed = 0;
    leaves->start[0] = 0;
#pragma omp parallel for schedule(dynamic, 1) reduction(| : failed)
    for (int c = 0; c < chunks->count; c++) {
        char message[PLANNER_ERROR];
        int start = chunks->start[c];
        int count = chunks->start[c + 1] - start;
        if (turn_chunk(place + start, count, dim, mesh, message) != 0) {
            failed = 1;
        }
        bisect(place + start, count, (int)(first[c + 1] - first[c]), 0, start,
               leaves->start + 1 + first[c]);
    }
    if (failed) {
        snprintf(error, PLANNER_ERROR, "out of memory while sampling a mesh");
    }
    return failed ? -1 : 0;
}

int planner_rcb_split(struct leaves *leaves, struct place *place, const struct leaves *chunks,
                      double wanted, int limit, int dim, const struct plan_mesh *mesh,
                      char error[PLANNER_ERROR])
{
    const char *what = "the leaves of a bisection";
    *leaves = (struct leaves){0};
    int64_t *first = planner_memory((size_t)chunks->count + 1, sizeof *first, what, error);
    if (first == NULL) {
        return -1;
    }
    for (int c = 0; c < chunks->count; c++) {
        first[c] = leaves_of(chunks->start[c + 1] - chunks->start[c], wanted, limit);
    }
    planner_prefix(first, chunks->count);
    leaves->count = (int)first[chunks->count];
    leaves->start = planner_memory((size_t)leaves->count + 1, sizeof *leaves->start, what, error);
    int status =
        leaves->start != NULL ? split_chunks(leaves, place, chunks, first, dim, mesh, error) : -1;
    free(first);
    if (status != 0) {
        free(leaves->start);
        leaves->start = NULL;
    }
    return status;
}

/* ---- blocks --------------------------------------------------------------------------------- */

int planner_blocks_rcb(struct blocks *blocks, const struct plan_mesh *mesh, const float *centre,
                       int dim, char error[PLANNER_ERROR])
{
    struct place *place;
    struct leaves leaves;
    double wanted = BLOCKS_FILL * blocks->block_size;
    if (planner_mesh_places_of_centres(&place, mesh->elements, centre, dim, error) != 0) {
        return -1;
    }
    int status = planner_rcb_sort(&leaves, &place, mesh->elements, wanted < 1 ? 1 : wanted,
                                  blocks->block_size, error);
    if (status == 0) {
        blocks->count = leaves.count;
#pragma omp parallel for schedule(static)
        for (int k = 0; k < leaves.count; k++) {
            for (int i = leaves.start[k]; i < leaves.start[k + 1]; i++) {
                blocks->of[place[i].element] = k;
            }
        }
    }
    free(leaves.start);
    free(place);
    return status;
}
