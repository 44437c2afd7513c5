/* lines.h: texts that consist of lines of words, which the dumps of chains and groups write and
 * read; nobody outside this folder includes it. The text may be damaged in any way: the first
 * failure is kept with the number of its line, and all later reads are without effect.
 */
#ifndef CLEAVE_LINES_H
#define CLEAVE_LINES_H

#include <stdbool.h>
#include <stdio.h>

#include "pass/ir/tree.h"

struct arena;

/* Begin with the arena and the text; the rest 0. */
struct lines {
    struct arena *arena;
    const char *text; /* behind the current line */
    const char *at;   /* position in the current line */
    char *line;
    int number;          /* of the line, from 1 */
    const char *message; /* the first failure; NULL: none yet */
};

/* Goes to the next line. False at the end of the text, and after a failure. */
bool lines_next(struct lines *lines);

/* Notes a failure in this line. Returns NULL. */
void *lines_fail(struct lines *lines, const char *what);

/* Takes the word, and a blank before it, when it comes next. */
bool lines_take(struct lines *lines, const char *word);

/* The next word, or a text in quotes without them, in the arena; NULL after a failure. */
const char *lines_word(struct lines *lines);
const char *lines_quoted(struct lines *lines);

/* A number from least to most, behind which one of these characters stands, or the line ends; least
 * after a failure. */
long lines_number(struct lines *lines, long least, long most, const char *behind);

/* The end of a line: nothing, or "at FILE:LINE:COLUMN". */
struct loc lines_place(struct lines *lines);

/* Position of the next word in the list; count, after a failure, when it is none of them. */
int lines_choice(struct lines *lines, const char *const *word, int count, const char *what);

/* Prints the end of a line, with its place where it is known; and the text as a C string, with
 * octal escapes for characters that are not printable. */
void lines_print_place(FILE *out, struct loc loc);
void lines_print_quoted(FILE *out, const char *text);

#endif
