/* group_plans.c: groups whose joined loop needs a plan: their members run one by one until the
 * worker has made it, and the host does not wait. A group that gathers is not tried if the model
 * expects it to lose by far. */
#include "background.h"
#include "runtime/exec/group.h"

/* ---- a unit: flux without a plan, and two calls of it as one kernel with a plan ----------------
 */

static int joined_runs;

static void joined_run(const struct cleave_launch *l)
{
    joined_runs++;
    flux_blocks(l, 2.0);
}

/* other += res, over the points. */
static void take(const double *from, double *to)
{
    to[0] += from[0];
}

static void take_all(const struct cleave_launch *l, int from, int to)
{
    for (int p = 0; p < RING; p++) {
        take((const double *)l->data[from] + p, (double *)l->data[to] + p);
    }
}

static void take_run(const struct cleave_launch *l)
{
    take_all(l, 0, 1);
}

static int gathered_runs;

static void gathered_run(const struct cleave_launch *l)
{
    gathered_runs++;
    flux_blocks(l, 1.0);
    take_all(l, 4, 5);
}

static const struct cleave_cost_list cost_list[1] = {{0}};
static const struct cleave_cost light = {.own = 10, .kernels = 1, .list = cost_list};
static struct cleave_cost gathered_cost = {.own = 10000, .kernels = 1, .list = cost_list};

#define DIRECT(runs)                                                                               \
    {.name = #runs,                                                                                \
     .schedule = CLEAVE_FUSED,                                                                     \
     .race = CLEAVE_RACE_NONE,                                                                     \
     .plan = CLEAVE_PLAN_NONE,                                                                     \
     .cost = &light,                                                                               \
     .run = runs}
#define PLANNED(runs, of_cost)                                                                     \
    {.name = #runs,                                                                                \
     .schedule = CLEAVE_FUSED,                                                                     \
     .race = CLEAVE_RACE_NONE,                                                                     \
     .plan = CLEAVE_PLAN_BLOCKS,                                                                   \
     .cost = (of_cost),                                                                            \
     .run = runs}
/* A loop with flux's arguments and maybe others. */
#define WITH_FLUX(text, more, name, of)                                                            \
    .call = (text), .signature = FLUX_SIGNATURE more, .kernel = (name), .location = "ring.h:1",    \
    .lists = 1, .list = flux_lists, .constants = 1, .constant = flux_constants, .variants = 1,     \
    .variant = &(of)
#define TAKE_CALL                                                                                  \
    take, "take", points, op_arg_dat(res, -1, OP_ID, 1, "double", OP_READ),                        \
        op_arg_dat(other, -1, OP_ID, 1, "double", OP_RW)
static const struct cleave_variant group_variants[] = {DIRECT(flux_free_run), DIRECT(take_run),
                                                       PLANNED(joined_run, NULL),
                                                       PLANNED(gathered_run, &gathered_cost)};
static const struct cleave_loop group_loops[] = {
    {WITH_FLUX(TEXT(FLUX_CALL), "", "flux", group_variants[0])},
    {.call = TEXT(TAKE_CALL),
     .signature = "d0.-1.0:1:double:R d1.-1.0:1:double:B",
     .kernel = "take",
     .location = "ring.h:2",
     .variants = 1,
     .variant = &group_variants[1]},
    {WITH_FLUX("\001flux+flux 0", "", "flux+flux", group_variants[2])},
    {WITH_FLUX("\001flux+take 1", " p2.-1.0:1:double:R p5.-1.0:1:double:B", "flux+take",
               group_variants[3])}};
static const struct cleave_member both[] = {{0, (const int[]){0, 1, 2, 3}},
                                            {0, (const int[]){0, 1, 2, 3}}};
static const struct cleave_member flux_take_members[] = {{0, (const int[]){0, 1, 2, 3}},
                                                         {1, (const int[]){4, 5}}};
static const struct cleave_group groups[] = {
    {.loop = 2, .members = 2, .member = both},
    {.loop = 3, .members = 2, .member = flux_take_members}};
static const struct cleave_unit joined_unit = {RING_UNIT(CLEAVE_TARGET_CUDA, 4, group_loops),
                                               .groups = 2, .group = groups};

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
    joined_runs = gathered_runs = calls = 0;
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

/* The runtime's clock goes by looks at it alone: a test on a busy machine does not pause between
 * calls, as a program may. */
double __wrap_cleave_seconds(void);
double __wrap_cleave_seconds(void)
{
    static atomic_long nanoseconds = 1000000000;
    return 1e-9 * (double)atomic_fetch_add(&nanoseconds, 1);
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
    call_twice(8);
    CHECK(plans_of_worker() == 1);
    CHECK(joined_runs > 4); /* copying the plan to the device may start the members once */
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

static void call_flux_and_take(int times)
{
    for (int i = 0; i < times; i++) {
        call_flux();
        LOOP(TAKE_CALL);
        cleave_flush();
        calls++;
    }
}

/* A group that the model expects to take long is not tried, and no plan is made for it; another one
 * is tried. */
static void test_model(void)
{
    gathered_cost.own = 10000;
    begin("auto");
    call_flux_and_take(4);
    let_worker_end();
    call_flux_and_take(40);
    CHECK(gathered_runs == 0 && flux_runs == 44 && plans_of_worker() == 0);
    CHECK(cleave_plans == NULL && cleave_group_use.apart == 1);
    end();
    gathered_cost.own = 15;
    begin("auto");
    call_flux_and_take(4);
    let_worker_end();
    call_flux_and_take(40);
    CHECK(gathered_runs > 1 && plans_of_worker() == 1);
    end();
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
    test_model();
    return check_failures != 0;
}
