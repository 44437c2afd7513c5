/* words.c: word lists, response files, shell quoting and paths. See words.h. */
#include "pass/driver/words.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NESTED_FILES = 2000 }; /* gcc's own bound against files that name themselves */

struct words words_new(struct arena *arena)
{
    return (struct words){.arena = arena};
}

void words_add(struct words *words, const char *word)
{
    /* One more than the count, for the null pointer at the end. */
    if (words->count + 2 > words->capacity) {
        int capacity = words->capacity ? 2 * words->capacity : 16;
        const char **grown = arena_alloc(words->arena, (size_t)capacity * sizeof(*grown));

        if (words->count > 0) {
            memcpy(grown, words->word, (size_t)words->count * sizeof(*grown));
        }
        words->word = grown;
        words->capacity = capacity;
    }
    words->word[words->count++] = word;
    words->word[words->count] = NULL;
}

void words_add_all(struct words *words, const struct words *more)
{
    for (int i = 0; i < more->count; i++) {
        words_add(words, more->word[i]);
    }
}

void words_add_format(struct words *words, const char *format, ...)
{
    va_list list;
    char *text = NULL;

    va_start(list, format);
    if (vasprintf(&text, format, list) >= 0) {
        words_add(words, arena_text(words->arena, text));
        free(text);
    }
    va_end(list);
}

static char *read_file(struct arena *arena, const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t size = 0;
    char *copy = NULL;

    if (file == NULL) {
        return NULL;
    }
    /* A file without a NUL byte: getdelim reads all of it. -1 with no error: it is empty. */
    if (getdelim(&text, &size, '\0', file) >= 0) {
        copy = arena_text(arena, text);
    } else if (!ferror(file)) {
        copy = arena_text(arena, "");
    }
    free(text);
    fclose(file);
    return copy;
}

/* Takes the next word off *rest, unquoted; NULL at the end. */
static char *next_word(struct arena *arena, const char **rest)
{
    const char *from = *rest;
    char *word;
    char *to;
    char quote = '\0';

    while (isspace((unsigned char)*from)) {
        from++;
    }
    if (*from == '\0') {
        return NULL;
    }
    word = to = arena_alloc(arena, strlen(from) + 1);
    for (; *from != '\0' && (quote || !isspace((unsigned char)*from)); from++) {
        if (*from == '\\' && from[1] != '\0') {
            *to++ = *++from;
        } else if (quote ? *from == quote : *from == '\'' || *from == '"') {
            quote = quote ? '\0' : *from;
        } else {
            *to++ = *from;
        }
    }
    *rest = from;
    return word;
}

static void add_expanded(struct words *words, const char *word, int *files)
{
    char *text = NULL;
    const char *rest;
    char *next;

    if (word[0] == '@' && *files < MOST_NESTED_FILES) {
        text = read_file(words->arena, word + 1);
    }
    if (text == NULL) {
        words_add(words, word);
        return;
    }
    (*files)++;
    rest = text;
    while ((next = next_word(words->arena, &rest)) != NULL) {
        add_expanded(words, next, files);
    }
}

void words_add_expanded(struct words *words, int count, char *const *word)
{
    int files = 0;

    for (int i = 0; i < count; i++) {
        add_expanded(words, word[i], &files);
    }
}

void words_add_command(struct words *words, const char *text)
{
    char *next;

    while ((next = next_word(words->arena, &text)) != NULL) {
        words_add(words, next);
    }
}

/* Letters and digits of the C locale, which is the only one that cleavecc uses. */
static bool has_only(const char *text, const char *marks)
{
    for (const char *c = text; *c != '\0'; c++) {
        if (!isalnum((unsigned char)*c) && strchr(marks, *c) == NULL) {
            return false;
        }
    }
    return text[0] != '\0';
}

void words_write(FILE *out, const struct words *words)
{
    for (int i = 0; i < words->count; i++) {
        fputc(' ', out);
        if (has_only(words->word[i], "@%+=:,./-_")) {
            fputs(words->word[i], out);
            continue;
        }
        fputc('\'', out);
        for (const char *c = words->word[i]; *c != '\0'; c++) {
            if (*c == '\'') {
                fputs("'\\''", out);
            } else {
                fputc(*c, out);
            }
        }
        fputc('\'', out);
    }
}

void words_print(FILE *out, const struct words *words)
{
    words_write(out, words);
    fputc('\n', out);
}

struct words words_split(struct arena *arena, const char *text, char separator)
{
    struct words pieces = words_new(arena);
    const char *end;

    while ((end = strchr(text, separator)) != NULL) {
        words_add(&pieces, arena_text_part(arena, text, (size_t)(end - text)));
        text = end + 1;
    }
    words_add(&pieces, text);
    return pieces;
}

bool text_is_plain(const char *text)
{
    return text[0] != '-' && has_only(text, "_./+-");
}

const char *text_made_plain(struct arena *arena, const char *text)
{
    enum { LONGEST = 100 };
    char *plain = arena_text_part(arena, text, strnlen(text, LONGEST));

    for (char *c = plain; *c != '\0'; c++) {
        bool marks = strchr("_.+-", *c) != NULL && c > plain;

        if (!isalnum((unsigned char)*c) && !marks) {
            *c = '_';
        }
    }
    return plain;
}

bool text_starts(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

bool text_ends(const char *text, const char *end)
{
    size_t length = strlen(text);
    size_t tail = strlen(end);

    return length >= tail && strcmp(text + length - tail, end) == 0;
}

const char *path_base(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

const char *path_folder(struct arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');

    if (slash == NULL) {
        return ".";
    }
    return slash == path ? "/" : arena_text_part(arena, path, (size_t)(slash - path));
}

const char *path_stem(struct arena *arena, const char *path)
{
    const char *base = path_base(path);
    const char *dot = strrchr(base, '.');

    if (dot == NULL || dot == base) {
        return base;
    }
    return arena_text_part(arena, base, (size_t)(dot - base));
}

const char *path_as_input(struct arena *arena, const char *path)
{
    bool is_taken = path[0] == '-' || path[0] == '@';

    return is_taken ? arena_format(arena, "./%s", path) : path;
}
