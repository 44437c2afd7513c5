/* rcb_split.c: bisection inside the chunks of a mesh, in directions that suit the mesh there.
 *
 * In: places of elements, sorted into chunks (rcb.c). Out: the leaves of each chunk. A sample from
 * the middle of a chunk tells the directions in which the chunk is best cut (axes.c).
 */
#include <stdio.h>
#include <stdlib.h>

#include "runtime/planner/blocks/axes.h"
#include "runtime/planner/blocks/rcb.h"

#define SAMPLE_SIZE 384

/* Some places near each other, from the middle of place[count]: *first on; returns how many. */
static int take_middle(struct place *place, int count, int *first)
{
    *first = 0;
    for (int upper = 0; count > SAMPLE_SIZE; upper = !upper) {
        int axis = planner_rcb_longest_axis(place + *first, count);
        int half = count / 2;
        planner_rcb_select(place + *first, count, half, axis);
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
        planner_rcb_bisect(place + start, count, (int)(first[c + 1] - first[c]), 0, start,
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
        first[c] = planner_rcb_leaves_of(chunks->start[c + 1] - chunks->start[c], wanted, limit);
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
