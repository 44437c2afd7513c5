/* order_trial.h: compares the time of loops before and after the order of the mesh was adopted. */
#ifndef CLEAVE_ORDER_TRIAL_H
#define CLEAVE_ORDER_TRIAL_H

#include "runtime/exec/launcher.h"

/* 1: a trial goes on. */
extern int cleave_order_is_tried;
/* Follows the trial before a loop is launched, with the state of dats held; may give the mesh the
 * program's order back. */
void cleave_order_trial_call(struct cleave_call *call);
/* Call where a loop begins, after cleave_order_adopt_if_ready(). Costs two loads while there is
 * nothing to try. */
static inline void cleave_order_trial(struct cleave_call *call)
{
    if (cleave_order_is_tried || cleave_order_awaited) {
        cleave_order_trial_call(call);
    }
}

#endif
