/* words.h: lists of command-line words, as main() gets them and as children are given them.
 *
 * A list is always ended by a null pointer, so that it can be handed to execvp(). Words and lists
 * live in the driver's arena.
 */
#ifndef CLEAVE_DRIVER_WORDS_H
#define CLEAVE_DRIVER_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "pass/ir/arena.h"

struct words {
    struct arena *arena;
    int count;
    int capacity;
    const char **word; /* [count], then NULL; NULL before the first word */
};

struct words words_new(struct arena *arena);
void words_add(struct words *words, const char *word); /* borrows the word */
void words_add_all(struct words *words, const struct words *more);
void words_add_format(struct words *words, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds the words of a command line, and those of the files that @file words name, by gcc's rules: a
 * file that cannot be read leaves the word as it is; quotes and backslashes protect spaces; files
 * may name files. */
void words_add_expanded(struct words *words, int count, char *const *word);

/* Adds the words of a text such as "ccache gcc", by the quoting rules of response files. */
void words_add_command(struct words *words, const char *text);

/* Writes each word as a shell would read it back, after one space. */
void words_write(FILE *out, const struct words *words);
/* Prints the words as one line. */
void words_print(FILE *out, const struct words *words);

/* Splits `text` at `separator`; empty pieces are kept. */
struct words words_split(struct arena *arena, const char *text, char separator);

/* Whether shells and nvcc's lists take the text literally: it has only letters, digits and _ . / +
 * -, and does not begin with -. */
bool text_is_plain(const char *text);
/* The text with a replacement for each character that is not plain, and for a dot or slash at the
 * start; at most 100 characters long. */
const char *text_made_plain(struct arena *arena, const char *text);

bool text_starts(const char *text, const char *start);
bool text_ends(const char *text, const char *end);
/* Returns the part after the last slash. */
const char *path_base(const char *path);
/* The path without path_base(); "." when there is no slash. */
const char *path_folder(struct arena *arena, const char *path);
/* The base without its last suffix: "dir/app.main.c" gives "app.main". */
const char *path_stem(struct arena *arena, const char *path);
/* The path as a word that no compiler takes for a flag or a response file: "-a.o" gives "./-a.o".
 */
const char *path_as_input(struct arena *arena, const char *path);

#endif
