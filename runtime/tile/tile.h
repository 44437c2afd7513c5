/* tile.h: several loops on the host, tile by tile instead of one after the other, so that what one
 * loop has read or written is still in a cache when the next one needs it (sparse tiling).
 *
 * In: loops in the order of their calls, the points that their elements read and modify. Out: a
 * schedule. It runs elements that have a point in common, and do not both only read it, in the
 * order in which the loops run them one after the other: results have the same bits, on any number
 * of threads. Like the planner, this room uses no environment, no output and no globals.
 *
 *     early   what the tiles of several domains need; loop by loop, on all threads
 *     domains each is a list of tiles that one thread runs in their order; a tile is a part of each
 *             loop, and runs them in the order of the loops. No element of a domain needs anything
 *             of another domain
 *     late    what needs the tiles of several domains; loop by loop
 *
 * One loop, the seed, cuts its elements into domains and tiles: the ranges of its plan (or runs of
 * blocks), and chunks of them. Loops before the seed run each element in the first tile that needs
 * it, loops behind it in the last tile that the element needs. */
#ifndef CLEAVE_TILE_H
#define CLEAVE_TILE_H

#include "cleave_gen.h"

enum { TILE_MOST_DOMAINS = 256 };

/* How the elements of a loop reach points of a set: element e names point map[e * width + column],
 * or itself if map is NULL. */
struct tile_access {
    int set; /* position in tile_problem.points */
    const int *map;
    int width;
    int column;
    int modifies; /* 1: writes or increments; 0: reads */
};

struct tile_loop {
    int elements;
    /* Elements that stay together: runs of so many from element 0 on, or parts of segments of the
     * plan; at least 1. */
    int piece;
    /* A plan of CLEAVE_PLAN_RANGES, for loops that modify points through maps; NULL: no element
     * modifies what another one reads or modifies. */
    const struct cleave_plan *plan;
    double bytes; /* that the loop moves for an element */
    int accesses; /* to points that any of the loops modifies; no others matter */
    const struct tile_access *access;
};

struct tile_problem {
    int sets;
    const int *points; /* [sets] size of each */
    int loops;
    const struct tile_loop *loop;
    double tile_bytes; /* that all loops move in a tile, about */
};

/* Elements first[s] .. last[s]-1 for each segment s, in the order in which they run. */
struct tile_segments {
    int count;
    int *first;
    int *last;
};

/* What a loop runs early, or late. */
struct tile_part {
    struct tile_segments segments;
    struct cleave_plan *plan; /* of a loop with a plan: with these segments, for all threads */
    int *segment_start;       /* of that plan */
};

struct tile_schedule {
    int loops;
    int domains;
    int tiles;
    int *tile; /* [domains + 1] the first tile of each domain */
    int *cell; /* [tiles * loops + 1] cell tile * loops + loop: its first segment */
    struct tile_segments segments;
    struct tile_part *early; /* [loops] */
    struct tile_part *late;  /* [loops] */
    double share;            /* of all bytes that tiles move */
};

/* Returns a schedule, which the caller frees; NULL: there is no memory, or no loop whose elements
 * fall into domains. The plans of the problem must live as long. */
struct tile_schedule *cleave_tile_schedule_new(const struct tile_problem *problem);
void cleave_tile_schedule_free(struct tile_schedule *schedule);

/* Returns NULL if the schedule keeps the order of all elements that depend on each other (check.c),
 * else a text that stays and says what it does wrong. loop: gets the loop with that fault, or 0. */
const char *cleave_tile_check(const struct tile_problem *problem,
                              const struct tile_schedule *schedule, int *loop);

#endif
