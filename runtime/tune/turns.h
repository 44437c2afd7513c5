/* turns.h: the rules of trials, for this room and its tests: which candidate runs a call. Pure: no
 * clock, no device, no files.
 */
#ifndef CLEAVE_TURNS_H
#define CLEAVE_TURNS_H

#include "runtime/tune/tune.h"

/* ---- turns.c -------------------------------------------------------------------------------- */

/* Do for given trials what cleave_tune_turn() and its companions do for a call. */
int cleave_turn(struct cleave_trials *trials, int *measured);
void cleave_turn_took(struct cleave_trials *trials, int n, double seconds);
void cleave_turn_missed(struct cleave_trials *trials, int n);
/* Drops candidate n. If it was chosen, the fastest of the others is; if none was measured, it stays
 * chosen, though dropped. */
void cleave_turn_failed(struct cleave_trials *trials, int n, const char *why);
/* Candidate n waits for its plan: rounds go on without it, and trials do not end. */
void cleave_turn_waits(struct cleave_trials *trials, int n);
/* A plan has arrived: candidates that waited for one take turns again. */
void cleave_turns_arrived(struct cleave_trials *trials);

/* ---- budget.c ------------------------------------------------------------------------------- */

/* When a call may try candidate n: now; later, when the loop has taken more time; never. */
enum cleave_when { CLEAVE_NOW, CLEAVE_LATER, CLEAVE_NEVER };
enum cleave_when cleave_trial_when(const struct cleave_trials *trials, int n);

/* ---- usual.c -------------------------------------------------------------------------------- */

/* Calls that a trial of the variant usually loses, before anything is known of it. */
double cleave_usual_loss(const struct cleave_variant *variant);
/* 1: worth trying beside the rule's variant. CLEAVE_TUNE=full tries all others, too. */
int cleave_is_promising(const struct cleave_variant *variant, const struct cleave_variant *rule);

/* ---- key.c ---------------------------------------------------------------------------------- */

/* The key of the call's trials: a hash of all that decides which candidate is the fastest. */
struct store_key cleave_tune_key(const struct cleave_call *call,
                                 const struct cleave_choice *choice);

/* ---- kept.c --------------------------------------------------------------------------------- */

/* Writes what was found to the store. */
void cleave_trials_keep(struct cleave_trials *trials);
/* Fills count, trial, chosen, settled and calls from the store. 0: it has nothing for the key, or
 * nothing that can be used. */
int cleave_trials_read(struct cleave_trials *trials);

#endif
