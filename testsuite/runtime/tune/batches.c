/* batches.c: the trials of a program with one large loop and many small ones, whose launches are a
 * graph, with planted times: no clock and no device. Times of calls are told to half a microsecond,
 * and come some calls later. Small loops settle on the fastest all the same, the large loop comes
 * first, and few sequences have measured calls. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "runtime/tune/turns.h"

enum { LOOPS = 11, CANDIDATES = 4, CALLS = 2, LATE = 20, QUEUE = 512 };

/* Seconds of each candidate: of the large loop, then of the small ones. The rule prefers the first.
 */
static const double large[CANDIDATES] = {100e-6, 80e-6, 120e-6, 130e-6};
static const double small[CANDIDATES] = {5.8e-6, 4.4e-6, 4.0e-6, 5.2e-6};
static const double alike[CANDIDATES] = {4.0e-6, 4.05e-6, 4.1e-6, 3.95e-6};

static struct program {
    struct cleave_account account;
    struct cleave_trials loop[LOOPS];
    const double *seconds[LOOPS]; /* [CANDIDATES] */
    double taken;                 /* by all calls */
    unsigned long disturbed;      /* sequences with a measured call */
    int measured;                 /* calls */
    int changes;                  /* of the candidate that calls usually run */
    int large_settled_in;         /* the step */
    int small_settled_in;         /* of the first small loop that settled */
    struct {
        int loop, n;
        long due;
        double seconds;
    } queue[QUEUE];
    int queued;
    long calls;
    unsigned random;
} program;

static double random_share(void)
{
    program.random = program.random * 1664525u + 1013904223u;
    return (program.random >> 8) / (double)(1 << 24);
}

static void make(double apart, const double *seconds_of_small)
{
    memset(&program, 0, sizeof program);
    program.random = 1;
    program.account.overhead = 4e-6;
    program.account.apart = apart;
    for (int l = 0; l < LOOPS; l++) {
        struct cleave_trials *trials = &program.loop[l];
        program.seconds[l] = l == LOOPS / 2 ? large : seconds_of_small;
        trials->account = &program.account;
        trials->next = program.account.first;
        program.account.first = trials;
        trials->count = CANDIDATES;
        trials->trial = calloc(CANDIDATES, sizeof *trials->trial);
        trials->turn = calloc(2 * CANDIDATES, sizeof *trials->turn);
        trials->random = 88172645463325252ull + (unsigned)l;
        trials->listed = 1;
        trials->limits.least_seconds = 2e-6;
        trials->limits.short_seconds = 20e-6;
        trials->limits.hopeless = 3.0;
        for (int n = 0; n < CANDIDATES; n++) {
            trials->trial[n].variant = (char *)(uintptr_t)"direct";
            trials->trial[n].block_size = 64 << n;
            trials->trial[n].first = n == 0;
            trials->trial[n].guess = 0.1;
            trials->trial[n].state = n == 0 ? CLEAVE_TRIAL_OPEN : CLEAVE_TRIAL_UNTRIED;
        }
    }
}

static void end(void)
{
    for (int l = 0; l < LOOPS; l++) {
        free(program.loop[l].trial);
        free(program.loop[l].turn);
    }
}

/* What events tell of a call: whole half microseconds, and now and then much more. */
static double told(double seconds)
{
    const double outlier = random_share() < 0.02 ? 5e-6 : 0.0;
    return 0.5e-6 * floor((seconds + outlier + 0.2e-6 * random_share()) / 0.5e-6 + random_share());
}

static void tell_times(void)
{
    while (program.queued > 0 && program.queue[0].due <= program.calls) {
        cleave_turn_took(&program.loop[program.queue[0].loop], program.queue[0].n,
                         program.queue[0].seconds);
        program.queued--;
        memmove(program.queue, program.queue + 1, (size_t)program.queued * sizeof program.queue[0]);
    }
}

static void look(struct cleave_trials *trials, double usual)
{
    trials->pauses = 0;
    trials->usual_seconds = usual;
    trials->is_next = cleave_is_next(trials);
    program.account.taken = program.taken;
}

static void call(int l)
{
    struct cleave_trials *trials = &program.loop[l];
    const int before = trials->runs;
    const unsigned long disturbed = program.account.disturbed;
    int measured;
    tell_times();
    program.calls++;
    if (trials->calls_now % 8 == 0) {
        look(trials, program.seconds[l][0]);
    }
    const int n = cleave_turn(trials, &measured);
    program.changes += trials->runs != before;
    program.disturbed += program.account.disturbed != disturbed;
    program.taken += program.seconds[l][n];
    CHECK(measured || n == trials->runs);
    if (measured) {
        CHECK(program.queued < QUEUE);
        program.measured++;
        program.queue[program.queued].loop = l;
        program.queue[program.queued].n = n;
        program.queue[program.queued].due = program.calls + LATE;
        program.queue[program.queued++].seconds = told(program.seconds[l][n]);
    }
}

static void run(int steps)
{
    for (int step = 1; step <= steps; step++) {
        for (int l = 0; l < LOOPS; l++) {
            for (int c = 0; c < CALLS; c++) {
                call(l);
            }
            if (program.loop[l].settled && program.seconds[l] == large &&
                program.large_settled_in == 0) {
                program.large_settled_in = step;
            }
            if (program.loop[l].settled && program.seconds[l] != large &&
                program.small_settled_in == 0) {
                program.small_settled_in = step;
            }
        }
        program.account.sequence++;
    }
}

static int is_within(int l, double ratio)
{
    double best = program.seconds[l][0];
    for (int n = 1; n < CANDIDATES; n++) {
        best = fmin(best, program.seconds[l][n]);
    }
    return program.loop[l].settled && program.seconds[l][program.loop[l].chosen] <= ratio * best;
}

static int keeps_to_account(void)
{
    return program.account.spent <= 0.01 * (program.taken - 0.1) + large[CANDIDATES - 1];
}

/* Whether there are graphs or not, all loops settle within 5 % of their best candidate. */
static void test_settles(void)
{
    for (int graphs = 0; graphs < 2; graphs++) {
        make(graphs ? 150e-6 : 0.0, small);
        run(20000);
        for (int l = 0; l < LOOPS; l++) {
            CHECK(is_within(l, 1.05) && program.loop[l].runs == program.loop[l].chosen);
        }
        CHECK(program.large_settled_in <= program.small_settled_in);
        CHECK(!graphs || program.measured > 8 * (int)program.disturbed);
        CHECK(keeps_to_account());
        end();
    }
}

/* At no time have trials cost more than their account. */
static void test_account(void)
{
    make(150e-6, small);
    for (int part = 0; part < 100; part++) {
        run(50);
        CHECK(program.taken > 0.1 ? keeps_to_account() : program.account.spent == 0.0);
    }
    end();
}

/* Loops whose candidates are as fast stay with the rule's: graphs are not made anew. */
static void test_alike(void)
{
    make(150e-6, alike);
    run(20000);
    for (int l = 0; l < LOOPS; l++) {
        CHECK(is_within(l, 1.05));
    }
    CHECK(program.changes <= 3);
    end();
}

/* With CLEAVE_TUNE=full nothing waits for the account. All candidates of short loops are measured
 * more often, and their spread is known. */
static void test_full(void)
{
    make(150e-6, alike);
    for (int l = 0; l < LOOPS; l++) {
        program.loop[l].limits.exhaustive = program.loop[l].blocks_open = 1;
        for (int n = 0; n < CANDIDATES; n++) {
            program.loop[l].trial[n].state = CLEAVE_TRIAL_OPEN;
        }
    }
    run(100);
    for (int l = 0; l < LOOPS; l++) {
        const struct cleave_trials *trials = &program.loop[l];
        CHECK(is_within(l, 1.05) && trials->runs == trials->chosen);
        for (int n = 0; n < CANDIDATES; n++) {
            const struct cleave_trial *trial = &trials->trial[n];
            CHECK(trial->samples >= (l == LOOPS / 2 ? 7 : CLEAVE_TRIAL_SAMPLES));
            CHECK(trial->spread >= 0.0 && trial->spread < 1.5e-6);
            CHECK(fabs(trial->seconds - program.seconds[l][n]) < 0.3e-6);
        }
    }
    end();
}

/* ---- a solver ---------------------------------------------------------------------------------
 */

/* Seconds of the loops of an iteration, in their candidates. */
enum { SOLVER = 5 };
static const double solver[SOLVER][CANDIDATES] = {{14.6e-6, 12.2e-6, 13e-6, 14e-6},
                                                  {8.3e-6, 7.2e-6, 8e-6, 9e-6},
                                                  {12.3e-6, 11.1e-6, 12e-6, 13e-6},
                                                  {7.6e-6, 7.6e-6, 7.8e-6, 8e-6},
                                                  {3.4e-6, 3.4e-6, 3.5e-6, 3.6e-6}};

/* As the runtime looks: ever more rarely. */
static void call_solver(int l)
{
    struct cleave_trials *trials = &program.loop[l];
    trials->called_at = ++program.account.calls;
    if (trials->calls_now >= trials->next_look) {
        trials->next_look = trials->calls_now + 8 + trials->calls_now / 16;
        look(trials, solver[l][0]);
    }
    call(l);
}

/* Makes the solver. The candidates of its largest loop are variants whose plans are made in the
 * background, at a cost of so many seconds. */
static void make_solver(double apart, double setup)
{
    make(apart, small);
    program.account.first = NULL;
    program.account.spent = 8e-3; /* listing candidates */
    for (int l = 0; l < SOLVER; l++) {
        program.seconds[l] = solver[l];
        program.loop[l].next = program.account.first;
        program.account.first = &program.loop[l];
    }
    program.loop[0].limits.plans_later = 1;
    for (int n = 1; n < CANDIDATES; n++) {
        program.loop[0].trial[n].first = 1;
        program.loop[0].trial[n].setup = setup;
        program.loop[0].trial[n].state = CLEAVE_TRIAL_OPEN;
    }
}

/* 60,000 iterations of short loops settle, while the largest one waits for what its plans cost, and
 * then that one, too. Plans that a run will not be able to pay do not keep its trials going. */
static void test_solver(void)
{
    static const double aparts[] = {0.0, 20e-6};
    static const double setups[] = {0.0, 1.8e-3, 10e-3, 1.0};
    for (int t = 0; t < 8; t++) {
        const double setup = setups[t / 2];
        make_solver(aparts[t % 2], setup);
        for (int step = 0; step < 60000; step++) {
            for (int l = 0; l < SOLVER; l++) {
                call_solver(l);
                program.account.sequence += l == 1 || l == SOLVER - 1;
            }
        }
        for (int l = 0; l < SOLVER; l++) {
            CHECK(setup >= 1.0 && l == 0 ? program.loop[l].settled : is_within(l, 1.05));
        }
        CHECK(program.account.spent <= 0.01 * (program.taken - 0.1) + 1e-3);
        end();
    }
}

/* A gain that does not pay for making the graph anew waits for the next run. */
static void test_change(void)
{
    make(5e-3, small);
    struct cleave_trials *trials = &program.loop[0];
    int measured;
    program.account.taken = 10.0;
    trials->is_next = 1;
    trials->settled = 1;
    trials->chosen = 2;
    for (int n = 0; n < CANDIDATES; n++) {
        trials->trial[n].seconds = small[n];
    }
    trials->calls_now = 1000;
    CHECK(cleave_turn(trials, &measured) == 0 && !measured && trials->runs == 0);
    trials->calls_now = 100000;
    CHECK(cleave_turn(trials, &measured) == 2 && !measured && trials->runs == 2);
    end();
}

int main(void)
{
    test_settles();
    test_account();
    test_alike();
    test_solver();
    test_change();
    test_full();
    return CHECK_RESULT();
}
