#!/bin/sh
# hostile.sh: each loop of hostile.c gives what the sequential reference gives, in every schedule, on
# OpenMP and on the emulated GPU, in blocks of 7 elements; what is counted or printed, exactly so.
set -eu
$CLEAVECC --cleave-arch=emu --cleave-emit="$EMIT" -O0 -I"$SRC/testsuite/codegen/programs" \
    "$SRC/testsuite/endtoend/hostile.c" -o hostile 2>notes
if grep -E 'is not analysed|is not split|sequentially' notes; then
    echo "not all bodies are taken apart: less is tested than meant"
    exit 1
fi

exact() { # exact FILE: lines that no rounding changes, in any order
    grep -E '^= (element|second|reduced|globals|wraps|divzero|extrema|nodes|cells) ' "$1" | sort
}
CLEAVE_BACKEND=seq ./hostile >reference
exact reference >expected
test "$(grep -c element expected)" = 5
test "$(grep -c second expected)" = 5

check() { # check ENV...
    env CLEAVE_BLOCK_SIZE=7 CLEAVE_VERIFY=1 CLEAVE_CHECK_PLAN=1 "$@" ./hostile >out 2>err ||
        { echo "$*: differs"; cat err; exit 1; }
    env CLEAVE_BLOCK_SIZE=7 "$@" ./hostile >out
    exact out | diff expected - || { echo "$*: differs"; exit 1; }
}
for schedule in $SCHEDULES; do
    check CLEAVE_BACKEND=openmp CLEAVE_SCHEDULE=$schedule
    check CLEAVE_BACKEND=cuda CLEAVE_SCHEDULE=$schedule CLEAVE_RACES=colour
    check CLEAVE_BACKEND=cuda CLEAVE_SCHEDULE=$schedule CLEAVE_RACES=atomic
done
check CLEAVE_BACKEND=cuda CLEAVE_SCHEDULE=fused CLEAVE_RACES=global
check CLEAVE_BACKEND=cuda CLEAVE_SCHEDULE=split CLEAVE_RACES=gather CLEAVE_READS=staged
check CLEAVE_BACKEND=cuda CLEAVE_SCHEDULE=split CLEAVE_RACES=gather CLEAVE_READS=direct
if [ -n "$FULL" ]; then
    check CLEAVE_BACKEND=cuda CLEAVE_SCHEDULE=loops CLEAVE_RACES=global
    check CLEAVE_BACKEND=cuda CLEAVE_SCHEDULE=split3 CLEAVE_RACES=gather
fi
check CLEAVE_BACKEND=cuda CLEAVE_SCHEDULE=split CLEAVE_RACES=ordered
