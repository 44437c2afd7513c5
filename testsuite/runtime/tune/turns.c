/* turns.c: which candidates calls try, and what they settle on, with planted times: no clock and no
 * device. Times of a call may differ between even and odd calls, may have outliers, and arrive some
 * calls later, as those of a device do. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "runtime/tune/turns.h"

enum { MOST = 16, QUEUE = 64 };

/* A program's loop: seconds of each candidate. */
struct planted {
    const char *variant[MOST];
    int block_size[MOST];
    double seconds[MOST];
    double predicted[MOST];
    double guess[MOST];
    double hopeless;
    double setup[MOST];
    int count;
    int chosen;  /* by rule */
    double cold; /* what odd calls take longer, as a ratio */
    int late;    /* calls after which times are known */
    int noisy;   /* 1: one measured call in 12 takes 3 times as long */
    int exhaustive;
    double overhead; /* of a measured call */
    double others;   /* seconds of the program's other loops between two calls */
};

/* The result of a simulated run. */
struct outcome {
    struct cleave_trials trials;
    struct cleave_account account;
    double taken;    /* seconds of all calls */
    double lost;     /* seconds above those of the chosen candidate by rule */
    int settled_at;  /* calls; 0: never */
    int measured;    /* calls */
    int first_trial; /* the first call that ran another candidate than the rule's */
    int longest_run; /* measured calls of one candidate in a row */
};

static void make(struct outcome *outcome, const struct planted *planted)
{
    struct cleave_trials *trials = &outcome->trials;
    memset(outcome, 0, sizeof *outcome);
    trials->count = planted->count;
    trials->trial = calloc(MOST, sizeof *trials->trial);
    trials->turn = calloc(2 * MOST, sizeof *trials->turn);
    trials->random = 88172645463325252ull;
    trials->chosen = trials->by_rule = planted->chosen;
    trials->account = &outcome->account;
    outcome->account.overhead = planted->overhead;
    trials->listed = 1;
    trials->limits.least_seconds = 1e-6;
    trials->limits.hopeless = planted->hopeless;
    trials->limits.exhaustive = planted->exhaustive;
    trials->blocks_open = planted->exhaustive;
    for (int n = 0; n < planted->count; n++) {
        struct cleave_trial *trial = &trials->trial[n];
        trial->variant = (char *)(uintptr_t)planted->variant[n];
        trial->block_size = planted->block_size[n];
        trial->first = 1;
        for (int m = 0; m < n; m++) {
            trial->first &= strcmp(planted->variant[n], planted->variant[m]) != 0;
        }
        trial->guess = planted->guess[n] > 0.0 ? planted->guess[n] : trial->first ? 1.0 : 0.3;
        trial->predicted = planted->predicted[n];
        trial->setup = planted->setup[n];
        trial->state =
            trial->first || planted->exhaustive ? CLEAVE_TRIAL_OPEN : CLEAVE_TRIAL_UNTRIED;
    }
}

static void done(struct outcome *outcome)
{
    free(outcome->trials.trial);
    free(outcome->trials.turn);
}

static double seconds_of(const struct planted *planted, int n, int call, int measured)
{
    double seconds = planted->seconds[n];
    seconds *= call % 2 ? 1.0 + planted->cold : 1.0;
    const unsigned lot = (unsigned)measured * 2654435761u >> 16;
    return planted->noisy && measured > 0 && lot % 12 == 5 ? 3.0 * seconds : seconds;
}

/* Tells the trials what loops have taken so far. */
static void look(struct outcome *outcome, const struct planted *planted, double taken)
{
    outcome->trials.pauses = 0;
    outcome->account.taken = taken;
    outcome->trials.usual_seconds = planted->seconds[planted->chosen];
}

/* Runs so many calls of the loop. */
static void run(struct outcome *outcome, const struct planted *planted, int calls)
{
    struct {
        int n, due;
        double seconds;
    } queue[QUEUE];
    int queued = 0;
    int last = -1;
    int row = 0;
    make(outcome, planted);
    for (int call = 1; call <= calls; call++) {
        int measured;
        while (queued > 0 && queue[0].due <= call) {
            cleave_turn_took(&outcome->trials, queue[0].n, queue[0].seconds);
            memmove(queue, queue + 1, (size_t)--queued * sizeof queue[0]);
        }
        look(outcome, planted, outcome->taken + (call - 1) * planted->others);
        const int n = cleave_turn(&outcome->trials, &measured);
        CHECK(n >= 0 && n < planted->count);
        outcome->measured += measured;
        const double seconds = seconds_of(planted, n, call, measured ? outcome->measured : 0);
        if (outcome->trials.trial[n].setup > 0.0) {
            outcome->trials.setup_seconds += outcome->trials.trial[n].setup;
            cleave_account_prepared(&outcome->account, outcome->trials.trial[n].setup);
            outcome->taken += outcome->trials.trial[n].setup;
        }
        if (measured) {
            CHECK(queued < QUEUE);
            queue[queued].n = n;
            queue[queued].seconds = seconds;
            queue[queued++].due = call + 1 + planted->late;
            row = n == last ? row + 1 : 1;
            last = n;
            if (n != planted->chosen) {
                outcome->longest_run = MAX(outcome->longest_run, row);
            }
        }
        if (n != planted->chosen && outcome->first_trial == 0) {
            outcome->first_trial = call;
        }
        outcome->taken += seconds;
        outcome->lost += fmax(seconds - seconds_of(planted, planted->chosen, call, 0), 0.0);
        if (outcome->trials.settled && outcome->settled_at == 0) {
            outcome->settled_at = call;
        }
    }
}

static const struct planted edges = {
    .variant = {"gather", "atomic", "owner", "colour", "transpose"},
    .block_size = {128, 128, 128, 128, 64},
    .seconds = {100e-6, 54e-6, 130e-6, 400e-6, 80e-6},
    .count = 5};

static int best_of(const struct planted *planted)
{
    int best = 0;
    for (int n = 1; n < planted->count; n++) {
        best = planted->seconds[n] < planted->seconds[best] ? n : best;
    }
    return best;
}

static void test_finds(void)
{
    struct outcome outcome;
    for (int late = 0; late <= 40; late += 20) {
        for (int noisy = 0; noisy < 2; noisy++) {
            for (int chosen = 0; chosen < edges.count; chosen++) {
                struct planted planted = edges;
                planted.late = late;
                planted.noisy = noisy;
                planted.chosen = chosen;
                run(&outcome, &planted, 12000);
                CHECK(outcome.trials.settled && outcome.settled_at < 10000);
                CHECK(outcome.trials.chosen == best_of(&planted));
                CHECK(outcome.trials.trial[outcome.trials.chosen].state == CLEAVE_TRIAL_CHOSEN);
                done(&outcome);
            }
        }
    }
}

/* The even calls of a loop find its data in the cache, the odd ones do not: candidates whose times
 * are close must not be judged by the calls that they met. */
static void test_interleaves(void)
{
    struct outcome outcome;
    struct planted planted = {.variant = {"a", "b", "c", "d"},
                              .block_size = {128, 128, 128, 128},
                              .seconds = {100e-6, 90e-6, 95e-6, 120e-6},
                              .count = 4,
                              .cold = 0.10};
    run(&outcome, &planted, 8000);
    CHECK(outcome.trials.settled && outcome.trials.chosen == 1);
    CHECK(outcome.longest_run <= 4);
    done(&outcome);
}

/* Hopeless candidates are dropped after few samples, the others after more. */
static void test_drops(void)
{
    struct outcome outcome;
    run(&outcome, &edges, 12000);
    const struct cleave_trial *trial = outcome.trials.trial;
    CHECK(trial[3].state == CLEAVE_TRIAL_DROPPED && trial[3].samples == 3);
    CHECK(trial[2].state == CLEAVE_TRIAL_DROPPED && trial[2].samples <= 3);
    CHECK(trial[4].state == CLEAVE_TRIAL_DROPPED && trial[4].samples == 3);
    CHECK_TEXT(trial[4].why, "not faster");
    CHECK(outcome.measured < 25);
    done(&outcome);
}

/* The most that trials may have cost when loops have taken so many seconds: a share behind the
 * first 0.1 s, and what a single call may lose beyond what was expected. */
static double most_spent(double taken, double slowest)
{
    return taken > 0.1 ? 0.01 * (taken - 0.1) + slowest : 0.0;
}

/* Whatever the times are and whatever measuring costs, trials keep to the account; a program that
 * calls a loop a few times tries nothing. */
static void test_budget(void)
{
    struct outcome outcome;
    struct planted planted = edges;
    planted.hopeless = 1.3;
    for (int bad = 1; bad < edges.count; bad++) {
        planted.seconds[bad] = 100e-6 * (1.2 + 3.0 * bad);
    }
    for (int calls = 1; calls <= 3000; calls += calls < 60 ? 1 : 147) {
        planted.overhead = calls % 2 ? 30e-6 : 0.0;
        run(&outcome, &planted, calls);
        CHECK(outcome.account.spent <= most_spent(outcome.taken, planted.seconds[4]));
        CHECK(outcome.lost <= outcome.account.spent + planted.seconds[4]);
        if (calls < 3) {
            CHECK(outcome.first_trial == 0 && outcome.lost == 0.0);
        }
        done(&outcome);
    }
}

/* A loop that takes a small part of the program's time keeps to its part of the account; one of
 * which the account is used up waits until loops have taken more time. */
static void test_shares(void)
{
    struct outcome outcome;
    struct planted planted = edges;
    planted.hopeless = 1.3;
    planted.overhead = 30e-6;
    for (int times = 1; times <= 64; times *= 4) {
        planted.others = (times - 1) * planted.seconds[0];
        run(&outcome, &planted, 400);
        const double share = 1.0 / times;
        const double most = most_spent(outcome.account.taken, planted.seconds[3]);
        CHECK(outcome.account.spent <= most * fmin(4.0 * share, 1.0) + planted.seconds[3]);
        done(&outcome);
    }
    make(&outcome, &planted);
    outcome.trials.usual_seconds = 100e-6;
    outcome.trials.calls_now = 3000;
    outcome.account.taken = 0.3;
    CHECK(cleave_is_worth_trials(&outcome.trials, 5));
    CHECK(!cleave_is_worth_trials(&outcome.trials, 50)); /* to list them takes 3 ms */
    outcome.account.taken = 100.0;                       /* 0.3 % of it */
    CHECK(!cleave_is_worth_trials(&outcome.trials, 5));
    outcome.account.taken = 0.3;
    outcome.account.spent = 2e-3;
    CHECK(!cleave_is_worth_trials(&outcome.trials, 5));
    outcome.account.spent = 0.0;
    outcome.trials.usual_seconds = 0.5e-6; /* below the shortest that is tuned */
    CHECK(!cleave_is_worth_trials(&outcome.trials, 5));
    done(&outcome);
}

/* Short launches whose measuring costs more than a better variant can bring are not measured. */
static void test_not_worth(void)
{
    struct outcome outcome;
    struct planted planted = edges;
    planted.overhead = 40e-6;
    for (int n = 0; n < planted.count; n++) {
        planted.seconds[n] *= 0.06;
    }
    run(&outcome, &planted, 100);
    CHECK(outcome.measured == 0 && outcome.first_trial == 0);
    done(&outcome);
}

/* The rule's choice stays unless another is faster by more than the noise. */
static void test_rule_stays(void)
{
    struct outcome outcome;
    struct planted planted = edges;
    for (int n = 1; n < planted.count; n++) {
        planted.seconds[n] = n == 2 ? 97.5e-6 : 140e-6;
    }
    run(&outcome, &planted, 8000);
    CHECK(outcome.trials.settled && outcome.trials.chosen == 0);
    done(&outcome);
    planted.seconds[2] = 95e-6;
    run(&outcome, &planted, 8000);
    CHECK(outcome.trials.settled && outcome.trials.chosen == 2);
    done(&outcome);
}

/* The model tells what is not worth trying first, but a wrong model costs no more than some calls:
 * every candidate is measured, and the best wins. */
static void test_predictions(void)
{
    struct outcome outcome;
    struct planted planted = edges;
    const double right[] = {100e-6, 50e-6, 140e-6, 380e-6, 85e-6};
    const double wrong[] = {50e-6, 400e-6, 100e-6, 60e-6, 200e-6};
    memcpy(planted.predicted, right, sizeof right);
    run(&outcome, &planted, 8000);
    const double lost = outcome.lost;
    CHECK(outcome.trials.settled && outcome.trials.chosen == 1);
    done(&outcome);
    memcpy(planted.predicted, wrong, sizeof wrong);
    run(&outcome, &planted, 8000);
    CHECK(outcome.trials.settled && outcome.trials.chosen == 1);
    CHECK(outcome.lost < 0.03 * 1000 * 100e-6 && lost <= outcome.lost + 1e-9);
    done(&outcome);
}

/* After the variants, the block sizes of the best ones. */
static void test_block_sizes(void)
{
    struct outcome outcome;
    const struct planted planted = {
        .variant = {"a", "b", "c", "a", "a", "b", "b", "c", "c"},
        .block_size = {128, 128, 128, 64, 256, 64, 256, 64, 256},
        .seconds = {100e-6, 95e-6, 200e-6, 99e-6, 120e-6, 110e-6, 80e-6, 70e-6, 300e-6},
        .count = 9};
    run(&outcome, &planted, 8000);
    CHECK(outcome.trials.settled && outcome.trials.chosen == 6);
    CHECK(outcome.trials.trial[3].samples > 0);
    /* A variant that is twice as slow is not tried with other blocks, even if one would win. */
    CHECK(outcome.trials.trial[7].samples == 0 &&
          outcome.trials.trial[7].state == CLEAVE_TRIAL_UNTRIED);
    done(&outcome);
    struct planted full = planted;
    full.exhaustive = 1;
    run(&outcome, &full, 2000);
    CHECK(outcome.trials.settled && outcome.trials.chosen == 7);
    for (int n = 0; n < full.count; n++) {
        CHECK(outcome.trials.trial[n].samples >= 7);
    }
    done(&outcome);
}

/* Candidates whose preparation makes the loop wait come later, or never if that takes too long;
 * rounds of the others go on. */
static void test_setup(void)
{
    struct outcome outcome;
    struct planted planted = edges;
    planted.setup[1] = 2e-3; /* 20 calls */
    run(&outcome, &planted, 3500);
    CHECK(outcome.trials.trial[1].samples == 0 && outcome.trials.trial[4].samples >= 3);
    CHECK(!outcome.trials.settled && outcome.trials.chosen == 4);
    done(&outcome);
    run(&outcome, &planted, 20000);
    CHECK(outcome.trials.settled && outcome.trials.chosen == 1);
    done(&outcome);
    planted.setup[1] = 50e-3;
    run(&outcome, &planted, 20000);
    CHECK(outcome.trials.settled && outcome.trials.chosen == 4);
    CHECK_TEXT(outcome.trials.trial[1].why, "trying it would cost too much");
    done(&outcome);
}

/* Loops that take no time are left as they are. */
static void test_short(void)
{
    struct outcome outcome;
    struct planted planted = edges;
    for (int n = 0; n < planted.count; n++) {
        planted.seconds[n] *= 1e-3;
    }
    run(&outcome, &planted, 1000);
    CHECK(outcome.trials.settled && outcome.trials.chosen == 0 && outcome.first_trial == 0);
    CHECK(outcome.measured <= 2);
    done(&outcome);
}

/* A candidate that cannot run leaves the race; if it was the chosen one, the next best runs. */
static void test_failures(void)
{
    struct outcome outcome;
    int measured;
    run(&outcome, &edges, 12000);
    cleave_turn_failed(&outcome.trials, 1, "no memory");
    CHECK(outcome.trials.settled && cleave_turn(&outcome.trials, &measured) == 4 && !measured);
    CHECK(outcome.trials.trial[4].state == CLEAVE_TRIAL_CHOSEN);
    CHECK_TEXT(outcome.trials.trial[1].why, "no memory");
    done(&outcome);
    make(&outcome, &edges);
    cleave_turn_failed(&outcome.trials, 0, "before any call");
    CHECK(outcome.trials.measured_now == 0 && outcome.account.promised == 0.0);
    done(&outcome);
    make(&outcome, &edges);
    for (int call = 0; call < 12000; call++) {
        look(&outcome, &edges, call * edges.seconds[0]);
        const int n = cleave_turn(&outcome.trials, &measured);
        CHECK(n != 1 || measured);
        if (n == 1) {
            cleave_turn_failed(&outcome.trials, n, "the launch fails");
        } else if (measured && call % 3 == 0) {
            cleave_turn_missed(&outcome.trials, n);
        } else if (measured) {
            cleave_turn_took(&outcome.trials, n, edges.seconds[n]);
        }
    }
    CHECK(outcome.trials.settled && outcome.trials.chosen == 4);
    CHECK(outcome.trials.trial[1].samples == 0);
    done(&outcome);
}

/* Trials go on without a candidate that waits for its plan, and do not end before it came. */
static void test_waiting(void)
{
    struct outcome outcome;
    int measured;
    make(&outcome, &edges);
    for (int call = 0; call < 20000; call++) {
        look(&outcome, &edges, call * edges.seconds[0]);
        if (call == 10000) {
            CHECK(!outcome.trials.settled && outcome.trials.chosen == 4);
            cleave_turns_arrived(&outcome.trials);
        }
        const int n = cleave_turn(&outcome.trials, &measured);
        if (n == 1 && call < 10000) {
            CHECK(measured);
            cleave_turn_waits(&outcome.trials, n);
        } else if (measured) {
            cleave_turn_took(&outcome.trials, n, edges.seconds[n]);
        }
    }
    CHECK(outcome.trials.settled && outcome.trials.chosen == 1);
    done(&outcome);
}

int main(void)
{
    test_finds();
    test_interleaves();
    test_drops();
    test_budget();
    test_shares();
    test_not_worth();
    test_rule_stays();
    test_predictions();
    test_block_sizes();
    test_setup();
    test_short();
    test_failures();
    test_waiting();
    return CHECK_RESULT();
}
