/* group_plans.c: groups whose joined loop needs a plan: their members run one by one until the
 * worker has made it, and the host does not wait. */
#include "background.h"

/* ---- a unit: flux without a plan, and two calls of it as one kernel with a plan ----------------
 */

static int joined_runs;

static void joined_run(const struct cleave_launch *l)
{
    joined_runs++;
    flux_blocks(l, 2.0);
}

static const struct cleave_variant joined_variants[] = {{.name = "joined_fused_colour",
                                                         .schedule = CLEAVE_FUSED,
                                                         .race = CLEAVE_RACE_COLOUR,
                                                         .plan = CLEAVE_PLAN_BLOCKS,
                                                         .run = joined_run}};
static const struct cleave_loop joined_loops[] = {{FLUX_LOOP(1, &variants[1])},
                                                  {.call = "\001flux+flux 0",
                                                   .signature = FLUX_SIGNATURE,
                                                   .kernel = "flux+flux",
                                                   .location = "ring.h:1",
                                                   .lists = 1,
                                                   .list = flux_lists,
                                                   .constants = 1,
                                                   .constant = flux_constants,
                                                   .variants = 1,
                                                   .variant = joined_variants}};
static const struct cleave_member both[] = {{0, (const int[]){0, 1, 2, 3}},
                                            {0, (const int[]){0, 1, 2, 3}}};
static const struct cleave_group groups[] = {{.loop = 1, .members = 2, .member = both}};
static const struct cleave_unit joined_unit = {RING_UNIT(CLEAVE_TARGET_CUDA, 2, joined_loops),
                                               .groups = 1, .group = groups};

static int calls;
static int plans_before; /* that the worker had made when the program began */

static int plans_of_worker(void)
{
    return cleave_background.plans - plans_before;
}

static void begin(const char *tune)
{
    setenv("CLEAVE_TUNE", tune, 1);
    start();
    joined_runs = calls = 0;
    plans_before = cleave_background.plans;
    call_flux(); /* everything is on the device now */
    cleave_flush();
    calls++;
    flux_runs = 0;
}

static void call_twice(int times)
{
    for (int i = 0; i < times; i++) {
        call_flux();
        call_flux();
        cleave_flush();
        calls += 2;
    }
}

static void end(void)
{
    CHECK(flux_is_right(1.5 * calls));
    finish();
}

/* ---- a worker that is busy with something else ------------------------------------------------
 */

static atomic_int may_end;

static void keep_busy(struct cleave_job *job)
{
    while (!atomic_load(&may_end) && !cleave_job_is_cancelled(job)) {
        usleep(100);
    }
}

static void nothing(struct cleave_job *job)
{
    (void)job;
}

static struct cleave_job busy = {.work = keep_busy, .adopt = nothing, .discard = nothing};

static void let_worker_make_plan(void)
{
    atomic_store(&may_end, 1);
    let_worker_end();
}

/* ---- tests ------------------------------------------------------------------------------------
 */

static void test_without_waiting(void)
{
    begin("off");
    atomic_store(&may_end, 0);
    cleave_job_start(&busy); /* the plan comes behind it */
    call_twice(4);
    CHECK(joined_runs == 0 && flux_runs == 8 && cleave_plans == NULL);
    CHECK(plans_of_worker() == 0);
    let_worker_make_plan();
    call_twice(4);
    CHECK(plans_of_worker() == 1);
    CHECK(joined_runs >= 3); /* copying the plan to the device may start the members once */
    end();
}

/* A trial does not end because the plan takes long: the group still gets its turns. */
static void test_trial(void)
{
    begin("auto");
    atomic_store(&may_end, 0);
    cleave_job_start(&busy);
    call_twice(400);
    CHECK(joined_runs == 0 && flux_runs == 800);
    let_worker_make_plan();
    call_twice(16);
    CHECK(joined_runs >= 2 && joined_runs < 16);
    end();
}

/* CLEAVE_PLAN=wait is obeyed. */
static void test_plans_first(void)
{
    setenv("CLEAVE_PLAN", "wait", 1);
    begin("off");
    call_twice(8);
    CHECK(joined_runs > 4 && plans_of_worker() == 0);
    end();
    unsetenv("CLEAVE_PLAN");
}

int main(void)
{
    alarm(60); /* where the host waits for the plan, it waits for ever */
    setenv("CLEAVE_PLAN_CACHE", "off", 1);
    setenv("CLEAVE_RENUMBER", "off", 1);
    target_provide(&ops);
    cleave_register(&joined_unit);
    test_without_waiting();
    test_trial();
    test_plans_first();
    return check_failures != 0;
}
