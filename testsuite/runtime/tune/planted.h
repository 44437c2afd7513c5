/* planted.h: a loop in four variants on a device whose times are planted, and what a test asks of
 * its trials; for planted.c and planted_model.c. */
#ifndef CLEAVE_TEST_PLANTED_H
#define CLEAVE_TEST_PLANTED_H

#define RING 20000
#include "../ring.h"

#include <glob.h>
#include <unistd.h>

#include "../child.h"
#include "../fake_device.h"
#include "check.h"
#include "runtime/exec/exec.h"

/* ---- the device: what its clock shows ---------------------------------------------------------
 */

static struct {
    const char *variant;
    int block_size; /* 0: any */
    double seconds;
} planted[8];

/* Calls take so many times what was planted: plans for candidates take real time, which a busy
 * machine stretches, and both go into one account. */
enum { SLOWER = 20 };

static const char *launched; /* the latest variant */
static int launched_size;
static const char *unlaunchable; /* a variant whose launches fail; NULL: none */
static double took[TARGET_MARKS];
static int mark_now[TARGET_MARKS]; /* how many launches there were when the mark was set */
static int launches;
static int timed;       /* launches between two marks */
static useconds_t room; /* microseconds that the first launch of a candidate waits for room */
static int late;        /* launches after which a mark has passed */
static char tried[64][64];
static int runs[64]; /* of each */
static int tries;

static double planted_seconds(void)
{
    for (int p = 0; p < 8 && planted[p].variant != NULL; p++) {
        if (strcmp(planted[p].variant, launched) == 0 &&
            (planted[p].block_size == 0 || planted[p].block_size == launched_size)) {
            return SLOWER * planted[p].seconds;
        }
    }
    return SLOWER * 100e-3;
}

static int mark(int slot)
{
    took[slot] = slot % 2 ? planted_seconds() : 0.0;
    timed += slot % 2;
    mark_now[slot] = launches;
    return 0;
}

static int passed(int slot)
{
    return launches >= mark_now[slot] + late;
}

static double elapsed(int begin, int end)
{
    CHECK(end == begin + 1);
    return took[end];
}

static int launched_well(void)
{
    return unlaunchable != NULL && strcmp(launched, unlaunchable) == 0 ? -1 : 0;
}

/* ---- variants -----------------------------------------------------------------------------------
 */

static void note(const char *variant, int size)
{
    char text[64];
    launched = variant;
    launched_size = size;
    launches++;
    snprintf(text, sizeof text, "%s %d", variant, size);
    for (int t = 0; t < tries; t++) {
        if (strcmp(tried[t], text) == 0) {
            runs[t]++;
            return;
        }
    }
    usleep(room);
    if (tries < 64) {
        runs[tries] = 1;
        strcpy(tried[tries++], text);
    }
}

static int was_tried(const char *text)
{
    for (int t = 0; t < tries; t++) {
        if (strncmp(tried[t], text, strlen(text)) == 0) {
            return 1;
        }
    }
    return 0;
}

#define RUN(name)                                                                                  \
    static void run_##name(const struct cleave_launch *l)                                          \
    {                                                                                              \
        note("flux_" #name, l->block_size);                                                        \
        if (unlaunchable == NULL || strcmp("flux_" #name, unlaunchable) != 0) {                    \
            flux_##name##_run(l);                                                                  \
        }                                                                                          \
    }
#define flux_fused_colour_run flux_fused_run
#define flux_fused_atomic_run flux_atomic_run
#define flux_split_colour_run flux_split_run
RUN(fused_colour)
RUN(fused_atomic)
RUN(split_colour)
RUN(twopass)

static struct cleave_variant tuned_variants[] = {
    {"flux_split_colour", CLEAVE_SPLIT, 1, CLEAVE_RACE_COLOUR, CLEAVE_PLAN_BLOCKS, 0, flux_shared,
     run_split_colour, 0, 0, NULL, NULL, 0, NULL, NULL, NULL, 0, 0, 0},
    {"flux_fused_colour", CLEAVE_FUSED, 0, CLEAVE_RACE_COLOUR, CLEAVE_PLAN_BLOCKS, 0, flux_shared,
     run_fused_colour, 0, 0, NULL, NULL, 0, NULL, NULL, NULL, 0, 0, 0},
    {"flux_fused_atomic", CLEAVE_FUSED, 0, CLEAVE_RACE_ATOMIC, CLEAVE_PLAN_BLOCKS, 0, NULL,
     run_fused_atomic, 0, 0, NULL, NULL, 0, NULL, NULL, NULL, 0, 1, 0},
    {"flux_twopass", CLEAVE_TWO_PASS, 0, CLEAVE_RACE_NONE, CLEAVE_PLAN_POINTS, 8, NULL, run_twopass,
     0, 0, NULL, NULL, 0, NULL, NULL, NULL, 0, 0, 0}};
static struct cleave_loop loops[] = {{FLUX_LOOP(4, tuned_variants)}};
static struct cleave_unit unit = {RING_UNIT(CLEAVE_TARGET_CUDA, 1, loops)};

/* ---- a program
 * ----------------------------------------------------------------------------------- */

static char folder[] = "/tmp/cleave-tune.XXXXXX";
static double *got, *in; /* [RING] */

static void plant(const char *variant, int block_size, double seconds)
{
    int p = 0;
    while (planted[p].variant != NULL) {
        p++;
    }
    planted[p].variant = variant;
    planted[p].block_size = block_size;
    planted[p].seconds = seconds;
}

static void start(void)
{
    start_ring();
    tries = timed = launches = 0;
}

static void calls(int count)
{
    for (int c = 0; c < count; c++) {
        call_flux();
    }
}

/* 1: res has the sums of so many calls, to rounding. */
static int sums_are_right(int count)
{
    op_fetch_data(res, got);
    op_fetch_data(q, in);
    for (int p = 0; p < RING; p++) {
        const double f =
            gam * count * ((in[p] - in[(p + 1) % RING]) - (in[(p + RING - 1) % RING] - in[p]));
        if (fabs(got[p] - f) > 1e-9 * count) {
            return 0;
        }
    }
    return 1;
}

static const struct cleave_trials *trials(void)
{
    return cleave_trials_of("flux", "flux", NULL);
}

static int samples_of_all(void)
{
    int samples = 0;
    for (int n = 0; n < trials()->count; n++) {
        samples += trials()->trial[n].samples;
    }
    return samples;
}

static const struct cleave_trial *chosen(void)
{
    return &trials()->trial[trials()->chosen];
}

static void empty_store(void)
{
    glob_t found;
    char pattern[64];
    snprintf(pattern, sizeof pattern, "%s/*/*", folder);
    if (glob(pattern, 0, NULL, &found) == 0) {
        for (size_t f = 0; f < found.gl_pathc; f++) {
            unlink(found.gl_pathv[f]);
        }
    }
    globfree(&found);
}

static struct target_ops device_clock;

/* At the beginning of a test. */
static void plant_device(void)
{
    device_clock = ops;
    device_clock.mark = mark;
    device_clock.passed = passed;
    device_clock.elapsed = elapsed;
    device_clock.launched = launched_well;
    CHECK(mkdtemp(folder) != NULL);
    setenv("CLEAVE_PLAN_CACHE", folder, 1);
    setenv("CLEAVE_TUNE", "auto", 1);
    setenv("CLEAVE_PLAN", "wait", 1); /* but where a test is about the worker */
    setenv("CLEAVE_RENUMBER", "off", 1);
    unsetenv("CLEAVE_CHECK_PLAN"); /* other tests check plans */
    got = malloc(RING * sizeof *got);
    in = malloc(RING * sizeof *in);
    target_provide(&device_clock);
    cleave_register(&unit);
}

/* At its end. */
static void unplant_device(void)
{
    empty_store();
    free(got);
    free(in);
}

static inline void plant_usual(void)
{
    memset(planted, 0, sizeof planted);
    plant("flux_split_colour", 0, 100e-3);
    plant("flux_fused_colour", 0, 150e-3);
    plant("flux_fused_atomic", 256, 55e-3);
    plant("flux_fused_atomic", 0, 70e-3);
    plant("flux_twopass", 0, 130e-3);
}

#endif
