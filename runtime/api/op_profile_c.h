/* op_profile_c.h: OP2's name of the profiling calls for C; all of it is in op_lib.h. */
#ifndef CLEAVE_OP_PROFILE_C_H
#define CLEAVE_OP_PROFILE_C_H

#include "op_lib.h"

#endif
