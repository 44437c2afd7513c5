/* group_round.h: the time of rounds (group_round.c), for group_trial.c. */
#ifndef CLEAVE_GROUP_ROUND_H
#define CLEAVE_GROUP_ROUND_H

/* Ways in which a group runs, at most; blocks of rounds that each of them is measured in. */
enum { CLEAVE_GROUP_WAYS = 3, CLEAVE_ROUND_BLOCKS = 2 };

/* All 0: none has begun. */
struct cleave_rounds {
    int blocks[CLEAVE_GROUP_WAYS];   /* that have been measured, of each way */
    double least[CLEAVE_GROUP_WAYS]; /* seconds of a round, in the block that took least */
    double most[CLEAVE_GROUP_WAYS];
    int block;    /* that runs now, of all ways */
    int position; /* of the present round in it */
    int rounds;   /* so far, those that did not count, too */
    int has_pair; /* 1: of marks; the numbers below hold */
    int pair;
    int begun;    /* 1: the first mark is set, */
    int begun_at; /* at this position */
    int ended;    /* 1: the second mark is set, in a block of the way `of`; its time is not read */
    int of;
};

/* Forgets what was measured. */
void cleave_rounds_begin(struct cleave_rounds *rounds);
/* The present round has not run in the way that was asked for: its block begins again. */
void cleave_rounds_disturbed(struct cleave_rounds *rounds);
/* The group is complete. way: [ways] those that are tried. Returns the one that it is to run in;
 * -1: all have been measured, or it has taken too many rounds. */
int cleave_rounds_next(struct cleave_rounds *rounds, const int *way, int ways);

#endif
