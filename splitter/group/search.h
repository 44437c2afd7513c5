/* search.h: runs of loops that may be computed together. */
#ifndef CLEAVE_SPLITTER_GROUP_SEARCH_H
#define CLEAVE_SPLITTER_GROUP_SEARCH_H

#include "splitter/group/group_impl.h"

enum {
    SEARCH_MOST_VISITS = 400000, /* of nodes: a bound for programs with many ways */
    SEARCH_MOST_RUNS = 4096,
    SEARCH_MOST_PAIRS = 1024
};

/* Two loops of which the second may come next behind the first. */
struct pair {
    struct run run;
    const char *why; /* they cannot be in one group; NULL: they can */
};

struct search {
    const struct program *program;
    struct traits traits;
    const char **alone; /* [loop] loop_why_alone() */
    int pairs;          /* each pair of loops once; legal ones have no reason */
    int pair_room;
    struct pair *pair;
    bool gathers; /* runs may become a GROUP_GATHER */
    int runs;
    long visits;
    int walks;
    int *seen; /* [node of a flow] the last walk that saw it */
    void (*found)(const struct run *run, void *user);
    void *user;
};

/* gathers: runs may become a GROUP_GATHER. Calls found() for each run of two joined loops or
 * more, from each call of a loop on, that no other joined loop can follow; its first and last
 * members are joined. Returns what it learnt of pairs, in the
 * program's arena. */
struct search *search_runs(const struct program *program, bool gathers,
                           void (*found)(const struct run *run, void *user), void *user);

#endif
