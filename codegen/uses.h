/* uses.h: a stage's uses of the loop's arguments; shared by uses.c, bodies.c and updates.c. */
#ifndef CLEAVE_CODEGEN_USES_H
#define CLEAVE_CODEGEN_USES_H

#include "codegen/emit.h"

/* How a stage uses an argument. */
struct body_use {
    unsigned columns; /* bit c: column c's pointer, 0 where the argument is no vector */
    bool itself; /* the parameter's own name, with a subscript that is no constant, or passed on */
    int names;   /* uses of the name, */
    int subscripts;     /* and those as p[i] or *p whose address is not taken */
    const char *prefix; /* of the names of a vector's pointers: "x_" */
};

/* These return [args], in the program's arena: no uses; the uses in a body's trees. */
struct body_use *uses_none(const struct emit *emit);
struct body_use *uses_of(const struct emit *emit, struct stmt *body);
/* Adds to emit->use the arguments that values of the stage's updates use. */
void uses_add_updates(const struct emit *emit, const struct stage *stage);

#endif
