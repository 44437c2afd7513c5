/* trials.c: the trials of all loops: which loops have some, and a candidate as a choice that can be
 * launched. listing.c finds the candidates; turns.c has the rules by which calls try them. */
#include "runtime/base/machine.h"
#include "runtime/model/model.h"
#include "runtime/tune/turns.h"

/* Programs that declare meshes for ever do not make trials for ever. */
enum { MOST_TRIALS = 1024 };

/* Calls between two looks at the account: so many, and a share of those so far; trials that rest
 * look more seldom. */
enum { LOOK = 8, LOOK_SHARE = 16, REST_SHARE = 2 };

/* A device's clock is seldom wrong; calls on the host may have to wait for a processor. */
#define HOPELESS 3.0

static struct cleave_trials *all;
static int trials_made;
static struct cleave_account account;
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
    const int least = cleave_device != NULL ? cleave_machine.tuned_elements_device
                                            : cleave_machine.tuned_elements_host;
    return cleave_tuning() == CLEAVE_TUNE_FULL || call->set->size >= least;
}

static struct cleave_trials *find(const struct store_key *key)
{
    struct cleave_trials *trials = all;
    while (trials != NULL && memcmp(&trials->key, key, sizeof *key) != 0) {
        trials = trials->next;
    }
    return trials;
}

/* ---- a candidate as a choice -------------------------------------------------------------------
 */

/* 1: the device may not have the memory for what the candidate needs beside what is there. A trial
 * must not take the last of it: what does not get any ends the program. */
static int lacks_memory(const struct cleave_call *call, const struct cleave_choice *choice)
{
    const struct cleave_variant *variant = choice->variant;
    size_t bytes = variant->tmp_bytes * (size_t)call->set->size;
    if (choice->plan != NULL) {
        bytes += cleave_plan_on_bytes(choice->plan);
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

/* Why a candidate cannot run yet. */
static const char awaited[] = "its plan is being made";
static const char compiled[] = "it is being compiled";

/* NULL, or why the candidate cannot run, or not yet. */
static const char *prepare(struct cleave_trial *trial, struct cleave_call *call,
                           struct cleave_choice *choice, int later)
{
    if (!cleave_choose_named(call, choice, trial->variant)) {
        return cleave_further_is_coming(choice, trial->variant) ? compiled : "it was not compiled";
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
                                   .threads = trial->threads};
    const int later = !trials->settled && !trials->rests && cleave_plans_come_later(trials);
    const char *why = prepare(trial, call, &wanted, later);
    if (why == awaited || why == compiled) {
        account.spent += trial->setup;
        trial->setup = 0.0;
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
    trials->current = -1;
    trials->account = &account;
    trials->limits.exhaustive = cleave_tuning() == CLEAVE_TUNE_FULL;
    trials->blocks_open = trials->limits.exhaustive;
    trials->limits.least_seconds = choice->device != NULL ? cleave_machine.tuned_seconds_device
                                                          : cleave_machine.tuned_seconds_host;
    trials->limits.short_seconds = choice->device != NULL ? cleave_machine.short_seconds : 0.0;
    trials->limits.plans_later = cleave_plans_come_later(trials);
    trials->limits.hopeless = choice->device != NULL ? HOPELESS : 0.0;
    cleave_trials_read(trials);
    trials->next = all;
    all = account.first = trials;
    trials_made++;
    return trials;
}

/* 1: calls run the chosen candidate until further notice. Trials that settled or rest without
 * having found a faster one than the rule's leave the choice to the rule, which may be another than
 * in an earlier run, as do those whose candidate cannot run any more where the others were slower.
 */
static int is_decided(const struct cleave_trials *trials)
{
    const struct cleave_trial *chosen = &trials->trial[trials->chosen];
    if (trials->chosen == trials->by_rule || !cleave_trials_beat_rule(trials)) {
        return 0;
    }
    return trials->settled ? chosen->state == CLEAVE_TRIAL_CHOSEN
                           : trials->rests && chosen->state == CLEAVE_TRIAL_OPEN;
}

/* Chooses the candidate that trials have found, or the next best if it cannot run any more. 0: none
 * that is faster than the rule's can. */
static int choose_decided(struct cleave_trials *trials, struct cleave_call *call,
                          struct cleave_choice *choice)
{
    while (is_decided(trials)) {
        if (cleave_tune_choice(trials, trials->chosen, call, choice)) {
            return 1;
        }
    }
    trials->chosen = trials->runs = trials->by_rule;
    return 0;
}

/* 1: the candidate that trials have found waits for its plan, which the worker makes. */
static int is_planned_later(const struct cleave_trials *trials, struct cleave_call *call,
                            const struct cleave_choice *choice)
{
    struct cleave_choice wanted = *choice;
    const struct cleave_trial *chosen = &trials->trial[trials->chosen];
    return cleave_choose_named(call, &wanted, chosen->variant) &&
           cleave_choose_blocks(call, &wanted, chosen->block_size, 1) == BLOCKS_LATER;
}

/* 1: the candidate that an earlier run has found is being compiled. */
static int is_compiled_later(const struct cleave_trials *trials, const struct cleave_call *call,
                             const struct cleave_choice *choice)
{
    struct cleave_choice wanted = *choice;
    const struct cleave_trial *chosen = &trials->trial[trials->chosen];
    return !cleave_choose_named(call, &wanted, chosen->variant) &&
           cleave_further_is_coming(choice, chosen->variant);
}

/* Chooses for trials that are decided. 0: the rule has to. */
static int choose_found(struct cleave_trials *trials, struct cleave_call *call,
                        struct cleave_choice *choice)
{
    if (!is_decided(trials)) {
        return 0;
    }
    if (is_planned_later(trials, call, choice)) {
        if (cleave_choose_meanwhile(call, choice)) {
            return 1;
        }
        if (cleave_runs_later(call, choice)) {
            return 0;
        }
    }
    return !is_compiled_later(trials, call, choice) && choose_decided(trials, call, choice);
}

/* Begins trials, or goes on with them, for a call for which the rule has chosen. *choice becomes
 * that of the candidate which is the best so far. */
static struct cleave_trials *go_on(struct cleave_trials *trials, struct cleave_call *call,
                                   struct cleave_choice *choice)
{
    const int begins = trials->count == 0;
    cleave_turns_arrived(trials);
    trials->by_rule = cleave_list_rule(trials, call, choice);
    const struct cleave_trial *rule = &trials->trial[trials->by_rule];
    const int could_not_run = rule->samples == 0 && !trials->listed; /* in an earlier run */
    if (begins || could_not_run || trials->trial[trials->chosen].state == CLEAVE_TRIAL_DROPPED ||
        !cleave_trials_beat_rule(trials)) {
        cleave_trials_return_to_rule(trials);
    }
    if (trials->listed && cleave_variants_of(call, choice) > trials->variants) {
        trials->listed = 0; /* some were compiled meanwhile */
    }
    trials->next_look = trials->calls_now;
    if (trials->chosen != trials->by_rule &&
        !cleave_tune_choice(trials, trials->chosen, call, choice) &&
        (trials->trial[trials->chosen].state == CLEAVE_TRIAL_DROPPED ||
         !cleave_trials_beat_rule(trials))) {
        cleave_trials_return_to_rule(trials);
    }
    trials->runs = trials->chosen;
    return trials;
}

/* Trials that an earlier run settled on its rule's choice begin anew if this run's rule prefers
 * another variant: nothing was measured to be faster than that. */
static void reopen_if_other_rule(struct cleave_trials *trials, const struct cleave_choice *choice)
{
    struct cleave_trial *chosen = &trials->trial[trials->chosen];
    if (trials->settled && trials->from_store && choice->awaits == 0 &&
        trials->chosen == trials->by_rule && strcmp(chosen->variant, choice->variant->name) != 0) {
        trials->settled = trials->from_store = trials->is_complete = trials->kept = 0;
        chosen->state = CLEAVE_TRIAL_OPEN;
    }
}

int cleave_tune_choose(struct cleave_call *call, struct cleave_choice *choice,
                       struct cleave_trials **trials)
{
    *trials = NULL;
    cleave_choose_by(cleave_expected_seconds);
    if (!is_tuned(call) || !cleave_choose_target(call, choice)) {
        return cleave_choose(call, choice);
    }
    const struct store_key key = cleave_tune_key(call, choice);
    struct cleave_trials *found = find(&key);
    if (found == NULL && trials_made < MOST_TRIALS) {
        found = make(call, choice, &key);
    }
    *trials = found != NULL && found->rests ? found : NULL;
    if (found != NULL && choose_found(found, call, choice)) {
        return 1;
    }
    if (cleave_runs_later(call, choice) || !cleave_choose(call, choice)) {
        return 0;
    }
    if (found != NULL && found->count > 0) {
        reopen_if_other_rule(found, choice);
    }
    if (found != NULL && choice->awaits == 0 && !found->settled && !found->rests) {
        *trials = go_on(found, call, choice);
    }
    return 1;
}

int cleave_tune_wake(struct cleave_trials *trials)
{
    const long calls = LOOK + trials->calls_now / REST_SHARE;
    trials->next_look = trials->calls_now + calls;
    account.calls += calls;
    if (account.taken < cleave_rests_for(trials)) {
        return 0;
    }
    trials->rests = trials->kept = 0;
    account.goes_on |= cleave_trials_measured(trials) > 1;
    return 1;
}

/* ---- turns -------------------------------------------------------------------------------------
 */

int cleave_tune_looks(const struct cleave_trials *trials)
{
    return !trials->settled && trials->calls_now >= trials->next_look;
}

/* Calls of all loops between two sums: so many, and a share of those so far. */
enum { SUM = 64, SUM_SHARE = 16 };

int cleave_tune_sums_are_old(void)
{
    return account.calls >= account.next_sum;
}

void cleave_tune_sums(double taken, double overhead, double apart)
{
    account.taken = taken;
    account.overhead = overhead;
    account.apart = apart;
    account.next_sum = account.calls + SUM + account.calls / SUM_SHARE;
}

/* Calls after which a loop with a small share of the program's time is left alone. */
enum { ENOUGH_CALLS = 100 };

/* Settles trials that can choose nothing: the loop is short or takes a small share of the program's
 * time, or it has one candidate. Its calls then cost what they cost without tuning. */
static void end_fruitless(struct cleave_trials *trials)
{
    const int has_begun = trials->trial[trials->chosen].samples > 0;
    const int is_short =
        trials->usual_seconds > 0.0 && trials->usual_seconds < trials->limits.least_seconds;
    const int is_small = trials->calls_now >= ENOUGH_CALLS && trials->usual_seconds > 0.0 &&
                         !trials->listed && !cleave_has_share(trials);
    const int has_one = trials->listed && trials->count < 2 && trials->further_gain == 0.0;
    if (trials->is_complete && trials->further_gain == 0.0) {
        cleave_trials_settle(trials);
    } else if (has_one || (!trials->limits.exhaustive && ((is_short && !has_begun) || is_small))) {
        trials->settled = 1;
    }
}

/* The variants whose kernels have to be loaded to list the loop's candidates: another mesh may have
 * had that done. */
static int variants_to_list(const struct cleave_trials *trials, const struct cleave_call *call,
                            const struct cleave_choice *choice)
{
    for (const struct cleave_trials *t = all; t != NULL; t = t->next) {
        if (t != trials && t->listed && t->target == trials->target &&
            strcmp(t->kernel, trials->kernel) == 0) {
            return 0;
        }
    }
    return cleave_variants_of(call, choice);
}

void cleave_tune_look(struct cleave_trials *trials, struct cleave_call *call,
                      const struct cleave_choice *choice, double usual)
{
    trials->usual_seconds = usual;
    trials->pauses = 0;
    trials->next_look = trials->calls_now + LOOK + trials->calls_now / LOOK_SHARE;
    trials->is_next = cleave_is_next(trials);
    if (!trials->listed && cleave_is_worth_trials(trials, variants_to_list(trials, call, choice))) {
        const double before = cleave_seconds();
        cleave_list_all(trials, call, choice);
        const double seconds = cleave_seconds() - before;
        trials->setup_seconds += seconds;
        account.spent += seconds;
    }
    if (trials->listed) {
        cleave_further_ask(trials, choice);
    }
    end_fruitless(trials);
}

void cleave_tune_prepared(struct cleave_trials *trials, double seconds)
{
    trials->setup_seconds += seconds;
    cleave_account_prepared(trials->account, seconds);
}

const struct cleave_account *cleave_tune_account(void)
{
    return &account;
}

int cleave_tune_turn(struct cleave_trials *trials, unsigned long sequence, int *measured)
{
    account.sequence = sequence;
    if (trials->plans_arrived != cleave_plans_arrived) {
        trials->plans_arrived = cleave_plans_arrived;
        cleave_turns_arrived(trials);
    }
    trials->called_at = ++account.calls;
    return cleave_turn(trials, measured);
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

void cleave_tune_end(double taken)
{
    while (all != NULL) {
        struct cleave_trials *trials = all;
        all = trials->next;
        if (!trials->settled && !trials->rests) {
            trials->ended_after = taken;
        }
        if (!is_child) {
            cleave_trials_keep(trials);
        }
        free_trials(trials);
    }
    account = (struct cleave_account){0};
    trials_made = 0;
    is_child = 0;
}
