/* planted_model.c: loops on a device whose times are planted, of whose variants the model expects
 * something: further ones that it expects to be faster are asked for, and where it is wrong,
 * measurement puts it right. */
#include "planted.h"

#include "runtime/jit/jit.h"

static const struct cleave_cost_list cost_list[1] = {{0}};
static const struct cleave_cost held = {.own = 4000, .kernels = 1, .list = cost_list};
static const struct cleave_cost worse = {.own = 12000, .kernels = 1, .list = cost_list};
static const struct cleave_cost nearly = {.own = 3950, .kernels = 1, .list = cost_list};
static const struct cleave_cost better = {.own = 1000, .kernels = 1, .list = cost_list};

/* Returns how many loops have asked for further variants after so many seconds of this run. */
static int asked_after(const struct cleave_variant *further, double seconds)
{
    empty_store();
    memset(planted, 0, sizeof planted);
    plant("flux_twopass", 0, 0.15 / SLOWER);
    plant("flux_split_colour", 0, 0.1 / SLOWER);
    plant("flux_fused_colour", 0, 0.15 / SLOWER);
    plant("flux_fused_atomic", 0, 0.15 / SLOWER);
    loops[0].further_variant = further;
    loops[0].further = 1;
    start();
    calls((int)(seconds / 0.1));
    const int wanted = cleave_jit_summary().wanted;
    CHECK(further->cost != &better || !trials()->settled);
    return wanted;
}

/* Variants that the object does not hold are asked for where the model expects a gain, once the
 * program has run for some seconds. Trials end if they cannot be compiled. */
static void test_further(void)
{
    static const unsigned char packed[1];
    static const struct cleave_source_text text = {packed, 1, 1, "nvcc\0", "0"};
    struct cleave_variant further = {.name = "flux_further",
                                     .schedule = CLEAVE_FUSED,
                                     .race = CLEAVE_RACE_ATOMIC,
                                     .plan = CLEAVE_PLAN_NONE,
                                     .cost = &nearly};
    unit.source_text = &text;
    for (int v = 0; v < 4; v++) {
        tuned_variants[v].cost = &held;
    }
    CHECK(asked_after(&further, 30.0) == 0);
    op_exit();
    further.cost = &better;
    CHECK(asked_after(&further, 4.0) == 0);
    op_exit();
    CHECK(asked_after(&further, 8.0) == 1);
    while (cleave_jit_summary().failed == 0) {
        usleep(1000);
    }
    calls(2000);
    CHECK(trials()->settled && cleave_jit_summary().wanted == 1);
    op_exit();
    for (int v = 0; v < 4; v++) {
        tuned_variants[v].cost = NULL;
    }
    loops[0].further = 0;
    unit.source_text = NULL;
}

/* A kernel that the model takes for the slowest by far, and that is the fastest. */
static void test_wrong_model(void)
{
    empty_store();
    plant_usual();
    for (int v = 0; v < 4; v++) {
        tuned_variants[v].cost = v == 2 ? &worse : &held;
    }
    start();
    calls(2500);
    CHECK(trials()->settled && chosen()->block_size == 256);
    CHECK_TEXT(chosen()->variant, "flux_fused_atomic");
    CHECK(samples_of_all() > 10 && was_tried("flux_twopass") && sums_are_right(2500));
    const double by_rule = trials()->trial[trials()->by_rule].predicted;
    for (int n = 0; n < trials()->count; n++) {
        const struct cleave_trial *trial = &trials()->trial[n];
        if (trial->first && strcmp(trial->variant, "flux_fused_atomic") == 0) {
            CHECK(by_rule > 0.0 && trial->predicted > 1.5 * by_rule);
        }
    }
    op_exit();
    for (int v = 0; v < 4; v++) {
        tuned_variants[v].cost = NULL;
    }
}

int main(void)
{
    plant_device();
    test_further();
    test_wrong_model();
    unplant_device();
    return CHECK_RESULT();
}
