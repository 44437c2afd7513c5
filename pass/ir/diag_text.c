/* diag_text.c: one message as text, in clang's form: place, kind, message, option, source line,
 * caret.
 *
 * The source line is read again from the file. A file that cannot be read, or a place outside it,
 * costs the snippet and nothing else. Colours are gcc's.
 */
#include <stdlib.h>
#include <string.h>

#include "pass/ir/diag_impl.h"

enum { TAB_WIDTH = 8 };

/* How gcc begins and ends coloured text: the second part clears to the end of the line. */
static const char bold[] = "\33[01m\33[K";
static const char green[] = "\33[32m\33[K";
static const char plain[] = "\33[m\33[K";
static const char *const severity_colour[] = {"\33[01;36m\33[K", "\33[01;35m\33[K",
                                              "\33[01;31m\33[K"};

static const char *when(const struct diag *diag, const char *colour)
{
    return diag->options.colour ? colour : "";
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
static int advance(unsigned char c, int width, int tab)
{
    if (c == '\t') {
        return width + tab - width % tab;
    }
    return (c & 0xC0) == 0x80 ? width : width + 1; /* a UTF-8 character counts once */
}

int diag_screen_column(struct loc where, int column, int tab)
{
    char *text = NULL;
    size_t capacity = 0;
    ssize_t bytes = read_line(where.file, where.line, &text, &capacity);
    int width = 0;

    for (ssize_t n = 0; n < bytes && n < column - 1; n++) {
        width = advance((unsigned char)text[n], width, tab);
    }
    free(text);
    return bytes < 0 ? column : width + 1;
}

static void print_snippet(const struct diag *diag, struct loc where, int length)
{
    FILE *out = diag->out;
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
        int next = advance((unsigned char)text[n], width, TAB_WIDTH);

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
    fprintf(out, "\n%*s%s^", caret, "", when(diag, green));
    for (int n = caret + 1; n < end; n++) {
        fputc('~', out);
    }
    fprintf(out, "%s\n", when(diag, plain));
    free(text);
}

static void print_one(const struct diag *diag, struct loc where, enum diag_severity severity,
                      const char *text, const char *option)
{
    static const char *const name[] = {"note", "warning", "error"};
    const char *colour = when(diag, severity_colour[severity]);
    const char *end = when(diag, plain);

    fputs(when(diag, bold), diag->out);
    if (has_place(where)) {
        fprintf(diag->out, "%s:%d:%d:", where.file, where.line, where.column);
    } else {
        fputs("cleavecc:", diag->out);
    }
    fprintf(diag->out, "%s %s%s: %s%s", end, colour, name[severity], end, text);
    if (option != NULL) {
        fprintf(diag->out, " [%s%s%s]", colour, option, end);
    }
    fputc('\n', diag->out);
}

void diag_print_text(const struct diag *diag, const struct reported *report)
{
    print_one(diag, report->loc, report->severity, report->text, report->option);
    if (has_place(report->loc)) {
        print_snippet(diag, report->loc, report->length);
    }
    if (report->hint == NULL) {
        return;
    }
    print_one(diag, report->hint_loc, DIAG_NOTE, report->hint, NULL);
    if (has_place(report->hint_loc) && !same_place(report->loc, report->hint_loc)) {
        print_snippet(diag, report->hint_loc, 1);
    }
}
