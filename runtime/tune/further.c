/* further.c: variants that the program does not hold, and that the runtime can compile while it
 * runs (jit/). The model says whether they are worth it; when they are there, they are tried like
 * all others. */
#include "runtime/jit/jit.h"
#include "runtime/tune/turns.h"

enum { MOST_FURTHER = 256 };

/* The share of a call that the best of them must save, by the model. */
#define LEAST_GAIN 0.05
/* Seconds of the program's loops after which compilers are started: shorter programs would end
 * before they do. */
#define LEAST_SECONDS 5.0

/* The least time that the model expects of a candidate; 0: unknown. */
static double least_predicted(const struct cleave_trials *trials)
{
    double least = 0.0;
    for (int n = 0; n < trials->count; n++) {
        const double seconds = trials->trial[n].predicted;
        least = seconds > 0.0 && (least == 0.0 || seconds < least) ? seconds : least;
    }
    return least;
}

void cleave_further_look(struct cleave_trials *trials, struct cleave_call *call,
                         const struct cleave_choice *rule)
{
    const struct cleave_variant *variant[MOST_FURTHER];
    const double held = least_predicted(trials);
    const int count = cleave_candidates_further(call, rule, variant, MOST_FURTHER);
    struct cleave_choice other = *rule;
    int size[CLEAVE_BLOCK_SIZES];
    trials->further_gain = trials->limits.exhaustive && count > 0 ? 1.0 : 0.0;
    for (int v = 0; v < count && held > 0.0; v++) {
        other.variant = variant[v];
        cleave_candidate_blocks(call, &other, size);
        const double seconds = cleave_trial_predict(call, &other, size[0]);
        const double gain = seconds > 0.0 ? 1.0 - seconds / held : 0.0;
        trials->further_gain = fmax(trials->further_gain, gain);
    }
    if (trials->further_gain < LEAST_GAIN) {
        trials->further_gain = 0.0;
    }
}

void cleave_further_ask(struct cleave_trials *trials, const struct cleave_choice *choice)
{
    if (trials->further_gain == 0.0 ||
        (trials->account->taken < LEAST_SECONDS && !trials->limits.exhaustive)) {
        return;
    }
    if (cleave_jit_want(choice->unit, choice->loop) != CLEAVE_JIT_COMING) {
        trials->further_gain = 0.0;
    }
}

int cleave_further_is_coming(const struct cleave_choice *choice, const char *name)
{
    for (int v = 0; v < choice->loop->further; v++) {
        if (strcmp(choice->loop->further_variant[v].name, name) == 0) {
            return cleave_jit_want(choice->unit, choice->loop) == CLEAVE_JIT_COMING;
        }
    }
    return 0;
}
