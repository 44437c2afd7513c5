/* group_model.c: what the model expects of a group that gathers. Its members may run one by one
 * without another plan, while it needs one of its own, which takes the worker and the device time:
 * a group that is expected to be far slower is not tried. */
#include "runtime/choose/variants.h"
#include "runtime/exec/group.h"

/* The model's predictions of whole calls are within some 30 % of what is measured. */
static const double FAR = 1.3;

/* Seconds of the call in the fastest of its variants that may run, in their usual blocks; 0: not
 * known of any. */
static double least_expected(const struct cleave_call *call)
{
    struct cleave_choice choice = {0};
    double least = 0.0;
    if (!cleave_choose_target(call, &choice)) {
        return 0.0;
    }
    for (int v = 0; v < choice.loop->variants; v++) {
        choice.variant = &choice.loop->variant[v];
        if (!cleave_variant_may_run(call, choice.variant)) {
            continue;
        }
        choice.block_size = cleave_usual_block(call, &choice);
        const double seconds = cleave_expected_seconds(call, &choice);
        least = least == 0.0 || (seconds > 0.0 && seconds < least) ? seconds : least;
    }
    return least;
}

int cleave_group_ask(struct cleave_group_node *node, struct cleave_group_trial *trial,
                     const struct cleave_call *joined, struct cleave_call *const *member,
                     int members)
{
    double seconds[2] = {least_expected(joined), 0.0};
    int known = seconds[0] > 0.0;
    for (int m = 0; m < members && known; m++) {
        const struct cleave_launcher *launcher = member[m]->launcher;
        if (launcher == NULL || launcher->chosen_at != cleave_generation) {
            return 0;
        }
        const double alone = cleave_expected_seconds(member[m], &launcher->choice);
        seconds[1] += alone;
        known = alone > 0.0;
    }
    const int loses = known && seconds[0] > FAR * seconds[1];
    cleave_group_asked(node, trial, loses, seconds);
    return !loses;
}
