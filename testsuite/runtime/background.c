/* background.c: the order of the mesh and plans that are made while loops run: when loops take them
 * over, where data moves then, and what the program may do in the meantime. The device is malloc
 * (fake_device.h). A job is waited for where a test needs to know that it has ended. */
#define RING 9000
#include "ring.h"

#include <pthread.h>
#include <unistd.h>

#include "check.h"
#include "child.h"
#include "fake_device.h"
#include "planner/failing_memory.h"
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
static struct cleave_loop loops[] = {{TEXT(FLUX_CALL), FLUX_SIGNATURE, "flux", "ring.h:1", NULL, 1,
                                      flux_lists, 1, flux_constants, 2, variants, 0, NULL, NULL, 0,
                                      0, NULL, 0, NULL}};
static struct cleave_unit unit = {
    CLEAVE_ABI, CLEAVE_TARGET_CUDA, "ring", "ring.c", 1,    loops, 1,   ring_constants, NULL,
    NULL,       &cleave_unit_key,   NULL,   permute,  NULL, 0,     NULL};

static void start(void)
{
    op_init(0, NULL, 0);
    declare_ring();
    op_decl_const(1, "double", &gam);
    flux_runs = uploads = downloads = permutes = 0;
}

static void finish(void)
{
    op_exit();
    CHECK(in_use == 0);
}

/* The next loop finds what the worker has made so far, and the run has lasted long enough. */
static void let_worker_end(void)
{
    cleave_jobs_wait();
    usleep(2000);
}

static void expect_flux(const char *variant)
{
    call_flux();
    CHECK_TEXT(flux_variant, variant);
}

/* ---- orders and plans -------------------------------------------------------------------------
 */

static void test_one_after_the_other(void)
{
    start();
    expect_flux("flux_fused_atomic");
    CHECK(cleave_order.primary == NULL && cleave_order_is_awaited());
    CHECK(cleave_set_of(points)->to_user == NULL && cleave_plans == NULL);
    let_worker_end();
    const int up = uploads;
    expect_flux("flux_fused_atomic"); /* in the order; its plan is being made */
    CHECK(cleave_order.primary == edges && cleave_order.in_background);
    CHECK(cleave_set_of(points)->to_user != NULL && !cleave_order_is_awaited());
    CHECK(permutes == 3 && downloads == 0); /* q, res, ends */
    CHECK(uploads == up + 3); /* the numbers of the two sets, to and from the user's */
    CHECK(cleave_order.moved_bytes == 2.0 * RING * sizeof(double));
    CHECK(cleave_background.calls == 1);
    let_worker_end();
    expect_flux("flux_fused_colour");
    CHECK(cleave_background.plans == 1 && cleave_plans != NULL);
    CHECK(flux_is_right(4.5));
    finish();
}

static void test_through_host(void)
{
    unit.permute = NULL;
    start();
    call_flux();
    let_worker_end();
    call_flux();
    CHECK(permutes == 0 && downloads == 1); /* res; q is on the host */
    CHECK(cleave_order.moved_bytes == 0.0);
    CHECK(flux_is_right(3.0));
    finish();
    unit.permute = permute;
}

static void relayout(const struct cleave_relayout *r)
{
    for (int p = 0; p < r->count; p++) {
        for (int c = 0; c < r->dim; c++) {
            const size_t record = ((size_t)p * (size_t)r->dim + (size_t)c) * r->component;
            const size_t apart = ((size_t)c * (size_t)r->stride + (size_t)p) * r->component;
            memcpy((char *)r->to + (r->to_soa ? apart : record),
                   (const char *)r->from + (r->to_soa ? record : apart), r->component);
        }
    }
}

/* Structures of arrays, single bytes and pairs of floats move on the device, too. */
static void test_layouts(void)
{
    static double wide[3 * RING];
    static unsigned char flag[RING];
    static float pair[2 * RING];
    unit.relayout = relayout;
    start();
    for (int i = 0; i < 3 * RING; i++) {
        wide[i] = i;
        flag[i % RING] = (unsigned char)(i % 251);
        pair[i % (2 * RING)] = (float)(i % (2 * RING));
    }
    op_dat dat[] = {op_decl_dat(points, 3, "double", wide, "wide"),
                    op_decl_dat_char(edges, 1, "bool", 1, (char *)flag, "flag"),
                    op_decl_dat(points, 2, "float", pair, "pair")};
    call_flux();
    for (int d = 0; d < 3; d++) {
        cleave_dat_on_device(dat[d], d == 0);
        cleave_dat_written(dat[d], COPY_DEVICE); /* as a loop does: it is nowhere else */
    }
    downloads = 0;
    let_worker_end();
    call_flux();
    CHECK(cleave_order.primary == edges && downloads == 0 && permutes == 3 + 3 + 2);
    CHECK(cleave_dat_of(dat[0])->soa == 1);
    for (int d = 0; d < 3; d++) {
        op_get_data(dat[d]);
    }
    CHECK(memcmp(dat[0]->data, wide, sizeof wide) == 0);
    CHECK(memcmp(dat[1]->data, flag, sizeof flag) == 0);
    CHECK(memcmp(dat[2]->data, pair, sizeof pair) == 0);
    finish();
    unit.relayout = NULL;
}

/* A move waits until the run has lasted for ten times as long as it will take. */
static void test_repays(void)
{
    start();
    call_flux();
    cleave_jobs_wait();
    const double begin = cleave_seconds();
    call_flux();
    while (cleave_order.primary == NULL && cleave_seconds() < begin + 10.0) {
        call_flux();
    }
    CHECK(cleave_order.primary == edges);
    CHECK(cleave_background.waited > 4.0 * RING * sizeof(int) / 10e9 / 0.1);
    CHECK(cleave_background_order() == BACKGROUND_ADOPTED);
    CHECK(cleave_background.calls == flux_runs - 1);
    finish();
}

/* Without memory for second copies data goes through the host. */
static void test_little_memory(void)
{
    start();
    call_flux();
    let_worker_end();
    const size_t before = budget;
    budget = in_use;
    call_flux();
    budget = before;
    CHECK(cleave_order.primary == edges && permutes == 0 && downloads == 1);
    CHECK(flux_is_right(3.0));
    finish();
}

/* A dat that is current on the host takes the new order with its next upload. */
static void test_on_host(void)
{
    start();
    call_flux();
    ((double *)(void *)q->data)[5] += 1.0;
    op_put_data(q);
    op_get_data(res);
    op_put_data(res);
    downloads = 0;
    let_worker_end();
    call_flux();
    CHECK(cleave_order.primary == edges && permutes == 1 && downloads == 0); /* ends */
    finish();
}

static void test_waits(void)
{
    static const char *const wait[][2] = {{"CLEAVE_PLAN", "wait"},
                                          {"CLEAVE_DETERMINISTIC", "1"},
                                          {"CLEAVE_VERIFY", "1"},
                                          {"CLEAVE_VARIANT", "*_colour"},
                                          {"CLEAVE_RACES", "colour"}};
    for (size_t i = 0; i < sizeof wait / sizeof *wait; i++) {
        setenv(wait[i][0], wait[i][1], 1);
        start();
        expect_flux("flux_fused_colour");
        CHECK(cleave_order.primary == edges && !cleave_order.in_background);
        CHECK(cleave_background.plans == 0 && permutes == 0);
        finish();
        unsetenv(wait[i][0]);
    }
}

/* A loop that needs a plan has it made at once, in the program's order. */
static void test_needs_plan(void)
{
    loops[0].variants = 1;
    start();
    expect_flux("flux_fused_colour");
    CHECK(cleave_order_is_awaited() && cleave_plans != NULL);
    let_worker_end();
    expect_flux("flux_fused_colour");
    CHECK(cleave_order.primary == edges && cleave_plans != NULL && cleave_plans->next == NULL);
    CHECK(flux_is_right(3.0));
    finish();
    loops[0].variants = 2;
}

/* A variant that is asked for later makes its loop wait for order and plan. */
static void test_forced_later(void)
{
    start();
    expect_flux("flux_fused_atomic");
    cleave_force_variant("*_colour");
    expect_flux("flux_fused_colour");
    CHECK(cleave_order.primary == edges && !cleave_order_is_awaited());
    cleave_force_variant(NULL);
    CHECK(flux_is_right(3.0));
    finish();
}

static void test_plan_without_order(void)
{
    setenv("CLEAVE_RENUMBER", "off", 1);
    start();
    expect_flux("flux_fused_atomic");
    CHECK(!cleave_order_is_awaited() && cleave_plans == NULL);
    let_worker_end();
    expect_flux("flux_fused_colour");
    CHECK(flux_is_right(3.0));
    finish();
    unsetenv("CLEAVE_RENUMBER");
}

/* ---- what the program does in the meantime ----------------------------------------------------
 */

static void test_partition(void)
{
    double where[RING];
    for (int p = 0; p < RING; p++) {
        where[p] = p % 100;
    }
    start();
    op_dat at = op_decl_dat(points, 1, "double", where, "at"); /* not usable: one component */
    op_partition("", "", NULL, ends, NULL);
    CHECK(cleave_order_is_awaited());
    call_flux();
    op_partition("", "", NULL, ends, at);
    CHECK(cleave_order_is_awaited());
    call_flux();
    let_worker_end();
    call_flux();
    CHECK(cleave_order.primary == edges && cleave_order.coordinates == NULL);
    op_partition("", "", edges, NULL, NULL); /* of a mesh that has an order */
    CHECK(cleave_order.primary == NULL && cleave_order_is_awaited());
    call_flux();
    let_worker_end();
    call_flux();
    CHECK(cleave_order.primary == edges);
    CHECK(flux_is_right(7.5));
    finish();
}

/* Before the first loop nothing is on the device. */
static void test_partition_in_time(void)
{
    start();
    op_partition("", "", NULL, ends, NULL);
    let_worker_end();
    call_flux();
    CHECK(cleave_order.primary == edges && permutes == 0 && cleave_background.calls == 0);
    CHECK(flux_is_right(1.5));
    finish();
}

static op_dat places;

static void declare_places(double first)
{
    static double where[2 * RING];
    for (int p = 0; p < RING; p++) {
        where[2 * p] = p % 90;
        where[2 * p + 1] = p / 90;
    }
    where[0] = first;
    places = op_decl_dat_temp(points, 2, "double", NULL, "places");
    memcpy(places->data, where, sizeof where);
    op_put_data(places);
}

static void test_coordinates(void)
{
    setenv("CLEAVE_PARTITION", "rcb", 1);
    start();
    declare_places(0.0);
    op_partition("", "", NULL, ends, places);
    call_flux();
    let_worker_end();
    call_flux();
    CHECK(cleave_order.coordinates == places &&
          cleave_order.numbering->method.start == PLAN_START_RCB);
    finish();
    unsetenv("CLEAVE_PARTITION");
}

static void test_freed_coordinates(void)
{
    setenv("CLEAVE_PARTITION", "rcb", 1);
    start();
    declare_places(0.0);
    op_partition("", "", NULL, ends, places);
    op_free_dat_temp(places);
    call_flux();
    let_worker_end();
    call_flux();
    CHECK(cleave_order.primary == edges && cleave_order.coordinates == NULL);
    CHECK(cleave_order.numbering->method.start == PLAN_START_RCB);
    CHECK(flux_is_right(3.0));
    finish();
    unsetenv("CLEAVE_PARTITION");
}

/* The worker finds that they are none; the program's thread says so. */
static void give_bad_coordinates(void)
{
    start();
    declare_places(NAN);
    op_partition("", "", NULL, ends, places);
    call_flux();
    let_worker_end();
    call_flux();
    CHECK(cleave_order.primary == edges && cleave_order.coordinates == NULL);
    finish();
    exit(check_failures != 0);
}

static void test_bad_coordinates(void)
{
    char said[1024];
    CHECK(child_run(give_bad_coordinates, said, sizeof said) == 0);
    CHECK_TEXT(said,
               "cleave: warning: op_partition: coordinates 'places': component 0 of element 0 "
               "is nan; the mesh is numbered without coordinates\n");
}

static void test_declarations(void)
{
    static int self[RING];
    double zero[RING] = {0.0};
    start();
    call_flux();
    for (int p = 0; p < RING; p++) {
        self[p] = RING - 1 - p;
    }
    op_map mirror = op_decl_map(points, points, 1, self, "mirror");
    op_set late = op_decl_set(RING, "late");
    op_map from_late = op_decl_map(late, points, 1, self, "from_late");
    op_dat temporary = op_decl_dat_temp(points, 1, "double", NULL, "temporary");
    op_dat on_late = op_decl_dat(late, 1, "double", zero, "on_late");
    (void)on_late;
    let_worker_end();
    call_flux();
    CHECK(cleave_order.primary == edges);
    const int *to_user = cleave_set_of(points)->to_user;
    const int *row = cleave_map_current(mirror, COPY_HOST);
    const int *late_row = cleave_map_current(from_late, COPY_HOST);
    int wrong = 0;
    for (int p = 0; p < RING; p++) {
        wrong += to_user[row[p]] != self[to_user[p]] || to_user[late_row[p]] != self[p];
    }
    CHECK(wrong == 0 && cleave_set_of(late)->to_user == NULL);
    op_free_dat_temp(temporary);
    CHECK(flux_is_right(3.0));
    finish();
}

static void test_exit(void)
{
    char text[512];
    start();
    call_flux();
    cleave_worker_stop(); /* as op_exit does before it reports */
    CHECK(cleave_background_order() == BACKGROUND_NOT_READY ||
          cleave_background_order() == BACKGROUND_NOT_REPAID);
    CHECK(cleave_background_text(text, sizeof text) && strstr(text, "the program ended") != NULL);
    finish();
    start();
    call_flux();
    let_worker_end();
    finish();
    start();
    op_partition("", "", NULL, ends, NULL);
    finish();
    start();
    call_flux();
    let_worker_end();
    call_flux(); /* asks for a plan */
    finish();
    CHECK(!cleave_order_is_awaited() && atomic_load(&cleave_jobs_ended) == 0);
}

/* The child goes on in the order that the mesh has, on the host. */
static void fork_and_go_on(void)
{
    start();
    call_flux();
    for (int turn = 0; turn < 3; turn++) {
        const pid_t child = fork();
        if (child == 0) {
            op_get_data(res);
            const int right = flux_is_right(1.5 * flux_runs);
            op_exit();
            _exit(right && !cleave_order_is_awaited() ? 0 : 1);
        }
        int status = -1;
        CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
        if (turn == 1) {
            let_worker_end();
        }
        call_flux();
    }
    CHECK(cleave_order.primary == edges);
    CHECK(flux_is_right(1.5 * flux_runs));
    finish();
    exit(check_failures != 0);
}

static void test_fork(void)
{
    char said[4096];
    CHECK(child_run(fork_and_go_on, said, sizeof said) == 0);
    CHECK_TEXT(said, "");
}

/* Another thread looks at dat->data all the time. */
static atomic_int looking;

static void *look(void *unused)
{
    double least = 0.0;
    (void)unused;
    while (atomic_load(&looking)) {
        for (int p = 0; p < RING; p += 500) {
            const double value = ((const volatile double *)(void *)q->data)[p];
            least = value < least ? value : least;
        }
    }
    CHECK(least == 0.0);
    return NULL;
}

static void test_threads(void)
{
    pthread_t thread;
    for (int turn = 0; turn < 3; turn++) {
        start();
        atomic_store(&looking, 1);
        CHECK(pthread_create(&thread, NULL, look, NULL) == 0);
        for (int i = 0; i < 100; i++) {
            call_flux();
        }
        let_worker_end();
        call_flux();
        atomic_store(&looking, 0);
        pthread_join(thread, NULL);
        CHECK(cleave_order.primary == edges && flux_is_right(1.5 * 101));
        finish();
    }
}

/* ---- failures ---------------------------------------------------------------------------------
 */

static pthread_t program_thread;

static void handle(const char *message)
{
    CHECK(pthread_equal(pthread_self(), program_thread));
    CHECK(strstr(message, "out of memory for ") != NULL);
    exit(check_failures != 0 ? 3 : 2);
}

/* An allocation of the planner fails in the worker. */
static void lack_memory(void)
{
    program_thread = pthread_self();
    cleave_set_error_handler(handle);
    start();
    allowed = 3;
    call_flux();
    let_worker_end();
    CHECK(flux_runs == 1);
    call_flux();
    exit(4);
}

static void lack_memory_for_plan(void)
{
    program_thread = pthread_self();
    cleave_set_error_handler(handle);
    start();
    call_flux();
    let_worker_end();
    allowed = 3;
    call_flux();
    let_worker_end();
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

static void test_failures(void)
{
    char said[1024];
    CHECK(child_run(lack_memory, said, sizeof said) == 2);
    CHECK(strncmp(said, "cleave: error: set 'edges' cannot be numbered: out of memory for ", 64) ==
          0);
    CHECK(child_run(lack_memory_for_plan, said, sizeof said) == 2);
    CHECK(strncmp(said, "cleave: error: loop 'flux': no plan can be made: out of memory", 62) == 0);
    CHECK(child_run(leave_in_between, said, sizeof said) == 5);
    CHECK_TEXT(said, "");
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
    test_worker();
    target_provide(&ops);
    cleave_register(&unit);
    test_fork();
    test_failures();
    test_bad_coordinates();
    test_one_after_the_other();
    test_through_host();
    test_layouts();
    test_repays();
    test_little_memory();
    test_on_host();
    test_waits();
    test_needs_plan();
    test_forced_later();
    test_plan_without_order();
    test_partition();
    test_partition_in_time();
    test_coordinates();
    test_freed_coordinates();
    test_declarations();
    test_exit();
    test_threads();
    return check_failures != 0;
}
