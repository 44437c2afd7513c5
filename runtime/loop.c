/* loop.c: what op_par_loop calls before and after: checks the arguments, then decides who runs the
 * loop: a compiled variant, the reference in the user's function, or, with CLEAVE_VERIFY=1, first
 * one and then the other. */
#include "cleave_impl.h"

static struct cleave_call *new_call(struct cleave_site *site, const char *name, op_set set,
                                    int args, const op_arg *arg)
{
    struct cleave_call *call = cleave_alloc_zero(sizeof *call, "a call of a loop");
    call->site = site;
    call->name = name != NULL ? name : "(no name)";
    call->set = set;
    call->args = args;
    call->arg = arg;
    return call;
}

static void describe_reference(const struct cleave_call *call)
{
    call->record->variant = "sequential";
    call->record->target = "seq";
}

void cleave_loop_begin(struct cleave_run *run, struct cleave_site *site, const char *name,
                       op_set set, int args, const op_arg *arg)
{
    cleave_require_init();
    struct cleave_call *call = new_call(site, name, set, args, arg);
    run->element = -1;
    run->size = 0;
    run->vectors = 0;
    run->call = call;
    cleave_args_check(call);
    call->record = cleave_record_find(call);
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
    describe_reference(call);
    cleave_reference_begin(run, call);
}

void cleave_loop_end(struct cleave_run *run)
{
    struct cleave_call *call = run->call;
    if (run->size > 0) {
        cleave_reference_end(call);
    }
    if (call->check != NULL) {
        cleave_verify_end(call);
    }
    cleave_record_add(call);
    free(call);
}
