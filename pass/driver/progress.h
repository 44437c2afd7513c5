/* progress.h: a line on the terminal while a compiler takes long, erased when it has ended.
 *
 * Only where stderr is a terminal that can erase, and make runs nothing else that writes there.
 */
#ifndef CLEAVE_DRIVER_PROGRESS_H
#define CLEAVE_DRIVER_PROGRESS_H

#include <stdbool.h>

bool progress_is_wanted(void);
/* Shows that `what` has worked on `source` for so many seconds; shows nothing before the third
 * second. */
void progress_show(const char *source, const char *what, double seconds);
/* Leaves the terminal as it was. */
void progress_erase(void);

#endif
