/* link.h: what programs are linked with. */
#ifndef CLEAVE_LINK_H
#define CLEAVE_LINK_H

#include "pass/driver/driver.h"

/* op2.c: takes OP2's own libraries out of a link command, with a warning. Returns 0, or an exit
 * code when that is an error, or when the link has an object of OP2's. */
int op2_leave_out(struct driver *driver);

/* link.c: libraries that every program is linked with. */
void link_add_libraries(const struct driver *driver, struct words *out);

#endif
