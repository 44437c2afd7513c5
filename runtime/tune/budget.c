/* budget.c: what trials cost, and whether a loop can afford the next one. */
#include <math.h>

#include "runtime/tune/turns.h"

/* Calls before others than the chosen candidate are tried. */
#define LEAST_CALLS 10
/* Share of the loop's time so far that trials may lose: in its first calls, and later. */
#define SHARE_AT_FIRST 0.10
#define SHARE_SO_FAR 0.20
#define FIRST_CALLS 20
/* Calls' worth of time that trials may lose in all, below 3 % of 1,000 calls: the last trial may
 * lose more than was expected. */
#define MOST_LOST_CALLS 25.0
/* Calls that a trial of a variant which was never measured is expected to lose. */
#define LOSS_OF_UNKNOWN 2.0
/* Calls' worth of time that preparing one candidate may take. */
#define MOST_SETUP_CALLS 100.0
/* Predictions are not trusted to exclude a candidate: none is expected to lose more, in calls. */
#define MOST_PREDICTED_LOSS 4.0

/* Returns the calls that the measured variants lose on average: an unknown one may be like them. */
static double usual_loss(const struct cleave_trials *trials)
{
    const double best = trials->trial[trials->chosen].seconds;
    double lost = 0.0;
    int known = 0;
    for (int n = 0; n < trials->count; n++) {
        const struct cleave_trial *trial = &trials->trial[n];
        if (n != trials->chosen && trial->first && trial->samples > 0) {
            lost += fmax(trial->seconds / best - 1.0, 0.0);
            known++;
        }
    }
    return known > 0 ? lost / known : 0.0;
}

/* Seconds by which the candidate is expected to be slower than the chosen one. */
static double expected_loss(const struct cleave_trials *trials, int n)
{
    const struct cleave_trial *trial = &trials->trial[n];
    const struct cleave_trial *chosen = &trials->trial[trials->chosen];
    double calls = trial->guess;
    if (n == trials->chosen) {
        return 0.0;
    }
    if (trial->samples > 0) {
        return fmax(trial->seconds - chosen->seconds, 0.0);
    }
    if (trial->predicted > 0.0 && chosen->predicted > 0.0) {
        calls = fmin(fmax(trial->predicted / chosen->predicted - 1.0, 0.1), MOST_PREDICTED_LOSS);
    } else if (trial->first) {
        calls = fmax(calls, usual_loss(trials));
    }
    return calls * chosen->seconds;
}

/* Expected losses of the calls whose times are not known yet. A variant that was never measured
 * counts as LOSS_OF_UNKNOWN calls at least, so that few such calls are on their way at a time. */
static double outstanding(const struct cleave_trials *trials)
{
    double lost = 0.0;
    for (int n = 0; n < trials->count && trials->unread > 0; n++) {
        const struct cleave_trial *trial = &trials->trial[n];
        if (trial->asked > 0 && n != trials->chosen) {
            const int is_unknown = trial->samples == 0 && trial->first;
            const double least =
                is_unknown ? LOSS_OF_UNKNOWN * trials->trial[trials->chosen].seconds : 0.0;
            lost += trial->asked * fmax(expected_loss(trials, n), least);
        }
    }
    return lost;
}

enum cleave_when cleave_trial_when(const struct cleave_trials *trials, int n)
{
    const struct cleave_trial *trial = &trials->trial[n];
    const double best = trials->trial[trials->chosen].seconds;
    if (n == trials->chosen || trials->limits.exhaustive) {
        return CLEAVE_NOW;
    }
    if (best <= 0.0 || trials->calls < LEAST_CALLS) {
        return CLEAVE_LATER;
    }
    const double loss = expected_loss(trials, n);
    const double lost = trials->lost_seconds + outstanding(trials) + loss;
    if ((loss > 0.0 && lost > MOST_LOST_CALLS * best) || trial->setup > MOST_SETUP_CALLS * best) {
        return CLEAVE_NEVER;
    }
    const double waits = trials->setup_seconds + trial->setup;
    const double share = trials->calls < FIRST_CALLS ? SHARE_AT_FIRST : SHARE_SO_FAR;
    return lost + waits <= share * (double)trials->calls * best ? CLEAVE_NOW : CLEAVE_LATER;
}
