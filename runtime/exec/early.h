/* early.h: launches that start before the values of their globals are known (early.c); private to
 * exec/. */
#ifndef CLEAVE_EARLY_H
#define CLEAVE_EARLY_H

#include "runtime/exec/launcher.h"

/* The host is about to wait for results of the call. */
void cleave_early_waits(const struct cleave_call *call);
/* It begins to wait, and nothing is queued: starts the launch that is expected behind the call, if
 * there is one. */
void cleave_early_launch(void);
/* A launch waits for no group any more: it may be the first behind such a wait. */
void cleave_early_saw(const struct cleave_queued *queued);
/* 1: this launch was started early. */
int cleave_early_expects(const struct cleave_queued *queued);
/* Call instead of starting a launch. 1: it was started early, and has its values now. 0: start it;
 * the one that was started early, if any, does nothing. */
int cleave_early_takes(const struct cleave_queued *queued);
/* Before anything else happens on the device: a launch that was started early does nothing. It
 * was a wrong guess: the next one takes more equal calls. */
void cleave_early_revoke(void);
/* The same before a launch that cannot have been started early, as one that is timed: if it is the
 * one that was expected, the guess was not wrong. */
void cleave_early_stop(const struct cleave_queued *queued);
/* Forgets what is expected, as before code is unloaded. */
void cleave_early_forget(void);
/* The same in a child of fork(), which has no device. */
void cleave_early_lost(void);
/* At op_exit. */
void cleave_early_free(void);

#endif
