/* loop.c: what op_par_loop calls before and after: finds the loop call that its arguments stand
 * for, then decides who runs it: a compiled variant (queue.c), the reference in the user's
 * function, or, with CLEAVE_VERIFY=1, first one and then the other. */
#include "runtime/exec/tiled.h"
#include "runtime/jit/jit.h"

static void require_set(const struct cleave_site *site, const struct cleave_asked *asked)
{
    if (asked->set == NULL) {
        cleave_fatal("loop '%s' (%s:%d): the set is a null pointer", asked->name, site->file,
                     site->line);
    }
}

static struct cleave_call *call_of(struct cleave_site *site, const struct cleave_asked *asked)
{
    struct cleave_call *call = cleave_call_find(site, asked);
    if (call != NULL) {
        return call;
    }
    cleave_targets_require();
    call = cleave_call_new(site, asked);
    call->record = cleave_record_find(call);
    return call;
}

static void begin(struct cleave_call *call)
{
    call->running = 1;
    call->unwaited = 0;
    call->launched = 0;
    call->held = 0;
    call->vectors = NULL; /* not NULL if an exception left the kernel */
    call->check = NULL;
    call->planned = call->plan_seconds;
    call->start = cleave_seconds();
    call->span = cleave_span_begin(CLEAVE_DOING_CALLS);
}

/* Reports the fallback as OP_FALLBACK_MODE asks, once per loop. */
static void say_fallback(const struct cleave_call *call)
{
    if (!call->record->first->fell_back && cleave_fallback_is_said()) {
        call->record->first->fell_back = 1;
        op_check_fallback_mode(call->name);
    }
}

static void record_as_sequential(struct cleave_call *call)
{
    call->record = cleave_record_for(call->record, "sequential", "seq");
}

/* Prepares a pass over all elements in the user's function. */
static void run_reference(struct cleave_run *run, struct cleave_call *call)
{
    cleave_reference_begin(run, call);
    run->vectors |= call->check != NULL;
    call->kernel_span = cleave_span_begin(CLEAVE_DOING_KERNELS);
    cleave_kernel_runs(call->site, run);
}

static void end_reference(struct cleave_call *call)
{
    cleave_kernel_runs(NULL, NULL);
    cleave_span_end(call->kernel_span, 0);
    cleave_reference_end(call);
}

/* Prepares the sequential reference, which then runs in the user's function. A verified call counts
 * for its variant. */
static void begin_reference(struct cleave_run *run, struct cleave_call *call)
{
    if (call->check == NULL) {
        say_fallback(call);
        record_as_sequential(call);
    }
    run_reference(run, call);
    if (call->check != NULL) {
        cleave_verify_watch(run, call);
    }
}

void cleave_loop_begin(struct cleave_run *run, struct cleave_site *site, const char *name,
                       op_set set, int args, const op_arg *arg)
{
    const struct cleave_asked asked = {name != NULL ? name : "(no name)", set, args, arg};
    cleave_enter("op_par_loop", site);
    cleave_require_init();
    require_set(site, &asked);
    if (__atomic_load_n(&cleave_jit_is_ready, __ATOMIC_ACQUIRE)) {
        cleave_jit_adopt();
    }
    struct cleave_call *call = call_of(site, &asked);
    run->element = -1;
    run->size = 0;
    run->vectors = 0;
    run->call = call;
    const int compiled = cleave_match_find(call)->loops > 0;
    begin(call);
    if (set->size > 0) {
        cleave_unstored_before(call);
    }
    if (set->size == 0) {
        cleave_tiled_break(call);
        return;
    }
    if (compiled && !cleave_settings.verify && cleave_submit(call)) {
        return;
    }
    cleave_tiled_break(call);
    cleave_flush();
    if (compiled && cleave_settings.verify) {
        cleave_verify_begin(call);
    }
    begin_reference(run, call);
}

int cleave_loop_again(struct cleave_run *run)
{
    struct cleave_call *call = run->call;
    if (call->check == NULL) {
        return 0;
    }
    end_reference(call);
    if (!cleave_verify_again(call)) {
        run->size = 0; /* the reference has ended */
        return 0;
    }
    run_reference(run, call);
    run->element = 0;
    return 1;
}

void cleave_loop_end(struct cleave_run *run)
{
    struct cleave_call *call = run->call;
    if (run->size > 0) {
        end_reference(call);
    }
    if (call->check != NULL) {
        cleave_verify_end(call);
        if (!call->launched) {
            record_as_sequential(call);
        }
    }
    cleave_record_add(call);
    cleave_profile_loop(call);
    call->running = 0;
    cleave_span_end(call->span, 0);
    cleave_leave();
}
