/* method.c: planning methods: their words, as users write them, and what each needs.
 *
 * In: a word, or a method and a job. Out: a method, and the one that is possible for the job. All
 * facts about methods are rows of methods.def; the needs that a row may name are rows of `need`
 * below.
 */
#include <stdio.h>
#include <string.h>

#include "runtime/planner/number/number.h"

/* ---- tables --------------------------------------------------------------------------------- */

enum need { NOTHING, COORDINATES, METIS, SCOTCH };

static const struct {
    const char *word;
    const char *meaning;
    int (*start)(struct numbering_job *job, char *error);
    enum need need;
} method_row[PLAN_STARTS] = {
    [PLAN_START_DEFAULT] = {"default",
                            "rcb with coordinates, unless growth does much better; chunks without",
                            planner_start_chunks, NOTHING},
#define METHOD(name, function, word, needs, meaning)                                               \
    [PLAN_START_##name] = {word, meaning, planner_start_##function, needs},
#include "runtime/planner/methods.def"
#undef METHOD
};

static int needs_nothing(const struct numbering_job *job)
{
    (void)job;
    return 1;
}

static int has_metis(const struct numbering_job *job)
{
    return planner_blocks_metis_available(job->planner);
}

static int has_scotch(const struct numbering_job *job)
{
    return planner_blocks_gps_available(job->planner);
}

/* The things that a method may need. */
static const struct {
    const char *text; /* for notes */
    int (*is_met)(const struct numbering_job *job);
    int is_library;
    enum plan_start instead; /* of a method whose need is not met */
    enum plan_note about;
} need_row[] = {
    [NOTHING] = {"nothing", needs_nothing, 0, PLAN_START_DEFAULT, PLAN_NOTES},
    [COORDINATES] = {"coordinates", planner_number_has_coordinates, 0, PLAN_START_DEFAULT,
                     PLAN_NOTE_COORDINATES},
    [METIS] = {"METIS", has_metis, 1, PLAN_START_DEFAULT, PLAN_NOTE_METIS},
    [SCOTCH] = {"Scotch", has_scotch, 1, PLAN_START_RCM, PLAN_NOTE_SCOTCH},
};

/* ---- words ---------------------------------------------------------------------------------- */

const char *planner_start_word(enum plan_start start)
{
    return method_row[start].word;
}

const char *planner_start_meaning(enum plan_start start)
{
    return method_row[start].meaning;
}

const char *planner_method_words(void)
{
    static const char words[] = "default, hard"
#define METHOD(name, function, word, needs, meaning) ", " word
#include "runtime/planner/methods.def"
#undef METHOD
        ;
    return words;
}

/* The improvement that text names, from its '+' on; DEFAULT for an end, -1 for another word. */
static int parse_improvement(const char *text)
{
    if (*text == '\0') {
        return PLAN_IMPROVE_DEFAULT;
    }
    if (strcmp(text, "+refine") == 0) {
        return PLAN_IMPROVE_REFINE;
    }
    return strcmp(text, "+anneal") == 0 ? PLAN_IMPROVE_ANNEAL : -1;
}

int planner_method_parse(const char *text, struct plan_method *method)
{
    if (strcmp(text, "default") == 0 || strcmp(text, "hard") == 0) {
        *method = (struct plan_method){PLAN_START_DEFAULT,
                                       *text == 'h' ? PLAN_IMPROVE_ANNEAL : PLAN_IMPROVE_DEFAULT};
        return 0;
    }
    size_t length = strcspn(text, "+");
    int improve = parse_improvement(text + length);
    for (int start = PLAN_START_DEFAULT + 1; improve >= 0 && start < PLAN_STARTS; start++) {
        const char *word = method_row[start].word;
        if (strlen(word) == length && memcmp(word, text, length) == 0) {
            *method = (struct plan_method){(enum plan_start)start, (enum plan_improvement)improve};
            return 0;
        }
    }
    return -1;
}

const char *planner_method_name(struct plan_method method)
{
    static _Thread_local char name[32];
    const char *improve = "";
    if (method.start == PLAN_START_DEFAULT && method.improve == PLAN_IMPROVE_ANNEAL) {
        return "hard";
    }
    if (method.start != PLAN_START_DEFAULT && method.improve == PLAN_IMPROVE_REFINE) {
        improve = "+refine";
    } else if (method.improve == PLAN_IMPROVE_ANNEAL) {
        improve = "+anneal";
    }
    snprintf(name, sizeof name, "%s%s", method_row[method.start].word, improve);
    return name;
}

/* ---- the method of a job -------------------------------------------------------------------- */

int planner_number_has_coordinates(const struct numbering_job *job)
{
    const struct plan_coordinates *at = job->coordinates;
    if (at == NULL || at->at == NULL || at->dim < 2 || at->dim > 3) {
        return 0;
    }
    for (int m = 0; m < job->maps; m++) {
        if (job->map[m].target == at->target && job->map[m].columns > 0) {
            return 1;
        }
    }
    return 0;
}

static int arity_of(const struct numbering_job *job)
{
    int arity = 0;
    for (int m = 0; m < job->maps; m++) {
        arity += job->map[m].columns;
    }
    return arity;
}

/* With coordinates DEFAULT stands until a trial has decided. */
static enum plan_start known_start(const struct numbering_job *job, enum plan_start start)
{
    return start == PLAN_START_DEFAULT && !planner_number_has_coordinates(job) ? PLAN_START_CHUNKS
                                                                               : start;
}

/* The wanted start, or the one that takes its place where its need is not met. */
static enum plan_start possible_start(const struct numbering_job *job, enum plan_start wanted)
{
    enum need need = method_row[wanted].need;
    if (need_row[need].is_met(job)) {
        return known_start(job, wanted);
    }
    enum plan_start instead = known_start(job, need_row[need].instead);
    planner_note(job->planner, need_row[need].about,
                 "planning method '%s' needs %s; '%s' is used instead", method_row[wanted].word,
                 need_row[need].text, method_row[instead].word);
    return instead;
}

struct plan_method planner_number_method(const struct numbering_job *job)
{
    struct plan_method method = job->options->method;
    if (method.improve == PLAN_IMPROVE_DEFAULT) {
        method.improve =
            method.start == PLAN_START_DEFAULT ? PLAN_IMPROVE_REFINE : PLAN_IMPROVE_NONE;
    }
    if (arity_of(job) == 0) {
        return (struct plan_method){PLAN_START_NONE, PLAN_IMPROVE_NONE};
    }
    method.start = possible_start(job, method.start);
    return method;
}

int planner_number_library(const struct planner *planner, enum plan_start start)
{
    enum need need = method_row[start].need;
    return need_row[need].is_library &&
           need_row[need].is_met(&(struct numbering_job){.planner = planner});
}

int planner_number_start(struct numbering_job *job, char error[PLANNER_ERROR])
{
    return method_row[job->method.start].start(job, error);
}
