/* group_trial.c: in which way a complete group is fastest: member by member, as one kernel, or as
 * one kernel that also computes a loop ahead of its call. Heavy bodies together may need so many
 * registers that they are slower than one after the other, which the compiler can only guess.
 *
 * At first the ways take turns, and the device times their kernels. Of each the first time does not
 * count, and then the least does. If one way is faster by far, or the members are by more than all
 * launches that the group could spare, that decides. Else whole rounds of the program are timed in
 * each way (group_round.c), since kernels are not all: a group may break a graph, or spare a call.
 * Where rounds differ by more than they vary, they decide; else kernels do, and so do they where
 * the program ends before.
 *
 * A group that gathers and that the model expects to lose by far is not tried: its plan would cost
 * more than a trial can gain.
 *
 * Each set has a decision of its own, until the runtime chooses variants anew. Later runs find it
 * in the store, and measure nothing. */
#include "runtime/base/machine.h"
#include "runtime/base/settings.h"
#include "runtime/exec/group.h"
#include "runtime/exec/group_round.h"

/* Times of each way's kernels, besides the first; and how often the trial of a set begins anew, at
 * most. */
enum { SAMPLES = 3, MOST_TRIALS = 4 };

/* A way whose kernels take less than this share of any other's needs no rounds. The share is a
 * choice, not a measurement: rounds also have what a group costs in graphs, copies and the host. */
static const double BY_FAR = 0.85;

struct cleave_group_trial {
    op_set set;
    unsigned long generation; /* cleave_generation that it is for */
    int trials;               /* so far */
    int members;
    int ways; /* that are tried: enum cleave_group_turn */
    int way[CLEAVE_GROUP_WAYS];
    int turns; /* how often the group was complete while kernels were timed */
    /* Of each member, and of each kernel that runs them all: cleave_group_which. */
    int samples[CLEAVE_GROUP_TIMES];
    double least[CLEAVE_GROUP_TIMES];  /* seconds */
    int asked;                         /* 1: the model sees no reason against a trial */
    int timed;                         /* 1: what is known of kernels has to do */
    double kernels[CLEAVE_GROUP_WAYS]; /* seconds of each way then; negative: not known */
    struct cleave_rounds rounds;
    int now; /* the way that the group runs in at present */
    int decided;
    int kept;             /* 1: the store has what was decided */
    struct store_key key; /* in the store */
    struct cleave_group_trial *next;
};

static int is_on(void)
{
    return cleave_settings.tune != CLEAVE_TUNE_OFF && !cleave_settings.deterministic &&
           cleave_settings.fuse != CLEAVE_FUSE_ON;
}

static const char *word_of(int way)
{
    static const char *const words[] = {[CLEAVE_GROUP_AHEAD] = "as one kernel, with a loop ahead",
                                        [CLEAVE_GROUP_JOINED] = "as one kernel",
                                        [CLEAVE_GROUP_APART] = "one by one"};
    return words[way];
}

static int says(void)
{
    return cleave_settings.diags >= 2;
}

/* ---- the store --------------------------------------------------------------------------- */

static void keep(struct cleave_group_trial *trial)
{
    if (trial->decided && !trial->kept) {
        cleave_tune_group_keep(&trial->key, trial->now);
        trial->kept = 1;
    }
}

/* Takes what an earlier run has decided. queued: [count] members that wait. */
static void look_up(const struct cleave_group_node *node, struct cleave_group_trial *trial,
                    const struct cleave_queued *queued, int count)
{
    struct cleave_call *call[CLEAVE_MAX_MEMBERS];
    const struct cleave_choice *choice[CLEAVE_MAX_MEMBERS];
    int way;
    for (int m = 0; m < count; m++) {
        call[m] = queued[m].call;
        choice[m] = &queued[m].launcher->choice;
    }
    trial->key =
        cleave_tune_group_key(node->joined->kernel, node->joined->signature, count, call, choice);
    trial->decided = trial->kept =
        cleave_tune_group_read(&trial->key, &way) && way >= 0 && way < CLEAVE_GROUP_WAYS;
    if (!trial->decided) {
        return;
    }
    trial->now = way;
    cleave_group_use.apart += way == CLEAVE_GROUP_APART;
    if (says()) {
        cleave_note("loops '%s' (%s:%d) over %d elements run %s, which an earlier run has found "
                    "faster",
                    cleave_group_name(node), node->site->file, node->site->line, trial->set->size,
                    word_of(node->ahead == NULL ? MIN(way, (int)CLEAVE_GROUP_JOINED) : way));
    }
}

/* ---- trials ------------------------------------------------------------------------------ */

static void begin(const struct cleave_group_node *node, struct cleave_group_trial *trial,
                  const struct cleave_queued *queued, int count)
{
    keep(trial);
    cleave_rounds_begin(&trial->rounds);
    trial->generation = cleave_generation;
    trial->trials++;
    trial->now = CLEAVE_GROUP_AHEAD;
    trial->ways = trial->turns = trial->asked = trial->timed = 0;
    if (cleave_ahead_may_run(node, trial->set)) {
        trial->way[trial->ways++] = CLEAVE_GROUP_AHEAD;
    }
    trial->way[trial->ways++] = CLEAVE_GROUP_JOINED;
    trial->way[trial->ways++] = CLEAVE_GROUP_APART;
    memset(trial->samples, 0, sizeof trial->samples);
    memset(trial->least, 0, sizeof trial->least);
    look_up(node, trial, queued, count);
}

static struct cleave_group_trial *find(const struct cleave_group_node *node, op_set set)
{
    struct cleave_group_trial *trial = node->trials;
    while (trial != NULL && trial->set != set) {
        trial = trial->next;
    }
    return trial;
}

/* 1: the trial's decision holds now. */
static int holds(const struct cleave_group_trial *trial)
{
    return trial != NULL && trial->decided &&
           (trial->generation == cleave_generation || trial->trials >= MOST_TRIALS);
}

int cleave_group_is_apart(const struct cleave_group_node *node, op_set set)
{
    const struct cleave_group_trial *trial = find(node, set);
    return holds(trial) && trial->now == CLEAVE_GROUP_APART;
}

int cleave_group_goes_ahead(const struct cleave_group_node *node, op_set set)
{
    const struct cleave_group_trial *trial = find(node, set);
    return trial == NULL || trial->now == CLEAVE_GROUP_AHEAD;
}

/* ---- kernels ----------------------------------------------------------------------------- */

/* 1: the member is launched by itself in any case. */
static int is_launched_apart(const struct cleave_group_node *node, int m)
{
    return node->group->member[m].arg == NULL;
}

static double members_of(const struct cleave_group_node *node,
                         const struct cleave_group_trial *trial, int *known)
{
    double seconds = 0.0;
    for (int m = 0; m < trial->members; m++) {
        if (!is_launched_apart(node, m)) {
            *known &= trial->samples[m] > SAMPLES;
            seconds += trial->least[m];
        }
    }
    return seconds;
}

/* Seconds of the kernels of a way, with the loop that another way computes ahead; negative: they
 * are not known. */
static double kernels_of(const struct cleave_group_node *node,
                         const struct cleave_group_trial *trial, int way)
{
    const int which =
        way == CLEAVE_GROUP_AHEAD ? CLEAVE_GROUP_TIME_AHEAD : CLEAVE_GROUP_TIME_JOINED;
    const int has_ahead = trial->way[0] == CLEAVE_GROUP_AHEAD;
    const double spared = has_ahead && way != CLEAVE_GROUP_AHEAD ? cleave_ahead_spares(node) : 0.0;
    int known = spared >= 0.0;
    double seconds;
    if (way == CLEAVE_GROUP_APART) {
        seconds = members_of(node, trial, &known);
    } else {
        known &= trial->samples[which] > SAMPLES;
        seconds = trial->least[which];
    }
    return known ? seconds + spared : -1.0;
}

/* 1: the times of the kernels of all ways are known. */
static int are_known(const struct cleave_group_trial *trial)
{
    int known = 1;
    for (int w = 0; w < trial->ways; w++) {
        known &= trial->kernels[trial->way[w]] >= 0.0;
    }
    return known;
}

/* Looks at the times of kernels. 1: all that are needed have come. */
static int look_at_kernels(const struct cleave_group_node *node, struct cleave_group_trial *trial)
{
    cleave_timers_poll(cleave_machine.launches_ahead);
    for (int w = 0; w < trial->ways; w++) {
        trial->kernels[trial->way[w]] = kernels_of(node, trial, trial->way[w]);
    }
    return are_known(trial);
}

/* The way whose kernels take least; the first one where they are not known. */
static int best_by_kernels(const struct cleave_group_trial *trial)
{
    int best = trial->way[0];
    for (int w = 1; w < trial->ways; w++) {
        const double seconds = trial->kernels[trial->way[w]];
        if (seconds >= 0.0 && trial->kernels[best] >= 0.0 && seconds < trial->kernels[best]) {
            best = trial->way[w];
        }
    }
    return best;
}

/* 1: no launches that the group spares can outweigh its kernels. */
static int is_hopeless(const struct cleave_group_trial *trial)
{
    const double spared = trial->members * cleave_machine.apart_seconds;
    int hopeless = trial->kernels[CLEAVE_GROUP_APART] >= 0.0;
    for (int w = 0; w < trial->ways && trial->way[w] != CLEAVE_GROUP_APART; w++) {
        hopeless &= trial->kernels[trial->way[w]] > trial->kernels[CLEAVE_GROUP_APART] + spared;
    }
    return hopeless;
}

/* 1: kernels of this way, the best, take so much less time than others' that rounds cannot say
 * otherwise. */
static int is_best_by_far(const struct cleave_group_trial *trial, int best)
{
    const double spared = trial->members * cleave_machine.apart_seconds;
    int by_far = trial->kernels[best] >= 0.0;
    for (int w = 0; w < trial->ways; w++) {
        const int way = trial->way[w];
        by_far &= way == best || (trial->kernels[best] < BY_FAR * trial->kernels[way] &&
                                  trial->kernels[best] + spared < trial->kernels[way]);
    }
    return by_far;
}

/* ---- decisions --------------------------------------------------------------------------- */

static void decide(struct cleave_group_node *node, struct cleave_group_trial *trial, int way,
                   const char *by)
{
    trial->decided = 1;
    trial->now = way;
    if (way == CLEAVE_GROUP_JOINED && trial->way[0] == CLEAVE_GROUP_JOINED) {
        trial->now = CLEAVE_GROUP_AHEAD; /* no loop ahead was there to compare with */
    }
    cleave_group_use.apart += way == CLEAVE_GROUP_APART;
    if (!says()) {
        return;
    }
    char text[256] = "";
    int length = 0;
    for (int w = 0; w < trial->ways; w++) {
        const int n = trial->way[w];
        length += snprintf(text + length, sizeof text - (size_t)length,
                           "%s %s: kernels %.1f us, a round %.1f us", w > 0 ? ";" : "", word_of(n),
                           1e6 * MAX(trial->kernels[n], 0.0), 1e6 * trial->rounds.least[n]);
    }
    cleave_note("loops '%s' (%s:%d) over %d elements run %s, by %s;%s", cleave_group_name(node),
                node->site->file, node->site->line, trial->set->size, word_of(way), by, text);
}

/* 1: rounds in way a take less time than in way b, and by more than both vary. */
static int beats(const struct cleave_rounds *rounds, int a, int b)
{
    const double varies =
        MAX(rounds->most[a] - rounds->least[a], rounds->most[b] - rounds->least[b]);
    return rounds->blocks[a] >= CLEAVE_ROUND_BLOCKS && rounds->blocks[b] >= CLEAVE_ROUND_BLOCKS &&
           rounds->least[a] + varies < rounds->least[b];
}

static void decide_by_rounds(struct cleave_group_node *node, struct cleave_group_trial *trial)
{
    const int by_kernels = best_by_kernels(trial);
    int best = by_kernels;
    for (int w = 0; w < trial->ways; w++) {
        if (beats(&trial->rounds, trial->way[w], best)) {
            best = trial->way[w];
        }
    }
    decide(node, trial, best,
           best == by_kernels ? "the time of kernels and rounds" : "the time of rounds");
}

/* Times of kernels are wanted for this turn. */
static int time_kernels(struct cleave_group_node *node, struct cleave_group_trial *trial)
{
    const int enough = trial->ways * (SAMPLES + 1);
    if (trial->turns >= enough && (look_at_kernels(node, trial) || trial->turns >= 2 * enough)) {
        const int best = best_by_kernels(trial);
        trial->timed = 1;
        if (is_hopeless(trial)) {
            decide(node, trial, CLEAVE_GROUP_APART, "the time of kernels");
        } else if (is_best_by_far(trial, best)) {
            decide(node, trial, best, "the time of kernels");
        }
        return 0;
    }
    trial->now = trial->way[trial->turns % trial->ways];
    return 1;
}

static struct cleave_group_trial *trial_of(struct cleave_group_node *node, op_set set,
                                           const struct cleave_queued *queued, int count)
{
    struct cleave_group_trial *trial = find(node, set);
    if (trial == NULL) {
        trial = cleave_alloc_zero(sizeof *trial, "a group of loops");
        trial->set = set;
        trial->members = node->depth;
        trial->next = node->trials;
        node->trials = trial;
        begin(node, trial, queued, count);
    } else if (trial->generation != cleave_generation && trial->trials < MOST_TRIALS) {
        begin(node, trial, queued, count);
    }
    return trial;
}

enum cleave_group_turn cleave_group_turn(struct cleave_group_node *node, op_set set,
                                         const struct cleave_queued *queued, int count,
                                         struct cleave_group_trial **measured)
{
    *measured = NULL;
    if (!is_on()) {
        return CLEAVE_GROUP_AHEAD;
    }
    struct cleave_group_trial *trial = trial_of(node, set, queued, count);
    if (!trial->decided && !trial->timed && time_kernels(node, trial)) {
        *measured = trial;
    } else if (!trial->decided) {
        const int way = cleave_rounds_next(&trial->rounds, trial->way, trial->ways);
        trial->now = way >= 0 ? way : trial->now;
        if (way < 0) {
            decide_by_rounds(node, trial);
        }
    }
    return trial->now;
}

int cleave_group_is_unasked(const struct cleave_group_trial *trial)
{
    return !trial->asked && trial->turns == 0;
}

void cleave_group_asked(struct cleave_group_node *node, struct cleave_group_trial *trial, int loses,
                        const double seconds[2])
{
    trial->asked = 1;
    if (loses) {
        for (int w = 0; w < trial->ways; w++) {
            trial->kernels[trial->way[w]] = seconds[trial->way[w] == CLEAVE_GROUP_APART];
        }
        decide(node, trial, CLEAVE_GROUP_APART, "what the model expects");
    }
}

void cleave_group_measured(struct cleave_group_trial *trial)
{
    trial->turns++;
}

void cleave_group_disturbed(const struct cleave_group_node *node, op_set set)
{
    struct cleave_group_trial *trial = find(node, set);
    if (trial != NULL && !trial->decided) {
        trial->turns += !trial->timed; /* a group that never runs is not waited for */
        cleave_rounds_disturbed(&trial->rounds);
    }
}

void cleave_group_took(void *about, int which, double seconds)
{
    struct cleave_group_trial *trial = about;
    const int first = trial->samples[which]++ == 0;
    if (!first && (trial->least[which] == 0.0 || seconds < trial->least[which])) {
        trial->least[which] = seconds;
    }
}

void cleave_group_trials_free(struct cleave_group_node *node)
{
    while (node->trials != NULL) {
        struct cleave_group_trial *trial = node->trials;
        node->trials = trial->next;
        if (trial->timed && !trial->decided && are_known(trial)) {
            decide_by_rounds(node, trial); /* as far as these have come */
        }
        keep(trial);
        cleave_rounds_begin(&trial->rounds);
        free(trial);
    }
}
