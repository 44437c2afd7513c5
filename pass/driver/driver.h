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

#endif
