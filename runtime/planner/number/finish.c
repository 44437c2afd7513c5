/* finish.c: from blocks to a numbering: what is empty goes, what has too many points
 * is cut, elements are sorted inside their blocks, numbers become the user's. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/planner/number/number.h"

/* ---- cutting -------------------------------------------------------------------------------- */

/* Points of a piece of a block, in an open hash table. */
struct piece {
    int *slot; /* [1 << bits] points, -1: free */
    int bits;
    int points;
};

/* How many of an element's points the piece does not have yet; adds them when `add`. */
static int missing_points(struct piece *piece, const int *point, int arity, int add)
{
    unsigned mask = (1u << piece->bits) - 1;
    int missing = 0;
    for (int c = 0; c < arity; c++) {
        unsigned at = (uint32_t)point[c] * UINT32_C(2654435769) >> (32 - piece->bits);
        while (piece->slot[at] >= 0 && piece->slot[at] != point[c]) {
            at = (at + 1) & mask;
        }
        if (piece->slot[at] >= 0) {
            continue;
        }
        int repeat = 0;
        for (int earlier = 0; earlier < c && !add; earlier++) {
            repeat |= point[earlier] == point[c];
        }
        missing += !repeat;
        if (add) {
            piece->slot[at] = point[c];
        }
    }
    return missing;
}

static void clear_piece(struct piece *piece)
{
    memset(piece->slot, 0xff, (sizeof *piece->slot) << piece->bits);
    piece->points = 0;
}

/* Cuts a block's sorted elements into pieces of at most max_points points (an element that has more
 * makes a piece alone). Returns the number of pieces; end[] gets where each ends, unless NULL. */
static int cut_block(struct piece *piece, int *end, const int *element, int count, int max_points,
                     const struct plan_mesh *mesh)
{
    int pieces = 0;
    clear_piece(piece);
    for (int i = 0; i < count; i++) {
        const int *point = mesh->point + (size_t)element[i] * (size_t)mesh->arity;
        int missing = missing_points(piece, point, mesh->arity, 0);
        if (piece->points > 0 && piece->points + missing > max_points) {
            if (end != NULL) {
                end[pieces] = i;
            }
            pieces++;
            clear_piece(piece);
        }
        piece->points += missing_points(piece, point, mesh->arity, 1);
    }
    if (end != NULL) {
        end[pieces] = count;
    }
    return pieces + 1;
}

/* Bits of a table that stays half empty with the points of a whole block. */
static int piece_bits(const struct blocks *blocks, const struct plan_mesh *mesh)
{
    int bits = 4;
    while ((int64_t)1 << bits < (int64_t)2 * blocks->block_size * mesh->arity) {
        bits++;
    }
    return bits;
}

/* ---- all blocks ----------------------------------------------------------------------------- */

struct closing {
    const struct plan_mesh *mesh;
    const struct blocks *blocks;
    int max_points;
    int sorted;
    const int *start;
    int *element;
    int64_t *pieces; /* [blocks+1] of each block, then the first one's number */
};

/* The memory of one thread. */
struct closing_scratch {
    struct number_walk walk; /* of blocks that are sorted */
    struct piece piece;
    int *end;
};

static int reserve_scratch(struct closing_scratch *scratch, const struct closing *closing)
{
    const char *what = "closing blocks";
    size_t size = (size_t)closing->blocks->block_size;
    scratch->piece.bits = piece_bits(closing->blocks, closing->mesh);
    scratch->end = planner_memory(size, sizeof *scratch->end, what, NULL);
    scratch->piece.slot =
        planner_memory((size_t)1 << scratch->piece.bits, sizeof *scratch->piece.slot, what, NULL);
    if (closing->sorted && planner_walk_reserve(&scratch->walk, closing->blocks->block_size,
                                                closing->mesh->arity) != 0) {
        return -1;
    }
    return scratch->end != NULL && scratch->piece.slot != NULL ? 0 : -1;
}

static void free_scratch(struct closing_scratch *scratch)
{
    planner_walk_free(&scratch->walk);
    free(scratch->end);
    free(scratch->piece.slot);
}

static void close_block(struct closing_scratch *scratch, const struct closing *closing, int b)
{
    int first = closing->start[b];
    int count = closing->start[b + 1] - first;
    if (closing->sorted) {
        planner_walk_sort(&scratch->walk, closing->element + first, count, closing->mesh);
    }
    closing->pieces[b] = count > 0;
    if (count > 0 && closing->max_points > 0) {
        closing->pieces[b] = cut_block(&scratch->piece, NULL, closing->element + first, count,
                                       closing->max_points, closing->mesh);
    }
}

/* Writes where the pieces of block b start. */
static void write_starts(int *to, struct closing_scratch *scratch, const struct closing *closing,
                         int b)
{
    int first = closing->start[b];
    int count = closing->start[b + 1] - first;
    int64_t piece = closing->pieces[b];
    int64_t pieces = closing->pieces[b + 1] - piece;
    if (pieces > 0) {
        to[piece] = first;
    }
    if (pieces > 1) {
        cut_block(&scratch->piece, scratch->end, closing->element + first, count,
                  closing->max_points, closing->mesh);
        for (int64_t k = 1; k < pieces; k++) {
            to[piece + k] = first + scratch->end[k - 1];
        }
    }
}

/* starts NULL: sorts and counts; else writes the starts. */
static int for_all_blocks(const struct closing *closing, int *starts, char *error)
{
    int failed = 0;
#pragma omp parallel reduction(| : failed)
    {
        struct closing_scratch scratch = {0};
        failed = reserve_scratch(&scratch, closing) != 0;
#pragma omp for schedule(dynamic, 16)
        for (int b = 0; b < closing->blocks->count; b++) {
            if (failed) {
                continue;
            }
            if (starts == NULL) {
                close_block(&scratch, closing, b);
            } else {
                write_starts(starts, &scratch, closing, b);
            }
        }
        free_scratch(&scratch);
    }
    if (failed) {
        snprintf(error, PLANNER_ERROR, "out of memory while closing the blocks of a numbering");
    }
    return failed ? -1 : 0;
}

static int close_blocks(struct plan_numbering *numbering, struct closing *closing, char *error)
{
    if (for_all_blocks(closing, NULL, error) != 0) {
        return -1;
    }
    planner_prefix(closing->pieces, closing->blocks->count);
    numbering->blocks = (int)closing->pieces[closing->blocks->count];
    numbering->start = planner_memory((size_t)numbering->blocks + 1, sizeof *numbering->start,
                                      "the blocks of a numbering", error);
    if (numbering->start == NULL || for_all_blocks(closing, numbering->start, error) != 0) {
        return -1;
    }
    numbering->start[numbering->blocks] = numbering->elements;
    const int *user = closing->mesh->user;
#pragma omp parallel for schedule(static)
    for (int i = 0; i < numbering->elements; i++) {
        numbering->order[i] = user != NULL ? user[closing->element[i]] : closing->element[i];
    }
    return 0;
}

int planner_number_finish(struct plan_numbering *numbering, const struct numbering_job *job,
                          int sorted, char error[PLANNER_ERROR])
{
    int *start;
    int *element;
    const struct blocks *blocks = &job->blocks;
    if (planner_blocks_lists(&start, &element, blocks, job->mesh.elements, error) != 0) {
        return -1;
    }
    struct closing closing = {&job->mesh, blocks, job->max_points, sorted, start, element, NULL};
    closing.pieces = planner_memory((size_t)blocks->count + 1, sizeof *closing.pieces,
                                    "the pieces of blocks", error);
    int status = closing.pieces != NULL ? close_blocks(numbering, &closing, error) : -1;
    free(start);
    free(element);
    free(closing.pieces);
    return status;
}
