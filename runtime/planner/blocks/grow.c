/* grow.c: blocks grown element by element inside chunks of consecutive elements.
 *
 * In: a mesh and its chunks. Out: the block of each element; blocks never cross chunks. A block
 * takes the element that brings the fewest new points; planner_grow_worth (grow_chunk.c) decides
 * between equals. It begins in a corner of what is left, so that few crumbs stay. Chunks are grown
 * by several threads, each in numbers of its own, so that all that a thread touches stays in its
 * cache. The idea is that of hypergraph neighbourhood expansion (C. Mayer et al., "HYPE", 2018).
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/planner/blocks/grow.h"

/* Points of more elements than this many blocks hold are taken for present in every block: they
 * would join everything with everything, in quadratic time. */
#define HUB_BLOCKS 4
#define HUB_AT_LEAST 256

/* The weight of the free elements at the block's points, shared by the points of an element: with
 * many, most are the block's already. */
#define WEIGHT_LEFT 8

/* ---- growth -------------------------------------------------------------------------------- */

static int is_beside(const struct growth *growth, int e)
{
    return growth->item[e].missing >= 0 && growth->item[e].missing <= growth->mesh->arity;
}

static void change(struct growth *growth, int e, int missing, int score)
{
    struct item *item = &growth->item[e];
    item->missing += missing;
    item->score += score;
    if (!item->changed) {
        item->changed = 1;
        growth->changed[growth->changes++] = e;
    }
}

/* Brings the value of a point up to date, and the scores of the elements beside the block. */
static void revalue(struct growth *growth, int p)
{
    int change_by = planner_grow_worth(growth, p) - growth->value[p];
    if (change_by == 0) {
        return;
    }
    growth->value[p] += change_by;
    for (int64_t i = growth->start[p]; i < growth->start[p + 1]; i++) {
        if (is_beside(growth, growth->touch[i])) {
            change(growth, growth->touch[i], 0, change_by);
        }
    }
}

static void revalue_points(struct growth *growth, int e)
{
    const int *point = growth->point + (int64_t)e * growth->mesh->arity;
    for (int c = 0; c < growth->mesh->arity; c++) {
        if (point[c] >= 0) {
            revalue(growth, point[c]);
        }
    }
}

/* One element more or less is outside at the points of e. */
static void count_outside(struct growth *growth, int e, int more)
{
    const int *point = growth->point + (int64_t)e * growth->mesh->arity;
    for (int c = 0; c < growth->mesh->arity; c++) {
        if (point[c] >= 0) {
            growth->outer[point[c]] += more;
        }
    }
}

/* The block gets a point: its elements are beside the block from now on. */
static void take_point(struct growth *growth, int p)
{
    growth->owner[p] = growth->block;
    growth->taken[growth->unique++] = p;
    if (planner_grow_is_hub(growth, p)) {
        return;
    }
    for (int64_t i = growth->start[p]; i < growth->start[p + 1]; i++) {
        int e = growth->touch[i];
        if (is_beside(growth, e)) {
            change(growth, e, -1, 0);
        } else if (growth->item[e].missing == OUTSIDE(growth)) {
            planner_queue_remove(growth, e);
            growth->item[e].missing = ARRIVING;
            growth->beside[growth->besides++] = e;
            count_outside(growth, e, -1);
        }
    }
}

/* Puts an element that has come beside the block in its bucket. */
static void arrive(struct growth *growth, int e)
{
    const int *point = growth->point + (int64_t)e * growth->mesh->arity;
    struct item *item = &growth->item[e];
    item->missing = 0;
    item->score = 0;
    for (int c = 0; c < growth->mesh->arity; c++) {
        int p = point[c];
        if (p >= 0) {
            item->missing += growth->owner[p] != growth->block && !planner_grow_is_hub(growth, p);
            item->score += growth->value[p];
        }
    }
    planner_queue_add(growth, e);
}

static void move_changed(struct growth *growth)
{
    for (int i = 0; i < growth->changes; i++) {
        int e = growth->changed[i];
        growth->item[e].changed = 0;
        if (is_beside(growth, e)) {
            planner_queue_move(growth, e);
        }
    }
    growth->changes = 0;
}

static void take(struct growth *growth, int e)
{
    const int *point = growth->point + (int64_t)e * growth->mesh->arity;
    int arrived = growth->besides;
    if (growth->item[e].missing == OUTSIDE(growth)) {
        count_outside(growth, e, -1);
    }
    planner_queue_remove(growth, e);
    growth->item[e].missing = TAKEN;
    for (int c = 0; c < growth->mesh->arity; c++) {
        if (point[c] >= 0) {
            growth->left[point[c]]--;
            if (growth->owner[point[c]] != growth->block) {
                take_point(growth, point[c]);
            }
        }
    }
    revalue_points(growth, e);
    for (int i = arrived; i < growth->besides; i++) {
        revalue_points(growth, growth->beside[i]);
    }
    for (int i = arrived; i < growth->besides; i++) {
        arrive(growth, growth->beside[i]);
    }
    move_changed(growth);
}

static int new_points(const struct growth *growth, int e)
{
    const int *point = growth->point + (int64_t)e * growth->mesh->arity;
    int count = 0;
    for (int c = 0; c < growth->mesh->arity; c++) {
        count += point[c] >= 0 && growth->owner[point[c]] != growth->block;
    }
    return count;
}

/* Puts what is beside the finished block back outside. */
static void leave_block(struct growth *growth)
{
    growth->block++;
    for (int i = 0; i < growth->besides; i++) {
        int e = growth->beside[i];
        if (growth->item[e].missing != TAKEN) {
            planner_queue_remove(growth, e);
            planner_queue_put_outside(growth, e);
            count_outside(growth, e, 1);
        }
    }
    for (int i = 0; i < growth->besides; i++) {
        revalue_points(growth, growth->beside[i]);
    }
    for (int i = 0; i < growth->unique; i++) {
        revalue(growth, growth->taken[i]);
    }
    growth->besides = 0;
    growth->unique = 0;
}

/* Returns how many elements the block got: `size`, unless max_points stops it. */
static int grow_block(struct growth *growth, int *of, int size)
{
    int taken = 0;
    while (taken < size) {
        int e = planner_queue_first(growth);
        if (taken > 0 && growth->max_points > 0 &&
            growth->unique + new_points(growth, e) > growth->max_points) {
            break;
        }
        take(growth, e);
        of[growth->first + e] = growth->block;
        taken++;
    }
    leave_block(growth);
    return taken;
}

/* Blocks that `count` elements are cut in: as near to BLOCKS_FILL as block_size allows. */
static int blocks_for(const struct growth *growth, int count)
{
    int least = (count - 1) / growth->block_size + 1;
    int wanted = (int)(count / (BLOCKS_FILL * growth->block_size) + 0.5);
    return wanted > least ? wanted : least;
}

/* Cuts a chunk in blocks of equal size, or more blocks where max_points ends them early. Returns
 * their number. */
static int grow_chunk(struct growth *growth, int *of, int first, int count)
{
    planner_grow_enter_chunk(growth, first, count);
    for (int rest = count; rest > 0;) {
        rest -= grow_block(growth, of, (rest - 1) / blocks_for(growth, rest) + 1);
    }
    return growth->block;
}

/* ---- all chunks ---------------------------------------------------------------------------- */

static int largest_chunk(int chunks, const int *chunk_start)
{
    int largest = 0;
    for (int i = 0; i < chunks; i++) {
        int count = chunk_start[i + 1] - chunk_start[i];
        largest = count > largest ? count : largest;
    }
    return largest;
}

/* of[e] counts within each chunk from 0 here; made[chunk] becomes the number of its blocks. */
static int grow_chunks(const struct blocks *blocks, const struct plan_mesh *mesh, int chunks,
                       const int *chunk_start, int max_points, int64_t *made, char *error)
{
    int largest = largest_chunk(chunks, chunk_start);
    int hub = HUB_BLOCKS * blocks->block_size;
    int weight = mesh->arity > 0 && mesh->arity < WEIGHT_LEFT ? WEIGHT_LEFT / mesh->arity : 1;
    int status = 0;
#pragma omp parallel
    {
        struct growth growth = {.mesh = mesh,
                                .block_size = blocks->block_size,
                                .max_points = max_points,
                                .weight_left = weight,
                                .hub = hub > HUB_AT_LEAST ? hub : HUB_AT_LEAST};
        char message[PLANNER_ERROR];
        int has_scratch = 0;
        int failed = 0;
#pragma omp for schedule(dynamic, 1)
        for (int i = 0; i < chunks; i++) {
            /* Not before a chunk comes: there may be fewer than threads. */
            failed |= !has_scratch && planner_growth_make(&growth, largest, message) != 0;
            has_scratch = 1;
            if (!failed) {
                made[i] = grow_chunk(&growth, blocks->of, chunk_start[i],
                                     chunk_start[i + 1] - chunk_start[i]);
            }
        }
        if (failed) {
#pragma omp critical(cleave_grow)
            {
                status = -1;
                memcpy(error, message, sizeof message);
            }
        }
        planner_growth_free(&growth);
    }
    return status;
}

int planner_blocks_grow(struct blocks *blocks, const struct plan_mesh *mesh, int chunks,
                        const int *chunk_start, int max_points, char error[PLANNER_ERROR])
{
    int64_t *made = planner_memory((size_t)chunks + 1, sizeof *made, "the blocks of chunks", error);
    if (made == NULL) {
        return -1;
    }
    int status = grow_chunks(blocks, mesh, chunks, chunk_start, max_points, made, error);
    if (status == 0) {
        planner_prefix(made, chunks);
        blocks->count = (int)made[chunks];
#pragma omp parallel for schedule(static)
        for (int i = 0; i < chunks; i++) {
            for (int e = chunk_start[i]; e < chunk_start[i + 1]; e++) {
                blocks->of[e] += (int)made[i];
            }
        }
    }
    free(made);
    return status;
}
