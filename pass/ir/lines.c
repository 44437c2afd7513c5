/* lines.c: texts that consist of lines of words, as the dumps of chains and groups do. See lines.h.
 */
#include "pass/ir/lines.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "pass/ir/arena.h"

/* ---- printing -----------------------------------------------------------------------------------
 */

void lines_print_place(FILE *out, struct loc loc)
{
    if (loc.line > 0) {
        fprintf(out, " at %s:%d:%d", loc.file != NULL ? loc.file : "?", loc.line, loc.column);
    }
    fputc('\n', out);
}

void lines_print_quoted(FILE *out, const char *text)
{
    fputs(" \"", out);
    for (const char *c = text; *c != '\0'; c++) {
        unsigned char byte = (unsigned char)*c;

        if (byte == '"' || byte == '\\') {
            fprintf(out, "\\%c", byte);
        } else if (byte < 0x80 && !isprint(byte)) {
            fprintf(out, "\\%03o", byte);
        } else {
            fputc(byte, out);
        }
    }
    fputc('"', out);
}

/* ---- reading ------------------------------------------------------------------------------------
 */

void *lines_fail(struct lines *lines, const char *what)
{
    if (lines->message == NULL) {
        lines->message = arena_format(lines->arena, "line %d: %s", lines->number, what);
    }
    return NULL;
}

bool lines_next(struct lines *lines)
{
    size_t length = strcspn(lines->text, "\n");

    if (*lines->text == '\0' || lines->message != NULL) {
        return false;
    }
    lines->line = arena_text_part(lines->arena, lines->text, length);
    lines->at = lines->line;
    lines->text += length + (lines->text[length] == '\n');
    lines->number++;
    return true;
}

bool lines_take(struct lines *lines, const char *word)
{
    const char *at = lines->at + (*lines->at == ' ');
    size_t length = strlen(word);

    if (strncmp(at, word, length) != 0 || (at[length] != ' ' && at[length] != '\0')) {
        return false;
    }
    lines->at = at + length;
    return true;
}

const char *lines_word(struct lines *lines)
{
    const char *at = lines->at + (*lines->at == ' ');
    size_t length = strcspn(at, " ");

    if (length == 0) {
        return lines_fail(lines, "a word is missing");
    }
    lines->at = at + length;
    return arena_text_part(lines->arena, at, length);
}

/* One character of a quoted text; false at its end. */
static bool read_character(struct lines *lines, char *byte)
{
    const char *at = lines->at;

    if (*at == '\0' || *at == '"') {
        return false;
    }
    if (*at != '\\') {
        *byte = *lines->at++;
        return true;
    }
    if (at[1] == '"' || at[1] == '\\') {
        *byte = at[1];
        lines->at += 2;
        return true;
    }
    if (strspn(at + 1, "01234567") < 3 || at[1] > '3') {
        lines_fail(lines, "a backslash stands before what is no \", \\ or three octal digits");
        return false;
    }
    *byte = (char)((at[1] - '0') * 64 + (at[2] - '0') * 8 + (at[3] - '0'));
    lines->at += 4;
    return true;
}

const char *lines_quoted(struct lines *lines)
{
    char *text;
    size_t length = 0;

    lines->at += *lines->at == ' ';
    if (*lines->at != '"') {
        return lines_fail(lines, "a text in quotes is missing");
    }
    text = arena_alloc(lines->arena, strlen(lines->at));
    lines->at++;
    while (read_character(lines, &text[length])) {
        length++;
    }
    if (*lines->at != '"') {
        return lines_fail(lines, "a text in quotes has no end");
    }
    lines->at++;
    return text;
}

long lines_number(struct lines *lines, long least, long most, const char *behind)
{
    const char *at = lines->at + (*lines->at == ' ');
    char *end = NULL;
    long number = (*at >= '0' && *at <= '9') ? strtol(at, &end, 10) : -1;

    if (end == NULL || number < least || number > most || strchr(behind, *end) == NULL) {
        lines_fail(lines, end == NULL ? "a number is missing" : "a number is not in its list");
        return least;
    }
    lines->at = end;
    return number;
}

struct loc lines_place(struct lines *lines)
{
    struct loc loc = {NULL, 0, 0};
    char *place;
    char *column;
    char *line;

    if (*lines->at == '\0') {
        return loc;
    }
    if (!lines_take(lines, "at")) {
        lines_fail(lines, arena_format(lines->arena, "'%s' has no meaning here", lines->at));
        return loc;
    }
    place = arena_text(lines->arena, lines->at + (*lines->at == ' '));
    column = strrchr(place, ':');
    if (column != NULL) {
        *column++ = '\0';
    }
    line = column != NULL ? strrchr(place, ':') : NULL;
    if (line == NULL || line == place || strspn(line + 1, "0123456789") != strlen(line + 1) ||
        strspn(column, "0123456789") != strlen(column) || strlen(line) > 9 || strlen(column) > 9 ||
        atoi(line + 1) < 1 || *column == '\0') {
        lines_fail(lines, "a place is not FILE:LINE:COLUMN");
        return loc;
    }
    *line = '\0';
    return (struct loc){place, atoi(line + 1), atoi(column)};
}

int lines_choice(struct lines *lines, const char *const *word, int count, const char *what)
{
    for (int w = 0; w < count; w++) {
        if (lines_take(lines, word[w])) {
            return w;
        }
    }
    lines_fail(lines, arena_format(lines->arena, "'%s' does not begin with %s", lines->at, what));
    return count;
}
