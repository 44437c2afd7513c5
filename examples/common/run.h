/* run.h: what surrounds the numerics of an example: its command line, its results, the comparison
 * of results with known values, and the time of a step. C11 and C++17.
 *
 *     run_begin(&run, ...);                         options, before op_init
 *     snprintf(run.test, sizeof run.test, "n=%d", n);   names the settings
 *     run_references(&run, references, count);
 *     run_progress(&run, 0, steps);                 starts the clock
 *     for (step = 1; step <= steps; step++) { loops; run_progress(&run, step, steps); }
 *     run_result(&run, "energy", energy);           prints, and compares with --check
 *     status = run_finish(&run);                    time and verdict
 *     op_exit();
 */
#ifndef EXAMPLES_RUN_H
#define EXAMPLES_RUN_H

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define RUN_PRINTS __attribute__((format(printf, 2, 3)))
#else
#define RUN_PRINTS
#endif

/* A value that is known for certain settings of the program. */
struct reference {
    const char *test;     /* the settings, as the program writes them into run.test: "n=8 mode=2" */
    const char *quantity; /* the name that run_result prints: "rms after 100" */
    double value;
    double relative; /* a result passes when |result - value| <= relative * |value| + absolute */
    double absolute;
};

enum option_kind {
    OPTION_FLAG,
    OPTION_COUNT,
    OPTION_SIZES,
    OPTION_NUMBER,
    OPTION_WORD,
    OPTION_FILE
};

/* An option of one program. The value that it has before run_begin is its default, which --help
 * shows. The program owns everything that is pointed to. */
struct option {
    const char *name; /* without dashes: "cells" is --cells=... */
    enum option_kind kind;
    void *value; /* FLAG: int *, set to 1 by --name; COUNT: int *, from 1 on; SIZES: int[length],
                    each from 1 on, written with commas; NUMBER: double *, finite; WORD and FILE:
                    const char **, which then points into argv; a FILE's default may be NULL */
    int length;  /* of SIZES */
    const char *words; /* of WORD: the words that are accepted, separated by single blanks */
    const char *help;  /* one line */
};

/* One run of a program. run_begin sets it; the program writes `test` and reads the rest. */
struct run {
    const char *program;
    int check;   /* --check: compare results with references */
    int shuffle; /* --shuffle=SEED, 1 to 1000000000: number the mesh at random; 0: as generated */
    int verbose; /* --verbose: results with 17 digits */
    const char *output; /* --output=FILE: the final field for ParaView; NULL: none */
    char test[128];     /* the settings that decide which references hold */

    /* private to run.c */
    const struct reference *references;
    int count;
    unsigned char *verdict; /* [count] what became of each reference */
    double begun;           /* seconds of the clock when the first step began, */
    double first;           /* when it had ended, */
    double now;             /* and when the last one had */
    double told;            /* when progress was last told */
    long steps;             /* that were counted */
    int stopped;            /* the clock, by the first result after the last step */
};

/* Reads the command line: the program's options and those that every program has (--check,
 * --shuffle,
 * --verbose, --help, and --output where has_output is not 0). Words that begin with "OP_" are left
 * to op_init. Prints the usage and ends the program with 0 for --help; ends it with 2 and a message
 * for a word that it does not understand. */
void run_begin(struct run *run, const char *program, const char *purpose,
               const struct option *options, int count, int has_output, int argc, char **argv);

/* Gives the run the values that are known; `references` stays the caller's and must outlive
 * run_finish. Those whose `test` is run->test are compared. */
void run_references(struct run *run, const struct reference *references, int count);

/* Ends the program with 1 after "PROGRAM: message": no memory, a file that cannot be read. */
void run_failed(const char *program, const char *format, ...) RUN_PRINTS;

/* Ends the program with 2 after "PROGRAM: message": options that do not fit together, a mesh that
 * is too large to be numbered with int. */
void run_refused(const char *program, const char *format, ...) RUN_PRINTS;

/* Prints one line "quantity = value" to stdout: 17 digits with --verbose, else 10. With --check it
 * compares the value and says on stderr when it is not the known one. */
void run_result(struct run *run, const char *quantity, double value);

/* To be called with step 0 before the first step, and with 1, 2, ... steps after each. Keeps the
 * time of the first step, which makes plans, apart from that of the others. Tells stderr how far
 * the run is and how long it still takes, every five seconds. */
void run_progress(struct run *run, long step, long steps);

/* Prints the time of a step, "1000 steps in 0.27 s: 0.266 ms each, the first 12 ms", and with
 * --check the verdict. Returns the exit status: 1 when --check was given and a value is not the
 * known one, or none is known. Call it after the last fetch (loops on a GPU may still run before),
 * before op_exit. */
int run_finish(struct run *run);

#ifdef __cplusplus
}
#endif
#endif
