/* help.c: --cleave-help: the rows of runtime/api/settings.def as a page of text. */
#include <string.h>

#include "pass/driver/flags.h"

enum { COLUMNS = 78, TEXT_INDENT = 6, WORD_INDENT = 8, WORD_WIDTH = 13 };

/* A page that is being written. */
struct page {
    FILE *out;
    int column; /* of the next character, from 0 */
    int indent; /* of lines that follow a break */
};

static void page_move(struct page *page, int column)
{
    for (; page->column < column; page->column++) {
        fputc(' ', page->out);
    }
}

static void page_end_line(struct page *page)
{
    fputc('\n', page->out);
    page->column = 0;
}

/* How many characters of the text are printed: backquotes are not. */
static int printed_length(const char *text, size_t length)
{
    int printed = 0;

    for (size_t i = 0; i < length; i++) {
        printed += text[i] != '`';
    }
    return printed;
}

/* Writes the words of the text, broken at spaces, without its backquotes. */
static void page_text(struct page *page, const char *text)
{
    while (*text != '\0') {
        size_t length = strcspn(text, " ");
        bool begins = page->column <= page->indent;

        if (!begins && page->column + 1 + printed_length(text, length) > COLUMNS) {
            page_end_line(page);
            begins = true;
        }
        page_move(page, begins ? page->indent : page->column + 1);
        for (size_t i = 0; i < length; i++) {
            if (text[i] != '`') {
                fputc(text[i], page->out);
                page->column++;
            }
        }
        text += length;
        text += strspn(text, " ");
    }
}

static void write_head(FILE *out, const struct flag *flag)
{
    const char *start = flag->kind == FLAG_OTHER  ? ""
                        : flag->kind == FLAG_SHOW ? "--showme"
                                                  : "--cleave-";
    bool optional = flag->shown != NULL && flag->shown[0] == '[';

    fprintf(out, "  %s%s", start, flag->name);
    if (flag_is_ours(flag) && flag->kind != FLAG_SWITCH &&
        (flag->shown == NULL || flag->shown[0])) {
        fputs(optional ? "[=" : "=", out);
        flag_write_values(out, flag);
        fputs(optional ? "]" : "", out);
    }
    fputc('\n', out);
}

static void write_meaning(struct page *page, const struct flag *flag)
{
    page->indent = TEXT_INDENT;
    page_text(page, flag->meaning);
    if (flag->usual != NULL && flag->usual[0] != '\0') {
        page_text(page, "Default:");
        page_text(page, flag->usual);
        fputc('.', page->out);
        page->column++;
    }
    if (flag->variable != NO_VARIABLE) {
        page_text(page, "Also");
        page_text(page, variable_name((enum variable)flag->variable));
        fputc('.', page->out);
    }
    page_end_line(page);
}

static void write_word(struct page *page, const struct flag *word)
{
    if (word->meaning[0] == '\0') {
        return;
    }
    page_move(page, WORD_INDENT);
    fprintf(page->out, "%-*s ", WORD_WIDTH - 1, word->name);
    page->column = page->indent = WORD_INDENT + WORD_WIDTH;
    page_text(page, word->meaning);
    page_end_line(page);
}

void settings_help(FILE *out)
{
    struct page page = {out, 0, 0};

    fputs("Usage: cleavecc [flags] file...   (cleavec++ for C++)\n\n"
          "Compiles as the host compiler does, and compiles op_par_loop for CPU and GPU\n"
          "beside it. All flags but the following go to the host compiler. -w, -Werror,\n"
          "-fsyntax-only, -fdiagnostics-color and -fdiagnostics-format=json|sarif-file\n"
          "mean for cleavecc's messages what they mean for gcc's.\n\n",
          out);
    for (int i = 0; i < flag_count; i++) {
        if (flags[i].kind == FLAG_WORD) {
            write_word(&page, &flags[i]);
        } else {
            write_head(out, &flags[i]);
            write_meaning(&page, &flags[i]);
        }
    }
    fputs("\ncleavecc(1) describes the schedules, cleave(7) the variables that programs read.\n",
          out);
}
