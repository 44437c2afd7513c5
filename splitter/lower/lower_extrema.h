/* lower_extrema.h: shared by, and private to, the files that lower OP_MIN and OP_MAX. */
#ifndef CLEAVE_SPLITTER_LOWER_EXTREMA_H
#define CLEAVE_SPLITTER_LOWER_EXTREMA_H

#include "splitter/lower/lower_impl.h"

/* ---- lower_extrema.c --------------------------------------------------------------------------
 */

/* Without one implicit cast. */
const struct expr *extremum_bare(const struct expr *expr);
/* Ends lowering: the place is set in a way that is not known. */
_Noreturn void extremum_unknown(struct lower *lower, const struct location *location);

/* ---- lower_extrema_guards.c -------------------------------------------------------------------
 */

/* The conditions of an update, read from left to right, each a guard of what follows it. One of
 * them is the comparison with the place, which is no guard. */
struct extremum_guards {
    const struct location *location;
    const struct expr *comparison; /* NULL: not met yet */
    bool never;                    /* one of the others does not hold */
    int count;
    int room;
    struct guard_at {
        struct expr *condition;
        struct branch branch;
    } *guard;
};

/* Lowers a condition, and makes guards of its parts. */
void extremum_guards_enter(struct lower *lower, struct extremum_guards *guards,
                           struct expr *source);
/* Ends the guards, the last one first. */
void extremum_guards_leave(struct lower *lower, struct extremum_guards *guards);

#endif
