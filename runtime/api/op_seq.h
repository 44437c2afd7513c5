/* op_seq.h: the name that OP2's programs include; all of it is in op_lib_core.h. */
#ifndef CLEAVE_OP_SEQ_H
#define CLEAVE_OP_SEQ_H

#include "op_lib_core.h"

#endif
