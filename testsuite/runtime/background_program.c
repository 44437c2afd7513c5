/* background_program.c: what the program may do while the order of the mesh and plans are made:
 * name another order, free and declare dats, fork, end, look at data in other threads. */
#include "background.h"

#include <pthread.h>

#include "child.h"

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

/* Before the first loop only the map is on the device. */
static void test_partition_in_time(void)
{
    start();
    op_partition("", "", NULL, ends, NULL);
    let_worker_end();
    call_flux();
    CHECK(cleave_order.primary == edges && permutes == 1 && cleave_background.calls == 0);
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

int main(void)
{
    target_provide(&ops);
    cleave_register(&unit);
    test_fork();
    test_bad_coordinates();
    test_partition();
    test_partition_in_time();
    test_coordinates();
    test_freed_coordinates();
    test_declarations();
    test_exit();
    test_threads();
    return check_failures != 0;
}
