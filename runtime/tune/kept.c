/* kept.c: trials in the store: text, a line for each candidate. The key has the version of cleave;
 * FORMAT is this text's. Trials are also kept that have measured nothing, so that later runs do
 * not look again for what was not worth it. */
#include "runtime/tune/turns.h"

#define FORMAT "cleave trials 5\n"

/* ---- writing ----------------------------------------------------------------------------------
 */

int cleave_trials_measured(const struct cleave_trials *trials)
{
    int count = 0;
    for (int n = 0; n < trials->count; n++) {
        count += trials->trial[n].samples > 0;
    }
    return count;
}

static void write_trials(const struct cleave_trials *trials, FILE *file)
{
    CLEAVE_PLAIN_NUMBERS;
    fprintf(file, FORMAT "%d %d %d %ld %a %a %d %d %d\n", trials->settled,
            trials->limits.exhaustive, trials->is_complete, trials->calls, trials->lost_seconds,
            trials->ended_after, trials->by_rule, trials->chosen, trials->count);
    for (int n = 0; n < trials->count; n++) {
        const struct cleave_trial *trial = &trials->trial[n];
        fprintf(file, "%d %d %d %d %d %a %a %s\n", (int)trial->state, trial->block_size,
                trial->threads, trial->first, trial->samples, trial->seconds, trial->predicted,
                trial->variant);
    }
}

void cleave_trials_keep(struct cleave_trials *trials)
{
    char *text = NULL;
    size_t bytes = 0;
    const int is_empty = trials->count == 0 ||
                         (cleave_trials_measured(trials) < 2 && !cleave_is_called_enough(trials));
    if (trials->kept || is_empty) {
        return;
    }
    FILE *file = open_memstream(&text, &bytes);
    if (file == NULL) {
        return;
    }
    write_trials(trials, file);
    const int failed = ferror(file);
    if (fclose(file) == 0 && !failed) {
        trials->kept = cleave_store_write(CLEAVE_KEPT_TUNED, &trials->key, text, bytes + 1) == 0;
    }
    free(text);
}

/* ---- reading ----------------------------------------------------------------------------------
 */

/* Moves *text behind the next line, which ends with a NUL then. NULL: there is no whole line. */
static char *next_line(char **text)
{
    char *line = *text;
    char *end = strchr(line, '\n');
    if (end == NULL) {
        return NULL;
    }
    *end = '\0';
    *text = end + 1;
    return line;
}

static const char *const found_before = "not faster in an earlier run";

/* A candidate that an earlier run has not settled goes on where it was. */
static int read_trial(struct cleave_trial *trial, char *line, int settled)
{
    int state;
    int name;
    if (line == NULL ||
        sscanf(line, "%d %d %d %d %d %la %la %n", &state, &trial->block_size, &trial->threads,
               &trial->first, &trial->samples, &trial->seconds, &trial->predicted, &name) != 7 ||
        state < CLEAVE_TRIAL_UNTRIED || state > CLEAVE_TRIAL_CHOSEN || trial->block_size < 1 ||
        trial->threads < 0 || trial->samples < 0 || !(trial->seconds >= 0.0) ||
        line[name] == '\0') {
        return 0;
    }
    trial->state =
        state == CLEAVE_TRIAL_WAITING ? CLEAVE_TRIAL_OPEN : (enum cleave_trial_state)state;
    trial->variant = cleave_text_copy(line + name);
    trial->why = state == CLEAVE_TRIAL_DROPPED ? found_before : NULL;
    trial->recent = settled ? 0 : MIN(trial->samples, CLEAVE_TRIAL_SAMPLES);
    for (int s = 0; s < trial->recent; s++) {
        trial->sample[s] = trial->seconds;
    }
    return 1;
}

enum { MOST_CANDIDATES = 4096 };

/* The caller frees what was read, also of a text that is wrong further on. */
static int read_text(struct cleave_trials *trials, char *text)
{
    CLEAVE_PLAIN_NUMBERS;
    int exhaustive;
    int count;
    if (strncmp(text, FORMAT, strlen(FORMAT)) != 0) {
        return 0;
    }
    text += strlen(FORMAT);
    const char *line = next_line(&text);
    if (line == NULL ||
        sscanf(line, "%d %d %d %ld %la %la %d %d %d", &trials->settled, &exhaustive,
               &trials->is_complete, &trials->calls, &trials->lost_seconds, &trials->ended_after,
               &trials->by_rule, &trials->chosen, &count) != 9 ||
        count < 1 || count > MOST_CANDIDATES || trials->by_rule < 0 || trials->by_rule >= count ||
        trials->chosen < 0 || trials->chosen >= count || trials->calls < 0 ||
        !(trials->lost_seconds >= 0.0) || !(trials->ended_after >= 0.0) ||
        (trials->limits.exhaustive && !exhaustive)) {
        return 0;
    }
    trials->trial = cleave_alloc_zero((size_t)count * sizeof *trials->trial, "trials of a loop");
    while (trials->count < count &&
           read_trial(&trials->trial[trials->count], next_line(&text), trials->settled)) {
        trials->count++;
    }
    return trials->count == count;
}

static void clear(struct cleave_trials *trials)
{
    for (int n = 0; n < trials->count; n++) {
        free(trials->trial[n].variant);
    }
    free(trials->trial);
    trials->trial = NULL;
    trials->count = trials->by_rule = trials->chosen = 0;
    trials->settled = trials->is_complete = 0;
    trials->calls = 0;
    trials->lost_seconds = trials->ended_after = 0.0;
}

int cleave_trials_read(struct cleave_trials *trials)
{
    size_t bytes;
    char *text = cleave_store_read(CLEAVE_KEPT_TUNED, &trials->key, &bytes);
    if (text == NULL) {
        return 0;
    }
    const int good = bytes > 0 && text[bytes - 1] == '\0' && read_text(trials, text);
    free(text);
    if (!good) {
        clear(trials);
        return 0;
    }
    trials->runs = trials->chosen;
    trials->from_store = trials->settled;
    trials->rests = !trials->settled && !trials->limits.exhaustive;
    trials->kept = trials->settled || trials->rests;
    return 1;
}
