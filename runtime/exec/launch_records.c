/* launch_records.c: dats whose values need not be where they are stored, or need not be stored.
 *
 * A dat that is known to be zero (cleave_dat_zeroed) may have no copy that holds the zeros. A loop
 * that can begin with zeros is told so. Any other loop that modifies such a dat has its memory
 * filled when it starts, which may be never: where the launch waits for a group, and a joined loop
 * takes its place, that one gets the notes (group_join.c).
 *
 * A loop that does nothing but leave zeros launches nothing. Nor does a plain copy: both dats share
 * a buffer. The next loop that
 * replaces all records of one of them writes to a spare buffer, which becomes the dat's behind it;
 * any other loop that modifies one of them needs the copy after all.
 *
 * Nothing of this happens with CLEAVE_FUSE=off. */
#include "runtime/exec/group.h"

/* Copies that had to be made after all so often in a row are made at once from then on, but
 * one of SHARE_AGAIN is tried again: launches may wait for a group no longer. */
enum { MOST_UNSHARED = 3, SHARE_AGAIN = 32 };

const struct cleave_records *cleave_records_of(const struct cleave_unit *unit,
                                               const struct cleave_loop *loop)
{
    return unit->records != NULL && cleave_settings.fuse ? &unit->records[loop - unit->loop] : NULL;
}

static unsigned records_of(const struct cleave_launcher *launcher, int a)
{
    return launcher->records != NULL ? launcher->records[a] : 0;
}

static int names(const op_arg *arg, op_dat dat)
{
    return cleave_arg_uses_dat(arg) && arg->dat == dat;
}

/* 1: no argument before this one names its dat. */
static int is_first(const struct cleave_call *call, int a)
{
    int first = 1;
    for (int b = 0; b < a; b++) {
        first = first && !names(&call->arg[b], call->arg[a].dat);
    }
    return first;
}

/* 1: no argument before this one modifies its dat. Others may read it, as the first loop of a group
 * that gathers does through its map. */
static int is_first_change(const struct cleave_call *call, int a)
{
    int first = 1;
    for (int b = 0; b < a; b++) {
        first = first && (call->arg[b].acc == OP_READ || !names(&call->arg[b], call->arg[a].dat));
    }
    return first;
}

/* 1: the loop replaces all records of the dat, and reads none of them. */
static int is_replaced(const struct cleave_call *call, const struct cleave_launcher *launcher,
                       int a)
{
    int replaced = call->arg[a].acc == OP_WRITE &&
                   (records_of(launcher, a) & CLEAVE_RECORD_WHOLE) != 0 && is_first(call, a);
    for (int b = a + 1; b < call->args; b++) {
        replaced = replaced && !names(&call->arg[b], call->arg[a].dat);
    }
    return replaced;
}

static int is_soa(const struct cleave_call *call, const struct cleave_launcher *launcher, int a)
{
    return launcher->stride[a] != 0 && cleave_dat_of(call->arg[a].dat)->core.dim > 1;
}

/* With OP_DIAGS=2: what was left out had to be done after all. */
static void say(const struct cleave_call *call, op_dat dat, const char *what)
{
    if (cleave_settings.diags >= 2) {
        cleave_note("dat '%s': %s for loop '%s' (%s:%d)", dat->name, what, call->name,
                    call->site->file, call->site->line);
    }
}

/* ---- before a launch --------------------------------------------------------------------- */

/* 1: the launch reads zeros that must be in memory now: copies of dats are made of them, or nothing
 * is gained by waiting. Where launches wait for a group they must not start because of that. */
static int reads_now(const struct cleave_call *call, const struct cleave_launcher *launcher, int a)
{
    int waiting;
    cleave_queue_held(&waiting);
    return call->arg[a].acc == OP_READ && !cleave_variant_starts(&launcher->choice, a) &&
           (waiting == 0 || launcher->choice.variant->copies > 0);
}

/* A dat that no copy holds the zeros of. */
static int gather_blank(const struct cleave_call *call, struct cleave_launcher *launcher, int a)
{
    if (reads_now(call, launcher, a)) {
        return 0;
    }
    launcher->zeros[a] |= CLEAVE_FILLS_BLANK;
    launcher->data[a] = cleave_dat_blank(call->arg[a].dat, is_soa(call, launcher, a));
    if (!cleave_variant_starts(&launcher->choice, a) && is_first(call, a) &&
        !is_replaced(call, launcher, a)) {
        launcher->zeros[a] |= CLEAVE_FILLS_ZEROS;
    }
    return 1;
}

/* A dat that the loop modifies while another one has its buffer. Launches that wait for a group
 * keep the dat's buffer from changing: they may be launched again as one with this one. */
static int gather_shared(const struct cleave_call *call, struct cleave_launcher *launcher, int a)
{
    op_dat dat = call->arg[a].dat;
    int waiting;
    cleave_queue_held(&waiting);
    if (waiting == 0 && !is_soa(call, launcher, a) && is_replaced(call, launcher, a)) {
        launcher->data[a] = cleave_dat_spare(dat);
        if (launcher->data[a] != NULL) {
            launcher->zeros[a] |= CLEAVE_FILLS_SPARE;
            return 1;
        }
    }
    cleave_dat_on_device(dat, is_soa(call, launcher, a));
    if (cleave_dat_is_shared(cleave_dat_of(dat))) {
        say(call, dat, "a copy that shared its buffer is made");
        cleave_dat_unshare(cleave_dat_of(dat));
    }
    return 0;
}

int cleave_launch_record(const struct cleave_call *call, struct cleave_launcher *launcher, int a)
{
    const op_arg *arg = &call->arg[a];
    struct cleave_dat *dat = cleave_dat_of(arg->dat);
    if (launcher->choice.device == NULL || arg->dat->dirty_hd == 1) {
        return 0;
    }
    if (dat->zero) {
        launcher->zeros[a] =
            (unsigned char)(CLEAVE_ZEROS_KNOWN |
                            (cleave_variant_starts(&launcher->choice, a) ? CLEAVE_FILLS_ITSELF
                                                                         : 0));
        if (cleave_dat_is_blank(arg->dat)) {
            return gather_blank(call, launcher, a);
        }
    }
    return cleave_dat_is_shared(dat) && arg->acc != OP_READ && !cleave_arg_is_doubled(call, a) &&
           gather_shared(call, launcher, a);
}

void cleave_launch_leave(const struct cleave_call *call, struct cleave_launcher *launcher)
{
    const unsigned both = CLEAVE_RECORD_ZEROS | CLEAVE_RECORD_LEAVES;
    if (launcher->records == NULL || (cleave_settings.verify && !call->joins)) {
        return; /* a loop that is verified shows what it stores */
    }
    for (int a = 0; a < call->args; a++) {
        if ((records_of(launcher, a) & both) == both && cleave_arg_uses_dat(&call->arg[a]) &&
            cleave_dat_may_stay_zero(call->arg[a].dat)) {
            launcher->zeros[a] |= CLEAVE_ZEROS_LEAVE;
        }
    }
}

/* ---- in the queue ------------------------------------------------------------------------ */

static unsigned char *zeros_of(const struct cleave_queued *queued)
{
    return (unsigned char *)(uintptr_t)queued->launch.zeros;
}

/* 1: the launch fills the dat of argument a with zeros. */
static int fills(const struct cleave_queued *queued, int a)
{
    return (queued->launch.zeros[a] & CLEAVE_FILLS_ZEROS) != 0;
}

/* 1: the launch has a note about a dat. */
static int has_notes(const struct cleave_queued *queued)
{
    unsigned any = 0;
    for (int a = 0; a < queued->args; a++) {
        any |= queued->launch.zeros[a];
    }
    return any != 0;
}

void cleave_launch_queued(struct cleave_queued *queued)
{
    const struct cleave_call *call = queued->call;
    const int notes = has_notes(queued);
    queued->fills = 0;
    for (int a = 0; notes && a < queued->args; a++) {
        queued->fills |= (queued->launch.zeros[a] & CLEAVE_FILLS_KEPT) != 0;
        if (fills(queued, a)) {
            queued->fills = 1;
            cleave_dat_cleared(call->arg[a].dat);
        }
        if ((queued->launch.zeros[a] & CLEAVE_FILLS_ITSELF) != 0 && is_first(call, a)) {
            cleave_dat_began_zero(call->arg[a].dat,
                                  (queued->launch.zeros[a] & CLEAVE_FILLS_BLANK) != 0);
        }
    }
}

/* Copies what a recipe needs of a dat that nobody has modified since, unless the recipe is gone. */
static void keep(const struct cleave_queued *queued, int a)
{
    const struct cleave_dat *dat = cleave_dat_of(queued->call->arg[a].dat);
    const size_t bytes = cleave_dat_bytes(&dat->core);
    if (dat->buffers.kept != NULL && bytes > 0 &&
        cleave_device->copy(dat->buffers.kept, queued->launch.data[a], bytes) != 0) {
        cleave_fatal("dat '%s' cannot be copied on %s: %s", dat->core.name, cleave_device->device(),
                     cleave_device->last_error());
    }
}

void cleave_launch_fill(const struct cleave_queued *queued)
{
    for (int a = 0; queued->fills && a < queued->args; a++) {
        if ((queued->launch.zeros[a] & CLEAVE_FILLS_KEPT) != 0) {
            keep(queued, a);
        }
        if (!fills(queued, a)) {
            continue;
        }
        struct cleave_dat *dat = cleave_dat_of(queued->call->arg[a].dat);
        const int soa = queued->launch.stride[a] != 0 && dat->core.dim > 1;
        const size_t bytes = cleave_dat_device_bytes(dat, soa);
        dat->buffers.zeros_made++;
        cleave_buffer_use.zeros_made++;
        say(queued->call, &dat->core, "zeros that were not stored are written");
        if (bytes > 0 && cleave_device->zero(queued->launch.data[a], bytes) != 0) {
            cleave_fatal("dat '%s' cannot be set to zeros on %s: %s", dat->core.name,
                         cleave_device->device(), cleave_device->last_error());
        }
    }
}

void cleave_launch_unqueued(const struct cleave_queued *queued)
{
    for (int a = 0; a < queued->args; a++) {
        const unsigned notes = queued->launch.zeros[a];
        if ((notes & CLEAVE_FILLS_ITSELF) != 0 && is_first(queued->call, a)) {
            cleave_buffer_use.zeros_used--;
        }
        if ((notes & CLEAVE_ZEROS_LEAVE) != 0 && is_first_change(queued->call, a)) {
            cleave_buffer_use.zeros_left--;
        }
    }
}

unsigned cleave_launch_begins(unsigned notes)
{
    const unsigned unfilled = CLEAVE_FILLS_BLANK | CLEAVE_FILLS_ITSELF;
    return notes | ((notes & unfilled) == unfilled ? CLEAVE_FILLS_ZEROS : 0);
}

void cleave_launch_pass(struct cleave_queued *queued, struct cleave_queued *other)
{
    for (int a = 0; a < queued->args; a++) {
        const unsigned notes = cleave_launch_begins(queued->launch.zeros[a]) &
                               (CLEAVE_ZEROS_KNOWN | CLEAVE_FILLS_ZEROS | CLEAVE_FILLS_ITSELF);
        int used = -1;
        for (int b = other->args - 1; b >= 0 && notes != 0; b--) {
            used = names(&other->call->arg[b], queued->call->arg[a].dat) ? b : used;
        }
        if (used >= 0 && cleave_arg_uses_dat(&queued->call->arg[a])) {
            zeros_of(queued)[a] &= (unsigned char)~notes;
            zeros_of(other)[used] |= (unsigned char)(notes & CLEAVE_FILLS_ZEROS);
            other->fills |= (notes & CLEAVE_FILLS_ZEROS) != 0;
        }
    }
}

/* ---- behind a launch --------------------------------------------------------------------- */

/* The dat of argument a, which the launch modifies. */
static void written(const struct cleave_call *call, const struct cleave_launcher *launcher, int a,
                    enum cleave_copy copy)
{
    const op_arg *arg = &call->arg[a];
    if (cleave_arg_is_ahead(call, a)) {
        return; /* it counts when the call comes for which it was computed */
    }
    const unsigned notes = copy == COPY_DEVICE ? launcher->zeros[a] : 0;
    if ((notes & CLEAVE_FILLS_SPARE) != 0 || cleave_arg_is_doubled(call, a)) {
        cleave_dat_exchange(arg->dat);
    }
    if ((records_of(launcher, a) & CLEAVE_RECORD_ZEROS) == 0) {
        cleave_dat_written(arg->dat, copy);
    } else if (is_first_change(call, a)) {
        cleave_dat_zeroed(arg->dat, (notes & CLEAVE_ZEROS_LEAVE) == 0);
    }
}

void cleave_launch_written(const struct cleave_call *call, const struct cleave_launcher *launcher)
{
    const enum cleave_copy copy = cleave_copy_for(launcher->choice.device);
    const int plain = launcher->records == NULL && !launcher->has_points && call->ahead == NULL;
    for (int a = 0; a < call->args; a++) {
        const op_arg *arg = &call->arg[a];
        if (!cleave_arg_uses_dat(arg) || arg->acc == OP_READ) {
            continue;
        }
        if (plain) { /* it can have no note but that the dat was zero */
            cleave_dat_written(arg->dat, copy);
        } else {
            written(call, launcher, a, copy);
        }
    }
}

/* ---- calls without a launch -------------------------------------------------------------- */

/* The number of the loop that was compiled for the device, among those of the call's match; -1:
 * there is none. */
static int loop_on_device(const struct cleave_call *call)
{
    int l = 0;
    while (l < call->match->loops && call->match->unit[l]->unit->target != cleave_device->target) {
        l++;
    }
    return l < call->match->loops ? l : -1;
}

/* 1: a group that begins with the call has more than one loop besides it, which would no longer run
 * as one. */
static int begins_long_group(const struct cleave_group_node *node)
{
    int is_long = 0;
    for (; node != NULL; node = node->next) {
        is_long |= (node->group != NULL && node->depth > 2) || begins_long_group(node->after);
    }
    return is_long;
}

/* Counts a call that launches nothing. variant: a text that stays. */
static void count(struct cleave_call *call, const char *variant)
{
    call->record =
        cleave_record_for(call->record, variant, cleave_target_row[cleave_device->target].word);
    call->record->in_group = 1;
}

/* 1: sharing a buffer has not been in vain lately. */
static int sharing_pays(struct cleave_dat *to)
{
    return to->buffers.unshared < MOST_UNSHARED || ++to->buffers.not_shared % SHARE_AGAIN == 0;
}

static int can_share(struct cleave_dat *to, const struct cleave_dat *from)
{
    return to != from && to->core.set == from->core.set && to->core.size == from->core.size &&
           to->core.dim == from->core.dim && to->overlay == NULL && from->overlay == NULL &&
           !to->shares_array && !from->shares_array && to->core.dirty_hd != 1 &&
           !cleave_dat_is_blank((op_dat)&from->core) && sharing_pays(to);
}

static int shares(struct cleave_call *call, const struct cleave_records *copy)
{
    struct cleave_dat *to = cleave_dat_of(call->arg[copy->copy_to].dat);
    struct cleave_dat *from = cleave_dat_of(call->arg[copy->copy_from].dat);
    if (!can_share(to, from)) {
        return 0;
    }
    cleave_dat_on_device(&from->core, from->soa);
    if (!cleave_dat_share_buffer(to, from)) {
        return 0;
    }
    cleave_dat_written(&to->core, COPY_DEVICE);
    count(call, "shares a buffer");
    cleave_buffer_use.shared++;
    cleave_buffer_use.shared_bytes += call->bytes;
    return 1;
}

/* 1: all that the loop does is to leave zeros in dats, which need not be stored. */
static int only_clears(const struct cleave_call *call, const struct cleave_loop *loop,
                       const struct cleave_records *records)
{
    int clears = !loop->prints && records->record != NULL;
    int cleared = 0;
    for (int a = 0; a < call->args && clears; a++) {
        const op_arg *arg = &call->arg[a];
        if (cleave_arg_uses_dat(arg) && arg->acc != OP_READ) {
            clears = (records->record[a] & CLEAVE_RECORD_ZEROS) != 0 && arg->dat->dirty_hd != 1 &&
                     cleave_dat_may_stay_zero(arg->dat);
            cleared += clears;
        } else {
            clears = cleave_arg_uses_dat(arg) || !cleave_arg_is_reduction(arg);
        }
    }
    return clears && cleared > 0;
}

static void clear(struct cleave_call *call)
{
    for (int a = 0; a < call->args; a++) {
        if (cleave_arg_uses_dat(&call->arg[a]) && call->arg[a].acc != OP_READ) {
            cleave_dat_zeroed(call->arg[a].dat, 0);
        }
    }
    count(call, "leaves zeros");
}

int cleave_launch_replaces(const struct cleave_call *call, int a)
{
    const int l = cleave_device != NULL ? loop_on_device(call) : -1;
    const struct cleave_records *records =
        l >= 0 ? cleave_records_of(call->match->unit[l]->unit, call->match->loop[l]) : NULL;
    int replaces = records != NULL && records->record != NULL && call->arg[a].acc == OP_WRITE &&
                   (records->record[a] & CLEAVE_RECORD_WHOLE) != 0;
    for (int b = 0; b < call->args; b++) {
        replaces = replaces && (b == a || !names(&call->arg[b], call->arg[a].dat));
    }
    return replaces;
}

int cleave_launch_is_spared(struct cleave_call *call)
{
    int waiting;
    const int l = cleave_device != NULL && !cleave_settings.verify ? loop_on_device(call) : -1;
    const struct cleave_loop *loop = l >= 0 ? call->match->loop[l] : NULL;
    const struct cleave_records *records =
        l >= 0 ? cleave_records_of(call->match->unit[l]->unit, loop) : NULL;
    if (records == NULL) {
        return 0;
    }
    const int copies = records->copy_from != records->copy_to;
    if ((!copies && !only_clears(call, loop, records)) || cleave_loop_is_named(loop)) {
        return 0;
    }
    cleave_queue_held(&waiting);
    const struct cleave_group_node *node = cleave_group_first(call);
    if (waiting > 0 || (node != NULL && begins_long_group(node->after))) {
        return 0;
    }
    cleave_fork_say();
    if (copies && !shares(call, records)) {
        return 0;
    }
    if (!copies) {
        clear(call);
    }
    cleave_group_passes(call);
    return 1;
}
