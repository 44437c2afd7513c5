/* analyse.h: what the process that reads a unit does first. */
#ifndef CLEAVE_ANALYSE_H
#define CLEAVE_ANALYSE_H

#include "pass/driver/driver.h"

/* Source to Program with schedules; prints what the front end says and
 * the dumps. Returns 0, or the exit code of a unit that cannot be compiled. */
int unit_read(struct driver *driver, struct unit *unit);
void unit_free(struct unit *unit);

#endif
