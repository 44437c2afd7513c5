/* order_trial.c: whether loops are faster in the order of the mesh that the runtime made while they
 * ran in the program's; if they are not, the mesh gets the program's order back, and later runs
 * keep it.
 *
 * The time of all loops is compared, with what the host does between them, per useful byte of their
 * calls: in a window that ends when the order is adopted, and in one that begins when the plans in
 * it have been made. The device is waited for at the ends of both. The windows must have called the
 * same loops in the same proportions. Deterministic runs and forced orders are not measured. */
#include "runtime/base/machine.h"
#include "runtime/exec/order_trial.h"

int cleave_order_is_tried;

/* Loop calls are told apart, each a row; a program with more has no trial. */
enum { ROWS = 256 };
/* Calls of a loop before its window begins: the first ones load kernels and data. */
enum { WARM_CALLS = 3 };
/* Calls of a window, at least; and how often the second one is looked at. */
enum { LEAST_CALLS = 50 };
/* Calls that the host may be ahead of the device while an order is awaited. */
enum { MOST_AHEAD = 8 };

static enum { IDLE, WARMING, BEFORE, SETTLING, AFTER, DECIDED } phase;

static struct window {
    double begin; /* cleave_seconds() */
    double seconds;
    double bytes;
    long calls;
    double of_row[ROWS]; /* bytes */
} window[2];

static int rows;
static int warm[ROWS];        /* calls since the phase began */
static unsigned long arrived; /* cleave_plans_arrived when the second window began */
static double settling_since; /* cleave_seconds() */
static int ahead;             /* calls since the host waited for the device */

void cleave_order_trial_reset(void)
{
    phase = IDLE;
    rows = 0;
    cleave_order_is_tried = 0;
}

static void end_trial(void)
{
    phase = DECIDED;
    cleave_order_is_tried = 0;
}

static void begin_phase(int which)
{
    phase = which;
    memset(warm, 0, sizeof warm);
}

/* All calls so far have been run. */
static void wait_for_device(void)
{
    cleave_flush();
    if (cleave_device->wait() != 0) {
        cleave_fatal("a loop failed on %s: %s", cleave_device->device(),
                     cleave_device->last_error());
    }
}

static void begin_window(int w, int which)
{
    wait_for_device();
    memset(&window[w], 0, sizeof window[w]);
    begin_phase(which);
    window[w].begin = cleave_seconds();
}

/* Returns the row of the call; -1: there are too many. */
static int row_of(struct cleave_call *call)
{
    if (call->trial_row == 0) {
        call->trial_row = ++rows;
    }
    return call->trial_row <= ROWS ? call->trial_row - 1 : -1;
}

static void count(int w, const struct cleave_call *call, int row)
{
    window[w].calls++;
    window[w].bytes += call->bytes;
    window[w].of_row[row] += call->bytes;
}

/* 1: both windows spent their bytes on the same loops. */
static int are_alike(void)
{
    double apart = 0.0;
    for (int r = 0; r < rows && r < ROWS; r++) {
        apart +=
            fabs(window[1].of_row[r] / window[1].bytes - window[0].of_row[r] / window[0].bytes);
    }
    return apart <= cleave_machine.trial_apart;
}

/* The call runs as its loop will from now on: it waits for no plan, and is not tuned. Loops that
 * run in a group have no launcher. */
static int is_settled(const struct cleave_call *call)
{
    const struct cleave_launcher *launcher = call->launcher;
    return launcher == NULL || (launcher->chosen_at == cleave_generation &&
                                launcher->choice.awaits == 0 && launcher->trials == NULL);
}

static void decide(void)
{
    wait_for_device();
    window[1].seconds = cleave_seconds() - window[1].begin;
    cleave_background.ratio =
        window[1].seconds / window[1].bytes / (window[0].seconds / window[0].bytes);
    end_trial();
    if (cleave_background.ratio > cleave_machine.trial_ratio) {
        cleave_order_give_up();
    }
}

/* ---- phases: each is called before a loop runs -------------------------------------------------
 */

static void warm_up(int row)
{
    if (!cleave_order_is_awaited()) {
        end_trial(); /* it came before anything could be measured, or never will */
    } else if (++warm[row] > WARM_CALLS) {
        begin_window(0, BEFORE);
    }
}

static void measure_before(const struct cleave_call *call, int row)
{
    if (cleave_order_is_awaited()) {
        count(0, call, row);
        return;
    }
    window[0].seconds = cleave_background.adopted_from - window[0].begin;
    if (cleave_background_order() != BACKGROUND_ADOPTED || cleave_background.first_call > 0 ||
        window[0].calls < LEAST_CALLS || window[0].seconds < cleave_machine.trial_seconds) {
        end_trial();
        return;
    }
    begin_phase(SETTLING);
    settling_since = cleave_seconds();
}

static void settle(const struct cleave_call *call, int row)
{
    if (!is_settled(call)) {
        memset(warm, 0, sizeof warm);
        return;
    }
    if (++warm[row] > WARM_CALLS && cleave_jobs_are_done()) {
        arrived = cleave_plans_arrived;
        begin_window(1, AFTER);
    }
}

static void measure_after(const struct cleave_call *call, int row)
{
    if (arrived != cleave_plans_arrived || !is_settled(call)) {
        begin_phase(SETTLING);
        return;
    }
    count(1, call, row);
    const double seconds = call->start - window[1].begin;
    if (window[1].calls % LEAST_CALLS == 0 && seconds >= cleave_machine.trial_seconds &&
        seconds >= cleave_machine.trial_share * window[0].seconds && are_alike()) {
        decide();
    }
}

/* Calls that the host has launched run in the program's order, by variants without plans, however
 * long they take, and a program without reductions launches all of its loops within some
 * milliseconds. On an H200, 200 iterations of hydra on 2.4 million edges so took 0.45 instead of
 * 0.24 s though the order was there after 0.03 s. Launches that wait for a group stay. */
static void keep_pace(void)
{
    int held = 0;
    cleave_queue_held(&held);
    if (++ahead >= MOST_AHEAD && held == 0) {
        wait_for_device();
        ahead = 0;
    }
}

void cleave_order_trial_call(struct cleave_call *call)
{
    if (cleave_order_awaited && cleave_device != NULL) {
        keep_pace();
    }
    if (phase == DECIDED) {
        return;
    }
    const int row = row_of(call);
    if (phase == IDLE && cleave_order_is_awaited() && cleave_order_is_open()) {
        cleave_order_is_tried = 1;
        begin_phase(WARMING);
    }
    if (row < 0 || cleave_device == NULL ||
        (phase > BEFORE && cleave_background_order() != BACKGROUND_ADOPTED) ||
        (phase > BEFORE && call->start - settling_since > cleave_machine.trial_patience)) {
        end_trial();
    } else if (phase == WARMING) {
        warm_up(row);
    } else if (phase == BEFORE) {
        measure_before(call, row);
    } else if (phase == SETTLING) {
        settle(call, row);
    } else if (phase == AFTER) {
        measure_after(call, row);
    }
}
