/* trials.c: the trials of all loops: which loops have some, and of which candidates; a candidate as
 * a choice that can be launched. turns.c has the rules by which calls try them. */
#include "runtime/base/machine.h"
#include "runtime/model/model.h"
#include "runtime/tune/turns.h"

/* Programs that declare meshes for ever do not make trials for ever. */
enum { MOST_TRIALS = 1024, MOST_VARIANTS = 256 };

/* A device's clock is seldom wrong; calls on the host may have to wait for a processor. */
#define HOPELESS 3.0

static struct cleave_trials *all;
static int trials_made;
static int is_child; /* of a fork: its loops run on one thread, and its device is gone */

void cleave_tune_forked(void)
{
    is_child = 1;
}

/* ---- which loops -------------------------------------------------------------------------------
 */

static int is_tuned(const struct cleave_call *call)
{
    const struct cleave_settings *set = &cleave_settings;
    if (cleave_tuning() == CLEAVE_TUNE_OFF || set->deterministic || set->verify ||
        set->variant != NULL || is_child || cleave_order_is_awaited()) {
        return 0;
    }
    return cleave_tuning() == CLEAVE_TUNE_FULL || call->set->size >= cleave_machine.tuned_elements;
}

static struct cleave_trials *find(const struct store_key *key)
{
    struct cleave_trials *trials = all;
    while (trials != NULL && memcmp(&trials->key, key, sizeof *key) != 0) {
        trials = trials->next;
    }
    return trials;
}

/* ---- candidates --------------------------------------------------------------------------------
 */

static int index_of(const struct cleave_trials *trials, const char *variant, int block_size)
{
    for (int n = 0; n < trials->count; n++) {
        if (trials->trial[n].block_size == block_size &&
            strcmp(trials->trial[n].variant, variant) == 0) {
            return n;
        }
    }
    return -1;
}

/* Calls that another block size is expected to lose. */
#define LOSS_OF_BLOCK_SIZE 0.1

/* Seconds that the model expects of the choice's variant in blocks of this size; 0: unknown. */
static double predicted(struct cleave_call *call, const struct cleave_choice *choice,
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

/* 1: plans for candidates are made in the background. */
static int plans_come_later(const struct cleave_trials *trials)
{
    return !trials->limits.exhaustive && !cleave_plans_first();
}

/* Seconds that the loop would wait for the candidate's plan; 0: it has one, needs none, or gets it
 * in the background. */
static double setup_of(const struct cleave_trials *trials, struct cleave_call *call,
                       const struct cleave_choice *choice, int block_size)
{
    return !plans_come_later(trials) && cleave_lacks_plan(call, choice, block_size)
               ? plan_seconds(call)
               : 0.0;
}

/* Adds a candidate unless the trials have it. Returns its number. */
static int add(struct cleave_trials *trials, struct cleave_call *call,
               const struct cleave_choice *choice, int block_size, int first, int promising)
{
    const int known = index_of(trials, choice->variant->name, block_size);
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
    trial->first = first;
    trial->setup = setup_of(trials, call, choice, block_size);
    trial->predicted = predicted(call, choice, block_size);
    trial->guess = first ? cleave_usual_loss(choice->variant) : LOSS_OF_BLOCK_SIZE;
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

/* Adds all candidates that are not there yet: first the variants with their usual block sizes, the
 * rule's choice before all others, then the other block sizes. Returns the number of the rule's
 * choice. */
static int add_all(struct cleave_trials *trials, struct cleave_call *call,
                   const struct cleave_choice *rule)
{
    const struct cleave_variant *variant[MOST_VARIANTS];
    const int variants = cleave_candidates(call, rule, variant, MOST_VARIANTS);
    const int by_rule = add(trials, call, rule, rule->block_size, 1, 1);
    int size[CLEAVE_BLOCK_SIZES];
    struct cleave_choice other = *rule;
    for (int v = 1; v < variants; v++) {
        other.variant = variant[v];
        cleave_candidate_blocks(call, &other, size);
        add(trials, call, &other, size[0], 1, cleave_is_promising(variant[v], rule->variant));
    }
    for (int v = 0; v < variants; v++) {
        other.variant = variant[v];
        const int sizes = cleave_candidate_blocks(call, &other, size);
        for (int s = 0; s < sizes; s++) {
            add(trials, call, &other, size[s], 0, 0);
        }
    }
    free(trials->turn);
    trials->turn =
        cleave_alloc(2 * (size_t)trials->count * sizeof *trials->turn, "trials of a loop");
    trials->turns = trials->place = 0;
    return by_rule;
}

/* ---- a candidate as a choice -------------------------------------------------------------------
 */

static const struct cleave_variant *variant_of(const struct cleave_loop *loop, const char *name)
{
    for (int v = 0; v < loop->variants; v++) {
        if (strcmp(loop->variant[v].name, name) == 0) {
            return &loop->variant[v];
        }
    }
    return NULL;
}

/* Bytes that the plan's arrays take on the device. */
static size_t plan_bytes(const struct cleave_plan *plan)
{
    size_t bytes = 0;
    for (const struct plan_array *array = planner_arrays; array->name != NULL; array++) {
        for (int m = 0; m < (array->of_list ? plan->lists : 1) && !array->on_host; m++) {
            bytes += planner_array_bytes(array, plan, m);
        }
    }
    return bytes;
}

/* 1: the device may not have the memory for what the candidate needs beside what is there. A trial
 * must not take the last of it: what does not get any ends the program. */
static int lacks_memory(const struct cleave_call *call, const struct cleave_choice *choice)
{
    const struct cleave_variant *variant = choice->variant;
    size_t bytes = variant->tmp_bytes * (size_t)call->set->size;
    if (choice->plan != NULL && choice->plan->on_target == NULL) {
        bytes += plan_bytes(choice->plan->plan);
    }
    if (variant->sums_bytes != NULL) {
        bytes += variant->sums_bytes(choice->plan->plan);
    }
    return choice->device != NULL && bytes > 0 && 2 * bytes > choice->device->available();
}

/* 1: a multiprocessor cannot hold one block of the kernel. */
static int lacks_resources(const struct cleave_choice *choice)
{
    struct target_kernel takes = {0};
    if (choice->device != NULL && choice->device->kernel_takes != NULL &&
        choice->variant->kernel != NULL) {
        choice->device->kernel_takes(choice->variant->kernel, choice->block_size,
                                     choice->shared_bytes, &takes);
    }
    return takes.registers > 0 && takes.resident_threads == 0;
}

/* Halves the block size by rule until the plan's shared memory fits, as cleave_choose() does. */
static enum cleave_blocks fit_blocks(struct cleave_trial *trial, struct cleave_call *call,
                                     struct cleave_choice *choice, int later)
{
    enum cleave_blocks blocks;
    while ((blocks = cleave_choose_blocks(call, choice, trial->block_size, later)) == BLOCKS_NONE) {
        if (!trial->first || choice->variant->plan == CLEAVE_PLAN_NONE ||
            trial->block_size / 2 < cleave_target_row[choice->target].lanes) {
            return BLOCKS_NONE;
        }
        trial->block_size /= 2;
    }
    return blocks;
}

static const char awaited[] = "its plan is being made";

/* NULL, or why the candidate cannot run, or not yet. */
static const char *prepare(struct cleave_trial *trial, struct cleave_call *call,
                           struct cleave_choice *choice, int later)
{
    if (choice->variant == NULL) {
        return "it was not compiled";
    }
    if (!cleave_variant_may_run(call, choice->variant)) {
        return "settings or copies that do not pay are against it";
    }
    const enum cleave_blocks blocks = fit_blocks(trial, call, choice, later);
    if (blocks != BLOCKS_FIT) {
        return blocks == BLOCKS_LATER
                   ? awaited
                   : "there is no plan, or its blocks need too much shared memory";
    }
    if (lacks_resources(choice)) {
        return "a block needs more registers or shared memory than there are";
    }
    return lacks_memory(call, choice) ? "there is not enough memory on the device" : NULL;
}

int cleave_tune_choice(struct cleave_trials *trials, int n, struct cleave_call *call,
                       struct cleave_choice *choice)
{
    struct cleave_trial *trial = &trials->trial[n];
    struct cleave_choice wanted = {.unit = choice->unit,
                                   .loop = choice->loop,
                                   .target = choice->target,
                                   .device = choice->device,
                                   .variant = variant_of(choice->loop, trial->variant)};
    const double planned = call->plan_seconds;
    const int later = !trials->settled && plans_come_later(trials);
    const char *why = prepare(trial, call, &wanted, later);
    trials->setup_seconds += call->plan_seconds - planned;
    if (why == awaited) {
        cleave_turn_waits(trials, n);
    } else if (why != NULL) {
        cleave_tune_failed(trials, n, why);
    }
    if (why != NULL) {
        return 0;
    }
    trial->setup = 0.0;
    *choice = wanted;
    return 1;
}

/* ---- a call ------------------------------------------------------------------------------------
 */

/* Trials for the key, with what an earlier run has left in the store. */
static struct cleave_trials *make(const struct cleave_call *call,
                                  const struct cleave_choice *choice, const struct store_key *key)
{
    struct cleave_trials *trials = cleave_alloc_zero(sizeof *trials, "trials of a loop");
    trials->loop = cleave_text_copy(call->name);
    trials->kernel = cleave_text_copy(choice->loop->kernel);
    trials->target = cleave_target_row[choice->target].word;
    trials->elements = call->set->size;
    trials->key = *key;
    trials->random = key->word[0] | 1;
    trials->limits.exhaustive = cleave_tuning() == CLEAVE_TUNE_FULL;
    trials->blocks_open = trials->limits.exhaustive;
    trials->limits.least_seconds = choice->device != NULL ? cleave_machine.tuned_seconds_device
                                                          : cleave_machine.tuned_seconds_host;
    trials->limits.hopeless = choice->device != NULL ? HOPELESS : 0.0;
    cleave_trials_read(trials);
    trials->next = all;
    all = trials;
    trials_made++;
    return trials;
}

/* Chooses the candidate that trials have settled on, or the next best if it cannot run any more. 0:
 * none that was measured can. */
static int choose_settled(struct cleave_trials *trials, struct cleave_call *call,
                          struct cleave_choice *choice)
{
    while (trials->settled && trials->trial[trials->chosen].state == CLEAVE_TRIAL_CHOSEN) {
        if (cleave_tune_choice(trials, trials->chosen, call, choice)) {
            return 1;
        }
    }
    return 0;
}

/* 1: the candidate that trials have settled on waits for its plan, which the worker makes. */
static int is_settled_later(const struct cleave_trials *trials, struct cleave_call *call,
                            const struct cleave_choice *choice)
{
    struct cleave_choice wanted = *choice;
    if (!trials->settled || trials->trial[trials->chosen].state != CLEAVE_TRIAL_CHOSEN) {
        return 0;
    }
    const struct cleave_trial *chosen = &trials->trial[trials->chosen];
    wanted.variant = variant_of(choice->loop, chosen->variant);
    return wanted.variant != NULL &&
           cleave_choose_blocks(call, &wanted, chosen->block_size, 1) == BLOCKS_LATER;
}

/* Begins trials, or goes on with them, for a call for which the rule has chosen. *choice becomes
 * that of the candidate which is the best so far. */
static struct cleave_trials *go_on(struct cleave_trials *trials, struct cleave_call *call,
                                   struct cleave_choice *choice)
{
    const int begins = trials->count == 0;
    cleave_turns_arrived(trials);
    const int by_rule = add_all(trials, call, choice);
    if (begins) {
        sort(trials);
    }
    trials->by_rule = by_rule;
    if (begins || trials->trial[trials->chosen].state == CLEAVE_TRIAL_DROPPED) {
        trials->chosen = by_rule;
    }
    if (trials->count < 2 || trials->settled) {
        trials->settled = 1;
        return NULL;
    }
    if (trials->chosen != by_rule && !cleave_tune_choice(trials, trials->chosen, call, choice)) {
        trials->chosen = by_rule;
    }
    return trials;
}

int cleave_tune_choose(struct cleave_call *call, struct cleave_choice *choice,
                       struct cleave_trials **trials)
{
    *trials = NULL;
    if (!is_tuned(call) || !cleave_choose_target(call, choice)) {
        return cleave_choose(call, choice);
    }
    const struct store_key key = cleave_tune_key(call, choice);
    struct cleave_trials *found = find(&key);
    if (found == NULL && trials_made < MOST_TRIALS) {
        found = make(call, choice, &key);
    }
    if (found != NULL && is_settled_later(found, call, choice) &&
        cleave_choose_meanwhile(call, choice)) {
        return 1;
    }
    if (found != NULL && choose_settled(found, call, choice)) {
        return 1;
    }
    if (!cleave_choose(call, choice)) {
        return 0;
    }
    if (found != NULL && choice->awaits == 0) {
        *trials = go_on(found, call, choice);
    }
    return 1;
}

int cleave_tune_turn(struct cleave_trials *trials, int *measured)
{
    if (trials->plans_arrived != cleave_plans_arrived) {
        trials->plans_arrived = cleave_plans_arrived;
        cleave_turns_arrived(trials);
    }
    const int n = cleave_turn(trials, measured);
    if (trials->settled) {
        cleave_trials_keep(trials);
    }
    return n;
}

void cleave_tune_took(void *trials, int n, double seconds)
{
    cleave_turn_took(trials, n, seconds);
}

void cleave_tune_missed(struct cleave_trials *trials, int n)
{
    cleave_turn_missed(trials, n);
}

void cleave_tune_failed(struct cleave_trials *trials, int n, const char *why)
{
    if (cleave_settings.diags >= 2) {
        printf("loop '%s': '%s' with blocks of %d is not tried: %s\n", trials->loop,
               trials->trial[n].variant, trials->trial[n].block_size, why);
    }
    trials->kept = 0;
    cleave_turn_failed(trials, n, why);
}

/* ---- the end -----------------------------------------------------------------------------------
 */

const struct cleave_trials *cleave_trials_of(const char *loop, const char *kernel,
                                             const struct cleave_trials *after)
{
    const struct cleave_trials *trials = after != NULL ? after->next : all;
    while (trials != NULL &&
           (strcmp(trials->loop, loop) != 0 || strcmp(trials->kernel, kernel) != 0)) {
        trials = trials->next;
    }
    return trials;
}

static void free_trials(struct cleave_trials *trials)
{
    for (int n = 0; n < trials->count; n++) {
        free(trials->trial[n].variant);
    }
    free(trials->trial);
    free(trials->turn);
    free((char *)(uintptr_t)trials->loop);
    free((char *)(uintptr_t)trials->kernel);
    free(trials);
}

void cleave_tune_end(void)
{
    while (all != NULL) {
        struct cleave_trials *trials = all;
        all = trials->next;
        if (!is_child) {
            cleave_trials_keep(trials);
        }
        free_trials(trials);
    }
    trials_made = 0;
    is_child = 0;
}
