/* cache.c: tells compiler caches such as ccache about settings. See cache.h.
 *
 * A cache finds an object by the text that `cleavecc -E` prints. Other things also decide about the
 * object: settings in the environment, the compilers, the GPUs of this machine. The macro
 * CLEAVE_SETTINGS passes them to op_lib.h, which declares something with their text, so that the
 * preprocessed text contains them. */
#include "pass/driver/cache.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pass/driver/environment.h"
#include "pass/driver/gpu.h"
#include "pass/driver/mention.h"
#include "pass/driver/messages.h"

static const struct loc nowhere;

/* Identifies a program by path, time and size, as caches identify compilers. */
static void add_program(struct words *out, const char *name)
{
    const char *path = name != NULL ? config_find_program(out->arena, name) : NULL;
    struct stat found;

    if (path != NULL && stat(path, &found) == 0) {
        words_add_format(out, "%s %lld.%09ld %lld", path, (long long)found.st_mtim.tv_sec,
                         found.st_mtim.tv_nsec, (long long)found.st_size);
    }
}

static void add_programs(struct words *out, const struct words *command)
{
    for (int i = 0; i < command->count; i++) {
        words_add(out, command->word[i]);
        add_program(out, command->word[i]);
    }
}

static bool asks_for_gpus(const struct settings *settings)
{
    bool asks = settings->device == DEVICE_DEFAULT;

    for (int i = 0; i < settings->architectures.count; i++) {
        asks = asks || strcmp(settings->architectures.word[i], "native") == 0;
    }
    return asks && settings->device != DEVICE_NONE;
}

static struct words all_settings(const struct driver *driver)
{
    struct words out = words_new(driver->arena);
    int gpu[16];
    int gpus = 0;

    settings_environment(driver->arena, &out);
    for (enum variable v = 0; v < VARIABLES; v++) {
        const char *value = variable_text(v);

        if (variable_is_compilers(v)) {
            words_add_format(&out, "%s=%s", variable_name(v), value ? value : "");
        }
    }
    add_programs(&out, &driver->config.host);
    if (driver->settings.device != DEVICE_NONE) {
        add_programs(&out, &driver->config.cxx);
        add_program(&out, driver->config.nvcc);
    }
    if (driver->config.nvcc != NULL && asks_for_gpus(&driver->settings)) {
        gpus = gpu_capabilities(gpu, sizeof(gpu) / sizeof(gpu[0]));
    }
    for (int i = 0; i < gpus; i++) {
        words_add_format(&out, "GPU %d", gpu[i]);
    }
    return out;
}

/* The words as one C string literal, a semicolon behind each. A byte takes at most four
 * characters. */
static const char *literal(const struct words *words)
{
    size_t size = sizeof("\"\"");
    char *text;
    char *to;

    for (int i = 0; i < words->count; i++) {
        size += 4 * strlen(words->word[i]) + 1;
    }
    to = text = arena_alloc(words->arena, size);
    *to++ = '"';
    for (int i = 0; i < words->count; i++) {
        for (const char *c = words->word[i]; *c != '\0'; c++) {
            bool plain = isalnum((unsigned char)*c) || strchr(" _./+-=,:", *c) != NULL;

            to += sprintf(to, plain ? "%c" : "\\%03o", (unsigned char)*c);
        }
        *to++ = ';';
    }
    strcpy(to, "\"");
    return text;
}

void cache_add_settings(const struct driver *driver, struct words *out)
{
    const struct command *command = &driver->command;
    bool preprocesses = command_has(command, "-E") || command_has(command, "--preprocess");

    /* -dM and similar options print macros: those of the host compiler. */
    if (preprocesses && command->sources > 0 && command_last(command, "-d") == NULL) {
        struct words settings = all_settings(driver);

        words_add_format(out, "-DCLEAVE_SETTINGS=%s", literal(&settings));
    }
}

/* The name of the program that started this one, "ccache"; NULL where that cannot be told. */
static const char *parent_name(struct arena *arena)
{
    FILE *file = fopen(arena_format(arena, "/proc/%d/comm", (int)getppid()), "r");
    char name[64] = "";

    if (file == NULL) {
        return NULL;
    }
    if (fgets(name, sizeof(name), file) == NULL) {
        name[0] = '\0';
    }
    fclose(file);
    name[strcspn(name, "\n")] = '\0';
    return arena_text(arena, name);
}

/* Why a cache of this name may return an object that other settings made; NULL: it does not. */
static const char *why_unsafe(const char *name)
{
    static const char *const known[] = {"ccache", "sccache"};
    const char *sloppiness = variable_text(VARIABLE_CCACHE_SLOPPINESS);

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        if (strcmp(name, known[i]) == 0) {
            bool sloppy = sloppiness != NULL && strstr(sloppiness, "time_macros") != NULL;

            return sloppy ? "with CCACHE_SLOPPINESS=time_macros it does not look at them" : NULL;
        }
    }
    return "it may not look at them";
}

int cache_warn(const struct driver *driver)
{
    const char *name = parent_name(driver->arena);
    const char *why = name != NULL && strstr(name, "cache") != NULL ? why_unsafe(name) : NULL;
    struct words set = words_new(driver->arena);
    struct messages messages;

    settings_environment(driver->arena, &set);
    if (why == NULL || set.count == 0) {
        return 0;
    }
    if (messages_begin(&messages, driver) == 0) {
        diag_report(
            messages.diag, DIAG_cached_settings, nowhere, 1, nowhere, name,
            arena_format(driver->arena, "%s%s", set.word[0], set.count > 1 ? " and more" : ""),
            why);
    }
    return messages_end(&messages, NULL);
}

/* ---- preprocessed text ----------------------------------------------------------------------- */

/* Whether op_par_loop stands there as the preprocessor leaves it. */
static bool has_expanded_loops(const char *path)
{
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t size = 0;
    bool found = false;

    while (file != NULL && !found && getline(&line, &size, file) >= 0) {
        found = text_has_expanded_loops(line);
    }
    free(line);
    if (file != NULL) {
        fclose(file);
    }
    return found;
}

int cache_warn_preprocessed(const struct driver *driver)
{
    const struct command *command = &driver->command;
    struct messages messages;

    if (command->host_only || messages_begin(&messages, driver) != 0) {
        return 0;
    }
    for (int i = 0; i < command->words; i++) {
        const struct word *word = &command->word[i];

        if (word->kind == WORD_INPUT && word->input == INPUT_OTHER &&
            strcmp(word->text, "-") != 0 && has_expanded_loops(word->text)) {
            diag_report(messages.diag, DIAG_preprocessed, nowhere, 1, nowhere, word->text);
        }
    }
    return messages_end(&messages, NULL);
}
