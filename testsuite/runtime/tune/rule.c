/* rule.c: a loop under trial runs what the rule prefers, unless trials have measured something else
 * to be faster: while plans are made in the background, where a later run cannot use what an
 * earlier one has found, and where that run's rule had another choice. Times are planted. */
#include "planted.h"

/* The rule's variant is the fastest; the others are too close to be dropped after one call. */
static void plant_rule(void)
{
    memset(planted, 0, sizeof planted);
    plant("flux_split_colour", 0, 100e-3);
    plant("flux_fused_colour", 0, 232e-3);
    plant("flux_fused_atomic", 0, 232e-3);
    plant("flux_twopass", 0, 232e-3);
}

static int runs_of(const char *variant)
{
    int count = 0;
    for (int t = 0; t < tries; t++) {
        count += strncmp(tried[t], variant, strlen(variant)) == 0 ? runs[t] : 0;
    }
    return count;
}

/* 1: of so many calls, those that measured nothing ran the rule's variant. */
static int kept_to_rule(int count)
{
    const long measured = trials() != NULL ? trials()->measured_now : 0;
    if (runs_of("flux_split_colour") >= count - measured) {
        return 1;
    }
    fprintf(stderr, "  %d of %d calls ran the rule's variant, %ld were measured\n",
            runs_of("flux_split_colour"), count, measured);
    return 0;
}

/* ---- a candidate that cannot run ---------------------------------------------------------------
 */

static int no_block_fits;

static void takes_nothing(const void *kernel, int block, size_t shared, struct target_kernel *takes)
{
    device_kernel_takes(kernel, block, shared, takes);
    takes->resident_threads = no_block_fits ? 0 : 2 * block;
}

/* The driver tells of the chosen candidate that no block fits. The others were slower: the rule's
 * choice runs, which is the same variant, and the run after that goes on as if nothing had been. */
static void test_cannot_run(int calls_before)
{
    empty_store();
    plant_rule();
    tuned_variants[0].kernel = &heavy;
    device_clock.kernel_takes = takes_nothing;
    start();
    calls(calls_before);
    CHECK(kept_to_rule(calls_before) && samples_of_all() > 2);
    op_exit();
    for (int run = 0; run < 3; run++) {
        no_block_fits = run == 0;
        start();
        calls(400);
        CHECK(kept_to_rule(400) && sums_are_right(400));
        CHECK_TEXT(trials()->trial[trials()->runs].variant, "flux_split_colour");
        op_exit();
    }
    tuned_variants[0].kernel = NULL;
    device_clock.kernel_takes = ops.kernel_takes;
}

/* ---- another rule ------------------------------------------------------------------------------
 */

/* A run in which the best variant did not fit has measured nothing, or others. */
static void test_other_rule(void)
{
    for (int before = 20; before <= 320; before += 100) {
        empty_store();
        plant_rule();
        shared_bytes = 0;
        start();
        calls(before);
        CHECK(!was_tried("flux_split_colour"));
        op_exit();
        shared_bytes = (size_t)1 << 20;
        start();
        calls(4 * before + 400);
        CHECK(kept_to_rule(4 * before + 400) && sums_are_right(4 * before + 400));
        op_exit();
    }
}

/* ---- plans in the background -------------------------------------------------------------------
 */

static void run_free(const struct cleave_launch *l)
{
    note("flux_fused_atomic", l->block_size);
    for (int e = 0; e < l->size; e++) {
        flux_element(l, e, 1.0);
    }
}

/* Calls in pieces, between which the worker makes plans. Returns how many ran before the rule's
 * variant did. */
static int calls_beside_worker(int count)
{
    int before = 0;
    for (int c = 0; c < count; c++) {
        call_flux();
        before += runs_of("flux_split_colour") == 0;
        if (c % 20 == 0) {
            usleep(1000);
        }
    }
    return before;
}

/* A variant without a plan stands in for the rule's until its plan has come. Trials begin with the
 * rule's, and no run begins with the other. */
static void test_stand_in(void)
{
    empty_store();
    plant_rule();
    setenv("CLEAVE_PLAN", "background", 1);
    tuned_variants[2].plan = CLEAVE_PLAN_NONE;
    tuned_variants[2].run = run_free;
    for (int run = 0; run < 4; run++) {
        start();
        const int before = calls_beside_worker(400);
        CHECK(run > 0 || before > 0);
        CHECK(before < 350 && kept_to_rule(400 - before) && sums_are_right(400));
        CHECK_TEXT(chosen()->variant, "flux_split_colour");
        op_exit();
    }
    tuned_variants[2].plan = CLEAVE_PLAN_BLOCKS;
    tuned_variants[2].run = run_fused_atomic;
    setenv("CLEAVE_PLAN", "wait", 1);
}

int main(void)
{
    plant_device();
    for (int before = 100; before <= 220; before += 20) {
        test_cannot_run(before); /* trials have not ended */
    }
    test_cannot_run(2500); /* they have */
    test_other_rule();
    test_stand_in();
    unplant_device();
    return CHECK_RESULT();
}
