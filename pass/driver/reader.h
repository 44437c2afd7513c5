/* reader.h: the process that reads a unit, and what it is asked for. */
#ifndef CLEAVE_READER_H
#define CLEAVE_READER_H

#include "pass/driver/driver.h"

/* Starts the process that reads the unit, and awaits its analysis. Returns 0, or the exit
 * code of a unit that cannot be compiled. Where that process crashes, a warning says so, and the
 * unit has no loops any more. */
int unit_analyse(struct driver *driver, struct unit *unit);
/* Writes a generated text of a unit with loops to a file. Returns 0, or an exit code after a
 * message. After a crash has_loops is false. */
int unit_generate(struct unit *unit, enum codegen_target target, const char *path);
/* Whether OpenMP variants call kernels whole (codegen_options.whole), as debuggers, coverage and
 * sanitizers need it. */
bool reader_calls_whole(const struct driver *driver);
/* Writes the text of further variants, likewise; an empty file if there are none. */
int unit_generate_further(struct unit *unit, enum codegen_target target, const char *path);
/* Ends the process that read the unit. Returns `code`, or another one than 0 if that ended badly.
 */
int unit_finish(struct unit *unit, int code);

#endif
