/* diag.c: counts what is reported, decides what it is in this run, and hands it to what prints it.
 * See diag.h. Text is printed at once; JSON and SARIF when all is known.
 */
#include "pass/ir/diag.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "pass/ir/diag_impl.h"

static const struct {
    const char *id;
    enum diag_severity severity;
    const char *message;
    const char *hint;
} table[] = {
#define DIAG(id, severity, message, hint) {#id, severity, message, hint},
#include "pass/ir/diag.def"
#undef DIAG
};

struct diag *diag_new(FILE *out)
{
    struct diag *diag = calloc(1, sizeof(*diag));

    if (diag != NULL) {
        diag->out = out;
        diag->arena = arena_new();
    }
    return diag;
}

void diag_free(struct diag *diag)
{
    if (diag != NULL) {
        arena_free(diag->arena);
        free(diag);
    }
}

void diag_configure(struct diag *diag, const struct diag_options *options)
{
    diag->options = *options;
}

void diag_access_as_warnings(struct diag *diag)
{
    diag->options.access_as_warnings = true;
}

void diag_host_only(struct diag *diag)
{
    diag->options.host_only = true;
}

/* ---- what the user asked for ---------------------------------------------------------------- */

/* Finds the ids that `name` means: all for "cleave", one for "cleave-read-written". *end is one
 * behind the last; both are 0 when there is none. */
static void find_ids(const char *name, int *first, int *end)
{
    *first = *end = 0;
    if (strcmp(name, "cleave") == 0) {
        *end = DIAG_COUNT;
        return;
    }
    for (int id = 0; id < DIAG_COUNT && strncmp(name, "cleave-", 7) == 0; id++) {
        const char *given = name + 7;
        const char *own = table[id].id;

        while (*own != '\0' && *given == (*own == '_' ? '-' : *own)) {
            given++;
            own++;
        }
        if (*own == '\0' && *given == '\0') {
            *first = id;
            *end = id + 1;
        }
    }
}

/* How a flag begins, and what it sets: 1, -1, or 0 if it leaves the message alone. */
struct form {
    const char *start;
    signed char shown;
    signed char error;
};

/* The flag for all messages. Notes are no errors unless one is named. */
static void set_all(struct diag_options *options, const struct form *form)
{
    if (form->shown != 0) {
        options->few_shown = form->shown < 0;
        memset(options->shown, 0, sizeof(options->shown));
    }
    for (int id = 0; id < DIAG_COUNT && form->error != 0; id++) {
        if (table[id].severity != DIAG_NOTE) {
            options->error[id] = form->error;
        }
    }
}

enum diag_answer diag_option_read(struct diag_options *options, const char *word)
{
    static const struct form forms[] = {
        {"-Wno-error=", 0, -1}, {"-Werror=", 1, 1}, {"-Wno-", -1, 0}, {"-W", 1, 0}, {NULL, 0, 0}};
    const struct form *form = forms;
    const char *name;
    int first;
    int end;

    while (form->start != NULL && strncmp(word, form->start, strlen(form->start)) != 0) {
        form++;
    }
    name = form->start != NULL ? word + strlen(form->start) : "";
    if (strncmp(name, "cleave", 6) != 0 || (name[6] != '\0' && name[6] != '-')) {
        return DIAG_OPTION_NOT_OURS;
    }
    find_ids(name, &first, &end);
    if (end == 0) {
        return DIAG_OPTION_UNKNOWN;
    }
    if (end - first > 1) {
        set_all(options, form);
        return DIAG_OPTION_READ;
    }
    if (table[first].severity == DIAG_ERROR && form->shown <= 0) {
        return DIAG_OPTION_FIXED;
    }
    options->shown[first] = form->shown != 0 ? form->shown : options->shown[first];
    options->error[first] = form->error != 0 ? form->error : options->error[first];
    return DIAG_OPTION_READ;
}

static bool is_hidden(const struct diag *diag, enum diag_id id)
{
    const struct diag_options *options = &diag->options;

    return options->none_shown || options->shown[id] < 0 ||
           (options->few_shown && options->shown[id] == 0);
}

enum diag_severity diag_severity_of(const struct diag *diag, enum diag_id id)
{
    const struct diag_options *options = &diag->options;
    enum diag_severity severity = table[id].severity;
    bool asked = options->error[id] > 0;

    if (severity == DIAG_ELSEWHERE && options->host_only) {
        severity = DIAG_NOTE;
    } else if (severity == DIAG_ACCESS || severity == DIAG_ELSEWHERE) {
        bool warns =
            options->access_as_warnings || options->error[id] < 0 || options->shown[id] < 0;

        severity = warns ? DIAG_WARNING : DIAG_ERROR;
    }
    if (is_hidden(diag, id) || severity == DIAG_ERROR) {
        return severity;
    }
    if (severity == DIAG_WARNING && options->all_errors && options->error[id] == 0) {
        asked = true;
    }
    return asked ? DIAG_ERROR : severity;
}

static const char *option_of(struct arena *arena, enum diag_id id, enum diag_severity severity)
{
    bool made = severity == DIAG_ERROR && table[id].severity < DIAG_ERROR;
    char *option;

    if (id == DIAG_parse_error || id == DIAG_parse_limits) {
        return NULL;
    }
    option = arena_format(arena, "%scleave-%s", made ? "-Werror=" : "-W", table[id].id);
    for (char *c = option; *c != '\0'; c++) {
        *c = *c == '_' ? '-' : *c;
    }
    return option;
}

/* ---- counting ------------------------------------------------------------------------------- */

int diag_errors(const struct diag *diag)
{
    return diag->errors;
}

int diag_reports(const struct diag *diag)
{
    int shown = 0;

    for (int n = 0; n < diag->reports; n++) {
        shown += !diag->report[n].hidden;
    }
    return shown;
}

int diag_count(const struct diag *diag, enum diag_id id)
{
    return diag->count[id];
}

void diag_list(FILE *out)
{
    static const char *const name[] = {"note", "warning", "error", "access", "elsewhere"};

    for (int id = 0; id < DIAG_COUNT; id++) {
        fprintf(out, "%s %s %s | %s\n", table[id].id, name[table[id].severity], table[id].message,
                table[id].hint != NULL ? table[id].hint : "-");
    }
}

/* Messages without a place are told apart by their text. */
static bool is_repeated(const struct diag *diag, enum diag_id id, struct loc where,
                        const char *text)
{
    for (int n = 0; n < diag->reports; n++) {
        const struct reported *report = &diag->report[n];

        if (report->id == id && same_place(report->loc, where) &&
            (has_place(where) || strcmp(report->text, text) == 0)) {
            return true;
        }
    }
    return false;
}

bool diag_was_reported(const struct diag *diag, enum diag_id id, struct loc where)
{
    return is_repeated(diag, id, where, "");
}

static char *format_message(struct arena *arena, const char *message, va_list list)
{
    va_list again;
    int length;
    char *text;

    va_copy(again, list);
    length = vsnprintf(NULL, 0, message, again);
    va_end(again);
    text = arena_alloc(arena, (size_t)length + 1);
    vsnprintf(text, (size_t)length + 1, message, list);
    return text;
}

void diag_report(struct diag *diag, enum diag_id id, struct loc where, int length,
                 struct loc hint_where, ...)
{
    struct reported report = {.id = id,
                              .severity = diag_severity_of(diag, id),
                              .loc = where,
                              .length = length,
                              .hint_loc = has_place(hint_where) ? hint_where : where,
                              .hint = table[id].hint};
    va_list list;

    va_start(list, hint_where);
    report.text = format_message(diag->arena, table[id].message, list);
    va_end(list);
    if (is_repeated(diag, id, where, report.text)) {
        return;
    }
    report.hidden = report.severity != DIAG_ERROR && is_hidden(diag, id);
    report.option = option_of(diag->arena, id, report.severity);
    diag->report = arena_grow(diag->arena, diag->report, diag->reports, &diag->capacity,
                              sizeof(*diag->report));
    diag->report[diag->reports++] = report;
    diag->count[id]++;
    diag->errors += report.severity == DIAG_ERROR;
    if (diag->options.format == DIAG_TEXT && !report.hidden) {
        diag_print_text(diag, &report);
    }
}

/* Whether an error is one only because -Werror asked for it. */
static bool has_made_error(const struct diag *diag)
{
    const struct diag_options *options = &diag->options;
    bool made = false;

    for (int n = 0; n < diag->reports && options->all_errors; n++) {
        enum diag_id id = diag->report[n].id;
        bool warns = table[id].severity == DIAG_WARNING ||
                     (table[id].severity >= DIAG_ACCESS && options->access_as_warnings);

        made = made || (warns && diag->report[n].severity == DIAG_ERROR && options->error[id] == 0);
    }
    return made;
}

void diag_finish(struct diag *diag)
{
    switch (diag->options.format) {
    case DIAG_TEXT:
        if (has_made_error(diag)) {
            fputs("cleavecc: all warnings being treated as errors\n", diag->out);
        }
        break;
    case DIAG_JSON:
        diag_print_json(diag);
        break;
    case DIAG_SARIF:
        diag_print_sarif(diag);
        break;
    }
}
