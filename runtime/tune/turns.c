/* turns.c: which candidate runs the next call of a loop.
 *
 * Calls try candidates in rounds. In a round each open candidate runs one measured call; the order
 * is shuffled anew for each round, since calls of a loop may differ in what the caches hold (the
 * first and the second call of a time step) and no candidate may always meet the better ones. Other
 * calls run the chosen candidate, which at first is the one that the rule prefers.
 *
 *   first   the variants, each with its usual block size
 *   then    the block sizes of the fastest variant, and of those that nearly are
 *   at last the fastest is settled on
 *
 * After a round, candidates are dropped that are slower than the best, by a margin that shrinks as
 * samples grow. The candidate chosen so far wins where times are equal.
 *
 * A trial is made only if the program can afford it (budget.c). Where it cannot, calls run the
 * chosen candidate until its loops have taken more time.
 *
 * Launches that are a graph start one by one if one of them is measured, which costs more than the
 * measuring. So loops measure in batches: one that can afford this for all of them asks, and in the
 * next sequence of launches all loops measure what they can. Where a candidate replaces another in
 * a graph, it is made anew: calls go on with the old one until that pays. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/tune/turns.h"

/* Calls before the first measured one: they load kernels and make data current. */
#define WARM_CALLS 2
/* Samples of the chosen candidate before others are tried. */
#define FIRST_SAMPLES 2
/* Samples of each candidate, at most, and of those of the shortest loops. */
#define MOST_SAMPLES 9
#define MOST_OF_SHORT 16.0
/* From so many samples on, quartiles are told. */
#define QUARTERED 7
static const char costly[] = "trying it would cost too much";

const char *cleave_trial_state_word(enum cleave_trial_state state)
{
    static const char *const words[] = {[CLEAVE_TRIAL_UNTRIED] = "untried",
                                        [CLEAVE_TRIAL_OPEN] = "candidate",
                                        [CLEAVE_TRIAL_WAITING] = "waiting for plan",
                                        [CLEAVE_TRIAL_DROPPED] = "dropped",
                                        [CLEAVE_TRIAL_CHOSEN] = "chosen"};
    return words[state];
}

/* ---- times ------------------------------------------------------------------------------------
 */

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

int cleave_trial_samples(const struct cleave_trials *trials)
{
    const double best = trials->trial[trials->chosen].seconds;
    const double seconds = best > 0.0 ? best : trials->usual_seconds;
    if (seconds <= 0.0 || seconds >= trials->limits.short_seconds) {
        return MOST_SAMPLES;
    }
    if (trials->limits.exhaustive) {
        return CLEAVE_TRIAL_SAMPLES;
    }
    return (int)fmin(MOST_SAMPLES * trials->limits.short_seconds / seconds, MOST_OF_SHORT);
}

/* The mean of the sorted samples from..to-1. */
static double mean(const double *sorted, int from, int to)
{
    double sum = 0.0;
    for (int i = from; i < to; i++) {
        sum += sorted[i];
    }
    return sum / (to - from);
}

/* Sets the candidate's time to the mean of its samples without the largest third. What disturbs a
 * call makes it slower, so that large samples say least; but if calls alternate between two times,
 * as caches have it, the mean lies between them. With CLEAVE_TUNE=full the smallest samples are
 * left out, too: the fastest of many candidates must not be the one whose smallest samples were. */
static void sum_up(struct cleave_trial *trial, int exhaustive)
{
    double sorted[CLEAVE_TRIAL_SAMPLES];
    const int count = trial->recent;
    const int quarter = count / 4;
    memcpy(sorted, trial->sample, (size_t)count * sizeof sorted[0]);
    qsort(sorted, (size_t)count, sizeof sorted[0], compare);
    const int has_quarters = count >= QUARTERED;
    trial->spread = has_quarters ? sorted[count - 1 - quarter] - sorted[quarter] : 0.0;
    trial->seconds = exhaustive && has_quarters ? mean(sorted, quarter, count - quarter)
                                                : mean(sorted, 0, MAX(count * 2 / 3, 1));
}

/* ---- rounds -----------------------------------------------------------------------------------
 */

/* xorshift64*: the same numbers in every run. */
static unsigned next_random(struct cleave_trials *trials)
{
    unsigned long long x = trials->random;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    trials->random = x;
    return (unsigned)((x * 2685821657736338717ull) >> 33);
}

static void shuffle(struct cleave_trials *trials)
{
    for (int i = trials->turns - 1; i > 0; i--) {
        const int other = (int)(next_random(trials) % (unsigned)(i + 1));
        const int keep = trials->turn[i];
        trials->turn[i] = trials->turn[other];
        trials->turn[other] = keep;
    }
}

static int joins(const struct cleave_trials *trials, int n)
{
    const struct cleave_trial *trial = &trials->trial[n];
    return trial->state == CLEAVE_TRIAL_OPEN &&
           (trial->recent < cleave_trial_samples(trials) || n == trials->chosen) &&
           (!cleave_trial_is_put_off(trial) || cleave_trial_when(trials, n) != CLEAVE_LATER);
}

/* Adds the candidate to the round: once if it was never measured, or measured enough, else twice,
 * since times may come much later than the calls. */
static void join(struct cleave_trials *trials, int n)
{
    const struct cleave_trial *trial = &trials->trial[n];
    const int is_new = trial->samples == 0 && n != trials->chosen;
    const int is_enough = trial->recent >= cleave_trial_samples(trials);
    for (int t = 0; t < (is_new || is_enough ? 1 : 2); t++) {
        trials->turn[trials->turns++] = n;
    }
}

/* The first round has the chosen candidate alone; the next one tries the others in their order,
 * which is that of their expected times; later ones are shuffled. */
static void begin_round(struct cleave_trials *trials)
{
    const struct cleave_trial *chosen = &trials->trial[trials->chosen];
    const int alone = chosen->samples < FIRST_SAMPLES && !trials->limits.exhaustive;
    int others = 0;
    trials->turns = 0;
    trials->place = 0;
    for (int n = 0; n < trials->count; n++) {
        if ((!alone || n == trials->chosen) && joins(trials, n)) {
            others += n != trials->chosen;
            join(trials, n);
        }
    }
    if (others == 0 && chosen->recent >= cleave_trial_samples(trials)) {
        trials->turns = 0; /* it has nothing to be compared with */
    }
    if (chosen->samples > FIRST_SAMPLES) {
        shuffle(trials);
    }
}

/* Returns the next candidate of the round that the loop can afford now; -1: there is none. Those
 * that it never can are dropped. */
static int next_of_round(struct cleave_trials *trials)
{
    for (int i = trials->place; i < trials->turns; i++) {
        const int n = trials->turn[i];
        const int is_open = trials->trial[n].state == CLEAVE_TRIAL_OPEN;
        const enum cleave_when when = is_open ? cleave_trial_when(trials, n) : CLEAVE_NEVER;
        if (when == CLEAVE_LATER) {
            continue;
        }
        trials->turn[i] = trials->turn[trials->place];
        trials->turn[trials->place++] = n;
        if (when == CLEAVE_NOW) {
            return n;
        }
        if (is_open) {
            cleave_trial_drop(&trials->trial[n], costly);
        }
    }
    return -1;
}

/* Returns a candidate of the round that a call could try now; -1: there is none. */
static int affordable_of_round(const struct cleave_trials *trials)
{
    for (int i = trials->place; i < trials->turns; i++) {
        const int n = trials->turn[i];
        if (trials->trial[n].state == CLEAVE_TRIAL_OPEN &&
            cleave_trial_when(trials, n) == CLEAVE_NOW) {
            return n;
        }
    }
    return -1;
}

/* Judges the candidates when all times of a round are known, and begins the next one. */
static void go_on(struct cleave_trials *trials)
{
    if (trials->place < trials->turns || trials->unread > 0) {
        return;
    }
    if (trials->turns > 0) {
        cleave_trials_judge(trials);
    }
    if (!trials->settled) {
        begin_round(trials);
    }
}

/* The launches that would be a graph with this one start one by one. */
static void disturb(struct cleave_trials *trials)
{
    struct cleave_account *account = trials->account;
    const double seconds = cleave_disturbance(account);
    trials->measuring_seconds += seconds;
    account->spent += seconds;
    account->disturbed = account->sequence + 1;
}

static void ask(struct cleave_trials *trials, int n)
{
    disturb(trials);
    const double cost = cleave_trial_cost(trials, n);
    trials->promised += cost;
    trials->account->promised += cost;
    trials->trial[n].asked++;
    trials->unread++;
    trials->measured_now++;
    trials->current = n;
}

/* The candidate of calls that measure none: the chosen one as soon as changing to it pays. */
static int usual(struct cleave_trials *trials)
{
    if (trials->runs != trials->chosen && cleave_pays_to_change(trials)) {
        const double cost = cleave_change_cost(trials->account);
        trials->measuring_seconds += cost;
        trials->account->spent += cost;
        trials->account->changed = trials->account->sequence + 1;
        trials->runs = trials->chosen;
    }
    return trials->runs;
}

/* Notes how often the loop is called. */
static void count_call(struct cleave_trials *trials)
{
    const unsigned long sequence = trials->account->sequence;
    if (sequence != trials->latest && trials->calls_now > 0) {
        trials->period = sequence - trials->latest;
    }
    trials->latest = sequence;
    trials->calls_now++;
    trials->calls += !trials->settled;
}

/* Returns the candidate that the call measures; -1: none. */
static int measured_now(struct cleave_trials *trials)
{
    const int is_open = trials->limits.exhaustive || cleave_batch_is_open(trials->account);
    if (trials->calls_now <= WARM_CALLS || !trials->listed || trials->is_complete ||
        (trials->pauses && (!is_open || trials->account->apart <= 0.0))) {
        return -1;
    }
    go_on(trials);
    if (trials->settled) {
        return -1;
    }
    const int n = is_open ? next_of_round(trials) : affordable_of_round(trials);
    const int comes = is_open ? n >= 0 : n >= 0 && cleave_batch_ask(trials, n);
    trials->pauses = !comes && trials->unread == 0;
    return is_open ? n : -1;
}

int cleave_turn(struct cleave_trials *trials, int *measured)
{
    *measured = 0;
    trials->current = -1;
    if (trials->settled && trials->runs == trials->chosen) {
        return trials->chosen;
    }
    count_call(trials);
    const int n = trials->settled ? -1 : measured_now(trials);
    if (n < 0) {
        return usual(trials);
    }
    ask(trials, n);
    *measured = 1;
    return n;
}

static void answered(struct cleave_trials *trials, int n)
{
    const double promised = trials->promised / trials->unread;
    trials->promised -= promised;
    trials->account->promised -= promised;
    trials->trial[n].asked--;
    trials->unread--;
}

static void charge(struct cleave_trials *trials, int n, double seconds)
{
    const double best = trials->trial[trials->chosen].seconds;
    const double slower_by = n != trials->chosen && best > 0.0 ? fmax(seconds - best, 0.0) : 0.0;
    trials->lost_seconds += slower_by;
    trials->measuring_seconds += trials->account->overhead;
    trials->account->spent += slower_by + trials->account->overhead;
}

void cleave_turn_took(struct cleave_trials *trials, int n, double seconds)
{
    struct cleave_trial *trial = &trials->trial[n];
    answered(trials, n);
    if (trial->recent == CLEAVE_TRIAL_SAMPLES) {
        trial->recent--;
        memmove(trial->sample, trial->sample + 1, (size_t)trial->recent * sizeof(double));
    }
    trial->sample[trial->recent++] = seconds;
    charge(trials, n, seconds);
    trial->samples++;
    sum_up(trial, trials->limits.exhaustive);
    trial->setup = 0.0;
}

/* The present call does not measure candidate n after all, if it was to. */
static void forgo(struct cleave_trials *trials, int n)
{
    if (trials->current == n && trials->trial[n].asked > 0) {
        trials->current = -1;
        trials->measured_now--;
        answered(trials, n);
    }
}

void cleave_turn_missed(struct cleave_trials *trials, int n)
{
    forgo(trials, n);
}

void cleave_turn_waits(struct cleave_trials *trials, int n)
{
    forgo(trials, n);
    trials->trial[n].state = CLEAVE_TRIAL_WAITING;
}

void cleave_turns_arrived(struct cleave_trials *trials)
{
    trials->pauses = 0;
    for (int n = 0; n < trials->count; n++) {
        if (trials->trial[n].state == CLEAVE_TRIAL_WAITING) {
            trials->trial[n].state = CLEAVE_TRIAL_OPEN;
        }
    }
}

void cleave_turn_failed(struct cleave_trials *trials, int n, const char *why)
{
    forgo(trials, n);
    cleave_trial_drop(&trials->trial[n], why);
    trials->runs = trials->runs == n ? trials->chosen : trials->runs;
    if (n == trials->chosen) {
        const int best = cleave_trials_next_best(trials);
        trials->chosen = best >= 0 ? best : n;
        trials->runs = trials->chosen;
        if (trials->settled && best >= 0) {
            cleave_trials_settle(trials);
        }
    }
}
