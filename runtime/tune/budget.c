/* budget.c: what trials cost, and whether the program can afford the next one. README.md, "What
 * trials may cost", says why. */
#include <math.h>

#include "runtime/tune/turns.h"

/* The account: the share of the time that loops take behind the first seconds of a run, of which
 * all trials may cost so much. Trials cost more than is measured, by caches and a device that they
 * leave in disorder: a run must not lose 3 %, and a short one nothing. */
#define FIRST_SECONDS 0.1
#define SHARE 0.01
/* A run that goes on with what an earlier one has found. */
#define LATER_SHARE 0.0075
/* Trials that have not begun in a run are only looked at again in one whose loops take so many
 * times as long: more time pays for more trials. */
#define LONGER 4.0
/* While a loop that takes more time needs the account, a loop with this share of the program's time
 * may use all of it, a smaller one as much less: large loops come first. */
#define SHARE_FOR_ALL 0.25
/* A loop does not wait for one whose next trial costs more than so many times the account, nor for
 * one that was called before so many other calls: its program has gone on without it. */
#define PATIENCE 16.0
enum { GONE = 4096 };
/* Loops with less than this share are left as they are. */
#define LEAST_SHARE 0.005
/* Calls of a loop in a run before it is tuned. */
#define LEAST_CALLS 10
/* The share of the loop's time that a candidate may bring: unknown, at least, at most. Predictions
 * are not trusted to exclude one. */
#define GAIN 0.10
#define LEAST_GAIN 0.05
#define MOST_GAIN 0.5
/* Samples that a candidate takes at least if it wins. */
#define SAMPLES 3
/* Calls' worth of time that trials of a loop may lose in all, below 3 % of 1,000 calls: the last
 * trial may lose more than was expected. */
#define MOST_LOST_CALLS 25.0
/* Calls that a trial of a variant which was never measured is expected to lose, at least. */
#define LOSS_OF_UNKNOWN 2.0
/* No candidate is expected to lose more, in calls. */
#define MOST_PREDICTED_LOSS 4.0
/* Calls' worth of time that a plan may take for which the loop waits. One that is made in the
 * background waits until the loop has run long enough. */
#define MOST_SETUP_CALLS 100.0
/* Seconds that preparing a candidate takes, while none was prepared. */
#define PREPARING 200e-6
/* That of another block size, whose kernel is loaded. */
#define PREPARING_BLOCKS 20e-6
/* Seconds for each variant that listing candidates takes: the driver loads a kernel to tell its
 * registers. Listing took 0.3 to 2.3 ms in loops of 15 to 30 variants on an H200. */
#define LISTING 60e-6
/* A batch of measured calls is begun when the account has so many times what it costs that its
 * launches are no graph: the rest is for what loops measure in it. */
#define BATCH 2.0
/* A loop joins a batch, whatever larger ones need, with a call that costs less than this part of
 * that. */
#define JOINING 0.25
/* A loop tries a candidate, whatever larger ones need, with a call that costs less than this part
 * of what the account has left: a large loop may wait for long until the account has the plan of
 * its next candidate. */
#define CHEAP 0.0625
/* Runs of a sequence that it costs to change a launch of it: it is launched once as it is, once
 * more while its graph is made, and making that takes as long as a run loses. */
#define CHANGE 3.0
/* Trials that have not ended may be wrong: their choice must save so many times as much. */
#define UNSURE 2.0

/* ---- the account ------------------------------------------------------------------------------
 */

double cleave_disturbance(const struct cleave_account *account)
{
    return account->disturbed == account->sequence + 1 ? 0.0 : account->apart;
}

double cleave_loop_seconds(const struct cleave_trials *trials)
{
    const double measured = trials->trial[trials->chosen].seconds;
    return (double)trials->calls_now * (measured > 0.0 ? measured : trials->usual_seconds);
}

static double share_of(const struct cleave_trials *trials)
{
    const double own = cleave_loop_seconds(trials);
    return own > 0.0 ? own / fmax(trials->account->taken, own) : 0.0;
}

/* Seconds that trials may cost in all by now. */
static double account_of(const struct cleave_trials *trials)
{
    const struct cleave_account *account = trials->account;
    const double taken = fmax(account->taken, cleave_loop_seconds(trials));
    return account->goes_on ? LATER_SHARE * taken : SHARE * fmax(taken - FIRST_SECONDS, 0.0);
}

/* 1: the account has so many seconds for the loop. */
static int can_afford(const struct cleave_trials *trials, double seconds)
{
    const struct cleave_account *account = trials->account;
    const double all = account_of(trials);
    const double spent = account->spent + account->promised;
    const int joins = cleave_disturbance(account) <= 0.0 && seconds < JOINING * account->apart;
    const int is_cheap = seconds <= CHEAP * (all - spent);
    const double part =
        trials->is_next || joins || is_cheap ? 1.0 : fmin(share_of(trials) / SHARE_FOR_ALL, 1.0);
    return spent + seconds <= part * all;
}

static double preparing(const struct cleave_account *account)
{
    return account->prepared > 0 ? account->preparing : PREPARING;
}

static double preparing_of(const struct cleave_account *account, const struct cleave_trial *trial)
{
    const double usual = preparing(account);
    return trial->setup + (trial->first ? usual : fmin(usual, PREPARING_BLOCKS));
}

void cleave_account_prepared(struct cleave_account *account, double seconds)
{
    account->spent += seconds;
    account->prepared++;
    account->preparing += (seconds - account->preparing) / (double)account->prepared;
}

int cleave_has_share(const struct cleave_trials *trials)
{
    return share_of(trials) >= LEAST_SHARE;
}

int cleave_is_called_enough(const struct cleave_trials *trials)
{
    return trials->calls_now >= LEAST_CALLS;
}

/* Trials that have measured candidates and not ended go on behind the first seconds. */
double cleave_rests_for(const struct cleave_trials *trials)
{
    const int is_unfinished = cleave_trials_measured(trials) > 1 && !trials->is_complete;
    return is_unfinished ? FIRST_SECONDS : fmax(LONGER * trials->ended_after, FIRST_SECONDS);
}

/* Seconds that listing the loop's candidates and trying one of them are expected to take. */
static double beginning(const struct cleave_trials *trials, int variants)
{
    return variants * LISTING + preparing(trials->account) + trials->account->overhead;
}

int cleave_is_worth_trials(struct cleave_trials *trials, int variants)
{
    if (trials->limits.exhaustive) {
        return 1;
    }
    const int is_worth = cleave_is_called_enough(trials) &&
                         trials->usual_seconds >= trials->limits.least_seconds &&
                         cleave_has_share(trials);
    const double seconds = beginning(trials, variants);
    const int may_begin = is_worth && can_afford(trials, seconds);
    trials->lacks_time = is_worth && !may_begin && seconds <= PATIENCE * account_of(trials);
    return may_begin;
}

/* ---- a candidate ------------------------------------------------------------------------------
 */

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

/* The time that the model expects of the candidate, relative to the chosen one; 0: unknown. */
static double predicted_ratio(const struct cleave_trials *trials, int n)
{
    const double chosen = trials->trial[trials->chosen].predicted;
    return chosen > 0.0 ? trials->trial[n].predicted / chosen : 0.0;
}

/* Seconds by which the candidate is expected to be slower than the chosen one. */
static double expected_loss(const struct cleave_trials *trials, int n)
{
    const struct cleave_trial *trial = &trials->trial[n];
    const struct cleave_trial *chosen = &trials->trial[trials->chosen];
    const double ratio = predicted_ratio(trials, n);
    double calls = trial->guess;
    if (n == trials->chosen) {
        return 0.0;
    }
    if (trial->samples > 0) {
        return fmax(trial->seconds - chosen->seconds, 0.0);
    }
    if (ratio > 0.0) {
        calls = fmin(fmax(ratio - 1.0, 0.1), MOST_PREDICTED_LOSS);
    } else if (trial->first) {
        calls = fmax(calls, usual_loss(trials));
    }
    return calls * chosen->seconds;
}

double cleave_trial_cost(const struct cleave_trials *trials, int n)
{
    const struct cleave_trial *trial = &trials->trial[n];
    const struct cleave_account *account = trials->account;
    const double best = trials->trial[trials->chosen].seconds;
    const int is_new = trial->samples == 0 && n != trials->chosen;
    const double least = is_new && trial->first ? LOSS_OF_UNKNOWN * best : 0.0;
    return account->overhead + cleave_disturbance(account) + fmax(expected_loss(trials, n), least) +
           (is_new ? preparing_of(account, trial) : 0.0);
}

/* Seconds that the candidate may have brought if it had run all calls so far. */
static double gain(const struct cleave_trials *trials, int n)
{
    const double ratio = predicted_ratio(trials, n);
    const double share = ratio > 0.0 ? fmin(fmax(1.0 - ratio, LEAST_GAIN), MOST_GAIN) : GAIN;
    return (n == trials->chosen ? GAIN : share) * cleave_loop_seconds(trials);
}

/* 1: it would lose more than trials of the loop ever may. */
static int is_too_costly(const struct cleave_trials *trials, int n)
{
    const double best = trials->trial[trials->chosen].seconds;
    const double loss = expected_loss(trials, n);
    return (loss > 0.0 && trials->lost_seconds + loss > MOST_LOST_CALLS * best) ||
           (!trials->limits.plans_later && trials->trial[n].setup > MOST_SETUP_CALLS * best);
}

int cleave_is_out_of_reach(const struct cleave_trials *trials, const struct cleave_trial *trial)
{
    return trial->state == CLEAVE_TRIAL_OPEN && trials->limits.plans_later &&
           trial->setup > PATIENCE * account_of(trials);
}

/* 1: the candidate may bring more than its trials cost. */
static int pays(const struct cleave_trials *trials, int n)
{
    return SAMPLES * cleave_trial_cost(trials, n) <= gain(trials, n);
}

enum cleave_when cleave_trial_when(const struct cleave_trials *trials, int n)
{
    const double best = trials->trial[trials->chosen].seconds;
    if (trials->limits.exhaustive) {
        return CLEAVE_NOW;
    }
    if (n != trials->chosen && best <= 0.0) {
        return CLEAVE_LATER;
    }
    if (n != trials->chosen && is_too_costly(trials, n)) {
        return CLEAVE_NEVER;
    }
    return pays(trials, n) && can_afford(trials, cleave_trial_cost(trials, n)) ? CLEAVE_NOW
                                                                               : CLEAVE_LATER;
}

/* ---- large loops first ------------------------------------------------------------------------
 */

/* 1: the candidate would be tried if the account had enough, which is not far off. */
static int waits(const struct cleave_trials *trials, int n)
{
    return n != trials->chosen && trials->trial[n].state == CLEAVE_TRIAL_OPEN &&
           trials->trial[n].recent < cleave_trial_samples(trials) && !is_too_costly(trials, n) &&
           pays(trials, n) && cleave_trial_cost(trials, n) <= PATIENCE * account_of(trials);
}

/* 1: a call of the loop would try a candidate, or list them, if the account had enough. */
static int is_waiting(const struct cleave_trials *trials)
{
    if (trials->settled || trials->rests || trials->account->calls - trials->called_at > GONE) {
        return 0;
    }
    if (!trials->listed) {
        return trials->lacks_time;
    }
    int waiting = 0;
    for (int n = 0; n < trials->count && !waiting; n++) {
        waiting = waits(trials, n);
    }
    return waiting;
}

int cleave_is_next(const struct cleave_trials *trials)
{
    const double own = cleave_loop_seconds(trials);
    for (const struct cleave_trials *t = trials->account->first; t != NULL; t = t->next) {
        if (t != trials && t->count > 0 && cleave_loop_seconds(t) > own && is_waiting(t)) {
            return 0;
        }
    }
    return 1;
}

/* ---- graphs -----------------------------------------------------------------------------------
 */

int cleave_batch_is_open(const struct cleave_account *account)
{
    const unsigned long since = account->sequence - account->asked_in;
    return cleave_disturbance(account) <= 0.0 || (since > 0 && since <= account->lasts);
}

int cleave_batch_ask(struct cleave_trials *trials, int n)
{
    struct cleave_account *account = trials->account;
    const int is_asked =
        account->lasts > 0 && account->sequence - account->asked_in <= account->lasts;
    const double more = (BATCH - 1.0) * account->apart;
    if (is_asked) {
        return 1;
    }
    if (!can_afford(trials, cleave_trial_cost(trials, n) + more)) {
        return 0;
    }
    account->asked_in = account->sequence;
    account->lasts = MAX(trials->period, 1);
    return 1;
}

double cleave_change_cost(const struct cleave_account *account)
{
    const unsigned long since = account->sequence + 1 - account->changed;
    const double runs = account->changed == 0 || since > 1 ? CHANGE : (double)since;
    return runs * account->apart;
}

int cleave_pays_to_change(const struct cleave_trials *trials)
{
    const struct cleave_trial *usual = &trials->trial[trials->runs];
    const double saved = usual->seconds - trials->trial[trials->chosen].seconds;
    const double cost = cleave_change_cost(trials->account);
    return trials->limits.exhaustive || cost <= 0.0 ||
           (saved * (double)trials->calls_now >= (trials->settled ? 1.0 : UNSURE) * cost &&
            can_afford(trials, cost));
}
