/* background_plans.c: where the program's own order of the mesh is fair, loops get plans in it
 * before the worker begins another. */
#include "background.h"

#include "child.h"
#include "runtime/mesh/order.h"

static void check_flux(void)
{
    CHECK(flux_is_right(1.5 * flux_runs));
}

/* The worker has found no order in the store, and none is made yet. */
static void reach_deferral(void)
{
    start_ring_of(7);
    expect_flux("flux_fused_atomic");
    cleave_jobs_wait();
    expect_flux("flux_fused_atomic"); /* asks for a plan */
    CHECK(cleave_order_is_awaited() && !cleave_plans_are_held());
}

static void test_plans_first(void)
{
    reach_deferral();
    let_worker_end();
    expect_flux("flux_fused_colour");
    CHECK(cleave_order_is_awaited() && cleave_order.primary == NULL && permutes == 0);
    for (int i = 0; i < 100 && !cleave_plans_are_held(); i++) {
        expect_flux("flux_fused_colour");
    }
    CHECK(cleave_plans_are_held() && flux_runs > 64);
    let_worker_end();
    call_flux();
    CHECK(cleave_order.primary == edges && permutes == 3);
    let_worker_end();
    expect_flux("flux_fused_colour");
    CHECK(cleave_background.plans == 2 && cleave_background.first_call == 0);
    check_flux();
    finish();
}

/* A host that launches many loops before the worker has looked into the store asks for plans, too.
 */
static void test_slow_worker(void)
{
    op_init(0, NULL, 0);
    block_worker();
    start_ring_of(7);
    for (int i = 0; i < 200; i++) {
        call_flux();
    }
    atomic_store(&may_go_on, 1);
    let_worker_end();
    expect_flux("flux_fused_atomic");
    CHECK(!cleave_plans_are_held());
    let_worker_end();
    expect_flux("flux_fused_colour");
    CHECK(cleave_order.primary == NULL && cleave_order_is_awaited());
    check_flux();
    finish();
}

/* What ends or changes the order that is to be made ends it while it is not begun, too. */
static void test_ends_of_deferral(void)
{
    reach_deferral();
    finish();
    reach_deferral();
    cleave_worker_stop();
    CHECK(cleave_background_order() == BACKGROUND_NONE);
    finish();
    reach_deferral();
    op_partition("", "", NULL, ends, NULL);
    CHECK(cleave_order_is_awaited() && cleave_plans_are_held());
    expect_flux("flux_fused_atomic");
    check_flux();
    finish();
    reach_deferral();
    cleave_force_variant("*_colour");
    expect_flux("flux_fused_colour");
    CHECK(cleave_order.primary == edges && !cleave_order_is_awaited());
    cleave_force_variant(NULL);
    check_flux();
    finish();
}

static void fork_in_deferral(void)
{
    reach_deferral();
    const pid_t child = fork();
    if (child == 0) {
        check_flux();
        op_exit();
        _exit(check_failures != 0 || cleave_order_is_awaited());
    }
    int status = -1;
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    check_flux();
    finish();
    exit(check_failures != 0);
}

static void test_fork_in_deferral(void)
{
    char said[4096];
    CHECK(child_run(fork_in_deferral, said, sizeof said) == 0);
    CHECK_TEXT(said, "");
}

static void test_kept(void)
{
    char folder[] = "/tmp/cleave-first-XXXXXX";
    char command[64];
    CHECK(mkdtemp(folder) != NULL);
    setenv("CLEAVE_PLAN_CACHE", folder, 1);
    reach_deferral();
    for (int i = 0; i < 100; i++) {
        call_flux();
        let_worker_end();
    }
    CHECK(cleave_order.primary == edges && !cleave_order.from_cache);
    finish();
    expect_kept(7, 0);
    setenv("CLEAVE_PLAN_CACHE", "off", 1);
    snprintf(command, sizeof command, "rm -r %s", folder);
    CHECK(system(command) == 0);
}

int main(void)
{
    setenv("CLEAVE_PLAN_CACHE", "off", 1);
    target_provide(&ops);
    cleave_register(&unit);
    test_fork_in_deferral();
    test_plans_first();
    test_slow_worker();
    test_ends_of_deferral();
    test_kept();
    return check_failures != 0;
}
