/* pass.h: source file in, Program out. Nothing of libclang shows here. */
#ifndef CLEAVE_PASS_H
#define CLEAVE_PASS_H

#include <stddef.h>

#include "pass/ir/diag.h"
#include "pass/ir/loop_ir.h"

struct pass_options {
    const char *source;       /* main file */
    enum language language;   /* how to read it */
    int flags;                /* number of the next */
    const char *const *flag;  /* -I -D -U -include -std and their kind, as the user gave them */
    const char *unit;         /* id of the unit; NULL: made from its content, see pass_unit_id */
    bool accept_alias;        /* --cleave-alias=accept */
    const char *include_dir;  /* where op_lib.h is */
    const char *parse_dir;    /* headers for the parse only (omp.h), searched first */
    const char *resource_dir; /* clang's own headers; NULL: beside libclang */
};

/* Parses the source and builds its Program: loops, kernels, helpers, constants, types.
 *
 * ensures: with no errors in diag, loop_ir_check() passes. A loop that cannot be compiled has a
 * sequential_reason, or its error is in diag.
 * Returns NULL when the file could not be parsed at all (reported in diag) or has no op_par_loop
 * and no op_decl_const: then *has_loops is false and only what libclang could not read was
 * reported; the host compiler will speak for itself. The caller frees the result with
 * program_free(). */
struct program *pass_run(const struct pass_options *options, struct diag *diag, bool *has_loops);
void program_free(struct program *program);

/* A piece of what a translation unit consists of; it is only read. */
struct pass_text {
    const void *begin; /* NULL only where length is 0 */
    size_t length;     /* bytes */
};

/* Writes the id of a unit that consists of these texts: 16 hexadecimal digits and a NUL. Equal
 * texts in equal order give equal ids. */
void pass_unit_id(char id[17], const struct pass_text *text, int texts);

#endif
