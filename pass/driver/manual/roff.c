/* roff.c: lists as tagged paragraphs of a manual page, in the macros of man(7). See manual.h. */
#include <string.h>

#include "pass/driver/manual/manual.h"

enum { COLUMNS = 72 };

/* Characters that roff would take for something else. In literal text a hyphen is a minus. */
static int write_character(FILE *out, char c, bool literal)
{
    const char *escaped = c == '\\'             ? "\\e"
                          : c == '~'            ? "\\(ti"
                          : c == '^'            ? "\\(ha"
                          : c == '-' && literal ? "\\-"
                                                : NULL;

    if (escaped != NULL) {
        return fprintf(out, "%s", escaped);
    }
    fputc(c, out);
    return 1;
}

/* Writes the word, up to a space or the end; a backquote begins or ends bold text. Returns its
 * columns. */
static int write_word(FILE *out, const char *word, size_t length, bool *literal)
{
    int columns = 0;

    for (size_t i = 0; i < length; i++) {
        if (word[i] == '`') {
            *literal = !*literal;
            columns += fprintf(out, "%s", *literal ? "\\fB" : "\\fR");
        } else {
            columns += write_character(out, word[i], *literal);
        }
    }
    return columns;
}

/* Writes a paragraph: lines of at most COLUMNS columns, as far as words allow, and each sentence on
 * a line of its own. */
static void write_paragraph(FILE *out, const char *text)
{
    bool literal = false;
    int column = 0;

    while (*text != '\0') {
        size_t length = strcspn(text, " ");
        bool ends = text[length] == '\0' || (text[length - 1] == '.' && !literal);

        if (column > 0 && column + 1 + (int)length > COLUMNS) {
            fputc('\n', out);
            column = 0;
        }
        column += column > 0 ? fprintf(out, " ") : 0;
        if (column == 0 && (text[0] == '.' || text[0] == '\'')) {
            fputs("\\&", out);
        }
        column += write_word(out, text, length, &literal);
        if (ends) {
            fputc('\n', out);
            column = 0;
        }
        text += length;
        text += strspn(text, " ");
    }
}

/* Writes the format with the text in it, unless the text is empty. */
static void write_sentence(FILE *out, const char *format, const char *text)
{
    char sentence[512];

    if (text[0] != '\0') {
        snprintf(sentence, sizeof(sentence), format, text);
        write_paragraph(out, sentence);
    }
}

static void write_bold(FILE *out, const char *start, const char *text)
{
    fputs("\\fB", out);
    for (; *start != '\0'; start++) {
        write_character(out, *start, true);
    }
    for (; *text != '\0'; text++) {
        write_character(out, *text, true);
    }
    fputs("\\fR", out);
}

/* Text of a tag, in which backquotes count. */
static void write_shown(FILE *out, const char *text)
{
    bool literal = false;

    write_word(out, text, strlen(text), &literal);
}

/* The words that the row can be given. */
static void write_values(FILE *out, int i)
{
    const char *between = "";

    for (int w = i + 1; w < row_count && row_is_word_of(w, i); w++) {
        if (rows[w].name[0] != '\0') {
            fputs(between, out);
            write_bold(out, "", rows[w].name);
            between = "|\\:";
        }
    }
}

static void write_flag_tag(FILE *out, int i)
{
    const struct row *row = &rows[i];
    bool optional = row->shown[0] == '[';
    size_t length = strlen(row->shown);

    write_bold(out, "--cleave-", row->name);
    if (row_is_word_of(i + 1, i)) {
        fputc('=', out);
        write_values(out, i);
        fputs(row->kind == ROW_LIST ? "[,...]" : "", out);
    } else if (length > 0) {
        fprintf(out, optional ? "[=\\fI%.*s\\fR]" : "=\\fI%.*s\\fR",
                (int)(length - (optional ? 2 : 0)), row->shown + optional);
    }
}

static void write_tag(FILE *out, int i)
{
    const struct row *row = &rows[i];

    switch (row->kind) {
    case ROW_FLAG:
    case ROW_LIST:
        write_flag_tag(out, i);
        break;
    case ROW_SHOW:
        write_bold(out, "--showme", row->name);
        break;
    case ROW_COMPILE:
    case ROW_RUN:
    case ROW_EMULATOR:
        write_bold(out, "CLEAVE_", row->name);
        fputs(" = ", out);
        write_values(out, i);
        write_shown(out, row->shown);
        break;
    case ROW_OP2:
        write_bold(out, "", row->name);
        fprintf(out, " (%s)",
                strcmp(row->where, "both") == 0 ? "environment or argument" : row->where);
        break;
    default:
        write_bold(out, "", row->name);
    }
    fputc('\n', out);
}

/* Writes those words of the row that have a meaning of their own. */
static void write_row_words(FILE *out, int i)
{
    bool any = false;

    for (int w = i + 1; w < row_count && row_is_word_of(w, i); w++) {
        if (rows[w].meaning[0] != '\0') {
            fputs(any ? ".TP\n" : ".RS\n.TP\n", out);
            write_bold(out, "", rows[w].name);
            fputc('\n', out);
            write_paragraph(out, rows[w].meaning);
            any = true;
        }
    }
    fputs(any ? ".RE\n" : "", out);
}

static void write_body(FILE *out, int i)
{
    const struct row *row = &rows[i];

    if (row->kind == ROW_OP2 && row->usual != NULL) {
        fputs("Ignored:\n", out);
    }
    if (row->meaning[0] != '\0' && (row->kind != ROW_OP2 || row->usual == NULL)) {
        write_paragraph(out, row->meaning);
    }
    if (row->kind == ROW_OP2 && row->usual != NULL) {
        write_paragraph(out, row->usual);
    } else if (row->usual != NULL) {
        write_sentence(out, "Default: %s.", row->usual);
    }
    write_sentence(out, "Variable: `CLEAVE_%s`.", row->variable);
    write_row_words(out, i);
}

void roff_list(FILE *out, const struct list *list)
{
    for (int i = 0; i < row_count; i++) {
        if (list_has(list, &rows[i])) {
            fputs(".TP\n", out);
            write_tag(out, i);
            write_body(out, i);
        }
    }
}
