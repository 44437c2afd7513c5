/* refused.c: loops without variants: the tables say why, and nothing of their kernels is written.
 * RUN: openmp=BOTH,OPENMP cuda=BOTH,CUDA messages=SAYS -O0 --cleave-emit=fused
 */
#include "op_seq.h"

static void unknown(const double *q, double *old)
{
    old[0] = q[0];
}

static void changes(const double *q, double *old, double *rms)
{
    old[0] = q[0];
    rms[0] = rms[0] * 0.5;
}

static void large(const double *q, double *old, const double *values)
{
    old[0] = q[0] * values[255];
}

void loops(op_set cells, op_dat q, op_dat old, double *rms, double *values, int n)
{
    op_par_loop(unknown, "unknown", cells, op_arg_dat(q, -1, OP_ID, n, "double", OP_READ),
                op_arg_dat(old, -1, OP_ID, 1, "double", OP_WRITE));
    op_par_loop(changes, "changes", cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(old, -1, OP_ID, 1, "double", OP_WRITE),
                op_arg_gbl(rms, 1, "double", OP_RW));
    op_par_loop(large, "large", cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(old, -1, OP_ID, 1, "double", OP_WRITE),
                op_arg_gbl(values, 300, "double", OP_READ));
}

// SAYS: refused.c:[[#@LINE-10]]:5: note: loop 'unknown' runs sequentially: the dimension of argument 1 is not known at compile time
// SAYS: refused.c:[[#@LINE-9]]:5: note: loop 'changes' runs sequentially: argument 3 is a global with OP_RW
// MUTATE SAYS s/argument 3 is a global/an argument is a global/

// BOTH-NOT: unknown_body
// BOTH-NOT: changes_body
// OPENMP: large_body(
// CUDA-NOT: large_body
// BOTH-LABEL: cleave_loops[] = {
// BOTH-NEXT: "unknown", {{.*}}, "the dimension of argument 1 is not known at compile time", 0, NULL, 0, NULL, 0, NULL,
// BOTH-NEXT: "changes", {{.*}}, "argument 3 is a global with OP_RW", 0, NULL, 0, NULL, 0, NULL,
// OPENMP-NEXT: "large", {{.*}}, NULL, 0, NULL, 0, NULL, 1, large_variants,
// CUDA-NEXT: "large", {{.*}}, "its globals take 2400 bytes, and a GPU kernel gets at most 2048", 0, NULL, 0, NULL, 0, NULL,
// MUTATE BOTH s/"argument 3 is a global with OP_RW"/NULL/
// MUTATE CUDA s/at most 2048/at most 4096/
// MUTATE BOTH s/^#include <math.h>/&\nstatic void unknown_body(void);/
