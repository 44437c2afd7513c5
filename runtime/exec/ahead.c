/* ahead.c: loops that a joined launch computes before the program calls them.
 *
 * A reduction ends a group, since the program looks at it, and the loop that comes next would be
 * launched by itself. Where the compiler has seen which loop that is, it compiles the group a
 * second time with that loop behind it (cleave_group.ahead). Its launch computes the loop for the
 * arguments of its latest call, from the data that the group leaves, into buffers of their own
 * (cleave_dat_ahead). When the loop is called, its dats take these buffers over and nothing is
 * launched, if the call has these arguments and nothing that the loop reads or modifies has changed
 * since: every change of a dat gives it a new version, of whatever kind it is. Else the values are
 * dropped, and the loop runs. A wrong guess costs time and never changes a result.
 *
 * After three guesses in a row have failed, the group runs without the loop from then on. */
#include "runtime/exec/group.h"

enum { MOST_DROPPED = 3 };

/* ---- making ------------------------------------------------------------------------------ */

/* The letter of argument a's access: what the kernel really does. */
static char access_of(const struct cleave_loop *loop, int a)
{
    const char *word = loop->signature;
    if (loop->access != NULL) {
        return loop->access[a];
    }
    for (int skipped = 0; skipped < a; skipped++) {
        word += strcspn(word, " ");
        word += *word == ' ';
    }
    return word[strcspn(word, " ") - 1];
}

struct cleave_ahead *cleave_ahead_new(const struct cleave_unit *unit,
                                      const struct cleave_group *group)
{
    struct cleave_ahead *ahead = cleave_alloc_zero(sizeof *ahead, "a group of loops");
    const struct cleave_member *member = &group->member[group->members];
    ahead->loop = &unit->loop[member->loop];
    ahead->position = member->arg;
    for (const char *word = ahead->loop->signature; *word != '\0'; ahead->args++) {
        ahead->modified[member->arg[ahead->args]] = access_of(ahead->loop, ahead->args) != 'R';
        word += strcspn(word, " ");
        word += *word == ' ';
    }
    return ahead;
}

void cleave_ahead_free(struct cleave_ahead *ahead)
{
    free(ahead->arg);
    free(ahead->version);
    free(ahead);
}

void cleave_ahead_reset(struct cleave_ahead *ahead)
{
    free(ahead->arg);
    free(ahead->version);
    ahead->arg = NULL;
    ahead->version = NULL;
    ahead->waits = ahead->dropped = 0;
}

/* ---- guesses ----------------------------------------------------------------------------- */

static void drop(struct cleave_ahead *ahead, const char *reason)
{
    ahead->waits = 0;
    ahead->dropped++;
    cleave_group_use.dropped++;
    if (cleave_settings.diags >= 2) {
        cleave_note(
            "loop '%s' (%s): what '%s' computed ahead of its call is dropped: %s%s",
            ahead->loop->kernel, ahead->loop->location, cleave_group_name(&ahead->node), reason,
            ahead->dropped == MOST_DROPPED ? "; from now on nothing is computed ahead" : "");
    }
}

int cleave_ahead_may_run(const struct cleave_group_node *node, op_set set)
{
    const struct cleave_ahead *ahead = node->ahead;
    return ahead != NULL && ahead->arg != NULL && cleave_settings.fuse >= CLEAVE_FUSE_AUTO &&
           ahead->dropped < MOST_DROPPED && !cleave_group_is_off(&ahead->node, set);
}

/* The loop's records have times of calls that were launched by themselves. */
double cleave_ahead_spares(const struct cleave_group_node *node)
{
    const struct cleave_ahead *ahead = node->ahead;
    double seconds = -1.0;
    for (const struct cleave_record *r = cleave_records; ahead != NULL && r != NULL; r = r->next) {
        if (!r->in_group && r->warm && r->sample_bytes > 0.0 &&
            strcmp(r->kernel, ahead->loop->kernel) == 0) {
            seconds = cleave_record_expects(r, ahead->bytes);
        }
    }
    return seconds;
}

struct cleave_group_node *cleave_ahead_node(const struct cleave_group_node *node, op_set set)
{
    struct cleave_ahead *ahead = node->ahead;
    if (!cleave_ahead_may_run(node, set)) {
        return NULL;
    }
    if (ahead->waits) {
        drop(ahead, "the loop was not called");
    }
    return ahead->dropped < MOST_DROPPED ? &ahead->node : NULL;
}

void cleave_ahead_launched(struct cleave_ahead *ahead)
{
    ahead->waits = 1;
    ahead->generation = cleave_generation;
    ahead->constants = cleave_constants_given();
    ahead->stamp = cleave_dat_next_version();
    for (int a = 0; a < ahead->args; a++) {
        struct cleave_dat *dat = cleave_dat_of(ahead->arg[a].dat);
        ahead->version[a] = dat->version;
        if (ahead->modified[ahead->position[a]]) {
            dat->buffers.ahead_stamp = ahead->stamp;
        }
    }
    cleave_group_use.ahead++;
}

/* ---- calls ------------------------------------------------------------------------------- */

static int same_args(const struct cleave_ahead *ahead, const struct cleave_call *call)
{
    int same = ahead->arg != NULL && ahead->set == call->set;
    for (int a = 0; same && a < ahead->args; a++) {
        const op_arg *x = &ahead->arg[a];
        const op_arg *y = &call->declared[a];
        same = x->argtype == y->argtype && x->dat == y->dat && x->map == y->map &&
               x->idx == y->idx && x->dim == y->dim && x->opt == y->opt;
    }
    return same;
}

/* The group will compute the loop for these arguments. */
static void remember(struct cleave_ahead *ahead, const struct cleave_call *call)
{
    const size_t bytes = (size_t)ahead->args * sizeof *ahead->arg;
    ahead->bytes = call->bytes;
    if (same_args(ahead, call)) {
        return;
    }
    if (ahead->arg == NULL) {
        ahead->arg = cleave_alloc(bytes, "a group of loops");
        ahead->version =
            cleave_alloc((size_t)ahead->args * sizeof *ahead->version, "a group of loops");
    }
    memcpy(ahead->arg, call->declared, bytes);
    ahead->set = call->set;
}

/* 1: the dat has the values that it had, and those that were computed for it are there. */
static int is_as_it_was(const struct cleave_ahead *ahead, int a)
{
    const struct cleave_dat *dat = cleave_dat_of(ahead->arg[a].dat);
    return dat->core.dirty_hd != 1 && dat->version == ahead->version[a] &&
           (!ahead->modified[ahead->position[a]] ||
            (dat->buffers.ahead != NULL && dat->buffers.ahead_stamp == ahead->stamp));
}

/* Why what was computed is not what the call would compute; NULL: it is. */
static const char *why_not(const struct cleave_ahead *ahead, const struct cleave_call *call)
{
    if (!same_args(ahead, call)) {
        return "the loop is called with other arguments";
    }
    if (ahead->generation != cleave_generation) {
        return "the mesh has been ordered anew since, or variants are chosen anew";
    }
    for (int a = 0; a < ahead->args; a++) {
        if (!is_as_it_was(ahead, a)) {
            return "a dat of the loop has changed since, or its memory was needed";
        }
    }
    cleave_constants_set(ahead->node.unit, ahead->loop);
    cleave_constants_look(ahead->node.unit, ahead->loop);
    return ahead->constants != cleave_constants_given() ? "a constant has changed since" : NULL;
}

static void adopt(struct cleave_ahead *ahead, struct cleave_call *call)
{
    char text[256];
    for (int a = 0; a < ahead->args; a++) {
        if (ahead->modified[ahead->position[a]]) {
            cleave_dat_adopt_ahead(ahead->arg[a].dat);
            cleave_dat_written(ahead->arg[a].dat, COPY_DEVICE);
        }
    }
    ahead->waits = ahead->dropped = 0;
    cleave_group_use.adopted++;
    snprintf(text, sizeof text, "ahead in %s", cleave_group_name(&ahead->node));
    call->record = cleave_record_for(call->record, cleave_record_text(text),
                                     cleave_target_row[cleave_device->target].word);
    call->record->in_group = 1;
}

/* The call is one of the loop that runs ahead. 1: it takes over what was computed. */
static int adopts(struct cleave_ahead *ahead, struct cleave_call *call)
{
    const char *reason = ahead->waits ? why_not(ahead, call) : NULL;
    const int adopted = ahead->waits && reason == NULL;
    if (adopted) {
        adopt(ahead, call);
    } else if (reason != NULL) {
        drop(ahead, reason);
    }
    remember(ahead, call);
    return adopted;
}

int cleave_ahead_adopts(struct cleave_call *call)
{
    const struct cleave_loop *loop;
    int adopted = 0;
    for (struct cleave_ahead *ahead = cleave_ahead_first(call, &loop); ahead != NULL && !adopted;
         ahead = ahead->next) {
        adopted = ahead->loop == loop && adopts(ahead, call);
    }
    return adopted;
}
