#!/bin/sh
# argmax.sh: what goes along with a minimum or maximum (op_arg_info): the loop of OP2's airfoil and
# others are compiled, and give what the sequential run gives, in every order and numbering.
set -eu
$CLEAVECC --cleave-arch=emu --cleave-emit="${1:-fused,split,owner}" -O0 -Wall -Werror \
    -I"$SRC/testsuite/codegen/programs" "$SRC/testsuite/endtoend/argmax.c" -o argmax -lm 2>notes ||
    { cat notes; exit 1; }
test ! -s notes || { cat notes; exit 1; }
CLEAVE_BACKEND=seq ./argmax >expected
test "$(grep -c '^= ' expected)" -ge 12
grep -q '^= update 4211 36 1$' expected

run() { # run VARIABLE=value...
    env CLEAVE_VERIFY=1 "$@" ./argmax >out 2>err || { echo "$*"; cat err; exit 1; }
    diff expected out || { echo "$*: differs"; exit 1; }
    grep -q 'CLEAVE_VERIFY: 10 calls of compiled loops agree' err || { cat err; exit 1; }
}
for size in 7 64; do
    for renumber in on off; do
        export CLEAVE_RENUMBER=$renumber CLEAVE_BLOCK_SIZE=$size
        run CLEAVE_BACKEND=openmp OMP_NUM_THREADS=3
        run CLEAVE_BACKEND=cuda CLEAVE_EMU_ORDER=random:5
    done
done
for schedule in fused owner; do
    run CLEAVE_BACKEND=openmp CLEAVE_SCHEDULE=$schedule CLEAVE_RENUMBER=on
    run CLEAVE_BACKEND=cuda CLEAVE_SCHEDULE=$schedule CLEAVE_RENUMBER=on CLEAVE_RACES=colour
done
CLEAVE_DETERMINISTIC=1 run CLEAVE_BACKEND=cuda CLEAVE_RENUMBER=on
