#!/bin/sh
# A loop that reads, through a map, the dat that it writes: by default it is warned about and runs
# sequentially; accepted by the user, it is compiled, and CLEAVE_VERIFY finds what an other order of
# elements changes.
set -eu
program=$SRC/testsuite/endtoend/alias.c
fail() { echo "$1"; shift; cat "$@"; exit 1; }

$CLEAVECC --cleave-arch=none "$program" -o safe 2>safe.err
grep -q "warning: 'depth'\|warning: 'p_depth'" safe.err || fail "no warning about the alias" safe.err
grep -q 'cleave-alias=accept' safe.err || fail "no hint" safe.err
CLEAVE_ORDER=reverse ./safe >safe.out 2>&1 || fail "the safe program failed" safe.out
grep -qx 'last 999' safe.out || fail "the sequential result is wrong" safe.out

$CLEAVECC --cleave-arch=none --cleave-alias=accept "$program" -o bold 2>bold.err
if grep -q 'warning' bold.err; then fail "an accepted alias is warned about" bold.err; fi
if CLEAVE_BACKEND=openmp CLEAVE_ORDER=reverse CLEAVE_VERIFY=1 ./bold >verify.out 2>&1; then
    fail "CLEAVE_VERIFY found nothing" verify.out
fi
for word in relax depth element component; do
    grep -q "$word" verify.out || fail "the message does not name: $word" verify.out
done
