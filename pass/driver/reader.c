/* reader.c: the messages between the parent and the process that reads a unit.
 *
 * The child analyses its unit and sends the results to the parent. Then it writes one generated
 * text for each request, until the parent shuts the socket. */
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "pass/driver/analyse.h"
#include "pass/driver/explain.h"
#include "pass/driver/further.h"
#include "pass/driver/isolate.h"
#include "pass/driver/reader.h"

/* The first message of the child. */
struct analysis {
    int code;
    bool has_loops;
    int symbols; /* number of messages that follow, each the name of a symbol */
    char id[17];
    double front_seconds;
    double back_seconds;
};

struct request {
    enum codegen_target target;
    bool further; /* the text of further variants */
    char path[ISOLATE_MESSAGE - 64];
};

/* Whether other objects cannot name the variable, so that the join has to make it visible to the
 * generated parts. */
static bool is_hidden_variable(const struct var *var)
{
    return var->storage == STORAGE_GLOBAL && var->symbol != NULL && !var->is_external;
}

/* ---- the child ----------------------------------------------------------------------------------
 */

static struct analysis describe(const struct unit *unit, int code)
{
    struct analysis answer = {.code = code,
                              .has_loops = unit->program != NULL,
                              .front_seconds = unit->front_seconds,
                              .back_seconds = unit->back_seconds};

    memcpy(answer.id, unit->id, sizeof(answer.id));
    for (int g = 0; unit->program != NULL && g < unit->program->globals; g++) {
        answer.symbols += is_hidden_variable(unit->program->global[g]);
    }
    return answer;
}

/* Says which symbols the join needs; -1: the parent is gone. */
static long send_symbols(const struct unit *unit, int channel)
{
    long sent = 0;

    for (int g = 0; unit->program != NULL && g < unit->program->globals && sent >= 0; g++) {
        const struct var *var = unit->program->global[g];

        if (is_hidden_variable(var)) {
            sent = isolate_send(channel, var->symbol, strlen(var->symbol) + 1);
        }
    }
    return sent;
}

static int report_cannot_write(const char *path)
{
    fprintf(stderr, "cleavecc: error: cannot write '%s': %s\n", path, strerror(errno));
    return 1;
}

/* Coverage is measured, or little is optimised. */
static bool is_plain(const struct command *command)
{
    const char *level = command_last(command, "-O");
    return command_covers(command) ||
           (level != NULL && (strcmp(level, "-O0") == 0 || strcmp(level, "-Og") == 0));
}

bool reader_calls_whole(const struct driver *driver)
{
    const struct settings *settings = &driver->settings;
    bool sanitizes = command_last(&driver->command, "-fsanitize=") != NULL;
    return !settings->emit.comparisons &&
           (is_plain(&driver->command) || (sanitizes && !settings->emit_given));
}

/* Returns what to generate for the target. For debugging and coverage, OpenMP code names the user's
 * lines; with little optimisation, and for sanitizers, it calls kernels whole, as the user wrote
 * them. */
static struct codegen_options options_for(const struct driver *driver,
                                          const struct request *request)
{
    const struct settings *settings = &driver->settings;
    const struct command *command = &driver->command;
    struct codegen_options options = settings->emit;

    if (request->target != CODEGEN_OPENMP) {
        const char *contract = command_last(command, "-ffp-contract=");
        options.as_written = contract != NULL && strcmp(contract, "-ffp-contract=off") == 0;
        options.further = further_is_wanted(settings);
        return options;
    }
    options.file_name = path_base(request->path);
    if (command_covers(command) || command_debugs(command)) {
        options.debug_name =
            arena_format(driver->arena, "%s/%s", settings->keep ? settings->keep : ".",
                         path_base(request->path));
    }
    options.sanitized = command_last(command, "-fsanitize=") != NULL;
    options.whole = reader_calls_whole(driver);
    return options;
}

static int write_text(const struct driver *driver, const struct unit *unit,
                      const struct request *request)
{
    const struct codegen_options options = options_for(driver, request);
    FILE *out = fopen(request->path, "w");
    int failed;

    if (out == NULL) {
        return report_cannot_write(request->path);
    }
    failed = (request->further ? codegen_emit_further
                               : codegen_emit)(out, unit->program, request->target, &options) != 0;
    failed = fclose(out) != 0 || failed;
    return failed ? report_cannot_write(request->path) : 0;
}

static void serve(struct driver *driver, struct unit *unit, int channel)
{
    struct analysis answer = describe(unit, unit_read(driver, unit));
    struct request request;

    if (isolate_send(channel, &answer, sizeof(answer)) > 0 && send_symbols(unit, channel) >= 0) {
        while (isolate_receive(channel, &request, sizeof(request)) > 0) {
            int code = write_text(driver, unit, &request);

            if (isolate_send(channel, &code, sizeof(code)) < 0) {
                break;
            }
        }
    }
    unit_free(unit);
}

/* ---- the parent ---------------------------------------------------------------------------------
 */

/* After a crash the unit has no loops: only the host compiler compiles it. */
static void lose(struct unit *unit)
{
    isolate_report(unit);
    unit->has_loops = false;
}

static long receive_symbols(const struct driver *driver, struct unit *unit, int symbols)
{
    char name[ISOLATE_MESSAGE];
    long size = 0;

    unit->symbols = words_new(driver->arena);
    for (int s = 0; s < symbols && size >= 0; s++) {
        size = isolate_receive(unit->channel, name, sizeof(name));
        if (size > 0 && name[size - 1] == '\0') {
            words_add(&unit->symbols, arena_text(driver->arena, name));
        }
    }
    return size;
}

int unit_analyse(struct driver *driver, struct unit *unit)
{
    struct analysis answer;

    if (isolate_start(driver, unit, serve) != 0) {
        return 1;
    }
    if (isolate_receive(unit->channel, &answer, sizeof(answer)) != (long)sizeof(answer) ||
        receive_symbols(driver, unit, answer.symbols) < 0) {
        lose(unit);
        return 0;
    }
    unit->has_loops = answer.has_loops;
    unit->front_seconds = answer.front_seconds;
    unit->back_seconds = answer.back_seconds;
    memcpy(unit->id, answer.id, sizeof(unit->id));
    if (!unit->has_loops && answer.code == 0) {
        answer.code = explain_unit(driver, unit); /* others were explained where they were read */
    }
    return unit->has_loops ? answer.code : unit_finish(unit, answer.code);
}

static int ask(struct unit *unit, struct request request, const char *path)
{
    size_t length = strlen(path);
    int code;

    if (length >= sizeof(request.path)) {
        errno = ENAMETOOLONG;
        return report_cannot_write(path);
    }
    memcpy(request.path, path, length + 1);
    if (isolate_send(unit->channel, &request, offsetof(struct request, path) + length + 1) < 0 ||
        isolate_receive(unit->channel, &code, sizeof(code)) != (long)sizeof(code)) {
        lose(unit);
        return 0;
    }
    return code;
}

int unit_generate(struct unit *unit, enum codegen_target target, const char *path)
{
    return ask(unit, (struct request){.target = target}, path);
}

int unit_generate_further(struct unit *unit, enum codegen_target target, const char *path)
{
    return ask(unit, (struct request){.target = target, .further = true}, path);
}

int unit_finish(struct unit *unit, int code)
{
    int ended = isolate_end(unit);

    return code != 0 ? code : ended;
}
