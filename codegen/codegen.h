/* codegen.h: Program with schedules in, text of generated files out.
 *
 * One table row per target (see codegen.c): adding a target is adding a folder and a row.
 */
#ifndef CLEAVE_CODEGEN_H
#define CLEAVE_CODEGEN_H

#include "pass/ir/loop_ir.h"

enum codegen_target { CODEGEN_OPENMP, CODEGEN_CUDA, CODEGEN_TARGETS };

/* CUDA: which dats of several components are structures of arrays on the device, where loops allow
 * it (layout.c). */
enum codegen_soa {
#define CLEAVE_SOA(name, word, meaning) CODEGEN_SOA_##name,
#include "runtime/api/cleave_words.def"
};

struct codegen_options {
    /* The schedules of loop->schedule to emit, if they are legal. A loop without a legal one gets
     * the fused one. None wanted: fused. */
    bool schedule[SCHEDULES];
    /* CUDA: and `split`, and the one that the cost model prefers. On the CPU no other schedule
     * was faster than fused over ranges, for any loop that was measured. */
    bool predicted;
    /* CUDA: and one whose sums have the same order in every run, without colours */
    bool deterministic;
    /* CUDA: with which compiled-in parameters; otherwise each kernel once, with its default ones.
     * No other ones run but those that CLEAVE_VARIANT names. */
    bool candidates; /* those that were the fastest for some loop */
    bool exhaustive; /* all */
    /* CUDA: compile only variants that rules choose with some setting. Leaves out a variant that
     * differs from an earlier one only in properties that CLEAVE_VARIANT alone can select;
     * `deterministic` gets one variant, if it always fits. */
    bool chosen_only;
    /* One variant of the fused schedule: CUDA: by atomic additions where the types have them, which
     * needs no plan and fits every mesh. */
    bool single;
    /* CUDA: and forms that others compare with, which are the fastest for no loop that was
     * measured. */
    bool comparisons;
    /* CUDA: describe the variants that `candidates` would add (cleave_loop.further); the unit then
     * refers to CODEGEN_FURTHER_SYMBOL if there are any. */
    bool further;
    enum codegen_soa soa;
    /* CUDA: values round as the source says in all variants: the user forbids to contract products
     * with sums (-ffp-contract=off). */
    bool as_written;
    /* OpenMP: the text is compiled with sanitizers, which see most in vectors without intrinsics:
     * lanes are compiled for the portable width alone. */
    bool sanitized;
    /* OpenMP: fused variants call kernels whole, one element at a time, as users wrote them. */
    bool whole;
    /* OpenMP: file name of the generated text for debuggers; kernels and helpers then have #line
     * directives that name the user's source. NULL: no directives. */
    const char *debug_name;
    /* OpenMP: name of the file that the text is written to, without its folder: it may include
     * itself. NULL: compilers know the name that they were given. */
    const char *file_name;
};

/* Writes the whole generated file for one target: preamble, constants, helpers, one function per
 * loop, schedule and race resolution, the tables of runtime/api/cleave_gen.h and the constructor
 * that registers them. The file is self-contained but for runtime headers; the one symbol of the
 * user's object that it refers to is CODEGEN_KEY_SYMBOL. It defines the hidden symbol that
 * codegen_registration_symbol() names.
 *
 * requires: splitter_check() passes.
 * Returns 0, or -1 when writing failed. */
int codegen_emit(FILE *out, const struct program *program, enum codegen_target target,
                 const struct codegen_options *options);

/* Writes the text from which further variants are compiled while a program runs
 * (cleave_gen.h, struct cleave_source_text); nothing if no loop has any. Options as for the file of
 * the target, with `further`. Otherwise as codegen_emit. */
int codegen_emit_further(FILE *out, const struct program *program, enum codegen_target target,
                         const struct codegen_options *options);

/* For --cleave-explain: the layouts that CUDA code gets with CODEGEN_SOA_AUTO, and why; for each
 * loop how many elements a core of the CPU computes at once, which variants it lacks on a GPU, and
 * why. */
void codegen_explain(FILE *out, const struct program *program,
                     const struct codegen_options *options);

/* The symbol of a target's registration: "cleave_unit_openmp" or "cleave_unit_cuda". Hidden in the
 * generated file's own object, and equal in all of them: who joins it with the user's makes it and
 * CODEGEN_KEY_SYMBOL local there. */
const char *codegen_registration_symbol(enum codegen_target target);

/* The key (runtime/api/op_lib_loop.h) that the user's object defines and the generated ones refer
 * to. */
#define CODEGEN_KEY_SYMBOL "cleave_unit_key"

/* The struct cleave_source_text that the driver adds to the object, hidden and local there. */
#define CODEGEN_FURTHER_SYMBOL "cleave_unit_further"

/* Suffix of a target's file: ".cleave.c" (".cleave.cpp" for C++ programs) or ".cleave.cu". */
const char *codegen_suffix(enum codegen_target target, enum language language);

#endif
