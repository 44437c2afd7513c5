/* diag_json.c: all messages of a run as one line of JSON: in gcc's own form, or as SARIF 2.1.0.
 *
 * Hidden messages are left out. A hint is a child of its message in gcc's form, and a related place
 * in SARIF, where its text stands behind the message too, since viewers show that.
 */
#include <ctype.h>
#include <string.h>

#include "pass/ir/diag_impl.h"

static void put_string(FILE *out, const char *text)
{
    fputc('"', out);
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; c++) {
        if (*c == '"' || *c == '\\') {
            fprintf(out, "\\%c", *c);
        } else if (*c < 0x20 || *c == 0x7f) {
            fprintf(out, "\\u%04x", *c);
        } else {
            fputc(*c, out);
        }
    }
    fputc('"', out);
}

/* Commas between items: nothing before the first. */
static void put_comma(FILE *out, int *items)
{
    fputs((*items)++ > 0 ? ", " : "", out);
}

/* ---- gcc's form ------------------------------------------------------------------------------ */

static void put_point(FILE *out, const char *name, struct loc loc, int column)
{
    int shown = diag_screen_column(loc, column, 8);

    fprintf(out, "\"%s\": {\"file\": ", name);
    put_string(out, loc.file);
    fprintf(out, ", \"line\": %d, \"display-column\": %d, \"byte-column\": %d, \"column\": %d}",
            loc.line, shown, column, shown);
}

static void put_locations(FILE *out, struct loc loc, int length)
{
    fputs("\"locations\": [", out);
    if (has_place(loc)) {
        fputc('{', out);
        put_point(out, "caret", loc, loc.column);
        if (length > 1) {
            fputs(", ", out);
            put_point(out, "finish", loc, loc.column + length - 1);
        }
        fputc('}', out);
    }
    fputc(']', out);
}

static void put_message(const struct diag *diag, const struct reported *report)
{
    static const char *const kind[] = {"note", "warning", "error"};
    const char *option = report->option;
    FILE *out = diag->out;

    fprintf(out, "{\"kind\": \"%s\", \"message\": ", kind[report->severity]);
    put_string(out, report->text);
    if (option != NULL) {
        fprintf(out, ", \"option\": \"%s\"", option);
    }
    fputs(", ", out);
    put_locations(out, report->loc, report->length);
    fputs(", \"children\": [", out);
    if (report->hint != NULL) {
        fputs("{\"kind\": \"note\", \"message\": ", out);
        put_string(out, report->hint);
        fputs(", ", out);
        put_locations(out, report->hint_loc, 1);
        fputs(", \"escape-source\": false}", out);
    }
    fputs("], \"column-origin\": 1, \"escape-source\": false}", out);
}

void diag_print_json(const struct diag *diag)
{
    int items = 0;

    fputc('[', diag->out);
    for (int n = 0; n < diag->reports; n++) {
        if (!diag->report[n].hidden) {
            put_comma(diag->out, &items);
            put_message(diag, &diag->report[n]);
        }
    }
    fputs("]\n", diag->out);
}

/* ---- SARIF ----------------------------------------------------------------------------------- */

/* A path as a relative or absolute reference. */
static void put_uri(FILE *out, const char *path)
{
    fputs(path[0] == '/' ? "\"file://" : "\"", out);
    for (const unsigned char *c = (const unsigned char *)path; *c != '\0'; c++) {
        if (isalnum(*c) || strchr("/._-~", *c) != NULL) {
            fputc(*c, out);
        } else {
            fprintf(out, "%%%02X", *c);
        }
    }
    fputc('"', out);
}

static void put_place(FILE *out, struct loc loc, int length)
{
    fputs("\"physicalLocation\": {\"artifactLocation\": {\"uri\": ", out);
    put_uri(out, loc.file);
    /* Tabs count once here: columns are characters. */
    fprintf(out, "}, \"region\": {\"startLine\": %d, \"startColumn\": %d, \"endColumn\": %d}}",
            loc.line, diag_screen_column(loc, loc.column, 1),
            diag_screen_column(loc, loc.column + (length > 1 ? length : 1), 1));
}

static void put_result(const struct diag *diag, const struct reported *report)
{
    static const char *const level[] = {"note", "warning", "error"};
    const char *option = report->option;
    const char *text = report->hint == NULL
                           ? report->text
                           : arena_format(diag->arena, "%s; %s", report->text, report->hint);
    FILE *out = diag->out;

    fprintf(out, "{\"ruleId\": \"%s\", \"level\": \"%s\", \"message\": {\"text\": ",
            option != NULL ? option : "error", level[report->severity]);
    put_string(out, text);
    fputs("}, \"locations\": [", out);
    if (has_place(report->loc)) {
        fputc('{', out);
        put_place(out, report->loc, report->length);
        fputc('}', out);
    }
    fputc(']', out);
    if (report->hint != NULL && has_place(report->hint_loc) &&
        !same_place(report->loc, report->hint_loc)) {
        fputs(", \"relatedLocations\": [{", out);
        put_place(out, report->hint_loc, 1);
        fputs(", \"message\": {\"text\": ", out);
        put_string(out, report->hint);
        fputs("}}]", out);
    }
    fputc('}', out);
}

void diag_print_sarif(const struct diag *diag)
{
    int items = 0;

    fputs(
        "{\"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\", \"version\": \"2.1.0\", "
        "\"runs\": [{\"tool\": {\"driver\": {\"name\": \"cleavecc\"}}, \"columnKind\": "
        "\"unicodeCodePoints\", \"results\": [",
        diag->out);
    for (int n = 0; n < diag->reports; n++) {
        if (!diag->report[n].hidden) {
            put_comma(diag->out, &items);
            put_result(diag, &diag->report[n]);
        }
    }
    fputs("]}]}\n", diag->out);
}
