/* manual.c: writes cleave's texts from its tables of words.
 *
 *   cleave_manual page VERSION FILE     a manual page: a line "@NAME@" of the file becomes the list
 * of that name,
 *                                       "@version@" in any line becomes the version
 *   cleave_manual update FILE...        rewrites, in pages of Markdown, what stands between lines
 *                                       "<!-- NAME begin -->" and "<!-- NAME end -->"
 *   cleave_manual check FILE...         fails where that would change a file, or no file has some
 * list
 */
#include <stdlib.h>
#include <string.h>

#include "pass/driver/manual/manual.h"

static int status;

static void complain(const char *file, const char *format, const char *name)
{
    fprintf(stderr, "%s: ", file);
    fprintf(stderr, format, name);
    fputc('\n', stderr);
    status = 1;
}

/* The text of a file; ends the program where it cannot be read. The caller frees it. */
static char *read_file(const char *name)
{
    FILE *file = fopen(name, "r");
    char *text = NULL;
    size_t size = 0;
    bool any = file != NULL && getdelim(&text, &size, '\0', file) >= 0;

    if (file == NULL || ferror(file)) {
        perror(name);
        exit(1);
    }
    if (!any) {
        free(text);
        text = calloc(1, 1);
    }
    fclose(file);
    return text;
}

static size_t line_length(const char *text)
{
    size_t length = strcspn(text, "\n");

    return text[length] == '\n' ? length + 1 : length;
}

/* ---- manual pages ------------------------------------------------------------------------------
 */

static void write_line(const char *line, size_t length, const char *version)
{
    static const char hole[] = "@version@";

    while (length > 0) {
        if (length >= strlen(hole) && strncmp(line, hole, strlen(hole)) == 0) {
            fputs(version, stdout);
            line += strlen(hole);
            length -= strlen(hole);
        } else {
            putchar(*line++);
            length--;
        }
    }
}

static void write_page(const char *version, const char *name)
{
    char *text = read_file(name);

    for (const char *line = text; *line != '\0'; line += line_length(line)) {
        size_t length = line_length(line);
        size_t end = strcspn(line + 1, "@\n") + 1;
        const struct list *list =
            line[0] == '@' && line[end] == '@' ? list_find(line + 1, end - 1) : NULL;

        if (list != NULL) {
            roff_list(stdout, list);
        } else {
            write_line(line, length, version);
        }
    }
    free(text);
}

/* ---- tables in Markdown
 * -------------------------------------------------------------------------- */

/* The list whose mark the line is; NULL: the line is no mark. */
static const struct list *mark_of(const char *file, const char *line, const char *which)
{
    static const char open[] = "<!-- ";
    const char *name = line + strlen(open);
    size_t length = strncmp(line, open, strlen(open)) == 0 ? strcspn(name, " \n") : 0;
    const struct list *list = length > 0 ? list_find(name, length) : NULL;
    bool is_mark = length > 0 && strncmp(name + length, which, strlen(which)) == 0;

    if (is_mark && (list == NULL || list->head == NULL)) {
        complain(file, "there is no list for the mark %.60s", line);
    }
    return is_mark && list != NULL && list->head != NULL ? list : NULL;
}

/* Returns the line that ends the table. */
static const char *find_end(const char *file, const char *line, const struct list *list)
{
    while (*line != '\0' && mark_of(file, line, " end -->") != list) {
        line += line_length(line);
    }
    if (*line == '\0') {
        complain(file, "the table of %s does not end", list->name);
    }
    return line;
}

/* The file's text with its tables as they should be; notes in `seen` which lists it has. */
static char *with_tables(const char *name, const char *text, bool *seen)
{
    char *made = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&made, &size);

    if (out == NULL) {
        perror(name);
        exit(1);
    }
    for (const char *line = text; *line != '\0';) {
        const struct list *list = mark_of(name, line, " begin -->");
        size_t length = line_length(line);

        fwrite(line, 1, length, out);
        line += length;
        if (list != NULL) {
            seen[list - lists] = true;
            markdown_table(out, list);
            line = find_end(name, line, list);
        }
    }
    fclose(out);
    return made;
}

static void replace_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");

    if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0) {
        perror(name);
        exit(1);
    }
}

static void tables(int files, char **file, bool update)
{
    bool seen[64] = {false};

    for (int i = 0; i < files; i++) {
        char *text = read_file(file[i]);
        char *made = with_tables(file[i], text, seen);
        bool same = strcmp(text, made) == 0;

        if (!same && update && status == 0) {
            replace_file(file[i], made);
        } else if (!same) {
            complain(file[i], "a table is not what the rows say; build the target '%s'", "tables");
        }
        free(text);
        free(made);
    }
    for (int i = 0; i < list_count && !update; i++) {
        if (!seen[i] && lists[i].head != NULL) {
            complain("cleave_manual", "no page has the list '%s'", lists[i].name);
        }
    }
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "page") == 0) {
        write_page(argv[2], argv[3]);
    } else if (argc > 2 && strcmp(argv[1], "update") == 0) {
        tables(argc - 2, argv + 2, true);
    } else if (argc > 2 && strcmp(argv[1], "check") == 0) {
        tables(argc - 2, argv + 2, false);
    } else {
        fputs("usage: cleave_manual page VERSION FILE | update FILE... | check FILE...\n", stderr);
        return 2;
    }
    return fflush(stdout) == 0 ? status : 1;
}
