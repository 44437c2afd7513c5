/* op_profile.h: OP2's name of the profiling calls; all of it is in op_lib.h. */
#ifndef CLEAVE_OP_PROFILE_H
#define CLEAVE_OP_PROFILE_H

#include "op_lib.h"

#endif
