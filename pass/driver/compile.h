/* compile.h: a program with loops to an object. */
#ifndef CLEAVE_COMPILE_H
#define CLEAVE_COMPILE_H

#include "pass/driver/driver.h"

/* Generated files, the compilers, the join, the check of the
 * result. Returns 0 or an exit code; then no output is left. */
int unit_compile(struct driver *driver, struct unit *unit);
/* Removes an output that is not to be left; a device such as /dev/null stays. */
void output_remove(const char *path);

#endif
