/* config.h: where cleavecc's own files and the compilers that it calls are. */
#ifndef CLEAVE_DRIVER_CONFIG_H
#define CLEAVE_DRIVER_CONFIG_H

#include "pass/driver/settings.h"

struct config {
    const char *include;  /* op_lib.h and its kind, cleave_gen.h, device/ */
    const char *parse;    /* headers for the front end's parse only */
    const char *library;  /* libcleave.a and its kind */
    const char *emulator; /* sources of the CUDA emulator; NULL: not available, as when installed */
    /* Compilers are words, as in "ccache gcc"; the first is looked up in PATH. */
    struct words host;   /* compiler that this program stands for: cc or c++ */
    struct words cxx;    /* C++ host compiler */
    struct words ccbin;  /* host compiler for nvcc, when the user chose one; else none */
    const char *nvcc;    /* NULL: none found */
    const char *objcopy; /* of binutils or LLVM, as PATH or CLEAVE_OBJCOPY has it */
    bool cuda_library;   /* libcleave_cuda.a is there */
    struct words hdf5;   /* files to link for op_hdf5.h besides libcleave_hdf5.a; none: not there */
    const char *no_hdf5; /* then, why not */
};

/* Fills config from the executable's place, the environment and the settings.
 * Returns 0, or -1 after saying what is missing. */
int config_find(struct config *config, const struct settings *settings, bool is_cxx);

/* The file that execvp() would run for `name`, from the root on; links stay, for compilers that
 * look at the name they are called by. NULL when there is none. */
const char *config_find_program(struct arena *arena, const char *name);

/* Folder of the CUDA toolkit's libraries, or NULL. */
const char *config_cuda_library(struct arena *arena, const struct config *config);

const char *config_version(void);

/* A word that every link needs, because the libraries were built with sanitizers; empty: none. */
const char *config_link_flag(void);

#endif
