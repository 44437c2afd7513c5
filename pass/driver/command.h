/* command.h: a host compiler's command line, taken apart.
 *
 * The words keep the user's spelling and order; each is given its role. Other commands (the
 * compilation of one source, of a generated file, the join) are made from a selection of them. */
#ifndef CLEAVE_DRIVER_COMMAND_H
#define CLEAVE_DRIVER_COMMAND_H

#include "pass/driver/words.h"

enum word_kind {
    WORD_FLAG,
    WORD_VALUE, /* belongs to the flag before it */
    WORD_INPUT
};

enum input_kind {
    INPUT_NONE, /* the word is no input */
    INPUT_C,
    INPUT_CXX,
    INPUT_OTHER, /* compiled by the host compiler alone: assembler, headers, preprocessed, stdin */
    INPUT_LINKER /* object, library, linker script */
};

/* Who needs a flag, besides the compilation of the user's own source. */
enum word_use {
    USE_PARSE = 1,     /* the front end: changes what the source means */
    USE_GENERATED = 2, /* generated files: code generation, debugging */
    USE_JOIN = 4,      /* the relocatable link */
    USE_LINK_ONLY = 8, /* the linker, and not even the compilation */
    USE_OUTPUT = 16,   /* -o and its value */
    USE_HOST_ONLY = 32 /* this whole command is the host compiler's: -E, -M, --version... */
};

struct word {
    const char *text;
    enum word_kind kind;
    enum input_kind input;
    unsigned use;
    const char *language; /* -x in force at an input; NULL: by suffix */
};

struct command {
    struct arena *arena;
    bool is_cxx; /* cleavec++: .c files are C++ */
    int words;
    struct word *word;
    int inputs;
    int sources;        /* INPUT_C and INPUT_CXX */
    bool host_only;     /* some word has USE_HOST_ONLY */
    bool check_only;    /* -fsyntax-only */
    bool compile_only;  /* -c */
    bool relocatable;   /* -r */
    bool no_libraries;  /* -nostdlib, -nodefaultlibs */
    const char *output; /* value of -o, or NULL */
};

struct command command_read(struct arena *arena, const struct words *words, bool is_cxx);

/* Every word that has one of `uses`, in order. */
struct words command_select(const struct command *command, unsigned uses);
bool command_has(const struct command *command, const char *flag);
/* The last word that starts so, or NULL. */
const char *command_last(const struct command *command, const char *start);
/* Whether debugging information is asked for: -g and similar flags, not undone by -g0. */
bool command_debugs(const struct command *command);
/* Whether executed lines are counted: --coverage and similar flags. */
bool command_covers(const struct command *command);
/* Some word has LTO on at the end: -flto not undone by -fno-lto. */
bool command_has_lto(const struct command *command);

/* Adds the command that compiles (-c) the inputs i with keep[i] only, without other inputs and link
 * flags. The object goes to `output`; if that is NULL, to the host compiler's default place.
 * `extra` goes after the user's flags and may be NULL. */
void command_compile_some(const struct command *command, const bool *keep, const char *output,
                          const struct words *extra, struct words *out);

/* All words, with input i replaced by the object replace[i] where that is not NULL. */
void command_replace_inputs(const struct command *command, const char *const *replace,
                            struct words *out);

/* -MD or -MMD in a command that also links: the host compiler names the dependency file after the
 * program, which the compilation of one source cannot know. Adds the flags that say it. */
void command_add_dependency_names(const struct command *command, const char *source,
                                  struct words *out);

#endif
