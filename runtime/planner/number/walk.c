/* walk.c: the order of the elements inside a block.
 *
 * A walk goes over the block's points, from one at its edge to their neighbours, then to theirs, as
 * in the method of Cuthill and McKee ("Reducing the bandwidth of sparse symmetric matrices", 1969);
 * the start is found as by George and Liu ("An implementation of a pseudoperipheral node finder",
 * 1979): the last point of a walk begins the next one. Elements are then sorted by where the walk
 * comes to their first and second points. Consecutive elements so share their first points, and
 * reach points that are consecutive themselves when the points are numbered in this order too
 * (order_points.c): what the lanes of a warp read and add to lies side by side, however the user's
 * mesh is numbered.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/planner/number/number.h"

#define WALKS 3

/* ---- memory --------------------------------------------------------------------------------- */

int planner_walk_reserve(struct number_walk *walk, int block_size, int arity)
{
    const char *what = "ordering the elements of blocks";
    size_t elements = (size_t)block_size;
    size_t slots = elements * (size_t)arity;
    memset(walk, 0, sizeof *walk);
    walk->bits = 4;
    while ((size_t)1 << walk->bits < 2 * slots) {
        walk->bits++;
    }
    size_t room = (size_t)1 << walk->bits;
    walk->table = planner_memory(room, sizeof *walk->table, what, NULL);
    walk->name = planner_memory(room, sizeof *walk->name, what, NULL);
    walk->point = planner_memory(slots, sizeof *walk->point, what, NULL);
    walk->start = planner_memory(slots + 2, sizeof *walk->start, what, NULL);
    walk->touch = planner_memory(slots, sizeof *walk->touch, what, NULL);
    walk->rank = planner_memory(slots, sizeof *walk->rank, what, NULL);
    walk->queue = planner_memory(slots, sizeof *walk->queue, what, NULL);
    walk->passed = planner_memory(elements, sizeof *walk->passed, what, NULL);
    walk->item = planner_memory(2 * elements, sizeof *walk->item, what, NULL);
    return walk->table != NULL && walk->name != NULL && walk->point != NULL &&
                   walk->start != NULL && walk->touch != NULL && walk->rank != NULL &&
                   walk->queue != NULL && walk->passed != NULL && walk->item != NULL
               ? 0
               : -1;
}

void planner_walk_free(struct number_walk *walk)
{
    free(walk->table);
    free(walk->name);
    free(walk->point);
    free(walk->start);
    free(walk->touch);
    free(walk->rank);
    free(walk->queue);
    free(walk->passed);
    free(walk->item);
}

/* ---- the block as a mesh of its own --------------------------------------------------------- */

/* Names the points of the block's elements 0, 1, ... as they come; returns how many. */
static int name_points(struct number_walk *walk, const int *element, int count,
                       const struct plan_mesh *mesh)
{
    unsigned mask = (1u << walk->bits) - 1;
    int points = 0;
    memset(walk->table, 0xff, sizeof *walk->table << walk->bits);
    for (int i = 0; i < count; i++) {
        const int *point = mesh->point + (size_t)element[i] * (size_t)mesh->arity;
        for (int c = 0; c < mesh->arity; c++) {
            unsigned at = (uint32_t)point[c] * UINT32_C(2654435769) >> (32 - walk->bits);
            while (walk->table[at] >= 0 && walk->table[at] != point[c]) {
                at = (at + 1) & mask;
            }
            if (walk->table[at] < 0) {
                walk->table[at] = point[c];
                walk->name[at] = points++;
            }
            walk->point[i * mesh->arity + c] = walk->name[at];
        }
    }
    return points;
}

/* The elements of point p: touch[start[p]..start[p+1]-1], one that names it twice comes twice. */
static void find_touch(struct number_walk *walk, int count, int arity, int points)
{
    memset(walk->start, 0, ((size_t)points + 2) * sizeof *walk->start);
    for (int s = 0; s < count * arity; s++) {
        walk->start[walk->point[s] + 2]++;
    }
    for (int p = 0; p < points; p++) {
        walk->start[p + 2] += walk->start[p + 1];
    }
    for (int s = 0; s < count * arity; s++) {
        walk->touch[walk->start[walk->point[s] + 1]++] = s / arity;
    }
}

/* ---- walking -------------------------------------------------------------------------------- */

/* Ranks all points, from `from` on; a part that does not hang together with the others begins at
 * its first point. Returns the point that comes last. */
static int walk_from(struct number_walk *walk, int from, int count, int arity, int points)
{
    int ranked = 0;
    int next_part = 0;
    memset(walk->rank, 0xff, (size_t)points * sizeof *walk->rank);
    memset(walk->passed, 0, (size_t)count);
    walk->rank[from] = ranked;
    walk->queue[ranked++] = from;
    for (int at = 0; at < points; at++) {
        if (at == ranked) {
            while (walk->rank[next_part] >= 0) {
                next_part++;
            }
            walk->rank[next_part] = ranked;
            walk->queue[ranked++] = next_part;
        }
        int p = walk->queue[at];
        for (int t = walk->start[p]; t < walk->start[p + 1]; t++) {
            int e = walk->touch[t];
            for (int c = 0; c < arity && !walk->passed[e]; c++) {
                int neighbour = walk->point[e * arity + c];
                if (walk->rank[neighbour] < 0) {
                    walk->rank[neighbour] = ranked;
                    walk->queue[ranked++] = neighbour;
                }
            }
            walk->passed[e] = 1;
        }
    }
    return walk->queue[points - 1];
}

/* ---- sorting -------------------------------------------------------------------------------- */

#define INSERTION 8

static void sort_few(struct number_item *item, int count)
{
    for (int i = 1; i < count; i++) {
        struct number_item moving = item[i];
        int at = i;
        for (; at > 0 && item[at - 1].key > moving.key; at--) {
            item[at] = item[at - 1];
        }
        item[at] = moving;
    }
}

/* Merges two sorted neighbours of `from` into `to`, stable. */
static void merge(struct number_item *to, const struct number_item *from, int middle, int count)
{
    int left = 0;
    int right = middle;
    for (int i = 0; i < count; i++) {
        int take_right = left == middle || (right < count && from[right].key < from[left].key);
        to[i] = from[take_right ? right++ : left++];
    }
}

/* Stable merge sort of item[count]; other[count] is scratch. Returns where the result is. */
static struct number_item *sort_items(struct number_item *item, struct number_item *other,
                                      int count)
{
    for (int i = 0; i < count; i += INSERTION) {
        sort_few(item + i, count - i < INSERTION ? count - i : INSERTION);
    }
    for (int length = INSERTION; length < count; length *= 2) {
        for (int i = 0; i < count; i += 2 * length) {
            int left = count - i;
            merge(other + i, item + i, left < length ? left : length,
                  left < 2 * length ? left : 2 * length);
        }
        struct number_item *sorted = other;
        other = item;
        item = sorted;
    }
    return item;
}

void planner_walk_sort(struct number_walk *walk, int *element, int count,
                       const struct plan_mesh *mesh)
{
    int arity = mesh->arity;
    if (count == 0 || arity == 0) {
        return;
    }
    int points = name_points(walk, element, count, mesh);
    int from = 0;
    find_touch(walk, count, arity, points);
    for (int i = 0; i < WALKS; i++) {
        from = walk_from(walk, from, count, arity, points);
    }
    for (int i = 0; i < count; i++) {
        const int *point = walk->point + (size_t)i * (size_t)arity;
        uint64_t first = (uint64_t)walk->rank[point[0]];
        uint64_t second = (uint64_t)walk->rank[point[arity > 1]];
        walk->item[i] = (struct number_item){first << 32 | second, element[i]};
    }
    const struct number_item *sorted = sort_items(walk->item, walk->item + count, count);
    for (int i = 0; i < count; i++) {
        element[i] = sorted[i].element;
    }
}
