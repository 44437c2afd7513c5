/* early.c: launches that start before the values of their globals are known: that they get the
 * values of their call, that whatever else comes first makes them do nothing, and that nothing
 * else happens on the device while one has not been told. */
#define CLEAVE_UNIT "early"
#include "cleave_gen.h"
#include "op_seq.h"

#include <math.h>
#include <unistd.h>
#include "hand_made.h"

enum { CELLS = 8, MANY = 300 };

static op_set cells;
static op_dat x, y;
static double sum;
static double factor;

/* ---- loops ------------------------------------------------------------------------------- */

static void total(const double *value, double *all)
{
    all[0] += value[0];
}

static void add(double *value, const double *more)
{
    value[0] += more[0];
}

#define TOTAL                                                                                      \
    total, "total", cells, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),                         \
        op_arg_gbl(&sum, 1, "double", OP_INC)
#define ADD                                                                                        \
    add, "add", cells, op_arg_dat(to, -1, OP_ID, 1, "double", OP_RW),                              \
        op_arg_gbl(&factor, 1, "double", OP_READ)

/* ---- a device whose launches wait ---------------------------------------------------------- */

static struct cleave_launch waiting; /* early.told NULL: none waits */
static double *waiting_for;          /* its data */
static int started, nothings, gives_up;

/* Whatever comes next on the device finds the early launch ended: it has been told something. */
static void settle(void)
{
    const unsigned long long *told = waiting.early.told;
    const unsigned long long key = CLEAVE_EARLY_KEY(waiting.early.number);
    if (told == NULL) {
        return;
    }
    waiting.early.told = NULL;
    if (gives_up) {
        *waiting.early.heard = 2 * waiting.early.number;
        return;
    }
    CHECK((told[0] ^ told[1]) == key);
    if (told[0] == CLEAVE_EARLY_RUN) {
        double value;
        CHECK((told[2] ^ told[3]) == key);
        memcpy(&value, &told[2], sizeof value);
        for (int e = 0; e < CELLS; e++) {
            waiting_for[e] += value;
        }
    } else {
        CHECK(told[0] == CLEAVE_EARLY_NOTHING);
        nothings++;
    }
    *waiting.early.heard = 2 * waiting.early.number + (told[0] == CLEAVE_EARLY_RUN);
}

static void total_run(const struct cleave_launch *launch)
{
    const double *data = launch->data[0];
    settle();
    double *result = launch->result[1];
    *result = 0.0;
    for (int e = 0; e < CELLS; e++) {
        *result += data[e];
    }
    *launch->done = 1;
}

static void add_run(const struct cleave_launch *launch)
{
    double *data = launch->data[0];
    settle();
    if (launch->early.told != NULL) {
        waiting = *launch;
        waiting_for = data;
        started++;
        return;
    }
    for (int e = 0; e < CELLS; e++) {
        data[e] += *(const double *)launch->data[1];
    }
}

static int wait_done(const unsigned *done)
{
    CHECK(*done == 1);
    return 0;
}

static int download(const struct target_records *to, const void *from)
{
    settle();
    return device_download(to, from);
}

static int wait_all(void)
{
    settle();
    return 0;
}

static const struct cleave_variant total_variant = HAND_VARIANT(total_run, 0);
static const struct cleave_variant add_variant = {.name = "add_run",
                                                  .schedule = CLEAVE_FUSED,
                                                  .plan = CLEAVE_PLAN_NONE,
                                                  .run = add_run,
                                                  .early = 2};
static const struct cleave_loop loops[] = {
    {HAND_LOOP(TEXT(TOTAL), "d0.-1.0:1:double:R g-1.-1.0:1:double:I", "total", total_variant)},
    {HAND_LOOP(TEXT(ADD), "d0.-1.0:1:double:B g-1.-1.0:1:double:R", "add", add_variant)}};
static const struct cleave_unit unit = {.abi = CLEAVE_ABI,
                                        .target = CLEAVE_TARGET_CUDA,
                                        .id = CLEAVE_UNIT,
                                        .source = "early.c",
                                        .loops = 2,
                                        .loop = loops,
                                        .key = &cleave_unit_key,
                                        .launch_error = launch_error};

/* ---- tests ------------------------------------------------------------------------------- */

static double expected_x, expected_y;

static void call_total(void)
{
    sum = 0.0;
    LOOP(TOTAL);
    CHECK(sum == CELLS * expected_x);
}

static void call_add(op_dat to, double value)
{
    factor = value;
    LOOP(ADD);
    *(to == x ? &expected_x : &expected_y) += value;
    factor = -1e9; /* launches have the values of their calls */
}

static int is_right(void)
{
    double of_x[CELLS];
    double of_y[CELLS];
    int right = 1;
    op_fetch_data(x, of_x);
    op_fetch_data(y, of_y);
    for (int e = 0; e < CELLS; e++) {
        right &= of_x[e] == expected_x && of_y[e] == expected_y;
    }
    return right;
}

static void begin(const char *setting)
{
    setenv("CLEAVE_EARLY", setting, 1);
    op_init(0, NULL, 0);
    cells = op_decl_set(CELLS, "cells");
    x = op_decl_dat(cells, 1, "double", (double *)NULL, "x");
    y = op_decl_dat(cells, 1, "double", (double *)NULL, "y");
    expected_x = expected_y = 0.0;
    started = nothings = 0;
}

/* Calls both loops in turns until an early launch waits: 1: one does. The machine may be so busy
 * that calls come too late. */
static int lets_one_wait(void)
{
    for (int i = 0; i < MANY && waiting.early.told == NULL; i++) {
        call_total();
        if (waiting.early.told == NULL) {
            call_add(x, i);
        }
    }
    return waiting.early.told != NULL;
}

static void test_values(void)
{
    begin("auto");
    for (int i = 0; i < MANY; i++) {
        call_total();
        call_add(x, 0.5 * i);
    }
    CHECK(is_right());
    CHECK(started > nothings);
    op_exit();
    CHECK(in_use == 0);
}

static void test_off(void)
{
    begin("off");
    for (int i = 0; i < 20; i++) {
        call_total();
        call_add(x, i);
    }
    CHECK(is_right() && started == 0);
    op_exit();
}

/* Something else comes than what was expected. */
static void test_others(void)
{
    begin("auto");
    CHECK(lets_one_wait());
    call_add(y, 3.0); /* another dat */
    CHECK(is_right() && nothings == started);
    CHECK(lets_one_wait());
    call_total(); /* another loop */
    CHECK(is_right() && nothings == started);
    CHECK(lets_one_wait());
    CHECK(is_right()); /* fetches */
    CHECK(nothings == started);
    CHECK(lets_one_wait());
    op_exit();
    settle();
    CHECK(in_use == 0);
}

/* A launch that may have given up is not told anything: it is launched again. */
static void test_late(void)
{
    begin("auto");
    CHECK(lets_one_wait());
    gives_up = 1;
    usleep((useconds_t)(2e6 * CLEAVE_EARLY_SECONDS));
    call_add(x, 7.0);
    gives_up = 0;
    CHECK(is_right());
    op_exit();
}

/* Each wrong guess doubles the calls that it takes until the next one. */
static void test_doubts(void)
{
    begin("auto");
    for (int i = 0; i < MANY; i++) {
        for (int j = 0; j < 5; j++) {
            call_total();
            call_add(x, 1.0);
        }
        call_total();
        call_add(y, 1.0);
    }
    CHECK(is_right() && started < 10);
    op_exit();
}

/* Many right guesses make up for a wrong one, as at the end of each solve of conjugate gradients;
 * calls that are timed are not launched early, but say nothing about guesses. */
static void test_trust(void)
{
    enum { SOLVES = 12, STEPS = 60 };
    begin("auto");
    for (int i = 0; i < SOLVES; i++) {
        for (int j = 0; j < STEPS; j++) {
            call_total();
            call_add(x, 1.0);
        }
        call_total();
        call_add(y, 1.0);
    }
    CHECK(is_right());
    CHECK(started > SOLVES * STEPS / 2); /* 83 if no wrong guess is made up for */
    op_exit();
}

int main(void)
{
    static struct target_ops device;
    device = ops;
    device.wait_done = wait_done;
    device.wait = wait_all;
    device.download = download;
    target_provide(&device);
    cleave_register(&unit);
    setenv("CLEAVE_TUNE", "off", 1);
    test_values();
    test_off();
    test_others();
    test_late();
    test_doubts();
    test_trust();
    return CHECK_RESULT();
}
