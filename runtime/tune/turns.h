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

/* Samples of each candidate after which a phase of the trials ends: short calls are measured more
 * often, since the clock tells their times less well. */
int cleave_trial_samples(const struct cleave_trials *trials);

/* ---- judge.c -------------------------------------------------------------------------------- */

/* Judges the candidates after a round whose times are all known. */
void cleave_trials_judge(struct cleave_trials *trials);
/* Ends the trials with the chosen candidate. */
void cleave_trials_settle(struct cleave_trials *trials);
/* why: a text that lives as long as the trials. */
void cleave_trial_drop(struct cleave_trial *trial, const char *why);
/* 1: it has to be prepared, which makes the loop wait, and rounds go on without it until the
 * program can afford that. */
int cleave_trial_is_put_off(const struct cleave_trial *trial);
/* 1: the chosen candidate is the rule's, or was measured to be faster than it. A rule's choice that
 * was never measured is only beaten where it cannot run. */
int cleave_trials_beat_rule(const struct cleave_trials *trials);
/* Chooses the rule's candidate, which can run, whatever was found of it before. */
void cleave_trials_return_to_rule(struct cleave_trials *trials);
/* The fastest of all that were measured and may still run; -1: there is none. */
int cleave_trials_next_best(const struct cleave_trials *trials);

/* ---- budget.c ------------------------------------------------------------------------------- */

/* When a call may try candidate n: now; later, when loops have taken more time; never. */
enum cleave_when { CLEAVE_NOW, CLEAVE_LATER, CLEAVE_NEVER };
enum cleave_when cleave_trial_when(const struct cleave_trials *trials, int n);
/* Seconds that a trial of candidate n is expected to cost the program. */
double cleave_trial_cost(const struct cleave_trials *trials, int n);
/* 1: the program would have to go on for many times as long before the account had the candidate's
 * plan: trials do not wait for it. */
int cleave_is_out_of_reach(const struct cleave_trials *trials, const struct cleave_trial *trial);
/* 1: the loop takes so much of the program's time that its candidates may be listed and tried.
 * variants: among which the candidates are. */
int cleave_is_worth_trials(struct cleave_trials *trials, int variants);
/* 1: the loop has been called so often in this run that it may be tuned. */
int cleave_is_called_enough(const struct cleave_trials *trials);
/* Seconds that the loops of a run take before trials go on that an earlier run has not ended. */
double cleave_rests_for(const struct cleave_trials *trials);
/* 1: it takes a share of the program's time that makes trials worthwhile at some time. */
int cleave_has_share(const struct cleave_trials *trials);
/* Seconds that the loop has taken in this run. */
double cleave_loop_seconds(const struct cleave_trials *trials);
/* Preparing a candidate has taken so many seconds. */
void cleave_account_prepared(struct cleave_account *account, double seconds);
/* 1: no loop that takes more time can use the account now. */
int cleave_is_next(const struct cleave_trials *trials);
/* Seconds that a call costs if it is the first measured one of its sequence; 0: it is not. */
double cleave_disturbance(const struct cleave_account *account);
/* 1: the call may measure a candidate: there are no graphs, its sequence is none, or a batch of
 * measured calls is open. */
int cleave_batch_is_open(const struct cleave_account *account);
/* A call could afford to measure candidate n: asks for a batch, from the next sequence on until the
 * loop's next call, if the account has enough for others to join. 1: a batch comes. */
int cleave_batch_ask(struct cleave_trials *trials, int n);
/* 1: `chosen` saves so much that it may replace the candidate that usually runs. */
int cleave_pays_to_change(const struct cleave_trials *trials);
/* Seconds that making graphs anew costs: less behind another change, more of which may follow. */
double cleave_change_cost(const struct cleave_account *account);

/* ---- listing.c ------------------------------------------------------------------------------ */

/* Adds the rule's choice to the trials unless they have it. Returns its number. */
int cleave_list_rule(struct cleave_trials *trials, struct cleave_call *call,
                     const struct cleave_choice *rule);
/* Adds all candidates that are not there yet, after the rule's choice: first the variants with
 * their usual block sizes, in the order in which they are tried, then the other block sizes. */
void cleave_list_all(struct cleave_trials *trials, struct cleave_call *call,
                     const struct cleave_choice *rule);
/* 1: plans for candidates are made in the background. */
int cleave_plans_come_later(const struct cleave_trials *trials);
/* The variants that the call has for the target of the choice. */
int cleave_variants_of(const struct cleave_call *call, const struct cleave_choice *choice);
/* Seconds that the model expects of the choice's variant in blocks of this size; 0: unknown. */
double cleave_trial_predict(struct cleave_call *call, const struct cleave_choice *choice,
                            int block_size);

/* ---- further.c ------------------------------------------------------------------------------ */

/* Finds what variants that the program does not hold would bring, by the model, after all that it
 * holds are listed. */
void cleave_further_look(struct cleave_trials *trials, struct cleave_call *call,
                         const struct cleave_choice *rule);
/* Asks for them as soon as the program has run so long that compiling is worth it. */
void cleave_further_ask(struct cleave_trials *trials, const struct cleave_choice *choice);
/* 1: the choice's loop has a further variant of that name, which is being compiled. */
int cleave_further_is_coming(const struct cleave_choice *choice, const char *name);

/* ---- usual.c -------------------------------------------------------------------------------- */

/* Calls that a trial of the variant usually loses beside the rule's, before anything is known of
 * it.
 */
double cleave_usual_loss(const struct cleave_variant *variant, const struct cleave_variant *rule);
/* 1: worth trying beside the rule's variant. CLEAVE_TUNE=full tries all others, too. */
int cleave_is_promising(const struct cleave_variant *variant, const struct cleave_variant *rule);

/* ---- key.c ---------------------------------------------------------------------------------- */

/* The key of the call's trials: a hash of all that decides which candidate is the fastest. */
struct store_key cleave_tune_key(struct cleave_call *call, const struct cleave_choice *choice);

/* ---- kept.c --------------------------------------------------------------------------------- */

/* Candidates that were measured, in this run or in earlier ones. */
int cleave_trials_measured(const struct cleave_trials *trials);
/* Writes what was found to the store, unless nothing was and the loop was called a few times only.
 */
void cleave_trials_keep(struct cleave_trials *trials);
/* Fills count, trial, chosen, settled, rests, ended_after and calls from the store. 0: it has
 * nothing for the key, or nothing that can be used. */
int cleave_trials_read(struct cleave_trials *trials);

#endif
