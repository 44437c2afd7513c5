/* cleave_tiled.h: which calls of a unit may run tile by tile on the host (runtime/tile/).
 *
 * The compiler writes them into the tables of OpenMP's units. Valid in C11 and C++. */
#ifndef CLEAVE_TILED_CALLS_H
#define CLEAVE_TILED_CALLS_H

#include "cleave_gen.h"

/* Calls that may all run with the last one, which alone may reduce: nobody can see it. Each
 * is the only one of its loop's text in that line of the file that the loop's `location` names. */
struct cleave_tiled {
    int calls;                       /* 2 to CLEAVE_MAX_MEMBERS */
    int call[CLEAVE_MAX_MEMBERS][2]; /* the loop, as its number in cleave_unit.loop; the line */
};

#endif
