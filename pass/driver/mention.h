/* mention.h: whether a source may have parallel loops, before it is parsed. */
#ifndef CLEAVE_MENTION_H
#define CLEAVE_MENTION_H

#include "pass/driver/driver.h"

/* False where nothing of OP2 is in the unit's source as the preprocessor leaves it. */
bool unit_may_have_loops(const struct driver *driver, const struct unit *unit);
/* Whether op_par_loop stands in the text as the preprocessor leaves it. */
bool text_has_expanded_loops(const char *text);
/* Whether it does in the unit's source, preprocessed; false also when that fails. */
bool unit_expands_loops(const struct driver *driver, const struct unit *unit);
/* Whether the source itself has the word op_par_loop; false also when it cannot be read.
 */
bool unit_names_loops(const struct unit *unit);

#endif
