/* pass.h: source file in, Program out. Nothing of libclang shows here. */
#ifndef CLEAVE_PASS_H
#define CLEAVE_PASS_H

#include "diag.h"
#include "loop_ir.h"

struct pass_options {
    const char *source;      /* main file */
    enum language language;  /* how to read it */
    int flags;               /* number of the next */
    const char *const *flag; /* -I -D -U -include -std and their kind, as the user gave them */
    const char *unit;        /* id of the translation unit; see pass_unit_id */
    bool accept_alias;       /* --cleave-alias=accept */
    const char *include_dir; /* where op_lib.h is */
    const char *parse_dir;   /* headers for the parse only (omp.h), searched first */
};

/* Parses the source and builds its Program: loops, kernels, helpers, constants, types.
 *
 * ensures: with no errors in diag, loop_ir_check() passes. A loop that cannot be compiled has a
 * sequential_reason, or its error is in diag.
 * Returns NULL when the file could not be parsed at all (reported in diag) or has no op_par_loop
 * and no op_decl_const: then *has_loops is false and only what libclang could not read was reported;
 * the host compiler will speak for itself. The caller frees the result with program_free(). */
struct program *pass_run(const struct pass_options *options, struct diag *diag, bool *has_loops);
void program_free(struct program *program);

/* Id of a translation unit: 16 hexadecimal digits, a hash of path, flags and output name (so equal
 * builds give equal objects, and two files never share an id). */
void pass_unit_id(char id[17], const char *source, int flags, const char *const *flag,
                  const char *output);

#endif
