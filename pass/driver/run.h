/* run.h: from the command line to the commands. */
#ifndef CLEAVE_DRIVER_RUN_H
#define CLEAVE_DRIVER_RUN_H

#include "pass/driver/driver.h"

/* Runs the command line. Returns the exit code; does not return if the host compiler alone can
 * do the work, because that replaces this process. */
int driver_run(struct driver *driver);

#endif
