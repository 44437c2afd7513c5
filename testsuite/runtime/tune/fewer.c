/* fewer.c: a loop on the host that takes longer on all threads than on half of them: the tuner
 * finds that, keeps it, and the next run begins with it. */
#define CLEAVE_UNIT "fewer"
#include "cleave_gen.h"
#include "op_seq.h"

#include "runtime/exec/exec.h"

#include <omp.h>

#include "../call_text.h"
#include "check.h"

enum { CELLS = 100000, THREADS = 6, CALLS = 1500, MOST_CALLS = 20 * CALLS };

static op_set cells;
static op_dat x;
static int runs_by[THREADS + 1];

static void count(double *value)
{
    value[0] += 1.0;
}

#define COUNT count, "count", cells, op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW)

/* Takes the time that the test plans, whatever the machine does. */
static void count_run(const struct cleave_launch *l)
{
    const int threads = omp_get_max_threads();
    const double end = cleave_seconds() + (threads == THREADS ? 0.4e-3 : 0.2e-3);
    double *value = l->data[0];
    runs_by[threads]++;
    value[0] += 1.0;
    value[CELLS - 1] += 1.0;
    while (cleave_seconds() < end) {
    }
}

static const struct cleave_variant variants[] = {
    {.name = "count_direct", .schedule = CLEAVE_FUSED, .plan = CLEAVE_PLAN_NONE, .run = count_run}};
static const struct cleave_loop loops[] = {{.call = TEXT(COUNT),
                                            .signature = "d0.-1.0:1:double:B",
                                            .kernel = "count",
                                            .variants = 1,
                                            .variant = variants}};
static const struct cleave_unit unit = {.abi = CLEAVE_ABI,
                                        .target = CLEAVE_TARGET_OPENMP,
                                        .id = CLEAVE_UNIT,
                                        .source = "fewer.c",
                                        .loops = 1,
                                        .loop = loops,
                                        .key = &cleave_unit_key};

static int is_settled(void)
{
    const struct cleave_trials *trials = cleave_trials_of("count", "count", NULL);
    return trials != NULL && trials->settled;
}

/* Calls the loop; if it is tuned, until that has ended, which takes longer on a busy machine.
 * Returns how often. */
static int run(int calls, int tuned)
{
    int c = 0;
    op_init(0, NULL, 0);
    omp_set_num_threads(THREADS);
    cells = op_decl_set(CELLS, "cells");
    x = op_decl_dat(cells, 1, "double", (double *)NULL, "x");
    memset(runs_by, 0, sizeof runs_by);
    while (c < calls || (tuned && c < MOST_CALLS && !is_settled())) {
        LOOP(COUNT);
        c++;
    }
    CHECK(((double *)x->data)[CELLS - 1] == c && omp_get_max_threads() == THREADS);
    return c;
}

int main(void)
{
    char folder[] = "/tmp/cleave-fewer.XXXXXX";
    char remove[64];
    CHECK(mkdtemp(folder) != NULL);
    setenv("CLEAVE_PLAN_CACHE", folder, 1);
    setenv("CLEAVE_TUNE", "auto", 1);
    cleave_register(&unit);
    const int calls = run(CALLS, 1);
    const struct cleave_trials *trials = cleave_trials_of("count", "count", NULL);
    CHECK(trials != NULL && trials->settled && trials->count == 2);
    CHECK(trials != NULL && trials->trial[trials->chosen].threads == THREADS / 2);
    CHECK(runs_by[THREADS / 2] > CALLS / 8 && runs_by[THREADS] + runs_by[THREADS / 2] == calls);
    op_exit();
    run(20, 0);
    CHECK(runs_by[THREADS / 2] == 20);
    op_exit();
    setenv("CLEAVE_TUNE", "off", 1);
    run(20, 0);
    CHECK(runs_by[THREADS] == 20);
    op_exit();
    snprintf(remove, sizeof remove, "rm -rf %s", folder);
    CHECK(system(remove) == 0);
    return CHECK_RESULT();
}
