/* background.h: a ring whose loop has two variants, on a device made of malloc (fake_device.h), for
 * the tests of what the runtime makes while loops run. A job is waited for where a test needs to
 * know that it has ended. */
#ifndef CLEAVE_TEST_BACKGROUND_H
#define CLEAVE_TEST_BACKGROUND_H

#define RING 9000
#include "ring.h"

#include <math.h>
#include <unistd.h>

#include "check.h"
#include "fake_device.h"
#include "runtime/base/worker.h"
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

/* ---- a worker that is busy ----------------------------------------------------------------------
 */

static atomic_int may_go_on;
static atomic_int is_blocked;

static inline void block_work(struct cleave_job *job)
{
    atomic_store(&is_blocked, 1);
    while (!atomic_load(&may_go_on) && !cleave_job_is_cancelled(job)) {
        usleep(100);
    }
}

static inline void block_end(struct cleave_job *job)
{
    (void)job;
}

/* Returns when the worker has begun a job that ends when may_go_on is 1: later ones wait for it. */
static inline void block_worker(void)
{
    static struct cleave_job job = {.work = block_work, .adopt = block_end, .discard = block_end};
    atomic_store(&may_go_on, 0);
    atomic_store(&is_blocked, 0);
    cleave_job_start(&job);
    while (!atomic_load(&is_blocked)) {
        usleep(100);
    }
}

/* ---- a ring whose edges are in another order ---------------------------------------------------
 */

static op_dat where; /* its points lie on a circle */

/* Edge i goes from point i * stride to the next. Of 7919, edges name points at random; of 7, they
 * name them in more lines of memory than a device should fetch, but not at random. */
static inline void start_ring_of(int stride)
{
    static int map[2 * RING];
    static double value[RING];
    op_init(0, NULL, 0);
    op_decl_const(1, "double", &gam);
    for (int e = 0; e < RING; e++) {
        map[2 * e] = (int)((long)e * stride % RING);
        map[2 * e + 1] = (map[2 * e] + 1) % RING;
        value[e] = 0.25 * (e % 17) + 1.0;
    }
    points = op_decl_set(RING, "points");
    edges = op_decl_set(RING, "edges");
    ends = op_decl_map(edges, points, 2, map, "ends");
    q = op_decl_dat(points, 1, "double", value, "q");
    res = op_decl_dat(points, 1, "double", NULL, "res");
    flux_runs = uploads = downloads = permutes = 0;
}

/* has_places: op_partition names coordinates. */
static inline void name_places(int has_places)
{
    where = op_decl_dat_temp(points, 2, "double", NULL, "where");
    for (int p = 0; p < RING; p++) {
        ((double *)(void *)where->data)[2 * p] = cos(2.0 * M_PI * p / RING);
        ((double *)(void *)where->data)[2 * p + 1] = sin(2.0 * M_PI * p / RING);
    }
    op_put_data(where);
    op_partition("", "", NULL, ends, has_places ? where : NULL);
}

/* Runs on a ring whose order the store has: it is adopted at once, from the program's. */
static inline void expect_kept(int stride, int has_places)
{
    start_ring_of(stride);
    if (has_places) {
        name_places(1);
    }
    call_flux();
    cleave_jobs_wait();
    call_flux();
    CHECK(cleave_order.primary == edges && cleave_order.from_cache && permutes == 3);
    CHECK(cleave_background.first_call == 0 && cleave_background.calls == 1);
    CHECK(flux_is_right(1.5 * flux_runs));
    finish();
}

#endif
