/* settings.h: cleavecc's own flags, from the environment and the command line.
 *
 * Every flag --cleave-name=value is also the variable CLEAVE_NAME=value; the command line has the
 * last word. Flags are rows of runtime/api/settings.def, which makes most fields of struct
 * settings.
 */
#ifndef CLEAVE_DRIVER_SETTINGS_H
#define CLEAVE_DRIVER_SETTINGS_H

#include "codegen/codegen.h"
#include "pass/ir/diag.h"
#include "pass/driver/words.h"
#include "splitter/splitter.h"

enum device {
    DEVICE_DEFAULT, /* CUDA for the GPUs of this machine where it can be compiled, else none */
    DEVICE_NONE,
    DEVICE_EMULATOR,
    DEVICE_CUDA /* `architectures` */
};

/* The words of flags: DUMP_LOOPS, ACCESS_WARN... */
enum setting_word {
#define WORD(constant, word, meaning) constant,
#include "runtime/api/settings.def"
    SETTING_WORDS
};

/* A question of the user, answered instead of compiling. */
enum query {
    QUERY_NONE,
    QUERY_HELP,
    QUERY_VERSION,
    QUERY_SHOW,         /* --showme: the host compiler's whole command */
    QUERY_SHOW_COMPILE, /* --showme:compile: the words added for compiling */
    QUERY_SHOW_LINK,    /* --showme:link */
    QUERY_SHOW_COMMAND, /* --showme:command: the host compiler */
    QUERY_SHOW_INCDIRS, /* --showme:incdirs, libdirs, libs: the folders and libraries alone */
    QUERY_SHOW_LIBDIRS,
    QUERY_SHOW_LIBS,
    QUERY_SHOW_VERSION /* --showme:version */
};

struct settings {
    struct arena *arena;
#define SWITCH_FLAG(name, VARIABLE, meaning) bool name;
#define CHOICE_FLAG(name, VARIABLE, usual, meaning) enum setting_word name;
#define NUMBER_FLAG(name, VARIABLE, least, most, usual, meaning) int name;
#define TEXT_FLAG(name, VARIABLE, shown, usual, meaning) const char *name;
#include "runtime/api/settings.def"
    struct codegen_options emit;
    bool emit_given; /* by the user */
    enum device device;
    struct words architectures; /* "sm_90", "native"... */
    struct splitter_options split;
    const char *keep;         /* folder for the generated files; NULL: they are removed */
    bool dump[SETTING_WORDS]; /* [DUMP_LOOPS] and its kind */
    bool explain;             /* as text */
    const char *explain_page; /* NULL: no page */
    bool dry_run;             /* -###: print, do not run */
    /* --cleave-launch: what starts the compiler, "" for nothing; NULL: no launch */
    const char *launcher;
    struct words launched; /* with --cleave-launch, the host compiler's command; else none */
    enum query query;
    struct diag_options messages; /* by flags of ours; messages.c adds the host compiler's */
    const char *messages_suffix;  /* of the file that messages go to; NULL: to stderr */
};

/* Reads the environment and takes cleavecc's own flags out of `words`, and with --cleave-launch the
 * host compiler; the rest goes to `rest`. Returns 0, or -1 after naming every flag or value that is
 * not known on stderr. */
int settings_read(struct settings *settings, struct arena *arena, const struct words *words,
                  struct words *rest);

/* Adds each setting that the environment has, as "CLEAVE_EMIT=fused". */
void settings_environment(struct arena *arena, struct words *out);

/* help.c: --cleave-help. */
void settings_help(FILE *out);

#endif
