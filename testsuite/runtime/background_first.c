/* background_first.c: the loops of a scattered mesh run in a first order while the worker makes the
 * one that stays. The worker stops before either until a test lets it go on. */
#include "background.h"

#include "child.h"
#include "runtime/mesh/order.h"

/* ---- the worker ------------------------------------------------------------------------------ */

static atomic_int may_number;
static atomic_int fails_to_number;
static atomic_int may_curve;

int __real_planner_order_along_curve(const struct planner *planner, int *order, int points,
                                     const struct plan_coordinates *coordinates,
                                     struct plan_phases *phases, char error[PLANNER_ERROR]);
int __wrap_planner_order_along_curve(const struct planner *planner, int *order, int points,
                                     const struct plan_coordinates *coordinates,
                                     struct plan_phases *phases, char error[PLANNER_ERROR]);
int __wrap_planner_order_along_curve(const struct planner *planner, int *order, int points,
                                     const struct plan_coordinates *coordinates,
                                     struct plan_phases *phases, char error[PLANNER_ERROR])
{
    while (!atomic_load(&may_curve)) {
        usleep(100);
    }
    return __real_planner_order_along_curve(planner, order, points, coordinates, phases, error);
}

int __real_planner_number(const struct planner *planner, struct plan_numbering **numbering,
                          int elements, int maps, const struct plan_map *map,
                          const struct plan_coordinates *coordinates,
                          const struct plan_numbering_options *options, struct plan_phases *phases,
                          char error[PLANNER_ERROR]);
int __wrap_planner_number(const struct planner *planner, struct plan_numbering **numbering,
                          int elements, int maps, const struct plan_map *map,
                          const struct plan_coordinates *coordinates,
                          const struct plan_numbering_options *options, struct plan_phases *phases,
                          char error[PLANNER_ERROR]);
int __wrap_planner_number(const struct planner *planner, struct plan_numbering **numbering,
                          int elements, int maps, const struct plan_map *map,
                          const struct plan_coordinates *coordinates,
                          const struct plan_numbering_options *options, struct plan_phases *phases,
                          char error[PLANNER_ERROR])
{
    while (!atomic_load(&may_number)) {
        usleep(100);
    }
    if (atomic_load(&fails_to_number)) {
        *numbering = NULL;
        snprintf(error, PLANNER_ERROR, "out of memory for a test");
        return -1;
    }
    return __real_planner_number(planner, numbering, elements, maps, map, coordinates, options,
                                 phases, error);
}

/* ---- one order after the other ------------------------------------------------------------------
 */

/* Calls loops until they run in the first order. */
static void reach_first(void)
{
    const double begin = cleave_seconds();
    atomic_store(&may_number, 0);
    atomic_store(&may_curve, 0);
    start_ring_of(7919);
    name_places(1);
    call_flux(); /* what it names is on the device now */
    atomic_store(&may_curve, 1);
    while (cleave_background.first_call == 0 && cleave_seconds() < begin + 20.0) {
        call_flux();
    }
    CHECK(cleave_background.first_call > 0 && cleave_order_is_awaited());
    CHECK(cleave_set_of(points)->to_user != NULL && cleave_set_of(edges)->to_own != NULL);
    CHECK(cleave_order.primary == NULL && cleave_plans == NULL);
    CHECK_TEXT(flux_variant, "flux_fused_atomic");
}

static void reach_second(void)
{
    atomic_store(&may_number, 1);
    let_worker_end();
    call_flux();
    CHECK(cleave_order.primary == edges && cleave_order.in_background);
    CHECK(!cleave_order_is_awaited());
}

static void check_flux(void)
{
    CHECK(flux_is_right(1.5 * flux_runs));
}

/* Distinct lines of 16 points that 32 consecutive edges name. */
static double lines(void)
{
    struct plan_map map;
    cleave_plan_map(&map, ends, cleave_map_current(ends, COPY_HOST));
    return planner_coalescing(RING, &map);
}

static void test_two_orders(void)
{
    char text[512];
    reach_first();
    const int moved = permutes;
    CHECK(moved == 3 && downloads == 0); /* q, res, ends */
    CHECK(lines() < 5.0);
    call_flux();
    CHECK(flux_runs == cleave_background.calls && cleave_plans == NULL);
    reach_second();
    CHECK(permutes == moved + 6 && downloads == 0); /* back, and there */
    CHECK(lines() < 5.0);
    let_worker_end();
    expect_flux("flux_fused_colour");
    CHECK(cleave_background_order() == BACKGROUND_ADOPTED && cleave_background.first_call > 0);
    CHECK(cleave_background_text(text, sizeof text));
    CHECK(strstr(text, "; loops had a first order from call ") != NULL);
    check_flux();
    finish();
}

static void test_through_host(void)
{
    unit.permute = NULL;
    reach_first();
    CHECK(permutes == 0 && downloads == 1);
    reach_second();
    CHECK(permutes == 0 && downloads == 2);
    check_flux();
    finish();
    unit.permute = permute;
}

static void test_little_memory(void)
{
    reach_first();
    const size_t before = budget;
    budget = in_use;
    reach_second();
    budget = before;
    check_flux();
    finish();
}

/* The program looks at dats and changes them while they are in the first order. */
static void test_data_between(void)
{
    static double got[RING];
    reach_first();
    op_fetch_data(res, got);
    check_flux();
    op_get_data(q);
    for (int p = 0; p < RING; p++) {
        ((double *)(void *)q->data)[p] += 1.0; /* differences stay */
    }
    op_put_data(q);
    op_get_data(res);
    CHECK(memcmp(got, res->data, sizeof got) == 0);
    call_flux();
    check_flux();
    op_get_data(res); /* current on the host when the mesh moves on */
    reach_second();
    check_flux();
    finish();
}

/* What is declared between has no order of its own yet. */
static void test_declarations_between(void)
{
    static int self[RING];
    static double late_value[RING];
    reach_first();
    for (int p = 0; p < RING; p++) {
        self[p] = RING - 1 - p;
        late_value[p] = p;
    }
    op_map mirror = op_decl_map(points, points, 1, self, "mirror");
    op_dat late = op_decl_dat(points, 1, "double", late_value, "late");
    cleave_dat_current(late, COPY_DEVICE);
    cleave_map_current(mirror, COPY_DEVICE);
    op_free_dat_temp(where);
    reach_second();
    const int *to_user = cleave_set_of(points)->to_user;
    const int *row = cleave_map_current(mirror, COPY_HOST);
    const double *value = cleave_dat_current(late, COPY_HOST);
    int wrong = 0;
    for (int p = 0; p < RING; p++) {
        wrong += to_user[row[p]] != self[to_user[p]] || value[p] != to_user[p];
    }
    CHECK(wrong == 0 && cleave_order.coordinates == NULL);
    check_flux();
    finish();
}

/* Another order is begun, from the program's. */
static void test_partition_between(void)
{
    reach_first();
    atomic_store(&may_number, 1);
    op_partition("", "", NULL, ends, NULL);
    CHECK(cleave_set_of(points)->to_user == NULL && cleave_background.first_call == 0);
    call_flux();
    let_worker_end();
    call_flux();
    CHECK(cleave_order.primary == edges && cleave_background.first_call == 0);
    check_flux();
    finish();
}

static void test_exit_between(void)
{
    char text[512];
    reach_first();
    check_flux();
    atomic_store(&may_number, 1);
    cleave_worker_stop(); /* as op_exit does before it reports */
    CHECK(cleave_background_text(text, sizeof text));
    CHECK(strncmp(text, "loops ran in a first order of the mesh from call ", 49) == 0);
    check_flux();
    finish();
}

/* A setting that is for all calls makes the next one wait. */
static void test_forced_between(void)
{
    reach_first();
    atomic_store(&may_number, 1);
    cleave_force_variant("*_colour");
    expect_flux("flux_fused_colour");
    CHECK(cleave_order.primary == edges);
    cleave_force_variant(NULL);
    check_flux();
    finish();
}

/* The first order is the one that stays, and gets plans. */
static void lack_memory(void)
{
    unsetenv("CLEAVE_CHECK_PLAN"); /* users who have plans checked want no program that goes on */
    atomic_store(&fails_to_number, 1);
    reach_first();
    atomic_store(&may_number, 1);
    let_worker_end();
    atomic_store(&fails_to_number, 0);
    expect_flux("flux_fused_atomic"); /* asks for a plan */
    CHECK(cleave_order.primary == NULL && !cleave_order_is_awaited());
    CHECK(cleave_background_order() == BACKGROUND_FAILED);
    let_worker_end();
    expect_flux("flux_fused_colour");
    CHECK(cleave_set_of(points)->to_user != NULL && lines() < 5.0);
    check_flux();
    finish();
    exit(check_failures != 0);
}

static void test_lack_of_memory(void)
{
    char said[1024];
    CHECK(child_run(lack_memory, said, sizeof said) == 0);
    CHECK(strstr(said, "out of memory for a test") != NULL);
}

/* The child goes on in the first order, on the host. */
static void fork_between(void)
{
    reach_first();
    const pid_t child = fork();
    if (child == 0) {
        check_flux();
        op_exit();
        _exit(check_failures != 0 || cleave_order_is_awaited());
    }
    int status = -1;
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    reach_second();
    check_flux();
    finish();
    exit(check_failures != 0);
}

static void test_fork_between(void)
{
    char said[4096];
    CHECK(child_run(fork_between, said, sizeof said) == 0);
    CHECK_TEXT(said, "");
}

/* ---- no first order ---------------------------------------------------------------------------
 */

static void expect_no_first(int has_places)
{
    atomic_store(&may_number, 0);
    start_ring_of(7919);
    name_places(has_places);
    for (int i = 0; i < 20; i++) {
        call_flux();
        usleep(1000);
    }
    CHECK(cleave_background.first_call == 0);
    reach_second();
    CHECK(cleave_background.first_call == 0);
    check_flux();
    finish();
}

static void test_no_first(void)
{
    static const char *const wait[][2] = {{"CLEAVE_PLAN", "wait"},
                                          {"CLEAVE_DETERMINISTIC", "1"},
                                          {"CLEAVE_VERIFY", "1"},
                                          {"CLEAVE_RACES", "colour"}};
    expect_no_first(0);
    setenv("CLEAVE_PARTITION", "grow", 1); /* a method that is named is meant for all loops */
    expect_no_first(1);
    unsetenv("CLEAVE_PARTITION");
    for (size_t i = 0; i < sizeof wait / sizeof *wait; i++) {
        setenv(wait[i][0], wait[i][1], 1);
        start_ring_of(7919);
        name_places(1);
        expect_flux("flux_fused_colour");
        CHECK(cleave_order.primary == edges && !cleave_order.in_background && permutes == 0);
        CHECK(cleave_background.first_call == 0);
        check_flux();
        finish();
        unsetenv(wait[i][0]);
    }
}

/* An order that the store has is adopted at once, from the program's. */
static void test_kept(void)
{
    char folder[] = "/tmp/cleave-first-XXXXXX";
    char command[64];
    CHECK(mkdtemp(folder) != NULL);
    setenv("CLEAVE_PLAN_CACHE", folder, 1);
    reach_first();
    reach_second();
    finish();
    expect_kept(7919, 1);
    setenv("CLEAVE_PLAN_CACHE", "off", 1);
    snprintf(command, sizeof command, "rm -r %s", folder);
    CHECK(system(command) == 0);
}

int main(void)
{
    setenv("CLEAVE_PLAN_CACHE", "off", 1);
    target_provide(&ops);
    cleave_register(&unit);
    test_fork_between();
    test_lack_of_memory();
    test_two_orders();
    test_through_host();
    test_little_memory();
    test_data_between();
    test_declarations_between();
    test_partition_between();
    test_exit_between();
    test_forced_between();
    test_no_first();
    test_kept();
    return check_failures != 0;
}
