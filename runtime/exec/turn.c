/* turn.c: which of its prepared launches a call runs while its loop is being tuned (tune/). Each
 * candidate has a launcher of its own, so that a call in turn costs no more than any other. */
#include <limits.h>
#include <math.h>

#include "runtime/base/machine.h"
#include "runtime/exec/group.h"
#include "runtime/exec/tiled.h"

void cleave_launcher_set(const struct cleave_call *call, struct cleave_launcher *launcher,
                         const struct cleave_choice *choice)
{
    launcher->choice = *choice;
    launcher->variant = cleave_record_text(choice->variant->name);
    launcher->constants = 0;
    launcher->trials = NULL;
    launcher->candidate = -1;
    launcher->load = (struct cleave_load){0};
    if (cleave_report_wanted()) {
        cleave_load_of(call, choice, &launcher->load);
    }
    cleave_launch_choose(call, launcher);
    launcher->chosen_at = cleave_generation;
}

/* 1: the launcher runs this candidate already. */
static int is_of(const struct cleave_launcher *launcher, const struct cleave_trial *trial)
{
    return launcher != NULL && launcher->chosen_at == cleave_generation &&
           launcher->choice.block_size == trial->block_size &&
           launcher->choice.threads == trial->threads &&
           strcmp(launcher->variant, trial->variant) == 0;
}

/* Makes room for the launchers of all candidates. */
static void require_places(struct cleave_call *call, int count)
{
    if (call->candidates >= count) {
        return;
    }
    struct cleave_launcher **more =
        cleave_alloc_zero((size_t)count * sizeof(void *), "a call of a loop");
    if (call->candidates > 0) {
        memcpy(more, call->candidate, (size_t)call->candidates * sizeof(void *));
    }
    free(call->candidate);
    call->candidate = more;
    call->candidates = count;
}

/* Returns the launcher of candidate n; NULL: it cannot run, and is dropped or waits. A new one
 * knows how the usual one uses threads of the host, and is not prepared before its first launch. */
static struct cleave_launcher *launcher_of(struct cleave_call *call, struct cleave_trials *trials,
                                           int n, const struct cleave_launcher *usual)
{
    struct cleave_choice choice = usual->choice;
    require_places(call, trials->count);
    if (is_of(call->candidate[n], &trials->trial[n])) {
        return call->candidate[n];
    }
    if (!cleave_tune_choice(trials, n, call, &choice)) {
        return NULL;
    }
    if (call->candidate[n] == NULL) {
        call->candidate[n] = cleave_launcher_new(call);
        call->candidate[n]->pace = usual->pace;
    }
    cleave_launcher_set(call, call->candidate[n], &choice);
    call->candidate[n]->trials = trials;
    return call->candidate[n];
}

/* Makes the launcher of the candidate that was settled on the call's own. */
static struct cleave_launcher *settle(struct cleave_call *call, struct cleave_launcher *usual,
                                      int n)
{
    struct cleave_trials *trials = usual->trials;
    struct cleave_launcher *settled =
        is_of(usual, &trials->trial[n]) ? usual : launcher_of(call, trials, n, usual);
    if (settled == NULL) {
        settled = usual; /* the next call asks for the next best */
        return settled;
    }
    if (settled != usual) {
        call->launcher = settled;
        call->candidate[n] = usual;
    }
    settled->trials = NULL;
    settled->candidate = -1;
    return settled;
}

/* Seconds that it costs at most to start the launches of a sequence one by one that are graphs
 * otherwise, because some are measured. */
static double apart(void)
{
    const struct cleave_graph_use *graphs = &cleave_graph_use;
    const double together =
        graphs->sequences > 0 ? (double)graphs->loops / (double)graphs->sequences : 0.0;
    return together * cleave_machine.apart_seconds;
}

/* Tells the tuner what all loops have taken, as far as times are known by now. */
static void sum_up(const struct cleave_choice *choice)
{
    if (!cleave_tune_sums_are_old()) {
        return;
    }
    if (choice->device != NULL) {
        cleave_timers_poll(INT_MAX);
    }
    const int on_device = choice->device != NULL;
    cleave_tune_sums(cleave_records_seconds(), on_device ? cleave_machine.timed_seconds : 0.0,
                     on_device ? apart() : 0.0);
}

/* Tells the tuner what loops take, now and then. */
static void look(struct cleave_call *call, const struct cleave_launcher *usual)
{
    const struct cleave_choice *choice = &usual->choice;
    if (!cleave_tune_looks(usual->trials)) {
        return;
    }
    sum_up(choice);
    call->record =
        cleave_record_for(call->record, usual->variant, cleave_target_row[choice->target].word);
    cleave_tune_look(usual->trials, call, choice, cleave_record_expects(call->record, call->bytes));
}

/* Asks for a timer where the device times calls. */
static int can_be_timed(const struct cleave_launcher *launcher)
{
    return launcher->choice.device == NULL || cleave_timer_is_free();
}

/* Seconds that gathering a call costs the program at most. While a plan is copied the host may wait
 * until the device has run all launches that were submitted before, as it does not when it copies
 * nothing: the device is at work then, and nothing is lost. */
static double most_for_gathering(const struct cleave_choice *choice)
{
    const double bytes = choice->plan != NULL ? (double)cleave_plan_on_bytes(choice->plan) : 0.0;
    return choice->device != NULL
               ? cleave_machine.gathering_seconds + bytes / cleave_machine.copied_bytes_per_second
               : 0.0;
}

/* Returns the launcher of candidate n for the present call. It costs the program time to prepare it
 * the first time. */
static struct cleave_launcher *in_turn(struct cleave_call *call, struct cleave_launcher *usual,
                                       int n, int measured)
{
    const int is_new = usual->trials->trial[n].samples == 0;
    const double begin = is_new ? cleave_seconds() : 0.0;
    struct cleave_launcher *launcher = launcher_of(call, usual->trials, n, usual);
    if (launcher == NULL && is_new) {
        cleave_tune_prepared(usual->trials, cleave_seconds() - begin);
    }
    if (launcher == NULL) {
        return usual;
    }
    launcher->candidate = measured ? n : -1;
    launcher->began = begin;
    launcher->found = is_new ? cleave_seconds() : 0.0;
    launcher->most = is_new ? most_for_gathering(&launcher->choice) : 0.0;
    return launcher;
}

int cleave_turn_wakes(const struct cleave_launcher *usual)
{
    struct cleave_trials *trials = usual->trials;
    if (trials == NULL || !cleave_tune_rested(trials)) {
        return 0;
    }
    sum_up(&usual->choice);
    return cleave_tune_wake(trials);
}

struct cleave_launcher *cleave_launch_turn(struct cleave_call *call, struct cleave_launcher *usual)
{
    struct cleave_trials *trials = usual->trials;
    int measured;
    usual->candidate = -1;
    if (trials == NULL || trials->rests || cleave_group_expects(call) ||
        cleave_tiled_expects(call)) {
        return usual; /* its group is tuned */
    }
    if (usual->choice.device != NULL && trials->unread > 0) {
        cleave_timers_poll(cleave_machine.launches_ahead);
    }
    if (trials->settled) {
        sum_up(&usual->choice); /* changing to what they have found waits for the account */
    }
    look(call, usual);
    const int n = cleave_tune_turn(trials, cleave_queue_sequences(), &measured);
    if (trials->settled && n == trials->chosen) {
        return settle(call, usual, n);
    }
    if (measured && !can_be_timed(usual)) {
        cleave_tune_missed(trials, n);
        return usual;
    }
    if (is_of(usual, &trials->trial[n])) {
        usual->candidate = measured ? n : -1;
        return usual;
    }
    return in_turn(call, usual, n, measured);
}

void cleave_turn_prepared(struct cleave_launcher *launcher)
{
    if (launcher->began > 0.0 && launcher->candidate >= 0) {
        const double gathering = cleave_seconds() - launcher->found;
        const double lost = launcher->most > 0.0 ? fmin(gathering, launcher->most) : gathering;
        cleave_tune_prepared(launcher->trials, launcher->found - launcher->began + lost);
    }
    launcher->began = 0.0;
}

/* 1: the variant starts one kernel, so that a launch that fails has changed nothing. */
static int starts_one_kernel(const struct cleave_variant *variant)
{
    return (variant->schedule == CLEAVE_FUSED || variant->schedule == CLEAVE_SPLIT) &&
           (variant->race == CLEAVE_RACE_NONE || variant->race == CLEAVE_RACE_ATOMIC ||
            variant->race == CLEAVE_RACE_GATHER || variant->race == CLEAVE_RACE_TRANSPOSE);
}

int cleave_turn_back(const struct cleave_queued *queued)
{
    if (queued->candidate < 0 || !starts_one_kernel(queued->variant)) {
        return 0;
    }
    cleave_tune_failed(queued->trials, queued->candidate, "it cannot be launched");
    return 1;
}
