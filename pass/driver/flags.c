/* flags.c: the table of flags, and what each does with its value. See flags.h.
 *
 * Most kinds of rows are read alike; set_NAME() reads the others.
 */
#include "pass/driver/flags.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The enumerator of a word of the flag with this name; -1: it has no such word. */
static int word_of(const char *name, const char *text);

static void emit_auto(struct codegen_options *emit)
{
    emit->schedule[AT_FUSED] = true;
    emit->predicted = true;
    emit->deterministic = true;
    emit->chosen_only = true;
}

static void emit_all(struct codegen_options *emit)
{
    for (int s = 0; s < SCHEDULES; s++) {
        emit->schedule[s] = true;
    }
    emit->comparisons = true;
}

/* One word of --cleave-emit, or -1. */
static bool add_emit(struct codegen_options *emit, int word)
{
    switch (word) {
    case EMIT_AUTO:
        emit_auto(emit);
        return true;
    case EMIT_COMPARISONS:
        emit->comparisons = true;
        return true;
    case EMIT_CANDIDATES:
        emit->candidates = true;
        return true;
    case EMIT_EXHAUSTIVE:
        emit->exhaustive = true;
        emit_all(emit);
        return true;
    case EMIT_ALL:
        emit_all(emit);
        return true;
    case EMIT_FAST: /* stands alone */
        return false;
    default:
        if (word >= 0) {
            emit->schedule[word - EMIT_FUSED] = true;
        }
        return word >= 0;
    }
}

static bool set_emit(struct settings *settings, const char *value)
{
    struct words parts = words_split(settings->arena, value, ',');
    bool known = parts.count > 0;

    settings->emit = (struct codegen_options){0};
    settings->emit_given = true;
    if (word_of("emit", value) == EMIT_FAST) {
        settings->emit.schedule[AT_FUSED] = true;
        settings->emit.single = true;
        return true;
    }
    for (int i = 0; i < parts.count; i++) {
        known = add_emit(&settings->emit, word_of("emit", parts.word[i])) && known;
    }
    if (settings->emit.comparisons || settings->emit.candidates) {
        settings->emit.chosen_only = false;
    }
    return known;
}

/* "sm_90", "sm_90a", "sm_100f", "native". */
static bool is_architecture(const char *text)
{
    if (word_of("arch", text) == ARCH_NATIVE) {
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
    switch (word_of("arch", value)) {
    case ARCH_NONE:
        settings->device = DEVICE_NONE;
        return true;
    case ARCH_EMU:
        settings->device = DEVICE_EMULATOR;
        return true;
    default:
        break;
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

static bool set_keep(struct settings *settings, const char *value)
{
    bool here = strcmp(value, "") == 0 || strcmp(value, "1") == 0;

    settings->keep = here ? "." : strcmp(value, "0") == 0 ? NULL : value;
    return true;
}

static bool set_dump(struct settings *settings, const char *value)
{
    struct words parts = words_split(settings->arena, value, ',');
    bool known = parts.count > 0;

    for (int i = 0; i < parts.count; i++) {
        int word = word_of("dump", parts.word[i]);

        if (word >= 0) {
            settings->dump[word] = true;
        }
        known = known && word >= 0;
    }
    return known;
}

/* A page, or text: the values of a switch. */
static bool set_explain(struct settings *settings, const char *value)
{
    if (text_ends(value, ".html") && strcmp(path_base(value), ".html") != 0) {
        settings->explain_page = value;
        return true;
    }
    settings->explain_page = NULL;
    settings->explain = strcmp(value, "0") != 0;
    return value[0] == '\0' || strcmp(value, "1") == 0 || strcmp(value, "0") == 0;
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

const struct flag flags[] = {
#define CLEAVE_VARIABLE_ROW(name_, VARIABLE) .name = #name_, .variable = VARIABLE_##VARIABLE
#define SWITCH_FLAG(name_, VARIABLE, meaning_)                                                     \
    {.kind = FLAG_SWITCH,                                                                          \
     CLEAVE_VARIABLE_ROW(name_, VARIABLE),                                                         \
     .meaning = (meaning_),                                                                        \
     .offset = offsetof(struct settings, name_)},
#define CHOICE_FLAG(name_, VARIABLE, usual_, meaning_)                                             \
    {.kind = FLAG_CHOICE,                                                                          \
     CLEAVE_VARIABLE_ROW(name_, VARIABLE),                                                         \
     .meaning = (meaning_),                                                                        \
     .usual = (usual_),                                                                            \
     .offset = offsetof(struct settings, name_)},
#define NUMBER_FLAG(name_, VARIABLE, least_, most_, usual_, meaning_)                              \
    {.kind = FLAG_NUMBER,                                                                          \
     CLEAVE_VARIABLE_ROW(name_, VARIABLE),                                                         \
     .meaning = (meaning_),                                                                        \
     .usual = (usual_),                                                                            \
     .least = (least_),                                                                            \
     .most = (most_),                                                                              \
     .offset = offsetof(struct settings, name_)},
#define TEXT_FLAG(name_, VARIABLE, shown_, usual_, meaning_)                                       \
    {.kind = FLAG_TEXT,                                                                            \
     CLEAVE_VARIABLE_ROW(name_, VARIABLE),                                                         \
     .shown = (shown_),                                                                            \
     .meaning = (meaning_),                                                                        \
     .usual = (usual_),                                                                            \
     .offset = offsetof(struct settings, name_)},
#define LIST_FLAG(name_, VARIABLE, usual_, meaning_)                                               \
    {.kind = FLAG_LIST,                                                                            \
     CLEAVE_VARIABLE_ROW(name_, VARIABLE),                                                         \
     .meaning = (meaning_),                                                                        \
     .usual = (usual_),                                                                            \
     .set = set_##name_},
#define OWN_FLAG(name_, VARIABLE, shown_, usual_, meaning_)                                        \
    {.kind = FLAG_OWN,                                                                             \
     CLEAVE_VARIABLE_ROW(name_, VARIABLE),                                                         \
     .shown = (shown_),                                                                            \
     .meaning = (meaning_),                                                                        \
     .usual = (usual_),                                                                            \
     .set = set_##name_},
#define BARE_FLAG(name_, shown_, meaning_)                                                         \
    {.kind = FLAG_BARE,                                                                            \
     .name = #name_,                                                                               \
     .variable = NO_VARIABLE,                                                                      \
     .shown = (shown_),                                                                            \
     .meaning = (meaning_),                                                                        \
     .set = set_##name_},
#define WORD(constant, word, meaning_)                                                             \
    {.kind = FLAG_WORD,                                                                            \
     .name = (word),                                                                               \
     .variable = NO_VARIABLE,                                                                      \
     .meaning = (meaning_),                                                                        \
     .number = (constant)},
#define OTHER_FLAG(shown_, meaning_)                                                               \
    {.kind = FLAG_OTHER, .name = (shown_), .variable = NO_VARIABLE, .meaning = (meaning_)},
#define SHOW_FLAG(what, query, meaning_)                                                           \
    {.kind = FLAG_SHOW,                                                                            \
     .name = (what),                                                                               \
     .variable = NO_VARIABLE,                                                                      \
     .meaning = (meaning_),                                                                        \
     .number = (query)},
#include "runtime/api/settings.def"
};

const int flag_count = sizeof(flags) / sizeof(flags[0]);

bool flag_is_ours(const struct flag *flag)
{
    return flag->kind < FLAG_WORD;
}

bool flag_needs_value(const struct flag *flag)
{
    bool optional = flag->shown != NULL && (flag->shown[0] == '[' || flag->shown[0] == '\0');

    return flag->kind != FLAG_SWITCH && !optional;
}

const struct flag *flag_find(const char *name, size_t length)
{
    for (int i = 0; i < flag_count; i++) {
        if (flag_is_ours(&flags[i]) && strlen(flags[i].name) == length &&
            strncmp(flags[i].name, name, length) == 0) {
            return &flags[i];
        }
    }
    return NULL;
}

static int word_of(const char *name, const char *text)
{
    const struct flag *flag = flag_find(name, strlen(name));

    for (const struct flag *row = flag + 1; row->kind == FLAG_WORD; row++) {
        if (strcmp(row->name, text) == 0) {
            return row->number;
        }
    }
    return -1;
}

void flag_write_values(FILE *out, const struct flag *flag)
{
    const char *between = "";

    if (flag->kind == FLAG_SWITCH) {
        fputs("1|0", out);
    } else if (flag->kind == FLAG_NUMBER) {
        fputs("N", out);
    } else if (flag->shown != NULL) {
        size_t bracket = flag->shown[0] == '[';

        fprintf(out, "%.*s", (int)(strlen(flag->shown) - 2 * bracket), flag->shown + bracket);
    }
    for (const struct flag *word = flag + 1; flag->shown == NULL && word->kind == FLAG_WORD;
         word++) {
        fprintf(out, "%s%s", between, word->name);
        between = "|";
    }
    fputs(flag->kind == FLAG_LIST ? "[,...]" : "", out);
}

/* ---- values ------------------------------------------------------------------------------------
 */

static bool set_switch(bool *on, const char *value)
{
    *on = strcmp(value, "") == 0 || strcmp(value, "1") == 0;
    return *on || strcmp(value, "0") == 0;
}

static bool set_number(const struct flag *flag, int *to, const char *value)
{
    char *end;
    long number = strtol(value, &end, 10);

    *to = (int)number;
    return isdigit((unsigned char)value[0]) && *end == '\0' && number >= flag->least &&
           number <= flag->most;
}

bool flag_set(const struct flag *flag, struct settings *settings, const char *value)
{
    void *field = (char *)settings + flag->offset;
    int word;

    switch (flag->kind) {
    case FLAG_SWITCH:
        return set_switch(field, value);
    case FLAG_NUMBER:
        return set_number(flag, field, value);
    case FLAG_TEXT:
        *(const char **)field = value;
        return value[0] != '\0';
    case FLAG_CHOICE:
        word = word_of(flag->name, value);
        *(enum setting_word *)field = word >= 0 ? (enum setting_word)word : 0;
        return word >= 0;
    default:
        return flag->set(settings, value);
    }
}

void flags_begin(struct settings *settings)
{
    for (int i = 0; i < flag_count; i++) {
        if (flags[i].kind == FLAG_CHOICE) {
            *(enum setting_word *)((char *)settings + flags[i].offset) =
                (enum setting_word)flags[i + 1].number;
        }
    }
    emit_auto(&settings->emit);
}
