/* doubt.h: how sure a guess is that it will come again, for launches that start before their calls:
 * early.c and speculate.c; private to exec/. */
#ifndef CLEAVE_DOUBT_H
#define CLEAVE_DOUBT_H

#include "runtime/base/base.h"

/* A guess is made after so many equal calls in a row; each wrong one doubles the number, and RIGHTS
 * right ones in a row halve it: the end of a solver's iteration is one wrong guess after many right
 * ones. */
enum { CLEAVE_DOUBT_SURE = 3, CLEAVE_DOUBT_NEVER = 1 << 20, CLEAVE_DOUBT_RIGHTS = 8 };

struct cleave_doubt {
    int times;  /* in a row that the same came */
    int enough; /* so many make it expected; CLEAVE_DOUBT_SURE at first */
    int rights; /* guesses in a row, modulo CLEAVE_DOUBT_RIGHTS */
};

static inline void cleave_doubt_wrong(struct cleave_doubt *doubt)
{
    doubt->times = 0;
    doubt->enough = MIN(2 * doubt->enough, CLEAVE_DOUBT_NEVER);
    doubt->rights = 0;
}

static inline void cleave_doubt_right(struct cleave_doubt *doubt)
{
    doubt->rights = (doubt->rights + 1) % CLEAVE_DOUBT_RIGHTS;
    if (doubt->rights == 0) {
        doubt->enough = MAX(doubt->enough / 2, CLEAVE_DOUBT_SURE);
    }
}

#endif
