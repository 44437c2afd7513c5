/* impl.h: what the files of this folder share. All but jit.c runs in the background thread and
 * touches nothing of the rest of the runtime but the store. */
#ifndef CLEAVE_JIT_IMPL_H
#define CLEAVE_JIT_IMPL_H

#include "runtime/jit/jit.h"
#include "runtime/store/store.h"

#define JIT_WHY 1024  /* bytes of a reason */
#define JIT_PATH 512  /* bytes of the name of a temporary file */
#define JIT_WORDS 256 /* words of a command */

/* The further variants of one loop. */
struct jit_job {
    const struct cleave_unit *unit; /* that has the loop */
    int loop;                       /* its number there */
    char architecture[16];          /* of the device: "90" */
    enum jit_stage { JIT_WAITS, JIT_RUNS, JIT_MADE, JIT_FAILED, JIT_ADOPTED } stage;
    int named;         /* the user names one of them */
    int told;          /* the user was told how it ended */
    int cancelled;     /* its unit is being unloaded */
    int found;         /* in the store */
    double seconds;    /* of the compiler */
    char why[JIT_WHY]; /* it failed */
    /* load.c: the unit to register, and its constants. */
    struct cleave_unit made;
    struct cleave_constant *constant;
    struct jit_job *next;
};

/* ---- text.c --------------------------------------------------------------------------------- */

/* Returns the archive of the text, unpacked, which the caller frees; NULL with a reason. */
char *cleave_jit_text_unpack(const struct cleave_source_text *source, char why[JIT_WHY]);
/* Writes the files of the archive into the folder: 0, or -1 with a reason. */
int cleave_jit_text_write(const struct cleave_source_text *source, const char *archive,
                          const char *folder, char why[JIT_WHY]);
/* Removes these files and the folder. */
void cleave_jit_text_remove(const struct cleave_source_text *source, const char *archive,
                            const char *folder);

/* ---- command.c ------------------------------------------------------------------------------ */

/* A compiler's command: words that point into `text` or the source. */
struct jit_command {
    char *word[JIT_WORDS + 1]; /* NULL ends them; each is freed by cleave_jit_command_free */
    int words;
    struct store_key identity; /* of the compiler: its file, size and time */
};

/* Fills in the command for a loop: its first word becomes the file of the compiler, found in PATH
 * if it is not where it was. 0, or -1 with a reason. Free it in both cases. */
int cleave_jit_command_make(struct jit_command *command, const struct jit_job *job,
                            char why[JIT_WHY]);
void cleave_jit_command_free(struct jit_command *command);

/* ---- compile.c ------------------------------------------------------------------------------ */

/* Runs the command on the text in a temporary folder, which is gone afterwards. Returns the shared
 * object, which the caller frees, and its size; NULL with a reason. */
void *cleave_jit_compile(const struct jit_command *command, const struct cleave_source_text *source,
                         const char *archive, size_t *bytes, char why[JIT_WHY]);
/* Ends the compiler that runs, if one does, and starts no other until cleave_jit_compile_allow():
 * cleave_jit_compile returns NULL soon. Any thread. */
void cleave_jit_compile_stop(void);
void cleave_jit_compile_allow(void);
int cleave_jit_compile_is_stopped(void);
/* In a child of fork(): forgets the parent's compiler. */
void cleave_jit_compile_forget(void);

/* ---- load.c --------------------------------------------------------------------------------- */

/* Loads the shared object and fills job->made. 0, or -1 with job->why. */
int cleave_jit_load(struct jit_job *job, const void *library, size_t bytes);

#endif
