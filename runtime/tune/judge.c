/* judge.c: what is made of the times of a round: which candidates leave, which one is the best so
 * far, and when trials end. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/tune/turns.h"

/* Times within this ratio count as equal. */
#define EQUAL 1.02
/* The rule's choice stays unless another is faster by more than this ratio. */
#define WINS 1.03
/* Seconds to which a device's clock tells the time of a call. */
#define CLOCK 0.5e-6
/* A variant that is slower by no more than this has its block sizes tried, too. */
#define NEARLY 1.10
/* Samples of each open candidate before another one is chosen. */
#define LEAST_SAMPLES 3
/* The share of its samples after which equal candidates are settled on. */
#define EQUAL_SHARE 0.5
/* Samples of each candidate with CLEAVE_TUNE=full, but for short loops. */
#define EXHAUSTIVE_SAMPLES 7

/* A candidate with so many samples is dropped if its time is above this ratio to the best. */
static const struct {
    int samples;
    double ratio;
} margins[] = {{2, 1.2}, {3, 1.08}, {5, 1.01}};

static const char slower[] = "not faster";

/* Seconds to which the clock tells the time of a candidate: samples make up for it. */
static double error_of(const struct cleave_trial *trial)
{
    return CLOCK / sqrt(MAX(trial->recent, 1));
}

static int is_known(const struct cleave_trial *trial)
{
    return trial->samples > 0 && trial->state != CLEAVE_TRIAL_DROPPED;
}

void cleave_trial_drop(struct cleave_trial *trial, const char *why)
{
    trial->state = CLEAVE_TRIAL_DROPPED;
    trial->why = why;
}

/* 1: the candidate may run, and takes at most `most` seconds. */
static int is_as_fast(const struct cleave_trial *trial, double most)
{
    const int may_run = trial->state != CLEAVE_TRIAL_DROPPED || trial->why == slower;
    return may_run && trial->samples > 0 && trial->seconds <= most;
}

/* The fastest candidate that is known; if they are as fast, the rule's choice, else the chosen one.
 */
static int fastest(const struct cleave_trials *trials)
{
    int best = -1;
    for (int n = 0; n < trials->count; n++) {
        const struct cleave_trial *trial = &trials->trial[n];
        if (is_known(trial) && (best < 0 || trial->seconds < trials->trial[best].seconds)) {
            best = n;
        }
    }
    if (best < 0) {
        return trials->chosen;
    }
    const double seconds = trials->trial[best].seconds;
    const double wins = fmax((WINS - 1.0) * seconds, error_of(&trials->trial[best]));
    if (is_as_fast(&trials->trial[trials->by_rule], seconds + wins)) {
        return trials->by_rule;
    }
    return is_as_fast(&trials->trial[trials->chosen], EQUAL * seconds) ? trials->chosen : best;
}

/* 1: it has to be prepared, which makes the loop wait, and rounds go on without it until the loop
 * can afford that. */
int cleave_trial_is_put_off(const struct cleave_trial *trial)
{
    return trial->state == CLEAVE_TRIAL_WAITING ||
           (trial->state == CLEAVE_TRIAL_OPEN && trial->samples == 0 && trial->setup > 0.0);
}

/* The state of a phase. */
struct progress {
    int open;    /* candidates of its rounds */
    int put_off; /* candidates that will join them later */
    int least;   /* the fewest samples of an open one in this phase */
};

static struct progress progress_of(const struct cleave_trials *trials)
{
    struct progress progress = {0, 0, CLEAVE_TRIAL_SAMPLES};
    for (int n = 0; n < trials->count; n++) {
        const struct cleave_trial *trial = &trials->trial[n];
        if (cleave_trial_is_put_off(trial)) {
            progress.put_off += !cleave_is_out_of_reach(trials, trial);
        } else if (trial->state == CLEAVE_TRIAL_OPEN) {
            progress.open++;
            progress.least = MIN(progress.least, trial->recent);
        }
    }
    return progress;
}

static int is_slower(const struct cleave_trials *trials, const struct cleave_trial *trial,
                     double best)
{
    if (trials->limits.hopeless > 0.0 && trial->recent > 0 &&
        trial->seconds > trials->limits.hopeless * best + 4.0 * CLOCK) {
        return 1;
    }
    for (size_t m = 0; m < sizeof margins / sizeof margins[0]; m++) {
        if (trial->recent >= margins[m].samples &&
            trial->seconds > margins[m].ratio * best + error_of(trial)) {
            return 1;
        }
    }
    return 0;
}

static void drop_slower(struct cleave_trials *trials)
{
    const double best = trials->trial[fastest(trials)].seconds;
    for (int n = 0; n < trials->count; n++) {
        struct cleave_trial *trial = &trials->trial[n];
        if (n != trials->chosen && trial->state == CLEAVE_TRIAL_OPEN &&
            is_slower(trials, trial, best)) {
            cleave_trial_drop(trial, slower);
        }
    }
}

/* 1: all open candidates are as fast as the chosen one. */
static int are_equal(const struct cleave_trials *trials)
{
    const double best = trials->trial[trials->chosen].seconds;
    for (int n = 0; n < trials->count; n++) {
        const struct cleave_trial *trial = &trials->trial[n];
        const double error = 0.5 * error_of(trial);
        if (trial->state == CLEAVE_TRIAL_OPEN && trial->samples > 0 &&
            (trial->seconds > EQUAL * best + error || best > EQUAL * trial->seconds + error)) {
            return 0;
        }
    }
    return 1;
}

/* Samples of each candidate with CLEAVE_TUNE=full: the clock tells the times of short loops less
 * well. */
static int exhaustive_samples(const struct cleave_trials *trials)
{
    const struct cleave_trial *chosen = &trials->trial[trials->chosen];
    const int is_short = chosen->seconds > 0.0 && chosen->seconds < trials->limits.short_seconds;
    return is_short ? cleave_trial_samples(trials) : EXHAUSTIVE_SAMPLES;
}

/* 1: this phase has found its best candidate. */
static int has_ended(const struct cleave_trials *trials)
{
    const struct progress progress = progress_of(trials);
    const int samples = cleave_trial_samples(trials);
    if (progress.put_off > 0) {
        return 0;
    }
    if (trials->limits.exhaustive) {
        return progress.open <= 1 || progress.least >= exhaustive_samples(trials);
    }
    return progress.open <= 1 || progress.least >= samples ||
           (progress.least > EQUAL_SHARE * samples && are_equal(trials));
}

void cleave_trials_settle(struct cleave_trials *trials)
{
    for (int n = 0; n < trials->count; n++) {
        struct cleave_trial *trial = &trials->trial[n];
        if (trial->state == CLEAVE_TRIAL_OPEN || trial->state == CLEAVE_TRIAL_WAITING) {
            cleave_trial_drop(trial, slower);
        }
    }
    trials->trial[trials->chosen].state = CLEAVE_TRIAL_CHOSEN;
    trials->trial[trials->chosen].why = NULL;
    trials->settled = 1;
}

/* Opens other block sizes of the variants that are the fastest or nearly so. Returns how many. */
static int open_blocks(struct cleave_trials *trials)
{
    const double best = trials->trial[trials->chosen].seconds;
    int opened = 0;
    for (int n = 0; n < trials->count; n++) {
        struct cleave_trial *trial = &trials->trial[n];
        for (int m = 0; m < trials->count && trial->state == CLEAVE_TRIAL_UNTRIED; m++) {
            const struct cleave_trial *usual = &trials->trial[m];
            if (usual->first && usual->samples > 0 && usual->seconds <= NEARLY * best &&
                strcmp(usual->variant, trial->variant) == 0) {
                trial->state = CLEAVE_TRIAL_OPEN;
                opened++;
            }
        }
    }
    trials->trial[trials->chosen].recent = 0; /* measured again beside the new ones */
    trials->blocks_open = 1;
    return opened;
}

/* A loop that is too short to be worth trials keeps what the rule chose. */
static int is_too_short(const struct cleave_trials *trials)
{
    const struct cleave_trial *chosen = &trials->trial[trials->chosen];
    return !trials->limits.exhaustive && chosen->samples > 0 &&
           chosen->seconds < trials->limits.least_seconds;
}

void cleave_trials_judge(struct cleave_trials *trials)
{
    if (is_too_short(trials)) {
        cleave_trials_settle(trials);
        return;
    }
    if (!trials->limits.exhaustive || progress_of(trials).least >= exhaustive_samples(trials)) {
        drop_slower(trials);
    }
    if (progress_of(trials).least >= LEAST_SAMPLES) {
        trials->chosen = fastest(trials);
    }
    if (!has_ended(trials)) {
        return;
    }
    trials->chosen = fastest(trials);
    if (trials->blocks_open || open_blocks(trials) == 0) {
        trials->is_complete = 1;
        if (trials->further_gain == 0.0) {
            cleave_trials_settle(trials);
        }
    }
}

int cleave_trials_beat_rule(const struct cleave_trials *trials)
{
    const struct cleave_trial *rule = &trials->trial[trials->by_rule];
    const struct cleave_trial *chosen = &trials->trial[trials->chosen];
    if (trials->chosen == trials->by_rule) {
        return 1;
    }
    if (rule->samples == 0) {
        return rule->state == CLEAVE_TRIAL_DROPPED && chosen->samples > 0;
    }
    return chosen->samples > 0 && chosen->seconds < rule->seconds;
}

void cleave_trials_return_to_rule(struct cleave_trials *trials)
{
    struct cleave_trial *rule = &trials->trial[trials->by_rule];
    trials->chosen = trials->by_rule;
    if (rule->state == CLEAVE_TRIAL_DROPPED || rule->state == CLEAVE_TRIAL_UNTRIED) {
        rule->state = CLEAVE_TRIAL_OPEN;
        rule->why = NULL;
    }
}

int cleave_trials_next_best(const struct cleave_trials *trials)
{
    int best = -1;
    for (int n = 0; n < trials->count; n++) {
        const struct cleave_trial *trial = &trials->trial[n];
        const int may_run = trial->state != CLEAVE_TRIAL_DROPPED || trial->why == slower;
        if (may_run && trial->samples > 0 &&
            (best < 0 || trial->seconds < trials->trial[best].seconds)) {
            best = n;
        }
    }
    return best;
}
