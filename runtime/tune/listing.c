/* listing.c: the candidates of a loop: which there are, and in which order they are tried. */
#include "runtime/base/machine.h"
#include "runtime/model/model.h"
#include "runtime/tune/turns.h"

enum { MOST_VARIANTS = 256 };

/* Variants of a short loop that are tried, the rule's included, and the share by which the model
 * may expect more of them than of the best: there is little to gain. */
enum { MOST_OF_SHORT = 4 };
#define NEAR_BEST 1.3

static int index_of(const struct cleave_trials *trials, const char *variant, int block_size,
                    int threads)
{
    for (int n = 0; n < trials->count; n++) {
        if (trials->trial[n].block_size == block_size && trials->trial[n].threads == threads &&
            strcmp(trials->trial[n].variant, variant) == 0) {
            return n;
        }
    }
    return -1;
}

/* Calls that another block size is expected to lose. */
#define LOSS_OF_BLOCK_SIZE 0.1
/* Calls that half of the threads are expected to lose. */
#define LOSS_OF_THREADS 0.5

double cleave_trial_predict(struct cleave_call *call, const struct cleave_choice *choice,
                            int block_size)
{
    struct cleave_choice candidate = *choice;
    if (cleave_lacks_plan(call, choice, block_size) ||
        cleave_choose_blocks(call, &candidate, block_size, 0) != BLOCKS_FIT) {
        candidate.plan = NULL;
        candidate.shared_bytes = 0;
    }
    candidate.block_size = block_size;
    return cleave_predict(call, &candidate, NULL);
}

/* Seconds that a plan of the call's set is expected to take: as long as one that was made. */
static double plan_seconds(const struct cleave_call *call)
{
    const double usual = 100e-9; /* per element, if none was made yet */
    double seconds = 0.0;
    for (const struct cleave_plan_entry *e = cleave_plans; e != NULL; e = e->next) {
        if (e->set == call->set) {
            seconds = fmax(seconds, e->metrics.seconds + e->number_seconds);
        }
    }
    return seconds > 0.0 ? seconds : usual * call->set->size;
}

int cleave_plans_come_later(const struct cleave_trials *trials)
{
    return !trials->limits.exhaustive && !cleave_plans_first();
}

/* The share of the time that a plan takes in the background which counts as lost by the loops: a
 * choice, not a measurement. They run on the device meanwhile, but the cores that make the plan use
 * the memory, and the device waits for its upload. With half of it, plans of 3 million edges were
 * never worth trying for a loop of 127 microseconds that lost 6 %. */
#define DISTURBS 0.1

/* Seconds that the candidate's plan costs the loops; 0: it has one, or needs none. */
static double setup_of(const struct cleave_trials *trials, struct cleave_call *call,
                       const struct cleave_choice *choice, int block_size)
{
    if (!cleave_lacks_plan(call, choice, block_size)) {
        return 0.0;
    }
    return (cleave_plans_come_later(trials) ? DISTURBS : 1.0) * plan_seconds(call);
}

/* Adds a candidate unless the trials have it. Returns its number. */
static int add(struct cleave_trials *trials, struct cleave_call *call,
               const struct cleave_choice *choice, int block_size, int first, int promising)
{
    const int known = index_of(trials, choice->variant->name, block_size, choice->threads);
    if (known >= 0) {
        trials->trial[known].setup = setup_of(trials, call, choice, block_size);
        return known;
    }
    const size_t count = (size_t)trials->count + 1;
    struct cleave_trial *more = cleave_alloc_zero(count * sizeof *more, "trials of a loop");
    if (trials->count > 0) {
        memcpy(more, trials->trial, (count - 1) * sizeof *more);
    }
    free(trials->trial);
    trials->trial = more;
    struct cleave_trial *trial = &more[trials->count++];
    trial->variant = cleave_text_copy(choice->variant->name);
    trial->block_size = block_size;
    trial->threads = choice->threads;
    trial->first = first;
    trial->setup = setup_of(trials, call, choice, block_size);
    trial->predicted = trials->limits.exhaustive || (first && promising)
                           ? cleave_trial_predict(call, choice, block_size)
                           : 0.0;
    trial->guess = first ? cleave_usual_loss(choice->variant, choice->variant) : LOSS_OF_BLOCK_SIZE;
    trial->state = (first && promising) || trials->limits.exhaustive ? CLEAVE_TRIAL_OPEN
                                                                     : CLEAVE_TRIAL_UNTRIED;
    return trials->count - 1;
}

/* Returns the time that the candidate is expected to take, relative to the rule's choice, for the
 * order of trials. Other block sizes come after all variants. */
static double expected(const struct cleave_trial *trial, const struct cleave_trial *rule)
{
    const double calls = trial->predicted > 0.0 && rule->predicted > 0.0
                             ? trial->predicted / rule->predicted
                             : 1.0 + trial->guess;
    return trial->first ? calls : 1e6 + calls;
}

/* Sorts new trials by what they are expected to take, behind the first, the rule's choice. */
static void sort(struct cleave_trials *trials)
{
    const struct cleave_trial rule = trials->trial[0];
    for (int n = 2; n < trials->count; n++) {
        const struct cleave_trial trial = trials->trial[n];
        int at = n;
        while (at > 1 && expected(&trials->trial[at - 1], &rule) > expected(&trial, &rule)) {
            trials->trial[at] = trials->trial[at - 1];
            at--;
        }
        trials->trial[at] = trial;
    }
}

static void make_room_for_turns(struct cleave_trials *trials)
{
    free(trials->turn);
    trials->turn =
        cleave_alloc(2 * (size_t)trials->count * sizeof *trials->turn, "trials of a loop");
    trials->turns = trials->place = 0;
}

int cleave_list_rule(struct cleave_trials *trials, struct cleave_call *call,
                     const struct cleave_choice *rule)
{
    const int count = trials->count;
    const int by_rule = add(trials, call, rule, rule->block_size, 1, 1);
    if (trials->count > count) {
        make_room_for_turns(trials);
    }
    return by_rule;
}

/* Adds the variant with its usual block size, or with all others, and on the host with fewer
 * threads. */
static void add_variant(struct cleave_trials *trials, struct cleave_call *call,
                        const struct cleave_choice *rule, const struct cleave_variant *variant,
                        int first)
{
    int size[CLEAVE_BLOCK_SIZES];
    struct cleave_choice other = *rule;
    const int promising = variant == rule->variant || cleave_is_promising(variant, rule->variant);
    if (!promising && !trials->limits.exhaustive) {
        return;
    }
    cleave_choose_named(call, &other, variant->name);
    const int sizes = cleave_candidate_blocks(call, &other, size);
    other.threads = 0;
    for (int s = 0; s < (first ? 1 : sizes); s++) {
        const int n = add(trials, call, &other, size[s], first, promising);
        if (first) {
            trials->trial[n].guess = cleave_usual_loss(variant, rule->variant);
        }
    }
    other.threads = rule->device == NULL ? cleave_pace_fewer(call->set->size) : 0;
    if (!first && other.threads > 0) {
        const int n = add(trials, call, &other, size[0], 0, 0);
        trials->trial[n].guess = LOSS_OF_THREADS;
    }
}

static int is_short(const struct cleave_trials *trials)
{
    return !trials->limits.exhaustive && trials->usual_seconds > 0.0 &&
           trials->usual_seconds < trials->limits.short_seconds;
}

/* Leaves a short loop those variants which the model ranks near the best; without a model, those
 * that usually are. They are sorted. */
static void leave_few(struct cleave_trials *trials)
{
    const struct cleave_trial rule = trials->trial[0];
    double least = expected(&rule, &rule);
    int left = 0;
    for (int n = 1; n < trials->count; n++) {
        least = fmin(least, expected(&trials->trial[n], &rule));
    }
    for (int n = 0; n < trials->count; n++) {
        struct cleave_trial *trial = &trials->trial[n];
        const int is_near = trial->predicted <= 0.0 || expected(trial, &rule) <= NEAR_BEST * least;
        if (trial->state == CLEAVE_TRIAL_OPEN && n != trials->chosen && n != trials->by_rule &&
            (left >= MOST_OF_SHORT || !is_near)) {
            trial->state = CLEAVE_TRIAL_UNTRIED;
        }
        left += trial->state == CLEAVE_TRIAL_OPEN;
    }
}

void cleave_list_all(struct cleave_trials *trials, struct cleave_call *call,
                     const struct cleave_choice *rule)
{
    const struct cleave_variant *variant[MOST_VARIANTS];
    const int variants = cleave_candidates(call, rule, variant, MOST_VARIANTS);
    const int begins = trials->count < 2;
    const int before = trials->count;
    for (int v = 1; v < variants; v++) {
        add_variant(trials, call, rule, variant[v], 1);
    }
    for (int v = 0; v < variants; v++) {
        add_variant(trials, call, rule, variant[v], 0);
    }
    make_room_for_turns(trials);
    if (begins) {
        sort(trials);
        if (is_short(trials)) {
            leave_few(trials);
        }
    } else if (trials->count > before && trials->is_complete) {
        trials->is_complete = 0; /* some were compiled meanwhile */
        trials->blocks_open = trials->limits.exhaustive;
    }
    trials->listed = 1;
    trials->variants = cleave_variants_of(call, rule);
    cleave_further_look(trials, call, rule);
}

int cleave_variants_of(const struct cleave_call *call, const struct cleave_choice *choice)
{
    int variants = 0;
    for (int l = 0; l < call->match->loops; l++) {
        variants += call->match->unit[l]->unit->target == choice->target
                        ? call->match->loop[l]->variants
                        : 0;
    }
    return variants;
}
