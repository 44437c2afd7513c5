/* diag_impl.h: what the parts of diag.c share. */
#ifndef CLEAVE_DIAG_IMPL_H
#define CLEAVE_DIAG_IMPL_H

#include "pass/ir/arena.h"
#include "pass/ir/diag.h"

struct reported {
    enum diag_id id;
    enum diag_severity severity; /* what it was in this run */
    struct loc loc;
    int length;
    struct loc hint_loc;
    const char *text; /* the message with its arguments */
    const char *hint; /* NULL: none */
    /* The flag that the message ends with: "-Wcleave-read-written", or "-Werror=cleave-opaque" if
     * -Werror made it an error; NULL for messages that are not ours. */
    const char *option;
    bool hidden;
};

struct diag {
    FILE *out;
    struct arena *arena;
    struct diag_options options;
    int errors;
    int count[DIAG_COUNT];
    int reports;
    int capacity;
    struct reported *report;
};

static inline bool has_place(struct loc loc)
{
    return loc.file != NULL && loc.line > 0;
}

static inline bool same_place(struct loc a, struct loc b)
{
    return has_place(a) == has_place(b) &&
           (!has_place(a) ||
            (a.line == b.line && a.column == b.column && strcmp(a.file, b.file) == 0));
}

/* diag_text.c: the message in clang's form, with its source line, and its hint. */
void diag_print_text(const struct diag *diag, const struct reported *report);
/* Column on the screen, from 1, of byte column `column` of the line, with tab stops every `tab`
 * columns; the byte column if the file cannot be read. */
int diag_screen_column(struct loc where, int column, int tab);

/* diag_json.c: all messages in gcc's JSON form, or as SARIF 2.1.0, as one line. */
void diag_print_json(const struct diag *diag);
void diag_print_sarif(const struct diag *diag);

#endif
