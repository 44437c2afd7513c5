/* fixture.h: a Program built by hand, so that splitter/ and codegen/ are tested without the front
 * end.
 *
 * Its loops, over edges (2 nodes, 2 cells) and cells (4 nodes), use each form of argument that
 * changes what is generated. run_openmp.c and run_cuda.c know the same loops and compute them
 * plainly.
 */
#ifndef CLEAVE_TEST_FIXTURE_H
#define CLEAVE_TEST_FIXTURE_H

#include "pass/ir/loop_ir.h"

enum fixture_loop {
    LOOP_SAVE,      /* direct: qold = q */
    LOOP_RES,       /* airfoil's res_calc in its arguments: 8 values of tmp(e) */
    LOOP_UPDATE,    /* direct, with INC, MAX and MIN globals and a READ global */
    LOOP_CORNERS,   /* vector arguments */
    LOOP_TOUCH,     /* OP_RW and OP_INC through maps */
    LOOP_NUMBER,    /* op_arg_idx */
    LOOP_MAYBE,     /* optional arguments */
    LOOP_WHOLE,     /* a body taken whole, and a parameter called `new` */
    LOOP_REFERENCE, /* runs sequentially */
    LOOP_PEAK,      /* OP_MAX and OP_MIN through maps */
    FIXTURE_LOOPS
};

/* Free with arena_free(program->arena). */
struct program *fixture_program(enum language language);

#endif
