/* manual.h: the rows of settings.def and cleave_words.def as text: tables for Markdown, lists for
 * manual pages.
 *
 * A program of the build: nothing of it is installed. */
#ifndef CLEAVE_MANUAL_H
#define CLEAVE_MANUAL_H

#include <stdbool.h>
#include <stdio.h>

enum row_kind {
    ROW_FLAG,    /* --cleave-NAME */
    ROW_LIST,    /* likewise, and takes some of its words, not one of them */
    ROW_OTHER,   /* another flag, as it is written */
    ROW_SHOW,    /* --showme and what follows it */
    ROW_COMPILE, /* a variable of cleavecc */
    ROW_COMPILE_OUTSIDE,
    ROW_RUN, /* a variable of programs */
    ROW_EMULATOR,
    ROW_RUN_OUTSIDE,
    ROW_OP2,  /* a word of OP2's */
    ROW_WORD, /* a value of the setting before it */
    ROW_SCHEDULE,
    ROW_RACE,
    ROW_READS
};

/* Texts are as in the table: words in backquotes; "" where there is nothing to say. */
struct row {
    enum row_kind kind;
    const char
        *name; /* "emit", "BACKEND", "-###"; of a word of OP2's and from outside, the whole name */
    const char *variable; /* FLAG, LIST: "EMIT", or "" for none */
    const char *shown; /* the value where no words follow: "FOLDER", or "[FOLDER]" where it may be
                          left out */
    const char *usual; /* the default */
    const char *meaning;
    const char *where; /* OP2: "argument", "environment" or "both" */
};

/* rows.c: all rows in the order of the tables. */
extern const struct row rows[];
extern const int row_count;
/* Whether row i is a word of row `of`. */
bool row_is_word_of(int i, int of);

/* A list that texts can ask for. */
struct list {
    const char *name; /* "flags" */
    unsigned kinds;   /* bit 1 << kind for each that it has */
    /* The first lines of its table in Markdown, "| Flag | Meaning |..."; NULL: only manual pages
     * have it. */
    const char *head;
};
extern const struct list lists[];
extern const int list_count;
const struct list *list_find(const char *name, size_t length);
bool list_has(const struct list *list, const struct row *row);

/* markdown.c: the list as a table. */
void markdown_table(FILE *out, const struct list *list);

/* roff.c: the list as tagged paragraphs. */
void roff_list(FILE *out, const struct list *list);

#endif
