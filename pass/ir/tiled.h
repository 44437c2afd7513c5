/* tiled.h: calls of loops that the CPU may run tile by tile (runtime/tile/), all at the last one.
 *
 * The host must not see whether a loop has run when its call returns. So a sequence is made of
 * calls that surely follow one another, and of host code in between that reads and writes variables
 * of its own alone. Which sets, maps and dats the loops use does not matter here: the runtime finds
 * out which elements depend on which.
 */
#ifndef CLEAVE_TILED_IR_H
#define CLEAVE_TILED_IR_H

#include "pass/ir/group.h"

struct tiled_call {
    int loop;       /* index in program->loop, below program->user_loops */
    struct loc loc; /* of the call: the only one of that loop in that line */
};

struct tiled {
    int calls; /* 2 to GROUP_MOST_MEMBERS; the last one alone may reduce */
    struct tiled_call call[GROUP_MOST_MEMBERS];
};

enum { TILED_MOST = 64 }; /* sequences of a unit */

/* The text of --cleave-dump=groups behind that of groups (format: pass/ir/FORMAT.md). */
void tiled_print(FILE *out, const struct program *program);

#endif
