/* graph.c: launches that repeat, as graphs.
 *
 * A sequence is what the queue gets between two flushes. One that comes again and again with equal
 * parameters is divided into segments. If graphs promise a gain (graph_gain.c), each segment is
 * captured when it comes again and from then on launched at once. While the queue follows such a
 * sequence, the launches of a segment wait for its last one. If another launch comes instead, or a
 * flush, those that wait start one by one, as all others do.
 *
 * The first segment is short: it keeps the device at work while the host submits the others.
 * Globals that kernels read are parameters: their values are put into the graph before it is
 * launched. A launch of several kernels is in no segment if they change.
 *
 * Two launches are equal if all that they get is equal. A graph therefore never names memory that
 * was released, though the memory of another dat may have its address. */
#include "runtime/base/machine.h"
#include "runtime/exec/early.h"
#include "runtime/exec/graph_gain.h"
#include "runtime/exec/graph_step.h"
#include "runtime/exec/speculate.h"
#include "runtime/exec/launcher.h"

enum { MOST_SEQUENCES = 64, MOST_FRUITLESS = 64, SELDOM = 32 };
/* LONG_AGO counts other sequences; WORTH_MOST, how often a sequence came. */
enum { LONG_AGO = 4 * MOST_SEQUENCES, WORTH_MOST = 3 };

struct sequence {
    int count;
    int seen;
    int judged;                 /* when it has been seen so often, it is judged again */
    int divided;                /* 1: it is launched as graphs, if its trial does not say no */
    struct cleave_paced *paced; /* [count] the segment that each launch is in */
    struct cleave_graph_trial trial;
    unsigned long used;    /* when it came last */
    struct sequence *next; /* the sequence that came after it the last time, or NULL */
    struct cleave_step step[];
};

static struct {
    struct sequence *sequence[MOST_SEQUENCES];
    struct sequence *followed; /* by the launches in the queue so far, or NULL */
    int launched;              /* 1: some of them were started as graphs */
    int checked;               /* launches in the queue whose values were compared with its */
    struct sequence *previous; /* came before them */
    struct sequence *measured; /* ended last, and its trial waits for its time; or NULL */
    double begun;              /* cleave_seconds() of the first call since the last flush */
    unsigned long clock;
    unsigned long generation; /* cleave_generation for which they are right */
    int fruitless;            /* sequences in a row that were new */
} graphs;

static int is_on(void)
{
    return cleave_settings.graph != CLEAVE_GRAPHS_OFF && cleave_device != NULL &&
           cleave_device->graph_begin != NULL;
}

/* 1: the sequence begins with these launches. */
static int begins(const struct sequence *sequence, const struct cleave_queued *queued, int count)
{
    int same = sequence != NULL && sequence->count >= count;
    for (int s = 0; same && s < count; s++) {
        same = cleave_step_same(&sequence->step[s], &queued[s]);
    }
    return same;
}

/* ---- sequences --------------------------------------------------------------------------- */

static void drop_graphs(struct sequence *sequence)
{
    for (int s = 0; s < sequence->count; s++) {
        struct cleave_step *step = &sequence->step[s];
        if (step->graph != NULL && cleave_device != NULL) {
            cleave_device->graph_free(step->graph);
        }
        step->graph = NULL;
    }
}

static void drop(struct sequence **place)
{
    struct sequence *sequence = *place;
    *place = NULL;
    if (sequence == NULL) {
        return;
    }
    for (int s = 0; s < MOST_SEQUENCES; s++) {
        if (graphs.sequence[s] != NULL && graphs.sequence[s]->next == sequence) {
            graphs.sequence[s]->next = NULL;
        }
    }
    graphs.previous = graphs.previous == sequence ? NULL : graphs.previous;
    graphs.followed = graphs.followed == sequence ? NULL : graphs.followed;
    graphs.measured = graphs.measured == sequence ? NULL : graphs.measured;
    drop_graphs(sequence);
    for (int s = 0; s < sequence->count; s++) {
        free(sequence->step[s].launch.memory);
    }
    free(sequence->paced);
    free(sequence);
}

void cleave_graphs_free(void)
{
    for (int s = 0; s < MOST_SEQUENCES; s++) {
        drop(&graphs.sequence[s]);
    }
    memset(&graphs, 0, sizeof graphs);
}

void cleave_graphs_unload(struct cleave_unit_entry *entry)
{
    (void)entry;
    cleave_early_forget();
    cleave_speculate_forget();
    cleave_graphs_free();
}

/* How often it came, as far as that counts: 0 if that was long ago. */
static int worth(const struct sequence *sequence)
{
    return graphs.clock - sequence->used > LONG_AGO ? 0 : MIN(sequence->seen, WORTH_MOST);
}

/* 1: sequence a is dropped before sequence b. Those that came often stay; of others the latest
 * goes: if more sequences take turns than there are places, some stay until they come again. */
static int goes_before(const struct sequence *a, const struct sequence *b)
{
    return worth(a) != worth(b) ? worth(a) < worth(b) : a->used > b->used;
}

/* An empty place, or that of the sequence that is worth least; NULL: all came often. */
static struct sequence **place_for_new(void)
{
    struct sequence **least = &graphs.sequence[0];
    for (int s = 0; s < MOST_SEQUENCES; s++) {
        if (graphs.sequence[s] == NULL) {
            return &graphs.sequence[s];
        }
        if (goes_before(graphs.sequence[s], *least)) {
            least = &graphs.sequence[s];
        }
    }
    if (worth(*least) == WORTH_MOST) {
        return NULL;
    }
    drop(least);
    return least;
}

/* 1: both are launches of the same calls, maybe in other variants or blocks. */
static int are_same_calls(const struct sequence *a, const struct sequence *b)
{
    int same = a->count == b->count;
    for (int s = 0; same && s < a->count; s++) {
        same = a->step[s].launch.call == b->step[s].launch.call;
    }
    return same;
}

/* A sequence that differs from a known one in what its loops have been tuned to need not be tried
 * again: whether graphs pay is much the same. The one that was divided last counts. */
static void inherit(struct sequence *sequence)
{
    const struct sequence *like = NULL;
    for (int s = 0; s < MOST_SEQUENCES; s++) {
        const struct sequence *other = graphs.sequence[s];
        if (other != NULL && other != sequence && other->divided && other->trial.settled &&
            (like == NULL || other->used > like->used) && are_same_calls(sequence, other)) {
            like = other;
        }
    }
    if (like == NULL) {
        return;
    }
    sequence->seen = like->seen;
    sequence->divided = 1;
    sequence->trial = like->trial;
    memcpy(sequence->paced, like->paced, (size_t)sequence->count * sizeof *sequence->paced);
}

/* NULL: there is no place. */
static struct sequence *keep(const struct cleave_queued *queued, int count)
{
    struct sequence **place = place_for_new();
    if (place == NULL) {
        return NULL;
    }
    struct sequence *sequence = cleave_alloc_zero(
        sizeof *sequence + (size_t)count * sizeof sequence->step[0], "a sequence of launches");
    sequence->paced =
        cleave_alloc_zero((size_t)count * sizeof *sequence->paced, "a sequence of launches");
    sequence->count = count;
    for (int s = 0; s < count; s++) {
        cleave_step_keep(&sequence->step[s], &queued[s]);
    }
    *place = sequence;
    inherit(sequence);
    return sequence;
}

static struct sequence *find(const struct cleave_queued *queued, int count)
{
    for (int s = 0; s < MOST_SEQUENCES; s++) {
        struct sequence *sequence = graphs.sequence[s];
        if (sequence != NULL && sequence->count == count && begins(sequence, queued, count)) {
            return sequence;
        }
    }
    return NULL;
}

/* ---- segments ---------------------------------------------------------------------------- */

static void drop_segments(struct sequence *sequence)
{
    drop_graphs(sequence);
    for (int s = 0; s < sequence->count; s++) {
        sequence->paced[s].first = -1;
    }
}

/* 1: the sequence, which is divided, has come so often that the gains of graphs would have repaid
 * making them. */
static int has_repaid(struct sequence *sequence, const struct cleave_queued *queued)
{
    cleave_paced_time(sequence->paced, queued, sequence->count);
    return sequence->seen * cleave_paced_gain(sequence->paced, sequence->count) >
           cleave_paced_cost(sequence->paced, sequence->count);
}

/* Judges a sequence that is not launched as graphs, ever more rarely. */
static void judge(struct sequence *sequence, const struct cleave_queued *queued)
{
    const int forced = cleave_settings.graph == CLEAVE_GRAPHS_ON;
    if (sequence->divided || sequence->seen < MAX(sequence->judged, cleave_machine.graph_seen)) {
        return;
    }
    sequence->judged = 2 * sequence->seen;
    drop_graphs(sequence);
    cleave_paced_divide(sequence->paced, sequence->count);
    sequence->divided = forced || has_repaid(sequence, queued);
    sequence->trial = (struct cleave_graph_trial){.settled = forced};
}

/* The segment could not be captured: goes on without segments. */
static void give_up(struct sequence *sequence)
{
    drop_segments(sequence);
    if (cleave_settings.diags >= 2) {
        cleave_note("%d launches from loop '%s' on are not made a graph: %s", sequence->count,
                    sequence->step[0].launch.record->name, cleave_device->last_error());
    }
}

/* ---- the queue --------------------------------------------------------------------------- */

/* A known sequence that begins with these launches: the one that came after the previous one the
 * last time, or the one that came last. */
static struct sequence *expected(const struct cleave_queued *queued, int count)
{
    struct sequence *best = NULL;
    if (graphs.previous != NULL && graphs.previous->next != NULL &&
        graphs.previous->next->divided && begins(graphs.previous->next, queued, count)) {
        return graphs.previous->next;
    }
    for (int s = 0; s < MOST_SEQUENCES; s++) {
        struct sequence *sequence = graphs.sequence[s];
        if (sequence != NULL && sequence->divided &&
            (best == NULL || sequence->used > best->used) && begins(sequence, queued, count)) {
            best = sequence;
        }
    }
    return best;
}

/* Notes which of the launches from..count-1 read other values than before: they go into no segment
 * when the sequence ends. */
static void note_changes(struct sequence *sequence, const struct cleave_queued *queued, int from,
                         int count)
{
    for (int s = from; s < count; s++) {
        if (sequence->step[s].fixed && !sequence->paced[s].changes &&
            !cleave_step_is_candidate(&queued[s]) &&
            !cleave_step_same_values(&sequence->step[s], &queued[s])) {
            sequence->paced[s].changes = 1;
            sequence->divided = sequence->judged = 0;
        }
    }
}

static int has_changes(const struct sequence *sequence, int from, int count)
{
    int has = 0;
    for (int s = from; s < count; s++) {
        has |= sequence->paced[s].changes;
    }
    return has;
}

static void say_what_trial_found(const struct sequence *sequence)
{
    if (cleave_settings.diags >= 2) {
        cleave_note("%d launches from loop '%s' on take %.1f us as graphs, %.1f us one by one",
                    sequence->count, sequence->step[0].launch.record->name,
                    1e6 * cleave_graph_trial_median(&sequence->trial, 1),
                    1e6 * cleave_graph_trial_median(&sequence->trial, 0));
    }
}

/* The first launch of a sequence comes, and ends the time of the one before. */
static void measure(double now)
{
    struct sequence *sequence = graphs.measured;
    if (sequence != NULL && cleave_graph_trial_took(&sequence->trial, now - graphs.begun)) {
        say_what_trial_found(sequence);
        if (sequence->trial.loses) {
            drop_segments(sequence);
        }
    }
    graphs.measured = NULL;
    graphs.begun = now;
}

/* Another sequence than before may be followed: its segments and values are others. */
static void follow(const struct cleave_queued *queued, int count)
{
    const int at = count - 1;
    if (count == 1 && graphs.generation != cleave_generation) {
        cleave_graphs_free();
        graphs.generation = cleave_generation;
    }
    if (count == 1) {
        measure(queued[0].call->start);
    }
    struct sequence *now = count > 1 ? graphs.followed : NULL;
    if (now == NULL || now->count <= at || !cleave_step_same(&now->step[at], &queued[at])) {
        now = expected(queued, count);
    }
    graphs.checked = now == graphs.followed && count > 1 ? graphs.checked : 0;
    graphs.followed = now;
}

enum cleave_graph_advice cleave_graph_next(const struct cleave_queued *queued, int count,
                                           int started)
{
    if (!is_on()) {
        return CLEAVE_GRAPH_GO;
    }
    follow(queued, count);
    if (graphs.followed == NULL) {
        return CLEAVE_GRAPH_GO;
    }
    const int unchecked = MAX(started, graphs.checked);
    graphs.checked = count;
    note_changes(graphs.followed, queued, unchecked, count);
    const struct cleave_paced *paced = &graphs.followed->paced[count - 1];
    if (queued[count - 1].timed || queued[count - 1].fills || paced->first != started ||
        !cleave_graph_trial_uses(&graphs.followed->trial) ||
        has_changes(graphs.followed, unchecked, count)) {
        return CLEAVE_GRAPH_GO;
    }
    return count - 1 < paced->last ? CLEAVE_GRAPH_WAIT : CLEAVE_GRAPH_LAUNCH;
}

int cleave_graph_launch(struct cleave_queued *queued, int first, int count)
{
    struct cleave_step *step = &graphs.followed->step[first];
    if (step->graph == NULL) {
        step->graph = cleave_step_capture(step, queued + first, count - first);
    }
    if (step->graph == NULL ||
        !cleave_step_change(step->graph, step, queued + first, count - first)) {
        give_up(graphs.followed);
        return 0;
    }
    if (cleave_device->graph_launch(step->graph) != 0) {
        const struct cleave_call *from = queued[first].call;
        const struct cleave_call *to = queued[count - 1].call;
        cleave_fatal("the graph of %d launches from loop '%s' (%s:%d) to loop '%s' (%s:%d) failed "
                     "on %s: %s",
                     count - first, from->name, from->site->file, from->site->line, to->name,
                     to->site->file, to->site->line, cleave_device->device(),
                     cleave_device->last_error());
    }
    cleave_graph_use.sequences += !graphs.launched;
    graphs.launched = 1;
    cleave_graph_use.launches++;
    cleave_graph_use.loops += count - first;
    return 1;
}

int cleave_graphs_settle(void)
{
    const struct sequence *latest = graphs.previous;
    return is_on() && latest != NULL &&
           (latest->seen < cleave_machine.graph_seen ||
            (latest->divided && !latest->trial.settled));
}

/* 1: one of the launches takes the place of the usual one for this time. */
static int has_candidate(const struct cleave_queued *queued, int count)
{
    int has = 0;
    for (int q = 0; q < count; q++) {
        has |= cleave_step_is_candidate(&queued[q]);
    }
    return has;
}

/* Programs whose sequences never come again pay for few of them. */
static int is_worth_keeping(void)
{
    graphs.fruitless++;
    return graphs.fruitless <= MOST_FRUITLESS || graphs.fruitless % SELDOM == 0;
}

void cleave_graph_end(const struct cleave_queued *queued, int count)
{
    struct sequence *sequence = graphs.followed;
    graphs.followed = NULL;
    graphs.launched = 0;
    if (!is_on() || count < cleave_machine.graph_least || graphs.generation != cleave_generation) {
        return;
    }
    graphs.clock++;
    const int deviates = has_candidate(queued, count);
    if (sequence == NULL || sequence->count != count) {
        sequence = find(queued, count);
    }
    if (sequence != NULL) {
        graphs.fruitless = 0;
        note_changes(sequence, queued, 0, count);
    } else if (!deviates && is_worth_keeping()) {
        sequence = keep(queued, count);
    }
    if (sequence == NULL) {
        return;
    }
    sequence->used = graphs.clock;
    sequence->seen++;
    if (!deviates) {
        judge(sequence, queued);
        graphs.measured = sequence->divided && !sequence->trial.settled ? sequence : NULL;
    }
    if (graphs.previous != NULL) {
        graphs.previous->next = sequence;
    }
    graphs.previous = sequence;
}
