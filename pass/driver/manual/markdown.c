/* markdown.c: lists as tables of Markdown. See manual.h. */
#include <string.h>

#include "pass/driver/manual/manual.h"

/* Text in a cell. */
static void write_text(FILE *out, const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '|') {
            fputc('\\', out);
        }
        fputc(*text, out);
    }
}

/* The words that row i can be given, each in backquotes or all in one pair; false: it has none. */
static bool write_words(FILE *out, int i, const char *before, const char *between,
                        const char *after)
{
    bool any = false;

    for (int w = i + 1; w < row_count && row_is_word_of(w, i); w++) {
        if (rows[w].name[0] != '\0') {
            fprintf(out, "%s%s%s%s", any ? between : "", before, rows[w].name, after);
            any = true;
        }
    }
    return any;
}

static void write_flag(FILE *out, int i)
{
    const struct row *row = &rows[i];
    bool optional = row->shown[0] == '[';
    size_t length = strlen(row->shown);

    fprintf(out, "`--cleave-%s", row->name);
    if (row_is_word_of(i + 1, i)) {
        fputc('=', out);
        write_words(out, i, "", "\\|", "");
        fputs(row->kind == ROW_LIST ? "[,...]" : "", out);
    } else if (length > 0) {
        fprintf(out, optional ? "[=%.*s]" : "=%.*s", (int)(length - (optional ? 2 : 0)),
                row->shown + optional);
    }
    fputc('`', out);
}

/* Writes the meaning of the row, then each of its words. */
static void write_meaning(FILE *out, int i)
{
    write_text(out, rows[i].meaning);
    for (int w = i + 1; w < row_count && row_is_word_of(w, i); w++) {
        if (rows[w].meaning[0] != '\0') {
            fprintf(out, "<br>`%s`: ", rows[w].name);
            write_text(out, rows[w].meaning);
        }
    }
}

static void write_variable(FILE *out, const char *prefix, const char *name)
{
    if (name[0] != '\0') {
        fprintf(out, "`%s%s`", prefix, name);
    }
}

/* The cell of a word of OP2's: what it does, or that it is ignored and why. */
static void write_effect(FILE *out, const struct row *row)
{
    if (row->usual != NULL) {
        fputs("ignored: ", out);
        write_text(out, row->usual);
    }
    if (row->meaning[0] != '\0') {
        fputs(row->usual != NULL ? "; " : "", out);
        write_text(out, row->meaning);
    }
}

static void write_cells(FILE *out, int i)
{
    const struct row *row = &rows[i];

    fputs("| ", out);
    switch (row->kind) {
    case ROW_FLAG:
    case ROW_LIST:
        write_flag(out, i);
        fputs(" | ", out);
        write_variable(out, "CLEAVE_", row->variable);
        fputs(" | ", out);
        write_text(out, row->usual);
        break;
    case ROW_OTHER:
    case ROW_SHOW:
        fprintf(out, "`%s%s` |  | ", row->kind == ROW_SHOW ? "--showme" : "", row->name);
        break;
    case ROW_COMPILE:
    case ROW_RUN:
    case ROW_EMULATOR:
        write_variable(out, "CLEAVE_", row->name);
        fputs(" | ", out);
        if (!write_words(out, i, "`", ", ", "`")) {
            write_text(out, row->shown);
        }
        fputs(" | ", out);
        write_text(out, row->usual);
        break;
    case ROW_OP2:
        fprintf(out, "`%s` | %s", row->name, row->where);
        break;
    default:
        write_variable(out, "", row->name);
    }
    fputs(" | ", out);
    if (row->kind == ROW_OP2) {
        write_effect(out, row);
    } else {
        write_meaning(out, i);
    }
    fputs(" |\n", out);
}

void markdown_table(FILE *out, const struct list *list)
{
    fprintf(out, "%s\n", list->head);
    for (int i = 0; i < row_count; i++) {
        if (list_has(list, &rows[i])) {
            write_cells(out, i);
        }
    }
}
