/* tile_impl.h: what the files of this room share; nobody else includes it. */
#ifndef CLEAVE_TILE_IMPL_H
#define CLEAVE_TILE_IMPL_H

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/tile/tile.h"

/* When a piece runs: labels are in the order of time, but those of two domains have none. */
enum {
    LABEL_NONE = 0, /* nothing is known yet */
    LABEL_EARLY = 1,
    LABEL_FIRST = 2,     /* + domain << TILE_BITS + number of the tile in its domain */
    LABEL_LATE = INT_MAX /* and whatever needs nothing of the tiles */
};
enum { TILE_BITS = 22, MOST_TILES = (1 << TILE_BITS) - 4 };

/* Consecutive elements of a loop that run together. */
struct piece {
    int first;
    int last;
    int block; /* of the loop's plan, else 0 */
    int label;
};

struct pieces {
    struct piece *piece; /* in the order in which the loop runs them; those of one colour have
                            nothing in common */
    int count;
};

static inline int label_of(int domain, int tile)
{
    return LABEL_FIRST + (domain << TILE_BITS) + tile;
}

static inline int domain_of(int label)
{
    return (label - LABEL_FIRST) >> TILE_BITS;
}

static inline int tile_of(int label)
{
    return (label - LABEL_FIRST) & ((1 << TILE_BITS) - 1);
}

/* The first time behind both. */
static inline int behind_both(int a, int b)
{
    if (a == b) {
        return a;
    }
    const int first = a < b ? a : b;
    const int last = a < b ? b : a;
    const int are_apart =
        first >= LABEL_FIRST && last != LABEL_LATE && domain_of(first) != domain_of(last);
    return are_apart ? LABEL_LATE : last;
}

/* The point of element e. */
static inline size_t point_of(const struct tile_access *access, int e)
{
    return access->map == NULL
               ? (size_t)e
               : (size_t)access->map[(size_t)e * (size_t)access->width + (size_t)access->column];
}

/* Labels of those that have used the points of a set so far, joined. */
struct tile_marks {
    int *any;    /* of all of them */
    int *modify; /* of those that modify the point */
};

static inline void tile_mark(const struct tile_marks *marks, size_t point, int modifies, int label,
                             int (*both)(int a, int b))
{
    marks->any[point] = both(marks->any[point], label);
    if (modifies) {
        marks->modify[point] = both(marks->modify[point], label);
    }
}

/* labels.c: [sets] marks for all points; NULL: there is no memory. */
struct tile_marks *cleave_tile_marks_new(const struct tile_problem *problem);
void cleave_tile_marks_free(struct tile_marks *marks, int sets);
void cleave_tile_marks_reset(const struct tile_marks *marks, const struct tile_problem *problem,
                             int label);

/* labels.c: cuts the loops into pieces and labels them. pieces: [loops], to be freed by
 * cleave_pieces_free(). tiles: [TILE_MOST_DOMAINS] gets the number of each domain's tiles. Returns
 * the number of domains; 0: there are none, or no memory. */
int cleave_pieces_label(const struct tile_problem *problem, struct pieces *pieces, int *tiles);
void cleave_pieces_free(struct pieces *pieces, int loops);

#endif
