/* pace.c: how many threads run a loop on the host: one where it takes little or where all are
 * slower, all of them for large sets. The "variants" only wait. */
#include "runtime/exec/exec.h"

#include <omp.h>

#include "check.h"

static double seconds_on_one;
static double seconds_on_all;
static int runs_on_one;
static int runs_on_all;
static int threads; /* of cleave_pace_run */
static int most_threads = 2;

static void run(const struct cleave_launch *launch)
{
    const int one = launch->one_thread;
    const double end = cleave_seconds() + (one ? seconds_on_one : seconds_on_all);
    CHECK(omp_get_max_threads() == (threads > 0 && !one ? threads : most_threads));
    runs_on_one += one;
    runs_on_all += !one;
    while (cleave_seconds() < end) {
    }
}

static const struct cleave_plan *plan;

static void call(int calls, int elements, double on_one, double on_all)
{
    struct cleave_pace pace = {0};
    seconds_on_one = on_one;
    seconds_on_all = on_all;
    runs_on_one = runs_on_all = 0;
    for (int i = 0; i < calls; i++) {
        struct cleave_launch launch = {.plan = plan};
        cleave_pace_run(&pace, elements, threads, run, &launch);
    }
    CHECK(runs_on_one + runs_on_all == calls);
}

int main(void)
{
    omp_set_num_threads(2);
    call(1000, 100, 0.0, 0.0);
    CHECK(runs_on_all == 0);
    CHECK(omp_get_max_threads() == 2);
    /* All threads lose 4 ms with each attempt: at most one in 200 calls of 0.3 ms. */
    call(200, 10000, 0.3e-3, 4.3e-3);
    CHECK(runs_on_all <= 2);
    /* Large sets are the planner's and OpenMP's business alone. */
    call(3, 1000000, 0.0, 0.0);
    CHECK(runs_on_all == 3);
    /* The tuner may have found that fewer threads are faster; small sets decide by themselves. */
    CHECK(cleave_pace_fewer(1000000) == 0);
    omp_set_num_threads(most_threads = 6);
    CHECK(cleave_pace_fewer(1000000) == 3 && cleave_pace_fewer(10000) == 0);
    threads = 3;
    call(3, 1000000, 0.0, 0.0);
    CHECK(runs_on_all == 3 && omp_get_max_threads() == 6);
    threads = 0;
    omp_set_num_threads(most_threads = 2);
    /* One range leaves nothing to other threads; the blocks on the borders of several do. */
    static const struct cleave_plan one_range = {.ranges = 1, .blocks = 1};
    static const struct cleave_plan ranges = {.ranges = 2, .blocks = 3};
    plan = &one_range;
    call(3, 1000000, 0.0, 0.0);
    CHECK(runs_on_all == 0);
    plan = &ranges;
    call(3, 1000000, 0.0, 0.0);
    CHECK(runs_on_all == 3);
    const int all = cleave_planning_begin(1000);
    CHECK(omp_get_max_threads() == 1);
    cleave_planning_end(all);
    CHECK(omp_get_max_threads() == 2);
    return CHECK_RESULT();
}
