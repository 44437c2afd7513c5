/* loop.c: what op_par_loop calls before and after: finds out what is known of the call, then
 * decides who runs the loop: a compiled variant, the reference in the user's function, or, with
 * CLEAVE_VERIFY=1, first one and then the other. */
#include "runtime/exec/exec.h"

/* A call whose memory may be used again. NULL: it is in use, or an exception left its kernel. */
static struct cleave_call *spare;

static struct cleave_call *new_call(struct cleave_site *site, const char *name, op_set set,
                                    int args, const op_arg *arg)
{
    struct cleave_call *call = spare;
    spare = NULL;
    if (call == NULL) {
        call = cleave_alloc(sizeof *call, "a call of a loop");
    }
    memset(call, 0, sizeof *call);
    call->site = site;
    call->name = name != NULL ? name : "(no name)";
    call->set = set;
    call->args = args;
    call->arg = arg;
    return call;
}

static void end_call(struct cleave_call *call)
{
    call->prepared->running--;
    free(call->own_arg);
    free(spare);
    spare = call;
}

void cleave_loop_free(void)
{
    free(spare);
    spare = NULL;
}

static void describe_reference(const struct cleave_call *call)
{
    call->record->variant = "sequential";
    call->record->target = "seq";
}

/* OP_FALLBACK_MODE, once per loop. */
static void say_fallback(const struct cleave_call *call)
{
    if (!call->record->fell_back && cleave_fallback_is_said()) {
        call->record->fell_back = 1;
        op_check_fallback_mode(call->name);
    }
}

void cleave_loop_begin(struct cleave_run *run, struct cleave_site *site, const char *name,
                       op_set set, int args, const op_arg *arg)
{
    cleave_enter("op_par_loop", site);
    cleave_require_init();
    struct cleave_call *call = new_call(site, name, set, args, arg);
    run->element = -1;
    run->size = 0;
    run->vectors = 0;
    run->call = call;
    if (set == NULL) {
        cleave_fatal("loop '%s' (%s:%d): the set is a null pointer", call->name, site->file,
                     site->line);
    }
    call->prepared = cleave_prepared_get(call);
    call->prepared->running++;
    call->record = call->prepared->record;
    call->plan_seconds = &call->record->plan_seconds;
    call->match = cleave_match_find(call);
    call->planned = call->record->plan_seconds;
    call->start = cleave_seconds();
    if (set->size == 0) {
        return;
    }
    if (call->match->loops > 0 && !cleave_settings.verify && cleave_launch_call(call)) {
        return;
    }
    if (call->match->loops > 0 && cleave_settings.verify) {
        cleave_verify_begin(call);
    }
    if (call->check == NULL) {
        say_fallback(call);
    }
    describe_reference(call);
    cleave_reference_begin(run, call);
    cleave_kernel_runs(site);
}

void cleave_loop_end(struct cleave_run *run)
{
    struct cleave_call *call = run->call;
    cleave_kernel_runs(NULL);
    if (run->size > 0) {
        cleave_reference_end(call);
    }
    if (call->check != NULL) {
        cleave_verify_end(call);
    }
    cleave_record_add(call);
    cleave_profile_loop(call);
    end_call(call);
    cleave_leave();
}
