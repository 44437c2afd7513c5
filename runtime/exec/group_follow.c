/* group_follow.c: which groups the calls of the program follow. A path through the tree of groups
 * (group.c) leads to the latest call. Launches on the path wait in the queue as long as a group can
 * be expected. When another call comes than the path goes on with, what waits is covered by the
 * longest group that is complete in it, from the front; what no group covers starts by itself.
 *
 * Where waiting was in vain three times in a row (group_expect.c), launches no longer wait, but the
 * path is still followed: if a group would have been complete, launches wait again the next time.
 */
#include "runtime/base/machine.h"
#include "runtime/exec/group.h"

static struct {
    struct cleave_group_node *at; /* end of the path; NULL: no group begins with the latest call */
    op_set set;                   /* of the first loop on it */
    unsigned long long place;     /* where the first loop was called */
    int started; /* 1: the launches on the path have not waited, or not all of them */
    int late;    /* 1: the host did something else for long between two calls of the path */
    struct cleave_group_trial *measured; /* wants the times of all members, or NULL */
    double last;              /* cleave_seconds() when the latest launch that waits was submitted */
    struct cleave_call *call; /* the path ends with this call, which has not been queued yet */
} path;

/* ago: how many calls before the latest one the first loop of the path was called. */
static void begin_at(struct cleave_group_node *node, op_set set, int ago)
{
    path.at = node;
    path.set = set;
    path.place = cleave_expect_place(ago);
    path.started = path.late = 0;
    path.measured = NULL;
}

void cleave_group_forget(void)
{
    begin_at(NULL, NULL, 0);
    path.call = NULL;
}

static int is_on(void)
{
    return cleave_settings.fuse && cleave_device != NULL && !cleave_settings.verify;
}

/* How many launches wait on the path. */
static int waiting(void)
{
    return path.at == NULL || path.started ? 0 : path.at->depth;
}

/* ---- what does not lead to a call ---------------------------------------------------------- */

/* The node that the calls of queued[count] lead to from the beginning; NULL: they lead nowhere. */
static struct cleave_group_node *node_of(const struct cleave_queued *queued, int count)
{
    struct cleave_group_node *node = cleave_group_first(queued[0].call);
    for (int q = 1; q < count && node != NULL; q++) {
        node = cleave_group_after(node, queued[q].call);
    }
    return node;
}

/* Starts the first launches that wait: as many as the longest group that is complete, or one. A
 * group that gathers leaves no launch behind: it exchanges the buffers of dats that such a launch
 * may have been prepared for. */
static void start_some(void)
{
    int count;
    const struct cleave_queued *held = cleave_queue_held(&count);
    for (int members = count; members >= 2; members--) {
        struct cleave_group_node *node = node_of(held, members);
        if (node == NULL || node->group == NULL || cleave_group_is_off(node, held[0].call->set) ||
            (node->gathers && members < count)) {
            continue;
        }
        if (cleave_group_join(node, held, members, NULL, NULL) == CLEAVE_GROUP_RUNS) {
            cleave_group_completed(node, path.late, path.place);
            return;
        }
        held = cleave_queue_held(&count);
        if (count < members) {
            return; /* preparing the joined loop has started them */
        }
    }
    cleave_queue_release(1);
}

/* Launches have waited at the end of the path in vain, and so have those before them, as far as no
 * group was complete. */
static void miss(struct cleave_group_node *at)
{
    cleave_group_use.missed++;
    for (struct cleave_group_node *n = at; n != NULL; n = n->before) {
        cleave_expect_missed(n, path.place);
        if (n->group != NULL && !cleave_group_is_off(n, path.set)) {
            return;
        }
    }
}

/* Goes on with the path that the launches which still wait are on: from a later one of them. They
 * were called before the latest call. */
static void go_back(void)
{
    int count;
    const struct cleave_queued *held = cleave_queue_held(&count);
    struct cleave_group_node *node = NULL;
    while (count > 0 && (node = node_of(held, count)) == NULL) {
        start_some();
        held = cleave_queue_held(&count);
    }
    begin_at(node, node != NULL ? held[0].call->set : NULL, count);
}

/* Extends the path by the call; starts what waits on a path that does not lead there. */
static void follow(const struct cleave_call *call)
{
    int count;
    cleave_queue_held(&count);
    while (path.at != NULL) {
        struct cleave_group_node *after = cleave_group_after(path.at, call);
        if (after != NULL) {
            path.at = after;
            return;
        }
        if (count == 0) {
            break;
        }
        miss(path.at);
        start_some();
        go_back();
        cleave_queue_held(&count);
    }
    begin_at(cleave_group_first(call), call->set, 0);
}

/* ---- calls ------------------------------------------------------------------------------- */

/* 1: the loop's results are wanted as soon as it has been called. */
static int is_waited_for(const struct cleave_call *call)
{
    for (int a = 0; a < call->args; a++) {
        if (cleave_arg_is_reduction(&call->arg[a])) {
            return 1;
        }
    }
    return 0;
}

/* 1: the group that is complete with the call runs. 0: it cannot, or its members run now to be
 * timed: path.measured says so. */
static int runs_in_turn(struct cleave_group_node *node, struct cleave_call *call)
{
    int count;
    struct cleave_group_trial *measured;
    const struct cleave_queued *held = cleave_queue_held(&count);
    const enum cleave_group_turn turn = cleave_group_turn(node, path.set, held, count, &measured);
    if (turn != CLEAVE_GROUP_APART) {
        const enum cleave_group_joined joined =
            cleave_group_join(node, held, count, call, measured);
        if (joined == CLEAVE_GROUP_REFUSED) {
            cleave_group_disturbed(node, path.set);
        }
        return joined == CLEAVE_GROUP_RUNS;
    }
    if (measured != NULL) {
        cleave_group_measured(measured);
        cleave_queue_measure(measured);
        path.measured = measured;
        path.started = 1;
        cleave_queue_release(count);
    }
    return 0;
}

/* 1: the call completes a group, which has been launched. 0: it does not, or another path may lead
 * to it: *again becomes 1. */
static int completes(struct cleave_call *call, int *again)
{
    int count;
    struct cleave_group_node *node = path.at;
    *again = 0;
    if (node == NULL || node->group == NULL) {
        return 0;
    }
    if (path.started) {
        if (!path.late) {
            cleave_group_completed(node, 0, path.place);
        }
        return 0;
    }
    if (cleave_group_waits(node, path.set, path.place) && !is_waited_for(call)) {
        return 0;
    }
    if (cleave_group_is_off(node, path.set)) {
        cleave_group_completed(node, 0, path.place);
    } else if (runs_in_turn(node, call)) {
        cleave_group_completed(node, path.late, path.place);
        return 1;
    } else if (path.measured != NULL) {
        return 0;
    }
    cleave_queue_held(&count);
    *again = count > 0;
    return 0;
}

int cleave_group_runs(struct cleave_call *call)
{
    int count;
    int again;
    if (!is_on()) {
        return 0;
    }
    cleave_expect_called(call);
    if (cleave_ahead_adopts(call)) {
        cleave_group_breaks(); /* what waits was called before, and may use the old values */
        return 1;
    }
    cleave_queue_held(&count);
    if (count != waiting()) { /* an error that the program has survived ended the latest call */
        go_back();
    }
    if (path.at != NULL && call->start - path.last > cleave_machine.graph_pause) {
        path.late = 1;
    }
    do {
        follow(call);
        path.call = call;
        struct cleave_group_node *node = path.at;
        if (completes(call, &again)) {
            /* A longer group may come after all. */
            path.at = node->after != NULL ? node : NULL;
            path.started = 1;
            path.late = 0;
            path.measured = NULL;
            path.call = NULL;
            return 1;
        }
        if (again) {
            start_some();
            go_back();
        }
    } while (again);
    return 0;
}

void cleave_group_passes(struct cleave_call *call)
{
    int again;
    if (!is_on()) {
        return;
    }
    cleave_expect_called(call);
    struct cleave_group_node *after =
        path.at != NULL && path.started ? cleave_group_after(path.at, call) : NULL;
    if (after == NULL) {
        cleave_group_forget();
        return;
    }
    path.at = after;
    completes(call, &again); /* nothing waits, so that it only takes note */
}

int cleave_group_expects(const struct cleave_call *call)
{
    return path.call == call && path.at != NULL && !path.started &&
           (path.at->before != NULL || cleave_group_waits(path.at, path.set, path.place));
}

int cleave_group_holds(struct cleave_queued *queued)
{
    const struct cleave_launcher *launcher = queued->launcher;
    struct cleave_call *call = queued->call;
    if (!is_on()) {
        return 0;
    }
    if (path.call != call) { /* preparing the call has flushed the queue */
        begin_at(cleave_group_first(call), call->set, 0);
    }
    path.call = NULL;
    if (path.at == NULL) {
        return 0;
    }
    if (path.measured != NULL) {
        queued->measured = path.measured;
        queued->which = path.at->depth - 1;
        path.measured = NULL;
    }
    path.last = cleave_seconds();
    path.started = path.started || launcher->candidate >= 0 || launcher->partial.bytes > 0 ||
                   launcher->choice.loop->prints ||
                   !cleave_group_waits(path.at, path.set, path.place);
    return !path.started;
}

void cleave_group_ends(void)
{
    int count;
    cleave_queue_held(&count);
    if (count > 0 && path.at != NULL) {
        /* The node of the present call is not one that anything has waited at. */
        miss(path.call != NULL && path.at->before != NULL ? path.at->before : path.at);
    }
    cleave_group_forget();
}

void cleave_group_covers(void)
{
    int count;
    cleave_queue_held(&count);
    if (is_on() && path.at != NULL && count == waiting()) {
        miss(path.at);
        while (count > 0) {
            start_some();
            cleave_queue_held(&count);
        }
        cleave_group_forget();
    }
}

void cleave_group_breaks(void)
{
    int count;
    cleave_queue_held(&count);
    cleave_group_ends();
    cleave_queue_release(count);
}
