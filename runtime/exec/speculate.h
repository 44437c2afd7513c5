/* speculate.h: groups that start before the program has called their loops (speculate.c); private
 * to exec/. */
#ifndef CLEAVE_SPECULATE_H
#define CLEAVE_SPECULATE_H

#include "runtime/exec/launcher.h"

/* The host is about to wait for results of the call. */
void cleave_speculate_waits(const struct cleave_call *call);
/* It begins to wait, and nothing is queued: starts the group that is expected behind the call, if
 * there is one. */
void cleave_speculate_launch(void);
/* The results are there, and so are those of all launches that started before this one. */
void cleave_speculate_waited(void);
/* A launch waits for no group any more: it may be the first behind such a wait. */
void cleave_speculate_saw(const struct cleave_queued *queued);
/* 1: this launch has started. */
int cleave_speculate_expects(const struct cleave_queued *queued);
/* Returns the slot of the results of the call's next launch, for cleave_results_place(). */
int cleave_speculate_slot(const struct cleave_call *call);
/* Call instead of starting a launch. 1: it has started already. 0: start it; the one that was
 * started, if any, was a wrong guess. */
int cleave_speculate_takes(const struct cleave_queued *queued);
/* Call before a launch starts that has not been taken: its results may have been given a slot that
 * a wrong guess still writes to; waits until it does not. */
void cleave_speculate_settle(const struct cleave_queued *queued);
/* Before anything else happens on the device: what was started was a wrong guess. Its results are
 * in second buffers, which hold nothing of value. */
void cleave_speculate_revoke(void);
/* The same before a launch that cannot have been started, as one that is timed: if it is the one
 * that was expected, the guess was not wrong. Settles it, so that its time begins behind the wait.
 */
void cleave_speculate_stop(const struct cleave_queued *queued);
/* Forgets what is expected, as before code is unloaded. */
void cleave_speculate_forget(void);
/* Forgets launches with the dat, which is about to be freed. */
void cleave_speculate_forget_dat(op_dat dat);
/* Forgets launches that have the memory of the device, which is about to be released: none of them
 * is running ahead of its calls. */
void cleave_speculate_released(const void *memory);
/* Forgets everything in a child of fork(), which has no device. */
void cleave_speculate_lost(void);

#endif
