/* pace.c: how many threads run a loop on the host: one, or all.
 *
 * A parallel region costs what it takes to wake the threads and to wait for the last of them. On a
 * busy machine that is the time until the system lets each run, milliseconds. So loops over small
 * sets are measured: first on one thread, and where that takes long enough, on all. All threads run
 * the loop while they are faster; when they are not, one does, and all are tried again only as long
 * as such attempts have lost a small share of the loop's time. Variants give the same bits with any
 * number of threads, so that nothing but time depends on this. */
#include "runtime/choose/choose.h"
#include "runtime/base/machine.h"
#include "runtime/base/waiting.h"

#include <omp.h>

/* 1: other processes keep so many processors busy at this moment that threads of this one would
 * have to wait. 0 if the system does not tell. */
static int is_busy(void)
{
    return cleave_runnable() - 1 + omp_get_max_threads() > omp_get_num_procs();
}

/* How a call is measured: not at all, on one thread, on all threads. */
enum use { UNMEASURED, ON_ONE, ON_ALL };

static enum use next_use(struct cleave_pace *pace)
{
    if (pace->one_calls < CLEAVE_PACE_FIRST) {
        return ON_ONE;
    }
    if (pace->one < cleave_machine.few_seconds) {
        return ++pace->skipped < cleave_machine.calls_between ? UNMEASURED : ON_ONE;
    }
    if (pace->all_calls > 0 && pace->all < pace->one) {
        return ON_ALL;
    }
    if (pace->lost > cleave_machine.patience * pace->spent) {
        return ON_ONE;
    }
    if (pace->wait > 0) {
        pace->wait--;
        return ON_ONE;
    }
    pace->wait = is_busy() ? cleave_machine.calls_when_busy : 0;
    return pace->wait > 0 ? ON_ONE : ON_ALL;
}

/* Adds a measured call on one thread. A single slow call, as by a context switch, counts little. */
static void note_one(struct cleave_pace *pace, double seconds)
{
    if (pace->skipped > 0 || pace->one_calls == 0) {
        pace->one = seconds;
    } else if (pace->one_calls < CLEAVE_PACE_FIRST) {
        pace->one = fmin(pace->one, seconds);
    } else {
        pace->one += 0.125 * (fmin(seconds, 2.0 * pace->one) - pace->one);
    }
    pace->skipped = 0;
    pace->one_calls += pace->one_calls < CLEAVE_PACE_FIRST;
    pace->spent += seconds;
}

static void note_all(struct cleave_pace *pace, double seconds)
{
    const double counted = fmin(seconds, 2.0 * pace->one);
    pace->all = pace->all_calls == 0 ? counted : pace->all + 0.25 * (counted - pace->all);
    pace->all_calls = 1;
    pace->lost += fmax(seconds - pace->one, 0.0);
    pace->spent += seconds;
}

static void run_on_one(void (*run)(const struct cleave_launch *), struct cleave_launch *launch)
{
    launch->one_thread = 1;
    run(launch);
}

/* 1: one range has all elements, so that other threads would have nothing to do. */
static int is_for_one(const struct cleave_launch *launch)
{
    return launch->plan != NULL && launch->plan->ranges == 1 && launch->plan->blocks == 1;
}

/* Fewer threads than that leave too much to each. */
enum { LEAST_FEWER = 2 };

int cleave_pace_fewer(int elements)
{
    const int half = omp_get_max_threads() / 2;
    return elements > cleave_machine.measured_elements && half >= LEAST_FEWER ? half : 0;
}

static void run_on(int threads, void (*run)(const struct cleave_launch *),
                   struct cleave_launch *launch)
{
    const int all = omp_get_max_threads();
    omp_set_num_threads(threads);
    run(launch);
    omp_set_num_threads(all);
}

void cleave_pace_run(struct cleave_pace *pace, int elements, int threads,
                     void (*run)(const struct cleave_launch *), struct cleave_launch *launch)
{
    if (omp_get_max_threads() == 1 || is_for_one(launch)) {
        run_on_one(run, launch);
        return;
    }
    if (elements > cleave_machine.measured_elements) {
        cleave_waiting_look();
        run_on(threads > 0 ? threads : omp_get_max_threads(), run, launch);
        return;
    }
    const enum use use = next_use(pace);
    if (use == UNMEASURED) {
        run_on_one(run, launch);
        return;
    }
    const double start = cleave_seconds();
    if (use == ON_ALL) {
        cleave_waiting_look();
        run(launch);
        note_all(pace, cleave_seconds() - start);
    } else {
        run_on_one(run, launch);
        note_one(pace, cleave_seconds() - start);
    }
}
