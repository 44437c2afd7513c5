/* run.c: finds the units of a command, compiles them and links. See run.h. */
#include "pass/driver/run.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "pass/driver/cache.h"
#include "pass/driver/compile.h"
#include "pass/driver/devices.h"
#include "pass/driver/generated.h"
#include "pass/driver/link.h"
#include "pass/driver/mention.h"
#include "pass/driver/messages.h"
#include "pass/driver/process.h"
#include "pass/driver/reader.h"
#include "pass/frontend/pass.h"

/* All units of one command. */
struct work {
    int units;
    struct unit *unit;
    int parallel; /* units with loops */
    int failed;   /* units with errors */
    int code;     /* exit code of the first failure */
};

static bool is_source(const struct word *word)
{
    return word->kind == WORD_INPUT && (word->input == INPUT_C || word->input == INPUT_CXX);
}

static bool has_compiled_input(const struct command *command)
{
    for (int i = 0; i < command->words; i++) {
        if (command->word[i].kind == WORD_INPUT && command->word[i].input != INPUT_LINKER) {
            return true;
        }
    }
    return false;
}

static bool links(const struct command *command)
{
    return command->inputs > 0 && !command->host_only && !command->check_only &&
           !command->compile_only && !command->relocatable && !command->no_libraries;
}

/* The host compiler's help, and where ours is. */
static int show_help(const struct words *command)
{
    struct job job = {.what = "host compiler", .command = *command};

    jobs_run(&job, 1);
    puts("\ncleavecc: this is the host compiler's help; --cleave-help lists what cleavecc adds");
    return fflush(stdout) == 0 ? job_exit_code(&job) : 1;
}

/* Warns of each source with loops that is compiled to assembler text, which has none of ours.
 * Returns 0, or 1 where that is an error. */
static int warn_of_assembly(const struct driver *driver)
{
    const struct command *command = &driver->command;
    const struct loc nowhere = {.line = 0};
    struct messages messages;

    if (!(command_has(command, "-S") || command_has(command, "--assemble")) ||
        command_has(command, "-E") || messages_begin(&messages, driver) != 0) {
        return 0;
    }
    for (int i = 0; i < command->words; i++) {
        const struct word *word = &command->word[i];
        const struct unit unit = {.source = word->text,
                                  .language = word->input == INPUT_C ? LANGUAGE_C : LANGUAGE_CXX};

        if (is_source(word) && unit_expands_loops(driver, &unit)) {
            diag_report(messages.diag, DIAG_assembly, nowhere, 1, nowhere, word->text);
        }
    }
    return messages_end(&messages, NULL);
}

/* The whole command as the user wrote it, with our include path and libraries. */
static int run_host(const struct driver *driver)
{
    struct words out = words_new(driver->arena);
    int code = cache_warn_preprocessed(driver);

    code = code == 0 ? warn_of_assembly(driver) : code;
    if (code != 0) {
        return code;
    }
    if (has_compiled_input(&driver->command)) {
        out = host_command(driver);
        cache_add_settings(driver, &out);
    } else {
        words_add_all(&out, &driver->config.host);
    }
    words_add_all(&out, &driver->words);
    if (links(&driver->command)) {
        link_add_libraries(driver, &out);
    }
    if (driver->settings.verbose) {
        words_print(stderr, &out);
    }
    return command_has(&driver->command, "--help") ? show_help(&out) : process_become(&out);
}

/* Returns where the object of a unit goes; in a link, the temporary folder once there is one. */
static const char *output_of(const struct driver *driver, const char *source)
{
    const struct command *command = &driver->command;

    if (command->compile_only && command->output != NULL) {
        return command->output;
    }
    return arena_format(driver->arena, "%s.o", path_stem(driver->arena, source));
}

static void fail(struct work *work, int code)
{
    work->failed += code != 0;
    if (work->code == 0) {
        work->code = code;
    }
}

static void analyse(struct driver *driver, struct work *work, struct unit *unit)
{
    int code = unit_analyse(driver, unit);

    unit->failed = code != 0;
    fail(work, code);
    if (unit->failed && driver->command.compile_only && !driver->command.check_only) {
        output_remove(unit->output);
    }
}

/* Makes the name unique: other units of the run may have files of one name in two folders, or names
 * that differ only in characters that are not plain. */
static const char *stem_of(const struct driver *driver, const struct work *work, const char *source)
{
    const char *plain = text_made_plain(driver->arena, path_stem(driver->arena, source));
    const char *stem = plain;
    int same = 1;

    for (int u = 0; u < work->units; u++) {
        if (strcmp(work->unit[u].stem, stem) == 0) {
            stem = arena_format(driver->arena, "%s_%d", plain, ++same);
            u = -1;
        }
    }
    return stem;
}

static void analyse_all(struct driver *driver, struct work *work)
{
    const struct command *command = &driver->command;

    work->unit = arena_alloc(driver->arena, (size_t)command->sources * sizeof(*work->unit));
    for (int i = 0; i < command->words; i++) {
        struct unit *unit = &work->unit[work->units];
        const struct word *word = &command->word[i];

        if (!is_source(word)) {
            continue;
        }
        *unit = (struct unit){.input = i,
                              .source = word->text,
                              .stem = stem_of(driver, work, word->text),
                              .language = word->input == INPUT_C ? LANGUAGE_C : LANGUAGE_CXX,
                              .output = output_of(driver, word->text)};
        work->units++;
        analyse(driver, work, unit);
        work->parallel += unit->has_loops;
    }
}

/* The folder of an output from the root on, with the user's -ffile-prefix-map. */
static const char *mapped_folder(const struct driver *driver, const char *output)
{
    const char *folder = path_folder(driver->arena, output);
    char *real = realpath(folder, NULL);
    const char *full = real ? arena_text(driver->arena, real) : folder;
    const char *map = command_last(&driver->command, "-ffile-prefix-map=");
    const char *from = map ? strchr(map, '=') + 1 : "";
    size_t length = strcspn(from, "=");

    free(real);
    if (length > 0 && from[length] == '=' && strncmp(full, from, length) == 0) {
        return arena_format(driver->arena, "%s%s", from + length + 1, full + length);
    }
    return full;
}

/* nvcc writes the name of the temporary folder into objects. Each output has its own folder, so
 * that two commands can run side by side; mapped names keep reproducible builds equal. */
static int make_temporary(struct driver *driver, const struct work *work)
{
    const char *output = driver->command.output ? driver->command.output : work->unit[0].output;
    const char *what =
        arena_format(driver->arena, "%s/%s", mapped_folder(driver, output), path_base(output));
    char id[17];

    for (int i = 0; i < work->units; i++) {
        if (work->unit[i].has_loops) {
            what = arena_format(driver->arena, "%s %s", what, work->unit[i].id);
        }
    }
    pass_unit_id(id, &(struct pass_text){what, strlen(what)}, 1);
    if (driver->settings.dry_run) {
        driver->folder = arena_format(driver->arena, "/tmp/cleave-%s", id);
    } else {
        driver->folder = temporary_make(driver->arena, id);
    }
    return driver->folder != NULL ? 0 : 1;
}

static void compile_units(struct driver *driver, struct work *work)
{
    for (int i = 0; i < work->units && !process_interrupted(); i++) {
        struct unit *unit = &work->unit[i];

        if (!unit->has_loops) {
            continue;
        }
        if (!driver->command.compile_only) {
            unit->output = arena_format(driver->arena, "%s/%s.o", driver->folder, unit->stem);
        }
        fail(work, unit_compile(driver, unit));
    }
}

static int run_job(const struct driver *driver, const char *what, const struct words *command)
{
    struct job job = {.what = what, .command = *command};

    if (driver->settings.verbose || driver->settings.dry_run) {
        words_print(stderr, command);
    }
    if (driver->settings.dry_run) {
        return 0;
    }
    jobs_run(&job, 1);
    return job_exit_code(&job);
}

/* -c with several inputs: those that are not ours. A unit with errors is not compiled again. */
static void compile_others(const struct driver *driver, struct work *work)
{
    const struct command *command = &driver->command;
    bool *keep = arena_alloc(driver->arena, (size_t)command->words * sizeof(*keep));
    struct words out = host_command(driver);
    bool any = false;

    for (int i = 0; i < command->words; i++) {
        keep[i] = command->word[i].kind == WORD_INPUT && !is_source(&command->word[i]);
        any = any || keep[i];
    }
    for (int i = 0; i < work->units; i++) {
        bool plain = !work->unit[i].has_loops && !work->unit[i].failed;

        keep[work->unit[i].input] = plain;
        any = any || plain;
    }
    if (any) {
        command_compile_some(command, keep, NULL, NULL, &out);
        fail(work, run_job(driver, "host compiler", &out));
    }
}

/* Links the new objects with everything else in the command. */
static void link_all(const struct driver *driver, struct work *work)
{
    const struct command *command = &driver->command;
    const char **replace = arena_alloc(driver->arena, (size_t)command->words * sizeof(*replace));
    struct words out = host_command(driver);

    for (int i = 0; i < work->units; i++) {
        if (work->unit[i].has_loops) {
            replace[work->unit[i].input] = work->unit[i].output;
        }
    }
    command_replace_inputs(command, replace, &out);
    if (links(command)) {
        link_add_libraries(driver, &out);
    }
    fail(work, run_job(driver, "linker", &out));
}

/* The compiler's notes would go with the temporary objects. Returns 0, or 1 where that is an error.
 */
static int warn_of_coverage(const struct driver *driver)
{
    const struct loc nowhere = {.line = 0};
    struct messages messages;

    if (!command_covers(&driver->command) || driver->command.compile_only) {
        return 0;
    }
    if (messages_begin(&messages, driver) == 0) {
        diag_report(messages.diag, DIAG_linked_coverage, nowhere, 1, nowhere);
    }
    return messages_end(&messages, NULL);
}

static void note_lto(const struct driver *driver)
{
    if (command_has_lto(&driver->command)) {
        fputs("cleavecc: note: files with loops are compiled without -flto, because their objects "
              "are joined with those of the generated files\n",
              stderr);
    }
}

static void make_all(struct driver *driver, struct work *work)
{
    if (device_choose(driver) != 0 || cache_warn(driver) != 0 || warn_of_coverage(driver) != 0 ||
        make_temporary(driver, work) != 0) {
        fail(work, 1);
        return;
    }
    note_lto(driver);
    compile_units(driver, work);
    if (driver->command.compile_only && driver->command.inputs > 1) {
        compile_others(driver, work);
    } else if (!driver->command.compile_only && !work->failed) {
        link_all(driver, work);
    }
    if (!driver->settings.dry_run) {
        temporary_remove(driver->folder);
    }
}

static void finish_units(struct work *work)
{
    for (int i = 0; i < work->units; i++) {
        fail(work, unit_finish(&work->unit[i], 0));
    }
}

static bool is_input(const struct command *command, const char *path)
{
    struct stat output;
    struct stat input;

    if (stat(path, &output) != 0 || !S_ISREG(output.st_mode)) {
        return false;
    }
    for (int i = 0; i < command->words; i++) {
        const struct word *word = &command->word[i];

        if (word->kind == WORD_INPUT && stat(word->text, &input) == 0 &&
            input.st_dev == output.st_dev && input.st_ino == output.st_ino) {
            return true;
        }
    }
    return false;
}

/* The source whose object, under its default name, would overwrite an input, as in 'cc -x c -c
 * a.o'; NULL: there is none. */
static const char *overwritten_input(const struct driver *driver)
{
    const struct command *command = &driver->command;

    if (!command->compile_only || command->output != NULL) {
        return NULL;
    }
    for (int i = 0; i < command->words; i++) {
        if (is_source(&command->word[i]) &&
            is_input(command, output_of(driver, command->word[i].text))) {
            return command->word[i].text;
        }
    }
    return NULL;
}

/* An output that is also an input is the host compiler's error to report. It must see the user's
 * names: otherwise it would see only those of temporary objects. */
static bool is_for_host(const struct command *command)
{
    return command->host_only || command->sources == 0 ||
           (command->compile_only && command->output != NULL && command->inputs > 1) ||
           (command->output != NULL && is_input(command, command->output));
}

int driver_run(struct driver *driver)
{
    const struct command *command = &driver->command;
    const char *overwritten;
    struct work work = {0};

    if (links(command) && op2_leave_out(driver) != 0) {
        return 1;
    }
    if (is_for_host(command)) {
        return run_host(driver);
    }
    overwritten = overwritten_input(driver);
    if (overwritten != NULL) {
        fprintf(stderr,
                "cleavecc: error: the object of '%s' would overwrite an input; name it with -o\n",
                overwritten);
        return 1;
    }
    analyse_all(driver, &work);
    if (command->check_only) {
        finish_units(&work);
        return work.failed ? work.code : run_host(driver);
    }
    if (work.parallel == 0 && !work.failed) {
        return run_host(driver);
    }
    if (work.parallel > 0) {
        make_all(driver, &work);
    }
    finish_units(&work);
    return work.code;
}
