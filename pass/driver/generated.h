/* generated.h: the compilers' commands. */
#ifndef CLEAVE_GENERATED_H
#define CLEAVE_GENERATED_H

#include "pass/driver/driver.h"

/* Words that begin every command of the host compiler: its name and our include path. */
struct words host_command(const struct driver *driver);

/* The command for a generated OpenMP file, and for the CUDA text of the emulator. `folder` is where
 * the file is. */
struct words openmp_command(const struct driver *driver, const struct unit *unit,
                            const char *folder, const char *file, const char *object);
/* The command for a file of data in the host's language, without debugging information. */
struct words data_command(const struct driver *driver, const struct unit *unit, const char *folder,
                          const char *file, const char *object);
struct words emulator_command(const struct driver *driver, const char *folder, const char *file,
                              const char *object);
struct words emulator_further_command(const struct driver *driver, const char *file);

#endif
