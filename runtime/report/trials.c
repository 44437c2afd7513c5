/* trials.c: what tuning has tried, for the report: the candidates of each loop, with their times.
 */
#include "runtime/report/rows.h"
#include "runtime/tune/tune.h"

static int widest_variant(const struct cleave_trials *trials)
{
    int width = 0;
    for (int n = 0; n < trials->count; n++) {
        width = MAX(width, (int)strlen(trials->trial[n].variant));
    }
    return width;
}

static void print_trial(FILE *file, const struct cleave_trial *trial, int width)
{
    char samples[32] = "";
    char predicted[32] = "";
    if (trial->samples > 0) {
        snprintf(samples, sizeof samples, "%d sample%s", trial->samples,
                 trial->samples > 1 ? "s" : "");
    }
    if (trial->predicted > 0.0) {
        snprintf(predicted, sizeof predicted, "  predicted %.2f us", 1e6 * trial->predicted);
    }
    fprintf(file, "  %-16s  %-*s  block %-4d", cleave_trial_state_word(trial->state), width,
            trial->variant, trial->block_size);
    if (trial->threads > 0) {
        fprintf(file, "  %d threads", trial->threads);
    }
    if (trial->samples > 0) {
        fprintf(file, "  %10s  %10.2f us", samples, 1e6 * trial->seconds);
    }
    fprintf(file, "%s%s%s\n", predicted, trial->why != NULL ? "  " : "",
            trial->why != NULL ? trial->why : "");
}

/* Chosen, then by their times, then those that were not measured, in the order of the trials. */
static int comes_first(const struct cleave_trials *trials, int a, int b)
{
    const struct cleave_trial *x = &trials->trial[a];
    const struct cleave_trial *y = &trials->trial[b];
    if ((a == trials->chosen) != (b == trials->chosen)) {
        return a == trials->chosen;
    }
    if ((x->samples > 0) != (y->samples > 0)) {
        return x->samples > 0;
    }
    return x->seconds != y->seconds ? x->seconds < y->seconds : a < b;
}

static int measured(const struct cleave_trials *trials)
{
    int count = 0;
    for (int n = 0; n < trials->count; n++) {
        count += trials->trial[n].samples > 0;
    }
    return count;
}

static void print_head(FILE *file, const struct cleave_trials *trials)
{
    fprintf(file, "trials of %s (%d elements, %s): ", trials->loop, trials->elements,
            trials->target);
    if (trials->from_store) {
        fprintf(file, "an earlier run settled them");
    } else if (trials->rests) {
        fprintf(file, "begun by an earlier run, they go on in a longer one");
    } else {
        fprintf(file, "%s after %ld calls, %d of %d candidates measured",
                trials->settled ? "settled" : "not settled", trials->calls, measured(trials),
                trials->count);
    }
    fprintf(file, "; they cost %.6f s, preparing them %.6f s\n", cleave_trials_lost(trials),
            trials->setup_seconds);
}

/* Candidates that were not measured are counted; an exhaustive search lists them, too. */
static void print_trials(FILE *file, const struct cleave_trials *trials)
{
    const int width = widest_variant(trials);
    const int shown = trials->limits.exhaustive ? trials->count : measured(trials);
    int last = -1;
    print_head(file, trials);
    for (int done = 0; done < shown; done++) {
        int next = -1;
        for (int n = 0; n < trials->count; n++) {
            if ((last < 0 || comes_first(trials, last, n)) &&
                (next < 0 || comes_first(trials, n, next)) && n != last) {
                next = n;
            }
        }
        last = next;
        print_trial(file, &trials->trial[next], width);
    }
    if (shown < trials->count) {
        fprintf(file, "  not measured: %d other candidate%s\n", trials->count - shown,
                trials->count - shown > 1 ? "s" : "");
    }
}

void cleave_trials_print(FILE *file)
{
    for (const struct cleave_record *r = cleave_records; r != NULL; r = r->next) {
        const struct cleave_trials *trials = NULL;
        while (r->first == r && (trials = cleave_trials_of(r->name, r->kernel, trials)) != NULL) {
            if (measured(trials) > 1) {
                print_trials(file, trials);
            }
        }
    }
}
