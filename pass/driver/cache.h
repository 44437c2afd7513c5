/* cache.h: compiler caches (ccache, sccache), which start cleavecc as they start gcc. */
#ifndef CLEAVE_DRIVER_CACHE_H
#define CLEAVE_DRIVER_CACHE_H

#include "pass/driver/driver.h"

/* Adds -DCLEAVE_SETTINGS to a command that preprocesses sources (-E), with all that decides about
 * objects besides the command line, for op_lib.h. Adds nothing to other commands. */
void cache_add_settings(const struct driver *driver, struct words *out);

/* Warns when this run was started by a cache that may overlook settings of the environment. Returns
 * 0, or an exit code when -Werror makes that an error. */
int cache_warn(const struct driver *driver);

/* Warns of each preprocessed input (.i) that has loops. Returns as cache_warn() does. */
int cache_warn_preprocessed(const struct driver *driver);

#endif
