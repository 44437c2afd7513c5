/* diag.c: prints what diag.def says in clang's form and counts it. See diag.h.
 *
 * A message is followed by its source line, read again from the file, and a caret line. A file that
 * cannot be read, or a place outside it, costs the snippet and nothing else.
 */
#include "pass/diag.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "pass/arena.h"

enum { TAB_WIDTH = 8 };

static const struct {
    const char *id;
    enum diag_severity severity;
    const char *message;
    const char *hint;
} table[] = {
#define DIAG(id, severity, message, hint) {#id, severity, message, hint},
#include "pass/diag.def"
#undef DIAG
};

struct reported {
    enum diag_id id;
    struct loc loc;
    const char *text;
};

struct diag {
    FILE *out;
    struct arena *arena;
    bool access_as_warnings;
    bool host_only;
    int errors;
    int count[DIAG_COUNT];
    int reports;
    int capacity;
    struct reported *report;
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

void diag_access_as_warnings(struct diag *diag)
{
    diag->access_as_warnings = true;
}

void diag_host_only(struct diag *diag)
{
    diag->host_only = true;
}

enum diag_severity diag_severity_of(const struct diag *diag, enum diag_id id)
{
    if (table[id].severity == DIAG_ELSEWHERE && diag->host_only) {
        return DIAG_NOTE;
    }
    if (table[id].severity != DIAG_ACCESS && table[id].severity != DIAG_ELSEWHERE) {
        return table[id].severity;
    }
    return diag->access_as_warnings ? DIAG_WARNING : DIAG_ERROR;
}

int diag_errors(const struct diag *diag)
{
    return diag->errors;
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

/* Line `line` of the file without its end, in *text (grown by getline); its length, or -1. */
static ssize_t read_line(const char *file, int line, char **text, size_t *capacity)
{
    FILE *in = fopen(file, "r");
    ssize_t length = -1;

    if (in == NULL) {
        return -1;
    }
    for (int n = 0; n < line; n++) {
        length = getline(text, capacity, in);
        if (length < 0) {
            break;
        }
    }
    fclose(in);
    while (length > 0 && ((*text)[length - 1] == '\n' || (*text)[length - 1] == '\r')) {
        (*text)[--length] = '\0';
    }
    return length;
}

/* Columns on the screen after byte c, when there were `width` before it. */
static int advance(unsigned char c, int width)
{
    if (c == '\t') {
        return width + TAB_WIDTH - width % TAB_WIDTH;
    }
    return (c & 0xC0) == 0x80 ? width : width + 1; /* a UTF-8 character counts once */
}

static void print_snippet(FILE *out, struct loc where, int length)
{
    char *text = NULL;
    size_t capacity = 0;
    ssize_t bytes = read_line(where.file, where.line, &text, &capacity);
    int width = 0;
    int caret = 0;
    int end = 0;

    if (bytes < 0 || where.column < 1 || where.column > bytes + 1) {
        free(text);
        return;
    }
    for (ssize_t n = 0; n < bytes; n++) {
        int next = advance((unsigned char)text[n], width);

        if (n == where.column - 1) {
            caret = width;
        }
        if (text[n] == '\t') {
            fprintf(out, "%*s", next - width, "");
        } else {
            fputc(text[n], out);
        }
        width = next;
        if (n < (ssize_t)where.column - 1 + length) {
            end = width;
        }
    }
    if (where.column > bytes) {
        caret = width;
    }
    fprintf(out, "\n%*s^", caret, "");
    for (int n = caret + 1; n < end; n++) {
        fputc('~', out);
    }
    fputc('\n', out);
    free(text);
}

static bool has_place(struct loc loc)
{
    return loc.file != NULL && loc.line > 0;
}

static void print_one(FILE *out, struct loc where, enum diag_severity severity, const char *text)
{
    static const char *const name[] = {"note", "warning", "error"};

    if (has_place(where)) {
        fprintf(out, "%s:%d:%d: ", where.file, where.line, where.column);
    } else {
        fprintf(out, "cleavecc: ");
    }
    fprintf(out, "%s: %s\n", name[severity], text);
}

static bool same_place(struct loc a, struct loc b)
{
    return has_place(a) == has_place(b) &&
           (!has_place(a) ||
            (a.line == b.line && a.column == b.column && strcmp(a.file, b.file) == 0));
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
    enum diag_severity severity = diag_severity_of(diag, id);
    va_list list;
    char *text;

    va_start(list, hint_where);
    text = format_message(diag->arena, table[id].message, list);
    va_end(list);
    if (is_repeated(diag, id, where, text)) {
        return;
    }
    diag->report = arena_grow(diag->arena, diag->report, diag->reports, &diag->capacity,
                              sizeof(*diag->report));
    diag->report[diag->reports++] = (struct reported){id, where, text};
    diag->count[id]++;
    diag->errors += severity == DIAG_ERROR;
    print_one(diag->out, where, severity, text);
    if (has_place(where)) {
        print_snippet(diag->out, where, length);
    }
    if (table[id].hint == NULL) {
        return;
    }
    if (!has_place(hint_where)) {
        hint_where = where;
    }
    print_one(diag->out, hint_where, DIAG_NOTE, table[id].hint);
    if (has_place(hint_where) && !same_place(where, hint_where)) {
        print_snippet(diag->out, hint_where, 1);
    }
}
