#!/bin/sh
# printing.sh: under CLEAVE_VERIFY a loop runs twice, and what its kernel prints appears once, in the
# order of the sequential run; what the program itself prints around it stays.
set -eu
cat >print.c <<'end'
#include "op_seq.h"

static void speak(const int *e, double *sum)
{
    printf("element %d\n", *e);
    *sum += *e;
}

int main(int argc, char **argv)
{
    double sum = 0;
    op_init(argc, argv, 0);
    op_set set = op_decl_set(5, "set");
    printf("before, ");
    op_par_loop(speak, "speak", set, op_arg_idx(-1, OP_ID), op_arg_gbl(&sum, 1, "double", OP_INC));
    printf("sum %g\n", sum);
    op_exit();
    return 0;
}
end
$CLEAVECC --cleave-arch=emu --cleave-emit=fused -O0 print.c -o print
CLEAVE_BACKEND=seq ./print >expected
test "$(wc -l <expected)" -eq 6
for backend in openmp cuda; do
    CLEAVE_VERIFY=1 CLEAVE_BACKEND=$backend ./print >out 2>err
    diff expected out
    grep -q '1 calls of compiled loops agree' err || { cat err; exit 1; }
    CLEAVE_VERIFY=1 CLEAVE_BACKEND=$backend ./print >&- 2>err || { cat err; exit 1; }
    grep -q '1 calls of compiled loops agree' err || { cat err; exit 1; }
done
