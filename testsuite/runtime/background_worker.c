/* background_worker.c: the thread that makes orders and plans while loops run (worker.h), and what
 * becomes of loops where it fails. */
#include "background.h"

#include <pthread.h>

#include "child.h"
#include "planner/failing_memory.h"

/* ---- failures ---------------------------------------------------------------------------------
 */

static pthread_t program_thread;

/* An allocation of the planner fails in the worker; loops go on in the program's order. */
static void lack_memory(void)
{
    start();
    allowed = 3;
    call_flux();
    let_worker_end();
    expect_flux("flux_fused_atomic"); /* asks for a plan */
    CHECK(cleave_order.primary == NULL && !cleave_order_is_awaited());
    CHECK(cleave_background_order() == BACKGROUND_FAILED);
    let_worker_end();
    expect_flux("flux_fused_colour");
    CHECK(cleave_order.primary == NULL && cleave_background.plans == 1);
    CHECK(flux_is_right(4.5));
    finish();
    exit(check_failures != 0);
}

/* There is memory for smaller blocks, and for the plan that is asked for by name. */
static void lack_memory_for_plan(void)
{
    start();
    call_flux();
    let_worker_end();
    allowed = 3;
    call_flux();
    let_worker_end();
    expect_flux("flux_fused_atomic");
    let_worker_end();
    expect_flux("flux_fused_colour");
    CHECK(cleave_order.primary == edges && flux_block_size < 128);
    cleave_force_variant("*_colour");
    expect_flux("flux_fused_colour");
    CHECK(flux_is_right(7.5));
    finish();
    exit(check_failures != 0);
}

static void handle(const char *message)
{
    CHECK(pthread_equal(pthread_self(), program_thread));
    CHECK(strstr(message, "out of memory for ") != NULL);
    exit(check_failures != 0 ? 3 : 2);
}

/* Users who have plans checked want no program that goes on. */
static void lack_memory_when_checked(void)
{
    program_thread = pthread_self();
    cleave_set_error_handler(handle);
    setenv("CLEAVE_CHECK_PLAN", "1", 1);
    start();
    allowed = 3;
    call_flux();
    let_worker_end();
    CHECK(flux_runs == 1);
    call_flux();
    exit(4);
}

/* The program ends while the worker is busy. */
static void leave_in_between(void)
{
    start();
    call_flux();
    exit(5);
}

static void exit_work(struct cleave_job *job)
{
    (void)job;
#pragma omp parallel
    if (omp_get_thread_num() == omp_get_num_threads() - 1) {
        exit(6);
    }
}

static struct cleave_job exiting = {.work = exit_work};

/* libgomp ends the process if it lacks memory, in whichever thread that happens. */
static void exit_in_region(void)
{
    omp_set_num_threads(3);
    alarm(20);
    cleave_job_start(&exiting);
    pause();
}

static void exit_in_worker(void)
{
    alarm(20);
    cleave_job_start(&exiting); /* one thread */
    pause();
}

static void test_failures(void)
{
    char said[1024];
    CHECK(child_run(lack_memory, said, sizeof said) == 0);
    CHECK(strncmp(said, "cleave: note: set 'edges' cannot be numbered: out of memory for ", 63) ==
          0);
    CHECK(strstr(said, "; loops go on without it\n") != NULL);
    CHECK(child_run(lack_memory_for_plan, said, sizeof said) == 0);
    CHECK(strncmp(said, "cleave: note: loop 'flux': no plan can be made: out of memory", 61) == 0);
    CHECK(child_run(lack_memory_when_checked, said, sizeof said) == 2);
    CHECK(strncmp(said, "cleave: error: set 'edges' cannot be numbered: out of memory for ", 64) ==
          0);
    CHECK(child_run(leave_in_between, said, sizeof said) == 5);
    CHECK_TEXT(said, "");
    CHECK(child_run(exit_in_region, said, sizeof said) == 6);
    CHECK(child_run(exit_in_worker, said, sizeof said) == 6);
}

/* ---- the worker alone -------------------------------------------------------------------------
 */

struct number_job {
    struct cleave_job job;
    int number;
    int worked;
};

static int adopted[8];
static int adoptions;
static int discarded;
static atomic_int may_end;

static void number_work(struct cleave_job *job)
{
    while (!atomic_load(&may_end) && !cleave_job_is_cancelled(job)) {
        usleep(100);
    }
    ((struct number_job *)job)->worked = !pthread_equal(pthread_self(), program_thread);
}

static void number_adopt(struct cleave_job *job)
{
    CHECK(((struct number_job *)job)->worked && job->seconds >= 0.0);
    adopted[adoptions++] = ((struct number_job *)job)->number;
    free(job);
}

static void number_discard(struct cleave_job *job)
{
    discarded++;
    free(job);
}

static void begin_job(int number)
{
    struct number_job *job = calloc(1, sizeof *job);
    job->job =
        (struct cleave_job){.work = number_work, .adopt = number_adopt, .discard = number_discard};
    job->number = number;
    cleave_job_start(&job->job);
}

static void test_worker(void)
{
    program_thread = pthread_self();
    for (int i = 0; i < 4; i++) {
        begin_job(i);
    }
    cleave_jobs_adopt();
    CHECK(adoptions == 0);
    atomic_store(&may_end, 1);
    cleave_jobs_wait();
    CHECK(atomic_load(&cleave_jobs_ended) == 4);
    cleave_jobs_adopt();
    CHECK(adoptions == 4 && adopted[0] == 0 && adopted[1] == 1 && adopted[3] == 3);
    atomic_store(&may_end, 0);
    begin_job(4);
    begin_job(5);
    cleave_jobs_cancel();
    CHECK(adoptions == 4 && discarded == 2);
    begin_job(6);
    cleave_worker_stop();
    cleave_worker_stop();
    CHECK(adoptions == 4 && discarded == 3 && atomic_load(&cleave_jobs_ended) == 0);
    atomic_store(&may_end, 1);
    begin_job(7); /* in a new thread */
    cleave_jobs_wait();
    cleave_jobs_adopt();
    CHECK(adoptions == 5 && adopted[4] == 7);
    cleave_worker_stop();
}

int main(void)
{
    allowed = -1;
    setenv("CLEAVE_PLAN_CACHE", "off", 1); /* nothing is found there */
    setenv("CLEAVE_CHECK_PLAN", "0", 1);   /* else all failures end the program */
    target_provide(&ops);
    cleave_register(&unit);
    test_worker();
    test_failures();
    return check_failures != 0;
}
