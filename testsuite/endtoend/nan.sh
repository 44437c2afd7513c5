#!/bin/sh
# nan.sh: minima and maxima with terms that are not numbers agree with the sequential run where the
# kernel leaves them out; where it takes them, and for zeros of both signs, CLEAVE_VERIFY says so.
set -eu
$CLEAVECC --cleave-arch=emu --cleave-emit=fused,split,owner -O0 -Wall -Werror \
    -I"$SRC/testsuite/codegen/programs" "$SRC/testsuite/endtoend/nan.c" -o nan -lm
CLEAVE_BACKEND=seq ./nan >expected
grep -q '^= top 8 1 8 -8$' expected
for how in openmp:colour openmp:range cuda:colour cuda:atomic cuda:gather cuda:transpose cuda:ordered; do
    for schedule in fused split owner; do
        CLEAVE_BACKEND=${how%:*} CLEAVE_RACES=${how#*:} CLEAVE_SCHEDULE=$schedule CLEAVE_BLOCK_SIZE=16 \
            CLEAVE_VERIFY=1 ./nan >out 2>err || { cat err; exit 1; }
        diff expected out || { echo "$how $schedule: differs"; exit 1; }
    done
done
export CLEAVE_VERIFY=1 CLEAVE_BACKEND=cuda CLEAVE_SCHEDULE=split CLEAVE_BLOCK_SIZE=16 CLEAVE_EMU_ORDER=descending
./nan taken 2>err
grep -q "loop 'taken'.*argument 2 (dat 'one').*not numbers" err || { cat err; exit 1; }
./nan zeros 2>err
grep -q "loop 'zeros'.*zero of another sign" err || { cat err; exit 1; }
