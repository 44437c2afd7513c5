/* op_rt_support.h: op_lib_core.h, and what OP2's loops ask of it. Plans are the runtime's own: the
 * functions of the op_plan family are refused when they are called (op_lib_single.h). */
#ifndef CLEAVE_OP_RT_SUPPORT_H
#define CLEAVE_OP_RT_SUPPORT_H

#include "op_lib_core.h"

/* Elements of the dat that takes part; 0 of one that is switched off. */
static inline int getSetSizeFromOpArg(op_arg *arg)
{
    return arg->opt && arg->dat != NULL ? arg->dat->set->size : 0;
}

/* 0: a loop does not run on host and device at once. */
static inline int getHybridGPU(void)
{
    return 0;
}

#endif
