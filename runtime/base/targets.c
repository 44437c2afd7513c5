/* targets.c: which targets run the loops. api/init.c chooses them. */
#include "runtime/base/base.h"

struct cleave_targets cleave_targets;
const struct target_ops *cleave_device;
unsigned long cleave_generation = 1;
