/* process.h: children, temporary folders and signals.
 *
 * Jobs run side by side, as many as jobserver.h allows. The first one's messages go straight to
 * stderr; those of the others are kept and printed one after the other when all have ended, so that
 * they are never mixed.
 */
#ifndef CLEAVE_DRIVER_PROCESS_H
#define CLEAVE_DRIVER_PROCESS_H

#include <sys/types.h>

#include "pass/driver/words.h"

struct job {
    const char *what;     /* for messages: "OpenMP compiler" */
    const char *source;   /* shown as progress while the job takes long; NULL: silent */
    struct words command; /* command.word[0] is looked up in PATH */
    const char *folder;   /* to run in; NULL: here */
    bool tried;           /* to be started */
    bool running;
    pid_t pid;  /* 0: was not started */
    int status; /* of waitpid, once it has ended */
    double seconds;
    FILE *messages; /* file with its messages; NULL: they go to our stderr */
};

/* Runs all jobs, prints what they said. Returns 0 when each ended with 0, else -1. The first one
 * starts first, then the last one, which takes longest, and so on; where the first one fails, those
 * that have not begun are left out. */
int jobs_run(struct job *job, int jobs);
/* A shell's exit code: 128 + n for signal n. */
int job_exit_code(const struct job *job);

/* Returns what the command writes to stdout, in the arena of its words; NULL when it cannot be run
 * or fails. Its messages are not shown. */
const char *process_output(const struct words *command);

/* Becomes the command. Returns only when it cannot be run, after saying so, with 127. */
int process_become(const struct words *command);

double seconds_now(void);

/* Makes a folder for one unit's temporary files, in TMPDIR, or in /tmp if TMPDIR cannot be written
 * or its path is not plain. Its name is made from `id` if possible, because nvcc writes the name
 * into its objects: equal builds then give equal objects. Waits while another process compiles the
 * same unit. From here to temporary_remove(), SIGINT, SIGTERM and SIGHUP end the children and are
 * kept for process_interrupted(). NULL when it cannot be made, after a message. */
const char *temporary_make(struct arena *arena, const char *id);
void temporary_remove(const char *folder);

/* The signal that arrived, or 0. */
int process_interrupted(void);
/* Ends this process by that signal, as if it had not been caught. */
void process_die(int signal);

#endif
