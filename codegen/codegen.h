/* codegen.h: Program with schedules in, text of generated files out.
 *
 * One table row per target (see codegen.c): adding a target is adding a folder and a row.
 */
#ifndef CLEAVE_CODEGEN_H
#define CLEAVE_CODEGEN_H

#include "pass/loop_ir.h"

enum codegen_target { CODEGEN_OPENMP, CODEGEN_CUDA, CODEGEN_TARGETS };

/* CUDA: which dats of several components are structures of arrays on the device, where loops allow
 * it (layout.c). */
enum codegen_soa {
    CODEGEN_SOA_DECLARED, /* those whose arguments' types say ":soa" */
    CODEGEN_SOA_ALL,
    CODEGEN_SOA_AUTO /* and those that the file's loops move fewer bytes of so (layout_auto.c) */
};

struct codegen_options {
    /* Which of loop->schedule to emit, where they are legal. A loop none of whose wanted schedules is
     * legal gets the fused one. None wanted: fused. */
    bool schedule[SCHEDULES];
    bool predicted; /* and the one that the cost model prefers */
    /* CUDA: and one whose sums have the same order in every run, without colours */
    bool deterministic;
    /* CUDA: with which compiled-in parameters; otherwise each kernel once, with its default ones. */
    bool candidates; /* those that were the fastest for some loop */
    bool exhaustive; /* all */
    /* CUDA: and forms that others compare with, which are the fastest for no loop that was measured. */
    bool comparisons;
    enum codegen_soa soa;
};

/* Writes the whole generated file for one target: preamble, constants, helpers, one function per
 * loop, schedule and race resolution, the tables of runtime/cleave_gen.h and the constructor that
 * registers them. The file is self-contained but for runtime headers; it never refers to a symbol
 * of the user's. It defines the hidden symbol codegen_registration_symbol() names.
 *
 * requires: splitter_check() passes.
 * Returns 0, or -1 when writing failed. */
int codegen_emit(FILE *out, const struct program *program, enum codegen_target target,
                 const struct codegen_options *options);

/* The layouts that CUDA code gets with CODEGEN_SOA_AUTO, and why, for --cleave-explain; nothing
 * otherwise. */
void codegen_explain(FILE *out, const struct program *program,
                     const struct codegen_options *options);

/* "cleave_unit_openmp_<id>" or "cleave_unit_cuda_<id>": present in a correct object. The caller
 * owns the buffer of `capacity` bytes. */
void codegen_registration_symbol(char *out, size_t capacity, const struct program *program,
                                 enum codegen_target target);

/* Suffix of a target's file: ".cleave.c" (".cleave.cpp" for C++ programs) or ".cleave.cu". */
const char *codegen_suffix(enum codegen_target target, enum language language);

#endif
