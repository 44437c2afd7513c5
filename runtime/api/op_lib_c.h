/* op_lib_c.h: OP2's name of the C interface; all of it is in op_lib_core.h. */
#ifndef CLEAVE_OP_LIB_C_H
#define CLEAVE_OP_LIB_C_H

#include "op_lib_core.h"

#endif
