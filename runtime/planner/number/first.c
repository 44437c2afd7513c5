/* first.c: the parts of an order that is there within milliseconds, for the loops that run while a
 * better one is made: points along a curve through their coordinates, and elements after their
 * points. All of it is sorted in parallel.
 */
#include <limits.h>
#include <stdlib.h>

#include "runtime/planner/blocks/blocks.h"

/* Bits of each coordinate, in the plane and in space: three passes of the sort. */
#define PLANE_BITS 16
#define SPACE_BITS 11
/* Elements or points from which on sorting takes longer than starting threads. */
#define MANY 16384

int planner_order_along_curve(const struct planner *planner, int *order, int points,
                              const struct plan_coordinates *coordinates,
                              struct plan_phases *phases, char error[PLANNER_ERROR])
{
    PLANNER_THREADS(planner);
    struct place *place;
    const int dim = coordinates->dim;
    double begin = planner_clock();
    if (points < MANY) {
        planner_threads_set(1);
    }
    if (planner_mesh_places_of_points(&place, coordinates, points, error) != 0) {
        return -1;
    }
    int status =
        planner_blocks_curve(order, place, points, dim, dim == 2 ? PLANE_BITS : SPACE_BITS, error);
    free(place);
    planner_phase(phases, "curve", begin, 0);
    return status;
}

/* The smallest number of an element's points, then the second smallest, or the smallest again where
 * there is one column. */
static uint64_t key_of(const int *row, int dim, const int *number, int bits)
{
    int least = INT_MAX;
    int next = INT_MAX;
    for (int c = 0; c < dim; c++) {
        const int point = number != NULL ? number[row[c]] : row[c];
        if (point < least) {
            next = least;
            least = point;
        } else if (point < next) {
            next = point;
        }
    }
    next = next == INT_MAX ? least : next;
    return (uint64_t)least << bits | (uint64_t)next;
}

/* Elements by which fetches of their points' numbers run ahead: numbers may be random. */
#define AHEAD 16

int planner_order_after_points(const struct planner *planner, int *order, int elements,
                               const struct plan_map *map, const int *number,
                               char error[PLANNER_ERROR])
{
    PLANNER_THREADS(planner);
    const size_t dim = (size_t)map->dim;
    int bits = 1;
    if (elements < MANY) {
        planner_threads_set(1);
    }
    while (bits < 31 && map->points >> bits != 0) {
        bits++;
    }
    uint64_t *key = planner_memory((size_t)elements, sizeof *key, "the order of elements", error);
    if (key == NULL) {
        return -1;
    }
#pragma omp parallel for schedule(static)
    for (int e = 0; e < elements; e++) {
        if (number != NULL && e < elements - AHEAD) {
            for (size_t c = 0; c < dim; c++) {
                __builtin_prefetch(&number[map->row[(size_t)(e + AHEAD) * dim + c]]);
            }
        }
        key[e] = key_of(map->row + (size_t)e * dim, map->dim, number, bits);
    }
    int status = planner_sort(order, key, elements, 2 * bits, error);
    free(key);
    return status;
}
