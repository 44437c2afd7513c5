/* messages.c: sets the form of our messages by flags that are also the host compiler's.
 *
 * -w, -Werror, -fdiagnostics-color and -fdiagnostics-format have gcc's meaning for our messages,
 * and stay in the host compiler's command. Formats that write files, which gcc has since release
 * 13, also work with a host compiler that does not know them: its own messages are text then. */
#include "pass/driver/messages.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pass/driver/environment.h"
#include "pass/driver/process.h"

static const char format_flag[] = "-fdiagnostics-format=";

static const struct {
    const char *name;
    enum diag_format format;
    const char *suffix; /* of the file; NULL: to stderr */
} formats[] = {
    {"text", DIAG_TEXT, NULL},          {"json", DIAG_JSON, NULL},
    {"json-stderr", DIAG_JSON, NULL},   {"json-file", DIAG_JSON, ".cleave.json"},
    {"sarif-stderr", DIAG_SARIF, NULL}, {"sarif-file", DIAG_SARIF, ".cleave.sarif"},
};

static bool is_terminal(void)
{
    const char *terminal = variable_text(VARIABLE_TERM);
    const char *colours = variable_text(VARIABLE_GCC_COLORS);

    return isatty(STDERR_FILENO) && terminal != NULL && strcmp(terminal, "dumb") != 0 &&
           (colours == NULL || colours[0] != '\0');
}

static bool wants_colour(const struct command *command)
{
    static const char flag[] = "-fdiagnostics-color";
    const char *last = "auto";

    for (int i = 0; i < command->words; i++) {
        const char *text = command->word[i].text;

        if (command->word[i].kind != WORD_FLAG) {
            continue;
        }
        if (strcmp(text, "-fno-diagnostics-color") == 0) {
            last = "never";
        } else if (strcmp(text, flag) == 0) {
            last = "always";
        } else if (text_starts(text, flag) && text[sizeof(flag) - 1] == '=') {
            last = text + sizeof(flag);
        }
    }
    return strcmp(last, "always") == 0 || (strcmp(last, "auto") == 0 && is_terminal());
}

static bool makes_errors(const struct command *command)
{
    bool makes = false;

    for (int i = 0; i < command->words; i++) {
        const char *text = command->word[i].text;

        if (command->word[i].kind == WORD_FLAG && strcmp(text, "-Werror") == 0) {
            makes = true;
        } else if (command->word[i].kind == WORD_FLAG && strcmp(text, "-Wno-error") == 0) {
            makes = false;
        }
    }
    return makes;
}

static bool host_knows(const struct driver *driver, const char *flag)
{
    struct words command = words_new(driver->arena);

    words_add_all(&command, &driver->config.host);
    words_add(&command, flag);
    words_add(&command, "-E");
    words_add(&command, "-xc");
    words_add(&command, "/dev/null");
    return process_output(&command) != NULL;
}

/* The host compiler's words without this one. */
static void remove_word(struct driver *driver, const char *flag)
{
    struct words rest = words_new(driver->arena);

    for (int i = 0; i < driver->words.count; i++) {
        if (strcmp(driver->words.word[i], flag) != 0) {
            words_add(&rest, driver->words.word[i]);
        }
    }
    driver->words = rest;
    driver->command = command_read(driver->arena, &rest, driver->command.is_cxx);
}

static void read_format(struct driver *driver)
{
    const char *flag = command_last(&driver->command, format_flag);
    const char *name = flag != NULL ? flag + strlen(format_flag) : "text";

    for (size_t f = 0; f < sizeof(formats) / sizeof(formats[0]); f++) {
        if (strcmp(name, formats[f].name) == 0) {
            driver->settings.messages.format = formats[f].format;
            driver->settings.messages_suffix = formats[f].suffix;
            if (f > 1 && !host_knows(driver, flag)) {
                fprintf(stderr,
                        "cleavecc: note: '%s' does not know %s: its own messages are text\n",
                        driver->config.host.word[0], flag);
                remove_word(driver, flag);
            }
        }
    }
}

void messages_read(struct driver *driver)
{
    struct diag_options *options = &driver->settings.messages;

    options->access_as_warnings = driver->settings.access == ACCESS_WARN;
    options->none_shown = command_has(&driver->command, "-w");
    options->all_errors = makes_errors(&driver->command);
    options->colour = wants_colour(&driver->command);
    read_format(driver);
}

/* ---- the messages of one unit ---------------------------------------------------------------- */

int messages_begin(struct messages *messages, const struct driver *driver)
{
    *messages = (struct messages){.driver = driver};
    messages->out = open_memstream(&messages->text, &messages->size);
    messages->diag = messages->out ? diag_new(messages->out) : NULL;
    if (messages->diag == NULL) {
        fputs("cleavecc: error: out of memory\n", stderr);
        return -1;
    }
    diag_configure(messages->diag, &driver->settings.messages);
    return 0;
}

void messages_show(struct messages *messages)
{
    if (messages->out != NULL && fflush(messages->out) == 0 && !messages->dropped &&
        messages->text != NULL) {
        fwrite(messages->text + messages->shown, 1, messages->size - messages->shown, stderr);
        messages->shown = messages->size;
    }
}

/* The file beside the object, or in the current folder if there is none. */
static const char *file_name(const struct driver *driver, const struct unit *unit)
{
    const struct command *command = &driver->command;
    struct stat found;
    bool named = unit != NULL && command->compile_only && command->output != NULL &&
                 (stat(command->output, &found) != 0 || S_ISREG(found.st_mode));
    const char *name =
        named ? command->output : path_base(unit != NULL ? unit->source : "cleavecc");

    return arena_format(driver->arena, "%s%s", name, driver->settings.messages_suffix);
}

static int write_file(const struct messages *messages, const struct unit *unit)
{
    const char *path = file_name(messages->driver, unit);
    FILE *out = fopen(path, "w");
    bool failed = out == NULL;

    if (out != NULL) {
        failed = fwrite(messages->text, 1, messages->size, out) != messages->size;
        failed = fclose(out) != 0 || failed;
    }
    if (failed) {
        fprintf(stderr, "cleavecc: error: cannot write '%s': %s\n", path, strerror(errno));
    }
    return failed;
}

int messages_end(struct messages *messages, const struct unit *unit)
{
    int code = 0;

    if (messages->diag != NULL && !messages->dropped &&
        (messages->driver->settings.messages_suffix != NULL || diag_reports(messages->diag) > 0)) {
        diag_finish(messages->diag);
        fflush(messages->out);
        code = diag_errors(messages->diag) > 0;
        if (messages->driver->settings.messages_suffix == NULL) {
            messages_show(messages);
        } else if (write_file(messages, unit) != 0) {
            code = 1;
        }
    }
    diag_free(messages->diag);
    if (messages->out != NULL) {
        fclose(messages->out);
    }
    free(messages->text);
    return code;
}
