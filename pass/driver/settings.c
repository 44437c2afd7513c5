/* settings.c: the table of cleavecc's own flags. See settings.h. */
#include "pass/driver/settings.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_JOBS = 1024 };

/* One flag. `set` takes the value ("" when none was written) and returns false when it is not one
 * of `values`. */
struct flag {
    const char *name;     /* --cleave-`name` */
    const char *variable; /* NULL: on the command line only */
    const char *values;
    bool needs_value;
    bool (*set)(struct settings *settings, const char *value);
    const char *help;
};

static void emit_auto(struct codegen_options *emit)
{
    emit->schedule[AT_FUSED] = true;
    emit->schedule[AT_SPLIT] = true;
    emit->predicted = true;
    emit->deterministic = true;
    emit->chosen_only = true;
}

static bool add_schedule(struct codegen_options *emit, const char *word)
{
    for (int s = 0; s < SCHEDULES; s++) {
        if (strcmp(word, schedule_forms[s].word) == 0) {
            emit->schedule[s] = true;
            return true;
        }
    }
    return false;
}

static void emit_all(struct codegen_options *emit)
{
    for (int s = 0; s < SCHEDULES; s++) {
        emit->schedule[s] = true;
    }
    emit->comparisons = true;
}

static int level_of(const char *word)
{
    static const char *const words[CODEGEN_LEVELS] = {
#define CLEAVE_LEVEL(name, word, meaning) word,
#include "runtime/cleave_words.def"
    };
    for (int level = 0; level < CODEGEN_LEVELS; level++) {
        if (strcmp(word, words[level]) == 0) {
            return level;
        }
    }
    return CODEGEN_LEVELS;
}

/* One word of --cleave-emit. */
static bool add_emit(struct codegen_options *emit, const char *word)
{
    switch (level_of(word)) {
    case CODEGEN_LEVEL_AUTO:
        emit_auto(emit);
        return true;
    case CODEGEN_LEVEL_COMPARISONS:
        emit->comparisons = true;
        return true;
    case CODEGEN_LEVEL_CANDIDATES:
        emit->candidates = true;
        return true;
    case CODEGEN_LEVEL_EXHAUSTIVE:
        emit->exhaustive = true;
        emit_all(emit);
        return true;
    case CODEGEN_LEVEL_ALL:
        emit_all(emit);
        return true;
    default:
        return add_schedule(emit, word);
    }
}

static bool set_emit(struct settings *settings, const char *value)
{
    struct words parts = words_split(settings->arena, value, ',');
    bool known = parts.count > 0;

    settings->emit = (struct codegen_options){.soa = settings->emit.soa};
    settings->emit_given = true;
    if (level_of(value) == CODEGEN_LEVEL_FAST) {
        settings->emit.schedule[AT_FUSED] = true;
        settings->emit.single = true;
        return true;
    }
    for (int i = 0; i < parts.count; i++) {
        known = add_emit(&settings->emit, parts.word[i]) && known;
    }
    if (settings->emit.comparisons || settings->emit.candidates) {
        settings->emit.chosen_only = false;
    }
    return known;
}

/* "sm_90", "sm_90a", "sm_100f", "native". */
static bool is_architecture(const char *text)
{
    if (strcmp(text, "native") == 0) {
        return true;
    }
    if (!text_starts(text, "sm_")) {
        return false;
    }
    text += strlen("sm_");
    if (!isdigit((unsigned char)*text)) {
        return false;
    }
    while (isdigit((unsigned char)*text)) {
        text++;
    }
    return strcmp(text, "") == 0 || strcmp(text, "a") == 0 || strcmp(text, "f") == 0;
}

static bool set_arch(struct settings *settings, const char *value)
{
    if (strcmp(value, "none") == 0) {
        settings->device = DEVICE_NONE;
        return true;
    }
    if (strcmp(value, "emu") == 0) {
        settings->device = DEVICE_EMULATOR;
        return true;
    }
    settings->device = DEVICE_CUDA;
    settings->architectures = words_split(settings->arena, value, ',');
    for (int i = 0; i < settings->architectures.count; i++) {
        if (!is_architecture(settings->architectures.word[i])) {
            return false;
        }
    }
    return true;
}

static bool set_access(struct settings *settings, const char *value)
{
    settings->access_warn = strcmp(value, "warn") == 0;
    return settings->access_warn || strcmp(value, "error") == 0;
}

static bool set_alias(struct settings *settings, const char *value)
{
    settings->accept_alias = strcmp(value, "accept") == 0;
    return settings->accept_alias || strcmp(value, "reject") == 0;
}

static bool set_reciprocals(struct settings *settings, const char *value)
{
    settings->split.merge_quotients = strcmp(value, "merged") == 0;
    return settings->split.merge_quotients || strcmp(value, "exact") == 0;
}

static bool set_soa(struct settings *settings, const char *value)
{
    static const char *const name[CODEGEN_SOAS] = {
#define CLEAVE_SOA(name, word, meaning) word,
#include "runtime/cleave_words.def"
    };
    for (int s = 0; s < CODEGEN_SOAS; s++) {
        if (strcmp(value, name[s]) == 0) {
            settings->emit.soa = (enum codegen_soa)s;
            return true;
        }
    }
    return false;
}

static bool set_keep(struct settings *settings, const char *value)
{
    bool here = strcmp(value, "") == 0 || strcmp(value, "1") == 0;

    settings->keep = here ? "." : strcmp(value, "0") == 0 ? NULL : value;
    return true;
}

static bool set_dump(struct settings *settings, const char *value)
{
    static const char *const name[DUMPS] = {"loops", "graph", "dot", "stages"};
    struct words parts = words_split(settings->arena, value, ',');
    int known = 0;

    for (int i = 0; i < parts.count; i++) {
        for (int d = 0; d < DUMPS; d++) {
            bool wanted = strcmp(parts.word[i], name[d]) == 0;

            settings->dump[d] = settings->dump[d] || wanted;
            known += wanted;
        }
    }
    return known == parts.count && known > 0;
}

static bool read_switch(const char *value, bool *on)
{
    *on = strcmp(value, "") == 0 || strcmp(value, "1") == 0;
    return *on || strcmp(value, "0") == 0;
}

static bool set_explain(struct settings *settings, const char *value)
{
    return read_switch(value, &settings->explain);
}

static bool set_time(struct settings *settings, const char *value)
{
    return read_switch(value, &settings->time);
}

static bool set_verbose(struct settings *settings, const char *value)
{
    return read_switch(value, &settings->verbose);
}

static bool set_jobs(struct settings *settings, const char *value)
{
    char *end;
    long jobs = strtol(value, &end, 10);

    settings->jobs = (int)jobs;
    return isdigit((unsigned char)value[0]) && *end == '\0' && jobs > 0 && jobs <= MOST_JOBS;
}

static bool set_host(struct settings *settings, const char *value)
{
    settings->host = value;
    return value[0] != '\0';
}

static bool set_launch(struct settings *settings, const char *value)
{
    settings->launcher = value;
    return true;
}

static bool set_help(struct settings *settings, const char *value)
{
    settings->query = QUERY_HELP;
    return value[0] == '\0';
}

static bool set_version(struct settings *settings, const char *value)
{
    settings->query = QUERY_VERSION;
    return value[0] == '\0';
}

static const struct flag flags[] = {
    {"emit", "CLEAVE_EMIT",
     "auto|fast|all|exhaustive|fused,split,split2,split3,split4,loops,twopass,owner,comparisons,candidates", true, set_emit,
     "schedules to generate, one or several (auto: fused, split, the one predicted to be best and, for the GPU, one for "
     "CLEAVE_DETERMINISTIC; fast: one variant of each loop and back end, fused, which compiles fastest; comparisons: "
     "for the GPU, forms that others are compared with, as fused by global colours; candidates: kernels also with the "
     "parameters that were fastest for some loop; exhaustive: all, with all parameters)"},
    {"arch", "CLEAVE_ARCH", "sm_NN[,sm_NN...]|native|emu|none", true, set_arch,
     "GPUs to compile for, one or several; PTX of the lowest serves later ones. native: those of this "
     "machine, which is the default where nvcc is found; where no GPU is, the default is PTX for sm_80 "
     "and later. emu: the emulator; none: the CPU only"},
    {"access", "CLEAVE_ACCESS", "error|warn", true, set_access,
     "what a wrong access descriptor is (error)"},
    {"alias", "CLEAVE_ALIAS", "reject|accept", true, set_alias,
     "loops that read through a map what they modify (reject: they run sequentially)"},
    {"soa", "CLEAVE_SOA", "declared|all|auto", true, set_soa,
     "dats that lie on the GPU as structures of arrays: those with \":soa\" in an op_arg_dat's type "
     "(declared), all of several components, as op_init_soa asks for, or those that the file's loops "
     "move less memory of so (auto; --cleave-explain says which)"},
    {"reciprocals", "CLEAVE_RECIPROCALS", "exact|merged", true, set_reciprocals,
     "divide as the source says (exact), or less often, with other rounding (merged): products with "
     "reciprocals, several of which one division makes"},
    {"keep", "CLEAVE_KEEP", "FOLDER", false, set_keep,
     "keep the generated files there; no folder: here"},
    {"dump", "CLEAVE_DUMP", "loops|graph|dot|stages[,...]", true, set_dump,
     "print what was understood (loops), what depends on what (graph; dot: for Graphviz) and what "
     "was "
     "made of it (stages)"},
    {"explain", "CLEAVE_EXPLAIN", "1|0", false, set_explain,
     "print for each loop the ways to split it, what each costs and which is chosen"},
    {"host", "CLEAVE_HOST", "COMPILER", true, set_host,
     "the host compiler; also CLEAVE_CC for cleavecc and CLEAVE_CXX for cleavec++"},
    {"launch", NULL, "LAUNCHER", false, set_launch,
     "the first word that is no flag of cleavecc's is the host compiler, for build systems that put "
     "a launcher before the compiler; --cleave-launch=ccache starts it through another launcher"},
    {"jobs", "CLEAVE_JOBS", "N", true, set_jobs,
     "compilers of one file that may run at a time, where make does not say it (as many as there are processors)"},
    {"time", "CLEAVE_TIME", "1|0", false, set_time, "report the seconds of each step"},
    {"verbose", "CLEAVE_VERBOSE", "1|0", false, set_verbose,
     "print the commands that are run; -### prints them only"},
    {"help", NULL, "no value", false, set_help, "this text"},
    {"version", NULL, "no value", false, set_version, "versions of cleave and its compilers"},
};

enum { FLAGS = sizeof(flags) / sizeof(flags[0]) };

static const struct flag *flag_find(const char *name, size_t length)
{
    for (int i = 0; i < FLAGS; i++) {
        if (strlen(flags[i].name) == length && strncmp(flags[i].name, name, length) == 0) {
            return &flags[i];
        }
    }
    return NULL;
}

static void report_unknown_flag(const char *word)
{
    fprintf(stderr, "cleavecc: error: unknown flag '%s'; the flags are", word);
    for (int i = 0; i < FLAGS; i++) {
        fprintf(stderr, "%s --cleave-%s", i == 0 ? "" : ",", flags[i].name);
    }
    fputc('\n', stderr);
}

/* One --cleave- word of the command line. */
static bool read_flag(struct settings *settings, const char *word)
{
    const char *name = word + strlen("--cleave-");
    size_t length = strcspn(name, "=");
    bool has_value = name[length] == '=';
    const char *value = has_value ? name + length + 1 : "";
    const struct flag *flag = flag_find(name, length);

    if (flag == NULL) {
        report_unknown_flag(word);
        return false;
    }
    if ((flag->needs_value && !has_value) || !flag->set(settings, value)) {
        fprintf(stderr, "cleavecc: error: '%s' is not valid; --cleave-%s takes %s\n", word,
                flag->name, flag->values);
        return false;
    }
    return true;
}

/* OP2's own word for --cleave-soa=all; ours, which are read after it, have the last word. */
static void read_op_words(struct settings *settings)
{
    const char *value = getenv("OP_AUTO_SOA");

    if (value != NULL && value[0] != '\0' && strcmp(value, "0") != 0) {
        set_soa(settings, "all");
    }
}

static bool read_environment(struct settings *settings)
{
    bool valid = true;

    read_op_words(settings);
    for (int i = 0; i < FLAGS; i++) {
        const char *value = flags[i].variable ? getenv(flags[i].variable) : NULL;

        if (value != NULL && value[0] != '\0' && !flags[i].set(settings, value)) {
            fprintf(stderr,
                    "cleavecc: error: the environment has %s=%s, which is not valid; it takes %s\n",
                    flags[i].variable, value, flags[i].values);
            valid = false;
        }
    }
    return valid;
}

void settings_environment(struct arena *arena, struct words *out)
{
    for (int i = 0; i < FLAGS; i++) {
        const char *value = flags[i].variable ? getenv(flags[i].variable) : NULL;

        if (value != NULL && value[0] != '\0') {
            words_add(out, arena_format(arena, "%s=%s", flags[i].variable, value));
        }
    }
}

/* "--showme:link", and with one dash, as MPI's compilers take it. */
static enum query show_query(const char *word)
{
    static const struct {
        const char *what;
        enum query query;
    } queries[] = {{"", QUERY_SHOW},
                   {":compile", QUERY_SHOW_COMPILE},
                   {":link", QUERY_SHOW_LINK},
                   {":command", QUERY_SHOW_COMMAND},
                   {":incdirs", QUERY_SHOW_INCDIRS},
                   {":libdirs", QUERY_SHOW_LIBDIRS},
                   {":libs", QUERY_SHOW_LIBS},
                   {":version", QUERY_SHOW_VERSION}};
    const char *what = word + (text_starts(word, "--") ? 2 : 1);

    if (strcmp(word, "-show") == 0) {
        return QUERY_SHOW;
    }
    for (size_t q = 0; q < sizeof(queries) / sizeof(queries[0]); q++) {
        if (word[0] == '-' && text_starts(what, "showme") &&
            strcmp(what + strlen("showme"), queries[q].what) == 0) {
            return queries[q].query;
        }
    }
    return QUERY_NONE;
}

/* A flag for our messages. Returns whether the word is one; *valid: not wrong. */
static bool read_message_flag(struct settings *settings, const char *word, bool *valid)
{
    enum diag_answer answer = diag_option_read(&settings->messages, word);

    *valid = answer == DIAG_OPTION_NOT_OURS || answer == DIAG_OPTION_READ;
    if (answer == DIAG_OPTION_UNKNOWN) {
        fprintf(stderr,
                "cleavecc: error: '%s' names no message of cleavecc's; each ends with its name, as in "
                "[-Wcleave-read-written]\n",
                word);
    } else if (answer == DIAG_OPTION_FIXED) {
        fprintf(stderr,
                "cleavecc: error: '%s': this is always an error, since the loop cannot be compiled "
                "right\n",
                word);
    }
    return answer != DIAG_OPTION_NOT_OURS;
}

/* Takes the host compiler off the words that are not cleavecc's own. */
static bool take_launched(struct settings *settings, struct words *rest)
{
    settings->launched = words_new(settings->arena);
    if (settings->launcher == NULL) {
        return true;
    }
    if (rest->count == 0 || rest->word[0][0] == '-') {
        fputs("cleavecc: error: --cleave-launch stands before a compiler's command, as in "
              "'cleavecc --cleave-launch gcc -c a.c'\n",
              stderr);
        return false;
    }
    words_add_command(&settings->launched, settings->launcher);
    words_add(&settings->launched, rest->word[0]);
    rest->word++;
    rest->count--;
    rest->capacity--;
    return true;
}

int settings_read(struct settings *settings, struct arena *arena, const struct words *words,
                  struct words *rest)
{
    bool valid;

    *settings = (struct settings){.arena = arena};
    emit_auto(&settings->emit);
    settings->architectures = words_new(arena);
    valid = read_environment(settings);
    for (int i = 0; i < words->count; i++) {
        const char *word = words->word[i];
        enum query query = show_query(word);
        bool message_valid;

        if (text_starts(word, "--cleave-")) {
            valid = read_flag(settings, word) && valid;
        } else if (read_message_flag(settings, word, &message_valid)) {
            valid = message_valid && valid;
        } else if (query != QUERY_NONE) {
            settings->query = query;
        } else {
            settings->dry_run = settings->dry_run || strcmp(word, "-###") == 0;
            words_add(rest, word);
        }
    }
    valid = take_launched(settings, rest) && valid;
    return valid ? 0 : -1;
}

void settings_help(FILE *out)
{
    fputs(
        "Usage: cleavecc [flags] file...   (cleavec++ for C++)\n\n"
        "Compiles as the host compiler does, and compiles op_par_loop for CPU and GPU beside it.\n"
        "Flags of its own, each also as an environment variable; all others go to the host "
        "compiler:\n\n",
        out);
    for (int i = 0; i < FLAGS; i++) {
        const struct flag *flag = &flags[i];
        const char *before = flag->needs_value ? "=" : flag->variable ? "[=" : "";
        const char *after = flag->needs_value || !flag->variable ? "" : "]";

        fprintf(out, "  --cleave-%s%s%s%s\n      %s%s%s\n", flag->name, before,
                flag->variable ? flag->values : "", after, flag->help, flag->variable ? "; " : "",
                flag->variable ? flag->variable : "");
    }
    fputs("  --showme, --showme:compile, link, command, incdirs, libdirs, libs, version\n"
          "      print the host compiler's command, or what is added to it, and stop\n"
          "  -Wno-cleave-NAME, -Werror=cleave-NAME, -Wno-error=cleave-NAME, -Wno-cleave\n"
          "      hide a message of cleavecc's, make it an error or none; each ends with its name, as in\n"
          "      [-Wcleave-opaque]. -w, -Werror, -fsyntax-only, -fdiagnostics-color and\n"
          "      -fdiagnostics-format=json|sarif-file mean for its messages what they mean for gcc's\n",
          out);
}
