/* nvcc.h: compiling CUDA: for which GPUs, and by which command. */
#ifndef CLEAVE_NVCC_H
#define CLEAVE_NVCC_H

#include "pass/driver/driver.h"

/* nvcc.c: the command, which runs in `folder`, and what it needs there before it runs. The latter
 * returns 0, or an exit code after a message. */
struct words nvcc_command(const struct driver *driver, const char *folder, const char *file,
                          const char *object);
struct words nvcc_further_command(const struct driver *driver, const char *file);
int nvcc_prepare(const struct driver *driver, const char *folder);

/* arch.c: sets driver->codes from the settings and the GPUs and compilers of this machine. Returns
 * -1 after a message that says what is missing or unknown. */
int arch_choose(struct driver *driver);

#endif
