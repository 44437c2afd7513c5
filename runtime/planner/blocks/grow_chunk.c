/* grow_chunk.c: a chunk of a mesh in numbers of its own, and the queue of its elements. See grow.c.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/planner/blocks/grow.h"

/* The queue's levels for one number of new points. */
#define LEVELS 512
#define LEVEL_ZERO 128
/* Points of more elements have no say in the order of the queue: each element taken would move them
 * all. No mesh of tetrahedra or hexahedra has such points. */
#define BUSY_POINT 64
/* ---- the queue ----------------------------------------------------------------------------- */

static int bucket_of(const struct growth *growth, const struct item *item)
{
    int level = (item->score >> growth->shift) + LEVEL_ZERO;
    level = level < 0 ? 0 : level < LEVELS ? level : LEVELS - 1;
    return item->missing * LEVELS + level;
}

void planner_queue_add(struct growth *growth, int e)
{
    struct item *item = growth->item;
    int bucket = bucket_of(growth, &item[e]);
    int head = growth->count + bucket;
    item[e].bucket = bucket;
    item[e].next = head;
    item[e].previous = item[head].previous;
    item[item[head].previous].next = e;
    item[head].previous = e;
    growth->filled[bucket / 64] |= UINT64_C(1) << bucket % 64;
}

void planner_queue_remove(struct growth *growth, int e)
{
    struct item *item = growth->item;
    int next = item[e].next;
    int previous = item[e].previous;
    item[next].previous = previous;
    item[previous].next = next;
    if (next == previous && next >= growth->count) {
        int bucket = item[e].bucket;
        growth->filled[bucket / 64] &= ~(UINT64_C(1) << bucket % 64);
    }
}

void planner_queue_move(struct growth *growth, int e)
{
    if (bucket_of(growth, &growth->item[e]) != growth->item[e].bucket) {
        planner_queue_remove(growth, e);
        planner_queue_add(growth, e);
    }
}

int planner_queue_first(const struct growth *growth)
{
    int word = 0;
    while (growth->filled[word] == 0) {
        word++;
    }
    int bucket = 64 * word + __builtin_ctzll(growth->filled[word]);
    return growth->item[growth->count + bucket].next;
}

static void queue_empty(struct growth *growth)
{
    for (int bucket = 0; bucket < growth->buckets; bucket++) {
        int head = growth->count + bucket;
        growth->item[head].next = head;
        growth->item[head].previous = head;
    }
    memset(growth->filled, 0, (size_t)growth->buckets / 8);
}

/* ---- a chunk in numbers of its own ---------------------------------------------------------- */

static int own_number(struct growth *growth, int point)
{
    uint64_t mask = (uint64_t)growth->names - 1;
    uint64_t slot = (uint64_t)point * UINT64_C(0x9e3779b97f4a7c15) >> 20 & mask;
    while (growth->name[slot] != point) {
        if (growth->name[slot] < 0) {
            growth->name[slot] = point;
            growth->named[slot] = growth->points++;
        } else {
            slot = (slot + 1) & mask;
        }
    }
    return growth->named[slot];
}

static int is_repeat(const int *point, int c)
{
    for (int k = 0; k < c; k++) {
        if (point[k] == point[c]) {
            return 1;
        }
    }
    return 0;
}

/* The table's size is a power of two, at least twice the points that `count` elements can have. */
static int64_t table_size(const struct plan_mesh *mesh, int count)
{
    int64_t points = (int64_t)count * mesh->arity;
    int64_t size = 64;
    points = points < mesh->points ? points : mesh->points;
    while (size < 2 * points) {
        size *= 2;
    }
    return size;
}

static void number_points(struct growth *growth)
{
    int arity = growth->mesh->arity;
    growth->points = 0;
    growth->names = table_size(growth->mesh, growth->count);
    memset(growth->name, 0xff, (size_t)growth->names * sizeof *growth->name);
    for (int e = 0; e < growth->count; e++) {
        const int *point = growth->mesh->point + (int64_t)(growth->first + e) * arity;
        int *own = growth->point + (int64_t)e * arity;
        for (int c = 0; c < arity; c++) {
            own[c] = is_repeat(point, c) ? -1 : own_number(growth, point[c]);
        }
    }
}

/* Counts, then places: start[p+1] runs from the first to behind the last element of p. */
static void list_elements(struct growth *growth)
{
    int64_t entries = (int64_t)growth->count * growth->mesh->arity;
    int64_t total = 0;
    memset(growth->left, 0, (size_t)growth->points * sizeof *growth->left);
    for (int64_t i = 0; i < entries; i++) {
        if (growth->point[i] >= 0) {
            growth->left[growth->point[i]]++;
        }
    }
    growth->start[0] = 0;
    for (int p = 0; p < growth->points; p++) {
        growth->start[p + 1] = total;
        total += growth->left[p];
    }
    for (int64_t i = 0; i < entries; i++) {
        if (growth->point[i] >= 0) {
            growth->touch[growth->start[growth->point[i] + 1]++] = (int)(i / growth->mesh->arity);
        }
    }
}

static int elements_of(const struct growth *growth, int p)
{
    return (int)(growth->start[p + 1] - growth->start[p]);
}

int planner_grow_is_busy(const struct growth *growth, int p)
{
    return elements_of(growth, p) > BUSY_POINT;
}

int planner_grow_is_hub(const struct growth *growth, int p)
{
    return elements_of(growth, p) > growth->hub;
}

/* The value of a point, which decides between elements that bring equally many new points. A point
 * of the block is worth more the fewer free elements it has: the block is soon done with it.
 * Another point is worth more if its elements are beside the block, because they come almost free
 * then, than if they are outside. The weights were found by trial, on meshes of quadrilaterals,
 * tetrahedra and hexahedra. */
int planner_grow_worth(const struct growth *growth, int p)
{
    if (planner_grow_is_busy(growth, p)) {
        return 0;
    }
    if (growth->owner[p] == growth->block) {
        return growth->weight_left * growth->left[p];
    }
    return growth->outer[p] - 2 * (growth->left[p] - growth->outer[p]);
}

void planner_queue_put_outside(struct growth *growth, int e)
{
    const int *point = growth->point + (int64_t)e * growth->mesh->arity;
    struct item *item = &growth->item[e];
    item->missing = OUTSIDE(growth);
    item->score = 0;
    for (int c = 0; c < growth->mesh->arity; c++) {
        item->score +=
            point[c] >= 0 && !planner_grow_is_busy(growth, point[c]) ? growth->left[point[c]] : 0;
    }
    planner_queue_add(growth, e);
}

/* The largest score, of an element with average points, is to fit the levels. */
static int score_shift(const struct growth *growth)
{
    int64_t largest = 4 * growth->start[growth->points] / growth->points * growth->mesh->arity;
    int shift = 0;
    while (largest >> shift > LEVELS - LEVEL_ZERO) {
        shift++;
    }
    return shift;
}

void planner_grow_enter_chunk(struct growth *growth, int first, int count)
{
    growth->first = first;
    growth->count = count;
    growth->block = 0;
    growth->unique = 0;
    growth->besides = 0;
    growth->changes = 0;
    number_points(growth);
    list_elements(growth);
    growth->shift = growth->points > 0 ? score_shift(growth) : 0;
    for (int p = 0; p < growth->points; p++) {
        growth->owner[p] = -1;
        growth->outer[p] = growth->left[p];
        growth->value[p] = planner_grow_worth(growth, p);
    }
    queue_empty(growth);
    for (int e = 0; e < count; e++) {
        growth->item[e].changed = 0;
        planner_queue_put_outside(growth, e);
    }
}

/* ---- memory -------------------------------------------------------------------------------- */

static void *scratch(size_t count, size_t bytes, int *failed, char *error)
{
    void *memory = planner_memory(count, bytes, "growing blocks", error);
    *failed |= memory == NULL;
    return memory;
}

int planner_growth_make(struct growth *growth, int count, char *error)
{
    const struct plan_mesh *mesh = growth->mesh;
    size_t elements = (size_t)count;
    size_t entries = elements * (size_t)mesh->arity;
    size_t points = entries < (size_t)mesh->points ? entries : (size_t)mesh->points;
    size_t names = (size_t)table_size(mesh, count);
    size_t of_block = (size_t)growth->block_size * (size_t)mesh->arity;
    int failed = 0;
    growth->buckets = (mesh->arity + 2) * LEVELS;
    growth->point = scratch(entries, sizeof(int), &failed, error);
    growth->start = scratch(points + 1, sizeof(int64_t), &failed, error);
    growth->touch = scratch(entries, sizeof(int), &failed, error);
    growth->name = scratch(names, sizeof(int), &failed, error);
    growth->named = scratch(names, sizeof(int), &failed, error);
    growth->item = scratch(elements + (size_t)growth->buckets, sizeof(struct item), &failed, error);
    growth->filled = scratch((size_t)growth->buckets / 64, sizeof(uint64_t), &failed, error);
    growth->left = scratch(points, sizeof(int), &failed, error);
    growth->outer = scratch(points, sizeof(int), &failed, error);
    growth->value = scratch(points, sizeof(int), &failed, error);
    growth->owner = scratch(points, sizeof(int), &failed, error);
    growth->taken = scratch(of_block, sizeof(int), &failed, error);
    growth->beside = scratch(elements, sizeof(int), &failed, error);
    growth->changed = scratch(elements, sizeof(int), &failed, error);
    return failed ? -1 : 0;
}

void planner_growth_free(struct growth *growth)
{
    free(growth->point);
    free(growth->start);
    free(growth->touch);
    free(growth->name);
    free(growth->named);
    free(growth->item);
    free(growth->filled);
    free(growth->left);
    free(growth->outer);
    free(growth->value);
    free(growth->owner);
    free(growth->taken);
    free(growth->beside);
    free(growth->changed);
}
