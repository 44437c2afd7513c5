/* done.c: the flag by which a launch tells the host that its reductions are there: only launches
 * that the host waits for set it. If another did, it would do so while the next loop waits, whose
 * results would be read too early. */
#define CLEAVE_UNIT "done"
#include "cleave_gen.h"
#include "op_seq.h"

#include "call_text.h"
#include "check.h"
#include "fake_device.h"

enum { CELLS = 100 };

static op_set cells;
static op_dat x;

/* ---- loops ------------------------------------------------------------------------------- */

static void lowest(const double *value, double *least, double *where)
{
    if (least != NULL && value[0] < least[0]) {
        least[0] = value[0];
        where[0] = 2.0 * value[0];
    }
}

static void total(const double *value, double *sum)
{
    sum[0] += value[0];
}

#define LOWEST                                                                                     \
    lowest, "lowest", cells, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),                       \
        op_opt_arg_gbl(is_on, &least, 1, "double", OP_MIN), op_arg_info(&where, 1, "double", 1)
#define TOTAL                                                                                      \
    total, "total", cells, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),                         \
        op_arg_gbl(&sum, 1, "double", OP_INC)

/* ---- a device that is late ---------------------------------------------------------------- */

static unsigned *told; /* by the launch before, which has not ended; NULL: nothing */
static int waits_done;

/* The launch before ends when this one begins, and both are as late as they can be. */
static void begin(const struct cleave_launch *launch)
{
    if (told != NULL) {
        *told = 1;
    }
    told = launch->done;
}

static void lowest_run(const struct cleave_launch *launch)
{
    begin(launch);
    if (launch->partial[1] != NULL) {
        *(double *)launch->result[1] = 7.0;
        *launch->result_elements[1] = 3;
        *(double *)launch->result[2] = 14.0;
    }
}

static double *pending; /* the result of a launch that has not ended */

static void total_run(const struct cleave_launch *launch)
{
    begin(launch);
    pending = launch->result[1];
    *pending = -1.0;
}

static int wait_done(const unsigned *done)
{
    waits_done++;
    CHECK(told == done);
    if (*done == 0 && pending != NULL) {
        *pending = 50.0;
    }
    pending = NULL;
    told = NULL;
    return 0;
}

static const char *launch_error(void)
{
    return NULL;
}

static const int component[] = {0};
static const struct cleave_payload payload = {.arg = 2, .dim = 1, .component = component};
static const struct cleave_extremum extremum = {.arg = 1, .payloads = 1, .payload = &payload};
static const struct cleave_variant lowest_variants[] = {{.name = "lowest_direct",
                                                         .schedule = CLEAVE_FUSED,
                                                         .plan = CLEAVE_PLAN_NONE,
                                                         .run = lowest_run}};
static const struct cleave_variant total_variants[] = {
    {.name = "total_direct", .schedule = CLEAVE_FUSED, .plan = CLEAVE_PLAN_NONE, .run = total_run}};
static const struct cleave_loop loops[] = {
    {.call = TEXT(LOWEST),
     .signature = "d0.-1.0:1:double:R g-1.-1.0:1:double:m? n-1.-1.1:1:double:R",
     .kernel = "lowest",
     .variants = 1,
     .variant = lowest_variants,
     .extrema = 1,
     .extremum = &extremum},
    {.call = TEXT(TOTAL),
     .signature = "d0.-1.0:1:double:R g-1.-1.0:1:double:I",
     .kernel = "total",
     .variants = 1,
     .variant = total_variants}};
static const struct cleave_unit unit = {.abi = CLEAVE_ABI,
                                        .target = CLEAVE_TARGET_CUDA,
                                        .id = CLEAVE_UNIT,
                                        .source = "done.c",
                                        .loops = 2,
                                        .loop = loops,
                                        .key = &cleave_unit_key,
                                        .launch_error = launch_error};

/* ---- tests ------------------------------------------------------------------------------- */

static void test_switched(void)
{
    for (int turn = 0; turn < 4; turn++) {
        const int is_on = turn % 2;
        double least = 9.0;
        double where = -1.0;
        double sum = 0.0;
        LOOP(LOWEST);
        CHECK(least == (is_on ? 7.0 : 9.0) && where == (is_on ? 14.0 : -1.0));
        LOOP(TOTAL);
        CHECK(sum == 50.0);
    }
    CHECK(waits_done == 6);
}

int main(void)
{
    static struct target_ops device;
    device = ops;
    device.wait_done = wait_done;
    target_provide(&device);
    cleave_register(&unit);
    op_init(0, NULL, 0);
    cells = op_decl_set(CELLS, "cells");
    x = op_decl_dat(cells, 1, "double", (double *)NULL, "x");
    test_switched();
    op_exit();
    return CHECK_RESULT();
}
