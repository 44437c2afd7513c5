/* background.h: a ring whose loop has two variants, on a device made of malloc (fake_device.h), for
 * the tests of what the runtime makes while loops run. A job is waited for where a test needs to
 * know that it has ended. */
#ifndef CLEAVE_TEST_BACKGROUND_H
#define CLEAVE_TEST_BACKGROUND_H

#define RING 9000
#include "ring.h"

#include <unistd.h>

#include "check.h"
#include "fake_device.h"
#include "runtime/exec/exec.h"

/* ---- a unit: flux by colours, which needs a plan and is preferred, and without a plan ----------
 */

static void flux_free_run(const struct cleave_launch *l)
{
    flux_variant = "flux_fused_atomic";
    flux_runs++;
    for (int e = 0; e < l->size; e++) {
        flux_element(l, e, 1.0);
    }
}

static int permutes;

static void permute(const struct cleave_permutation *p)
{
    permutes++;
    for (int i = 0; i < p->count; i++) {
        const size_t bytes = (size_t)p->words * p->word;
        const size_t from = (size_t)(p->index != NULL ? p->index[i] : i);
        char *to = (char *)p->to + (size_t)i * bytes;
        memcpy(to, (const char *)p->from + from * bytes, bytes);
        for (int w = 0; p->number != NULL && w < p->words; w++) {
            ((int *)(void *)to)[w] = p->number[((int *)(void *)to)[w]];
        }
    }
}

static struct cleave_variant variants[] = {{.name = "flux_fused_colour",
                                            .schedule = CLEAVE_FUSED,
                                            .race = CLEAVE_RACE_COLOUR,
                                            .plan = CLEAVE_PLAN_BLOCKS,
                                            .run = flux_fused_run,
                                            .rank = 0},
                                           {.name = "flux_fused_atomic",
                                            .schedule = CLEAVE_FUSED,
                                            .race = CLEAVE_RACE_ATOMIC,
                                            .plan = CLEAVE_PLAN_NONE,
                                            .run = flux_free_run,
                                            .rank = 1}};
static struct cleave_loop loops[] = {{FLUX_LOOP(2, variants)}};
static struct cleave_unit unit = {RING_UNIT(CLEAVE_TARGET_CUDA, 1, loops), .permute = permute};

/* The ring's own order would suit a device. */
static inline void start(void)
{
    setenv("CLEAVE_RENUMBER", "on", 0);
    start_ring();
    uploads = downloads = permutes = 0;
}

static void finish(void)
{
    op_exit();
    CHECK(in_use == 0);
}

/* The next loop finds what the worker has made so far, and the run has lasted long enough. */
static inline void let_worker_end(void)
{
    cleave_jobs_wait();
    usleep(2000);
}

static inline void expect_flux(const char *variant)
{
    call_flux();
    CHECK_TEXT(flux_variant, variant);
}

#endif
