/* analyse.c: one source through the front end and the splitter, with the checks between.
 *
 * A file that clang cannot read is the host compiler's affair first: its errors are what users
 * know. Only when the host compiler accepts it, and it has loops, clang's errors are shown.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pass/diag.h"
#include "pass/driver/driver.h"
#include "pass/driver/process.h"
#include "pass/pass.h"
#include "splitter/splitter.h"

static struct words parse_flags(const struct driver *driver)
{
    struct words flags = words_new(driver->arena);
    struct words users = command_select(&driver->command, USE_PARSE);

    words_add(&flags, "-I");
    words_add(&flags, driver->config.include);
    words_add_all(&flags, &users);
    return flags;
}

/* Whether the file itself has the word op_par_loop. */
static bool mentions_loops(const char *path)
{
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t size = 0;
    bool found = false;

    while (file != NULL && !found && getline(&line, &size, file) >= 0) {
        found = strstr(line, "op_par_loop") != NULL;
    }
    free(line);
    if (file != NULL) {
        fclose(file);
    }
    return found;
}

/* The host compiler's opinion of the source; its exit code. */
static int host_check(const struct driver *driver, const struct unit *unit)
{
    bool *keep = arena_alloc(driver->arena, (size_t)driver->command.words * sizeof(*keep));
    struct job job = {.what = "host compiler", .command = host_command(driver)};

    keep[unit->input] = true;
    command_compile_some(&driver->command, keep, unit->output, NULL, &job.command);
    words_add(&job.command, "-fsyntax-only");
    jobs_run(&job, 1);
    return job_exit_code(&job);
}

/* libclang writes an #include line for each -include and -imacros, where a name ends at a quote. */
static void note_quotes(const struct driver *driver)
{
    const struct command *command = &driver->command;

    for (int i = 0; i < command->words; i++) {
        const struct word *flag = &command->word[i];
        bool includes =
            flag->kind == WORD_FLAG &&
            (text_starts(flag->text, "-include") || text_starts(flag->text, "--include") ||
             text_starts(flag->text, "-imacros") || text_starts(flag->text, "--imacros"));
        bool apart = i + 1 < command->words && flag[1].kind == WORD_VALUE;
        const char *name = flag[apart].text;

        if (includes && strpbrk(name, "\"\n") != NULL) {
            fprintf(stderr,
                    "cleavecc: note: loops are read with libclang, which cannot include a file "
                    "with a quote or a line's end in its name: '%s'\n",
                    name);
        }
    }
}

/* The front end found errors, written in `messages`. */
static int give_up(const struct driver *driver, const struct unit *unit, const struct diag *diag,
                   bool has_loops, const char *messages)
{
    bool unread = diag_count(diag, DIAG_parse_error) == diag_errors(diag);
    int code;

    if (unread && !has_loops && !mentions_loops(unit->source)) {
        return 0; /* nothing of ours in it: compiled as without cleavecc */
    }
    code = unread ? host_check(driver, unit) : 0;
    if (code != 0) {
        return code;
    }
    fputs(messages, stderr);
    note_quotes(driver);
    return 1;
}

static int check_station(const struct unit *unit, const char *station, const char *broken_rule)
{
    if (broken_rule == NULL) {
        return 0;
    }
    fprintf(stderr, "cleavecc: error: %s: the %s broke a rule of its own: %s; please report this\n",
            unit->source, station, broken_rule);
    return 1;
}

static void dump(const struct driver *driver, const struct unit *unit, enum dump what)
{
    static void (*const print[DUMPS])(FILE *out, const struct program *program) = {
        [DUMP_LOOPS] = loop_ir_print,
        [DUMP_GRAPH] = splitter_print_graph,
        [DUMP_DOT] = splitter_print_dot,
        [DUMP_STAGES] = splitter_print,
    };

    if (driver->settings.dump[what]) {
        print[what](stderr, unit->program);
    }
}

/* Notes the bodies that could not be taken apart, where that takes schedules away. A body without a
 * tree has its note from the front end. */
static void say_whole(const struct program *program)
{
    struct diag *diag = diag_new(stderr);

    for (int l = 0; diag != NULL && l < program->loops; l++) {
        const struct loop *loop = &program->loop[l];

        if (loop->whole_reason != NULL && loop->schedule[AT_SPLIT].legal &&
            loop->kernel->body != NULL) {
            diag_report(diag, DIAG_whole_body, loop->whole_loc, 1, (struct loc){.line = 0},
                        loop->kernel->user_name, loop->whole_reason);
        }
    }
    diag_free(diag);
}

static int split(const struct driver *driver, struct unit *unit)
{
    double start = seconds_now();
    int code = check_station(unit, "front end", loop_ir_check(unit->program));

    if (code != 0) {
        return code;
    }
    dump(driver, unit, DUMP_LOOPS);
    splitter_run(unit->program, &driver->settings.split);
    say_whole(unit->program);
    code = check_station(unit, "splitter", loop_ir_check(unit->program));
    if (code == 0) {
        code = check_station(unit, "splitter", splitter_check_graphs(unit->program));
    }
    if (code == 0) {
        code = check_station(unit, "splitter", splitter_check(unit->program));
    }
    for (int d = DUMP_GRAPH; d < DUMPS && code == 0; d++) {
        dump(driver, unit, d);
    }
    if (code == 0 && driver->settings.explain) {
        splitter_explain(stderr, unit->program);
        codegen_explain(stderr, unit->program, &driver->settings.emit);
    }
    unit->back_seconds = seconds_now() - start;
    return code;
}

/* Runs the front end with its messages going to `out`. Returns 0 or an exit code. */
static int parse(const struct driver *driver, struct unit *unit, struct diag *diag, FILE *out,
                 char *const *messages)
{
    struct words flags = parse_flags(driver);
    struct pass_options options = {.source = unit->source,
                                   .language = unit->language,
                                   .flags = flags.count,
                                   .flag = flags.word,
                                   .accept_alias = driver->settings.accept_alias,
                                   .include_dir = driver->config.include,
                                   .parse_dir = driver->config.parse};
    bool has_loops = false;

    if (driver->settings.access_warn) {
        diag_access_as_warnings(diag);
    }
    if (device_is_none(driver)) {
        diag_host_only(diag);
    }
    unit->program = pass_run(&options, diag, &has_loops);
    fflush(out);
    if (diag_errors(diag) > 0) {
        return give_up(driver, unit, diag, has_loops, *messages);
    }
    fputs(*messages, stderr);
    if (unit->program != NULL && unit->program->loops == 0) {
        unit_free(unit);
    }
    if (unit->program != NULL) {
        snprintf(unit->id, sizeof(unit->id), "%s", unit->program->unit);
    }
    return 0;
}

int unit_read(struct driver *driver, struct unit *unit)
{
    char *messages = NULL;
    size_t size = 0;
    FILE *out;
    struct diag *diag;
    double start = seconds_now();
    int code = 1;

    if (access(unit->source, R_OK) != 0) {
        return 0; /* the host compiler says so */
    }
    out = open_memstream(&messages, &size);
    diag = out ? diag_new(out) : NULL;
    if (diag == NULL) {
        fputs("cleavecc: error: out of memory\n", stderr);
    } else {
        code = parse(driver, unit, diag, out, &messages);
    }
    diag_free(diag);
    if (out != NULL) {
        fclose(out);
    }
    free(messages);
    unit->front_seconds = seconds_now() - start;
    if (code == 0 && unit->program != NULL) {
        code = split(driver, unit);
    }
    if (code != 0) {
        unit_free(unit);
    }
    return code;
}

void unit_free(struct unit *unit)
{
    if (unit->program != NULL) {
        program_free(unit->program);
        unit->program = NULL;
    }
}
