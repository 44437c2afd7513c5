/* group_trial.c: whether a group is faster as one kernel: heavy bodies together may need so many
 * registers that they are slower than one after the other, which the compiler can only guess.
 *
 * The first times that a group is complete, its joined loop and its members run in turns, and the
 * device times them. Of each the first time does not count, and then the least does. From then on
 * the faster way runs, for each set by itself, until the runtime chooses variants anew. Later runs
 * find in the store which one it is, and measure nothing. */
#include "runtime/base/machine.h"
#include "runtime/base/settings.h"
#include "runtime/exec/group.h"

/* Times of each way, besides the first; and how often the trial of a set begins anew, at most. */
enum { SAMPLES = 3, MOST_TRIALS = 4 };

struct cleave_group_trial {
    op_set set;
    unsigned long generation; /* cleave_generation that it is for */
    int trials;               /* so far */
    int members;
    int turns;                            /* how often the group was complete */
    int samples[CLEAVE_MAX_MEMBERS + 1];  /* of each member, and of the joined loop behind them */
    double least[CLEAVE_MAX_MEMBERS + 1]; /* seconds */
    int decided;
    int apart;            /* 1: the members are faster */
    struct store_key key; /* in the store; kept: 1: it has what was decided */
    int kept;
    struct cleave_group_trial *next;
};

static int is_on(void)
{
    return cleave_settings.tune != CLEAVE_TUNE_OFF && !cleave_settings.deterministic;
}

static void keep(struct cleave_group_trial *trial)
{
    if (trial->decided && !trial->kept) {
        cleave_tune_group_keep(&trial->key, trial->apart);
        trial->kept = 1;
    }
}

/* Takes what an earlier run has decided. queued: [count] members that wait. */
static void look_up(const struct cleave_group_node *node, struct cleave_group_trial *trial,
                    const struct cleave_queued *queued, int count)
{
    struct cleave_call *call[CLEAVE_MAX_MEMBERS];
    const struct cleave_choice *choice[CLEAVE_MAX_MEMBERS];
    for (int m = 0; m < count; m++) {
        call[m] = queued[m].call;
        choice[m] = &queued[m].launcher->choice;
    }
    trial->key =
        cleave_tune_group_key(node->joined->kernel, node->joined->signature, count, call, choice);
    trial->decided = trial->kept = cleave_tune_group_read(&trial->key, &trial->apart);
    if (trial->decided) {
        cleave_group_use.apart += trial->apart;
    }
    if (trial->decided && cleave_settings.diags >= 2) {
        cleave_note("loops '%s' (%s:%d) over %d elements run %s, which an earlier run has found "
                    "faster",
                    cleave_group_name(node), node->site->file, node->site->line, trial->set->size,
                    trial->apart ? "one by one" : "as one kernel");
    }
}

static void begin(const struct cleave_group_node *node, struct cleave_group_trial *trial,
                  const struct cleave_queued *queued, int count)
{
    keep(trial);
    trial->generation = cleave_generation;
    trial->trials++;
    trial->turns = trial->apart = 0;
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

int cleave_group_is_apart(const struct cleave_group_node *node, op_set set)
{
    const struct cleave_group_trial *trial = find(node, set);
    return trial != NULL && trial->apart &&
           (trial->generation == cleave_generation || trial->trials >= MOST_TRIALS);
}

/* 1: the member is launched by itself in any case. */
static int is_launched_apart(const struct cleave_group_node *node, int m)
{
    return node->group->member[m].arg == NULL;
}

/* 1: all times are known. */
static int is_complete(const struct cleave_group_node *node, const struct cleave_group_trial *trial)
{
    int complete = trial->samples[trial->members] > SAMPLES;
    for (int m = 0; m < trial->members; m++) {
        complete = complete && (trial->samples[m] > SAMPLES || is_launched_apart(node, m));
    }
    return complete;
}

static void decide(struct cleave_group_node *node, struct cleave_group_trial *trial)
{
    double apart = 0.0;
    for (int m = 0; m < trial->members; m++) {
        apart += is_launched_apart(node, m) ? 0.0 : trial->least[m];
    }
    const double joined = trial->least[trial->members];
    trial->decided = 1;
    trial->apart = joined > apart;
    cleave_group_use.apart += trial->apart;
    if (cleave_settings.diags >= 2) {
        cleave_note("loops '%s' (%s:%d) over %d elements take %.1f us as one kernel, %.1f us one "
                    "by one",
                    cleave_group_name(node), node->site->file, node->site->line, trial->set->size,
                    1e6 * joined, 1e6 * apart);
    }
}

enum cleave_group_turn cleave_group_turn(struct cleave_group_node *node, op_set set,
                                         const struct cleave_queued *queued, int count,
                                         struct cleave_group_trial **measured)
{
    struct cleave_group_trial *trial = find(node, set);
    *measured = NULL;
    if (!is_on()) {
        return CLEAVE_GROUP_JOINED;
    }
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
    if (!trial->decided && trial->turns >= 2 * (SAMPLES + 1)) {
        cleave_timers_poll(cleave_machine.launches_ahead);
        if (is_complete(node, trial)) {
            decide(node, trial);
        }
    }
    if (trial->decided || trial->turns >= 4 * (SAMPLES + 1)) {
        return trial->apart ? CLEAVE_GROUP_APART : CLEAVE_GROUP_JOINED;
    }
    *measured = trial;
    return trial->turns % 2 == 0 ? CLEAVE_GROUP_JOINED : CLEAVE_GROUP_APART;
}

void cleave_group_measured(struct cleave_group_trial *trial)
{
    trial->turns++;
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
        keep(trial);
        free(trial);
    }
}
