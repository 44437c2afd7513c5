/* analyse.c: takes one source through the front end and the splitter, with the checks between.
 *
 * If clang cannot read a file, the host compiler checks it first: users know its error messages.
 * clang's errors are shown only when the host compiler accepts the file and it has loops. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pass/driver/analyse.h"
#include "pass/driver/devices.h"
#include "pass/driver/environment.h"
#include "pass/driver/explain.h"
#include "pass/driver/generated.h"
#include "pass/driver/mention.h"
#include "pass/driver/messages.h"
#include "pass/driver/reader.h"
#include "pass/driver/process.h"
#include "pass/frontend/pass.h"
#include "pass/ir/chain.h"
#include "pass/ir/group.h"
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

/* Lets the host compiler check the source; returns its exit code. */
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

/* libclang writes an #include line for each -include and -imacros; a quote in the name would end
 * it. */
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

/* The front end found errors. */
static int give_up(const struct driver *driver, const struct unit *unit, bool has_loops,
                   struct messages *messages)
{
    bool unread = diag_count(messages->diag, DIAG_parse_error) == diag_errors(messages->diag);
    int code;

    messages->dropped = unread;
    if (unread && !has_loops && !unit_names_loops(unit)) {
        return 0; /* the source has nothing of OP2: it is compiled as without cleavecc */
    }
    code = unread ? host_check(driver, unit) : 0;
    if (code != 0) {
        return code;
    }
    messages->dropped = false;
    messages_show(messages);
    note_quotes(driver);
    return 1;
}

static int check_station(const struct unit *unit, const char *station, const char *broken_rule)
{
    if (broken_rule == NULL) {
        return 0;
    }
    fprintf(stderr, "cleavecc: error: %s: internal error in the %s: %s; please report this\n",
            unit->source, station, broken_rule);
    return 1;
}

static void dump(const struct driver *driver, const struct unit *unit, enum setting_word what)
{
    static void (*const print[])(FILE *out, const struct program *program) = {
        [DUMP_LOOPS] = loop_ir_print,        [DUMP_CHAINS] = chain_print,
        [DUMP_GRAPH] = splitter_print_graph, [DUMP_DOT] = splitter_print_dot,
        [DUMP_STAGES] = splitter_print,      [DUMP_GROUPS] = group_print,
    };

    if (driver->settings.dump[what]) {
        print[what](stderr, unit->program);
    }
}

/* Adds notes about bodies that could not be taken apart, if that costs the loop schedules. A body
 * without a tree has its note from the front end. */
static void say_whole(const struct program *program, struct diag *diag)
{
    for (int l = 0; l < program->user_loops; l++) {
        const struct loop *loop = &program->loop[l];

        if (loop->whole_reason != NULL && loop->schedule[AT_SPLIT].legal &&
            loop->kernel->body != NULL) {
            diag_report(diag, DIAG_whole_body, loop->whole_loc, 1, (struct loc){.line = 0},
                        loop->kernel->user_name, loop->whole_reason);
        }
    }
}

static int split(const struct driver *driver, struct unit *unit, struct messages *messages)
{
    double start = seconds_now();
    int code = check_station(unit, "front end", loop_ir_check(unit->program));

    if (code != 0) {
        return code;
    }
    dump(driver, unit, DUMP_LOOPS);
    dump(driver, unit, DUMP_CHAINS);
    splitter_run(unit->program, &driver->settings.split);
    say_whole(unit->program, messages->diag);
    messages_show(messages);
    code = check_station(unit, "splitter", loop_ir_check(unit->program));
    if (code == 0) {
        code = check_station(unit, "splitter", splitter_check_graphs(unit->program));
    }
    if (code == 0) {
        code = check_station(unit, "splitter", splitter_check(unit->program));
    }
    for (int d = DUMP_GRAPH; d <= DUMP_GROUPS && code == 0; d++) {
        dump(driver, unit, d);
    }
    code = code == 0 ? explain_unit(driver, unit) : code;
    unit->back_seconds = seconds_now() - start;
    return code;
}

/* Runs the front end. Returns 0 or an exit code. */
static int parse(const struct driver *driver, struct unit *unit, struct messages *messages)
{
    struct words flags = parse_flags(driver);
    struct pass_options options = {.source = unit->source,
                                   .language = unit->language,
                                   .flags = flags.count,
                                   .flag = flags.word,
                                   .accept_alias = driver->settings.alias == ALIAS_ACCEPT,
                                   .resource_dir = variable_value(VARIABLE_CLANG_RESOURCE_DIR),
                                   .include_dir = driver->config.include,
                                   .parse_dir = driver->config.parse};
    bool has_loops = false;

    if (device_is_none(driver)) {
        diag_host_only(messages->diag);
    }
    unit->program = pass_run(&options, messages->diag, &has_loops);
    if (diag_errors(messages->diag) > 0) {
        return give_up(driver, unit, has_loops, messages);
    }
    messages_show(messages);
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
    struct messages messages;
    double start = seconds_now();
    int code = 1;

    if (access(unit->source, R_OK) != 0) {
        return 0; /* the host compiler reports it */
    }
    if (!unit_may_have_loops(driver, unit)) {
        return 0;
    }
    if (messages_begin(&messages, driver) == 0) {
        code = parse(driver, unit, &messages);
    }
    unit->front_seconds = seconds_now() - start;
    if (code == 0 && unit->program != NULL) {
        code = split(driver, unit, &messages);
    }
    if (messages_end(&messages, unit) != 0 && code == 0) {
        code = 1;
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
