/* launch.c: runs a loop call: has a variant chosen, or takes the choice that is still right, and
 * gathers what it is launched with (launch_args.c). A launch on the device goes into the queue
 * (queue.c); on the host it runs now. Nothing waits for the device but reductions. A call that is
 * the last one of a group is not prepared: the joined loop runs (group.h). */
#include "runtime/base/timeline.h"
#include "runtime/exec/group.h"
#include "runtime/exec/order_trial.h"
#include "runtime/exec/tiled.h"

/* ---- choice ------------------------------------------------------------------------------ */

/* Orders the mesh before the first loop through a map. */
static void require_order(struct cleave_call *call)
{
    int uses_map = 0;
    for (int a = 0; a < call->args; a++) {
        uses_map |= call->arg[a].map != NULL;
    }
    if (uses_map) {
        double before = cleave_seconds();
        const double begun = cleave_moment_begin();
        const struct cleave_span span = cleave_span_begin(CLEAVE_DOING_PLANS);
        cleave_order_require();
        cleave_span_end(span, 0);
        cleave_moment_end("order of the mesh", NULL, begun);
        call->plan_seconds += cleave_seconds() - before;
    }
}

const char cleave_awaits_plan[] = "the plan of their best variant is still being made";

/* The call's launcher with a choice that is right now; NULL when no variant can run, or not yet:
 * then *reason says so. */
static struct cleave_launcher *chosen(struct cleave_call *call, const char **reason)
{
    struct cleave_choice choice = {0};
    struct cleave_trials *trials;
    if (call->launcher != NULL && call->launcher->chosen_at == cleave_generation &&
        cleave_choice_lasts(&call->launcher->choice) && !cleave_turn_wakes(call->launcher)) {
        return cleave_launch_turn(call, call->launcher);
    }
    cleave_fork_say();
    require_order(call);
    const double begun = cleave_moment_begin();
    const int has_variant = cleave_tune_choose(call, &choice, &trials);
    cleave_moment_end("choice of a variant", call->name, begun);
    if (!has_variant) {
        if (cleave_runs_later(call, &choice)) {
            *reason = cleave_awaits_plan;
        }
        return NULL;
    }
    if (call->launcher == NULL) {
        call->launcher = cleave_launcher_new(call);
    }
    cleave_launcher_set(call, call->launcher, &choice);
    call->launcher->trials = trials;
    return cleave_launch_turn(call, call->launcher);
}

/* ---- running ----------------------------------------------------------------------------- */

/* 1: the loop's results are wanted now: the variables of reductions, or what its kernel prints. */
static int is_looked_at(const struct cleave_launcher *launcher)
{
    return launcher->partial.bytes > 0 || launcher->choice.loop->prints;
}

/* Other threads may have the state of dats while kernels run, which may read globals in an old
 * dat->data. */
static void run_on_host(struct cleave_call *call, struct cleave_launcher *launcher)
{
    if (cleave_device != NULL) {
        cleave_group_breaks(); /* it comes between the loops of a group */
    }
    const double begin = launcher->candidate >= 0 ? cleave_seconds() : 0.0;
    const struct cleave_span span = cleave_span_begin(CLEAVE_DOING_KERNELS);
    cleave_dats_release();
    cleave_pace_run(&launcher->pace, call->set->size, launcher->choice.threads,
                    launcher->choice.variant->run, &launcher->launch);
    cleave_dats_hold();
    cleave_span_end(span, 0);
    if (launcher->candidate >= 0) {
        cleave_tune_took(launcher->trials, launcher->candidate, cleave_seconds() - begin);
    }
}

/* Called with the state of dats held. 0: a candidate cannot be launched. */
static int run_variant(struct cleave_call *call, struct cleave_launcher *launcher)
{
    const struct cleave_choice *choice = &launcher->choice;
    cleave_timeline_launches();
    cleave_turn_prepared(launcher);
    if (choice->device == NULL) {
        run_on_host(call, launcher);
    } else if (!cleave_queue_add(call, launcher)) {
        return 0;
    }
    cleave_timeline_launched();
    cleave_launch_written(call, launcher);
    if (choice->device != NULL && is_looked_at(launcher)) {
        cleave_flush();
    }
    cleave_partials_combine(call, choice->device, choice->loop, &launcher->launch);
    return 1;
}

/* ---- a call ------------------------------------------------------------------------------ */

/* 1: a constant of the loop has no value to copy; a message says so once. */
static int lacks_constant(const struct cleave_call *call, const struct cleave_choice *choice)
{
    const struct cleave_constant *lack = cleave_constants_lack(choice->unit, choice->loop);
    if (lack != NULL && !call->match->said) {
        call->match->said = 1;
        cleave_sequential_because(call, CLEAVE_WARNING, "its kernel uses %s '%s', which %s",
                                  lack->in_object ? "the constant" : "the pointer", lack->name,
                                  lack->in_object
                                      ? "the host compiler left out of the object; declare it "
                                        "with op_decl_const"
                                      : "no op_decl_const has given a value");
    }
    return lack != NULL;
}

/* Gives the loop's constants their present values. 0: one has none. */
static int set_constants(const struct cleave_call *call, struct cleave_launcher *launcher)
{
    const struct cleave_choice *choice = &launcher->choice;
    if (launcher->constants != cleave_constants_version() + 1) {
        if (lacks_constant(call, choice)) {
            return 0;
        }
        const double begun = cleave_moment_begin();
        cleave_constants_set(choice->unit, choice->loop);
        cleave_moment_end("constants", call->name, begun);
        launcher->constants = cleave_constants_version() + 1;
    }
    cleave_constants_look(choice->unit, choice->loop);
    return 1;
}

/* Records the launch for the tables of loops and plans. */
static void describe(struct cleave_call *call, const struct cleave_launcher *launcher)
{
    const struct cleave_choice *choice = &launcher->choice;
    struct cleave_record *record =
        cleave_record_for(call->record, launcher->variant, cleave_target_row[choice->target].word);
    call->record = record;
    record->started = choice->device != NULL ? choice->variant->kernel : NULL;
    record->unloaded = 0;
    record->block_size = choice->block_size;
    record->shared_bytes = choice->shared_bytes;
    record->load = launcher->load;
    cleave_record_stages(record, choice->loop, choice->variant);
}

/* The choice of the launcher does not run after all: the call measures no candidate. */
static struct cleave_launcher *not_run(struct cleave_launcher *launcher)
{
    if (launcher->candidate >= 0) {
        cleave_tune_missed(launcher->trials, launcher->candidate);
    }
    return NULL;
}

/* Reads globals first, since that may fetch a dat. Constants come before what is gathered: memory
 * for them may be that of copies of dats. */
struct cleave_launcher *
cleave_launch_prepare(struct cleave_call *call,
                      const char *(*against)(const void *about, const struct cleave_choice *choice),
                      const void *about, const char **reason)
{
    struct cleave_launcher *launcher = chosen(call, reason);
    while (launcher != NULL) {
        if (against != NULL && (*reason = against(about, &launcher->choice)) != NULL) {
            return not_run(launcher);
        }
        if (!set_constants(call, launcher)) {
            return NULL;
        }
        if (launcher->choice.device != NULL) {
            cleave_launch_read(call, launcher);
        }
        if (cleave_launch_gather(call, launcher)) {
            describe(call, launcher);
            return launcher;
        }
        not_run(launcher);
        launcher = chosen(call, reason);
    }
    return NULL;
}

int cleave_launch_call(struct cleave_call *call)
{
    CLEAVE_HOLD_DATS;
    cleave_order_adopt_if_ready();
    cleave_order_trial(call);
    if (cleave_launch_is_spared(call) || cleave_group_runs(call) || cleave_tiled_takes(call)) {
        return 1;
    }
    struct cleave_launcher *launcher;
    while ((launcher = cleave_launch_prepare(call, NULL, NULL, NULL)) != NULL) {
        if (run_variant(call, launcher)) {
            cleave_tiled_ran(call);
            return 1;
        }
    }
    return 0;
}
