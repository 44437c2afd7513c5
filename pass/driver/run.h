/* run.h: from the command line to the commands. */
#ifndef CLEAVE_DRIVER_RUN_H
#define CLEAVE_DRIVER_RUN_H

#include "pass/driver/driver.h"

/* Does what the command line asks. Returns the exit code; does not return when the host compiler
 * alone can do it, and takes this process's place. */
int driver_run(struct driver *driver);

#endif
