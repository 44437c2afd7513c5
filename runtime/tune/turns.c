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
 * A trial is made only if the loop can afford it: what all trials have lost, and what this one is
 * expected to lose, stays below a share of what the loop has taken so far, so that short runs lose
 * nothing that can be measured, and below a share of what it takes in 1,000 calls. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/tune/turns.h"

/* Calls before the first measured one: they load kernels and make data current. */
#define WARM_CALLS 2
/* Times within this ratio count as equal. */
#define EQUAL 1.02
/* A variant that is slower by no more than this has its block sizes tried, too. */
#define NEARLY 1.10
/* Samples of the chosen candidate before others are tried. */
#define FIRST_SAMPLES 2
/* Samples of each open candidate before another one is chosen. */
#define LEAST_SAMPLES 3
/* Samples of each after which equal candidates are settled on. */
#define EQUAL_SAMPLES 5
/* Samples of each candidate with CLEAVE_TUNE=full. */
#define EXHAUSTIVE_SAMPLES 7

/* A candidate with so many samples is dropped if its time is above this ratio to the best. */
static const struct {
    int samples;
    double ratio;
} margins[] = {{2, 1.7}, {3, 1.3}, {5, 1.1}, {7, EQUAL}};

static const char slower[] = "not faster";
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

/* The mean of the samples without the largest third. What disturbs a call makes it slower, so that
 * large samples say least; but if calls alternate between two times, as caches have it, the mean
 * lies between them. */
static double typical(const struct cleave_trial *trial)
{
    double sorted[CLEAVE_TRIAL_SAMPLES];
    double sum = 0.0;
    const int count = trial->recent;
    const int kept = MAX(count * 2 / 3, 1);
    memcpy(sorted, trial->sample, (size_t)count * sizeof sorted[0]);
    qsort(sorted, (size_t)count, sizeof sorted[0], compare);
    for (int i = 0; i < kept; i++) {
        sum += sorted[i];
    }
    return sum / kept;
}

static int is_known(const struct cleave_trial *trial)
{
    return trial->samples > 0 && trial->state != CLEAVE_TRIAL_DROPPED;
}

/* ---- after a round ----------------------------------------------------------------------------
 */

static void drop(struct cleave_trial *trial, const char *why)
{
    trial->state = CLEAVE_TRIAL_DROPPED;
    trial->why = why;
}

/* 1: the candidate may run, and is as fast as `best` seconds, or nearly. */
static int is_as_fast(const struct cleave_trial *trial, double best)
{
    const int may_run = trial->state != CLEAVE_TRIAL_DROPPED || trial->why == slower;
    return may_run && trial->samples > 0 && trial->seconds <= EQUAL * best;
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
    if (is_as_fast(&trials->trial[trials->by_rule], seconds)) {
        return trials->by_rule;
    }
    return is_as_fast(&trials->trial[trials->chosen], seconds) ? trials->chosen : best;
}

/* 1: it has to be prepared, which makes the loop wait, and rounds go on without it until the loop
 * can afford that. */
static int is_put_off(const struct cleave_trial *trial)
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
        if (is_put_off(trial)) {
            progress.put_off++;
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
        trial->seconds > trials->limits.hopeless * best) {
        return 1;
    }
    for (size_t m = 0; m < sizeof margins / sizeof margins[0]; m++) {
        if (trial->recent >= margins[m].samples && trial->seconds > margins[m].ratio * best) {
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
            drop(trial, slower);
        }
    }
}

/* 1: all open candidates are as fast as the chosen one. */
static int are_equal(const struct cleave_trials *trials)
{
    const double best = trials->trial[trials->chosen].seconds;
    for (int n = 0; n < trials->count; n++) {
        const struct cleave_trial *trial = &trials->trial[n];
        if (trial->state == CLEAVE_TRIAL_OPEN && trial->samples > 0 &&
            (trial->seconds > EQUAL * best || best > EQUAL * trial->seconds)) {
            return 0;
        }
    }
    return 1;
}

/* 1: this phase has found its best candidate. */
static int has_ended(const struct cleave_trials *trials)
{
    const struct progress progress = progress_of(trials);
    if (progress.put_off > 0) {
        return 0;
    }
    if (trials->limits.exhaustive) {
        return progress.least >= EXHAUSTIVE_SAMPLES;
    }
    return progress.open <= 1 || progress.least >= CLEAVE_TRIAL_SAMPLES ||
           (progress.least >= EQUAL_SAMPLES && are_equal(trials));
}

static void settle(struct cleave_trials *trials)
{
    for (int n = 0; n < trials->count; n++) {
        struct cleave_trial *trial = &trials->trial[n];
        if (trial->state == CLEAVE_TRIAL_OPEN || trial->state == CLEAVE_TRIAL_WAITING) {
            drop(trial, slower);
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

static void judge(struct cleave_trials *trials)
{
    if (is_too_short(trials)) {
        settle(trials);
        return;
    }
    if (!trials->limits.exhaustive) {
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
        settle(trials);
    }
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
           (trial->recent < CLEAVE_TRIAL_SAMPLES || n == trials->chosen) &&
           (!is_put_off(trial) || cleave_trial_when(trials, n) != CLEAVE_LATER);
}

/* Adds the candidate to the round: once if it was never measured, else twice, since times may come
 * much later than the calls. */
static void join(struct cleave_trials *trials, int n)
{
    const int is_new = trials->trial[n].samples == 0 && n != trials->chosen;
    for (int t = 0; t < (is_new ? 1 : 2); t++) {
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
    if (others == 0 && chosen->recent >= CLEAVE_TRIAL_SAMPLES) {
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
            drop(&trials->trial[n], costly);
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
        judge(trials);
    }
    if (!trials->settled) {
        begin_round(trials);
    }
}

int cleave_turn(struct cleave_trials *trials, int *measured)
{
    *measured = 0;
    trials->current = -1;
    if (trials->settled || trials->calls++ < WARM_CALLS) {
        return trials->chosen;
    }
    go_on(trials);
    const int n = trials->settled ? -1 : next_of_round(trials);
    if (n < 0) {
        return trials->chosen;
    }
    trials->trial[n].asked++;
    trials->unread++;
    trials->current = n;
    *measured = 1;
    return n;
}

static void answered(struct cleave_trials *trials, int n)
{
    trials->trial[n].asked--;
    trials->unread--;
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
    if (n != trials->chosen) {
        trials->lost_seconds += fmax(seconds - trials->trial[trials->chosen].seconds, 0.0);
    }
    trial->samples++;
    trial->seconds = typical(trial);
    trial->setup = 0.0;
}

/* The present call does not measure candidate n after all, if it was to. */
static void forgo(struct cleave_trials *trials, int n)
{
    if (trials->current == n) {
        trials->current = -1;
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
    for (int n = 0; n < trials->count; n++) {
        if (trials->trial[n].state == CLEAVE_TRIAL_WAITING) {
            trials->trial[n].state = CLEAVE_TRIAL_OPEN;
        }
    }
}

/* The fastest of all that were measured and may still run; -1: there is none. */
static int next_best(const struct cleave_trials *trials)
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

void cleave_turn_failed(struct cleave_trials *trials, int n, const char *why)
{
    forgo(trials, n);
    drop(&trials->trial[n], why);
    if (n == trials->chosen) {
        const int best = next_best(trials);
        trials->chosen = best >= 0 ? best : n;
        if (trials->settled && best >= 0) {
            settle(trials);
        }
    }
}
