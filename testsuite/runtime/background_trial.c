/* background_trial.c: whether loops are faster in the order of the mesh is measured, with planted
 * times: an order that does not pay is given up, and later runs do not make it. */
#include "background.h"

#include "child.h"

#include "runtime/planner/base/base.h"

/* Nanoseconds that each launch takes in the program's order, and in the runtime's. */
static long planted[2];

/* The runtime's clock stands still but for launches and, a little, for looks at it. */
static atomic_long nanoseconds = 1000000000;

double __wrap_cleave_seconds(void);
double __wrap_cleave_seconds(void)
{
    return 1e-9 * (double)atomic_fetch_add(&nanoseconds, 1);
}

static void pass_time(void)
{
    atomic_fetch_add(&nanoseconds, planted[cleave_order.primary != NULL]);
}

static void planted_blocks(const struct cleave_launch *l)
{
    pass_time();
    flux_fused_run(l);
}

static void planted_free(const struct cleave_launch *l)
{
    pass_time();
    flux_free_run(l);
}

/* ---- trials -----------------------------------------------------------------------------------
 */

/* Runs until the order has been tried, or cannot be any more. looks: the program looks at dats
 * meanwhile. */
static void run(long before, long after, int looks)
{
    planted[0] = before;
    planted[1] = after;
    start_ring_of(7919);
    block_worker();
    for (int i = 0; i < 300; i++) { /* enough for the first window */
        call_flux();
    }
    atomic_store(&may_go_on, 1);
    for (int i = 0; i < 4000 && cleave_background.ratio == 0.0; i++) {
        call_flux();
        if (looks && i % 7 == 0) {
            ((double *)(void *)q->data)[5] += 0.0;
            op_put_data(q);
            op_get_data(res);
        }
        if (i % 20 == 0) {
            cleave_jobs_wait();
        }
    }
}

static void expect_given_up(void)
{
    CHECK(cleave_background_order() == BACKGROUND_GIVEN_UP && cleave_order.primary == NULL);
    CHECK(cleave_set_of(points)->to_user == NULL && cleave_set_of(edges)->to_own == NULL);
    CHECK(cleave_map_of(ends)->own == NULL && !cleave_order_is_awaited());
    for (int i = 0; i < 10; i++) {
        call_flux();
    }
    CHECK(cleave_order.primary == NULL && cleave_map_current(ends, COPY_HOST) == ends->map);
    CHECK(flux_is_right(1.5 * flux_runs));
}

static void test_slower(void)
{
    char text[512];
    for (int looks = 0; looks < 2; looks++) {
        run(20000, 21000, looks);
        CHECK(cleave_background.ratio > 1.04 && cleave_background.ratio < 1.06 &&
              (looks || downloads == 0));
        CHECK(looks || permutes == 6); /* there and back: q, res, ends */
        expect_given_up();
        CHECK(cleave_background_text(text, sizeof text));
        CHECK(strncmp(text, "the order of the mesh was given up: loops took ", 47) == 0);
        finish();
    }
}

static void test_through_host(void)
{
    unit.permute = NULL;
    run(20000, 21000, 0);
    CHECK(cleave_background.ratio > 1.04 && cleave_background.ratio < 1.06 && downloads > 0);
    expect_given_up();
    finish();
    unit.permute = permute;
}

static void test_faster(void)
{
    run(20000, 19000, 1);
    CHECK(cleave_background.ratio > 0.94 && cleave_background.ratio < 0.96);
    CHECK(cleave_background_order() == BACKGROUND_ADOPTED && cleave_order.primary == edges);
    call_flux();
    CHECK(cleave_order.primary == edges && flux_is_right(1.5 * flux_runs));
    finish();
}

/* An order that is asked for is not tried. */
static void test_forced(void)
{
    setenv("CLEAVE_RENUMBER", "on", 1);
    run(20000, 21000, 0);
    CHECK(cleave_background.ratio == 0.0 && cleave_order.primary == edges);
    CHECK(flux_is_right(1.5 * flux_runs));
    finish();
    unsetenv("CLEAVE_RENUMBER");
}

/* A child has no device, and ends the trial that its parent goes on with. The worker allocates
 * nothing while the program forks, since it has begun a job that sleeps, or has none: of
 * AddressSanitizer's allocator, unlike malloc's, a lock that a thread holds stays locked in a
 * child.
 */
static void fork_in_between(void)
{
    planted[0] = 20000;
    planted[1] = 21000;
    start_ring_of(7919);
    block_worker();
    for (int turn = 0; turn < 3; turn++) {
        const pid_t child = fork();
        if (child == 0) {
            for (int i = 0; i < 10; i++) {
                call_flux();
            }
            const int right = flux_is_right(1.5 * (flux_runs + 10)); /* run by no variant */
            op_exit();
            _exit(right && cleave_background.ratio == 0.0 ? 0 : 1);
        }
        int status = -1;
        CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
        for (int i = 0; i < 300; i++) { /* before the order is adopted, and after */
            call_flux();
        }
        atomic_store(&may_go_on, 1);
        cleave_jobs_wait();
        call_flux();
        cleave_jobs_wait();
    }
    CHECK(flux_is_right(1.5 * flux_runs));
    finish();
    exit(check_failures != 0);
}

static void test_fork(void)
{
    char said[4096];
    CHECK(child_run(fork_in_between, said, sizeof said) == 0);
}

/* ---- later runs ---------------------------------------------------------------------------------
 */

static void run_again(enum cleave_background_order expected)
{
    planted[0] = planted[1] = 1000000;
    start_ring_of(7919);
    for (int i = 0; i < 3; i++) {
        call_flux();
        let_worker_end();
    }
    call_flux();
    CHECK(cleave_background_order() == expected && !cleave_order_is_awaited());
    CHECK((cleave_order.primary == NULL) == (expected == BACKGROUND_GIVEN_UP));
    CHECK(flux_is_right(1.5 * flux_runs));
    finish();
}

static void test_later_runs(void)
{
    char folder[] = "/tmp/cleave-trials-XXXXXX";
    char command[64];
    CHECK(mkdtemp(folder) != NULL);
    setenv("CLEAVE_PLAN_CACHE", folder, 1);
    run(20000, 21000, 0);
    expect_given_up();
    finish();
    run_again(BACKGROUND_GIVEN_UP);
    setenv("CLEAVE_PLAN", "wait", 1);
    run_again(BACKGROUND_GIVEN_UP);
    unsetenv("CLEAVE_PLAN");
    setenv("CLEAVE_RENUMBER", "on", 1); /* and keeps the order */
    run_again(BACKGROUND_ADOPTED);
    unsetenv("CLEAVE_RENUMBER");
    run_again(BACKGROUND_ADOPTED);
    snprintf(command, sizeof command, "rm -r %s", folder);
    CHECK(system(command) == 0);
}

int main(void)
{
    setenv("CLEAVE_PLAN_CACHE", "off", 1);
    variants[0].run = planted_blocks;
    variants[1].run = planted_free;
    target_provide(&ops);
    cleave_register(&unit);
    test_fork();
    test_slower();
    test_through_host();
    test_faster();
    test_forced();
    test_later_runs();
    return check_failures != 0;
}
