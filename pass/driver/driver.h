/* driver.h: what the parts of cleavecc share: one run of it, and the units it compiles. */
#ifndef CLEAVE_DRIVER_H
#define CLEAVE_DRIVER_H

#include <sys/types.h>

#include "codegen/codegen.h"
#include "pass/driver/command.h"
#include "pass/driver/config.h"
#include "pass/driver/settings.h"
#include "pass/ir/loop_ir.h"

/* One run of cleavecc. */
struct driver {
    struct arena *arena;
    struct settings settings;
    struct config config;
    struct words words;     /* the host compiler's command line: all but our own flags */
    struct command command; /* the command line, taken apart */
    enum device device;     /* target of generated code besides OpenMP; never DEVICE_DEFAULT */
    struct words codes;     /* CUDA: nvcc's --generate-code values */
    const char *folder;     /* temporary files; NULL until there is a loop to compile */
};

/* One C or C++ source of the command line. */
struct unit {
    int input; /* index of its word */
    const char *source;
    const char *stem; /* what its generated files are named after: plain, and its own in a run */
    enum language language;
    const char *output;      /* object to make */
    char id[17];             /* program->unit; known once it has been read */
    bool has_loops;          /* false: the host compiler alone compiles it */
    bool failed;             /* it has errors, which were printed */
    struct program *program; /* only in the process that reads the unit; NULL: no loops */
    pid_t reader;            /* that process (isolate.h); 0: none */
    int channel;             /* the socket to it */
    struct words symbols;    /* of its variables that generated code reads in the host's object */
    double front_seconds;
    double back_seconds; /* splitter and code generation */
};

/* reader.c: starts the process that reads the unit, and awaits its analysis. Returns 0, or the exit
 * code of a unit that cannot be compiled. Where that process crashes, a warning says so, and the
 * unit has no loops any more. */
int unit_analyse(struct driver *driver, struct unit *unit);
/* Writes a generated text of a unit with loops to a file. Returns 0, or an exit code after a
 * message. After a crash has_loops is false. */
int unit_generate(struct unit *unit, enum codegen_target target, const char *path);
/* Ends the process that read the unit. Returns `code`, or another one than 0 if that ended badly.
 */
int unit_finish(struct unit *unit, int code);

/* analyse.c, in that process: source to Program with schedules; prints what the front end says and
 * the dumps. Returns 0, or the exit code of a unit that cannot be compiled. */
int unit_read(struct driver *driver, struct unit *unit);
void unit_free(struct unit *unit);

/* mention.c: false where nothing of OP2 is in the unit's source as the preprocessor leaves it. */
bool unit_may_have_loops(const struct driver *driver, const struct unit *unit);
/* mention.c: whether op_par_loop stands in the text as the preprocessor leaves it. */
bool text_has_expanded_loops(const char *text);
/* mention.c: whether it does in the unit's source, preprocessed; false also when that fails. */
bool unit_expands_loops(const struct driver *driver, const struct unit *unit);
/* mention.c: whether the source itself has the word op_par_loop; false also when it cannot be read.
 */
bool unit_names_loops(const struct unit *unit);

/* compile.c: Program to object: generated files, the compilers, the join, the check of the
 * result. Returns 0 or an exit code; then no output is left. */
int unit_compile(struct driver *driver, struct unit *unit);
/* Removes an output that is not to be left; a device such as /dev/null stays. */
void output_remove(const char *path);
/* Words that begin every command of the host compiler: its name and our include path. */
struct words host_command(const struct driver *driver);

/* generated.c: the compilers' commands for generated files. `folder` is where the file is.
 */
struct words openmp_command(const struct driver *driver, const struct unit *unit,
                            const char *folder, const char *file, const char *object);
struct words emulator_command(const struct driver *driver, const char *folder, const char *file,
                              const char *object);

/* nvcc.c: the command for CUDA, which runs in `folder`, and what it needs there before it runs. The
 * latter returns 0, or an exit code after a message. */
struct words nvcc_command(const struct driver *driver, const char *folder, const char *file,
                          const char *object);
int nvcc_prepare(const struct driver *driver, const char *folder);

/* devices.c: what compiles the generated text of a device. */
struct device_row {
    const char *compiler; /* for messages: "CUDA compiler" */
    const char *stage;    /* for times: "CUDA compile" */
    enum codegen_target target;
    bool runs_in_folder; /* the compiler runs in the folder of the file, not in the user's */
    /* Puts what the compiler needs into the folder: 0, or an exit code after a message. NULL:
     * nothing. */
    int (*prepare)(const struct driver *driver, const char *folder);
    struct words (*command)(const struct driver *driver, const char *folder, const char *file,
                            const char *object);
};
/* The row of a device; NULL for DEVICE_NONE. */
const struct device_row *device_row(enum device device);

/* arch.c: decides driver->device and driver->codes from the settings and the GPUs and compilers
 * of this machine. Returns -1 after a message that says what is missing or unknown. */
int device_choose(struct driver *driver);
/* Whether no device code is going to be compiled, before that is decided. */
bool device_is_none(const struct driver *driver);

/* op2.c: takes OP2's own libraries out of a link command, with a warning. Returns 0, or an exit
 * code when that is an error, or when the link has an object of OP2's. */
int op2_leave_out(struct driver *driver);

/* link.c: libraries that every program is linked with. */
void link_add_libraries(const struct driver *driver, struct words *out);

#endif
