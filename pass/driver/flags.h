/* flags.h: the rows of runtime/api/settings.def that are flags of cleavecc. settings.c reads
 * command lines by them, help.c prints them. */
#ifndef CLEAVE_DRIVER_FLAGS_H
#define CLEAVE_DRIVER_FLAGS_H

#include "pass/driver/environment.h"
#include "pass/driver/settings.h"

enum flag_kind {
    FLAG_SWITCH,
    FLAG_CHOICE,
    FLAG_NUMBER,
    FLAG_TEXT,
    FLAG_LIST,
    FLAG_OWN,
    FLAG_BARE,
    FLAG_WORD,  /* a word of the flag before it */
    FLAG_OTHER, /* does not begin with --cleave- */
    FLAG_SHOW   /* --showme */
};

struct flag {
    enum flag_kind kind;
    const char *name;  /* after --cleave- or --showme; of a word, the word; OTHER: the whole flag */
    int variable;      /* enum variable, or NO_VARIABLE */
    const char *shown; /* the value in help and messages: TEXT, OWN, BARE; else NULL */
    const char *meaning; /* words in backquotes; "": described elsewhere */
    const char *usual;   /* what holds without the flag, likewise; "" or NULL: nothing to say */
    int number;          /* WORD: enum setting_word; SHOW: enum query */
    int least;           /* NUMBER: the values that are legal */
    int most;
    size_t offset; /* of the field in struct settings: SWITCH, CHOICE, NUMBER, TEXT */
    /* LIST, OWN, BARE: takes the value ("" when none was written); false: it is not valid. */
    bool (*set)(struct settings *settings, const char *value);
};

enum { NO_VARIABLE = -1 };

/* The rows in the order of the table: a flag's words follow it. */
extern const struct flag flags[];
extern const int flag_count;

/* The flag --cleave-NAME; NULL: there is none. */
const struct flag *flag_find(const char *name, size_t length);
/* Gives the setting of the flag this value. Returns false when the value is not valid. */
bool flag_set(const struct flag *flag, struct settings *settings, const char *value);
/* Gives the settings of all flags the values that hold when none is given. */
void flags_begin(struct settings *settings);
/* Whether it is a flag --cleave-NAME. */
bool flag_is_ours(const struct flag *flag);
/* Whether --cleave-NAME has to be followed by a value. */
bool flag_needs_value(const struct flag *flag);
/* Writes the values that the flag takes: "error|warn", "FOLDER". */
void flag_write_values(FILE *out, const struct flag *flag);

#endif
