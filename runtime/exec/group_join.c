/* group_join.c: the call of a joined loop instead of those of its members. Its arguments are
 * theirs, in the places that the compiler gave them (struct cleave_member): where two members share
 * an argument, both must have called it with the same dat, map and so on. Whether other arguments
 * are related as they were when the loop was compiled is checked as for each call: by the
 * signature.
 *
 * Globals that members read have the values of their calls, copies of which wait with their
 * launches: the program's variables may be gone. */
#include "runtime/exec/group.h"

/* A group that is about to run. */
struct joining {
    struct cleave_group_node *node;
    const struct cleave_queued *queued; /* [count] the members that wait */
    int count;
    struct cleave_call *last; /* the member behind them, which is being called, or NULL */
    int members;
    struct cleave_ahead *ahead;                  /* the node is its own; or NULL */
    struct cleave_call *all[CLEAVE_MAX_MEMBERS]; /* calls of its members, those before it, too */
    op_arg arg[CLEAVE_MAX_ARGS];                 /* of the joined loop */
    int known[CLEAVE_MAX_ARGS];                  /* 1: arg[a] is there */
    struct cleave_call *call;                    /* of the joined loop */
    struct cleave_group_trial *measured;         /* wants its time, or NULL */
    const char *reason;                          /* why the group cannot run; NULL: none so far */
};

static struct cleave_call *member_call(const struct joining *joining, int m)
{
    return m < joining->count ? joining->queued[m].call : joining->last;
}

/* 1: the member is no part of the joined loop, and is launched by itself before it. */
static int is_before(const struct joining *joining, int m)
{
    return joining->node->group->member[m].arg == NULL;
}

/* ---- arguments --------------------------------------------------------------------------- */

static int is_value(const op_arg *arg)
{
    return arg->argtype == CLEAVE_ARG_GBL && arg->acc == OP_READ;
}

/* Argument a of member m, as the joined loop has it. */
static op_arg argument_of(const struct joining *joining, int m, int a)
{
    op_arg arg = member_call(joining, m)->declared[a];
    if (is_value(&arg) && cleave_arg_on(&arg) && m < joining->count) {
        arg.data = joining->queued[m].launch.data[a];
    }
    if (arg.argtype == CLEAVE_ARG_INFO) {
        arg.idx = joining->node->group->member[m].arg[arg.idx];
    }
    return arg;
}

/* 1: two members call what is one argument of the joined loop with the same things. */
static int are_one(const op_arg *a, const op_arg *b)
{
    return a->argtype == b->argtype && a->dat == b->dat && a->map == b->map && a->idx == b->idx &&
           a->dim == b->dim && a->size == b->size && a->opt == b->opt && a->option == b->option;
}

static int have_one_value(const op_arg *a, const op_arg *b)
{
    return a->data == b->data || !cleave_arg_on(a) ||
           (is_value(b) && memcmp(a->data, b->data, (size_t)a->size) == 0);
}

static void add_argument(struct joining *joining, int place, const op_arg *arg)
{
    op_arg *joined = &joining->arg[place];
    if (!joining->known[place]) {
        joining->known[place] = 1;
        *joined = *arg;
        joined->acc = cleave_access_of_letter(joining->node->access[place]);
    } else if (!are_one(joined, arg)) {
        joining->reason = "arguments that were the same when they were compiled differ";
    } else if (joined->argtype == CLEAVE_ARG_GBL && !have_one_value(joined, arg)) {
        joining->reason = "a global that they read has changed between their calls";
    }
}

static void add_member(struct joining *joining, int m)
{
    const struct cleave_call *call = member_call(joining, m);
    if (is_before(joining, m)) {
        return;
    }
    for (int a = 0; a < call->args && joining->reason == NULL; a++) {
        const op_arg arg = argument_of(joining, m, a);
        add_argument(joining, joining->node->group->member[m].arg[a], &arg);
    }
    if (call->set != member_call(joining, 0)->set &&
        !(joining->node->gathers &&
          cleave_group_gathers(member_call(joining, 0),
                               member_call(joining, joining->members - 1)->set, call))) {
        joining->reason = "they run over other sets than when they were compiled";
    }
}

/* The loop that the joined loop computes ahead of its call, for the arguments of its latest one. */
static void add_ahead(struct joining *joining)
{
    const struct cleave_ahead *ahead = joining->ahead;
    for (int a = 0; a < ahead->args && joining->reason == NULL; a++) {
        add_argument(joining, ahead->position[a], &ahead->arg[a]);
    }
    if (joining->reason == NULL && ahead->set != member_call(joining, joining->members - 1)->set) {
        joining->reason = "they run over other sets than when they were compiled";
    }
}

/* The joined loop's call with these arguments. NULL: it was not compiled for them. */
static struct cleave_call *call_of(struct joining *joining)
{
    const struct cleave_group_node *node = joining->node;
    const struct cleave_asked asked = {cleave_group_name(node), member_call(joining, 0)->set,
                                       node->args, joining->arg};
    struct cleave_call *call = cleave_call_find(node->site, &asked);
    if (call == NULL) {
        call = cleave_call_new(node->site, &asked);
        call->record = cleave_record_find(call);
        call->joins = 1;
        call->tame = node->group->tame;
    }
    call->ahead = joining->ahead != NULL ? joining->ahead->modified : NULL;
    if (cleave_match_find(call)->loops == 0) {
        joining->reason = "their dats, maps or globals are related otherwise than when they were "
                          "compiled";
        return NULL;
    }
    return call;
}

/* ---- choices ----------------------------------------------------------------------------- */

/* 1: CLEAVE_VARIANT names a variant of a member, but not the one that the joined loop would run. */
static int is_unnamed(const struct joining *joining, const struct cleave_choice *choice)
{
    const struct cleave_group_node *node = joining->node;
    int named = 0;
    if (cleave_settings.variant == NULL || cleave_variant_is_named(choice->variant)) {
        return 0;
    }
    for (int m = 0; m < joining->members; m++) {
        named |= cleave_loop_is_named(&node->unit->unit->loop[node->group->member[m].loop]);
    }
    return named;
}

/* The choice that member m runs by, or would; NULL: it is not known. */
static const struct cleave_choice *choice_of(const struct joining *joining, int m)
{
    const struct cleave_launcher *launcher =
        m < joining->count ? joining->queued[m].launcher : joining->last->launcher;
    return launcher != NULL && launcher->chosen_at == cleave_generation ? &launcher->choice : NULL;
}

static int sums_alike(const struct joining *joining, const struct cleave_choice *joined, int m)
{
    const struct cleave_call *call = member_call(joining, m);
    const struct cleave_choice *choice = choice_of(joining, m);
    if (!cleave_must_be_ordered(call) && !cleave_call_reduces(call)) {
        return 1;
    }
    if (choice == NULL ||
        (cleave_must_be_ordered(call) && (choice->variant->race != CLEAVE_RACE_NONE ||
                                          joined->variant->race != CLEAVE_RACE_NONE))) {
        return 0;
    }
    return !cleave_call_reduces(call) || (choice->plan == NULL && joined->plan == NULL &&
                                          choice->block_size == joined->block_size);
}

/* 1: the joined loop's results have the same bits as its members': the compiler says that each
 * value is computed alike, and sums are added in the same order: each point's in the order of its
 * elements, those of globals by equal blocks. */
static int has_equal_bits(const struct joining *joining, const struct cleave_choice *choice)
{
    int equal = joining->node->group->exact;
    for (int m = 0; m < joining->members; m++) {
        equal = equal && sums_alike(joining, choice, m);
    }
    return equal;
}

/* NULL: the joined loop may run by this choice. */
static const char *reason_against(const void *about, const struct cleave_choice *choice)
{
    const struct joining *joining = about;
    if (choice->device == NULL) {
        return "no variant of them all runs on the device";
    }
    if (choice->awaits != 0) {
        return cleave_awaits_plan;
    }
    if (is_unnamed(joining, choice)) {
        return "CLEAVE_VARIANT names a variant of one of them";
    }
    if (cleave_launch_lacks_memory(joining->call, choice)) {
        return "there is no memory for the plan or the contributions of their joined loop";
    }
    for (int a = 0; a < joining->call->args; a++) {
        if (cleave_arg_is_doubled(joining->call, a) &&
            cleave_launch_second(joining->call, a) == NULL) {
            return "there is no memory for second buffers (CLEAVE_FUSE_MEMORY)";
        }
    }
    if (cleave_settings.deterministic && !has_equal_bits(joining, choice)) {
        return "sums would be added in another order, and CLEAVE_DETERMINISTIC=1 is set";
    }
    return NULL;
}

/* ---- running ----------------------------------------------------------------------------- */

/* Counts a call of a member, whose time is that of the group. */
static void count_in_group(struct cleave_call *call, const char *variant, const char *target)
{
    call->record = cleave_record_for(call->record, variant, target);
    call->record->in_group = 1;
}

/* queued: [joining->count] the members that waited. */
static void record_members(const struct joining *joining, const struct cleave_queued *queued,
                           const struct cleave_launcher *launcher)
{
    char text[256];
    snprintf(text, sizeof text, "in %s", cleave_group_name(joining->node));
    const char *variant = cleave_record_text(text);
    const char *target = cleave_target_row[launcher->choice.target].word;
    for (int m = 0; m < joining->count; m++) {
        cleave_record_take_back(queued[m].record, queued[m].bytes);
        cleave_launch_unqueued(&queued[m]);
        count_in_group(queued[m].call, variant, target);
        queued[m].call->record->count++;
    }
    if (joining->last != NULL) { /* counted when the call ends */
        count_in_group(joining->last, variant, target);
    }
}

/* The state in which waiting member m found the dat when it was called; -1: it does not use the
 * dat. */
static int noted(const struct joining *joining, int m, op_dat dat)
{
    const struct cleave_queued *queued = &joining->queued[m];
    int notes = -1;
    for (int a = 0; a < queued->call->args; a++) {
        const op_arg *arg = &queued->call->arg[a];
        if (cleave_arg_uses_dat(arg) && arg->dat == dat) {
            notes = MAX(notes, 0) | (int)cleave_launch_begins(queued->launch.zeros[a]);
        }
    }
    return notes;
}

/* The joined loop begins with what the first of the members that wait began with: dats that are
 * zero, and dats that are to be filled with zeros. */
static void begin_alike(const struct joining *joining, const struct cleave_launcher *launcher)
{
    const struct cleave_call *call = joining->call;
    for (int a = 0; a < call->args; a++) {
        int notes = -1;
        int fills = CLEAVE_FILLS_ZEROS;
        for (int m = 0; m < joining->count && notes < 0 && cleave_arg_uses_dat(&call->arg[a]);
             m++) {
            notes = noted(joining, m, call->arg[a].dat);
        }
        if (notes < 0) {
            continue;
        }
        for (int b = 0; b < a; b++) {
            fills = call->arg[b].dat == call->arg[a].dat ? 0 : fills;
        }
        const int known =
            cleave_variant_starts(&launcher->choice, a) && (notes & CLEAVE_ZEROS_KNOWN) != 0;
        launcher->zeros[a] =
            (unsigned char)((launcher->zeros[a] & CLEAVE_ZEROS_LEAVE) |
                            (known ? (notes & (CLEAVE_ZEROS_KNOWN | CLEAVE_FILLS_BLANK)) |
                                         CLEAVE_FILLS_ITSELF
                                   : notes & fills));
    }
}

/* Puts the joined launch into the queue. 0: it failed, and the members have been started. */
static int launch(struct joining *joining, struct cleave_launcher *launcher)
{
    struct cleave_call *call = joining->call;
    const struct cleave_site *sites[CLEAVE_MAX_MEMBERS];
    struct cleave_group_trial *measured =
        launcher->candidate < 0 ? joining->measured : NULL; /* the tuner wants that time */
    unsigned before = 0;
    struct cleave_recipe *recipe[CLEAVE_MAX_MEMBERS];
    int recipes;
    int joined = 0;
    int waiting;
    for (int m = 0; m < joining->members; m++) {
        if (is_before(joining, m)) {
            before |= 1u << m;
        } else {
            sites[joined++] = member_call(joining, m)->site;
        }
    }
    joining->count -= cleave_queue_release_some(before);
    joining->members = joined;
    joining->queued = cleave_queue_held(&waiting);
    begin_alike(joining, launcher);
    recipes = cleave_unstored_recipes(joining->node->group, joining->all, call, launcher, recipe);
    cleave_turn_prepared(launcher);
    const struct cleave_queued *members = cleave_queue_join(
        call, launcher, joining->count, sites, joined, measured,
        joining->ahead != NULL ? CLEAVE_GROUP_TIME_AHEAD : CLEAVE_GROUP_TIME_JOINED);
    if (members == NULL) {
        cleave_unstored_end(recipe, recipes, 0);
        return 0;
    }
    if (measured != NULL) {
        cleave_group_measured(measured);
    }
    record_members(joining, members, launcher);
    cleave_launch_written(call, launcher);
    cleave_unstored_end(recipe, recipes, 1);
    if (joining->ahead != NULL) {
        cleave_ahead_launched(joining->ahead);
    }
    if (launcher->partial.bytes > 0) {
        cleave_flush();
    }
    cleave_partials_combine(call, launcher->choice.device, launcher->choice.loop,
                            &launcher->launch);
    cleave_record_add(call);
    cleave_group_use.launches++;
    cleave_group_use.loops += joining->members;
    return 1;
}

/* Prepares the joined loop and launches it, if the members still wait then. */
static int prepare_and_launch(struct joining *joining)
{
    struct cleave_call *call = joining->call;
    const unsigned long flushes = cleave_queue_flushes();
    call->start = joining->queued[0].call->start;
    call->planned = call->plan_seconds;
    call->unwaited = 1;
    struct cleave_launcher *launcher =
        cleave_launch_prepare(call, reason_against, joining, &joining->reason);
    if (launcher == NULL) {
        joining->reason = joining->reason != NULL ? joining->reason : "no variant of them all runs";
        return 0;
    }
    if (flushes != cleave_queue_flushes()) {
        joining->reason = "the first of them had to start while data were moved";
        return 0;
    }
    return launch(joining, launcher);
}

/* The call of the joined loop, or the reason why there is none. */
static struct joining joining_of(struct cleave_group_node *node, const struct cleave_queued *queued,
                                 int count, struct cleave_call *last, struct cleave_ahead *ahead)
{
    struct joining joining = {.node = node,
                              .queued = queued,
                              .count = count,
                              .last = last,
                              .members = count + (last != NULL),
                              .ahead = ahead};
    for (int m = 0; m < joining.members; m++) {
        joining.all[m] = member_call(&joining, m);
    }
    if (cleave_group_crosses(node->group, joining.all)) {
        joining.reason = "a loop between them depends on what they do";
    }
    for (int m = 0; m < joining.members && joining.reason == NULL; m++) {
        add_member(&joining, m);
    }
    if (ahead != NULL && joining.reason == NULL) {
        add_ahead(&joining);
    }
    joining.call = joining.reason == NULL ? call_of(&joining) : NULL;
    return joining;
}

/* Runs a member by itself with the values that it was called with. 0: it cannot run. */
static int run_passenger(const struct cleave_queued *queued)
{
    struct cleave_call *call = queued->call;
    const char *reason = NULL;
    char *value[CLEAVE_MAX_ARGS];
    for (int a = 0; a < call->args; a++) {
        value[a] = call->arg[a].data;
        if (is_value(&call->arg[a]) && cleave_arg_on(&call->arg[a])) {
            call->arg[a].data = queued->launch.data[a];
        }
    }
    struct cleave_launcher *launcher = cleave_launch_prepare(call, NULL, NULL, &reason);
    const int runs = launcher != NULL && cleave_queue_add(call, launcher);
    if (runs) {
        cleave_launch_written(call, launcher);
        cleave_flush();
    }
    for (int a = 0; a < call->args; a++) {
        call->arg[a].data = value[a];
    }
    return runs;
}

const struct cleave_call *cleave_group_run_again(struct cleave_group_node *node,
                                                 const struct cleave_queued *queued, int count)
{
    struct joining joining = joining_of(node, queued, count, NULL, NULL);
    for (int m = 0; m < count && joining.call != NULL; m++) {
        if (is_before(&joining, m) && !run_passenger(&queued[m])) {
            return NULL;
        }
    }
    struct cleave_launcher *launcher =
        joining.call != NULL
            ? cleave_launch_prepare(joining.call, reason_against, &joining, &joining.reason)
            : NULL;
    if (launcher == NULL || !cleave_queue_add(joining.call, launcher)) {
        return NULL;
    }
    cleave_launch_written(joining.call, launcher);
    cleave_flush();
    cleave_partials_combine(joining.call, launcher->choice.device, launcher->choice.loop,
                            &launcher->launch);
    return joining.call;
}

static enum cleave_group_joined join(struct cleave_group_node *node,
                                     const struct cleave_queued *queued, int count,
                                     struct cleave_call *last, struct cleave_ahead *ahead,
                                     struct cleave_group_trial *measured)
{
    struct joining joining = joining_of(node, queued, count, last, ahead);
    joining.measured = measured;
    if (joining.call != NULL && prepare_and_launch(&joining)) {
        node->refused = 0;
        return CLEAVE_GROUP_RUNS;
    }
    if (joining.reason != NULL) {
        cleave_group_refused(node, joining.reason);
    }
    return joining.reason == cleave_awaits_plan ? CLEAVE_GROUP_RUNS_LATER : CLEAVE_GROUP_REFUSED;
}

/* 1: the group may be tried, as far as the model knows. */
static int is_promising(struct cleave_group_node *node, const struct cleave_queued *queued,
                        int count, struct cleave_call *last, struct cleave_group_trial *trial)
{
    if (!node->gathers || trial == NULL || !cleave_group_is_unasked(trial)) {
        return 1;
    }
    const struct joining joining = joining_of(node, queued, count, last, NULL);
    return joining.call == NULL ||
           cleave_group_ask(node, trial, joining.call, joining.all, joining.members);
}

enum cleave_group_joined cleave_group_join(struct cleave_group_node *node,
                                           const struct cleave_queued *queued, int count,
                                           struct cleave_call *last,
                                           struct cleave_group_trial *measured)
{
    int held;
    const unsigned long flushes = cleave_queue_flushes();
    if (!is_promising(node, queued, count, last, measured)) {
        return CLEAVE_GROUP_RUNS_LATER;
    }
    const op_set set = (count > 0 ? queued[0].call : last)->set;
    struct cleave_group_node *longer =
        cleave_group_goes_ahead(node, set) ? cleave_ahead_node(node, set) : NULL;
    if (longer != NULL) {
        if (join(longer, queued, count, last, node->ahead, measured) == CLEAVE_GROUP_RUNS) {
            return CLEAVE_GROUP_RUNS;
        }
        queued = cleave_queue_held(&held);
        if (held != count || flushes != cleave_queue_flushes()) {
            return CLEAVE_GROUP_REFUSED; /* preparing it has started the members */
        }
    }
    return join(node, queued, count, last, NULL, measured);
}
