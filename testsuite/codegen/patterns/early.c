/* early.c: kernels of loops that read globals, and modify nothing through a map, can wait on the
 * device for their values. RUN: cuda=CUDA --cleave-emit=fused
 */
#include "op_seq.h"

static void move(double *x, const double *alpha, const int *n)
{
    x[0] += alpha[0] * n[0] + n[2];
}

static void polynomial(double *x, const double *factor)
{
    for (int i = 0; i < 10; i++) {
        x[0] = x[0] * x[0] + factor[i];
    }
}

static void lowest(const double *x, const double *alpha, double *least)
{
    if (x[0] * alpha[0] < least[0]) {
        least[0] = x[0] * alpha[0];
    }
}

static void maybe(double *x, const double *alpha)
{
    x[0] += alpha != NULL ? alpha[0] : 1.0;
}

static void spread(double *res, const double *alpha)
{
    res[0] += alpha[0];
}

void loops(op_set cells, op_set edges, op_map sides, op_dat x, double *alpha, int *n, double *least,
           int on)
{
    op_par_loop(move, "move", cells, op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW),
                op_arg_gbl(alpha, 1, "double", OP_READ), op_arg_gbl(n, 3, "int", OP_READ));
    op_par_loop(polynomial, "polynomial", cells, op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW),
                op_arg_gbl(alpha, 10, "double", OP_READ));
    op_par_loop(lowest, "lowest", cells, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
                op_arg_gbl(alpha, 1, "double", OP_READ), op_arg_gbl(least, 1, "double", OP_MIN));
    op_par_loop(maybe, "maybe", cells, op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW),
                op_opt_arg_gbl(on, alpha, 1, "double", OP_READ));
    op_par_loop(spread, "spread", edges, op_arg_dat(x, 0, sides, 1, "double", OP_INC),
                op_arg_gbl(alpha, 1, "double", OP_READ));
}

// Each value begins at a multiple of 16 bytes.
// CUDA-LABEL: CLEAVE_KERNEL void move_direct(
// CUDA-SAME: cleave_value<double, 1> cleave_gbl_alpha, cleave_value<int, 3> cleave_gbl_n, cleave_early cleave_early)
// CUDA: cleave_b = cleave_block();
// CUDA-NEXT: if (!cleave_values_come(cleave_early, cleave_gbl_alpha, cleave_gbl_n)) {
// CUDA-NEXT: return;
// CUDA-LABEL: static void move_direct_run(
// CUDA: cleave_gbl_alpha, cleave_gbl_n, cleave_launch->early);
// MUTATE CUDA s/cleave_early, cleave_gbl_alpha, cleave_gbl_n/cleave_early, cleave_gbl_n, cleave_gbl_alpha/

// Too many values, a start value, a value that may be off, increments through a map:
// CUDA-LABEL: CLEAVE_KERNEL void polynomial_direct(
// CUDA-NOT: cleave_early
// CUDA: {"move_direct"{{.*}}, CLEAVE_EARLY(4), 0},
// CUDA-NOT: CLEAVE_EARLY
// MUTATE CUDA s/CLEAVE_EARLY\(4\)/CLEAVE_EARLY(3)/
// MUTATE CUDA s/(\{"polynomial_direct".*), 0, 0\},/\1, CLEAVE_EARLY(10), 0},/
// MUTATE CUDA s/(void lowest_direct\(.*)\) \{/\1, cleave_early cleave_early) {/
