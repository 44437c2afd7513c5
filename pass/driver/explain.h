/* explain.h: --cleave-explain: what becomes of the loops of a unit, as text or as a page. */
#ifndef CLEAVE_DRIVER_EXPLAIN_H
#define CLEAVE_DRIVER_EXPLAIN_H

#include "pass/driver/driver.h"

/* Explains the loops of a unit, as the settings say: as text on stderr, or in the page
 * settings.explain_page, whose section of the same source and output it replaces, or adds. A unit
 * without a program has no loops, which the explanation says; other units need their schedules.
 * Returns 0, or 1 after a message: the page cannot be written. */
int explain_unit(const struct driver *driver, const struct unit *unit);

#endif
