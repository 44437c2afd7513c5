/* op_lib_cpp.h: OP2's name of the C++ interface; all of it is in op_lib_core.h. */
#ifndef CLEAVE_OP_LIB_CPP_H
#define CLEAVE_OP_LIB_CPP_H

#include "op_lib_core.h"

#endif
