/* settings.c: reads cleavecc's own flags from the environment and the command line. See settings.h.
 */
#include "pass/driver/settings.h"

#include <string.h>

#include "pass/driver/flags.h"
#include "runtime/base/misspelt.h"

/* An upper bound of the number of flags. */
enum { FLAGS_MOST = 64 };

/* The flag whose name is nearest to the text between --cleave- and the value; NULL: none is
 * near. */
static const char *nearest_flag(const char *word)
{
    const char *name = word + strlen("--cleave-");
    const char *names[FLAGS_MOST];
    int count = 0;

    for (int i = 0; i < flag_count && count < FLAGS_MOST; i++) {
        if (flag_is_ours(&flags[i])) {
            names[count++] = flags[i].name;
        }
    }
    return cleave_nearest(name, strcspn(name, "="), names, count);
}

static void report_unknown_flag(const char *word)
{
    const char *near = nearest_flag(word);

    fprintf(stderr, "cleavecc: error: unknown flag '%s'", word);
    if (near != NULL) {
        fprintf(stderr, "; did you mean --cleave-%s\n", near);
        return;
    }
    fputs("; the flags are", stderr);
    for (int i = 0; i < flag_count; i++) {
        if (flag_is_ours(&flags[i])) {
            fprintf(stderr, "%s --cleave-%s", i == 0 ? "" : ",", flags[i].name);
        }
    }
    fputc('\n', stderr);
}

/* Ends a message with the values that the flag takes. */
static void report_values(const struct flag *flag)
{
    bool has_none = flag->kind == FLAG_BARE && flag->shown[0] == '\0';

    fputs(has_none ? "no value" : "", stderr);
    flag_write_values(stderr, flag);
    if (flag->kind == FLAG_NUMBER) {
        fprintf(stderr, " from %d to %d", flag->least, flag->most);
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
    if ((flag_needs_value(flag) && !has_value) || !flag_set(flag, settings, value)) {
        fprintf(stderr, "cleavecc: error: '%s' is not valid; --cleave-%s takes ", word, flag->name);
        report_values(flag);
        return false;
    }
    return true;
}

/* Applies OP2's own variable for --cleave-soa=all; ours are read later and override it. */
static void read_op_words(struct settings *settings)
{
    const char *value = variable_value(VARIABLE_OP_AUTO_SOA);

    if (value != NULL && strcmp(value, "0") != 0) {
        settings->soa = SOA_ALL;
    }
}

static const char *value_in_environment(const struct flag *flag)
{
    return flag->variable == NO_VARIABLE ? NULL : variable_value((enum variable)flag->variable);
}

static bool read_environment(struct settings *settings)
{
    bool valid = true;

    variables_check();
    read_op_words(settings);
    for (int i = 0; i < flag_count; i++) {
        const char *value = value_in_environment(&flags[i]);

        if (value != NULL && !flag_set(&flags[i], settings, value)) {
            fprintf(stderr,
                    "cleavecc: error: the environment has %s=%s, which is not valid; it takes ",
                    variable_name((enum variable)flags[i].variable), value);
            report_values(&flags[i]);
            valid = false;
        }
    }
    return valid;
}

void settings_environment(struct arena *arena, struct words *out)
{
    for (int i = 0; i < flag_count; i++) {
        const char *value = value_in_environment(&flags[i]);

        if (value != NULL) {
            words_add(out, arena_format(arena, "%s=%s",
                                        variable_name((enum variable)flags[i].variable), value));
        }
    }
}

/* "--showme:link", and with one dash, as MPI's compilers take it. */
static enum query show_query(const char *word)
{
    const char *what = word + (text_starts(word, "--") ? 2 : 1);

    if (strcmp(word, "-show") == 0) {
        return QUERY_SHOW;
    }
    if (word[0] != '-' || !text_starts(what, "showme")) {
        return QUERY_NONE;
    }
    for (int i = 0; i < flag_count; i++) {
        if (flags[i].kind == FLAG_SHOW && strcmp(what + strlen("showme"), flags[i].name) == 0) {
            return (enum query)flags[i].number;
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
        fprintf(
            stderr,
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
    flags_begin(settings);
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
    settings->emit.soa = (enum codegen_soa)(settings->soa - SOA_DECLARED);
    settings->split.merge_quotients = settings->reciprocals == RECIPROCALS_MERGED;
    settings->split.fuse = settings->fuse != FUSE_OFF;
    settings->split.gather =
        settings->split.fuse && settings->fuse != FUSE_SET &&
        (!settings->emit.single || settings->fuse == FUSE_GATHER); /* they take long to compile */
    settings->split.gather_all = settings->fuse == FUSE_GATHER;
    return valid ? 0 : -1;
}
