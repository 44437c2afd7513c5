/* op_words.c: OP2's words from outside, in the environment and on the command line, but for those
 * that settings.c reads: what has an effect here gets it, and every other word is named once as
 * ignored, with the reason. */
#include "runtime/base/settings.h"

#include <ctype.h>
#include <errno.h>
#include <regex.h>

enum place { IN_ENVIRONMENT = 1, IN_ARGUMENTS = 2, ANYWHERE = 3 };

/* The rows of api/settings.def. why NULL: it has an effect. */
static const struct word {
    const char *name;
    enum place place;
    const char *why;
    int variable; /* enum cleave_variable, of words in the environment */
} words[] = {
#define OP2_WORD(name, place, why, meaning) {#name, place, why, VARIABLE_##name},
#define OP2_ARGUMENT(text, why, meaning) {text, IN_ARGUMENTS, why, -1},
#include "runtime/api/settings.def"
};

enum { WORDS = sizeof words / sizeof words[0] };

static struct {
    enum { FALLBACK_SILENT, FALLBACK_WARN, FALLBACK_ERROR } mode;
    regex_t *pattern; /* [patterns] of OP_WHITELIST */
    int patterns;
    int whitelist;   /* it was given */
    int no_realloc;  /* OP_NO_REALLOC was given */
    int said_copies; /* that it has no effect with a GPU */
} state;

/* ---- whitelist and fallback ---------------------------------------------------------------- */

static void add_pattern(const char *file_name, int line, const char *text)
{
    char reason[256];
    regex_t *grown = cleave_alloc((size_t)(state.patterns + 1) * sizeof *grown, "OP_WHITELIST");
    char *whole = cleave_alloc(strlen(text) + 5, "OP_WHITELIST");
    sprintf(whole, "^(%s)$", text);
    if (state.patterns > 0) {
        memcpy(grown, state.pattern, (size_t)state.patterns * sizeof *grown);
    }
    int failed = regcomp(&grown[state.patterns], whole, REG_EXTENDED | REG_NOSUB);
    if (failed) {
        regerror(failed, &grown[state.patterns], reason, sizeof reason);
        cleave_fatal("OP_WHITELIST: %s:%d: '%s' is not a regular expression: %s", file_name, line,
                     text, reason);
    }
    free(whole);
    free(state.pattern);
    state.pattern = grown;
    state.patterns++;
}

static void read_whitelist(const char *file_name)
{
    FILE *file = fopen(file_name, "r");
    char *line = NULL;
    size_t room = 0;
    int number = 0;
    if (file == NULL) {
        cleave_fatal("OP_WHITELIST: cannot read '%s': %s", file_name, strerror(errno));
    }
    while (getline(&line, &room, file) >= 0) {
        number++;
        line[strcspn(line, "\r\n")] = '\0';
        if (line[0] != '\0') {
            add_pattern(file_name, number, line);
        }
    }
    free(line);
    fclose(file);
    state.whitelist = 1;
}

bool op_check_whitelist(const char *name)
{
    for (int p = 0; p < state.patterns; p++) {
        if (name != NULL && regexec(&state.pattern[p], name, 0, NULL, 0) == 0) {
            return true;
        }
    }
    return !state.whitelist;
}

int cleave_whitelisted(const char *loop, const char *kernel)
{
    return op_check_whitelist(loop) || op_check_whitelist(kernel);
}

void op_check_fallback_mode(const char *name)
{
    name = cleave_name_or_unnamed(name);
    if (state.mode == FALLBACK_ERROR) {
        cleave_fatal("OP_FALLBACK_MODE=error: loop '%s' runs sequentially", name);
    }
    if (state.mode == FALLBACK_WARN) {
        cleave_warning("OP_FALLBACK_MODE=warn: loop '%s' runs sequentially", name);
    }
}

int cleave_fallback_is_said(void)
{
    return state.mode != FALLBACK_SILENT && cleave_settings.backend != BACKEND_SEQ;
}

static void read_fallback(const char *value)
{
    if (strcmp(value, "warn") == 0) {
        state.mode = FALLBACK_WARN;
    } else if (strcmp(value, "error") == 0) {
        state.mode = FALLBACK_ERROR;
    } else {
        cleave_fatal("OP_FALLBACK_MODE=%s is not known; known are: warn, error", value);
    }
}

/* ---- all words ----------------------------------------------------------------------------- */

static const struct word *find(const char *name, size_t length, enum place place)
{
    for (int w = 0; w < WORDS; w++) {
        if (strlen(words[w].name) == length && memcmp(words[w].name, name, length) == 0 &&
            (words[w].place & place)) {
            return &words[w];
        }
    }
    return NULL;
}

static void say_ignored(const struct word *word, char *said)
{
    if (word->why != NULL && !said[word - words]) {
        said[word - words] = 1;
        cleave_note("%s is ignored: %s", word->name, word->why);
    }
}

static void read_argument(const char *argument, char *said)
{
    const size_t length = strcspn(argument, "=");
    const int dash = argument[0] == '-' && strncmp(argument, "-OP_", 4) == 0;
    const struct word *word = find(argument + dash, length - (size_t)dash, IN_ARGUMENTS);
    if (word != NULL) {
        say_ignored(word, said);
        state.no_realloc |= strcmp(word->name, "OP_NO_REALLOC") == 0;
    } else if (strncmp(argument, "OP_", 3) == 0 && isupper((unsigned char)argument[3])) {
        cleave_warning("argument '%s' is not an argument of OP2 and has no effect", argument);
    }
}

int cleave_no_copies(void)
{
    if (state.no_realloc && cleave_device != NULL && !state.said_copies) {
        state.said_copies = 1;
        cleave_note("OP_NO_REALLOC is ignored: on a GPU loops work on copies; read results from "
                    "dat->data or with op_fetch_data");
    }
    return state.no_realloc && cleave_device == NULL;
}

static void read_environment(char *said)
{
    for (int w = 0; w < WORDS; w++) {
        if ((words[w].place & IN_ENVIRONMENT) &&
            cleave_variable((enum cleave_variable)words[w].variable) != NULL) {
            say_ignored(&words[w], said);
        }
    }
}

/* A program that an MPI launcher starts several times would do all of its work in each process. */
static void say_processes(void)
{
    static const enum cleave_variable launchers[][2] = {
        {VARIABLE_OMPI_COMM_WORLD_SIZE, VARIABLE_OMPI_COMM_WORLD_RANK},
        {VARIABLE_PMI_SIZE, VARIABLE_PMI_RANK},
        {VARIABLE_MV2_COMM_WORLD_SIZE, VARIABLE_MV2_COMM_WORLD_RANK}};
    for (size_t l = 0; l < sizeof launchers / sizeof launchers[0]; l++) {
        const char *size = cleave_variable(launchers[l][0]);
        const char *rank = cleave_variable(launchers[l][1]);
        if (size != NULL && atoi(size) > 1) {
            if (rank == NULL || atoi(rank) == 0) {
                cleave_warning("%s processes were started (%s), but cleave has no MPI: each of "
                               "them does all of the work by itself, as rank 0",
                               size, cleave_variable_name(launchers[l][0]));
            }
            return;
        }
    }
}

void cleave_op_words_read(int argc, char **argv)
{
    char said[WORDS] = {0};
    cleave_op_words_free();
    say_processes();
    read_environment(said);
    for (int i = 1; i < argc && argv != NULL; i++) {
        if (argv[i] != NULL) {
            read_argument(argv[i], said);
        }
    }
    if (state.no_realloc && cleave_settings.renumber == 1) {
        cleave_fatal("OP_NO_REALLOC and CLEAVE_RENUMBER=on exclude each other: OP_NO_REALLOC keeps "
                     "dats in the program's arrays, in its order");
    }
    OP_auto_soa = said[find("OP_AUTO_SOA", 11, ANYWHERE) - words];
    if (cleave_variable(VARIABLE_OP_WHITELIST) != NULL) {
        read_whitelist(cleave_variable(VARIABLE_OP_WHITELIST));
    }
    if (cleave_variable(VARIABLE_OP_FALLBACK_MODE) != NULL) {
        read_fallback(cleave_variable(VARIABLE_OP_FALLBACK_MODE));
    }
}

void cleave_op_words_free(void)
{
    for (int p = 0; p < state.patterns; p++) {
        regfree(&state.pattern[p]);
    }
    free(state.pattern);
    memset(&state, 0, sizeof state);
}
